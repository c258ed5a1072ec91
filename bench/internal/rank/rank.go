// Package rank scores texts for a query in the simplest ways, and counts how well
// queries find the texts they should.
package rank

import (
	"math"
	"strings"

	"github.com/seed-12b313d8/skills/bench/internal/corpus"
)

// A Scorer scores every line for a query; 0 is no match.
type Scorer func(query string) []float64

// A posting says how often something is in a line.
type posting struct {
	line  int
	count float64
}

// An index knows which lines have a term.
type index struct {
	postings map[string][]posting
	sizes    []float64 // terms of each line
}

func newIndex(lines []string, terms func(string) []string) index {
	x := index{make(map[string][]posting), make([]float64, len(lines))}
	for i, l := range lines {
		for _, t := range terms(l) {
			x.sizes[i]++
			p := x.postings[t]
			if n := len(p); n > 0 && p[n-1].line == i {
				p[n-1].count++
				continue
			}
			x.postings[t] = append(p, posting{i, 1})
		}
	}
	return x
}

// BM25 scores lines by the words they share with a query, the rare ones most
// (06 §4). A word that a query repeats counts again.
func BM25(lines []string) Scorer {
	const saturation, lengthPart = 1.2, 0.75
	x := newIndex(lines, corpus.Words)
	n := float64(len(lines))
	mean := 0.0
	for _, size := range x.sizes {
		mean += size / n
	}
	return func(query string) []float64 {
		scores := make([]float64, len(lines))
		for _, w := range corpus.Words(query) {
			found := x.postings[w]
			df := float64(len(found))
			idf := math.Log(1 + (n-df+0.5)/(df+0.5))
			for _, p := range found {
				norm := 1 - lengthPart + lengthPart*x.sizes[p.line]/mean
				scores[p.line] += idf * p.count * (saturation + 1) / (p.count + saturation*norm)
			}
		}
		return scores
	}
}

// Trigrams scores lines by the cosine of their character tri-grams with those
// of a query. It finds other forms of a word, which BM25 does not, and knows
// nothing of rare or common.
func Trigrams(lines []string) Scorer {
	x := newIndex(lines, grams)
	squares := make([]float64, len(lines))
	for _, found := range x.postings {
		for _, p := range found {
			squares[p.line] += p.count * p.count
		}
	}
	return func(query string) []float64 {
		scores := make([]float64, len(lines))
		square := 0.0
		q := newIndex([]string{query}, grams)
		for t, own := range q.postings { // sums of whole numbers: any order will do
			square += own[0].count * own[0].count
			for _, p := range x.postings[t] {
				scores[p.line] += own[0].count * p.count
			}
		}
		for i := range scores {
			if scores[i] > 0 {
				scores[i] /= math.Sqrt(square * squares[i])
			}
		}
		return scores
	}
}

// grams returns the runs of three characters in the words of a text, blanks
// around each word included.
func grams(text string) []string {
	r := []rune(" " + strings.Join(strings.FieldsFunc(strings.ToLower(text), corpus.IsGap), " ") + " ")
	var out []string
	for i := 0; i+3 <= len(r); i++ {
		out = append(out, string(r[i:i+3]))
	}
	return out
}
