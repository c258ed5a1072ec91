package corpus

import (
	"strings"
	"unicode"
)

// Words returns the words of a text in lower case. Text written without
// blanks, such as Chinese, gives all pairs of neighbours.
func Words(text string) []string {
	var out []string
	for _, run := range strings.FieldsFunc(strings.ToLower(text), IsGap) {
		r := []rune(run)
		for from := 0; from < len(r); {
			to := from + 1
			for to < len(r) && isDense(r[to]) == isDense(r[from]) {
				to++
			}
			if !isDense(r[from]) || to == from+1 {
				out = append(out, string(r[from:to]))
			}
			for i := from; isDense(r[from]) && i+2 <= to; i++ {
				out = append(out, string(r[i:i+2]))
			}
			from = to
		}
	}
	return out
}

// IsGap reports whether r stands between words.
func IsGap(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.IsMark(r) }

// isDense reports whether r belongs to a script without blanks between words.
func isDense(r rune) bool {
	return unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai)
}
