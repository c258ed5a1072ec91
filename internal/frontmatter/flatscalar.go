package frontmatter

import (
	"strings"
	"unicode/utf8"
)

// allText reports whether every character of s stands for itself: no control
// characters, and none that YAML takes for a line break or a mark.
func allText(s string) bool {
	for i := 0; i < len(s); i++ {
		c := s[i]
		switch {
		case c >= ' ' && c < 0x7F || c == '\n' || c == '\t':
		case c < utf8.RuneSelf:
			return false
		default:
			r, size := utf8.DecodeRuneInString(s[i:])
			if !isPlainRune(r, size) {
				return false
			}
			i += size - 1
		}
	}
	return true
}

// isPlainRune reports whether r, a character beyond ASCII of the given encoded
// size, is ordinary text.
func isPlainRune(r rune, size int) bool {
	switch {
	case r == utf8.RuneError:
		return size > 1
	case r == '\u2028', r == '\u2029', r == '\uFEFF', r == '\uFFFE', r == '\uFFFF':
		return false
	}
	return r >= '\u00A0'
}

// scalar reads the plain or quoted scalar that text, the rest of the current
// line, starts. It goes on over the lines below that are further in than
// column indent.
func (s *flatScanner) scalar(text string, indent int, v *Value) bool {
	if text == "" {
		return false
	}
	v.Kind = Scalar
	if isQuote(text[0]) {
		v.Quoted = true
		return s.quotedScalar(text, indent, v)
	}
	if !startsPlain(text) || !s.plainScalar(text, indent, v) {
		return false
	}
	if isNull(v.Text) {
		v.Kind = Null
	}
	return true
}

// plainScalar reads a plain scalar.
func (s *flatScanner) plainScalar(text string, indent int, v *Value) bool {
	part, ok := plainPart(text)
	if !ok {
		return false
	}
	s.nextFilled()
	if !s.isFurther(indent) {
		v.Text = part
		return true
	}
	buf := append(s.doc.buf[:0], part...)
	for s.isFurther(indent) {
		// What follows a comment is no part of the scalar, nor is a comment.
		if len(part) < len(text) && !isBlank(text[len(part):]) {
			return false
		}
		text = s.cur[indentation(s.cur):]
		if part, ok = plainPart(text); !ok || text[0] == '#' || text[0] == '\t' {
			return false
		}
		buf = appendFolded(buf, part, s.blanks)
		s.nextFilled()
	}
	s.doc.buf = buf
	v.Text = string(buf)
	return true
}

// plainPart returns what a line of a plain scalar adds to it: text without a
// trailing comment.
func plainPart(text string) (string, bool) {
	text = cutComment(text)
	if colon(text) >= 0 {
		return "", false
	}
	return strings.TrimRight(text, " \t"), true
}

// appendFolded appends the next line of a scalar to buf, given the number of
// blank lines before it.
func appendFolded(buf []byte, line string, blanks int) []byte {
	if blanks == 0 {
		buf = append(buf, ' ')
	}
	for range blanks {
		buf = append(buf, '\n')
	}
	return append(buf, line...)
}

// startsPlain reports whether text starts like a plain scalar and like nothing
// else.
func startsPlain(text string) bool {
	switch text[0] {
	case '?', ':', ',', '[', ']', '{', '}', '#', '&', '*', '!', '|', '>', '%', '@', '`', ' ', '\t':
		return false
	case '-':
		return len(text) > 1 && !isSpace(text[1])
	}
	return true
}

// cutComment removes what YAML takes for a comment: a # behind a blank.
func cutComment(text string) string {
	for i := 1; i < len(text); i++ {
		j := strings.IndexByte(text[i:], '#')
		if j < 0 {
			break
		}
		i += j
		if isSpace(text[i-1]) {
			return text[:i]
		}
	}
	return text
}

// isTail reports whether nothing follows a scalar or list but blanks or a
// comment.
func isTail(text string) bool {
	rest := strings.TrimLeft(text, " ")
	return rest == "" || len(rest) < len(text) && rest[0] == '#'
}

// isNull reports whether a plain scalar is YAML's null.
func isNull(text string) bool {
	switch text {
	case "", "~", "null", "Null", "NULL":
		return true
	}
	return false
}

func isQuote(c byte) bool { return c == '"' || c == '\'' }

func isSpace(c byte) bool { return c == ' ' || c == '\t' }
