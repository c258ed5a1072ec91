package frontmatter

import (
	"bytes"
	"unicode/utf8"
)

// Defects says what Decode had to repair and where it saw it first. Lines are
// 1-based; 0 means that the defect did not occur. Byte order marks and line
// ends are conventions, not defects, and are not reported.
type Defects struct {
	NUL  int // line of the first NUL byte
	UTF8 int // line of the first byte that is not part of valid UTF-8
}

const (
	byteOrderMark = "\uFEFF"
	replacement   = "\uFFFD" // stands for every byte that could not be kept
)

// Decode turns the bytes of a file into text (01 R3): it drops one leading
// byte order mark, turns CRLF and CR into LF, and replaces NUL and each byte
// of invalid UTF-8 by U+FFFD.
//
// With final false, b is the beginning of a longer file: a character that is
// cut off at the very end is left out rather than called invalid. The result
// is then a prefix of what the whole file decodes to.
//
// Decode never changes b. It returns a part of b itself when nothing had to be
// replaced.
func Decode(b []byte, final bool) (text []byte, d Defects) {
	if !final {
		b = b[:len(b)-partial(b)]
	}
	b = bytes.TrimPrefix(b, []byte(byteOrderMark))
	clean := cleanPrefix(b)
	if clean == len(b) {
		return b, d
	}
	text = make([]byte, clean, len(b)+64)
	copy(text, b)
	return decodeRest(text, b[clean:])
}

// cleanPrefix returns how many bytes of b can be kept as they are. Three
// searches at memory speed beat one careful loop, and most files end here.
func cleanPrefix(b []byte) int {
	n := len(b)
	if i := bytes.IndexByte(b, '\r'); i >= 0 {
		n = i
	}
	if i := bytes.IndexByte(b[:n], 0); i >= 0 {
		n = i
	}
	if utf8.Valid(b[:n]) {
		return n
	}
	for i := 0; ; {
		r, size := utf8.DecodeRune(b[i:n])
		if r == utf8.RuneError && size <= 1 {
			return i
		}
		i += size
	}
}

// decodeRest appends the decoded form of b to text.
func decodeRest(text, b []byte) ([]byte, Defects) {
	var d Defects
	line := 1 + bytes.Count(text, []byte{'\n'})
	for i := 0; i < len(b); {
		c := b[i]
		switch {
		case c == '\n' || c == '\r':
			text = append(text, '\n')
			line++
			i++
			if c == '\r' && i < len(b) && b[i] == '\n' {
				i++
			}
		case c == 0:
			first(&d.NUL, line)
			text = append(text, replacement...)
			i++
		case c < utf8.RuneSelf:
			text = append(text, c)
			i++
		default:
			r, size := utf8.DecodeRune(b[i:])
			if r == utf8.RuneError && size == 1 {
				first(&d.UTF8, line)
			}
			text = utf8.AppendRune(text, r)
			i += size
		}
	}
	return text, d
}

// first sets *at to line unless an earlier line is already there.
func first(at *int, line int) {
	if *at == 0 {
		*at = line
	}
}

// partial returns the length of a character whose last bytes are missing at
// the end of b, or 0.
func partial(b []byte) int {
	for n := 1; n < utf8.UTFMax && n <= len(b); n++ {
		tail := b[len(b)-n:]
		if !utf8.RuneStart(tail[0]) {
			continue
		}
		if utf8.FullRune(tail) {
			return 0
		}
		return n
	}
	return 0
}
