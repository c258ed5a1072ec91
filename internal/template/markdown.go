package template

import "strings"

// A fence is the line that opens a fenced code block. The zero value is no
// fence.
type fence struct {
	char      byte // ` or ~
	size      int  // how many of them
	column    int  // the width of what stands before them; a tab ends at a multiple of 4
	contained bool // in a list or a quotation, as its markers or more than 3 blanks tell
}

// openFence returns the fence that line opens and its info string, or the
// zero fence. Lists and quotations are not told apart from code that looks
// like them: to see too many fences is the safe side, it makes commands text.
func openFence(line string) (f fence, info string) {
	rest, column, contained := skipMarkers(line, true)
	if rest == "" || rest[0] != '`' && rest[0] != '~' {
		return fence{}, ""
	}
	f = fence{char: rest[0], size: runLength(rest, 0), column: column, contained: contained}
	info = strings.TrimLeft(rest[f.size:], " \t")
	if f.size < 3 || f.char == '`' && strings.Contains(info, "`") {
		return fence{}, ""
	}
	return f, info
}

func (f fence) isOpen() bool { return f.size > 0 }

// executable reports whether f with this info string opens a span (04 §4).
func (f fence) executable(info string) bool {
	return f.char == '`' && !f.contained && strings.HasPrefix(info, "!")
}

// closedBy reports whether line closes f: the same character at least as
// often, nothing behind it, and no more than 3 columns deeper than the
// container of f may begin.
func (f fence) closedBy(line string) bool {
	if !f.isOpen() {
		return false
	}
	rest, column, contained := skipMarkers(line, false)
	if rest == "" || rest[0] != f.char || contained && (!f.contained || column > f.column+3) {
		return false
	}
	n := runLength(rest, 0)
	return n >= f.size && isBlank(rest[n:])
}

// documents reports whether a fence with this info string shows Markdown or
// YAML, and so the syntax of skills themselves (04 §4).
func documents(info string) bool {
	info = strings.TrimLeft(strings.TrimSpace(info), "{. ")
	end := 0
	for end < len(info) && isIdent(info[end]) {
		end++
	}
	switch strings.ToLower(info[:min(end, len("markdown")+1)]) {
	case "markdown", "md", "mdx", "yaml", "yml":
		return true
	}
	return false
}

// skipMarkers returns line without the blanks and quotation marks it begins
// with, and without list markers if lists is set. It returns the width of
// what it skipped and whether that is more than a block outside lists and
// quotations has.
func skipMarkers(line string, lists bool) (rest string, column int, contained bool) {
	for line != "" {
		n := 1
		switch line[0] {
		case ' ':
			column++
		case '\t':
			column += 4 - column%4
		case '>':
			column++
			contained = true
		default:
			if n = listMarker(line); !lists || n == 0 {
				return line, column, contained || column > 3
			}
			column += n
			contained = true
		}
		line = line[n:]
	}
	return "", column, contained
}

// listMarker returns the size of the list marker that line begins with, or 0.
func listMarker(line string) int {
	n := 0
	for n < len(line) && n < 9 && isDigit(line[n]) {
		n++
	}
	if n == len(line) {
		return 0
	}
	ends := "-*+"
	if n > 0 {
		ends = ".)"
	}
	if strings.IndexByte(ends, line[n]) < 0 || n+1 < len(line) && !isSpace(line[n+1]) {
		return 0
	}
	return n + 1
}

// codeSpans finds the ends of code spans in one stretch of text, whose end is
// the end of the text. It remembers what it did not find, so that the time
// for all of them is linear.
type codeSpans struct {
	text string
	last map[int]int // of runs of 2 or more backquotes, where the last of each size is
	none int         // no single backquote lies between the last one asked for and here
}

// skip returns where the text behind the code span begins that is opened by
// the backquotes at i, or, if nothing closes it, the text behind those.
func (c *codeSpans) skip(i int) int {
	size := runLength(c.text, i)
	if size == 1 {
		return c.skipSingle(i + 1)
	}
	from := i + size
	if c.last == nil {
		c.last = lastRuns(c.text, from)
	}
	if c.last[size] < from {
		return from
	}
	for pos := from; ; {
		start := pos + strings.IndexByte(c.text[pos:], '`')
		n := runLength(c.text, start)
		pos = start + n
		if n == size {
			return pos
		}
	}
}

// skipSingle is skip for one backquote that ends at from. Its code span ends
// on the same line: one stray backquote must not hide the commands of the
// lines behind it.
func (c *codeSpans) skipSingle(from int) int {
	if from <= c.none {
		return from
	}
	for pos := from; ; {
		start := len(c.text)
		if n := strings.IndexByte(c.text[pos:], '`'); n >= 0 {
			start = pos + n
		}
		if start == len(c.text) || strings.Contains(c.text[pos:start], "\n") {
			c.none = pos
			return from
		}
		size := runLength(c.text, start)
		if pos = start + size; size == 1 {
			return pos
		}
	}
}

// lastRuns returns where in text[from:] the last run of each size is, for
// runs of at least 2 backquotes.
func lastRuns(text string, from int) map[int]int {
	last := make(map[int]int)
	for pos := from; ; {
		i := strings.IndexByte(text[pos:], '`')
		if i < 0 {
			return last
		}
		n := runLength(text, pos+i)
		if n > 1 {
			last[n] = pos + i
		}
		pos += i + n
	}
}

// runLength returns how often the byte at i is repeated from there.
func runLength(text string, i int) int {
	n := 1
	for i+n < len(text) && text[i+n] == text[i] {
		n++
	}
	return n
}
