package line

import (
	"encoding/binary"
	"unicode"
	"unicode/utf8"
)

// Options say what [Clean] escapes. The zero value escapes nothing.
type Options struct {
	// Reserved holds names of tags that a text may neither open nor close,
	// such as "system-reminder". A longer name that begins with one of them
	// counts too.
	Reserved []string

	// EscapeAngles escapes every < and >: for text from MCP servers and
	// remote catalogues.
	EscapeAngles bool
}

// Clean returns s as one line that is safe to print in a listing (02 §1):
//
//   - White space, line breaks and control characters fold to one blank;
//     there is none at either end.
//   - Bidi, tag and invisible characters are removed. A single ZWNJ or ZWJ
//     stays between visible characters, a single VS16 stays after one; both
//     together, as in a rainbow flag, are honest.
//   - An invalid byte becomes U+FFFD.
//   - The < of a reserved tag becomes &lt; in opening and closing tags,
//     whatever the case of the name and whatever blanks or invisible
//     characters stand between its characters. With EscapeAngles every < and
//     > is escaped.
//
// Clean is idempotent. A clean s is returned as it is, without allocation.
func Clean(s string, o Options) string {
	e := editor{src: s}
	for pos := 0; ; {
		pos = skipPlain(s, pos)
		end, sep := gap(s, pos)
		if end == len(s) {
			return e.text(pos)
		}
		e.replace(pos, end, sep)
		r, n := utf8.DecodeRuneInString(s[end:])
		pos = end + n
		if esc := o.escape(r, n, s[pos:]); esc != "" {
			e.replace(end, pos, esc)
		}
		pos += selectorLen(s[pos:])
	}
}

// Hidden returns the first bidi, tag or invisible character of s that [Clean]
// removes, and its offset in bytes. Joiners that Clean keeps are no finding,
// nor are blanks and control characters.
func Hidden(s string) (r rune, offset int, found bool) {
	for pos := 0; pos < len(s); {
		pos = skipPlain(s, pos)
		end, sep := gap(s, pos)
		if r, i := firstRemoved(s[pos:end], sep); i >= 0 {
			return r, pos + i, true
		}
		_, n := utf8.DecodeRuneInString(s[end:])
		pos = end + n
		pos += selectorLen(s[pos:])
	}
	return 0, 0, false
}

// skipPlain returns the end of the text from pos on that is clean under all
// Options: visible characters without angles, with single blanks between them.
// What ends there is visible, or pos is unchanged.
func skipPlain(s string, pos int) int {
	end := plainEnd(s, pos)
	if end > pos {
		end += selectorLen(s[end:])
	}
	return end
}

func plainEnd(s string, pos int) int {
	i := pos
	for i < len(s) {
		if n := plainWords(s, pos, i); n > i {
			i = n
			continue
		}
		if b := s[i]; b > ' ' && b <= '~' && b&^2 != '<' { // '<' and '>' differ in that bit
			i++
		} else if b == ' ' && i > pos && s[i-1] != ' ' {
			i++
		} else if n := wideLen(s[i:]); n > 0 {
			i += n
		} else {
			break
		}
	}
	if i > pos && s[i-1] == ' ' {
		return i - 1 // a blank with nothing plain behind it
	}
	return i
}

// plainWords goes on from i as long as the next eight bytes are plain ASCII,
// all at once: this is where a listing spends its time. It decides nothing that
// the loop over single bytes would decide otherwise.
func plainWords(s string, pos, i int) int {
	const (
		ones = 0x0101010101010101
		high = 0x80 * ones
	)
	zero := func(x uint64) uint64 { return ^(x + 0x7F*ones) & high } // marks the zero bytes of ASCII
	blank := i == pos || s[i-1] == ' '
	for ; len(s)-i >= 8; i += 8 {
		w := binary.LittleEndian.Uint64([]byte(s[i : i+8]))
		if w&high != 0 {
			break
		}
		blanks := zero(w ^ ' '*ones)
		before := blanks << 8
		if blank {
			before |= 0x80
		}
		control := ^(w + 0x60*ones) & high
		angle := zero((w | 2*ones) ^ '>'*ones)
		if control|angle|zero(w^0x7F*ones)|blanks&before != 0 {
			break
		}
		blank = blanks>>63 != 0
	}
	return i
}

// wideLen returns the bytes of the visible character beyond ASCII that s
// begins with, if any.
func wideLen(s string) int {
	if s[0] < utf8.RuneSelf {
		return 0
	}
	r, n := utf8.DecodeRuneInString(s)
	if n == 1 || classify(r) != visible {
		return 0
	}
	return n
}

// gap finds the characters from pos on that are not visible. They end at end
// and become sep: "" at pos 0, where nothing visible precedes them, and at the
// end of s.
func gap(s string, pos int) (end int, sep string) {
	for end = pos; end < len(s); {
		r, n := utf8.DecodeRuneInString(s[end:])
		switch c := classify(r); {
		case c == visible && pos == 0:
			return end, ""
		case c == visible:
			return end, sep
		case c == blank:
			sep = " "
		case c == joiner && sep == "":
			sep = s[end : end+n]
		}
		end += n
	}
	return end, ""
}

// firstRemoved returns the first invisible character of a gap that becomes
// sep, and its offset; a negative offset when there is none.
func firstRemoved(gap, sep string) (rune, int) {
	for i, r := range gap {
		switch c := classify(r); {
		case c == blank:
		case c == joiner && string(r) == sep:
			sep = "" // the one that stays
		default:
			return r, i
		}
	}
	return 0, -1
}

// selectorLen returns the bytes of the VS16 at the start of s, if any.
func selectorLen(s string) int {
	if r, n := utf8.DecodeRuneInString(s); r == vs16 {
		return n
	}
	return 0
}

// escape returns what to print for the visible character r of n bytes that is
// followed by rest; "" for the character itself.
func (o *Options) escape(r rune, n int, rest string) string {
	switch {
	case r == utf8.RuneError && n == 1:
		return "\uFFFD"
	case r == '<' && (o.EscapeAngles || o.isReserved(rest)):
		return "&lt;"
	case r == '>' && o.EscapeAngles:
		return "&gt;"
	}
	return ""
}

// isReserved reports whether s, the text after a <, begins with a reserved
// name, perhaps after a slash.
func (o *Options) isReserved(s string) bool {
	for _, name := range o.Reserved {
		if name != "" && hasName(s, name) {
			return true
		}
	}
	return false
}

// hasName reports whether s begins with name, looking through slashes before
// it and through everything that is not visible. No name holds a <, so the
// stretches searched after two of them never overlap.
func hasName(s, name string) bool {
	inName := false
	for _, want := range name {
		if classify(want) != visible {
			continue
		}
		got := nextVisible(&s)
		for !inName && got == '/' {
			got = nextVisible(&s)
		}
		if fold(got) != fold(want) {
			return false
		}
		inName = true
	}
	return true
}

// nextVisible takes the next visible character off s; 0 at the end.
func nextVisible(s *string) rune {
	for *s != "" {
		r, n := utf8.DecodeRuneInString(*s)
		*s = (*s)[n:]
		if classify(r) == visible {
			return r
		}
	}
	return 0
}

// fold maps the letters that differ in case only to one of them, the long s
// and the Kelvin sign included.
func fold(r rune) rune { return unicode.ToLower(unicode.ToUpper(r)) }
