package main

import (
	"context"

	"github.com/seed-12b313d8/skills"
)

// A conversation is a new session with the skills that the flags point at, in
// which what --touch names has been touched.
type conversation struct {
	*skills.Session
	reg    *skills.Registry
	issues []skills.Issue // of what --touch has found
}

// converse reads the skills. Close the conversation.
func (a *app) converse(ctx context.Context) (*conversation, error) {
	defer a.working("reading skills")()
	loc, err := a.flags.locations()
	if err != nil {
		return nil, err
	}
	reg, err := skills.Open(ctx, &skills.Options{
		Locations: loc, Sources: a.flags.sources(), Policy: a.flags.policy,
		CaseSensitivePaths: a.flags.caseSensitive, SearchBodies: a.flags.bodies,
	})
	if err != nil {
		return nil, err
	}
	sess := reg.NewSession("skillctl", nil)
	return &conversation{sess, reg, sess.Touch(ctx, a.flags.touch...).Issues}, nil
}

func (c *conversation) close() { _ = c.reg.Close() } // which never fails

// find returns the skill that answers to name. If there is none, the error
// says which flag would help.
func (a *app) find(ctx context.Context, c *conversation, name string) (*skills.Skill, error) {
	s, err := c.Lookup(name)
	return s, a.advised(ctx, c, name, err)
}
