package frontmatter

import "strings"

// quotedScalar reads a quoted scalar that nothing but a comment follows.
func (s *flatScanner) quotedScalar(text string, indent int, v *Value) bool {
	quote, text := text[0], text[1:]
	value, rest, closed, ok := s.quoted(quote, text)
	if closed {
		v.Text = value
		s.nextFilled()
		return ok && isTail(rest)
	}
	buf, ok := appendUnescaped(s.doc.buf[:0], quote, strings.TrimRight(text, " \t"))
	for !closed {
		s.nextFilled()
		line := strings.TrimLeft(s.cur, " \t")
		if !ok || line == "" || !s.isFurther(indent) {
			return false
		}
		end, _ := closingQuote(quote, line)
		if closed = end >= 0; closed {
			line, rest = line[:end], line[end+1:]
		} else {
			line = strings.TrimRight(line, " \t")
		}
		buf, ok = appendUnescaped(appendFolded(buf, "", s.blanks), quote, line)
	}
	s.doc.buf = buf
	v.Text = string(buf)
	s.nextFilled()
	return ok && isTail(rest)
}

// quoted reads the rest of a quoted scalar behind its opening quote, if it is
// closed within text. It is not ok if it holds escapes that are not flat.
func (s *flatScanner) quoted(quote byte, text string) (value, rest string, closed, ok bool) {
	end, escapes := closingQuote(quote, text)
	if end < 0 {
		return "", "", false, true
	}
	value, rest = text[:end], text[end+1:]
	if !escapes {
		return value, rest, true, true
	}
	buf, ok := appendUnescaped(s.doc.buf[:0], quote, value)
	s.doc.buf = buf
	return string(buf), rest, true, ok
}

// closingQuote returns the index of the quote that closes a quoted scalar, or
// -1, and whether there are escapes before it.
func closingQuote(quote byte, text string) (end int, escapes bool) {
	for i := 0; i < len(text); i++ {
		switch {
		case text[i] == '\\' && quote == '"':
			escapes = true
			i++
		case text[i] != quote:
		case quote == '\'' && strings.HasPrefix(text[i+1:], "'"):
			escapes = true
			i++
		default:
			return i, escapes
		}
	}
	return -1, escapes
}

// appendUnescaped appends a part of a quoted scalar to buf. Of the escapes of
// double quotes it knows those that people write by hand.
func appendUnescaped(buf []byte, quote byte, text string) ([]byte, bool) {
	for i := 0; i < len(text); i++ {
		c := text[i]
		switch {
		case c == quote: // one of the two that stand for one
			i++
		case c == '\\' && quote == '"':
			i++
			if c = unescape(text[i:]); c == 0 {
				return buf, false
			}
		}
		buf = append(buf, c)
	}
	return buf, true
}

// unescape returns what the escape that text continues stands for, or 0 if it
// is not flat.
func unescape(text string) byte {
	if text == "" {
		return 0
	}
	switch c := text[0]; c {
	case '"', '\\':
		return c
	case 'n':
		return '\n'
	case 't':
		return '\t'
	}
	return 0
}
