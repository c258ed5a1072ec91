//go:build unix

package osshell

import (
	"io/fs"
	"os"
	"os/exec"
	"syscall"
	"time"
)

const (
	defaultPath = "/usr/local/bin:/usr/bin:/bin" // if PATH is not set
	exeSuffix   = ""
	killedExit  = 128 + int(syscall.SIGKILL)

	errTooLong = syscall.E2BIG
)

// systemVariables are names that every program needs: none here.
var systemVariables []string

func envName(name string) string { return name }

func executable(info fs.FileInfo) bool { return info.Mode().Perm()&0o111 != 0 }

// A group is the session of a command; the command's shell leads it.
type group struct{ cmd *exec.Cmd }

// isolate gives the command a session: a process group and no terminal.
func isolate(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true} }

func newGroup(cmd *exec.Cmd) *group { return &group{cmd} }

// kill ends all processes of the group. The leader must not be reaped yet: as
// long as it is not, the number belongs to the group.
func (g *group) kill() {
	session := g.cmd.Process.Pid
	_ = syscall.Kill(-session, syscall.SIGKILL) // that nobody is left is no error
	killSession(session)
}

func (g *group) close() {}

func exitCode(s *os.ProcessState) int {
	if s == nil {
		return unknownExit
	}
	if status, ok := s.Sys().(syscall.WaitStatus); ok && status.Signaled() {
		return 128 + int(status.Signal())
	}
	return s.ExitCode()
}

// pipeCapacity is the most that a pipe of Linux holds, in bytes, unless root
// made it larger.
const pipeCapacity = 1 << 20

// drain reads what is in the pipe and does not wait for more.
func drain(pipe *os.File, out *capture, buf []byte) {
	if pipe.SetReadDeadline(time.Time{}) != nil {
		return
	}
	conn, err := pipe.SyscallConn()
	if err != nil {
		return
	}
	_ = conn.Read(func(fd uintptr) bool {
		for total := 0; total < pipeCapacity; {
			n, err := syscall.Read(int(fd), buf)
			if err == syscall.EINTR {
				continue
			}
			if err != nil || n <= 0 {
				break
			}
			out.write(buf[:n])
			total += n
		}
		return true
	})
}
