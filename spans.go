package skills

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/seed-12b313d8/skills/internal/shellspan"
	"github.com/seed-12b313d8/skills/internal/template"
)

const (
	// maxCommands is how many commands of one skill run at a time.
	maxCommands = 4

	// outputEnds introduces the output in the text of an error.
	outputEnds = "; its output ends: "

	wasCancelled = "the invocation was cancelled"
	callAgain    = "call again"

	// tailChars is how much of a failed command's output an error carries.
	tailChars = 500
)

// spans runs the commands of one rendering. Nothing runs before all of them
// have been rewritten and allowed (04 §4).
type spans struct {
	*rendering
	values template.Values
	line   int // of the file, before the body's first
}

// A prepared command is one that may run.
type prepared struct {
	Command
	token    template.Token
	replaced bool // an argument's value reaches it
}

// run returns what stands in the place of each command, and whether an
// argument's value reached any.
func (s *spans) run(ctx context.Context, tokens []template.Token) (texts []string, replaced bool, err error) {
	if len(tokens) == 0 {
		return nil, false, nil
	}
	if why := s.off(); why != "" {
		s.issue("shell-disabled", sevWarning, "", commandCount(len(tokens))+" not run: "+why, "")
		return slices.Repeat([]string{notRun(why)}, len(tokens)), false, nil
	}
	if !s.knownShell() {
		return nil, false, s.failed(tokens[0], CodeShellUnavailable, fmt.Sprintf("the shell %q is unknown", s.skill.Shell), `write "shell: bash" or "shell: powershell", or leave it out`, nil)
	}
	commands := make([]*prepared, len(tokens))
	for i, t := range tokens {
		if commands[i], err = s.prepare(ctx, t, s.dialect()); err != nil {
			return nil, false, err
		}
		replaced = replaced || commands[i].replaced
	}
	texts, err = s.runAll(ctx, commands)
	return texts, replaced, err
}

func commandCount(n int) string {
	if n == 1 {
		return "a shell command was"
	}
	return fmt.Sprintf("%d shell commands were", n)
}

func notRun(why string) string { return "[shell command not run: " + why + "]" }

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

// knownShell reports whether the skill's commands may run in what it names. One
// that is unknown must not be taken for bash.
func (s *spans) knownShell() bool {
	return slices.Contains([]string{"", "bash", "powershell"}, s.skill.Shell)
}

// dialect returns the language that the skill's commands are written in.
func (s *spans) dialect() shellspan.Dialect {
	if s.skill.Shell == "powershell" {
		return shellspan.PowerShell
	}
	return shellspan.Bash
}

// prepare rewrites one command and asks whether it may run.
func (s *spans) prepare(ctx context.Context, t template.Token, d shellspan.Dialect) (*prepared, error) {
	p := &prepared{token: t, Command: Command{Dir: s.inv.sess.opts.Dir, Shell: s.skill.Shell, Skill: s.skill}}
	switch {
	case s.inv.opts.UnsafeSplice:
		p.Text, p.replaced = s.values.Splice(t)
	default:
		r, err := shellspan.Rewrite(t, s.values, d)
		if err != nil {
			return nil, s.refused(err)
		}
		p.Text, p.Env, p.replaced = r.Text, r.Env, r.Replaced
		if p.Text != t.Command && d != shellspan.PowerShell {
			p.Shell = shellName(d) // it is safe in this one only
		}
	}
	if d, ok := s.denied(p); ok {
		return nil, s.failed(p.token, CodeDenied, "the rule "+d.String()+" denies a command of the skill", "change the policy if that is not meant", nil)
	}
	return p, s.allow(ctx, p)
}

// denied returns the Deny rule that a command meets as it will run, or with
// its values in it and without quotes: neither may hide what a rule names.
func (s *spans) denied(p *prepared) (Rule, bool) {
	if r, ok := s.policy.deniedCommand(p.Command); ok {
		return r, true
	}
	v, c := s.values, p.Command
	v.Args, v.Words = asWord(v.Args), make([]string, len(s.values.Words))
	for i, w := range s.values.Words {
		v.Words[i] = asWord(w)
	}
	c.Text, _ = v.Splice(p.token)
	c.Text = strings.NewReplacer(`"`, "", "'", "").Replace(c.Text)
	return s.policy.deniedCommand(c)
}

