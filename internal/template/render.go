package template

import "strings"

// Values are what a template's placeholders stand for in one rendering. The
// zero value leaves everything as written, but for $ARGUMENTS, declared names
// and backslashes.
type Values struct {
	Args  string   // the argument text as given
	Words []string // the words of Args

	// Lookup returns the value of a variable, and false to leave ${name} as
	// written. It may be called more than once for a name and must give the
	// same answer. If nil, all stay.
	Lookup func(name string) (value string, ok bool)

	// Span returns the text that replaces the i-th span, counted from 0. It
	// is called once for each, from left to right. If nil, spans stay.
	Span func(i int, t Token) string
}

// Value returns the text of t, which must not be a span, and whether it is a
// value: false for literal text, escaped placeholders, and those that stay as
// written because there is no such word or variable (04 §3).
func (v Values) Value(t Token) (text string, ok bool) {
	return v.value(t.Kind, t.Text, t.Index)
}

func (v *Values) value(kind Kind, text string, index int) (value string, ok bool) {
	switch kind {
	case Escaped:
		return text[len(`\`):], false
	case Arguments:
		return v.Args, true
	case Word, Named:
		if index < len(v.Words) {
			return v.Words[index], true
		}
		if kind == Named {
			return "", true
		}
	case Variable:
		if v.Lookup != nil {
			if value, ok := v.Lookup(variableName(text)); ok {
				return value, true
			}
		}
	}
	return text, false
}

// Splice returns the command of the span t with the bare values in it, which
// a shell then reads as code, and whether a placeholder for arguments was
// replaced.
func (v Values) Splice(t Token) (command string, replaced bool) {
	var b strings.Builder
	end := 0
	for _, in := range t.Inner {
		text, ok := v.Value(in)
		b.WriteString(t.Command[end:in.Offset])
		b.WriteString(text)
		end = in.Offset + len(in.Text)
		replaced = replaced || ok && in.Kind.Argument()
	}
	b.WriteString(t.Command[end:])
	return b.String(), replaced
}

// Size returns how many bytes Render makes, spans not counted. A short body
// can ask for long arguments many times; look here before rendering it.
func (t *Template) Size(v Values) int64 {
	var n int64
	for i, p := range t.pieces {
		if p.kind != Span {
			text, _ := v.value(p.kind, textOf(t.body, t.pieces, i), p.index)
			n += int64(len(text))
		}
	}
	return n
}

// Render returns the body with values in the places of its placeholders and
// spans, and whether a placeholder for arguments outside spans was replaced.
// What v holds is not read for placeholders or spans (04 §2). A body with
// neither placeholders nor spans is returned itself, not copied.
func (t *Template) Render(v Values) (text string, replaced bool) {
	if t.literal() {
		return t.body, false
	}
	var b strings.Builder
	b.Grow(int(t.Size(v)))
	for i, p := range t.pieces {
		if p.kind == Span && v.Span != nil {
			b.WriteString(v.Span(p.index, t.spans[p.index]))
			continue
		}
		text, ok := v.value(p.kind, textOf(t.body, t.pieces, i), p.index)
		b.WriteString(text)
		replaced = replaced || ok && p.kind.Argument()
	}
	return b.String(), replaced
}

// literal reports whether t is text and nothing else.
func (t *Template) literal() bool {
	return len(t.pieces) == 0 || len(t.pieces) == 1 && t.pieces[0].kind == Literal
}
