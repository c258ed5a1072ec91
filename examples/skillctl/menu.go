package main

import (
	"context"
	"fmt"

	"github.com/seed-12b313d8/skills"
)

// menuJSON is a menu as --json prints it.
type menuJSON struct {
	Menu []itemJSON `json:"menu"`
}

// itemJSON is what a user may type, as --json prints it.
type itemJSON struct {
	Name         string        `json:"name"`
	ArgumentHint string        `json:"argument_hint"`
	Description  string        `json:"description"`
	Origin       skills.Origin `json:"origin"`
	Plugin       string        `json:"plugin"`
	Locked       bool          `json:"locked"`
}

// menu prints what a user may type after "/", in the order a menu has.
func menu(ctx context.Context, a *app, words []string) error {
	prefix := ""
	if len(words) > 0 {
		prefix = words[0]
	}
	c, err := a.converse(ctx)
	if err != nil {
		return err
	}
	defer c.close()
	items := c.Menu(prefix)
	if a.flags.json {
		out := make([]itemJSON, len(items))
		for i, it := range items {
			s := skillOf(it.Skill)
			out[i] = itemJSON{s.Name, s.ArgumentHint, s.Description, s.Origin, s.Plugin, it.Locked}
		}
		writeJSON(a.out, menuJSON{out})
		return nil
	}
	if len(items) == 0 {
		fmt.Fprintf(a.errs, "there is nothing to type that begins with %q\n", prefix)
		return nil
	}
	a.printMenu(items)
	return nil
}

// The widths of a menu, in columns. They do not depend on the terminal, so
// that scripts and tests see what people see.
const (
	menuWidth      = 80
	nameLimit      = 28 // a longer name is not cut: it must be typed
	hintWidth      = 20
	labelLimit     = 24
	leastDescribed = 20 // what a description gets beside long names
)

// printMenu prints a line for each item: name, argument hint, where it comes
// from, and what fits of the description.
func (a *app) printMenu(items []skills.MenuItem) {
	g := grid{limits: []int{nameLimit, hintWidth, labelLimit, 0, 0}}
	for _, it := range items {
		mark := part{"", yellow}
		if it.Locked {
			mark.text = "locked"
		}
		g.add(part{"/" + it.Name, plain}, part{cutCells(it.ArgumentHint, hintWidth), plain}, part{label(it.Skill), plain}, mark, part{it.Description, plain})
	}
	g.fill(menuWidth, leastDescribed)
	g.print(a.canvas)
}

// label says where a skill comes from: its origin, and the plugin or folder
// that it belongs to.
func label(s *skills.Skill) string {
	if s.Owner == "" {
		return string(s.Origin)
	}
	return string(s.Origin) + " " + s.Owner
}
