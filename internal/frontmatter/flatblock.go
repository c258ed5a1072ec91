package frontmatter

import "strings"

// blockScalar reads the literal (|) or folded (>) text below a key at column
// indent. header is what stands behind the colon.
func (s *flatScanner) blockScalar(header string, indent int, v *Value) bool {
	mode := strings.TrimRight(header[1:], " ")
	if mode != "" && mode != "-" {
		return false
	}
	v.Kind, v.Quoted = Scalar, true
	b := blockText{folded: header[0] == '>', buf: s.doc.buf[:0]}
	ok := s.blockLines(&b, indent)
	if mode == "" && b.started {
		b.buf = append(b.buf, '\n')
	}
	v.Text = string(b.buf)
	s.doc.buf = b.buf
	return ok
}

// blockLines feeds all lines that belong to a block scalar to b.
func (s *flatScanner) blockLines(b *blockText, indent int) bool {
	column := 0 // of the text, given by its first line
	for s.next(); !s.done; s.next() {
		in := indentation(s.cur)
		switch {
		case in == len(s.cur):
			if in > column {
				return false // blanks that may or may not be text
			}
			b.breaks++
			continue
		case in <= indent:
			return true
		case s.cur[in] == '\t' && (column == 0 || in < column):
			return false
		case column == 0:
			column = in
		case in < column:
			return false
		}
		b.line(s.cur[column:])
	}
	return true
}

// A blockText joins the lines of a block scalar as YAML does.
type blockText struct {
	buf      []byte
	folded   bool
	started  bool // a line has been added
	indented bool // it started with a blank: its line end is kept
	breaks   int  // empty lines since
}

// line adds a line that is not blank, without its indentation.
func (b *blockText) line(text string) {
	indented := isSpace(text[0])
	switch {
	case b.folded && b.started && !b.indented && !indented:
		if b.breaks == 0 {
			b.buf = append(b.buf, ' ')
		}
	case b.started:
		b.buf = append(b.buf, '\n')
	}
	for ; b.breaks > 0; b.breaks-- {
		b.buf = append(b.buf, '\n')
	}
	b.buf = append(b.buf, text...)
	b.started, b.indented = true, indented
}
