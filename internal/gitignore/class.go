package gitignore

import "strings"

// scanClass reads the bracket expression at the start of s and returns whether
// it is negated and how many bytes it takes. Unless add is nil it is called
// for each range, not folded and in no order. It is not ok when the expression
// has no end or names an unknown POSIX class.
func scanClass(s string, m mode, add func(span)) (negated bool, width int, ok bool) {
	c := classScanner{text: s, mode: m, pos: 1, prev: -1, add: add}
	if c.pos < len(s) && (s[c.pos] == '!' || s[c.pos] == '^') {
		negated = true
		c.pos++
	}
	for first := true; c.pos < len(s); first = false {
		if s[c.pos] == ']' && !first {
			return negated, c.pos + 1, true
		}
		if !c.item() {
			break
		}
	}
	return negated, 0, false
}

type classScanner struct {
	text string
	mode mode
	pos  int
	prev rune // what a following `-` starts from, or -1
	add  func(span)
}

// item reads one member: a character, the rest of a range, or a POSIX class.
// It reports false when the expression is malformed.
func (c *classScanner) item() bool {
	rest := c.text[c.pos:]
	switch {
	case strings.HasPrefix(rest, "[:"):
		return c.posix(rest[2:])
	case rest[0] == '-' && c.prev >= 0 && len(rest) > 1 && rest[1] != ']':
		c.pos++
		from := c.prev
		to, ok := c.char()
		c.emit(span{from, to})
		c.prev = -1
		return ok
	default:
		r, ok := c.char()
		c.emit(span{r, r})
		c.prev = r
		return ok
	}
}

// char reads one character, escaped or not.
func (c *classScanner) char() (rune, bool) {
	if c.text[c.pos] == '\\' {
		c.pos++
	}
	if c.pos == len(c.text) {
		return 0, false
	}
	m := c.mode
	if m == folded {
		m = exact // a range is between the characters as written
	}
	r, n := m.decode(c.text[c.pos:])
	c.pos += n
	return r, true
}

// posix reads `[:name:]`, of which rest is what follows the colon. Without the
// closing colon the bracket is an ordinary member.
func (c *classScanner) posix(rest string) bool {
	end := strings.IndexByte(rest, ']')
	if end < 0 {
		return false
	}
	if end == 0 || rest[end-1] != ':' {
		c.pos++
		c.emit(span{'[', '['})
		c.prev = '['
		return true
	}
	ranges := posixRanges(rest[:end-1])
	for i := 0; i < len(ranges); i += 2 {
		c.emit(span{rune(ranges[i]), rune(ranges[i+1])})
	}
	c.pos += end + 3
	c.prev = -1
	return ranges != ""
}

func (c *classScanner) emit(s span) {
	if c.add != nil && s.lo <= s.hi {
		c.add(s)
	}
}

// posixRanges returns the ASCII members of a POSIX class as pairs of first and
// last byte, or "" when there is no such class.
func posixRanges(name string) string {
	switch name {
	case "alnum":
		return "09AZaz"
	case "alpha":
		return "AZaz"
	case "blank":
		return "\t\t  "
	case "cntrl":
		return "\x00\x1f\x7f\x7f"
	case "digit":
		return "09"
	case "graph":
		return "!~"
	case "lower":
		return "az"
	case "print":
		return " ~"
	case "punct":
		return "!/:@[`{~"
	case "space":
		return "\t\r  "
	case "upper":
		return "AZ"
	case "xdigit":
		return "09AFaf"
	default:
		return ""
	}
}
