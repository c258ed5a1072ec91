// Package lint checks skill files for the people who write them. Where package
// skills makes the best of a file, this package says what its author should
// mend.
//
//	issues, err := lint.Path(ctx, ".claude/skills", &lint.Options{Strict: true})
//
// There are three kinds of findings, all of them [skills.Issue] values whose
// codes are listed in docs/skill-files.md:
//
//   - What the loader reports: broken YAML, odd values, lost files. See
//     [skills.Parse].
//   - What is valid but hardly meant (01 §8): $1 in a skill without arguments,
//     text that the listing cuts, text that YAML takes for a comment, invisible
//     characters, commands that are none, fields of awk that are arguments, paths that
//     never match.
//   - With [Options].Strict, what breaks the open Agent Skills format, so that
//     other programs refuse the skill. These are errors with codes that begin
//     with "format-".
//
// A finding is a warning unless a skill is missing, cannot run, or breaks the
// format. The package only reads, and it never runs anything.
package lint
