package skillstest_test

import (
	"bytes"
	"context"
	"errors"
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/seed-12b313d8/skills"
	"github.com/seed-12b313d8/skills/osshell"
	"github.com/seed-12b313d8/skills/skillstest"
)

type (
	command = skills.Command
	result  = skills.CommandResult
)

// naive is how one would write a Shell in a minute; change bends the process
// before it runs. It kills no more than its own child.
func naive(ctx context.Context, c command, change func(*exec.Cmd)) (result, error) {
	if c.Shell != "" || ctx.Err() != nil {
		return result{}, errors.Join(ctx.Err(), errors.New("no"))
	}
	var out bytes.Buffer
	cmd := exec.CommandContext(ctx, "sh", "-c", c.Text)
	cmd.Dir, cmd.Env, cmd.Stdout, cmd.Stderr = c.Dir, append(os.Environ(), c.Env...), &out, &out
	cmd.WaitDelay = 100 * time.Millisecond
	change(cmd)
	err := cmd.Run()
	if ctx.Err() != nil {
		return result{}, ctx.Err()
	}
	if exit := (*exec.ExitError)(nil); err != nil && !errors.As(err, &exit) && !errors.Is(err, exec.ErrWaitDelay) {
		return result{}, err
	}
	return result{Output: out.String()[:min(out.Len(), 30_000)], Exit: cmd.ProcessState.ExitCode()}, nil
}

// Each broken shell is reported, and for what is wrong with it.
func TestBrokenShells(t *testing.T) {
	t.Parallel()
	good, elsewhere := osshell.New(nil), t.TempDir()
	bent := func(change func(c command, cmd *exec.Cmd)) skills.Shell {
		return func(ctx context.Context, c command) (result, error) {
			return naive(ctx, c, func(cmd *exec.Cmd) { change(c, cmd) })
		}
	}
	answering := func(change func(r *result, err *error)) skills.Shell {
		return func(ctx context.Context, c command) (result, error) {
			r, err := good(ctx, c)
			change(&r, &err)
			return r, err
		}
	}
	asking := func(change func(c *command)) skills.Shell {
		return func(ctx context.Context, c command) (result, error) {
			change(&c)
			return good(ctx, c)
		}
	}
	var mu sync.Mutex
	var last command
	var kept []string // of the row about values that stay
	var wg sync.WaitGroup
	defer wg.Wait()
	for _, test := range []struct {
		reason string // what is wrong
		shell  skills.Shell
		want   string // in the report
	}{
		{"standard error is dropped", bent(func(_ command, cmd *exec.Cmd) { cmd.Stderr = nil }), "in order"},
		{"standard error comes last", func(ctx context.Context, c command) (result, error) {
			var errs bytes.Buffer
			r, err := naive(ctx, c, func(cmd *exec.Cmd) { cmd.Stderr = &errs })
			r.Output += errs.String()
			return r, err
		}, "in order"},
		{"output is trimmed", answering(func(r *result, _ *error) { r.Output = strings.TrimSpace(r.Output) }), "in order"},
		{"a failing command is an error", answering(func(r *result, err *error) {
			if *err == nil && r.Exit != 0 {
				*err = errors.New("failed")
			}
		}), "an exit code is a result"},
		{"exit codes are lost", answering(func(r *result, _ *error) { r.Exit = 0 }), "exit code 0 instead of 3"},
		{"a failure inside counts as the exit code", asking(func(c *command) { c.Text = "set -e\n" + c.Text }), "one that ends well"},
		{"commands run elsewhere", bent(func(_ command, cmd *exec.Cmd) { cmd.Dir = elsewhere }), "commands run in Dir"},
		{"the text is quoted once more", asking(func(c *command) { c.Text = `eval "` + c.Text + `"` }), "quotes in the text"},
		{"the text becomes one line", asking(func(c *command) { c.Text = strings.Join(strings.Fields(c.Text), " ") }), "several lines"},
		{"values become text", asking(func(c *command) { c.Text, c.Env = strings.Join(c.Env, "; ")+"\n"+c.Text, nil }), "values are data"},
		{"values are run", asking(func(c *command) { c.Text, c.Env = strings.Join(c.Env, "; ")+"\n"+c.Text, nil }), "was run"},
		{"values are dropped", asking(func(c *command) { c.Env = nil }), "values are data"},
		{"values stay for the next command", func(ctx context.Context, c command) (result, error) {
			mu.Lock()
			defer mu.Unlock()
			kept = append(kept, c.Env...)
			c.Env = kept
			return good(ctx, c)
		}, "the environment of another command"},
		{"inherited values win", bent(func(c command, cmd *exec.Cmd) {
			cmd.Env = append(c.Env, "PATH="+os.Getenv("PATH"), "HOME=/inherited")
		}), "wins over an inherited one"},
		{"commands read what the host is given", bent(func(_ command, cmd *exec.Cmd) { cmd.Stdin = strings.NewReader("typed") }), "standard input is empty"},
		{"unknown shells are ignored", asking(func(c *command) { c.Shell = "" }), "replaced by another"},
		{"output is not bounded", osshell.New(&osshell.Options{MaxOutput: 10_000_000}), "bytes were kept"},
		{"only the end of long output is kept", answering(func(r *result, _ *error) {
			r.Output = r.Output[max(len(r.Output)-95, 0):]
		}), "does not begin as it was printed"},
		{"commands at once are mixed up", func(ctx context.Context, c command) (result, error) {
			mu.Lock()
			last = c
			mu.Unlock()
			time.Sleep(20 * time.Millisecond)
			mu.Lock()
			c = last
			mu.Unlock()
			return good(ctx, c)
		}, "commands at once"},
		{"the call waits for background processes", bent(func(_ command, cmd *exec.Cmd) { cmd.WaitDelay = 0 }), "holds up the call"},
		{"an ended context is ignored", func(_ context.Context, c command) (result, error) {
			return good(context.Background(), c)
		}, "the command ran"},
		{"a context that ends is ignored", func(ctx context.Context, c command) (result, error) {
			if ctx.Err() != nil {
				return result{}, ctx.Err()
			}
			return good(context.WithoutCancel(ctx), c)
		}, "goes on"},
		{"the end of a context is no error", answering(func(_ *result, err *error) {
			if errors.Is(*err, context.Canceled) {
				*err = nil
			}
		}), "instead of context.Canceled"},
		{"only the shell itself is killed", bent(func(command, *exec.Cmd) {}), "left a process running"},
		{"it panics", func(context.Context, command) (result, error) { panic("oh") }, "panic: oh"},
	} {
		wg.Go(func() { // most of the time they wait: all at once
			assert.ErrorContains(t, skillstest.TestShell(test.shell), test.want, test.reason)
		})
	}
}

// A shell that returns only long after everything has ended is given up.
func TestStuckShell(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		release := make(chan struct{})
		err := skillstest.TestShell(func(context.Context, command) (result, error) {
			<-release
			return result{}, nil
		})
		close(release)
		require.ErrorContains(t, err, "did not return")
		assert.NotContains(t, err.Error(), "values are data", "after one stuck call the rest is not tried")
	})
}
