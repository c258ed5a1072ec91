package frontmatter

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// joinSurrogates turns each pair of escapes \uD8xx\uDCxx, as JSON writes one
// character beyond the basic plane, into the one escape that YAML has for it
// (01 §4, 1). An escaped backslash before the u is left alone.
func joinSurrogates(text string) string {
	var b strings.Builder
	for {
		i := strings.IndexByte(text, '\\')
		if i < 0 {
			break
		}
		b.WriteString(text[:i])
		text = text[i:]
		if r := surrogatePair(text); r != utf8.RuneError {
			fmt.Fprintf(&b, `\U%08X`, r)
			text = text[len(`\uD83D\uDE80`):]
			continue
		}
		n := min(2, len(text))
		b.WriteString(text[:n])
		text = text[n:]
	}
	b.WriteString(text)
	return b.String()
}

// surrogatePair returns the character that the two escapes at the start of
// text stand for, or utf8.RuneError.
func surrogatePair(text string) rune {
	high, low := escapedUnit(text), escapedUnit(text[min(6, len(text)):])
	return utf16.DecodeRune(high, low)
}

// escapedUnit returns the value of the escape \uXXXX at the start of text, or
// 0.
func escapedUnit(text string) rune {
	if len(text) < 6 || text[:2] != `\u` {
		return 0
	}
	n, err := strconv.ParseUint(text[2:6], 16, 16)
	if err != nil {
		return 0
	}
	return rune(n)
}
