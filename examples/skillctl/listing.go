package main

import (
	"context"
	"fmt"
	"strings"
	"text/tabwriter"

	"github.com/seed-12b313d8/skills"
)

type reportJSON struct {
	Budget  int         `json:"budget"`
	Used    int         `json:"used"`
	Over    int         `json:"over"`
	Tier    string      `json:"tier"`
	Entries []entryJSON `json:"entries"`
}

type entryJSON struct {
	Name  string `json:"name"`
	State string `json:"state"`
	Chars int    `json:"chars"`
}

// listing prints what the model is told and what that costs.
func listing(ctx context.Context, a *app, _ []string) error {
	reg, sess, err := a.session(ctx)
	if err != nil {
		return err
	}
	defer reg.Close()
	sess.Touch(ctx, a.flags.touch...)
	n := skills.NewLister(sess, a.flags.lister()).Next()
	r := reportJSON{Budget: n.Report.Budget, Used: n.Report.Used, Over: n.Report.Over, Tier: n.Report.Tier, Entries: []entryJSON{}}
	for _, e := range n.Report.Entries {
		r.Entries = append(r.Entries, entryJSON(e))
	}
	if a.flags.json {
		writeJSON(a.out, map[string]any{"text": n.Text, "report": r, "issues": list0(n.Report.Issues)})
		return nil
	}
	a.printListing(n.Text, r)
	printIssues(a.out, n.Report.Issues)
	return nil
}

func (a *app) printListing(text string, r reportJSON) {
	if text == "" {
		fmt.Fprintln(a.out, "The model is told of no skill.")
		return
	}
	fmt.Fprintf(a.out, "%s\n\n%s  %d of %d characters, tier %s\n", text, bar(r.Used, r.Budget), r.Used, r.Budget, r.Tier)
	t := tabwriter.NewWriter(a.out, 0, 0, 2, ' ', 0)
	for _, e := range r.Entries {
		fmt.Fprintf(t, "%s\t%s\t%d\n", e.Name, e.State, e.Chars)
	}
	t.Flush()
}

// bar draws how much of the budget is used.
func bar(used, budget int) string {
	const width = 30
	n := min(width, (used*width+budget-1)/max(1, budget))
	return "[" + strings.Repeat("#", n) + strings.Repeat(".", width-n) + "]"
}
