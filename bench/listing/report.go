package main

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"github.com/seed-12b313d8/skills/bench/internal/rank"
)

func (r *result) writeJSON(w io.Writer) error {
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	return e.Encode(r)
}

// writeTable writes one aligned table; shares are in percent.
func (r *result) writeTable(w io.Writer) error {
	fmt.Fprintf(w, "%d of %d skill files are told to a model; %d of these have %d queries.\n", r.Skills, r.Files, r.Asked, r.Queries)
	fmt.Fprintf(w, "Budget: %d characters. Seed %d, %d sets of each size.\n", r.Budget, r.Seed, r.Samples)
	fmt.Fprint(w, "used, text: characters of a listing, and of a line besides its name. @1, @5, changed: percent.\n\n")
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "skills\tmode\ttier\t  used\ttext\tbm25 @1\t   @5\t  mrr\t tri @1\t   @5\t  mrr\tchanged")
	for _, row := range r.Rows {
		fmt.Fprintf(t, "%6d\t%s\t%s\t%6.0f\t%4.0f\t%s\t%s\t%7.1f\n", row.Size, row.Mode, strings.Join(row.Tiers, "+"),
			row.Used, row.Text, cells(row.BM25), cells(row.Trigram), 100*row.Changed)
	}
	return t.Flush()
}

func cells(f rank.Finding) string {
	return fmt.Sprintf("%7.1f\t%5.1f\t%5.3f", 100*f.Hit1, 100*f.Hit5, f.MRR)
}
