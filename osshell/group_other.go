//go:build !unix && !windows

package osshell

import (
	"errors"
	"io/fs"
	"os"
	"os/exec"
)

const (
	defaultPath = ""
	exeSuffix   = ""
	killedExit  = 137
)

var errTooLong = errors.New("argument list too long")

var systemVariables []string

func envName(name string) string { return name }

func executable(info fs.FileInfo) bool { return info.Mode().Perm()&0o111 != 0 }

// A group is one process: these systems have no groups.
type group struct{ cmd *exec.Cmd }

func isolate(*exec.Cmd) {}

func newGroup(cmd *exec.Cmd) *group { return &group{cmd} }

func (g *group) kill() { _ = g.cmd.Process.Kill() }

func (g *group) close() {}

func exitCode(s *os.ProcessState) int {
	if s == nil {
		return unknownExit
	}
	return s.ExitCode()
}

func drain(*os.File, *capture, []byte) {}
