//go:build !android

package readfile

import "golang.org/x/sys/unix"

// openNoLinks opens name, no part of which may be a link, in one system call. Kernels
// before 5.6 do not have it and sandboxes may forbid it (Android kills for it).
func openNoLinks(dir int, name string) (int, error) {
	how := unix.OpenHow{Flags: readOnly | unix.O_LARGEFILE, Resolve: unix.RESOLVE_NO_SYMLINKS}
	fd, err := retryN(func() (int, error) { return unix.Openat2(dir, name, &how) })
	switch err {
	case unix.ENOSYS, unix.EPERM:
		return walkNoLinks(dir, name)
	case unix.ELOOP:
		return fd, ErrSymlink
	default:
		return fd, err
	}
}
