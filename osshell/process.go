package osshell

import (
	"context"
	"os/exec"
	"time"
)

// patience is how long a killed process may take to disappear. Only one that
// the kernel holds takes longer.
const patience = 250 * time.Millisecond

// unknownExit is the exit code of a leader that somebody else has reaped.
const unknownExit = -1

// A process is a running command that leads a group of its own. Its steps are
// start, await, kill, reap, in this order.
type process struct {
	cmd   *exec.Cmd
	group *group
	ended chan struct{} // closed when the leader has ended; it stays unreaped
}

func start(cmd *exec.Cmd) (*process, error) {
	isolate(cmd)
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	ended, g := make(chan struct{}), newGroup(cmd)
	go func() {
		defer close(ended)
		g.wait()
	}()
	return &process{cmd, g, ended}, nil
}

// await reports whether the leader ended by itself before ctx did.
func (p *process) await(ctx context.Context) bool {
	select {
	case <-p.ended:
		return true
	case <-ctx.Done():
		return false
	}
}

// kill ends all of the group and reports whether the leader is dead.
func (p *process) kill() bool {
	p.group.kill()
	select {
	case <-p.ended:
		return true
	case <-time.After(patience):
		return false
	}
}

// reap returns the exit code of a dead leader. One that does not die is left
// to a goroutine.
func (p *process) reap(dead bool) int {
	if !dead {
		go func() {
			<-p.ended
			p.reap(true)
		}()
		return killedExit
	}
	// The error says no more than the state does.
	_ = p.cmd.Wait()
	p.group.close()
	return exitCode(p.cmd.ProcessState)
}
