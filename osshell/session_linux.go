package osshell

import (
	"bytes"
	"os"
	"strconv"
	"syscall"
)

// sweeps bounds how often killSession looks again.
const sweeps = 16

// killSession kills the processes of a session that are not in its leader's
// process group: timeout(1) and "set -m" make groups of their own. The leader
// must not be reaped yet, so that the number is still the session's. It looks
// until it finds nobody new, because those it finds may be forking.
func killSession(session int) {
	seen := make(map[int]bool)
	for range sweeps {
		before := len(seen)
		for _, pid := range processes() {
			if pid != session && !seen[pid] && inSession(pid, session) {
				seen[pid] = true
				killMember(pid, session)
			}
		}
		if len(seen) == before {
			return
		}
	}
}

// killMember kills one process. The handle is of whoever has the number now;
// asking again afterwards makes sure that it is the one meant.
func killMember(pid, session int) {
	p, err := os.FindProcess(pid)
	if err != nil {
		return
	}
	defer p.Release()
	if inSession(pid, session) {
		_ = p.Kill() // it may have ended meanwhile
	}
}

// processes returns the numbers of all processes, none if /proc is not there.
func processes() []int {
	proc, err := os.Open("/proc")
	if err != nil {
		return nil
	}
	defer proc.Close()
	names, _ := proc.Readdirnames(-1)
	var out []int
	for _, name := range names {
		if pid, err := strconv.Atoi(name); err == nil {
			out = append(out, pid)
		}
	}
	return out
}

// inSession reports whether a process that is not dead yet belongs to session.
func inSession(pid, session int) bool {
	id, _, errno := syscall.RawSyscall(syscall.SYS_GETSID, uintptr(pid), 0, 0)
	return errno == 0 && int(id) == session && !dead(pid)
}

// dead reports whether a process only waits to be reaped.
func dead(pid int) bool {
	stat, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	if err != nil {
		return true
	}
	// pid (name) state …; the name may hold anything.
	state := bytes.TrimLeft(stat[bytes.LastIndexByte(stat, ')')+1:], " ")
	return len(state) > 0 && (state[0] == 'Z' || state[0] == 'X')
}
