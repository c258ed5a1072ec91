package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"strings"
	"time"

	"mvdan.cc/sh/v3/expand"
	"mvdan.cc/sh/v3/interp"
	"mvdan.cc/sh/v3/syntax"

	"github.com/seed-12b313d8/skills"
)

// Options are the host's wishes for a [New] shell. Nil and the zero value are
// good: then commands have the shell's builtins and no program.
type Options struct {
	// Root is the directory outside of which a command opens no file; default
	// the Dir of each command.
	Root string
	// Programs are all that commands may run besides the builtins, by name.
	Programs map[string]Program
	// Timeout is how long one command may run; 0 means two minutes.
	Timeout time.Duration
	// MaxOutput bounds Output in bytes, without the note of what was cut; 0
	// means 30,000.
	MaxOutput int
}

// New returns a Shell that interprets commands in this process (04 §4). It is
// safe for concurrent use; o may be nil and is copied.
//
// The language is Bash as mvdan.cc/sh has it, without process substitution.
// Command.Shell may be "", "bash" or "sh". The environment is Command.Env and
// what the shell itself sets (PWD, IFS, UID …). Standard input is empty.
//
// Builtins reach files below Options.Root and read those below the folder of
// Command.Skill; nothing else, whatever paths and links say. Programs of the
// host get the same view in [Process.Open]; a [Binary] does as it likes.
//
// A command that ran is no error, a syntax error included (exit code 2). Errors
// are [*skills.Error] with the codes of package osshell.
func New(o *Options) skills.Shell {
	var opts Options
	if o != nil {
		opts = *o
	}
	opts.Programs = maps.Clone(opts.Programs)
	opts.Timeout = cmp.Or(max(opts.Timeout, 0), 2*time.Minute)
	opts.MaxOutput = cmp.Or(max(opts.MaxOutput, 0), 30_000)
	return opts.run
}

func (o Options) run(ctx context.Context, c skills.Command) (skills.CommandResult, error) {
	if ctx.Err() != nil {
		return skills.CommandResult{}, cancelled(ctx, c)
	}
	if c.Shell != "" && c.Shell != "bash" && c.Shell != "sh" {
		return skills.CommandResult{}, fault(c, skills.CodeShellUnavailable,
			fmt.Sprintf("there is no shell %q here", c.Shell), `write the skill's commands for "bash"`, nil)
	}
	if err := checkCommand(c); err != nil {
		return skills.CommandResult{}, err
	}
	script, err := syntax.NewParser().Parse(strings.NewReader(c.Text), "")
	if err != nil { // the shell's own affair, as in any shell
		return skills.CommandResult{Output: err.Error() + "\n", Exit: 2}, nil
	}
	files, err := openTree(cmp.Or(o.Root, c.Dir), c.Skill)
	if err != nil {
		return skills.CommandResult{}, fault(c, skills.CodeUnreadable, "the project directory cannot be used",
			"give the session a directory that exists", err)
	}
	defer files.close()
	return o.execute(ctx, c, script, files)
}

// execute runs script to its end, or to that of ctx or its time.
func (o Options) execute(ctx context.Context, c skills.Command, script *syntax.File, files *tree) (skills.CommandResult, error) {
	limited, cancel := context.WithTimeout(ctx, o.Timeout)
	defer cancel()
	out := &output{max: o.MaxOutput}
	j := &job{programs: o.Programs, files: files}
	r, err := j.runner(c, out)
	if err != nil {
		return skills.CommandResult{}, fault(c, skills.CodeShellFailed, "the shell cannot be set up", "look at the cause", err)
	}
	err = r.Run(limited, script)
	ended := limited.Err()
	cancel() // ends what the command left in the background
	j.wait()
	result := skills.CommandResult{Output: out.close()}
	if exit := interp.ExitStatus(0); errors.As(err, &exit) {
		result.Exit, err = int(exit), nil
	}
	switch {
	case ctx.Err() != nil:
		return result, cancelled(ctx, c)
	case ended != nil:
		return result, fault(c, skills.CodeShellFailed, fmt.Sprintf("the command did not end within %v", o.Timeout),
			"make the command shorter, or give the shell a longer Timeout", context.DeadlineExceeded)
	case err != nil:
		return result, fault(c, skills.CodeShellFailed, "the command could not go on", "look at the cause", err)
	}
	return result, nil
}

// runner returns an interpreter in which j handles all that leaves it.
func (j *job) runner(c skills.Command, out *output) (*interp.Runner, error) {
	r, err := interp.New(
		interp.Dir(c.Dir),
		interp.StdIO(nil, out, out),
		interp.CallHandler(j.call),
		interp.ExecHandlers(func(interp.ExecHandlerFunc) interp.ExecHandlerFunc { return j.exec }),
		interp.OpenHandler(j.files.open),
		interp.StatHandler(j.files.stat),
		interp.AccessHandler(j.files.access),
		interp.ReadDirHandler2(j.files.readDir),
		// Named pipes are made in TMPDIR and opened behind the handlers. No
		// file can have this name.
		interp.Env(expand.ListEnviron("TMPDIR=/\x00")),
	)
	if err != nil {
		return nil, err
	}
	r.Reset() // takes TMPDIR
	if err := interp.Env(expand.ListEnviron(c.Env...))(r); err != nil {
		return nil, err
	}
	r.Reset()
	if !expand.ListEnviron(c.Env...).Get("HOME").IsSet() { // then it is that of the host's user
		unset := &syntax.CallExpr{Args: []*syntax.Word{word("unset"), word("HOME")}}
		if err := r.Run(context.Background(), unset); err != nil {
			return nil, err
		}
	}
	return r, nil
}

func word(s string) *syntax.Word {
	return &syntax.Word{Parts: []syntax.WordPart{&syntax.Lit{Value: s}}}
}

// checkCommand refuses what the interpreter would take apart or choke on.
func checkCommand(c skills.Command) error {
	if len(c.Text) > maxText || strings.ContainsRune(c.Text, 0) {
		return fault(c, skills.CodeInvalid, fmt.Sprintf("the command holds a NUL character or is longer than %d bytes", maxText),
			"put long commands into a script of the skill", nil)
	}
	for _, pair := range c.Env {
		if name, _, ok := strings.Cut(pair, "="); !ok || name == "" || strings.ContainsRune(pair, 0) {
			return fault(c, skills.CodeInvalid, "an environment variable is not of the form NAME=value, or holds a NUL character",
				"correct Command.Env", nil)
		}
	}
	if info, err := os.Stat(c.Dir); err != nil || !info.IsDir() {
		return fault(c, skills.CodeUnreadable, "the working directory cannot be used",
			"give the session a directory that exists", cmp.Or(err, error(fs.ErrInvalid)))
	}
	return nil
}

func cancelled(ctx context.Context, c skills.Command) error {
	return fault(c, skills.CodeCancelled, "the command was stopped", "", errors.Join(ctx.Err(), context.Cause(ctx)))
}

// fault makes the error of a command, with the name and file of its skill.
func fault(c skills.Command, code skills.Code, msg, hint string, err error) error {
	e := &skills.Error{Issue: skills.Issue{Code: code, Severity: "error", Msg: msg, Hint: hint}, Err: err}
	if c.Skill != nil {
		e.Skill, e.Path = c.Skill.Name, c.Skill.Path
	}
	return e
}
