package gitignore

import (
	"testing"
	"unicode"

	"github.com/stretchr/testify/assert"
)

// TestFoldingsComplete holds the table against the definition, code point by
// code point.
func TestFoldingsComplete(t *testing.T) {
	table := make(map[rune]rune)
	last := rune(-1)
	for _, f := range foldings() {
		assert.Greater(t, f.from, last, "the table must be sorted")
		table[f.from], last = f.to, f.from
	}
	for r := rune(0); r <= unicode.MaxRune; r++ {
		want := foldRune(r)
		got, ok := table[r]
		if !ok {
			got = r
		}
		if got != want || foldRune(want) != want {
			t.Fatalf("%U folds to %U, the table says %U", r, want, got)
		}
	}
}

// TestFoldSpan checks that a folded range holds the representative of each of
// its members.
func TestFoldSpan(t *testing.T) {
	for _, s := range []span{{'A', 'Z'}, {'a', 'z'}, {'Z', 'a'}, {'K', 'K'}, {'À', 'Þ'}, {0x370, 0x3ff}, {0x1e00, 0x2200}, {'0', 0x24f}} {
		holds := make(map[rune]bool)
		foldSpan(s, func(s span) {
			for r := s.lo; r <= s.hi; r++ {
				holds[r] = true
			}
		})
		for r := s.lo; r <= s.hi; r++ {
			assert.Truef(t, holds[foldRune(r)], "%U of %U-%U", r, s.lo, s.hi)
		}
	}
}

func TestText(t *testing.T) {
	for _, row := range []struct {
		reason   string
		mode     mode
		in, want string
	}{
		{"A11: folding maps to small letters", folded, "README.É", "readme.É"},
		{"A11: one representative for all cases", folded, "ΣΣσς", "ΣΣΣΣ"},
		{"A11: the Kelvin sign is a k", folded, "\u212a", "k"},
		{"A11: exact text stays", exact, "README.É", "README.É"},
		{"A7: broken bytes become what regular expressions read", exact, "a\xff\xfe", "a\ufffd\ufffd"},
		{"A7: in either mode", folded, "A\xff\xfe", "a\ufffd\ufffd"},
		{"03 §3: bytes become code points", octets, "é\xff", "Ã©ÿ"},
	} {
		t.Run(row.reason, func(t *testing.T) {
			assert.Equal(t, row.want, row.mode.text(row.in))
		})
	}
	for _, s := range []string{"", "abc", "a/b.go"} {
		for _, m := range []mode{folded, exact, octets} {
			assert.Zero(t, testing.AllocsPerRun(10, func() { m.text(s) }))
		}
	}
}
