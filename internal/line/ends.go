package line

import "unicode/utf8"

// First returns the first n characters of s, and all of it if it has fewer.
func First(s string, n int) string {
	for i := range s {
		if n <= 0 {
			return s[:i]
		}
		n--
	}
	return s
}

// Last returns the last n characters of s, and all of it if it has fewer.
func Last(s string, n int) string {
	at := len(s)
	for ; at > 0 && n > 0; n-- {
		_, size := utf8.DecodeLastRuneInString(s[:at])
		at -= size
	}
	return s[at:]
}
