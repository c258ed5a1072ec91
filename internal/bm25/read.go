package bm25

import (
	"math"

	"github.com/seed-12b313d8/skills/internal/line"
	"github.com/seed-12b313d8/skills/internal/names"
)

// maxField is how much is read of the names, the text and the body of a
// document, in bytes.
const maxField = 64 << 10

// What a term counts, by where it is.
const (
	nameWeight = 3
	textWeight = 2
	bodyWeight = 1
)

// A reader counts the terms of new documents. It numbers terms as they come.
type reader struct {
	lexer  lexer
	ids    map[string]uint32
	terms  []string // by number
	counts []uint32 // of each term in the document at hand
	found  []uint32 // terms of the document at hand
}

// A reading is what a reader found in documents, one after the other.
type reading struct {
	ends    []int    // where the terms of each document end
	terms   []uint32 // numbers
	weights []uint16
	lens    []uint32
}

func newReader() *reader { return &reader{ids: make(map[string]uint32)} }

// read adds the terms of d to out.
func (r *reader) read(d *Doc, out *reading) {
	r.lexer.yield = r.count(nameWeight, true)
	for name := range d.names() {
		r.lexer.terms(name)
	}
	r.lexer.yield = r.count(textWeight, false)
	r.lexer.terms(line.Head(d.Text, maxField))
	if d.Body != nil {
		r.lexer.yield = r.count(bodyWeight, false)
		r.lexer.terms(line.Head(d.Body(), maxField))
	}
	length := uint32(0)
	for _, id := range r.found {
		n := r.counts[id]
		length += n
		r.counts[id] = 0
		out.terms = append(out.terms, id)
		out.weights = append(out.weights, uint16(min(n, math.MaxUint16)))
	}
	r.found = r.found[:0]
	out.ends = append(out.ends, len(out.terms))
	out.lens = append(out.lens, length)
}

// count returns what counts a term of some weight in the document at hand,
// once or each time.
func (r *reader) count(weight uint32, once bool) func([]byte) {
	return func(term []byte) {
		id, ok := r.ids[string(term)]
		if !ok {
			id = uint32(len(r.terms))
			r.terms = append(r.terms, string(term))
			r.ids[r.terms[id]] = id
			r.counts = append(r.counts, 0)
		}
		switch {
		case r.counts[id] == 0:
			r.found = append(r.found, id)
		case once:
			return
		}
		r.counts[id] += weight
	}
}

// names yields the names that are read.
func (d *Doc) names() func(yield func(string) bool) {
	return func(yield func(string) bool) {
		room := maxField
		for _, n := range d.Names {
			if room -= len(n); room < 0 || !yield(n) {
				return
			}
		}
	}
}

// appendCalled appends the names that are read, folded; the empty one is none.
func (d *Doc) appendCalled(out []called, at uint32) []called {
	own := true
	for n := range d.names() {
		if n = names.Fold(n); n != "" {
			out = append(out, called{n, at, own})
		}
		own = false
	}
	return out
}
