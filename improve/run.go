package improve

import (
	"context"
	"errors"

	"github.com/seed-12b313d8/skills"
)

// run looks for updates of each skill. It has a goroutine of its own.
func (i *Improver) run(messages []Message, targets []ref) {
	defer i.tally.leave()
	defer i.release()
	on := false
	i.call("the Enabled function", func() { on = i.opts.Enabled() })
	if !on {
		return
	}
	for _, t := range targets {
		if i.ctx.Err() != nil {
			return
		}
		p, err := i.detect(i.ctx, t, messages)
		switch {
		case err != nil:
			i.fail(err)
		case len(p.Updates) > 0 && i.ctx.Err() == nil:
			i.call("the Propose function", func() { i.opts.Propose(p) })
		}
	}
}

// detect asks the model for updates of one skill.
func (i *Improver) detect(ctx context.Context, t ref, messages []Message) (p Proposal, err error) {
	f, err := i.open(t)
	if err != nil {
		return p, err
	}
	defer f.close()
	d, err := f.read()
	if err != nil {
		return p, err
	}
	reply, err := i.ask(ctx, i.model, f.skill, detectSystem, detectPrompt(newFrame(), f.skill, d, messages))
	if err != nil {
		return p, err
	}
	updates, err := parseUpdates(reply)
	if err != nil {
		return p, failure(skills.CodePrompt, f.skill, "the model's reply about updates of the skill was not understood", "nothing was proposed; the next run asks again", err)
	}
	return Proposal{Skill: f.skill, Hash: d.hash(), Updates: updates}, nil
}

// call calls a function of the host. Whatever goes wrong in it, Failed hears
// of it.
func (i *Improver) call(what string, f func()) {
	i.tally.outside(func() {
		guarded(what, func() (struct{}, error) { f(); return struct{}{}, nil }, func(_ struct{}, err error) {
			if err != nil {
				i.fail(failure(skills.CodePrompt, nil, what+" failed", "see the cause", err))
			}
		})
	})
}

// fail tells Failed of an error, until the end. A panic in Failed itself is
// nobody's business.
func (i *Improver) fail(err error) {
	if i.opts.Failed == nil || i.ctx.Err() != nil {
		return
	}
	i.tally.outside(func() {
		guarded("the Failed function", func() (struct{}, error) { i.opts.Failed(err); return struct{}{}, nil }, func(struct{}, error) {})
	})
}

// An answer is what a model has said.
type answer struct {
	text string
	err  error
}

// ask calls a model and waits for its answer, the end of ctx, or Close.
func (i *Improver) ask(ctx context.Context, m Model, s *skills.Skill, system, prompt string) (string, error) {
	ctx, cancel := context.WithTimeoutCause(ctx, i.opts.Timeout, errTimeout)
	defer cancel()
	got := make(chan answer, 1)
	i.tally.fork()
	go func() {
		defer i.tally.leave()
		guarded("the Model function", func() (string, error) { return m(ctx, system, prompt, 0) },
			func(text string, err error) { got <- answer{text, err} })
	}()
	var a answer
	select {
	case a = <-got:
	case <-ctx.Done():
		a.err = context.Cause(ctx)
	}
	switch {
	case a.err == nil:
		return a.text, nil
	case ctx.Err() != nil && !errors.Is(context.Cause(ctx), errTimeout):
		return "", cancelled(ctx, s)
	case ctx.Err() != nil:
		return "", failure(skills.CodePrompt, s, "the model did not answer in time", "raise Options.Timeout, or ask a faster model", errTimeout)
	}
	return "", failure(skills.CodePrompt, s, "the model failed", "see the cause", a.err)
}

// errTimeout ends the context of a model that takes too long.
var errTimeout = errors.New("no answer within Options.Timeout")

// failure returns an error about s, which may be nil.
func failure(code skills.Code, s *skills.Skill, msg, hint string, cause error) *skills.Error {
	e := &skills.Error{Issue: skills.Issue{Code: code, Severity: "error", Msg: msg, Hint: hint}, Err: cause}
	if s != nil {
		e.Skill, e.Path = s.Name, s.Path
	}
	return e
}
