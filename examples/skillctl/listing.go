package main

import (
	"context"
	"fmt"

	"github.com/seed-12b313d8/skills"
)

// listingJSON is a listing as --json prints it.
type listingJSON struct {
	Text   string         `json:"text"`
	Report reportJSON     `json:"report"`
	Issues []skills.Issue `json:"issues"`
}

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
	c, err := a.converse(ctx)
	if err != nil {
		return err
	}
	defer c.close()
	n := skills.NewLister(c.Session, a.flags.lister()).Next()
	r := reportJSON{Budget: n.Report.Budget, Used: n.Report.Used, Over: n.Report.Over, Tier: n.Report.Tier, Entries: []entryJSON{}}
	for _, e := range n.Report.Entries {
		r.Entries = append(r.Entries, entryJSON(e))
	}
	issues := append(n.Report.Issues, c.issues...)
	if a.flags.json {
		writeJSON(a.out, listingJSON{n.Text, r, list0(issues)})
		return nil
	}
	a.printListing(n.Text, r)
	printIssues(a.out, issues)
	return nil
}

// printListing prints the text, the bar of the budget, and a line for what
// became of each skill.
func (a *app) printListing(text string, r reportJSON) {
	if text == "" {
		fmt.Fprintln(a.out, "The model is told of no skill.")
		return
	}
	fmt.Fprintf(a.out, "%s\n\n", text)
	a.canvas.line(append(bar(r.Used, r.Budget), part{"  " + costs(r), plain})...)
	fmt.Fprintln(a.out)
	g := grid{limits: []int{40, 0}}
	for _, e := range r.Entries {
		g.add(part{e.Name, plain}, e.fate())
	}
	g.print(a.canvas)
}

// fate says what became of a skill, in the words of explain.
func (e entryJSON) fate() part {
	switch e.State {
	case "full":
		return part{"full, " + plural(e.Chars, "character"), plain}
	case "cut":
		return part{"cut to " + plural(e.Chars, "character"), yellow}
	case "omitted":
		return part{e.State, red}
	}
	return part{e.State, yellow}
}

// costs says what the bar draws.
func costs(r reportJSON) string {
	over := ""
	if r.Over > 0 {
		over = fmt.Sprintf(", %d over", r.Over)
	}
	return fmt.Sprintf("%d %%, %d of %d characters%s, tier %s", percent(r.Used, r.Budget), r.Used, r.Budget, over, r.Tier)
}
