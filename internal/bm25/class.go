package bm25

import "unicode"

// A class says what a character does to the words around it.
type class uint8

const (
	gap   class = iota // between words
	lower              // a letter without case counts as one
	upper
	digit
	inner // a mark or an invisible character: belongs to what precedes it
	dense // of a script without blanks between words
)

// firstDense is the first character of the scripts in isDense.
const firstDense = '\u0E01'

func classify(r rune) class {
	switch {
	case 'a' <= r && r <= 'z':
		return lower
	case 'A' <= r && r <= 'Z':
		return upper
	case '0' <= r && r <= '9':
		return digit
	case r < 0x80:
		return gap
	case r >= firstDense && isDense(r):
		return dense
	case unicode.IsUpper(r), unicode.IsTitle(r):
		return upper
	case unicode.IsLetter(r):
		return lower
	case unicode.IsNumber(r):
		return digit
	case unicode.IsMark(r), unicode.Is(unicode.Cf, r):
		return inner
	}
	return gap
}

// isDense reports whether words are written without blanks in the script of r,
// or, as in Hangul, together with what would be words of their own elsewhere.
func isDense(r rune) bool {
	switch {
	case r == 'ー', r == 'ｰ': // prolonged sounds are of no script
		return true
	case unicode.IsPunct(r):
		return false
	}
	return unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul, unicode.Bopomofo, unicode.Yi,
		unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar)
}

// isSilent reports whether r, an inner character, changes the look of a word
// but not the word: what is invisible, selects a variant or encloses.
func isSilent(r rune) bool {
	return r == '\u034F' || unicode.In(r, unicode.Cf, unicode.Variation_Selector, unicode.Me)
}

// fold returns one and the same of characters that differ in letter case.
func fold(r rune) rune { return unicode.ToLower(unicode.ToUpper(r)) }
