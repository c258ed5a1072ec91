package main

import (
	"context"
	"fmt"

	"github.com/seed-12b313d8/skills"
)

// explain says why a skill is or is not there. It fails if there is none of
// that name, after saying so.
func explain(ctx context.Context, a *app, args []string) error {
	c, err := a.converse(ctx)
	if err != nil {
		return err
	}
	defer c.close()
	lister := skills.NewLister(c.Session, a.flags.lister())
	lister.Commit(lister.Next()) // as the model of this conversation would be told
	e := c.Explain(args[0])
	for i := range e.Issues {
		a.advise(ctx, c, args[0], &e.Issues[i])
	}
	if a.flags.json {
		writeJSON(a.out, e)
	} else {
		fmt.Fprint(a.out, e)
	}
	if e.Winner == nil {
		return errPrinted
	}
	return nil
}
