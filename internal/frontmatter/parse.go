package frontmatter

import (
	"bytes"
	"fmt"
)

// Parse reads the header of text into d, which it overwrites. It never fails:
// what is wrong is in d.Problems, and d.State says how much could be read.
//
// The text must come from Decode. With complete false, it is the beginning of
// a longer file; if d.Incomplete is true afterwards, the caller has to come
// back with more of the file, and the rest of d is what would hold if the file
// ended here.
//
// The body is text[d.Body:]. It starts after the closing fence, after the
// opening one if the header is not closed, and at 0 if there is no header.
//
// Parse takes time and memory in proportion to the text whatever it holds.
// A flat header costs one allocation for its text and one for each scalar
// whose text differs from its source; everything else is memory of d.
func Parse(text []byte, complete bool, l Limits, d *Document) {
	l = l.orDefault()
	d.reset()
	s := findFences(text, complete)
	d.Body = s.body
	d.BodyLine = 1 + bytes.Count(text[:s.body], []byte{'\n'})
	d.Incomplete = s.more
	if !s.opened {
		return
	}
	d.headerLine = s.line + 1
	size := s.end - s.header
	switch {
	case size > l.MaxBytes && (s.closed || !complete):
		d.tooLarge(l, s)
	case !s.closed:
		d.unclosed(s)
	default:
		d.header = string(text[s.header:s.end])
		d.read(l)
	}
}

// read turns d.header into fields.
func (d *Document) read(l Limits) {
	d.State = OK
	if d.scanFlat(l.MaxKeys) {
		return
	}
	if n := countKeys(d.header); n > l.MaxKeys {
		d.tooManyKeys(n, l)
		return
	}
	if err := d.readYAML(); err != nil {
		d.readKeys(err)
	}
	if n := len(d.Fields); n > l.MaxKeys {
		d.tooManyKeys(n, l)
	}
}

// fail leaves d Broken for the reason p.
func (d *Document) fail(p Problem) {
	d.State = Broken
	d.Fields = d.Fields[:0]
	d.Problems = append(d.Problems[:0], p)
}

func (d *Document) tooLarge(l Limits, s span) {
	d.Incomplete = false
	d.fail(Problem{
		Code:    CodeTooLarge,
		Line:    s.line,
		Message: fmt.Sprintf("the header is larger than %d bytes and was not read", l.MaxBytes),
		Hint:    "move text from the header into the body",
	})
}

func (d *Document) unclosed(s span) {
	d.fail(Problem{
		Code:    CodeUnclosed,
		Line:    s.line,
		Message: "the header that starts here is never closed",
		Hint:    "put a line with nothing but --- after the last field",
	})
}

func (d *Document) tooManyKeys(n int, l Limits) {
	d.fail(Problem{
		Code:    CodeTooManyKeys,
		Line:    d.headerLine,
		Message: fmt.Sprintf("the header has %d keys, more than %d, and was not read", n, l.MaxKeys),
		Hint:    "move data into a file of its own",
	})
}
