package osshell

import (
	"cmp"
	"context"
	"errors"
	"os"
	"os/exec"
	"slices"
	"time"

	"github.com/seed-12b313d8/skills"
)

// The defaults of [Options].
const (
	defaultTimeout    = 2 * time.Minute
	defaultConcurrent = 4
	defaultOutput     = 30_000
)

// Options are the host's wishes for a [New] shell. Nil and the zero value are
// good; values below zero count as zero.
type Options struct {
	// Environ returns "NAME=value" pairs of which commands inherit those on the
	// allow-list of [New]. It is called before each command and must be safe
	// for concurrent use; nil means os.Environ.
	Environ func() []string
	// Env are "NAME=value" pairs for every command, whatever the allow-list
	// says. They win over inherited ones; Command.Env wins over them.
	Env []string
	// Timeout is how long one command may run; 0 means two minutes.
	Timeout time.Duration
	// MaxConcurrent is how many commands run at once; 0 means four. The others
	// wait, and their time does not run yet.
	MaxConcurrent int
	// MaxOutput bounds Output in characters, the note about the cut included; 0
	// means 30,000, and less than 100 is 100.
	MaxOutput int
}

// New returns a Shell that runs commands as processes (04 §4). It is safe for
// concurrent use; o may be nil and is copied.
//
// Command.Shell picks the interpreter: "" is bash, or sh where there is none;
// "bash" and "sh" are what they say; "powershell" is pwsh or powershell. It is
// looked up in the absolute directories of the PATH that the host gives, never
// in Command.Env, before anything runs.
//
// A command inherits PATH, HOME, USER, LANG, LC_*, TMPDIR, SKILL_* and CLAUDE_*
// and gets TERM=dumb, Options.Env and Command.Env, the later over the earlier.
// What the library itself sets for a command (SKILL_ARG*, SKILL_NONE) is not
// inherited, nor are names with TOKEN, SECRET, PASSW, CREDENTIAL or KEY in
// them. On Windows the variables that programs there cannot do without are
// inherited too.
//
// Standard input is empty. Standard output and error are one stream, in the
// order of the writes. Escape sequences and NUL are removed from it, a carriage
// return becomes a line end, and what is not UTF-8 becomes U+FFFD. Beyond
// MaxOutput the start is kept, followed by a note of how much was cut; if the
// command failed, its last characters come after the note, a tenth of
// MaxOutput, since the reason for a failure stands at the end.
//
// When the shell ends, what it left running has a tenth of a second to finish
// its output, as in "make > >(tee log)", and is then killed. See the package
// comment for what may survive.
//
// A command that ran is no error: the result has its exit code, 128+n if signal
// n ended it. Errors are [*skills.Error]. Nothing has run with
//
//   - [skills.CodeShellUnavailable]: the interpreter is not there or unknown;
//   - [skills.CodeInvalid]: text or environment hold NUL, are malformed, or are
//     longer than the system takes;
//   - [skills.CodeUnreadable]: Command.Dir is no directory.
//
// The command was killed, and the result has what it printed, with
//
//   - [skills.CodeShellFailed]: it did not end within Timeout; errors.Is finds
//     context.DeadlineExceeded. The same code without it means that the system
//     refused to start the process, or that another part of the host took its
//     exit code away;
//   - [skills.CodeCancelled]: ctx ended, perhaps before the command began;
//     errors.Is finds the cause.
//
// Either way the call returns within half a second.
func New(o *Options) skills.Shell { return newShell(o).run }

func newShell(o *Options) *shell {
	var opts Options
	if o != nil {
		opts = *o
	}
	s := &shell{
		environ: opts.Environ,
		linger:  lingering,
		env:     slices.Clone(opts.Env),
		timeout: cmp.Or(max(opts.Timeout, 0), defaultTimeout),
		output:  max(cmp.Or(max(opts.MaxOutput, 0), defaultOutput), minOutput),
		slots:   make(chan struct{}, cmp.Or(max(opts.MaxConcurrent, 0), defaultConcurrent)),
	}
	if s.environ == nil {
		s.environ = os.Environ
	}
	return s
}

// A shell holds no state but the slots of running commands.
type shell struct {
	environ func() []string
	env     []string
	timeout time.Duration
	linger  time.Duration
	output  int
	slots   chan struct{}
}

func (s *shell) run(ctx context.Context, c skills.Command) (skills.CommandResult, error) {
	if err := ctx.Err(); err != nil {
		return skills.CommandResult{}, cancelled(ctx, c)
	}
	cmd, err := s.command(c)
	if err != nil {
		return skills.CommandResult{}, err
	}
	select {
	case s.slots <- struct{}{}:
		defer func() { <-s.slots }()
	case <-ctx.Done():
		return skills.CommandResult{}, cancelled(ctx, c)
	}
	return s.execute(ctx, c, cmd)
}

// command makes the process that will run c, or says why it cannot.
func (s *shell) command(c skills.Command) (*exec.Cmd, error) {
	if err := checkText(c); err != nil {
		return nil, err
	}
	host := append(inherited(s.environ()), s.env...)
	args, path, err := interpreter(c, host)
	if err != nil {
		return nil, err
	}
	env := append(host, c.Env...)
	if err := checkEnv(c, env); err != nil {
		return nil, err
	}
	if err := checkDir(c); err != nil {
		return nil, err
	}
	return &exec.Cmd{Path: path, Args: args, Env: env, Dir: c.Dir}, nil
}

func checkDir(c skills.Command) error {
	if c.Dir == "" {
		return nil
	}
	info, err := os.Stat(c.Dir)
	if err == nil && !info.IsDir() {
		err = errors.New("not a directory")
	}
	if err != nil {
		e := fault(c, skills.CodeUnreadable, "the working directory "+c.Dir+" cannot be used", "give the session a directory that exists", err)
		e.Path = c.Dir
		return e
	}
	return nil
}

// execute runs cmd to its end, or to that of ctx or its time.
func (s *shell) execute(ctx context.Context, c skills.Command, cmd *exec.Cmd) (skills.CommandResult, error) {
	limited, cancel := context.WithTimeout(ctx, s.timeout)
	defer cancel()
	r, w, err := os.Pipe()
	if err != nil {
		return skills.CommandResult{}, startFault(c, err)
	}
	cmd.Stdout, cmd.Stderr = w, w
	p, err := start(cmd)
	w.Close()
	if err != nil {
		r.Close()
		return skills.CommandResult{}, startFault(c, err)
	}
	out := newCapture(s.output)
	reading := startReader(r, out)
	killed := !p.await(limited)
	if !killed {
		reading.linger(limited, s.linger)
	}
	dead := p.kill()
	reading.stop()
	exit := p.reap(dead)
	result := skills.CommandResult{Output: out.text(exit != 0), Exit: exit}
	switch {
	case ctx.Err() != nil && killed:
		return result, cancelled(ctx, c)
	case killed:
		return result, overdue(c, s.timeout)
	case exit == unknownExit:
		return result, lost(c)
	}
	return result, nil
}
