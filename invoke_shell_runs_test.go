//go:build unix

package skills_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/seed-12b313d8/skills"
)

// receive returns what comes from c, or fails the test that would hang.
func receive[T any](t *testing.T, c <-chan T) T {
	t.Helper()
	select {
	case v := <-c:
		return v
	case <-time.After(hangs):
		require.FailNow(t, "nothing came")
		panic("unreachable")
	}
}

// Four commands of a skill run at a time, and their outputs stand in the
// author's order, whatever the order in which they end (04 §4).
func TestShellConcurrency(t *testing.T) {
	const n = 11
	var body strings.Builder
	var want []string
	for i := range n {
		fmt.Fprintf(&body, "!`c%02d`\n", i)
		want = append(want, fmt.Sprintf("out of c%02d", i))
	}
	type start struct {
		text string
		end  chan struct{}
	}
	started := make(chan start, n)
	var now, most atomic.Int32
	shell := answers(func(_ context.Context, c skills.Command) (skills.CommandResult, error) {
		if running := now.Add(1); running > most.Load() {
			most.Store(running)
		}
		defer now.Add(-1)
		s := start{c.Text, make(chan struct{})}
		started <- s
		<-s.end
		return skills.CommandResult{Output: "out of " + c.Text + "\n"}, nil
	})
	sess, _ := shellSkill(t, body.String())
	done := make(chan string, 1)
	go func() {
		out, err := skills.NewInvoker(sess, &skills.InvokerOptions{Shell: shell.run}).Invoke(context.Background(), skills.Call{Name: "s"})
		if err != nil {
			done <- err.Error()
			return
		}
		done <- text(out.(*skills.Inline))
	}()
	var waiting []start
	for range 4 {
		waiting = append(waiting, receive(t, started)) // it needs all four to go on
	}
	for left := n - 4; len(waiting) > 0; left-- {
		last := waiting[len(waiting)-1]
		waiting = waiting[:len(waiting)-1]
		close(last.end)
		if left > 0 {
			waiting = append(waiting, receive(t, started))
		}
	}
	assert.Equal(t, strings.Join(want, "\n")+"\n", receive(t, done))
	assert.EqualValues(t, 4, most.Load())
}

// Real commands run side by side: two that wait for each other both end.
func TestShellConcurrencyOfProcesses(t *testing.T) {
	wait := "for i in $(seq 3000); do [ -e %s ] && exit 0; sleep 0.01; done; exit 9"
	body := "!`touch a; " + fmt.Sprintf(wait, "b") + "`\n!`touch b; " + fmt.Sprintf(wait, "a") + "`\nend"
	in, err := invokeBody(t, body, "", skills.InvokerOptions{Shell: bash(t).run})
	require.NoError(t, err)
	assert.Equal(t, "\n\nend", text(in))
}

// A cancelled call is a typed error and leaves nothing running.
func TestShellCancel(t *testing.T) {
	sess, root := shellSkill(t, "!`echo $$ > pid; mv pid started; sleep 61`\n!`sleep 61`")
	inv := skills.NewInvoker(sess, &skills.InvokerOptions{Shell: bash(t).run})
	ctx, cancel := context.WithCancelCause(context.Background())
	done := make(chan error, 1)
	go func() {
		_, err := inv.Invoke(ctx, skills.Call{Name: "s"})
		done <- err
	}()
	pidFile := filepath.Join(root, "proj", "started")
	require.Eventually(t, func() bool { _, err := os.Stat(pidFile); return err == nil }, hangs, time.Millisecond)
	data, err := os.ReadFile(pidFile)
	require.NoError(t, err)
	pid, err := strconv.Atoi(strings.TrimSpace(string(data)))
	require.NoError(t, err)
	why := errors.New("the user pressed escape")
	cancel(why)
	e := failure(t, receive(t, done), skills.CodeCancelled)
	require.ErrorIs(t, e, why)
	require.ErrorIs(t, e, context.Canceled)
	assert.Equal(t, 4, e.Line)
	require.ErrorIs(t, syscall.Kill(pid, 0), syscall.ESRCH, "the shell is gone")
	allEnd(t, filepath.Join(root, "proj"))

	shell := says("")
	_, err = skills.NewInvoker(sess, &skills.InvokerOptions{Shell: shell.run}).Invoke(ctx, skills.Call{Name: "s"})
	failure(t, err, skills.CodeCancelled)
	assert.Empty(t, shell.texts(), "what is cancelled before does not begin")
}

