//go:build unix

package osshell

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/seed-12b313d8/skills"
)

const noSignal = syscall.Signal(0) // asks only

func startShell(t *testing.T, text string) *process {
	t.Helper()
	sh, err := exec.LookPath("sh")
	require.NoError(t, err)
	p, err := start(&exec.Cmd{Path: sh, Args: []string{"sh", "-c", text}})
	require.NoError(t, err)
	return p
}

// A process that the kernel holds is left behind: the call returns, and it is
// reaped when it ends. Here the news of its death is held back instead.
func TestProcessThatDoesNotDie(t *testing.T) {
	p := startShell(t, "sleep 71")
	real := p.ended
	p.ended = make(chan struct{})
	assert.False(t, p.kill())
	assert.Equal(t, killedExit, p.reap(false))
	<-real
	assert.Nil(t, p.cmd.ProcessState, "nobody has reaped it")
	close(p.ended)
	for end := time.Now().Add(20 * time.Second); !errors.Is(p.cmd.Process.Signal(noSignal), os.ErrProcessDone); time.Sleep(time.Millisecond) {
		require.True(t, time.Now().Before(end), "it is never reaped")
	}
}

// The leader of a group is killed before it is reaped: until then its number
// stays taken, and the group's with it.
func TestLeaderIsNotReapedBeforeTheGroupIsKilled(t *testing.T) {
	p := startShell(t, "sleep 71 &")
	require.True(t, p.await(context.Background()), "the leader ends by itself")
	assert.Nil(t, p.cmd.ProcessState)
	require.NoError(t, p.cmd.Process.Signal(noSignal), "a dead leader that was not reaped still has its number")
	require.NoError(t, syscall.Kill(-p.cmd.Process.Pid, noSignal), "nor is its group gone")
	require.True(t, p.kill())
	require.Zero(t, p.reap(true))
	assert.ErrorIs(t, p.cmd.Process.Signal(noSignal), os.ErrProcessDone)
}

// A host that waits for all children, as a first process does, may be faster.
func TestReapedBySomebodyElse(t *testing.T) {
	p := startShell(t, "exit 7")
	require.True(t, p.await(context.Background()))
	_, err := syscall.Wait4(p.cmd.Process.Pid, nil, 0, nil)
	require.NoError(t, err)
	assert.True(t, p.kill())
	assert.Equal(t, unknownExit, p.reap(true))
	assert.ErrorContains(t, lost(skills.Command{Text: "exit 7"}), `the exit code of the command "exit 7" is not known`)
}

// What a shell leaves running may finish its output, if it is quick. Here it
// has all the time it wants: the call returns as soon as the output is closed.
func TestLinger(t *testing.T) {
	s := newShell(nil)
	assert.Equal(t, 100*time.Millisecond, s.linger)
	s.linger = time.Minute
	for text, want := range map[string]string{
		"{ sleep 0.02; echo late; } & echo hi":      "hi\nlate\n",
		"echo hi > >(sleep 0.02; cat)":              "hi\n", // bash does not wait for it
		"{ sleep 0.02; exit 5; } & echo hi; exit 3": "hi\n",
	} {
		got, err := s.run(t.Context(), skills.Command{Text: text})
		require.NoError(t, err)
		assert.Equal(t, want, got.Output, text)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 300*time.Millisecond)
	defer cancel()
	began := time.Now()
	_, _ = s.run(ctx, skills.Command{Text: "sleep 71 & echo hi"})
	assert.Less(t, time.Since(began), 20*time.Second, "the end of the context ends the waiting too")
}
