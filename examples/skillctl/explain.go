package main

import (
	"context"
	"fmt"

	"github.com/seed-12b313d8/skills"
)

// explain says why a skill is or is not there. It fails if there is none of
// that name, after saying so.
func explain(ctx context.Context, a *app, args []string) error {
	reg, sess, err := a.session(ctx)
	if err != nil {
		return err
	}
	defer reg.Close()
	sess.Touch(ctx, a.flags.touch...)
	lister := skills.NewLister(sess, a.flags.lister())
	lister.Commit(lister.Next()) // as the model of this conversation would be told
	e := sess.Explain(args[0])
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
