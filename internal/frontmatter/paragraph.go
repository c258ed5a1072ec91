package frontmatter

import (
	"bytes"
	"strings"
)

// FirstParagraph returns the first paragraph of prose of a Markdown body, its
// lines joined by blanks; it describes a file that has no description (01 R5,
// §3). Headings, HTML comments, fenced code and rules are no prose. If there is
// nothing else, the result is the text of the first heading, and "" if there
// is none.
//
// The body must come from Decode. The result does not share memory with it.
func FirstParagraph(body []byte) string {
	p := prose{body: body}
	for p.next() {
		if p.take() {
			break
		}
	}
	if p.lines == 0 {
		return p.heading
	}
	return p.text.String()
}

// A prose looks for a paragraph line by line.
type prose struct {
	body    []byte
	line    []byte // the current line, trimmed
	from    int    // offset of the current line
	at      int    // offset of the next line
	text    strings.Builder
	lines   int // in text
	heading string
}

// next makes the next line the current one.
func (p *prose) next() bool {
	if p.at == len(p.body) {
		return false
	}
	line, rest, _ := cutLine(p.body[p.at:])
	p.from, p.at = p.at, len(p.body)-len(rest)
	p.line = bytes.TrimSpace(line)
	return true
}

// take adds the current line to the paragraph, or passes over what it begins.
// It reports whether the paragraph has ended.
func (p *prose) take() bool {
	if p.lines == 1 && isUnderline(p.line) {
		p.foundHeading(p.text.String())
		p.text.Reset()
		p.lines = 0
		return false
	}
	what := markupOf(p.line)
	if what == noMarkup {
		p.add()
		return false
	}
	if p.lines > 0 {
		return true
	}
	switch what {
	case comment:
		p.skipComment()
	case code:
		p.skipCode()
	case heading:
		p.foundHeading(headingText(p.line))
	}
	return false
}

// add appends the current line, less the mark of a quotation.
func (p *prose) add() {
	line := bytes.TrimLeft(p.line, "> ")
	if len(line) == 0 {
		return
	}
	if p.lines > 0 {
		p.text.WriteByte(' ')
	}
	p.text.Write(line)
	p.lines++
}

// foundHeading keeps the first heading that has a text.
func (p *prose) foundHeading(text string) {
	if p.heading == "" {
		p.heading = text
	}
}

// skipComment goes on behind the comment that starts the current line, if need
// be within a line.
func (p *prose) skipComment() {
	const mark, end = "<!--", "-->"
	start := p.from + bytes.Index(p.body[p.from:], []byte(mark)) + len(mark)
	i := bytes.Index(p.body[start:], []byte(end))
	if i < 0 {
		p.at = len(p.body)
		return
	}
	p.at = start + i + len(end)
}

// skipCode goes on behind the fenced code that the current line opens.
func (p *prose) skipCode() {
	mark, n := p.line[:1], codeFence(p.line)
	for p.next() {
		if len(p.line) >= n && len(bytes.Trim(p.line, string(mark))) == 0 {
			return
		}
	}
}

// A markup is what a line begins if it is not prose.
type markup uint8

const (
	noMarkup markup = iota
	blank
	rule
	comment
	code
	heading
)

// markupOf classifies a trimmed line.
func markupOf(line []byte) markup {
	switch {
	case len(line) == 0:
		return blank
	case isRule(line):
		return rule
	case bytes.HasPrefix(line, []byte("<!--")):
		return comment
	case codeFence(line) > 0:
		return code
	case headingLevel(line) > 0:
		return heading
	}
	return noMarkup
}

// isRule reports whether line is three or more of - * _, perhaps with blanks
// between them.
func isRule(line []byte) bool {
	if strings.IndexByte("-*_", line[0]) < 0 {
		return false
	}
	n := bytes.Count(line, line[:1])
	return n >= 3 && len(bytes.Trim(line, string(line[:1])+" \t")) == 0
}

// isUnderline reports whether line makes a heading of the line above it.
func isUnderline(line []byte) bool {
	return len(line) > 0 && (len(bytes.Trim(line, "=")) == 0 || len(bytes.Trim(line, "-")) == 0)
}

// codeFence returns the length of the fence that opens a code block, or 0.
// Backquotes that are closed on the same line are code within prose.
func codeFence(line []byte) int {
	if line[0] != '`' && line[0] != '~' {
		return 0
	}
	info := bytes.TrimLeft(line, string(line[:1]))
	n := len(line) - len(info)
	if n < 3 || line[0] == '`' && bytes.IndexByte(info, '`') >= 0 {
		return 0
	}
	return n
}

// headingLevel returns the number of marks before the text of a heading, or 0.
func headingLevel(line []byte) int {
	text := bytes.TrimLeft(line, "#")
	n := len(line) - len(text)
	if n > 6 || len(text) > 0 && !isSpace(text[0]) {
		return 0
	}
	return n
}

// headingText returns the text of a heading without the marks around it.
func headingText(line []byte) string {
	text := bytes.TrimSpace(line[headingLevel(line):])
	open := bytes.TrimRight(text, "#")
	if len(open) == 0 || isSpace(open[len(open)-1]) {
		text = bytes.TrimSpace(open)
	}
	return string(text)
}
