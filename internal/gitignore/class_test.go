package gitignore

import (
	"testing"
	"unicode"

	"github.com/stretchr/testify/assert"
)

// TestPosixRanges holds the table against the definitions in the C locale.
func TestPosixRanges(t *testing.T) {
	is := map[string]func(r rune) bool{
		"alnum":  func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) },
		"alpha":  unicode.IsLetter,
		"blank":  func(r rune) bool { return r == ' ' || r == '\t' },
		"cntrl":  unicode.IsControl,
		"digit":  unicode.IsDigit,
		"graph":  func(r rune) bool { return unicode.IsGraphic(r) && r != ' ' },
		"lower":  unicode.IsLower,
		"print":  unicode.IsPrint,
		"punct":  func(r rune) bool { return unicode.IsPunct(r) || unicode.IsSymbol(r) },
		"space":  unicode.IsSpace,
		"upper":  unicode.IsUpper,
		"xdigit": func(r rune) bool { return unicode.Is(unicode.ASCII_Hex_Digit, r) },
		"nope":   func(rune) bool { return false },
	}
	for name, want := range is {
		for r := rune(0); r <= unicode.MaxASCII; r++ {
			if r != '/' { // no class holds the separator
				assert.Equalf(t, want(r), inClass(r, "[[:"+name+":]]", exact), "[:%s:] on %q", name, r)
			}
		}
	}
}

// TestScanClass covers where an expression ends and what it holds.
func TestScanClass(t *testing.T) {
	for _, row := range []struct {
		reason, expr string
		width        int // 0 for a malformed one
		holds, lacks string
	}{
		{"A4: a closing bracket at the start is a member", "[]a]x", 4, "]a", "x["},
		{"A4: so it is in a negated one", "[!]a]", 5, "xb", "]a"},
		{"A4: ^ negates too", "[^a]", 4, "b", "a"},
		{"A4: a hyphen at either end is a member", "[-a-]", 5, "-a", "b"},
		{"A4: an escape makes a member", `[\]\-\\]`, 8, `]-\`, "a"},
		{"A4: both ends of a range may be escaped", `[\a-\c]`, 7, "abc", "d-"},
		{"A4: a range that runs backwards holds its start", "[z-a]", 5, "z", "amy"},
		{"A4: a bracket and a colon without the end are members", "[[:]", 4, "[:", "a"},
		{"A4: a class among others", "[[:digit:]x-z]", 14, "05xz", "aw"},
		{"A4: no end", "[abc", 0, "", ""},
		{"A4: no end after an escape", `[ab\`, 0, "", ""},
		{"A4: no end of a range", "[a-", 0, "", ""},
		{"A4: an empty one has no end", "[]", 0, "", ""},
		{"A4: no end of a POSIX class", "[[:digit:", 0, "", ""},
		{"A4: an unknown POSIX class", "[[:nope:]]", 0, "", ""},
		{"A4: the separator is never held", "[!a]", 4, "b", "/"},
		{"A4: not even by name", "[/+-9]", 6, "+9.", "/"},
	} {
		t.Run(row.reason, func(t *testing.T) {
			_, width, ok := scanClass(row.expr, exact, nil)
			assert.Equal(t, row.width, width)
			assert.Equal(t, row.width > 0, ok)
			expr := row.expr[:width]
			lib := compile("/" + string(appendClass(nil, expr, exact)) + "$")
			for _, r := range row.holds {
				assert.Truef(t, inClass(r, expr, exact), "%q", r)
				assert.Truef(t, lib.MatchesPath(string(r)), "%q", r)
			}
			for _, r := range row.lacks {
				assert.Falsef(t, inClass(r, expr, exact), "%q", r)
				assert.Falsef(t, lib.MatchesPath(string(r)), "%q", r)
			}
		})
	}
}
