package template

import "strings"

// Prefixes are what the names of ${…} variables begin with (04 §3).
type Prefixes []string

// Trim returns name without the longest prefix that it has, or "" if it has
// none.
func (p Prefixes) Trim(name string) string {
	short := ""
	for _, prefix := range p {
		if rest, ok := strings.CutPrefix(name, prefix); ok && (short == "" || len(rest) < len(short)) {
			short = rest
		}
	}
	return short
}

// Expand returns text with the values of its ${…} variables, of which lookup
// says false to leave one as written, and nothing else replaced. Text that comes
// in through them is not looked at again.
func Expand(text string, p Prefixes, lookup func(name string) (string, bool)) string {
	t, err := Parse(text, Options{Variable: func(name string) bool { return p.Trim(name) != "" }, NoSpans: true})
	if err != nil {
		return text
	}
	var b strings.Builder
	for tok := range t.Tokens() {
		value := tok.Text
		if tok.Kind == Variable {
			if v, ok := lookup(tok.Name); ok {
				value = v
			}
		}
		b.WriteString(value)
	}
	return b.String()
}
