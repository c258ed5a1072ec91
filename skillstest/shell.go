package skillstest

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/seed-12b313d8/skills"
)

// TestShell runs small POSIX commands with sh and returns every broken rule of
// [skills.Shell] that it can see, joined (04 §4): order of output, exit codes,
// working directory, environment as data, no input, bounded output, use from
// several goroutines, unknown shells, and that a context ends a command with
// all it started. It needs cat, head, sleep, touch and yes beside the shell,
// works in a temporary directory that it removes, and takes a few seconds.
//
// A shell may bound its output as it likes; a tenth of three million characters
// must do. A shell that does not return at all costs half a minute and leaves
// its goroutine behind.
func TestShell(sh skills.Shell) error {
	dir, err := os.MkdirTemp("", "shell test 'q' $HOME ")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	t := &shellTest{shell: sh, dir: dir}
	for _, check := range []func(){
		t.output, t.exitCodes, t.directory, t.text, t.environment, t.input,
		t.unknown, t.bounded, t.concurrent, t.background, t.cancelled, t.ends,
	} {
		check()
		if t.stuck {
			break // everything else would wait as long
		}
	}
	return errors.Join(t.errs...)
}

// tooLate is when a command that should take a moment counts as stuck.
const tooLate = 30 * time.Second

type shellTest struct {
	shell skills.Shell
	dir   string
	errs  []error
	stuck bool // a call did not return
}

func (t *shellTest) failf(format string, args ...any) {
	t.errs = append(t.errs, fmt.Errorf("shell: "+format, args...))
}

type shellAnswer struct {
	skills.CommandResult
	err error
}

