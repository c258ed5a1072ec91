// Package improve lets a conversation improve the skills it uses (06 §5). A
// user who says "from now on run the linter too" while a skill is at work has
// changed the skill, as far as the user is concerned. This package notices,
// proposes to write it down, and does so once somebody says yes.
//
//	imp := improve.New(sess, small, &improve.Options{
//		Enabled: func() bool { return settings.SelfImprovement },
//		Propose: func(p improve.Proposal) { inbox.Add(p) }, // for somebody to look at
//		Failed:  func(err error) { log.Print(err) },
//		Rewrite: large,
//	})
//	defer imp.Close()
//	…
//	imp.Observe(conversation) // after each turn of the model
//	…
//	err := imp.Apply(ctx, p)  // when somebody has approved of p
//
// # What happens when
//
// Nothing happens by itself. A program must import this package, make an
// Improver with an Enabled function that says yes and a Propose function, and
// tell it of its conversation. Then, once in five new user messages, and only
// if a project skill was invoked in the session, a run in the background shows
// the latest messages and the skill's text to a model, which answers with
// updates or, mostly, with none. A run looks at up to three skills, those
// invoked last. Project skills are those with [skills.OriginProject], in
// nested folders too; those of users, plugins and servers, and legacy commands
// are left alone.
//
// Propose is given what was found. From there it is the host's affair: it may
// ask in a dialogue and call Apply right away, keep the proposal for later, or
// send it to a web page and apply what comes back. Nothing is ever written
// without Apply, and nothing but the body of one SKILL.md with it.
//
// # What it is safe against
//
// Both models read text that others wrote, so what they say is taken for a
// suggestion by a stranger.
//
//   - In prompts that text stands in frames whose lines hold a random word, so
//     that it cannot end its own.
//   - Whoever approves sees the updates in words; texts are single lines
//     without hidden characters.
//   - Whatever the model makes of them, the frontmatter stays byte for byte,
//     and with it what the skill may do. Shell commands stay, or somebody
//     approves of that very change: [SpanChange].
//   - A text that is cut off, empty, much shorter, not text, or too large is
//     not accepted.
//   - What is written is settled by the session, not by the proposal: a
//     SKILL.md inside the project, reached by no link, with one name.
//   - The user's own editor wins: a file that has changed since it was read is
//     not touched, however close the call.
//
// What the new text says in words is not judged: a model can be talked into
// bad advice. A host that shows the file's new text, or keeps projects under
// version control, gives people a second look.
//
// # Functions of the host
//
// They may panic, hang, or call the Improver. A panic becomes an error. A
// Model that hangs ends with Options.Timeout or Close, as far as waiting for
// it goes; Enabled, Propose and Failed may take as long as they like, and only
// keep the next run from starting. All of them may call Observe and Close, and
// all but Rewrite may call Apply; only Wait waits for them, so it must not be
// called in them.
//
// After [Improver.Close] and [Improver.Wait] no goroutine is left.
package improve
