//go:build unix

package remote

import (
	"io/fs"
	"os"
	"syscall"
)

// private reports whether only this user may write to a folder.
func private(info fs.FileInfo) bool {
	st, ok := info.Sys().(*syscall.Stat_t)
	return ok && int(st.Uid) == os.Geteuid() && info.Mode().Perm()&0o022 == 0
}
