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
		err := unix.RenameatxNp(fd, a, fd, b, unix.RENAME_SWAP)
		if err != unix.EINTR {
			return err
		}
	}
}

// unsupported reports whether err, from exchange, says that the file system
// has no such thing.
func unsupported(err error) bool {
	return errors.Is(err, errors.ErrUnsupported) || errors.Is(err, unix.EINVAL)
}
