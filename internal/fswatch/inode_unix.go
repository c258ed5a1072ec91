//go:build unix

package fswatch

import (
	"io/fs"
	"syscall"
)

// inodeOf tells directories apart that have one path at different times.
func inodeOf(info fs.FileInfo) inode {
	st, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return inode{}
	}
	return inode{uint64(st.Dev), st.Ino}
}
