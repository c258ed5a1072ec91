package atomicfile

import (
	"errors"
	"os"

	"golang.org/x/sys/unix"
)

// exchange makes two names in the folder change places in one step.
func exchange(folder *os.File, a, b string) error {
	fd := int(folder.Fd())
	for {
		err := unix.Renameat2(fd, a, fd, b, unix.RENAME_EXCHANGE)
		if err != unix.EINTR {
			return err
		}
	}
}

// unsupported reports whether err, from exchange, says that there is no such
// thing: the kernel or the file system is too old, or a sandbox forbids it.
func unsupported(err error) bool {
	return errors.Is(err, errors.ErrUnsupported) || errors.Is(err, unix.EINVAL) || errors.Is(err, unix.EPERM)
}

// lease takes a read lease, which is to be had only while nobody has the file
// open for writing, and which makes those wait who want to. The signal that
// tells of them is one that programs ignore by default.
func lease(f *os.File) error {
	fd := f.Fd()
	if _, err := unix.FcntlInt(fd, unix.F_SETSIG, int(unix.SIGURG)); err != nil {
		return errors.ErrUnsupported
	}
	switch _, err := unix.FcntlInt(fd, unix.F_SETLEASE, unix.F_RDLCK); {
	case err == nil:
		return nil
	case errors.Is(err, unix.EAGAIN):
		return changed("somebody has it open for writing")
	default:
		return errors.ErrUnsupported // not our file, or not that kind of file system
	}
}

// leaseHolds reports whether nobody has asked to write since the lease.
func leaseHolds(f *os.File) bool {
	kind, err := unix.FcntlInt(f.Fd(), unix.F_GETLEASE, 0)
	return err == nil && kind == unix.F_RDLCK
}
