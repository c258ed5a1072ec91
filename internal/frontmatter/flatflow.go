package frontmatter

import "strings"

// flowList reads a list of scalars in brackets that ends on its line.
func (s *flatScanner) flowList(text string, v *Value) bool {
	d := s.doc
	from := len(d.items)
	v.Kind, v.Flow = List, true
	rest := strings.TrimLeft(text[1:], " ")
	for more := !strings.HasPrefix(rest, "]"); more; {
		item := Value{Line: s.line}
		ok := false
		if rest, ok = s.flowItem(rest, &item); !ok {
			return false
		}
		d.items = append(d.items, item)
		rest = strings.TrimLeft(rest, " ")
		if rest == "" || rest[0] != ',' && rest[0] != ']' {
			return false
		}
		if more = rest[0] == ','; more {
			rest = strings.TrimLeft(rest[1:], " ")
		}
	}
	v.Items = d.items[from:len(d.items):len(d.items)]
	s.nextFilled()
	return isTail(rest[1:])
}

// flowItem reads the scalar that text starts with.
func (s *flatScanner) flowItem(text string, v *Value) (rest string, ok bool) {
	v.Kind = Scalar
	if text == "" {
		return "", false
	}
	if isQuote(text[0]) {
		v.Quoted = true
		closed := false
		v.Text, rest, closed, ok = s.quoted(text[0], text[1:])
		return rest, ok && closed
	}
	end := strings.IndexAny(text, ",]")
	if end <= 0 || !isFlowPlain(strings.TrimRight(text[:end], " ")) {
		return "", false
	}
	v.Text = strings.TrimRight(text[:end], " ")
	if isNull(v.Text) {
		v.Kind = Null
	}
	return text[end:], true
}

// isFlowPlain reports whether item, which is not empty, is a plain scalar
// within brackets and nothing else.
func isFlowPlain(item string) bool {
	if !startsPlain(item) || strings.ContainsAny(item, "?[]{}\t") {
		return false
	}
	return !strings.Contains(item, " #") && !strings.Contains(item, ": ") && !strings.HasSuffix(item, ":")
}
