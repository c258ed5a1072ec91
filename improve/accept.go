package improve

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/seed-12b313d8/skills"
	"github.com/seed-12b313d8/skills/internal/frontmatter"
	"github.com/seed-12b313d8/skills/internal/template"
)

// accept makes the new document of a model's reply, or says why it is not
// accepted (06 §5).
func (f *file) accept(old *document, fr frame, reply string, approved *SpanChange) (*document, error) {
	core, err := newCore(old, fr, reply)
	if err == nil {
		err = plausible(old.core, core)
	}
	var now *document
	if err == nil {
		now, err = old.with(core)
	}
	if err != nil {
		return nil, failure(skills.CodePrompt, f.skill, "the model's new text was not accepted", "nothing was written; apply again, or edit the file by hand", err)
	}
	if int64(len(now.raw)) > f.limit {
		return nil, failure(skills.CodePrompt, f.skill, fmt.Sprintf("the new file would have %d bytes, more than %d", len(now.raw), f.limit),
			"move text into files beside it", nil)
	}
	if n := len(spans(now.body, template.Options{})); n > template.DefaultMaxSpans && n > len(spans(old.body, template.Options{})) {
		return nil, failure(skills.CodePrompt, f.skill, fmt.Sprintf("the new text would have %d shell commands, more than %d", n, template.DefaultMaxSpans),
			"approve of fewer", nil)
	}
	if c := spanChange(old.body, now.body); c != nil && !c.equal(approved) {
		return nil, failure(skills.CodeNeedsPermission, f.skill, "the new text changes which shell commands the skill runs",
			"show them to somebody; if they approve, set Proposal.Spans to the cause of this error", c)
	}
	return now, nil
}

// newCore returns the body in a reply. A model that repeats the frontmatter,
// or puts the text into a code fence, is understood.
func newCore(old *document, fr frame, reply string) (string, error) {
	if !utf8.ValidString(reply) || strings.ContainsRune(reply, 0) {
		return "", errors.New("it is not valid UTF-8 text")
	}
	reply = strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(reply)
	text, ok := fr.take(reply, answerLabel)
	if !ok {
		return "", errors.New("it lacks the lines that show where it starts and ends; it may be cut off")
	}
	_, text, _ = trim(text)
	if text, ok = unwrapped(old.core, text); !ok {
		return "", errors.New("it is a code fence, and not one around the old text")
	}
	if !opensFront(text) || opensFront(old.core) {
		return text, nil
	}
	front := strings.TrimSpace(old.front)
	rest, ok := strings.CutPrefix(text, front)
	if front == "" || !ok || rest != "" && rest[0] != '\n' {
		return "", errors.New("it has another frontmatter")
	}
	_, text, _ = trim(rest)
	return text, nil
}

// opensFront reports whether the first line looks like that of a frontmatter.
func opensFront(text string) bool {
	rest, ok := strings.CutPrefix(firstLine(text), "---")
	return ok && strings.TrimSpace(rest) == ""
}

// unwrapped returns text without a fence that the model has put around it. It
// is false if that cannot be told from one that belongs to the text.
func unwrapped(old, text string) (string, bool) {
	inner, fenced := unfence(text)
	if _, was := unfence(old); !fenced || was {
		return text, true
	}
	_, inner, _ = trim(inner)
	return inner, opensFront(inner) || firstLine(inner) == firstLine(old)
}

func firstLine(text string) string {
	line, _, _ := strings.Cut(text, "\n")
	return line
}

// unfence returns what is in text if all of it is one fence for Markdown.
func unfence(text string) (string, bool) {
	first, rest, ok := strings.Cut(text, "\n")
	n := len(first) - len(strings.TrimLeft(first, "`"))
	if info := strings.TrimSpace(first[n:]); !ok || n < 3 || info != "markdown" && info != "md" {
		return "", false
	}
	return strings.CutSuffix(rest, "\n"+first[:n])
}

