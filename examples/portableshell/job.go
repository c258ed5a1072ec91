package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"time"
	"unicode/utf8"

	"mvdan.cc/sh/v3/expand"
	"mvdan.cc/sh/v3/interp"
)

// A Program is one that commands may run by its name. It returns its exit code,
// and soon after ctx ends or a write fails. It must be safe for concurrent use.
type Program func(ctx context.Context, p *Process) (exit int)

// A Process is what a Program has of the world.
type Process struct {
	Args           []string // the first is the name
	Env            []string // "NAME=value" pairs, exported ones only
	Dir            string   // working directory, absolute
	Stdin          io.Reader
	Stdout, Stderr io.Writer
	// Open opens a file as the shell itself does, within the same bounds.
	Open func(name string, flag int, perm fs.FileMode) (io.ReadWriteCloser, error)
}

// Binary returns a Program that runs the file at path with a process's
// arguments and environment. That process may do what the user may do; if it
// starts others, they are on their own.
func Binary(path string) Program {
	return func(ctx context.Context, p *Process) int {
		cmd := exec.CommandContext(ctx, path, p.Args[1:]...)
		cmd.Env, cmd.Dir, cmd.Stdin, cmd.Stdout, cmd.Stderr = p.Env, p.Dir, p.Stdin, p.Stdout, p.Stderr
		cmd.WaitDelay = 100 * time.Millisecond
		err := cmd.Run()
		if exit := (*exec.ExitError)(nil); errors.As(err, &exit) {
			return max(exit.ExitCode(), 1)
		}
		if err != nil && !errors.Is(err, exec.ErrWaitDelay) {
			fmt.Fprintln(p.Stderr, err)
			return 127
		}
		return 0
	}
}

// The interpreter shares the host's stack and memory, so that both are bounded.
const (
	maxText   = 64 << 10 // bytes of source; all of it may be nesting
	maxFrames = 5_000    // of one goroutine's stack
	maxCalls  = 100_000  // of builtins, functions and programs
)

// A job is one run of a command.
type job struct {
	programs map[string]Program
	files    *tree
	calls    atomic.Int64
	running  sync.RWMutex // read-locked by programs
}

// call sees every simple command before it runs.
func (j *job) call(ctx context.Context, args []string) ([]string, error) {
	if j.calls.Add(1) > maxCalls {
		return nil, fmt.Errorf("more than %d commands were run", maxCalls)
	}
	if runtime.Callers(maxFrames, make([]uintptr, 1)) > 0 {
		return nil, errors.New("functions are nested too deep")
	}
	rest := args
	for len(rest) > 1 && (rest[0] == "command" || rest[0] == "builtin") {
		rest = rest[1:]
	}
	switch size := len(strings.Join(rest, " ")); rest[0] {
	case "eval", "trap":
		if size > maxText {
			return nil, fmt.Errorf("%s: more than %d bytes", rest[0], maxText)
		}
	case "source", ".":
		if len(rest) > 1 {
			return j.source(ctx, args, rest)
		}
	}
	return args, nil
}

// source bounds the size of a file of commands, and takes it as it is named
// instead of searching for it.
func (j *job) source(ctx context.Context, args, rest []string) ([]string, error) {
	if !strings.ContainsAny(rest[1], `/\`) {
		rest[1] = "./" + rest[1]
	}
	info, err := j.files.stat(ctx, absolute(interp.HandlerCtx(ctx).Dir, rest[1]), true)
	if err == nil && info.Size() > maxText {
		return nil, fmt.Errorf("%s has more than %d bytes", rest[1], maxText)
	}
	return args, nil
}

// exec runs a program of the host, and nothing else.
func (j *job) exec(ctx context.Context, args []string) error {
	hc := interp.HandlerCtx(ctx)
	program := j.programs[args[0]]
	if program == nil {
		fmt.Fprintf(hc.Stderr, "%s: not among the programs that may be run here\n", args[0])
		return interp.ExitStatus(127)
	}
	if !j.running.TryRLock() { // the command has ended
		return context.Cause(ctx)
	}
	defer j.running.RUnlock()
	p := &Process{Args: args, Dir: hc.Dir, Stdin: hc.Stdin, Stdout: hc.Stdout, Stderr: hc.Stderr}
	if p.Stdin == nil {
		p.Stdin = strings.NewReader("")
	}
	p.Open = func(name string, flag int, perm fs.FileMode) (io.ReadWriteCloser, error) {
		return j.files.open(ctx, name, flag, perm)
	}
	for name, v := range hc.Env.Each {
		if v.Exported && v.Kind == expand.String {
			p.Env = append(p.Env, name+"="+v.Str)
		}
	}
	if exit := program(ctx, p); exit != 0 {
		return interp.ExitStatus(max(min(exit, 255), 1))
	}
	return nil
}

// wait returns when all programs have, and lets no other begin.
func (j *job) wait() { j.running.Lock() }

// An output keeps the first max bytes of what is written.
type output struct {
	mu     sync.Mutex
	max    int
	kept   []byte
	cut    int
	closed bool
}

// Write takes all of p, so that no program waits or fails for a full output.
func (o *output) Write(p []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.closed {
		return 0, os.ErrClosed
	}
	n := min(len(p), o.max-len(o.kept))
	o.kept = append(o.kept, p[:n]...)
	o.cut += len(p) - n
	return len(p), nil
}

// close returns what was kept as valid UTF-8.
func (o *output) close() string {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.closed = true
	for i := 1; o.cut > 0 && i < utf8.UTFMax && i <= len(o.kept); i++ { // a character that was cut in two
		if at := len(o.kept) - i; utf8.RuneStart(o.kept[at]) {
			if !utf8.FullRune(o.kept[at:]) {
				o.kept, o.cut = o.kept[:at], o.cut+i
			}
			break
		}
	}
	text := strings.ToValidUTF8(string(o.kept), "\uFFFD")
	if o.cut > 0 {
		text += fmt.Sprintf("\n[%d bytes were cut here]\n", o.cut)
	}
	return text
}
