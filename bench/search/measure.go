package main

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"github.com/seed-12b313d8/skills/bench/internal/rank"
	"github.com/seed-12b313d8/skills/internal/bm25"
)

// A variant is what is searched.
type variant struct {
	name string
	of   func(e entry) entry
}

// headLen is how much of a description the second variant has, in characters.
const headLen = 250

func variants() []variant {
	return []variant{
		{"name only", func(e entry) entry { return entry{names: e.names} }},
		{"name + 250 characters", func(e entry) entry {
			text := []rune(e.text)
			return entry{names: e.names, text: string(text[:min(len(text), headLen)])}
		}},
		{"name + description + body", func(e entry) entry { return e }},
	}
}

// An engine makes a scorer of entries.
type engine struct {
	name string
	of   func(entries []entry) rank.Scorer
}

func engines() []engine {
	return []engine{
		{"library", library},
		{"plain BM25", func(entries []entry) rank.Scorer { return naive(entries, 1, 1) }},
		{"plain BM25, repeated", func(entries []entry) rank.Scorer { return naive(entries, 3, 2) }},
	}
}

func library(entries []entry) rank.Scorer {
	docs := make([]bm25.Doc, len(entries))
	for i, e := range entries {
		docs[i] = bm25.Doc{Names: e.names, Text: e.text, Body: func() string { return e.body }}
	}
	x := bm25.Build(nil, docs)
	return func(query string) []float64 {
		scores := make([]float64, len(docs))
		for h := x.Query(query).Find(); ; {
			doc, score, ok := h.Next()
			if !ok {
				return scores
			}
			scores[doc] = score
		}
	}
}

// naive has names and descriptions so many times.
func naive(entries []entry, names, texts int) rank.Scorer {
	lines := make([]string, len(entries))
	for i, e := range entries {
		lines[i] = strings.Repeat(strings.Join(e.names, " ")+" ", names) + strings.Repeat(e.text+" ", texts) + e.body
	}
	return rank.BM25(lines)
}

// A row is how one engine does in one variant.
type row struct {
	Searched string `json:"searched"`
	Engine   string `json:"engine"`
	rank.Finding
}

// A result is everything measured, with what it was measured on.
type result struct {
	Files   int    `json:"files"`   // skill files in the folder
	Skills  int    `json:"skills"`  // those a model is told of
	Asked   int    `json:"asked"`   // those that have queries
	Queries int    `json:"queries"` // all of them
	From    string `json:"from"`    // where queries come from
	Rows    []row  `json:"rows"`
}

func measure(entries []entry) *result {
	r := &result{Skills: len(entries)}
	for _, e := range entries {
		r.Queries += len(e.queries)
		r.Asked += min(1, len(e.queries))
	}
	for _, v := range variants() {
		searched := make([]entry, len(entries))
		for i, e := range entries {
			searched[i] = v.of(e)
		}
		for _, engine := range engines() {
			f := ask(entries, engine.of(searched))
			r.Rows = append(r.Rows, row{v.name, engine.name, f.Mean(r.Queries)})
		}
	}
	return r
}

// ask puts all queries.
func ask(entries []entry, score rank.Scorer) rank.Finding {
	var f rank.Finding
	for i, e := range entries {
		for _, q := range e.queries {
			f.Add(score(q), i)
		}
	}
	return f
}

func (r *result) writeJSON(w io.Writer) error {
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	return e.Encode(r)
}

// writeTable writes one aligned table; shares are in percent.
func (r *result) writeTable(w io.Writer) error {
	fmt.Fprintf(w, "%d of %d skill files are told to a model; %d of these have %d queries, from the %s.\n\n", r.Skills, r.Files, r.Asked, r.Queries, r.From)
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "searched\tengine\thit@1\thit@5\thit@10\t  mrr")
	for _, row := range r.Rows {
		fmt.Fprintf(t, "%s\t%s\t%5.1f\t%5.1f\t%6.1f\t%5.3f\n", row.Searched, row.Engine, 100*row.Hit1, 100*row.Hit5, 100*row.Hit10, row.MRR)
	}
	return t.Flush()
}
