//go:build !linux && !darwin && !dragonfly && !freebsd && !netbsd && !openbsd && !windows

package osshell

// maxArgument bounds one argument or variable in bytes.
const maxArgument = 128<<10 - 1

// wait returns when the leader has ended. It reaps it, for package syscall has
// nothing here that would not. The group is killed right afterwards; its number
// is free only once nobody is left in it.
func (g *group) wait() { _ = g.cmd.Wait() }
