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

// A query is what somebody looks for.
type query struct {
	terms []queryTerm // in the order of their first place
	name  string      // folded; "" cannot be a name
	top   float64     // more than any document scores by terms
}

type queryTerm struct {
	text   string
	number int     // in the index, or none
	weight float64 // the highest gain, times how often the query has the term
}

// query reads text as a query.
func (x *Index) query(text string) *query {
	q := new(query)
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
func (q *query) exact(own bool) float64 {
	if own {
		return 2 * q.top
	}
	return q.top
}

// Find ranks the documents that share a term with the query or have it as a
// name, letter case, white space and NFC apart. It costs time linear in their
// number and in that of the postings of the terms.
//
// The query is read up to 8 KiB and 256 different terms; what is longer is
// nobody's name.
func (x *Index) Find(text string) *Hits {
	q := x.query(text)
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

// Score returns what d, which need not be in the index, scores for a query, and
// 0 if it is no hit. Terms are as rare as the index has them: a document that is
// in it scores what [Hits.Next] says. It reads d and calls its Body.
func (x *Index) Score(text string, d Doc) float64 {
	q := x.query(text)
	r, found := newReader(), new(reading)
	r.read(&d, found)
	counts := make(map[string]uint16, len(found.terms))
	for i, id := range found.terms {
		counts[r.terms[id]] = found.weights[i]
	}
	score, norm := 0.0, x.norm(found.lens[0])
	for _, t := range q.terms {
		if n := counts[t.text]; n > 0 {
			score += gain(t.weight, n, norm)
		}
	}
	return score + x.exactly(q, &d)
}

// exactly returns what the names of d add to its score.
func (x *Index) exactly(q *query, d *Doc) float64 {
	best := 0.0
	for _, c := range d.appendCalled(nil, 0) {
		if c.name == q.name {
			best = max(best, q.exact(c.own))
		}
	}
	return best
}
