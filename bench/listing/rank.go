package main

import (
	"math"
	"strings"
	"unicode"
)

// A scorer scores every line for a query; 0 is no match.
type scorer func(query string) []float64

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

// bm25 scores lines by the words they share with a query, the rare ones most
// (06 §4). A word that a query repeats counts again.
func bm25(lines []string) scorer {
	const saturation, lengthPart = 1.2, 0.75
	x := newIndex(lines, words)
	n := float64(len(lines))
	mean := 0.0
	for _, size := range x.sizes {
		mean += size / n
	}
	return func(query string) []float64 {
		scores := make([]float64, len(lines))
		for _, w := range words(query) {
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

// trigrams scores lines by the cosine of their character tri-grams with those
// of a query. It finds other forms of a word, which bm25 does not, and knows
// nothing of rare or common.
func trigrams(lines []string) scorer {
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
	r := []rune(" " + strings.Join(strings.FieldsFunc(strings.ToLower(text), isGap), " ") + " ")
	var out []string
	for i := 0; i+3 <= len(r); i++ {
		out = append(out, string(r[i:i+3]))
	}
	return out
}

// words returns the words of a text in lower case. Text written without
// blanks, such as Chinese, gives all pairs of neighbours.
func words(text string) []string {
	var out []string
	for _, run := range strings.FieldsFunc(strings.ToLower(text), isGap) {
		r := []rune(run)
		for from := 0; from < len(r); {
			to := from + 1
			for to < len(r) && isDense(r[to]) == isDense(r[from]) {
				to++
			}
			if !isDense(r[from]) || to == from+1 {
				out = append(out, string(r[from:to]))
			}
			for i := from; isDense(r[from]) && i+2 <= to; i++ {
				out = append(out, string(r[i:i+2]))
			}
			from = to
		}
	}
	return out
}

func isGap(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.IsMark(r) }

// isDense reports whether r belongs to a script without blanks between words.
func isDense(r rune) bool {
	return unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai)
}

// A finding is how well queries find their lines: sums until mean divides
// them.
type finding struct {
	Hit1 float64 `json:"hit1"`
	Hit5 float64 `json:"hit5"`
	MRR  float64 `json:"mrr"`
}

// add counts one query, whose line is the one at want. Lines of one score
// share their ranks: each is as likely to be the first of them.
func (f *finding) add(scores []float64, want int) {
	if scores[want] <= 0 {
		return
	}
	better, tied := 0, 0
	for _, s := range scores {
		switch {
		case s > scores[want]:
			better++
		case s == scores[want]:
			tied++
		}
	}
	share := func(k int) float64 { return float64(max(0, min(tied, k-better))) / float64(tied) }
	f.Hit1 += share(1)
	f.Hit5 += share(5)
	for rank := better + 1; rank <= better+tied; rank++ {
		f.MRR += 1 / float64(rank) / float64(tied)
	}
}

// mean divides the sums by the number of queries.
func (f finding) mean(queries int) finding {
	n := float64(max(queries, 1))
	return finding{round(f.Hit1 / n), round(f.Hit5 / n), round(f.MRR / n)}
}
