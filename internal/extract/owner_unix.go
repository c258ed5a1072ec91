//go:build unix

package extract

import (
	"fmt"
	"io/fs"
	"os"
	"syscall"
)

// hasModes says that permissions of files mean something.
const hasModes = true

// owner returns the user a file belongs to, -1 if that is unknown.
func owner(info fs.FileInfo) int {
	if st, ok := info.Sys().(*syscall.Stat_t); ok {
		return int(st.Uid)
	}
	return -1
}

// ours reports whether a file belongs to this user.
func ours(info fs.FileInfo) bool { return owner(info) == os.Geteuid() }

// trustedOwner returns an [ErrParent] if others than this user and root decide
// what is in a directory.
func trustedOwner(info fs.FileInfo) error {
	return judge(owner(info), os.Geteuid(), info.Mode())
}

// judge is trustedOwner for a directory of that owner and mode, and user me.
func judge(owner, me int, mode fs.FileMode) error {
	switch {
	case owner != me && owner != 0:
		return fmt.Errorf("%w: it belongs to user %d; choose one of your own", ErrParent, owner)
	case mode&0o022 != 0 && mode&fs.ModeSticky == 0:
		return fmt.Errorf("%w: others may write to it (%v); use chmod go-w, or chmod +t", ErrParent, mode)
	default:
		return nil
	}
}
