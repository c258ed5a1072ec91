package main

import (
	"bytes"
	"io"
	"strings"
	"unicode"
)

// printable shows text from skill files without letting it control the
// terminal: control characters other than newline and tab become "?".
type printable struct{ w io.Writer }

// Write implements [io.Writer].
func (p printable) Write(b []byte) (int, error) {
	clean := bytes.Map(func(r rune) rune {
		if unicode.IsControl(r) && r != '\n' && r != '\t' {
			return '?'
		}
		return r
	}, b)
	if _, err := p.w.Write(clean); err != nil {
		return 0, err
	}
	return len(b), nil
}

// oneLine is text that can neither begin a line of its own where each line
// counts, nor turn the direction of what stands beside it: file names may hold
// such characters.
func oneLine(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) || unicode.In(r, unicode.Bidi_Control, unicode.Zl, unicode.Zp) {
			return '?'
		}
		return r
	}, text)
}
