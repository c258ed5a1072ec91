//go:build darwin || dragonfly || freebsd || netbsd || openbsd

package osshell

import "syscall"

// maxArgument bounds one argument or variable in bytes. The systems bound the
// sum, at 256 KiB or more.
const maxArgument = 128<<10 - 1

// wait returns when the leader has ended. It does not reap it, unless the host
// is out of descriptors.
func (g *group) wait() {
	queue, err := syscall.Kqueue()
	if err != nil {
		_ = g.cmd.Wait()
		return
	}
	defer syscall.Close(queue)
	event := make([]syscall.Kevent_t, 1)
	for {
		syscall.SetKevent(&event[0], g.cmd.Process.Pid, syscall.EVFILT_PROC, syscall.EV_ADD|syscall.EV_ONESHOT)
		event[0].Fflags = syscall.NOTE_EXIT
		n, err := syscall.Kevent(queue, event, event, nil)
		switch {
		case err == syscall.EINTR || err == nil && n == 0:
		case err == syscall.ESRCH: // it has ended already
			return
		case err == nil && (event[0].Flags&syscall.EV_ERROR == 0 || event[0].Data == int64(syscall.ESRCH)):
			return
		default:
			_ = g.cmd.Wait()
			return
		}
	}
}
