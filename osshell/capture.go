package osshell

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

const (
	minOutput  = 100 // room for the note about the cut
	markerRoom = 60  // characters of that note, at most
)

// A capture holds the cleaned output of a command in bounded memory: the first
// characters for whoever reads it, the last for whoever asks why it failed.
type capture struct {
	clean cleaner
	max   int // characters of the result
	total int // characters that came
	head  []byte
	tail  []byte // the last bytes, at least max/10 characters of them
	kept  int    // characters in head
}

func newCapture(limit int) *capture {
	c := &capture{max: limit}
	c.clean.emit = c.add
	return c
}

func (c *capture) write(p []byte) { c.clean.write(p) }

// add takes text of n characters. It is either one character or ASCII.
func (c *capture) add(text []byte, n int) {
	c.total += n
	if room := c.max - c.kept; n <= room {
		c.head = append(c.head, text...)
		c.kept += n
	} else if room > 0 { // ASCII: a byte is a character
		c.head = append(c.head, text[:room]...)
		c.kept += room
	}
	limit := c.max / 10 * utf8.UTFMax
	c.tail = append(c.tail, text[max(len(text)-limit, 0):]...)
	if len(c.tail) > 2*limit {
		c.tail = c.tail[:copy(c.tail, c.tail[len(c.tail)-limit:])]
	}
}

// text returns what is kept, with the end of it if the command failed.
func (c *capture) text(failed bool) string {
	c.clean.close()
	if c.total <= c.max {
		return string(c.head)
	}
	end := 0
	if failed {
		end = c.max / 10
	}
	start := c.max - markerRoom - end
	var b strings.Builder
	b.Write(c.head[:offset(c.head, start)])
	fmt.Fprintf(&b, "\n[%d characters were cut here]\n", c.total-start-end)
	b.Write(lastCharacters(c.tail, end))
	return b.String()
}

// offset returns where character n of p begins.
func offset(p []byte, n int) int {
	i := 0
	for ; n > 0 && i < len(p); n-- {
		_, size := utf8.DecodeRune(p[i:])
		i += size
	}
	return i
}

func lastCharacters(p []byte, n int) []byte {
	i := len(p)
	for ; n > 0 && i > 0; n-- {
		_, size := utf8.DecodeLastRune(p[:i])
		i -= size
	}
	return p[i:]
}
