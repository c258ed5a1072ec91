package line

import (
	"testing"
	"unicode"

	"github.com/stretchr/testify/assert"
)

// TestClassesFollowUnicode compares the written-out ranges with the tables of
// package unicode, for every code point.
func TestClassesFollowUnicode(t *testing.T) {
	for r := rune(0); r <= unicode.MaxRune; r++ {
		if got, want := classify(r), classFromTables(r); got != want {
			t.Errorf("%U: class %d, Unicode says %d", r, got, want)
		}
	}
}

func classFromTables(r rune) class {
	switch {
	case r == zwnj || r == zwj:
		return joiner
	case r == vs16:
		return selector
	case unicode.IsSpace(r) || unicode.IsControl(r):
		return blank
	case isDefaultIgnorable(r) || r >= 0xFFF9 && r <= 0xFFFB:
		return hidden
	}
	return visible
}

// isDefaultIgnorable is the derivation in Unicode's DerivedCoreProperties.
func isDefaultIgnorable(r rune) bool {
	if unicode.Is(unicode.Other_Default_Ignorable_Code_Point, r) || unicode.Is(unicode.Variation_Selector, r) {
		return true
	}
	return unicode.Is(unicode.Cf, r) &&
		!unicode.Is(unicode.Prepended_Concatenation_Mark, r) &&
		(r < 0xFFF9 || r > 0xFFFB) && (r < 0x13430 || r > 0x13440)
}

func TestEditorKeepsSource(t *testing.T) {
	e := editor{src: "  same"}
	e.replace(0, 2, "")
	e.replace(3, 4, "a")
	assert.Nil(t, e.out, "dropping the front and writing what is there copies nothing")
	assert.Equal(t, "sa", e.text(4))
}
