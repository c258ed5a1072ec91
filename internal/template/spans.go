package template

import "strings"

// A span is a shell command found in a body.
type span struct {
	start, end int // the span in the body
	command    string
	fenced     bool
}

// findSpans returns the spans of body from left to right.
func findSpans(body string, o *Options) ([]span, error) {
	if o.NoSpans || !mayHoldSpan(body) {
		return nil, nil
	}
	f := finder{body: body, blind: o.FenceBlind && !o.FenceStrict, strict: o.FenceStrict, max: o.MaxSpans}
	if f.max == 0 {
		f.max = DefaultMaxSpans
	}
	f.find()
	if f.full() {
		first := f.spans[f.max].start
		return nil, &TooManySpansError{Line: 1 + strings.Count(body[:first], "\n"), Max: f.max}
	}
	return f.spans, nil
}

// mayHoldSpan reports whether body has an exclamation mark that could open a
// span. Most bodies have none and need no closer look.
func mayHoldSpan(body string) bool {
	for pos := 0; ; pos++ {
		i := strings.IndexByte(body[pos:], '!')
		if i < 0 {
			return false
		}
		pos += i
		if pos+1 < len(body) && body[pos+1] == '`' {
			return true
		}
		before := pos
		for before > 0 && (body[before-1] == ' ' || body[before-1] == '\t') {
			before--
		}
		if before > 0 && body[before-1] == '`' {
			return true
		}
	}
}

// A finder looks for the spans of one body.
type finder struct {
	body          string
	blind, strict bool
	max           int // spans allowed, if not negative
	spans         []span

	open fence // the fence that the current line is in
	doc  fence // the fence for documentation that it is in, perhaps inside open
	exec fence // of an execLine: the fence it opens
}

// full reports whether there are too many spans, and no need to find more.
func (f *finder) full() bool { return f.max >= 0 && len(f.spans) > f.max }

// find goes through the lines. Inline spans are looked for in stretches of
// text lines, because a code span may go on over the end of a line.
func (f *finder) find() {
	start := 0 // of the stretch
	for pos := 0; pos < len(f.body) && !f.full(); {
		next := lineEnd(f.body, pos)
		kind := f.line(f.body[pos:next])
		if kind == textLine {
			pos = next
			continue
		}
		f.inline(start, pos)
		if kind == execLine {
			next = f.block(pos, next)
		}
		pos, start = next, next
	}
	f.inline(start, len(f.body))
}

// A lineKind is the part a line plays for spans.
type lineKind uint8

const (
	textLine  lineKind = iota // may hold inline spans
	breakLine                 // holds none, and ends the code spans before it
	execLine                  // opens a block that is a span
)

// line returns the kind of the next line and keeps track of fences.
func (f *finder) line(line string) lineKind {
	switch {
	case isBlank(line):
		return breakLine
	case f.doc.isOpen():
		if f.doc.closedBy(line) {
			f.doc = fence{}
			f.leave(line)
		}
		return breakLine
	case f.open.closedBy(line):
		f.open = fence{}
		return breakLine
	}
	opened, info := openFence(line)
	switch {
	case !opened.isOpen():
	case opened.executable(info) && !f.open.isOpen():
		f.exec = opened
		return execLine
	case f.blind:
	case documents(info):
		f.doc = opened
		return breakLine
	case !f.open.isOpen():
		f.open = opened
		return breakLine
	}
	if f.strict && f.open.isOpen() {
		return breakLine
	}
	return textLine
}

// leave closes the fence around one for documentation, if line would.
func (f *finder) leave(line string) {
	if f.open.closedBy(line) {
		f.open = fence{}
	}
}

// block adds the block whose opening line is body[start:first] and returns
// where the text behind it begins. If the block is never closed that is the
// end of the body.
func (f *finder) block(start, first int) (next int) {
	for pos := first; pos < len(f.body); pos = next {
		next = lineEnd(f.body, pos)
		if line := f.body[pos:next]; f.exec.closedBy(line) {
			f.add(span{
				start:   start,
				end:     pos + len(strings.TrimSuffix(line, "\n")),
				command: unindent(strings.TrimSuffix(f.body[first:pos], "\n"), f.exec.column),
				fenced:  true,
			})
			return next
		}
	}
	return len(f.body)
}

// add keeps s unless its command is blank.
func (f *finder) add(s span) bool {
	if strings.TrimSpace(s.command) == "" {
		return false
	}
	f.spans = append(f.spans, s)
	return true
}

// inline adds the spans of body[pos:end].
func (f *finder) inline(pos, end int) {
	text := f.body[:end]
	code := codeSpans{text: text}
	for !f.full() {
		i := strings.IndexByte(text[pos:], '`')
		if i < 0 {
			return
		}
		i += pos
		if next, ok := f.command(text, i); ok {
			pos = next
		} else if f.blind || oddBackslashes(text[pos:i]) {
			pos = i + 1
		} else {
			pos = code.skip(i)
		}
	}
}

// command adds the span whose opening backquote is at i, and returns where
// the text behind it begins.
func (f *finder) command(text string, i int) (next int, ok bool) {
	if i < 1 || text[i-1] != '!' || i > 1 && !isSpace(text[i-2]) {
		return 0, false
	}
	n := strings.IndexByte(text[i+1:], '`')
	if n < 0 {
		return 0, false
	}
	next = i + 1 + n + 1
	command := text[i+1 : next-1]
	if strings.Contains(command, "\n") {
		return 0, false
	}
	return next, f.add(span{start: i - 1, end: next, command: command})
}

// lineEnd returns where the line behind the one at pos begins.
func lineEnd(text string, pos int) int {
	if i := strings.IndexByte(text[pos:], '\n'); i >= 0 {
		return pos + i + 1
	}
	return len(text)
}

// unindent takes up to n spaces off the start of each line.
func unindent(text string, n int) string {
	if n == 0 {
		return text
	}
	var b strings.Builder
	b.Grow(len(text))
	for line := range strings.Lines(text) {
		i := 0
		for i < n && i < len(line) && line[i] == ' ' {
			i++
		}
		b.WriteString(line[i:])
	}
	return b.String()
}

// isBlank reports whether a line, or what is left of one, is blank. Form feeds
// and the like are text to Markdown.
func isBlank(line string) bool {
	for i := range len(line) {
		if c := line[i]; c != ' ' && c != '\t' && c != '\r' && c != '\n' {
			return false
		}
	}
	return true
}

func isSpace(c byte) bool { return c == ' ' || '\t' <= c && c <= '\r' }
