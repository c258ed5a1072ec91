package shellspan

import (
	"strings"
)

// A class is a set of values that cannot be code in some place.
type class uint8

const (
	anything   class = iota
	lines            // no restriction but that of the place
	spaced           // safe words with blanks between them
	safe             // a safe word
	plain            // for arithmetic with variables
	names            // plain, without protected names
	identifier       // letters, digits, underscores
	name             // an identifier that is no protected name
	integer
)

// describe says what values of c look like.
func (c class) describe() string {
	switch c {
	case spaced:
		return "words of letters, digits and _./:@%+=,-"
	case safe:
		return "one word of letters, digits and _./:@%+=,-"
	case plain, names:
		return "letters, digits, blanks and _./:@%+,-"
	case identifier, name:
		return "letters, digits and underscores"
	case integer:
		return "a whole number"
	}
	return "any text"
}

// holds reports whether value is of c.
func (c class) holds(value string) bool {
	switch c {
	case spaced:
		return onlyOf(value, isSafe, " \t")
	case safe:
		return value != "" && onlyOf(value, isSafe, "")
	case plain:
		return onlyOf(value, isPlain, " \t\n")
	case names:
		return onlyOf(value, isPlain, " \t\n") && !mentionsProtected(value)
	case identifier:
		return value != "" && onlyOf(value, isWord, "")
	case name:
		return value != "" && onlyOf(value, isWord, "") && !isProtected(value)
	case integer:
		return isInteger(value)
	}
	return true
}

// holdsSpan is holds for a value that some other place of the span evaluates:
// nothing at all, and several words, are then as good as one.
func (c class) holdsSpan(value string) bool {
	switch c {
	case integer, identifier, name, safe:
		for _, f := range strings.Fields(value) {
			if !c.holds(f) {
				return false
			}
		}
		return true
	}
	return c.holds(value)
}

func isInteger(s string) bool {
	digits := strings.TrimLeft(s, "+-")
	if len(s)-len(digits) > 1 || digits == "" || len(digits) > 18 {
		return false
	}
	return strings.Trim(digits, "0123456789") == ""
}

func onlyOf(s string, in func(byte) bool, also string) bool {
	for i := range len(s) {
		if !in(s[i]) && strings.IndexByte(also, s[i]) < 0 {
			return false
		}
	}
	return true
}

func isWord(c byte) bool {
	return c == '_' || '0' <= c && c <= '9' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
}

func isPlain(c byte) bool { return isWord(c) || strings.IndexByte("./:@%+,-", c) >= 0 }

func isSafe(c byte) bool { return isPlain(c) || c == '=' }

// mentionsProtected reports whether a word of value is a protected name.
func mentionsProtected(value string) bool {
	for f := range strings.FieldsFuncSeq(value, func(r rune) bool { return r >= 0x80 || !isWord(byte(r)) }) {
		if isProtected(f) {
			return true
		}
	}
	return false
}
