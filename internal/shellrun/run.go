package shellrun

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/seed-12b313d8/skills/internal/line"
	"github.com/seed-12b313d8/skills/internal/shellspan"
	"github.com/seed-12b313d8/skills/internal/template"
)

// maxRunning is how many commands run at a time.
const maxRunning = 4

// Options say how commands run.
type Options struct {
	Values template.Values
	// Shell is the shell the author names: "", "bash" or "powershell". Of any
	// other nothing runs: it must not be taken for bash.
	Shell string
	// Splice pastes values into commands, as code.
	Splice bool
	// Markers puts a text in the place of a command that failed.
	Markers bool
	// Denied names the rule that denies a command; nil: none does.
	Denied func(c Command) (rule string, denied bool)
	// Allow asks whether c may run; nil: yes.
	Allow func(ctx context.Context, c Command) error
	// Run runs c. Its failures may have any code; Unavailable says that the
	// shell is not there. It is called concurrently.
	Run func(ctx context.Context, c Command) (Result, *Failure)
}

// A Result is what a command left.
type Result struct {
	Output string
	Exit   int
}

// An Outcome is what commands amount to.
type Outcome struct {
	Texts    []string   // one for each command
	Replaced bool       // an argument's value reached a command
	Marked   []*Failure // those that markers stand for
}

// Run runs the commands of tokens, which are spans, and returns their outputs
// in order. The first failure ends the other commands, unless it becomes a
// marker.
func Run(ctx context.Context, tokens []template.Token, o Options) (Outcome, *Failure) {
	if len(tokens) == 0 {
		return Outcome{}, nil
	}
	if !slices.Contains([]string{"", bash, powershell}, o.Shell) {
		return Outcome{}, failed(tokens[0], Unavailable, fmt.Sprintf("the shell %q is unknown", o.Shell), `write "shell: bash" or "shell: powershell", or leave it out`, nil)
	}
	r := &runner{Options: o, commands: make([]*Command, len(tokens)), texts: make([]string, len(tokens)), failures: make([]*Failure, len(tokens))}
	replaced := false
	for i, t := range tokens {
		c, f := r.prepare(ctx, t, r.dialect())
		if f != nil {
			return Outcome{}, f
		}
		r.commands[i], replaced = c, replaced || c.replaced
	}
	if f := r.all(ctx); f != nil {
		return Outcome{}, f
	}
	marked, f := r.settle()
	if f != nil {
		return Outcome{}, f
	}
	return Outcome{r.texts, replaced, marked}, nil
}

// A runner is one Run under way. Each goroutine has a command of its own.
type runner struct {
	Options
	commands []*Command
	texts    []string
	failures []*Failure
}

// all runs the commands, a few at a time. What it returns came before that.
func (r *runner) all(ctx context.Context) *Failure {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	first, f := r.findShell(ctx)
	if f != nil {
		return f
	}
	slots := make(chan struct{}, maxRunning)
	var wg sync.WaitGroup
	for i, c := range r.commands {
		if i == first { // it has run
			continue
		}
		slots <- struct{}{}
		wg.Go(func() {
			defer func() { <-slots }()
			if ctx.Err() != nil { // one before it has failed
				r.failures[i] = cancelled(c.token, ctx.Err())
				return
			}
			if r.texts[i], r.failures[i] = r.one(ctx, c); r.failures[i] != nil && !r.Markers {
				cancel()
			}
		})
	}
	wg.Wait()
	return nil
}

// findShell finds out whether there is a bash, if not having one could still
// end in a refusal: nothing may have run by then. It does so by running the
// first command of that kind, whose index it returns, or -1. Without a bash
// nothing has run, and all are prepared again for sh.
func (r *runner) findShell(ctx context.Context) (ran int, f *Failure) {
	i := slices.IndexFunc(r.commands, r.mayBeRefused)
	if i < 0 || len(r.commands) == 1 {
		return -1, nil
	}
	res, f := r.Run(ctx, *r.commands[i])
	if !r.lacksBash(r.commands[i], f) {
		r.texts[i], r.failures[i] = r.output(ctx, r.commands[i], res, f)
		if r.Markers {
			return i, nil
		}
		return i, r.failures[i]
	}
	for j, c := range r.commands {
		if c.Shell != bash {
			continue
		}
		if r.commands[j], f = r.prepare(ctx, c.token, shellspan.POSIX); f != nil {
			return -1, f
		}
	}
	return -1, nil
}

// mayBeRefused reports whether c, which may run in bash, may perhaps not in sh.
func (r *runner) mayBeRefused(c *Command) bool {
	if c.Shell != bash || r.Shell != "" {
		return false
	}
	_, err := shellspan.Rewrite(c.token, r.Values, shellspan.POSIX)
	return err != nil || r.Allow != nil || r.Denied != nil
}

// lacksBash reports whether c did not run because there is no bash, and the
// author does not insist on one.
func (r *runner) lacksBash(c *Command, f *Failure) bool {
	return f != nil && f.Code == Unavailable && c.Shell == bash && r.Shell == ""
}

// one runs one command. Where it is rewritten for bash, the author does not
// insist on that, and there is none, it is rewritten for sh.
func (r *runner) one(ctx context.Context, c *Command) (string, *Failure) {
	res, f := r.Run(ctx, *c)
	if r.lacksBash(c, f) {
		if c, f = r.prepare(ctx, c.token, shellspan.POSIX); f != nil {
			return "", f
		}
		res, f = r.Run(ctx, *c)
	}
	return r.output(ctx, c, res, f)
}

// output returns what stands in the place of a command that has run.
func (r *runner) output(ctx context.Context, c *Command, res Result, f *Failure) (string, *Failure) {
	switch {
	case f != nil:
		return "", f
	case res.Exit == 0 || shellspan.Benign(c.Text, r.dialect(), res.Exit):
		return strings.TrimRight(res.Output, "\r\n"), nil
	case ctx.Err() != nil: // whatever it was killed with
		return "", cancelled(c.token, ctx.Err())
	}
	msg := fmt.Sprintf("the command %q ended with exit code %d%s", line.First(c.token.Command, tailChars), res.Exit, Tail(res.Output))
	return "", failed(c.token, Failed, msg, "mend the command, or let it end with exit code 0", nil)
}

// settle puts markers where they may stand for failures, and picks the failure
// to return: the first in the text that is not merely that of a command which
// another one's failure ended.
func (r *runner) settle() (marked []*Failure, first *Failure) {
	for i, f := range r.failures {
		switch {
		case f == nil:
		case r.Markers && !f.never():
			r.texts[i] = "[shell command failed: " + f.Msg + "]"
			marked = append(marked, f)
		case first == nil || first.stopped() && !f.stopped():
			first = f
		}
	}
	return marked, first
}
