package frontmatter

import "strings"

// A block is one top-level key of a header and the lines that belong to it, or
// a run of lines that belong to no key.
type block struct {
	key    string // "" if there is none
	rest   string // what stands behind the colon on the line of the key
	line   int    // of the key in the file
	source string // all lines, that of the key first
	margin int    // blanks that the key is indented by
}

// text returns the lines of b without the margin.
func (b block) text() string { return outdent(b.source, b.margin) }

// below returns the lines of b below that of its key.
func (b block) below() string {
	_, below, _ := strings.Cut(b.source, "\n")
	return outdent(below, b.margin)
}

// splitBlocks splits a header, whose first line is the given one of the file,
// at its keys (01 §4, 2). Blank lines and comments before the first key are
// left out.
func splitBlocks(header string, line int) []block {
	margin := keyMargin(header)
	var blocks []block
	start, at := 0, 0
	for text := range strings.Lines(header) {
		if b, ok := startBlock(text, margin, blocks); ok {
			b.line = line
			blocks = append(blocks, b)
			start = at
		}
		at += len(text)
		line++
		if n := len(blocks); n > 0 {
			blocks[n-1].source = header[start:at]
		}
	}
	return blocks
}

// startBlock returns the block that a line starts, if it does not belong to
// the last of blocks. A key stands at the margin, or anywhere as long as there
// is no key that the line could belong to.
func startBlock(text string, margin int, blocks []block) (block, bool) {
	in := leadingBlanks(text)
	keyed := len(blocks) > 0 && blocks[len(blocks)-1].key != ""
	if in == margin || !keyed {
		if key, rest, ok := splitKey(text[in:]); ok {
			return block{key: key, rest: rest, margin: in}, true
		}
	}
	if keyed {
		return block{}, isMarker(text)
	}
	return block{}, len(blocks) == 0 && !isIdle(text)
}

// keyMargin returns the smallest indentation of a line that looks like a key.
func keyMargin(header string) int {
	margin := -1
	for text := range strings.Lines(header) {
		in := leadingBlanks(text)
		if margin >= 0 && in >= margin {
			continue
		}
		if _, _, ok := splitKey(text[in:]); ok {
			margin = in
		}
	}
	return margin
}

// countKeys returns how many keys a header has at its margin.
func countKeys(header string) int {
	margin, n := keyMargin(header), 0
	for text := range strings.Lines(header) {
		if in := leadingBlanks(text); in == margin {
			if _, _, ok := splitKey(text[in:]); ok {
				n++
			}
		}
	}
	return n
}

const (
	maxKeyBytes  = 128
	maxKeyBlanks = 3
)

// splitKey takes a line without indentation apart at the colon behind its key.
// It takes for a key what YAML would, and also the key of name:x, but not a
// sentence that happens to have a colon in it.
func splitKey(line string) (key, rest string, ok bool) {
	line = strings.TrimRight(line, "\n")
	switch {
	case line == "":
		return "", "", false
	case isQuote(line[0]):
		return splitQuotedKey(line)
	case !startsPlain(line):
		return "", "", false
	}
	i := colon(line)
	if n := glued(line); n > 0 && (i < 0 || strings.Contains(line[:i], " ")) {
		i = n
	}
	if i <= 0 {
		return "", "", false
	}
	key = strings.TrimRight(line[:i], " \t")
	ok = len(key) <= maxKeyBytes && strings.Count(key, " ") <= maxKeyBlanks
	return key, trimBlanks(line[i+1:]), ok
}

// splitQuotedKey is splitKey for a line that starts with a quote.
func splitQuotedKey(line string) (key, rest string, ok bool) {
	key, rest, ok = strings.Cut(line[1:], line[:1])
	rest = trimBlanks(rest)
	if !ok || key == "" || colon(rest) != 0 {
		return "", "", false
	}
	return key, trimBlanks(rest[1:]), true
}

// colon returns the index of the first colon of line that YAML would take for
// the end of a key, or -1.
func colon(line string) int {
	for i := 0; i < len(line); i++ {
		j := strings.IndexByte(line[i:], ':')
		if j < 0 {
			return -1
		}
		i += j
		if i+1 == len(line) || isSpace(line[i+1]) {
			return i
		}
	}
	return -1
}

// glued returns the index of the colon of a line like name:x, or 0. Addresses
// and paths are none.
func glued(line string) int {
	n := keyLength(line)
	if n == 0 || n+1 == len(line) || strings.IndexByte(`/\`, line[n+1]) >= 0 {
		return 0
	}
	return n
}

// isMarker reports whether a line starts or ends a YAML document: --- or ...,
// alone or with a text behind it.
func isMarker(line string) bool {
	if !strings.HasPrefix(line, "---") && !strings.HasPrefix(line, "...") {
		return false
	}
	return len(line) == 3 || line[3] == '\n' || isSpace(line[3])
}

// outdent removes up to n leading blanks from each line of text.
func outdent(text string, n int) string {
	if n <= 0 {
		return text
	}
	var b strings.Builder
	for line := range strings.Lines(text) {
		b.WriteString(line[min(n, leadingBlanks(line)):])
	}
	return b.String()
}

// leadingBlanks counts the spaces and tabs that line starts with.
func leadingBlanks(line string) int {
	return len(line) - len(strings.TrimLeft(line, " \t"))
}

// isIdle reports whether a line is blank or a comment.
func isIdle(line string) bool {
	line = strings.Trim(line, " \t\n")
	return line == "" || line[0] == '#'
}

func trimBlanks(s string) string { return strings.Trim(s, " \t") }