// run calls the shell and waits no longer than tooLate.
func (t *shellTest) run(ctx context.Context, c skills.Command) shellAnswer {
	if c.Dir == "" {
		c.Dir = t.dir
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	done := make(chan shellAnswer, 1)
	go func() {
		var a shellAnswer
		defer func() {
			if p := recover(); p != nil {
				a.err = fmt.Errorf("panic: %v", p)
			}
			done <- a
		}()
		a.CommandResult, a.err = t.shell(ctx, c)
	}()
	select {
	case a := <-done:
		return a
	case <-time.After(tooLate):
		return shellAnswer{err: errStuck}
	}
}

var errStuck = fmt.Errorf("the call did not return within %v", tooLate)

// want runs a command that must print output and end with exit.
func (t *shellTest) want(what string, c skills.Command, output string, exit int) {
	a := t.run(context.Background(), c)
	switch {
	case a.err != nil:
		t.stuck = t.stuck || errors.Is(a.err, errStuck)
		t.failf("%s: %q: %w", what, c.Text, a.err)
	case a.Exit != exit:
		t.failf("%s: %q: exit code %d instead of %d, output %q", what, c.Text, a.Exit, exit, a.Output)
	case a.Output != output:
		t.failf("%s: %q: output %q instead of %q", what, c.Text, a.Output, output)
	}
}

func (t *shellTest) exists(name string) bool {
	_, err := os.Lstat(filepath.Join(t.dir, name))
	return err == nil
}

func (t *shellTest) output() {
	t.want("standard output and error in order", skills.Command{Text: "echo 1; echo 2 >&2; echo 3; echo 4 >&2"}, "1\n2\n3\n4\n", 0)
	t.want("output without a line end", skills.Command{Text: "printf 'a  b'"}, "a  b", 0)
	t.want("no output", skills.Command{Text: ":"}, "", 0)
}

func (t *shellTest) exitCodes() {
	t.want("an exit code is a result", skills.Command{Text: "echo out; exit 3"}, "out\n", 3)
	t.want("exit code of the last command", skills.Command{Text: "false"}, "", 1)
	t.want("a command that ends badly and one that ends well", skills.Command{Text: "false; true"}, "", 0)
}

func (t *shellTest) directory() {
	if err := os.WriteFile(filepath.Join(t.dir, "mark"), []byte("here"), 0o600); err != nil {
		t.failf("cannot write into the working directory: %w", err)
		return
	}
	t.want("commands run in Dir", skills.Command{Text: "cat mark"}, "here", 0)
}

func (t *shellTest) text() {
	t.want("quotes in the text", skills.Command{Text: `printf '%s\n' 'a "b" c' "d 'e'"`}, "a \"b\" c\nd 'e'\n", 0)
	t.want("several lines", skills.Command{Text: "for i in 1 2; do\n\techo $i # note\ndone\ncat <<'EOF'\n$i\nEOF\n"}, "1\n2\n$i\n", 0)
}

// environment gives values that would do something if anyone read them.
func (t *shellTest) environment() {
	for _, value := range []string{
		"plain", "", " two  words ", "x'; touch injected; '", `"; touch injected; "`, "$(touch injected)", "`touch injected`",
		"a\ntouch injected\n", "*", "~", "--help", "a=b", "$HOME", `\n`, "ä€😀",
	} {
		c := skills.Command{Text: `printf '<%s>' "$SKILL_ARG_0"`, Env: []string{"SKILL_ARG_0=" + value}}
		t.want("values are data", c, "<"+value+">", 0)
	}
	if t.exists("injected") {
		t.failf("the value of an environment variable was run")
	}
	c := skills.Command{Text: `printf '%s' "${SKILL_ARG_0-unset}"`}
	t.want("the environment of another command", c, "unset", 0)
	c = skills.Command{Text: `printf '%s' "$HOME"`, Env: []string{"HOME=/of the command"}}
	t.want("a command's own value wins over an inherited one", c, "/of the command", 0)
}

func (t *shellTest) input() {
	t.want("standard input is empty", skills.Command{Text: "cat; echo end"}, "end\n", 0)
}

func (t *shellTest) unknown() {
	a := t.run(context.Background(), skills.Command{Text: "touch ran-unknown", Shell: "no such shell"})
	if a.err == nil || t.exists("ran-unknown") {
		t.failf("a shell that does not exist was replaced by another instead of an error")
	}
}

func (t *shellTest) bounded() {
	a := t.run(context.Background(), skills.Command{Text: "yes 0123456789 | head -c 3000000"})
	switch {
	case a.err != nil:
		t.failf("long output: %w", a.err)
	case len(a.Output) > 300_000:
		t.failf("of long output %d bytes were kept", len(a.Output))
	case !strings.HasPrefix(a.Output, "0123456789\n"):
		t.failf("long output does not begin as it was printed: %.20q", a.Output)
	}
}

// concurrent runs more commands at once than most shells allow.
func (t *shellTest) concurrent() {
	var wg sync.WaitGroup
	answers := make([]shellAnswer, 12)
	for i := range answers {
		wg.Go(func() {
			answers[i] = t.run(context.Background(), skills.Command{
				Text: `echo "$SKILL_ARG_0"; sleep 0; echo "$SKILL_ARG_0"; exit "$SKILL_ARG_0"`,
				Env:  []string{fmt.Sprintf("SKILL_ARG_0=%d", i)},
			})
		})
	}
	wg.Wait()
	for i, a := range answers {
		if want := fmt.Sprintf("%d\n%d\n", i, i); a.err != nil || a.Output != want || a.Exit != i {
			t.failf("one of %d commands at once: output %q, exit code %d, error %v instead of %q, %d", len(answers), a.Output, a.Exit, a.err, want, i)
		}
	}
}

// background leaves a process behind that holds the output open.
func (t *shellTest) background() {
	began := time.Now()
	t.want("a background process holds the output", skills.Command{Text: "sleep 9 & echo hi"}, "hi\n", 0)
	if took := time.Since(began); took > 6*time.Second {
		t.failf("a background process holds up the call, here for %v", took.Round(time.Second))
	}
}

func (t *shellTest) cancelled() {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	a := t.run(ctx, skills.Command{Text: "touch ran-cancelled"})
	if !errors.Is(a.err, context.Canceled) {
		t.failf("a context that has ended: error %v instead of context.Canceled", a.err)
	}
	if t.exists("ran-cancelled") {
		t.failf("a context that has ended: the command ran")
	}
}

// ends cancels a command once it runs, and then watches for signs of life.
func (t *shellTest) ends() {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	stop := make(chan struct{})
	defer close(stop)
	go func() {
		defer cancel()
		for !t.exists("beat") {
			select {
			case <-stop:
				return
			case <-time.After(5 * time.Millisecond):
			}
		}
	}()
	began := time.Now()
	a := t.run(ctx, skills.Command{Text: "(for i in 0 1 2 3 4 5 6 7 8; do echo >> beat; sleep 1; done) & wait"})
	if !errors.Is(a.err, context.Canceled) {
		t.failf("a command whose context ends: error %v instead of context.Canceled", a.err)
	}
	if took := time.Since(began); took > 6*time.Second {
		t.failf("a command whose context ends goes on, here for %v", took.Round(time.Second))
		return
	}
	before := t.size("beat")
	time.Sleep(2500 * time.Millisecond) // more than two beats
	if t.size("beat") != before {
		t.failf("a command whose context ended left a process running")
	}
}

func (t *shellTest) size(name string) int64 {
	info, err := os.Stat(filepath.Join(t.dir, name))
	if err != nil {
		return 0
	}
	return info.Size()
}
