package main

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/seed-12b313d8/skills"
)

// readme: begin

// open finds the skills of the user and of the project, which is the folder at
// or above dir that holds .git. The caller closes the registry.
func open(ctx context.Context, home, dir string) (*skills.Registry, error) {
	reg, err := skills.Open(ctx, &skills.Options{Locations: skills.Locations{Home: home, Dir: dir}})
	if err != nil {
		return nil, err
	}
	if err := reg.Watch(ctx, nil); err != nil { // edits on disk count from the next turn on
		return nil, errors.Join(err, reg.Close())
	}
	return reg, nil
}

// A host is one conversation with a model.
type host struct {
	sess    *skills.Session
	lister  *skills.Lister
	inv     *skills.Invoker
	base    skills.Settings   // the host's own
	inForce []skills.Modifier // what skills change, in order
	out     io.Writer         // stands for the context
}

// newHost makes the host of a session.
func newHost(sess *skills.Session, out io.Writer) *host {
	return &host{
		sess:   sess,
		lister: skills.NewLister(sess, &skills.ListerOptions{ContextWindow: 200_000}),
		inv:    skills.NewInvoker(sess, &skills.InvokerOptions{Confirm: askTheUser}),
		out:    out,
	}
}

// tell adds to the context what the model has not been told of the skills.
func (h *host) tell() {
	if l := h.lister.Next(); l.Text != "" {
		fmt.Fprintln(h.out, l.Text)
		h.lister.Commit(l)
	}
}

// settings returns those of the next request to the model.
func (h *host) settings() skills.Settings {
	s := h.base
	for _, m := range h.inForce {
		s = m.Apply(s)
	}
	return s
}

// userMessage ends what skills changed for the last turn only.
func (h *host) userMessage(text string) {
	var rest []skills.Modifier
	for _, m := range h.inForce {
		if m, ok := m.EndTurn(); ok {
			rest = append(rest, m)
		}
	}
	h.inForce = rest
	fmt.Fprintln(h.out, "\nuser:", text)
	h.tell()
}

// skillTool answers the model's call of the tool that Lister.Tools describes.
func (h *host) skillTool(ctx context.Context, input string) (result string, err error) {
	call, err := skills.ParseToolCall([]byte(input))
	if err != nil {
		return "", err // ForModel of a *skills.Error is the text of the result
	}
	call.Settings = h.settings()
	out, err := h.inv.Invoke(ctx, call)
	switch o := out.(type) {
	case *skills.Inline:
		h.inForce = append(h.inForce, o.Modifier)
		return skills.Text(o.Content), nil
	case *skills.Fork: // only the summary comes back
		return skills.Text(o.Result(runSubAgent(h.sess.Child("sub-agent", o), o))), nil
	}
	return "", err
}

// readme: end
