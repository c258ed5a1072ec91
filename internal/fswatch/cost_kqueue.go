//go:build darwin || dragonfly || freebsd || netbsd || openbsd

package fswatch

// Here a watch on a directory opens every file in it: watches are counted by
// entries, and directories that are merely on the way are left out.
const (
	perEntry          = true
	defaultMaxWatches = 2048
)