// endings are the ways in which a Shell may tell that its context ended.
func endings() map[string]func(context.Context) (skills.CommandResult, error) {
	return map[string]func(context.Context) (skills.CommandResult, error){
		"the context's error": func(ctx context.Context) (skills.CommandResult, error) { return skills.CommandResult{}, ctx.Err() },
		"an error of its own": func(context.Context) (skills.CommandResult, error) {
			return skills.CommandResult{}, errors.New("signal: killed")
		},
		"an exit code": func(context.Context) (skills.CommandResult, error) { return skills.CommandResult{Exit: -1}, nil },
		"a typed error": func(ctx context.Context) (skills.CommandResult, error) {
			return skills.CommandResult{}, &skills.Error{Issue: skills.Issue{Code: skills.CodeCancelled}, Err: ctx.Err()}
		},
	}
}

// However the host's Shell says so, a call that was cancelled says it too.
func TestShellCancelHowever(t *testing.T) {
	for reason, ending := range endings() {
		for _, inline := range []bool{false, true} {
			ctx, cancel := context.WithCancel(context.Background())
			sess, _ := shellSkill(t, "!`a`")
			shell := answers(func(ctx context.Context, _ skills.Command) (skills.CommandResult, error) {
				cancel()
				<-ctx.Done()
				return ending(ctx)
			})
			_, err := skills.NewInvoker(sess, &skills.InvokerOptions{Shell: shell.run, Inline: inline}).Invoke(ctx, skills.Call{Name: "s"})
			failure(t, err, skills.CodeCancelled)
			assert.Len(t, shell.texts(), 1, reason)
		}
	}
	ctx, cancel := context.WithTimeout(context.Background(), time.Nanosecond)
	defer cancel()
	<-ctx.Done()
	_, err := skills.NewInvoker(matrixSession(t, false, skills.Policy{}), nil).Invoke(ctx, skills.Call{Name: "user"})
	require.ErrorIs(t, failure(t, err, skills.CodeCancelled), context.DeadlineExceeded, "CL084")
}

// The first failure ends the other commands, and is the one that is told, even
// if what it ended stands before it.
func TestShellFailureEndsOthers(t *testing.T) {
	for reason, ending := range endings() {
		t.Run(reason, func(t *testing.T) {
			begun := make(chan struct{})
			shell := answers(func(ctx context.Context, c skills.Command) (skills.CommandResult, error) {
				if c.Text == "fails" {
					<-begun
					return skills.CommandResult{Output: "why", Exit: 7}, nil
				}
				close(begun)
				<-ctx.Done()
				return ending(ctx)
			})
			_, err := invokeBody(t, "!`waits`\n!`fails`", "", skills.InvokerOptions{Shell: shell.run})
			e := failure(t, err, skills.CodeShellFailed)
			assert.Contains(t, e.Msg, `"fails" ended with exit code 7`)
			assert.Equal(t, 5, e.Line)
		})
	}
	var body strings.Builder
	for range 64 {
		body.WriteString("!`x`\n")
	}
	shell := answers(func(context.Context, skills.Command) (skills.CommandResult, error) {
		return skills.CommandResult{Exit: 1}, nil
	})
	_, err := invokeBody(t, body.String(), "", skills.InvokerOptions{Shell: shell.run})
	failure(t, err, skills.CodeShellFailed)
	assert.LessOrEqual(t, len(shell.texts()), 8, "what has not begun does not begin")
}

// The first command may look for bash alone; its failure ends the call, too.
func TestShellFirstCommandFails(t *testing.T) {
	allow := func(context.Context, skills.Command) error { return nil }
	shell := answers(func(_ context.Context, c skills.Command) (skills.CommandResult, error) {
		return skills.CommandResult{Output: c.Text, Exit: len(c.Env)}, nil
	})
	_, err := invokeBody(t, "!`a`\n!`b $0`\n!`c $0`", "x", skills.InvokerOptions{Shell: shell.run, AllowCommand: allow})
	e := failure(t, err, skills.CodeShellFailed)
	assert.Equal(t, 5, e.Line)
	assert.Equal(t, []string{`b "${SKILL_ARG_0}"`}, shell.texts())

	shell.commands = nil
	in, err := invokeBody(t, "!`a`\n!`b $0`\n!`c $0`", "x", skills.InvokerOptions{Shell: shell.run, AllowCommand: allow, Inline: true})
	require.NoError(t, err)
	assert.Len(t, shell.texts(), 3)
	assert.Len(t, in.Issues, 2)
	assert.True(t, strings.HasPrefix(text(in), "a\n[shell command failed: "))
}

