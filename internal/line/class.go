package line

// A class says what a listing does with a character.
type class uint8

const (
	visible  class = iota
	blank          // white space, line break or control character: becomes one blank
	hidden         // bidi, tag or invisible character: removed
	joiner         // ZWNJ or ZWJ: stays alone between visible characters
	selector       // VS16, emoji presentation: stays after a visible character
)

const (
	zwnj = '\u200C'
	zwj  = '\u200D'
	vs16 = '\uFE0F'
)

// classify returns the class of r. Hidden is what Unicode calls default
// ignorable, and the interlinear annotation marks; blank is white space and
// control characters. The ranges are written out because this runs for every
// character beyond ASCII; a test compares them with package unicode.
func classify(r rune) class {
	switch {
	case r > ' ' && r < 0x7F:
		return visible
	case r <= 0xA0:
		return blank
	case r < 0x2000:
		return classifyLow(r)
	case r < 0x2070:
		return classifyPunctuation(r)
	case r == 0x3000: // ideographic space
		return blank
	case r == 0x3164: // Hangul filler
		return hidden
	case r < 0xFE00:
		return visible
	}
	return classifyHigh(r)
}

// classifyLow is classify for U+00A1 to U+1FFF.
func classifyLow(r rune) class {
	switch {
	case r == 0x1680: // Ogham space
		return blank
	case r == 0xAD, // soft hyphen
		r == 0x34F,               // combining grapheme joiner
		r == 0x61C,               // Arabic letter mark
		r == 0x115F, r == 0x1160, // Hangul fillers
		r == 0x17B4, r == 0x17B5, // Khmer inherent vowels
		r >= 0x180B && r <= 0x180F: // Mongolian selectors and separator
		return hidden
	}
	return visible
}

// classifyPunctuation is classify for U+2000 to U+206F.
func classifyPunctuation(r rune) class {
	switch {
	case r == zwnj, r == zwj:
		return joiner
	case r <= 0x200A, r == 0x2028, r == 0x2029, r == 0x202F, r == 0x205F:
		return blank
	case r <= 0x200F, // zero width, marks of direction
		r >= 0x202A && r <= 0x202E, // bidi embeddings and overrides
		r >= 0x2060:                // word joiner, invisible operators, bidi isolates
		return hidden
	}
	return visible
}

// classifyHigh is classify from U+FE00 on.
func classifyHigh(r rune) class {
	switch {
	case r == vs16:
		return selector
	case r < vs16, // variation selectors
		r == 0xFEFF,                  // byte order mark
		r == 0xFFA0,                  // half-width Hangul filler
		r >= 0xFFF0 && r <= 0xFFFB,   // unassigned, interlinear annotation
		r >= 0x1BCA0 && r <= 0x1BCA3, // shorthand format controls
		r >= 0x1D173 && r <= 0x1D17A, // musical format controls
		r >= 0xE0000 && r <= 0xE0FFF: // tags, more variation selectors
		return hidden
	}
	return visible
}
