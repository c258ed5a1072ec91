//go:build unix

package readfile

import (
	"errors"
	"os"

	"golang.org/x/sys/unix"
)

// readOnly opens without waiting for anyone and without making a terminal ours.
const readOnly = unix.O_RDONLY | unix.O_CLOEXEC | unix.O_NONBLOCK | unix.O_NOCTTY

func openFile(path string) (*os.File, error) {
	f, err := os.OpenFile(path, readOnly, 0)
	return f, special(err)
}

func openInRoot(r *os.Root, name string) (*os.File, error) {
	f, err := r.OpenFile(name, readOnly, 0)
	return f, special(err)
}

// A handle is what a [Dir] keeps open.
type handle = *os.File

func openDirectory(path string) (handle, error) {
	return os.OpenFile(path, readOnly|unix.O_DIRECTORY, 0)
}

func openDirectoryInRoot(r *os.Root, name string) (handle, error) {
	return r.OpenFile(name, readOnly|unix.O_DIRECTORY, 0)
}

// special turns the errors that opening gives for a socket, or a device without a
// driver, into [ErrNotRegular]; regular files never have them.
func special(err error) error {
	for _, errno := range []error{unix.ENXIO, unix.ENODEV, unix.EOPNOTSUPP} {
		if errors.Is(err, errno) {
			return ErrNotRegular
		}
	}
	return err
}

// fileInfo asks the handle, not the path.
func fileInfo(f *os.File) (info, error) {
	return fdInfo(int(f.Fd()))
}

func fdInfo(fd int) (info, error) {
	var st unix.Stat_t
	if err := retry(func() error { return unix.Fstat(fd, &st) }); err != nil {
		return info{}, err
	}
	return info{id: idOf(&st), regular: st.Mode&unix.S_IFMT == unix.S_IFREG}, nil
}

func idOf(st *unix.Stat_t) ID {
	return ID{
		Dev:   uint64(st.Dev),
		Ino:   uint64(st.Ino),
		Size:  st.Size,
		MTime: st.Mtim.Nano(),
		CTime: st.Ctim.Nano(),
	}
}

// retry repeats a call that a signal interrupts.
func retry(call func() error) error {
	for {
		if err := call(); err != unix.EINTR {
			return err
		}
	}
}

// retryN is [retry] for calls that return a number.
func retryN(call func() (int, error)) (int, error) {
	for {
		if n, err := call(); err != unix.EINTR {
			return n, err
		}
	}
}