// What is no failure of a command is no marker, even with Inline, and even
// where it shows only because there is no bash.
func TestShellInlineWithoutBash(t *testing.T) {
	_, err := invokeBody(t, "!`[[ $0 == x ]]`", "x", skills.InvokerOptions{Shell: shOnly().run, Inline: true})
	failure(t, err, skills.CodeUnsafeArgument)
	deny := func(_ context.Context, c skills.Command) error {
		if c.Shell == "sh" {
			return assert.AnError
		}
		return nil
	}
	for _, body := range []string{"!`echo $0`", "!`echo $0`\n!`echo b`", "!`echo b`\n!`echo $0`"} {
		shell := shOnly()
		_, err = invokeBody(t, body, "x", skills.InvokerOptions{Shell: shell.run, Inline: true, AllowCommand: deny})
		require.ErrorIs(t, failure(t, err, skills.CodeDenied), assert.AnError)
		for _, c := range shell.commands {
			assert.Equal(t, "bash", c.Shell, "%q ran", c.Text)
		}
	}
	in, err := invokeBody(t, "!`echo $0` !`echo b`", "x", skills.InvokerOptions{Shell: shOnly().run, Inline: true}, "shell: bash")
	require.NoError(t, err)
	const marker = "[shell command failed: there is no bash]"
	assert.Equal(t, marker+" "+marker, text(in), "04 §4: the skill insists on bash")
	require.Len(t, in.Issues, 2)
	assert.Equal(t, skills.CodeShellUnavailable, in.Issues[0].Code)
}

// A hook that ends with its context is no refusal.
func TestAllowCommandCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	sess, _ := shellSkill(t, "!`a`")
	shell := says("")
	_, err := skills.NewInvoker(sess, &skills.InvokerOptions{Shell: shell.run, AllowCommand: func(ctx context.Context, _ skills.Command) error {
		cancel()
		return ctx.Err()
	}}).Invoke(ctx, skills.Call{Name: "s"})
	require.ErrorIs(t, failure(t, err, skills.CodeCancelled), context.Canceled)
	assert.Empty(t, shell.texts())
}

// A working directory that is gone is named, without a line of another file.
func TestShellNoDirectory(t *testing.T) {
	reg, root := openTree(t, map[string]string{"home/.claude/skills/s/SKILL.md": skill("!`a`", "description: d")})
	sess := reg.NewSession("", &skills.SessionOptions{Dir: root + "/gone"})
	_, err := skills.NewInvoker(sess, &skills.InvokerOptions{Shell: bash(t).run}).Invoke(context.Background(), skills.Call{Name: "s"})
	e := failure(t, err, skills.CodeUnreadable)
	assert.Equal(t, root+"/gone", e.Path)
	assert.Zero(t, e.Line)
	assert.Equal(t, "s", e.Skill)
}

// Commands of calls that run side by side do not mix.
func TestShellCallsSideBySide(t *testing.T) {
	sess, _ := shellSkill(t, "!`echo $0` $0 !`printf %s \"$ARGUMENTS\"`")
	inv := skills.NewInvoker(sess, &skills.InvokerOptions{Shell: bash(t).run})
	got := make(chan [2]string)
	const calls = 16
	for i := range calls {
		go func() {
			arg := fmt.Sprintf("v%d", i)
			out, err := inv.Invoke(context.Background(), skills.Call{Name: "s", Args: arg})
			if err != nil {
				got <- [2]string{arg, err.Error()}
				return
			}
			got <- [2]string{arg, text(out.(*skills.Inline))}
		}()
	}
	for range calls {
		pair := receive(t, got)
		assert.Equal(t, pair[0]+" "+pair[0]+" "+pair[0], pair[1])
	}
	assert.Len(t, sess.Records(), calls)
}

