package osshell

import "syscall"

// maxArgument is how long one argument or variable may be, in bytes: the
// kernel's MAX_ARG_STRLEN without the NUL at the end.
const maxArgument = 32*4096 - 1

// wait returns when the leader has ended, and does not reap it.
func (g *group) wait() {
	const pPID, wNoWait = 1, 0x01000000
	for {
		_, _, errno := syscall.Syscall6(syscall.SYS_WAITID, pPID, uintptr(g.cmd.Process.Pid), 0, syscall.WEXITED|wNoWait, 0, 0)
		if errno != syscall.EINTR {
			return
		}
	}
}
