package lint

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/seed-12b313d8/skills"
	"github.com/seed-12b313d8/skills/internal/frontmatter"
	"github.com/seed-12b313d8/skills/internal/gitignore"
	"github.com/seed-12b313d8/skills/internal/line"
)

// header reports fields that are valid but hardly mean what they say.
func (f *file) header() {
	f.listingCap()
	f.comments()
	if f.opts.Command {
		f.ignoredFields()
	} else {
		f.paths()
	}
}

// listingCap reports text that the listing cuts. A skill that the model may
// not run is not listed.
func (f *file) listingCap() {
	s := f.skill
	if s.DisableModelInvocation {
		return
	}
	text := line.Clean(s.Description, line.Options{})
	if when := line.Clean(s.WhenToUse, line.Options{}); when != "" {
		text += " - " + when
	}
	n := line.Len(text)
	if n <= f.opts.EntryCap {
		return
	}
	i := skills.Issue{
		Code: codeListingCap,
		Msg:  fmt.Sprintf("description and when-to-use have %d characters; the listing shows no more than %d", n, f.opts.EntryCap),
		Hint: "say first what the skill does and when to use it, and move the rest into the body",
	}
	if v := cmp.Or(f.field("description"), f.field("whentouse")); v != nil {
		i.Line, i.Field = v.Line, v.Key
	}
	f.report(i)
}

// ignoredFields reports what commands have no use for (01 §5).
func (f *file) ignoredFields() {
	for _, key := range []string{"name", "paths"} {
		if v := f.field(key); v != nil {
			f.report(skills.Issue{
				Code: codeFieldIgnored, Severity: sevInfo, Line: v.Line, Field: v.Key,
				Msg: "a command file has no use for " + key + "; it was ignored", Hint: "remove it, or make the command a skill",
			})
		}
	}
}

// paths reports a list of patterns that leaves the skill locked for ever, or
// never locks it.
func (f *file) paths() {
	v := f.field("paths")
	if v == nil || f.head.State == frontmatter.Broken {
		return
	}
	i := skills.Issue{Line: v.Line, Field: v.Key}
	switch patterns := f.skill.Paths; {
	case len(patterns) == 0:
		i.Code, i.Msg = codePathsEmpty, "paths holds no pattern, so the skill is always available"
		i.Hint = "write patterns such as src/**/*.go, or remove the field"
	case !slices.ContainsFunc(patterns, mayMatch):
		i.Code, i.Msg = codePathsNever, "no pattern can match a file, so the model is never told of the skill"
		i.Hint = "write a pattern without ! that files of the project match, such as src/**/*.go"
	default:
		f.fromRoot(i)
		return
	}
	f.report(i)
}

// mayMatch reports whether a list with this pattern may match a file. If in
// doubt, it may.
func mayMatch(pattern string) bool {
	if strings.HasPrefix(pattern, "!") {
		return false
	}
	grouped := strings.Contains(pattern, "{")
	for _, p := range gitignore.Compile([]string{pattern}, gitignore.Options{}).Problems() {
		switch p.Code {
		case gitignore.CodeNeverMatches:
			return false
		case gitignore.CodeBadPattern:
			return grouped // another alternative of the group may be sound
		case gitignore.CodeUnbalanced:
			return true
		}
	}
	return !grouped || strings.Contains(pattern, "{}") || strings.Trim(pattern, "{,} \t") != ""
}

// comments reports values that a # cuts: behind a blank, YAML takes it for the
// start of a comment.
func (f *file) comments() {
	if f.head.State != frontmatter.OK && f.head.State != frontmatter.Recovered {
		return
	}
	c := commentFinder{file: f, lines: strings.Split(f.text[:f.headerEnd()], "\n")}
	c.seen = make([]bool, len(c.lines)+1)
	for i := range f.head.Fields {
		v := &f.head.Fields[i]
		next := len(c.lines) + 1
		if i+1 < len(f.head.Fields) {
			next = f.head.Fields[i+1].Line
		}
		c.value(v, &v.Value, isProse(foldKey(v.Key)), next)
	}
	f.reportAll(&c.found)
}

// headerEnd returns the offset of the body, or 0 without a header.
func (f *file) headerEnd() int { return min(f.head.Body, len(f.text)) }

// isProse reports whether a field holds text for people, in which a # is
// hardly ever meant as a comment.
func isProse(folded string) bool {
	switch folded {
	case "description", "whentouse", "argumenthint":
		return true
	}
	return false
}

// A commentFinder looks for comments behind plain scalars.
type commentFinder struct {
	*file
	lines []string // of the header and what is before it
	seen  []bool   // by line: aliases lead to the same lines again and again
	found repeated
}

// value looks at the plain scalars of v, which ends before the line next.
// Outside prose "# " is a comment that its author meant.
func (c *commentFinder) value(top *frontmatter.Field, v *frontmatter.Value, prose bool, next int) {
	switch {
	case v.Guessed || v.Flow || v.Lost || v.Quoted:
	case v.Kind == frontmatter.List:
		for i := range v.Items {
			c.value(top, &v.Items[i], prose, v.Items[i].Line+1)
		}
	case v.Kind == frontmatter.Map:
		for i := range v.Fields {
			c.value(top, &v.Fields[i].Value, prose, v.Fields[i].Value.Line+1)
		}
	default:
		c.scalar(top, v, prose, next)
	}
}

func (c *commentFinder) scalar(top *frontmatter.Field, v *frontmatter.Value, prose bool, next int) {
	for n := v.Line; n < next && n < len(c.seen) && !c.seen[n]; n++ {
		c.seen[n] = true
		comment, behind := cutComment(c.lines[n-1])
		meant := !prose && strings.HasPrefix(comment, "# ")
		if comment == "" || meant || !behind && (v.Kind != frontmatter.Null || v.Text != "") {
			continue
		}
		if !c.found.wants() {
			return
		}
		c.found.add(skills.Issue{
			Code: codeCommentCut, Line: n, Field: top.Key,
			Msg:  fmt.Sprintf("YAML takes %q for a comment; it is not part of the value", clip(comment)),
			Hint: "put the value in quotes, or the comment on a line of its own",
		})
		return
	}
}

// cutComment returns the comment that ends a line which holds no quotes around
// its value, and whether a part of a value stands before it. A line that is
// all comment has none.
func cutComment(text string) (comment string, behind bool) {
	for i := 1; i < len(text); i++ {
		if text[i] != '#' || text[i-1] != ' ' && text[i-1] != '\t' {
			continue
		}
		before := strings.TrimSpace(text[:i])
		if before == "" || strings.ContainsAny(before[:1], `"'`) {
			return "", false
		}
		key := strings.HasSuffix(before, ":") || before == "-"
		return strings.TrimRight(text[i:], " \t"), !key
	}
	return "", false
}

// clip shortens a text of unknown length for a message.
func clip(s string) string { return line.Cut(s, 60) }
