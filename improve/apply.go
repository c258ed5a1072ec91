package improve

import (
	"context"

	"github.com/seed-12b313d8/skills"
)

// Apply writes what p proposes into the skill's file. Call it once somebody
// has approved of p; nothing else writes. It asks the model, at temperature 0,
// for the text with the updates worked in, and replaces the body of the file
// if (06 §5)
//
//   - the switch is on, and the skill that the session knows under p's name
//     and source is a SKILL.md of the project, a plain file with one name
//     inside [skills.Session.Root], not read-only, with no link on the way;
//   - the file still has p.Hash when the model has answered, and until the new
//     file is in its place, see below;
//   - the new text is complete, valid UTF-8 without control or invisible
//     characters that the old one does not have, not shorter than half of the
//     old one, another one than that, and within Options.MaxSize;
//   - its shell commands are those of the old one, each as often, however an
//     [skills.Invoker] is set to read fences, or p.Spans approves of just
//     that change.
//
// The frontmatter, byte order mark, line ends, mode and owner stay as they
// are. Placeholders such as $ARGUMENTS may come and go: what is put in their
// place is text. The file is replaced as a whole, and on disk when Apply
// returns nil. Where the system can swap files (Linux, macOS) nobody else's
// change of the file is ever lost; what happened to the file meanwhile then
// stands, and Apply returns an error. A registry that watches reloads the
// skill by itself, others need [skills.Registry.Reload].
//
// One Apply works at a time; others wait. Updates without a change are left out.
// Every error is a [*skills.Error] and
// says that nothing was written: [skills.CodeDenied] for a file that is not to
// be rewritten, [skills.CodeNotFound] for a skill the session does not know,
// [skills.CodeNeedsPermission] with a [*SpanChange] as its cause,
// [skills.CodeInvalid] for a proposal or a file that makes no sense, with
// [ErrChanged] as its cause if they do not go together, [skills.CodePrompt]
// for a model that fails or whose text is not accepted,
// [skills.CodeUnreadable] if the disk fails, and [skills.CodeCancelled] if ctx
// or the Improver ended.
func (i *Improver) Apply(ctx context.Context, p Proposal) error {
	if err := i.usable(p); err != nil {
		return err
	}
	if !i.tally.enter() {
		return failure(skills.CodeCancelled, p.Skill, "the Improver is closed", "make a new one", nil)
	}
	defer i.tally.leave()
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	defer context.AfterFunc(i.ctx, func() { cancel(context.Canceled) })()

	if err := i.enabled(ctx, p.Skill); err != nil {
		return err
	}
	var err error
	if i.writing.Do(ctx, func() { err = i.apply(ctx, p) }) != nil {
		return cancelled(ctx, p.Skill)
	}
	return err
}

func cancelled(ctx context.Context, s *skills.Skill) error {
	return failure(skills.CodeCancelled, s, "the work on the skill was cancelled", "call again", context.Cause(ctx))
}

// usable returns an error if p or i are not what they should be.
func (i *Improver) usable(p Proposal) error {
	switch {
	case i.sess == nil || i.opts.Rewrite == nil:
		return failure(skills.CodeInvalid, nil, "the Improver has no session or no model", "give both to New", nil)
	case p.Skill == nil:
		return failure(skills.CodeInvalid, nil, "the proposal names no skill", "use one that was given to Propose", nil)
	case len(p.Updates) == 0:
		return failure(skills.CodeInvalid, p.Skill, "the proposal has no updates", "use one that was given to Propose", nil)
	case len(p.Updates) > maxUpdates:
		return failure(skills.CodeInvalid, p.Skill, "the proposal has too many updates", "use one that was given to Propose", nil)
	}
	return nil
}

// enabled returns an error unless the switch is on. A switch that hangs is
// waited for until ctx ends.
func (i *Improver) enabled(ctx context.Context, s *skills.Skill) error {
	if i.opts.Enabled == nil {
		return failure(skills.CodeDenied, s, "self-improvement is switched off", "set Options.Enabled", nil)
	}
	type state struct {
		on  bool
		err error
	}
	got := make(chan state, 1)
	i.tally.fork()
	go func() {
		defer i.tally.leave()
		i.tally.outside(func() {
			guarded("the Enabled function", func() (bool, error) { return i.opts.Enabled(), nil },
				func(on bool, err error) { got <- state{on, err} })
		})
	}()
	select {
	case st := <-got:
		if st.err != nil || !st.on {
			return failure(skills.CodeDenied, s, "self-improvement is switched off", "switch it on", st.err)
		}
		return nil
	case <-ctx.Done():
		return cancelled(ctx, s)
	}
}

// apply does the work of one Apply.
func (i *Improver) apply(ctx context.Context, p Proposal) error {
	f, err := i.open(ref{p.Skill.Name, p.Skill.Source, p.Skill.Owner})
	if err != nil {
		return err
	}
	defer f.close()
	old, err := f.read()
	if err != nil {
		return err
	}
	if old.hash() != p.Hash {
		return f.changed(nil)
	}
	updates, err := cleanUpdates(p.Updates)
	if err != nil {
		return failure(skills.CodeInvalid, f.skill, "the updates of the proposal say no change", "use one that was given to Propose", err)
	}
	fr := newFrame()
	reply, err := i.ask(ctx, i.opts.Rewrite, f.skill, rewriteSystem, rewritePrompt(fr, f.skill, old, updates))
	if err != nil {
		return err
	}
	now, err := f.accept(old, fr, reply, p.Spans)
	if err != nil {
		return err
	}
	if ctx.Err() != nil {
		return cancelled(ctx, f.skill)
	}
	return f.swap(old, now)
}