// plausible returns an error if a body cannot be a careful rewriting of
// another.
func plausible(old, now string) error {
	n, was := utf8.RuneCountInString(now), utf8.RuneCountInString(old)
	switch {
	case n == 0:
		return errors.New("it is empty")
	case 2*n < was:
		return fmt.Errorf("it has %d characters, less than half of the %d there are", n, was)
	case now == old:
		return errors.New("it is the same text as before")
	}
	for _, r := range now {
		if hidden(r) && !strings.ContainsRune(old, r) {
			return fmt.Errorf("it holds the control or invisible character %U", r)
		}
	}
	return nil
}

// hidden reports whether people do not see r. Joiners shape letters and emoji.
func hidden(r rune) bool {
	switch r {
	case '\n', '\t', '\u200C', '\u200D':
		return false
	}
	return unicode.In(r, unicode.Cc, unicode.Cf, unicode.Zl, unicode.Zp, unicode.Co)
}

// with returns d with another body. It reads the result as a loader would, and
// fails unless that has the same frontmatter.
func (d *document) with(core string) (*document, error) {
	now, why := parseDocument(d.replaced(core))
	switch {
	case why != "":
		return nil, errors.New("with it " + why)
	case now.state != d.state || !sameFront(d, now):
		return nil, errors.New("with it the file has another frontmatter")
	case now.core != core:
		return nil, errors.New("with it the file has another text")
	}
	return now, nil
}

// sameFront reports whether the heads are the same bytes. A head that ended
// with the file had no line end.
func sameFront(d, now *document) bool {
	rest, ok := bytes.CutPrefix(now.head, d.head)
	return ok && (len(rest) == 0 || d.state != frontmatter.None && d.core == "" && len(bytes.Trim(rest, "\r\n")) == 0)
}

// readings are the ways in which an Invoker may look for commands. A command
// must be the same in all of them.
func readings() []template.Options {
	return []template.Options{{}, {FenceBlind: true}, {FenceStrict: true}}
}

// spans returns the commands of a body, sorted.
func spans(body string, o template.Options) []string {
	o.MaxSpans, o.NoPlaceholders = -1, true
	t, err := template.Parse(body, o)
	if err != nil {
		return nil // there is no such error without a limit
	}
	var out []string
	for _, s := range t.Spans() {
		out = append(out, s.Command)
	}
	slices.Sort(out)
	return out
}

// spanChange returns how the commands differ in any reading, nil if they do
// not.
func spanChange(old, now string) *SpanChange {
	c := new(SpanChange)
	for _, o := range readings() {
		was, is := spans(old, o), spans(now, o)
		c.Added = atLeast(c.Added, without(is, was))
		c.Removed = atLeast(c.Removed, without(was, is))
	}
	if len(c.Added)+len(c.Removed) == 0 {
		return nil
	}
	return c
}

// without returns the elements of a that b does not have, counting each. Both
// are sorted, and so is the result.
func without(a, b []string) []string {
	var out []string
	for _, s := range a {
		for len(b) > 0 && b[0] < s {
			b = b[1:]
		}
		if len(b) > 0 && b[0] == s {
			b = b[1:]
		} else {
			out = append(out, s)
		}
	}
	return out
}

// atLeast returns the elements of a, and those of b that it lacks.
func atLeast(a, b []string) []string {
	out := slices.Concat(a, without(b, a))
	slices.Sort(out)
	return out
}

func (c *SpanChange) equal(o *SpanChange) bool {
	return o != nil && slices.Equal(c.Added, slices.Sorted(slices.Values(o.Added))) &&
		slices.Equal(c.Removed, slices.Sorted(slices.Values(o.Removed)))
}

// maxNamed is how many commands the text of a SpanChange quotes.
const maxNamed = 5

// Error says which commands come and go.
func (c *SpanChange) Error() string {
	var parts []string
	for _, l := range []struct {
		what string
		list []string
	}{{"added", c.Added}, {"removed", c.Removed}} {
		for n, s := range l.list {
			if n == maxNamed {
				parts = append(parts, fmt.Sprintf("%d more %s", len(l.list)-n, l.what))
				break
			}
			parts = append(parts, fmt.Sprintf("%s: %q", l.what, s))
		}
	}
	return strings.Join(parts, ", ")
}
