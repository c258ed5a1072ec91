package gitignore

import "strings"

// blanks are the characters that drop out around a pattern of a list.
const blanks = " \t\r\n"

// SplitList splits a comma-separated list of patterns (01 §3, paths; 03 A5).
// A comma between balanced braces or after a backslash does not split. Blanks
// around a pattern are dropped unless escaped, and so are empty patterns. An
// opening brace that is never closed is an ordinary character and protects
// nothing, so one typing error does not swallow the patterns after it.
func SplitList(s string) []string {
	closes := bracePairs(s)
	var list []string
	start := 0
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case '\\':
			i++
		case '{':
			i = max(i, closes.of(i))
		case ',':
			list = appendTrimmed(list, s[start:i])
			start = i + 1
		}
	}
	return appendTrimmed(list, s[start:])
}

func appendTrimmed(list []string, s string) []string {
	s = strings.TrimLeft(s, blanks)
	if end := trimRight(s, blanks); end > 0 {
		list = append(list, s[:end])
	}
	return list
}

// trimRight returns the length of s without trailing characters of the set.
// One that is escaped by a backslash stays.
func trimRight(s, set string) int {
	end := len(strings.TrimRight(s, set))
	if end < len(s) && escaped(s, end) {
		end++
	}
	return end
}

// escaped reports whether an odd number of backslashes stands before s[i].
func escaped(s string, i int) bool {
	n := 0
	for i > n && s[i-n-1] == '\\' {
		n++
	}
	return n%2 == 1
}

// pairs holds the position of the closing brace for each opening one.
// Its zero value says that no brace is closed.
type pairs []int

// bracePairs finds the balanced braces of s. Escaped braces do not count.
func bracePairs(s string) pairs {
	if strings.IndexByte(s, '{') < 0 {
		return nil
	}
	closes := make(pairs, len(s))
	var open []int
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case '\\':
			i++
		case '{':
			open = append(open, i)
		case '}':
			if n := len(open); n > 0 {
				closes[open[n-1]] = i
				open = open[:n-1]
			}
		}
	}
	return closes
}

// of returns where the brace at i is closed, or 0 when it is not.
func (p pairs) of(i int) int {
	if i >= len(p) {
		return 0
	}
	return p[i]
}