// A value that comes with the session or the disk is no code either.
func TestShellHostileVariables(t *testing.T) {
	for reason, id := range map[string]string{
		"arg-shell-15":  "$(touch pwn-id)",
		"04 §4: quotes": `a"; touch pwn-id; "'`,
		"04 §4: lines":  "a\ntouch pwn-id\n",
		"04 §4: spaces": "  a   b ",
	} {
		for _, shell := range []*shellLog{bash(t), shOnly()} {
			reg, root := openTree(t, map[string]string{"home/.claude/skills/s/SKILL.md": skill("!`printf '[%s]' ${CLAUDE_SESSION_ID} \"${CLAUDE_SESSION_ID}\" '${CLAUDE_SESSION_ID}'`", "description: d"), "proj/": ""})
			in := run(t, reg.NewSession(id, nil), skills.Call{Name: "s"}, &skills.InvokerOptions{Shell: shell.run})
			assert.Equal(t, strings.Repeat("["+id+"]", 3), text(in), reason)
			assert.Empty(t, canaries(t, root), reason)
		}
	}
	sess, _ := shellSkill(t, "!`echo ${CLAUDE_EFFORT}`")
	shell := says("")
	_, err := skills.NewInvoker(sess, &skills.InvokerOptions{Shell: shell.run}).Invoke(context.Background(), skills.Call{Name: "s", Settings: skills.Settings{Effort: "lo\x00w"}})
	failure(t, err, skills.CodeUnsafeArgument)
	assert.Empty(t, shell.texts())
}

// Where the value of ${CLAUDE_SKILL_DIR} has blanks and quotes, scripts of the
// skill run all the same (I13).
func TestShellSkillDir(t *testing.T) {
	for _, folder := range []string{"plain", "with blank", "it's", "a$(touch pwn-dir)b", "new & old"} {
		reg, root := openTree(t, map[string]string{
			"home/.claude/skills/" + folder + "/SKILL.md": skill("!`sh ${CLAUDE_SKILL_DIR}/run.sh $0`\n!`sh \"${CLAUDE_SKILL_DIR}/run.sh\" \"$0\"`", "description: d"),
			"home/.claude/skills/" + folder + "/run.sh":   "printf '<%s>' \"$@\"",
			"proj/": "",
		})
		name := strings.TrimSuffix(all(reg)[0], " user")
		in := run(t, reg.NewSession("", nil), skills.Call{Name: name, Args: "'a b'", Caller: skills.CallerUser}, &skills.InvokerOptions{Shell: bash(t).run})
		assert.Equal(t, "<a b>\n<a b>", text(in), folder)
		assert.Empty(t, slicesWithout(canaries(t, root), folder), folder)
	}
}

// slicesWithout returns the paths whose last part is not base.
func slicesWithout(paths []string, base string) []string {
	var out []string
	for _, p := range paths {
		if filepath.Base(p) != base {
			out = append(out, p)
		}
	}
	return out
}

// What a command printed is part of the text that Expand gets, of a fork's
// prompt, and of the bytes that make a delivery the same as before.
func TestShellOutputIsText(t *testing.T) {
	n := 0
	shell := answers(func(context.Context, skills.Command) (skills.CommandResult, error) {
		n++
		return skills.CommandResult{Output: fmt.Sprintf("<%d>", n/2)}, nil
	})
	reg, _ := openTree(t, map[string]string{
		"home/.claude/skills/s/SKILL.md": skill("x !`a`", "description: d"),
		"home/.claude/skills/f/SKILL.md": skill("y !`a`", "description: d", "context: fork"),
	})
	sess := reg.NewSession("", nil)
	var seen string
	o := &skills.InvokerOptions{Shell: shell.run, Expand: func(_ context.Context, _ *skills.Skill, text string) (string, error) {
		seen = text
		return text + "!", nil
	}}
	in := run(t, sess, skills.Call{Name: "s"}, o)
	assert.True(t, strings.HasSuffix(seen, "x <0>"), "04 §3: @file in it is the host's to judge")
	assert.Equal(t, "x <0>!", text(in))
	in = run(t, sess, skills.Call{Name: "s"}, o)
	assert.Equal(t, "x <1>!", text(in))
	assert.False(t, in.AlreadyLoaded, "CL090: other output is other text")
	in = run(t, sess, skills.Call{Name: "s"}, o)
	assert.True(t, in.AlreadyLoaded, "CL090: the same output")
	assert.Equal(t, 3, n, "H07: it is run again to know that")

	out, err := skills.NewInvoker(sess, o).Invoke(context.Background(), skills.Call{Name: "f"})
	require.NoError(t, err)
	assert.Contains(t, skills.Text(out.(*skills.Fork).Prompt), "y <2>!")
}
