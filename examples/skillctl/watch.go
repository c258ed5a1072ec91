package main

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/seed-12b313d8/skills"
)

// changeJSON is a change as watch --json prints it, on one line.
type changeJSON struct {
	Added      []string       `json:"added"`
	Changed    []string       `json:"changed"`
	Removed    []string       `json:"removed"`
	Generation uint64         `json:"generation"`
	Issues     []skills.Issue `json:"issues"`
}

// watch prints what changes until ctx ends, which is no failure.
func watch(ctx context.Context, a *app, _ []string) error {
	err := a.follow(ctx)
	switch {
	case err == nil, ctx.Err() != nil:
		return nil
	case a.flags.json: // on one line, as all that comes before
		_ = a.writeLine(map[string]any{"error": errorOf(err)}) // err may be that nobody reads
		return errPrinted
	}
	return err
}

func (a *app) follow(ctx context.Context) error {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	c, err := a.converse(ctx) // nested folders are watched once they are known
	if err != nil {
		return err
	}
	defer c.close()
	n := 0
	for range c.Skills(skills.CallerHost) {
		n++
	}
	changes := make(chan skills.Change)
	c.reg.Subscribe(func(c skills.Change) {
		select {
		case changes <- c:
		case <-ctx.Done():
		}
	})
	o := a.times
	o.Polling = a.flags.polling
	if err := c.reg.Watch(ctx, &o); err != nil {
		return err
	}
	if err := a.printWatching(n); err != nil {
		return err
	}
	return a.printChanges(ctx, changes)
}

// printWatching says that from now on no change is missed.
func (a *app) printWatching(n int) error {
	if a.flags.json {
		return a.writeLine(map[string]int{"watching": n})
	}
	_, err := fmt.Fprintf(a.errs, "watching %s\n", plural(n, "skill"))
	return err
}

// printChanges ends when ctx does, or when nobody reads any more.
func (a *app) printChanges(ctx context.Context, changes <-chan skills.Change) error {
	for {
		select {
		case <-ctx.Done():
			return nil
		case c := <-changes:
			if err := a.printChange(c); err != nil {
				return err
			}
		}
	}
}

func (a *app) printChange(c skills.Change) error {
	if a.flags.json {
		return a.writeLine(changeJSON{list0(c.Added), list0(c.Changed), list0(c.Removed), c.Generation, list0(c.Issues)})
	}
	var text string
	for _, l := range []struct {
		mark  string
		names []string
	}{{"+", c.Added}, {"~", c.Changed}, {"-", c.Removed}} {
		for _, name := range l.names {
			text += l.mark + " " + oneLine(name) + "\n"
		}
	}
	for _, i := range c.Issues {
		text += fmt.Sprintf("! %s [%s] %s\n", i.Severity, string(i.Code), oneLine(i.String()))
	}
	_, err := fmt.Fprint(a.out, text)
	return err
}

// writeLine prints v as JSON on one line.
func (a *app) writeLine(v any) error {
	enc := json.NewEncoder(a.out)
	enc.SetEscapeHTML(false)
	return enc.Encode(v)
}
