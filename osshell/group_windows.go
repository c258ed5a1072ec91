package osshell

import (
	"io/fs"
	"os"
	"os/exec"
	"strings"
	"syscall"
)

const (
	defaultPath = ""
	exeSuffix   = ".exe"
	killedExit  = 1

	// maxArgument bounds the command in bytes: a command line has 32,767
	// characters, and quoting adds to it.
	maxArgument = 30_000

	errTooLong = syscall.Errno(206) // ERROR_FILENAME_EXCED_RANGE
)

// systemVariables are names that programs cannot do without.
var systemVariables = []string{
	"APPDATA", "COMSPEC", "HOMEDRIVE", "HOMEPATH", "LOCALAPPDATA", "PATHEXT", "PROGRAMDATA", "PROGRAMFILES",
	"SYSTEMDRIVE", "SYSTEMROOT", "TEMP", "TMP", "USERNAME", "USERPROFILE", "WINDIR",
}

// envName folds the case of a variable's name, which means nothing here.
func envName(name string) string { return strings.ToUpper(name) }

func executable(fs.FileInfo) bool { return true }

// The calls for job objects, which package syscall lacks.
var (
	kernel32           = syscall.NewLazyDLL("kernel32.dll")
	createJobObject    = kernel32.NewProc("CreateJobObjectW")
	assignProcessToJob = kernel32.NewProc("AssignProcessToJobObject")
	terminateJobObject = kernel32.NewProc("TerminateJobObject")
)

// A group is a job object: the leader and what it starts.
type group struct {
	cmd *exec.Cmd
	job syscall.Handle // 0: the leader could not be put into one
}

// isolate keeps the command away from the host's console and its Ctrl+C.
func isolate(cmd *exec.Cmd) {
	const createNoWindow = 0x08000000
	cmd.SysProcAttr = &syscall.SysProcAttr{HideWindow: true, CreationFlags: syscall.CREATE_NEW_PROCESS_GROUP | createNoWindow}
}

func newGroup(cmd *exec.Cmd) *group {
	g := &group{cmd: cmd}
	job, _, _ := createJobObject.Call(0, 0)
	if job == 0 {
		return g
	}
	_ = cmd.Process.WithHandle(func(process uintptr) {
		if ok, _, _ := assignProcessToJob.Call(job, process); ok != 0 {
			g.job = syscall.Handle(job)
		}
	})
	if g.job == 0 {
		_ = syscall.CloseHandle(syscall.Handle(job))
	}
	return g
}

// wait returns when the leader has ended. Its number stays taken, since its
// handle is open.
func (g *group) wait() {
	_ = g.cmd.Process.WithHandle(func(process uintptr) {
		_, _ = syscall.WaitForSingleObject(syscall.Handle(process), syscall.INFINITE)
	})
}

func (g *group) kill() {
	if g.job != 0 {
		_, _, _ = terminateJobObject.Call(uintptr(g.job), killedExit)
	}
	_ = g.cmd.Process.Kill() // it may have ended, or be in no job
}

func (g *group) close() {
	if g.job != 0 {
		_ = syscall.CloseHandle(g.job)
	}
}

func exitCode(s *os.ProcessState) int {
	if s == nil {
		return unknownExit
	}
	return s.ExitCode()
}

// drain has nothing to do: reading ends with the pipe.
func drain(*os.File, *capture, []byte) {}
