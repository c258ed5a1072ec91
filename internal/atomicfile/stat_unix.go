//go:build unix

package atomicfile

import (
	"io/fs"
	"os"
	"syscall"
)

// noWait opens a FIFO without waiting for its writer.
const noWait = syscall.O_NONBLOCK

// links returns how many names the file has.
func links(_ *os.File, info fs.FileInfo) uint64 {
	if st, ok := info.Sys().(*syscall.Stat_t); ok {
		return uint64(st.Nlink)
	}
	return 1
}

// owner returns user and group of a file, -1 if they are unknown.
func owner(info fs.FileInfo) (uid, gid int) {
	if st, ok := info.Sys().(*syscall.Stat_t); ok {
		return int(st.Uid), int(st.Gid)
	}
	return -1, -1
}
