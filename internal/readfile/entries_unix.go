//go:build unix && !linux

package readfile

import (
	"os"

	"golang.org/x/sys/unix"
)

// reopen opens d once more, to be listed from the start.
func (d *Dir) reopen() (*os.File, error) {
	fd, err := openAt(d.fd(), ".", readOnly|unix.O_DIRECTORY)
	if err != nil {
		return nil, err
	}
	return os.NewFile(uintptr(fd), d.path), nil
}
