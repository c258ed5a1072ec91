package osshell

import "unicode/utf8"

// A cleaner turns what a command prints into text, piece by piece (04 §4):
//
//   - escape sequences (ECMA-48, also in their one-character form) and NUL go;
//   - "\r\n" is a line end; so is a lone "\r", which would let a progress bar
//     overwrite itself, unless it stands at the start of a line or at the end;
//   - a run of bytes that are not UTF-8 is one U+FFFD.
//
// Everything else stays. A string sequence, such as a window title, ends with
// its line at the latest, so that a stray start of one hides no more.
type cleaner struct {
	emit func(text []byte, characters int) // gets the text in order; may not keep it

	state   state
	pending []byte // the start of a character
	scratch [utf8.UTFMax]byte
	cr      bool // a "\r" waits for what follows
	inLine  bool // something was emitted since the last line end
	invalid bool // the last character was U+FFFD for bytes that were none
}

// A state is where in an escape sequence a cleaner is.
type state uint8

const (
	ground       state = iota // in none
	escape                    // after ESC
	intermediate              // in a sequence like ESC ( B
	control                   // in a sequence like ESC [ 1 m
	str                       // in a string, which ends with ST or BEL
	strEscape                 // in a string after ESC
)

func (c *cleaner) write(p []byte) {
	for len(c.pending) > 0 && len(p) > 0 {
		c.pending = append(c.pending, p[0])
		p = p[1:]
		c.pending = c.pending[:copy(c.pending, c.whole(c.pending))]
	}
	c.pending = append(c.pending, c.whole(p)...)
}

// close takes the character that never became whole.
func (c *cleaner) close() {
	for range c.pending {
		c.step(utf8.RuneError, 1)
	}
	c.pending = nil
}

// whole handles all whole characters of p and returns the rest.
func (c *cleaner) whole(p []byte) []byte {
	for len(p) > 0 {
		if n := c.plain(p); n > 0 {
			c.put(p[:n], n)
			p = p[n:]
			continue
		}
		if !utf8.FullRune(p) {
			return p
		}
		r, size := utf8.DecodeRune(p)
		c.step(r, size)
		p = p[size:]
	}
	return nil
}

// plain returns how many bytes at the start of p are ASCII that stays.
func (c *cleaner) plain(p []byte) int {
	if c.state != ground || c.cr {
		return 0
	}
	for i, b := range p {
		if b < ' ' && b != '\n' && b != '\t' || b >= utf8.RuneSelf {
			return i
		}
	}
	return len(p)
}

// step handles one character in any state.
func (c *cleaner) step(r rune, size int) {
	switch {
	case r == 0:
	case c.state == ground:
		c.ground(r, size)
	default:
		next, swallowed := c.state.next(r)
		c.state = next
		if !swallowed {
			c.step(r, size)
		}
	}
}

func (c *cleaner) ground(r rune, size int) {
	switch {
	case r == 0x1b:
		c.state = escape
		return
	case r == '\r':
		c.cr = true
		return
	case 0x80 <= r && r <= 0x9f && r != 0x85:
		c.state = escape.after(r - 0x40)
		return
	}
	if c.cr && c.inLine && r != '\n' {
		c.put([]byte{'\n'}, 1)
	}
	c.cr = false
	if r == utf8.RuneError && size == 1 {
		if !c.invalid {
			c.put(utf8.AppendRune(c.scratch[:0], r), 1)
		}
		c.invalid = true
		return
	}
	c.put(utf8.AppendRune(c.scratch[:0], r), 1)
}

func (c *cleaner) put(text []byte, characters int) {
	c.invalid = false
	c.inLine = text[len(text)-1] != '\n'
	c.emit(text, characters)
}

// next returns the state after r in an escape sequence, and whether r belongs
// to the sequence.
func (s state) next(r rune) (state, bool) {
	switch s {
	case escape:
		if r < ' ' || r > '~' {
			return ground, false
		}
		return s.after(r), true
	case intermediate, control:
		first := ' '
		last := '/'
		if s == control {
			last = '?'
		}
		if first <= r && r <= last {
			return s, true
		}
		return ground, last < r && r <= '~'
	case strEscape:
		if r == '\\' {
			return ground, true
		}
		return escape, false
	}
	switch r {
	case 0x1b:
		return strEscape, true
	case 0x07, 0x18, 0x1a, 0x9c: // BEL, CAN, SUB, ST
		return ground, true
	case '\n', '\r':
		return ground, false
	}
	return str, true
}

// after returns the state after ESC and r.
func (s state) after(r rune) state {
	switch {
	case r == '[':
		return control
	case r == ']' || r == 'P' || r == 'X' || r == '^' || r == '_':
		return str
	case ' ' <= r && r <= '/':
		return intermediate
	}
	return ground
}
