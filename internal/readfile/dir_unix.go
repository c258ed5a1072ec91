//go:build unix

package readfile

import (
	"io"
	"strings"

	"golang.org/x/sys/unix"
)

// fd returns the descriptor of d, whose lock must be held.
func (d *Dir) fd() int { return int(d.handle.Fd()) }

// head goes past package os, which offers each file to the poller in vain and
// allocates for it.
func (d *Dir) head(name string, buf []byte, limit int64, nofollow bool) (Head, error) {
	fd, err := openName(d.fd(), name, nofollow)
	if err != nil {
		return Head{}, err
	}
	defer unix.Close(fd)
	file, err := fdInfo(fd)
	if err != nil {
		return Head{}, err
	}
	return readHead(rawFile(fd), file, buf, limit)
}

func (d *Dir) stat(name string) (ID, error) {
	var st unix.Stat_t
	if err := statAt(d.fd(), name, &st, 0); err != nil {
		return ID{}, err
	}
	return idOf(&st), nil
}

// openName opens the file name, seen from the directory dir.
func openName(dir int, name string, nofollow bool) (fd int, err error) {
	if nofollow {
		fd, err = openNoLinks(dir, name)
	} else {
		fd, err = openAt(dir, name, readOnly)
	}
	if err != nil {
		return -1, special(err)
	}
	return fd, nil
}

// walkNoLinks opens name part by part, none of which may be a link.
func walkNoLinks(dir int, name string) (int, error) {
	for at := dir; ; {
		part, rest, more := strings.Cut(name, "/")
		fd, err := openPart(at, part, more)
		if at != dir {
			unix.Close(at)
		}
		if err != nil || !more {
			return fd, err
		}
		at, name = fd, rest
	}
}

// openPart opens one part of a name: a file or, if more follows, a directory. An
// empty part, from a doubled or trailing slash, is the directory itself.
func openPart(dir int, name string, more bool) (int, error) {
	if name == "" {
		name = "."
	}
	flags := readOnly | unix.O_NOFOLLOW
	if more {
		flags |= unix.O_DIRECTORY
	}
	fd, err := openAt(dir, name, flags)
	if err != nil && isLink(dir, name) {
		err = ErrSymlink
	}
	return fd, err
}

// isLink tells links from whatever else keeps a file from being opened; systems
// differ in the error they have for links.
func isLink(dir int, name string) bool {
	var st unix.Stat_t
	err := statAt(dir, name, &st, unix.AT_SYMLINK_NOFOLLOW)
	return err == nil && st.Mode&unix.S_IFMT == unix.S_IFLNK
}

func openAt(dir int, name string, flags int) (int, error) {
	return retryN(func() (int, error) { return unix.Openat(dir, name, flags, 0) })
}

func statAt(dir int, name string, st *unix.Stat_t, flags int) error {
	return retry(func() error { return unix.Fstatat(dir, name, st, flags) })
}

// rawFile reads from a descriptor.
type rawFile int

// Read implements [io.Reader].
func (f rawFile) Read(p []byte) (int, error) {
	n, err := retryN(func() (int, error) { return unix.Read(int(f), p) })
	switch {
	case err != nil:
		return 0, err
	case n == 0 && len(p) > 0:
		return 0, io.EOF
	default:
		return n, nil
	}
}
