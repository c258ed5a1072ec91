package bm25

import (
	"github.com/seed-12b313d8/skills/internal/line"
	"github.com/seed-12b313d8/skills/internal/names"
)

// Bounds of what is read of a query.
const (
	maxQuery = 8 << 10 // bytes
	maxTerms = 256     // different terms
)

// A Query is what somebody looks for in one index. It never changes and is safe
// for concurrent use.
type Query struct {
	index *Index
	terms []queryTerm // in the order of their first place
	name  string      // folded; "" cannot be a name
	top   float64     // more than any document scores by terms
}

type queryTerm struct {
	text   string
	number int     // in the index, or none
	weight float64 // the highest gain, times how often the query has the term
}

// Query reads text as a query, up to 8 KiB and 256 different terms; what is
// longer is nobody's name.
func (x *Index) Query(text string) *Query {
	q := &Query{index: x}
	if len(text) <= maxQuery {
		q.name = names.Fold(text)
	}
	times := make(map[string]float64)
	l := lexer{yield: func(term []byte) {
		if _, ok := times[string(term)]; !ok {
			if len(times) == maxTerms {
				return
			}
			q.terms = append(q.terms, queryTerm{text: string(term)})
		}
		times[string(term)]++
	}}
	l.terms(line.Head(text, maxQuery))
	q.top = 1
	for i := range q.terms {
		t := &q.terms[i]
		df := 0
		t.number = none
		if n, ok := x.terms.find(t.text); ok {
			docs, _ := x.postings(n)
			t.number, df = n, len(docs)
		}
		t.weight = times[t.text] * x.weight(df)
		q.top += t.weight
	}
	return q
}

// exact returns what an exact name adds to the score of a document: enough to
// come before all that share terms only, and a document's own name before
// others.
func (q *Query) exact(own bool) float64 {
	if own {
		return 2 * q.top
	}
	return q.top
}

// Find ranks the documents that share a term with the query or have it as a
// name, letter case, white space and NFC apart. It costs time linear in their
// number and in that of the postings of the terms.
func (q *Query) Find() *Hits {
	x := q.index
	h := &Hits{scores: make([]float64, len(x.lens))}
	for _, t := range q.terms {
		if t.number == none {
			continue
		}
		docs, counts := x.postings(t.number)
		for i, doc := range docs {
			h.scores[doc] += gain(t.weight, counts[i], x.norm(x.lens[doc]))
		}
	}
	if q.name != "" {
		for _, c := range x.named(q.name) {
			h.scores[c.doc] += q.exact(c.own)
		}
	}
	h.collect()
	return h
}

// A Loose document is in no index. It never changes and is safe for concurrent
// use.
type Loose struct {
	counts map[string]uint16
	length uint32
	called []called
}

// Read reads a document that is to be scored by the statistics of indexes that
// it is not in. It calls d.Body; d.Key counts for nothing.
func Read(d Doc) *Loose {
	r, found := newReader(), new(reading)
	r.read(&d, found)
	l := &Loose{counts: make(map[string]uint16, len(found.terms)), length: found.lens[0], called: d.appendCalled(nil, 0)}
	for i, id := range found.terms {
		l.counts[r.terms[id]] = found.weights[i]
	}
	return l
}

// Score returns what a document scores, and 0 if it is no hit. Terms are as rare
// as the index has them, so a document that is in it too scores what [Hits.Next]
// says.
func (q *Query) Score(l *Loose) float64 {
	score, norm := 0.0, q.index.norm(l.length)
	for _, t := range q.terms {
		if n := l.counts[t.text]; n > 0 {
			score += gain(t.weight, n, norm)
		}
	}
	best := 0.0
	for _, c := range l.called {
		if c.name == q.name {
			best = max(best, q.exact(c.own))
		}
	}
	return score + best
}
