package line

import (
	"encoding/binary"
	"strings"
	"unicode/utf8"

	"github.com/rivo/uniseg"
)

const ellipsis = "…"

// Len returns the number of characters of s.
func Len(s string) int {
	const high = 0x8080808080808080 // a bit that no ASCII character has, eight times
	for i := 0; ; i += 8 {
		switch {
		case len(s)-i < 8:
			return i + utf8.RuneCountInString(s[i:])
		case binary.LittleEndian.Uint64([]byte(s[i:i+8]))&high != 0:
			return i + utf8.RuneCountInString(s[i:])
		}
	}
}

// Cut returns s in at most n characters, the final "…" of a shortened text
// included (02 §2). It is s itself when that fits, and "" when n < 1.
//
// A cut falls at the end of a word, and at the end of a grapheme cluster where
// no word ends within the last third, as in CJK text. It never splits a
// cluster; blanks before the "…" go. Words are what blanks separate, so s
// should be clean. The length never shrinks as n grows.
func Cut(s string, n int) string {
	if n < 1 {
		return ""
	}
	if fits(s, n) {
		return s
	}
	end, _ := head(s, n-1)
	return s[:end] + ellipsis
}

// Head returns the first n bytes of s, less a character that is cut off there.
// It bounds the work on a text of which only the beginning is shown.
func Head(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n]
}

// CutLen returns Len(Cut(s, n)) without building the text.
func CutLen(s string, n int) int {
	if n < 1 {
		return 0
	}
	if fits(s, n) {
		return Len(s)
	}
	_, runes := head(s, n-1)
	return runes + 1
}

// fits reports whether s has at most n characters.
func fits(s string, n int) bool {
	return len(s) <= n || len(s) <= n*utf8.UTFMax && Len(s) <= n
}

// head returns where to cut s, which is longer, so that at most room
// characters stay: the end in bytes and in characters.
func head(s string, room int) (end, runes int) {
	if room < len(s) && isPlain(s[:room+1]) {
		end = plainHead(s, room)
		return end, end
	}
	var word, solid struct{ end, runes int } // last word end, last visible cluster
	inWord := false
	for pos, count := 0, 0; pos < len(s); {
		if s[pos] == ' ' && inWord {
			word = solid
		}
		size, length := 1, 1
		if !isSingle(s, pos) {
			size, length = cluster(s[pos:])
		}
		if count += length; count > room {
			break
		}
		inWord = size > 1 || s[pos] != ' '
		if pos += size; inWord {
			solid.end, solid.runes = pos, count
		}
	}
	if 3*word.runes >= 2*room {
		return word.end, word.runes
	}
	return solid.end, solid.runes
}

// plainHead is head where the first room+1 characters are printable ASCII: it
// looks back from the cut instead of at everything before it.
func plainHead(s string, room int) int {
	solid := len(strings.TrimRight(s[:room], " "))
	word := solid
	if s[room] != ' ' && solid == room { // the cut falls into a word
		word = len(strings.TrimRight(s[:strings.LastIndexByte(s[:room], ' ')+1], " "))
	}
	if 3*word >= 2*room {
		return word
	}
	return solid
}

// isPlain reports whether s is printable ASCII, eight characters at a time.
func isPlain(s string) bool {
	const (
		ones = 0x0101010101010101
		high = 0x80 * ones
	)
	for ; len(s) >= 8; s = s[8:] {
		w := binary.LittleEndian.Uint64([]byte(s[:8]))
		if (w|^(w+0x60*ones)|(w+ones))&high != 0 { // beyond ASCII, a control character, DEL
			return false
		}
	}
	for i := range len(s) {
		if !isPrint(s[i]) {
			return false
		}
	}
	return true
}

// isSingle reports whether s[pos] is sure to be a cluster of its own: between
// two printable ASCII characters there is always a boundary. That spares most
// text the table look-ups.
func isSingle(s string, pos int) bool {
	return isPrint(s[pos]) && (pos+1 == len(s) || isPrint(s[pos+1]))
}

func isPrint(b byte) bool { return b >= ' ' && b <= '~' }

// cluster returns the size of the first grapheme cluster of s in bytes and in
// characters.
func cluster(s string) (size, length int) {
	c, _, _, _ := uniseg.FirstGraphemeClusterInString(s, -1)
	return len(c), Len(c)
}