// asWord returns a value without what separates commands: it is data, and no
// command of its own.
func asWord(value string) string {
	return strings.Map(func(r rune) rune {
		if strings.ContainsRune(";&|(){}`$!\r\n", r) {
			return '_'
		}
		return r
	}, value)
}

func shellName(d shellspan.Dialect) string {
	if d == shellspan.POSIX {
		return "sh"
	}
	return "bash"
}

// refused turns the refusal of a command into an error.
func (s *spans) refused(err error) error {
	var r *shellspan.Refusal
	if !errors.As(err, &r) {
		return asError(err, s.skill, CodeUnsafeArgument, "a command of the skill cannot be made safe", "see the cause")
	}
	// The refusal is not the cause: it counts the lines of the body.
	return &Error{Issue: Issue{
		Code: CodeUnsafeArgument, Severity: sevError, Skill: s.skill.Name, Path: s.skill.Path, Line: s.line + r.Line,
		Msg: r.Placeholder + " was not put into a command: " + r.Msg, Hint: r.Hint,
	}, skill: s.skill}
}

// allow asks the host's AllowCommand.
func (s *spans) allow(ctx context.Context, p *prepared) (err error) {
	f := s.inv.opts.AllowCommand
	if f == nil {
		return nil
	}
	if _, err := guarded("the AllowCommand function", func() (struct{}, error) { return struct{}{}, f(ctx, p.clone()) }); err != nil {
		if ctx.Err() != nil {
			return s.failed(p.token, CodeCancelled, wasCancelled, callAgain, err)
		}
		return s.failed(p.token, CodeDenied, "this program does not allow a command of the skill", "see the cause", err)
	}
	return nil
}

// clone returns the command for the host to keep.
func (p *prepared) clone() Command {
	c := p.Command
	c.Env = slices.Clone(c.Env)
	return c
}

// failed returns the error of one command.
func (s *spans) failed(t template.Token, code Code, msg, hint string, cause error) *Error {
	return &Error{Issue: Issue{
		Code: code, Severity: sevError, Skill: s.skill.Name, Path: s.skill.Path, Line: s.line + t.Line, Msg: msg, Hint: hint,
	}, Err: cause, skill: s.skill}
}

// runAll runs the commands, a few at a time, and returns their outputs in
// order. The first that fails ends the others, unless failures become markers.
func (s *spans) runAll(ctx context.Context, commands []*prepared) ([]string, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	texts, errs := make([]string, len(commands)), make([]error, len(commands))
	first, err := s.findShell(ctx, commands, texts, errs)
	if err != nil {
		return nil, err
	}
	slots := make(chan struct{}, maxCommands)
	var wg sync.WaitGroup
	for i, p := range commands {
		if i == first { // it has run
			continue
		}
		slots <- struct{}{}
		wg.Go(func() {
			defer func() { <-slots }()
			if ctx.Err() != nil { // one before it has failed
				errs[i] = ctx.Err()
				return
			}
			if texts[i], errs[i] = s.runOne(ctx, p); errs[i] != nil && !s.inv.opts.Inline {
				cancel()
			}
		})
	}
	wg.Wait()
	return s.settle(ctx, commands, texts, errs)
}

// findShell finds out whether there is a bash, if not having one could still
// end in a refusal: nothing may have run by then. It does so by running the
// first command of that kind, whose index it returns, or -1. Without a bash
// nothing has run, and all are prepared again for sh.
func (s *spans) findShell(ctx context.Context, commands []*prepared, texts []string, errs []error) (int, error) {
	i := slices.IndexFunc(commands, s.mayBeRefused)
	if i < 0 || len(commands) == 1 {
		return -1, nil
	}
	res, err := s.call(ctx, commands[i])
	if !s.lacksBash(commands[i], err) {
		texts[i], errs[i] = s.output(ctx, commands[i], res, err)
		if errs[i] != nil && !s.inv.opts.Inline {
			return i, errs[i]
		}
		return i, nil
	}
	for j, p := range commands {
		if p.Shell != "bash" {
			continue
		}
		if commands[j], err = s.prepare(ctx, p.token, shellspan.POSIX); err != nil {
			return -1, err
		}
	}
	return -1, nil
}

// mayBeRefused reports whether p, which may run in bash, may perhaps not in sh.
func (s *spans) mayBeRefused(p *prepared) bool {
	if p.Shell != "bash" || s.skill.Shell != "" {
		return false
	}
	_, err := shellspan.Rewrite(p.token, s.values, shellspan.POSIX)
	return err != nil || s.inv.opts.AllowCommand != nil || len(s.policy.Deny) > 0
}

