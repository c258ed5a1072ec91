package lint

import (
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

// body reports what the Markdown below the header does not do, or does and
// hardly should.
func (f *file) body() {
	text := f.text[f.headerEnd():]
	f.tooManyCommands(text)
	f.bareArguments(text, f.programArguments(text))
	f.gluedCommands(text)
}

// tooManyCommands reports a body that every invocation refuses (04 §4).
func (f *file) tooManyCommands(body string) {
	_, err := template.Parse(body, template.Options{})
	var many *template.TooManySpansError
	if !errors.As(err, &many) {
		return
	}
	f.report(skills.Issue{
		Code: codeTooManyCommands, Severity: sevError, Line: f.bodyLine(many.Line),
		Msg: fmt.Sprintf("the text holds more than %d commands, so it cannot be run", many.Max), Hint: "join commands in one fenced block",
	})
}

// bareArguments reports $N in a file that shows no other sign of taking
// arguments: it is mostly an amount, or a field of awk. Those in told are left
// out.
func (f *file) bareArguments(body string, told map[place]bool) {
	if !strings.Contains(body, "$") || f.declaresArguments() {
		return
	}
	t, err := template.Parse(body, template.Options{MaxSpans: -1})
	if err != nil {
		return // not without a limit
	}
	b := bareFinder{file: f, fences: newFences(body)}
	for tok := range t.Tokens() {
		b.token(tok, body)
		for _, inner := range tok.Inner {
			if !told[place{tok.Offset, inner.Offset}] {
				b.token(inner, tok.Command)
			}
		}
	}
	if !b.taken {
		f.reportAll(&b.found)
	}
}

// declaresArguments reports whether the header says that there are arguments.
func (f *file) declaresArguments() bool {
	for _, key := range []string{"arguments", "argumenthint"} {
		if v := f.field(key); v != nil && v.Value.Kind != frontmatter.Null {
			return true
		}
	}
	return false
}

// A bareFinder collects the $N of one body.
type bareFinder struct {
	*file
	fences fences
	found  repeated
	last   int  // line of the last $N
	taken  bool // the body has $ARGUMENTS: whoever wrote it knows about arguments
}

// token looks at one token, whose offset is one in source.
func (b *bareFinder) token(tok template.Token, source string) {
	switch {
	case tok.Kind == template.Arguments, tok.Kind == template.Word && tok.Text[1] == 'A':
		b.taken = true
		return
	case tok.Kind != template.Word:
		return
	}
	if tok.Line == b.last || !b.found.wants() {
		return
	}
	b.last = tok.Line
	why := ""
	switch {
	case looksLikeAmount(source[tok.Offset+len(tok.Text):]):
		why = "; here it looks like an amount"
	case b.fences.contain(tok.Line):
		why = "; in code it looks like a field of awk or a parameter of a shell"
	}
	b.found.add(skills.Issue{
		Code: codeBareArgument, Line: b.bodyLine(tok.Line),
		Msg:  fmt.Sprintf("%s stands for a word of the arguments, counted from 0, but the file declares none%s", clip(tok.Text), why),
		Hint: fmt.Sprintf(`write \%s for the text itself, or declare arguments or argument-hint`, clip(tok.Text)),
	})
}

// looksLikeAmount reports whether $N goes on with decimals, thousands or a
// unit.
func looksLikeAmount(rest string) bool {
	if len(rest) > 1 && (rest[0] == '.' || rest[0] == ',') {
		return '0' <= rest[1] && rest[1] <= '9'
	}
	r, _ := utf8.DecodeRuneInString(rest)
	return unicode.IsLetter(r)
}

// gluedCommands reports exclamation marks that would begin a command if they
// did not stand behind other text. It asks the scanner of bodies what there
// would be with a blank in between, so that the two cannot disagree.
func (f *file) gluedCommands(body string) {
	spaced, marks := unglue(body)
	if len(marks) == 0 {
		return
	}
	t, err := template.Parse(spaced, template.Options{MaxSpans: -1, FenceStrict: true, NoPlaceholders: true})
	if err != nil {
		return // not without a limit
	}
	var found repeated
	for _, span := range t.Spans() {
		if _, glued := slices.BinarySearch(marks, span.Offset); span.Fenced || !glued || !found.wants() {
			continue
		}
		found.add(skills.Issue{
			Code: codeGluedCommand, Line: f.bodyLine(span.Line),
			Msg:  fmt.Sprintf("%s looks like a command but is text, since there is no blank before the !", clip(span.Text)),
			Hint: "put a blank before the ! to run it, or one behind it to make plain that it is text",
		})
	}
	f.reportAll(&found)
}

// unglue returns body with a blank before each "!`" that stands behind other
// text, and where these exclamation marks are in the result. A mark behind a
// backslash or another mark is text on purpose.
func unglue(body string) (spaced string, marks []int) {
	var b strings.Builder
	done := 0
	for pos := 0; ; {
		i := strings.Index(body[pos:], "!`")
		if i < 0 {
			break
		}
		i += pos
		pos = i + len("!`")
		if i == 0 || strings.IndexByte(" \t\n\v\f\r\\!", body[i-1]) >= 0 {
			continue
		}
		b.WriteString(body[done:i])
		b.WriteByte(' ')
		marks = append(marks, b.Len())
		done = i
	}
	if done == 0 {
		return body, nil
	}
	b.WriteString(body[done:])
	return b.String(), marks
}

// fences knows which lines of a body, counted from 1, are in fenced code.
type fences []bool

func newFences(body string) fences {
	list := fences{false}
	open := ""
	for text := range strings.SplitSeq(body, "\n") {
		mark := fenceMark(strings.TrimLeft(text, " \t>"))
		switch {
		case open == "":
			open = mark
			list = append(list, false)
		case strings.HasPrefix(mark, open) && strings.Trim(text, " \t>"+open[:1]) == "":
			open = ""
			list = append(list, false)
		default:
			list = append(list, true)
		}
	}
	return list
}

// fenceMark returns the three or more backquotes or tildes that text begins
// with, or "".
func fenceMark(text string) string {
	if text == "" || text[0] != '`' && text[0] != '~' {
		return ""
	}
	mark := text[:len(text)-len(strings.TrimLeft(text, text[:1]))]
	if len(mark) < 3 {
		return ""
	}
	return mark
}

// contain reports whether line n is in fenced code.
func (f fences) contain(n int) bool { return n < len(f) && f[n] }
