package frontmatter

import "strings"

// brackets returns what is between the brackets if text is one pair of them.
func brackets(text string) (inside string, ok bool) {
	if text == "" || text[0] != '[' || closing(text, false) != len(text)-1 {
		return "", false
	}
	return text[1 : len(text)-1], true
}

// closing returns the index of the bracket that closes the one text starts
// with, or -1. Brackets in quoted items do not count, and none in comments if
// text may hold comments.
func closing(text string, comments bool) int {
	depth := 0
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case '[', '{':
			depth++
		case ']', '}':
			if depth--; depth == 0 {
				return i
			}
		case '"', '\'':
			i += quotedLength(text, i)
		case '#':
			if comments && i > 0 && strings.IndexByte(" \t\n", text[i-1]) >= 0 {
				i += len(firstLine(text[i:], isBlank[string]))
			}
		}
	}
	return -1
}

// splitItems splits text at the commas that are not within brackets or quotes.
// If those are not balanced, it splits at all commas.
func splitItems(text string) []string {
	var items []string
	depth, start := 0, 0
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case '[', '{', '(':
			depth++
		case ']', '}', ')':
			depth--
		case '"', '\'':
			i += quotedLength(text, i)
		case ',':
			if depth == 0 {
				items = append(items, text[start:i])
				start = i + 1
			}
		}
	}
	if depth != 0 {
		return strings.Split(text, ",")
	}
	return append(items, text[start:])
}

// quotedLength returns how many bytes behind the quote at i belong to the
// quoted item that it starts. It is 0 for a quote that starts none: one within
// a word, or one that is never closed.
func quotedLength(text string, i int) int {
	before := strings.TrimRight(text[:i], " \t\n")
	if before != "" && strings.IndexByte("[{(,:", before[len(before)-1]) < 0 {
		return 0
	}
	for j := i + 1; j < len(text); j++ {
		switch {
		case text[j] == '\\' && text[i] == '"':
			j++
		case text[j] == text[i]:
			return j - i
		}
	}
	return 0
}