// lacksBash reports whether p did not run because there is no bash, and the
// skill does not insist on one.
func (s *spans) lacksBash(p *prepared, err error) bool {
	return errors.Is(err, CodeShellUnavailable) && p.Shell == "bash" && s.skill.Shell == ""
}

// settle picks the error to return: the first in the text that is not merely
// that of a command which another one's failure ended.
func (s *spans) settle(ctx context.Context, commands []*prepared, texts []string, errs []error) ([]string, error) {
	never := []Code{CodeCancelled, CodeUnsafeArgument, CodeDenied} // become markers
	var first error
	for i, err := range errs {
		var e *Error
		switch {
		case err == nil:
		case s.inv.opts.Inline && errors.As(err, &e) && !slices.Contains(never, e.Code):
			texts[i] = "[shell command failed: " + e.Msg + "]"
			s.inlined(e)
		case first == nil || stopped(first) && !stopped(err):
			first = err
			if !errors.As(err, &e) {
				first = s.failed(commands[i].token, CodeCancelled, wasCancelled, callAgain, err)
			}
		}
	}
	if first != nil {
		return nil, first
	}
	return texts, nil
}

// stopped reports whether err is that of a command that something else ended.
func stopped(err error) bool {
	return errors.Is(err, CodeCancelled) || errors.Is(err, context.Canceled)
}

// inlined reports a failure that a marker stands for. Issues are logged, so
// the output, which may hold anything, stays out of them.
func (s *spans) inlined(e *Error) {
	i := e.Issue
	i.Severity = sevWarning
	i.Msg, _, _ = strings.Cut(i.Msg, outputEnds)
	s.issues = append(s.issues, i)
}

// runOne runs one command. Where it is rewritten for bash, the skill does not
// insist on that, and there is none, it is rewritten for sh.
func (s *spans) runOne(ctx context.Context, p *prepared) (string, error) {
	res, err := s.call(ctx, p)
	if s.lacksBash(p, err) {
		if p, err = s.prepare(ctx, p.token, shellspan.POSIX); err != nil {
			return "", err
		}
		res, err = s.call(ctx, p)
	}
	return s.output(ctx, p, res, err)
}

// output returns what stands in the place of a command that has run.
func (s *spans) output(ctx context.Context, p *prepared, res CommandResult, err error) (string, error) {
	switch {
	case err != nil:
		return "", err
	case res.Exit == 0 || shellspan.Benign(p.Text, s.dialect(), res.Exit):
		return strings.TrimRight(res.Output, "\r\n"), nil
	case ctx.Err() != nil: // whatever it was killed with
		return "", s.failed(p.token, CodeCancelled, wasCancelled, callAgain, ctx.Err())
	}
	return "", s.failed(p.token, CodeShellFailed, fmt.Sprintf("the command %q ended with exit code %d%s", headChars(p.token.Command, tailChars), res.Exit, tail(res.Output)),
		"mend the command, or let it end with exit code 0", nil)
}

// tail returns the end of an output, for an error.
func tail(output string) string {
	output = strings.TrimSpace(output)
	if output == "" {
		return " and no output"
	}
	if r := []rune(output); len(r) > tailChars {
		output = "…" + string(r[len(r)-tailChars:])
	}
	return outputEnds + output
}

// call hands a command to the host's shell, and makes whatever goes wrong an
// *Error.
func (s *spans) call(ctx context.Context, p *prepared) (res CommandResult, err error) {
	res, err = guarded("the Shell function", func() (CommandResult, error) { return s.inv.opts.Shell(ctx, p.clone()) })
	if err == nil {
		return res, nil
	}
	var e *Error
	if !errors.As(err, &e) {
		code, msg := CodeShellFailed, "a command of the skill could not be run"
		if ctx.Err() != nil {
			code, msg = CodeCancelled, wasCancelled
		}
		return res, s.failed(p.token, code, msg, "see the cause", err)
	}
	mine := *e
	mine.Skill, mine.Path, mine.skill = cmp.Or(e.Skill, s.skill.Name), cmp.Or(e.Path, s.skill.Path), s.skill
	if mine.Path == s.skill.Path { // it may be that of something else
		mine.Line = cmp.Or(e.Line, s.line+p.token.Line)
	}
	if res.Output != "" && e.Code == CodeShellFailed {
		mine.Msg += tail(res.Output)
	}
	return res, &mine
}
