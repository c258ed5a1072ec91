package bm25

import (
	"cmp"
	"math"
	"slices"
	"sort"
	"strings"
)

// A Doc is one thing to find.
type Doc struct {
	// Key is the identity: a document whose key the index before held is
	// unchanged and not looked at again, and two of one key in one build are the
	// same document. Nil, and what cannot be compared, is equal to no key.
	Key any
	// Names are what the document is called, its own name first. A term counts
	// 3 if any of them has it, however many do. They are read as far as they
	// have 64 KiB together.
	Names []string
	// Text is the description; its terms count 2. Its first 64 KiB are read.
	Text string
	// Body returns the body, whose terms count 1, or is nil. Its first 64 KiB
	// are read. It is called at most once in a build, and never for a document
	// that the index before held.
	Body func() string
}

// An Index finds documents. It never changes and is safe for concurrent use.
// The zero Index is empty.
//
// It holds 6 bytes for each different term of a document, its terms once, and
// of the documents themselves only the keys and the names.
type Index struct {
	keys    []any    // of the documents; nil where there is none to compare
	lens    []uint32 // sums of the counts of their terms
	mean    float64  // of lens
	called  []called // sorted by name, then by document
	terms   dictionary
	ends    []int    // where the postings of each term end
	posts   []uint32 // documents, for each term
	weights []uint16 // counts of the term in them; 65,535 stands for more too
}

// A called is one name of a document.
type called struct {
	name string // folded
	doc  uint32
	own  bool // the first name
}

// compare orders by name and document; a document's own name comes first.
func (c called) compare(d called) int {
	if n := strings.Compare(c.name, d.name); n != 0 {
		return n
	}
	switch n := cmp.Compare(c.doc, d.doc); {
	case n != 0 || c.own == d.own:
		return n
	case c.own:
		return -1
	}
	return 1
}

// The usual values; bench/search finds none that are better everywhere.
const (
	saturation = 1.2  // k1: how little a repeated term adds
	lengthPart = 0.75 // b: how much long documents are held back
)

// norm returns what a count is held against in a document of some length. The
// conversions here and in gain keep sums from being fused, so that equal terms
// score alike on all machines and in all places.
func (x *Index) norm(length uint32) float64 {
	if x.mean == 0 {
		return saturation
	}
	return (1-lengthPart)*saturation + float64(lengthPart*saturation/x.mean*float64(length))
}

// gain returns what a term adds to the score of a document.
func gain(weight float64, count uint16, norm float64) float64 {
	tf := float64(count)
	return float64(weight * tf / (tf + norm))
}

// weight returns the highest gain of a term that df documents have.
func (x *Index) weight(df int) float64 {
	n := float64(len(x.lens))
	return (saturation + 1) * math.Log(1+(n-float64(df)+0.5)/(float64(df)+0.5))
}

// postings returns the documents that have a term, and their counts.
func (x *Index) postings(term int) ([]uint32, []uint16) {
	from := 0
	if term > 0 {
		from = x.ends[term-1]
	}
	return x.posts[from:x.ends[term]], x.weights[from:x.ends[term]]
}

// named returns the entries of a folded name.
func (x *Index) named(name string) []called {
	from, _ := slices.BinarySearchFunc(x.called, name, func(c called, s string) int { return strings.Compare(c.name, s) })
	to := from
	for to < len(x.called) && x.called[to].name == name {
		to++
	}
	return x.called[from:to]
}

// A dictionary numbers terms in their order.
type dictionary struct {
	text string
	ends []int
}

func (d *dictionary) at(i int) string {
	if i == 0 {
		return d.text[:d.ends[0]]
	}
	return d.text[d.ends[i-1]:d.ends[i]]
}

// find returns the number of a term.
func (d *dictionary) find(term string) (int, bool) {
	return sort.Find(len(d.ends), func(i int) int { return strings.Compare(term, d.at(i)) })
}
