package main

import (
	"context"
	"fmt"
	"strings"

	"github.com/seed-12b313d8/skills"
)

// searchJSON is what a search finds as --json prints it.
type searchJSON struct {
	Results []resultJSON `json:"results"`
}

type resultJSON struct {
	Name        string        `json:"name"`
	Score       float64       `json:"score"`
	Description string        `json:"description"`
	Origin      skills.Origin `json:"origin"`
}

// maxResults is the most that --limit may ask for, which is the library's own
// bound.
const maxResults = 1_000

// checkSearch looks at what --limit says.
func (f *flags) checkSearch() error {
	if f.limit < 1 || f.limit > maxResults {
		return fmt.Errorf("--limit is a number of skills from 1 to %d", maxResults)
	}
	return nil
}

// search prints what the model would find with the words as its query.
func search(ctx context.Context, a *app, words []string) error {
	query := strings.Join(words, " ")
	if strings.TrimSpace(query) == "" {
		return usageError("search QUERY, which is not blank")
	}
	c, err := a.converse(ctx)
	if err != nil {
		return err
	}
	defer c.close()
	stop := a.working("searching")
	hits, err := c.Search(ctx, query, a.flags.limit)
	stop()
	if err != nil {
		return err
	}
	switch {
	case a.flags.json:
		writeJSON(a.out, resultsOf(hits))
	case len(hits) == 0:
		fmt.Fprintf(a.errs, "there is no skill that matches %q\n", query)
	default:
		a.printHits(hits)
	}
	return nil
}

func resultsOf(hits []skills.Hit) searchJSON {
	out := searchJSON{make([]resultJSON, len(hits))}
	for i, h := range hits {
		out.Results[i] = resultJSON{h.Name, h.Score, h.Description, h.Origin}
	}
	return out
}

// printHits prints a line for each hit, in the widths of a menu: score, name,
// origin, and what fits of the description.
func (a *app) printHits(hits []skills.Hit) {
	g := grid{limits: []int{0, nameLimit, labelLimit, 0}}
	widest := len(score(hits[0])) // the first is the best
	for _, h := range hits {
		g.add(part{fmt.Sprintf("%*s", widest, score(h)), plain}, part{h.Name, plain}, part{string(h.Origin), plain}, part{h.Description, plain})
	}
	g.fill(menuWidth, leastDescribed)
	g.print(a.canvas)
}

func score(h skills.Hit) string { return fmt.Sprintf("%.2f", h.Score) }
