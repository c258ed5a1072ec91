// Package typed splits what a user types after a slash into a name and its
// arguments (04 §1). It knows no names: it says what might be one.
package typed

import (
	"iter"
	"strings"
)

// blanks are what ends a name or a token on a command line.
const blanks = " \t\r\n"

// maxName bounds how much of a line is tried as a name, in bytes.
const maxName = 1200

// Slash returns what stands behind the slash that text begins with, perhaps
// after blanks.
func Slash(text string) (rest string, ok bool) {
	return strings.CutPrefix(strings.TrimLeft(text, blanks), "/")
}

// Names yields the beginnings of text that may be a name, the longest first,
// each with what would be its arguments: what stands behind the one blank that
// ends the name, byte for byte, or "" if that is nothing but blanks. A name ends
// where a word does and spans no lines; what begins with a slash or a blank has
// none.
func Names(text string) iter.Seq2[string, string] {
	return func(yield func(name, args string) bool) {
		head := text[:min(len(text), maxName)]
		if strings.TrimLeft(head, "/"+blanks) != head {
			return // "//x" and "/ x" name nothing
		}
		for end := len(head); end > 0; end = strings.LastIndexAny(head[:end], blanks) {
			if end < len(text) && !strings.ContainsRune(blanks, rune(text[end])) {
				continue // in the middle of a word
			}
			name := strings.TrimRight(head[:end], blanks)
			if name == "" || strings.ContainsAny(name, "\r\n") {
				continue
			}
			end = len(name)
			if !yield(name, args(text[end:])) {
				return
			}
		}
	}
}

// IsWord reports whether name is a single word.
func IsWord(name string) bool { return !strings.ContainsAny(name, blanks) }

// args drops the one blank that ends a name.
func args(rest string) string {
	switch {
	case strings.Trim(rest, blanks) == "":
		return ""
	case strings.HasPrefix(rest, "\r\n"):
		return rest[2:]
	}
	return rest[1:]
}

// FirstWord returns text up to its first blank.
func FirstWord(text string) string {
	if i := strings.IndexAny(text, blanks); i >= 0 {
		return text[:i]
	}
	return text
}
