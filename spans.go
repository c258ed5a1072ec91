package skills

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/seed-12b313d8/skills/internal/guard"
	"github.com/seed-12b313d8/skills/internal/shellrun"
	"github.com/seed-12b313d8/skills/internal/template"
)

const (
	wasCancelled = "the invocation was cancelled"
	callAgain    = "call again"
)

// spans runs the commands of one rendering (04 §4).
type spans struct {
	*rendering
	values template.Values
	line   int // of the file, before the body's first
}

// run returns what stands in the place of each command, and whether an
// argument's value reached any.
func (s *spans) run(ctx context.Context, tokens []template.Token) (texts []string, replaced bool, err error) {
	if why := s.off(); why != "" {
		s.warn("shell-disabled", "", commandCount(len(tokens))+" not run: "+why, "")
		return slices.Repeat([]string{"[shell command not run: " + why + "]"}, len(tokens)), false, nil
	}
	opts := &s.inv.opts
	o := shellrun.Options{Values: s.values, Shell: s.skill.Shell, Splice: opts.UnsafeSplice, Markers: opts.Inline, Run: s.call}
	if len(s.policy.Deny) > 0 {
		o.Denied = s.denied
	}
	if opts.AllowCommand != nil {
		o.Allow = s.allow
	}
	out, failure := shellrun.Run(ctx, tokens, o)
	if failure != nil {
		return nil, false, s.failed(failure)
	}
	for _, f := range out.Marked { // issues are logged, so the output stays out of them
		i := s.failed(f).Issue
		i.Severity, i.Msg = sevWarning, f.Brief()
		s.issues = append(s.issues, i)
	}
	return out.Texts, out.Replaced, nil
}

func commandCount(n int) string {
	if n == 1 {
		return "a shell command was"
	}
	return fmt.Sprintf("%d shell commands were", n)
}

// off says why no command of the skill may run, or "".
func (s *spans) off() string {
	switch {
	case s.skill.Degraded:
		return "the skill's frontmatter could not be read"
	case !s.trusted:
		return "the skill is not trusted"
	case s.inv.opts.Shell == nil:
		return "this program runs no commands"
	case s.dry:
		return "the skill is only shown"
	}
	return ""
}

// denied names the Deny rule that a command meets.
func (s *spans) denied(c shellrun.Command) (string, bool) {
	r, ok := s.policy.deniedCommand(c.Shell, c.Text)
	return r.String(), ok
}

// allow asks the host's AllowCommand.
func (s *spans) allow(ctx context.Context, c shellrun.Command) error {
	_, err := guard.Call("the AllowCommand function", func() (struct{}, error) { return struct{}{}, s.inv.opts.AllowCommand(ctx, s.command(c)) })
	return err
}

// command returns c for the host to keep.
func (s *spans) command(c shellrun.Command) Command {
	return Command{Text: c.Text, Dir: s.inv.sess.opts.Dir, Shell: c.Shell, Env: slices.Clone(c.Env), Skill: s.skill}
}

// failed returns the error of one command.
func (s *spans) failed(f *shellrun.Failure) *Error {
	if e, ok := f.Err.(*Error); ok && f.Whole {
		return e
	}
	e := newError(Code(f.Code), f.Msg, f.Hint).about(s.skill).because(f.Err)
	e.Line = s.line + f.Line
	return e
}

// call hands a command to the host's shell, and completes an error of it.
func (s *spans) call(ctx context.Context, c shellrun.Command) (shellrun.Result, *shellrun.Failure) {
	res, err := guard.Call("the Shell function", func() (CommandResult, error) { return s.inv.opts.Shell(ctx, s.command(c)) })
	if err == nil {
		return shellrun.Result(res), nil
	}
	var e *Error
	if !errors.As(err, &e) {
		return shellrun.Result{}, c.Broken(ctx, err)
	}
	mine := *e
	mine.Skill, mine.Path, mine.skill = cmp.Or(e.Skill, s.skill.Name), cmp.Or(e.Path, s.skill.Path), s.skill
	if mine.Path == s.skill.Path { // it may be that of something else
		mine.Line = cmp.Or(e.Line, s.line+c.Line())
	}
	if res.Output != "" && e.Code == CodeShellFailed {
		mine.Msg += shellrun.Tail(res.Output)
	}
	return shellrun.Result{}, &shellrun.Failure{Code: string(e.Code), Msg: mine.Msg, Err: &mine, Whole: true}
}
