//go:build unix

package bundled

import (
	"os"
	"syscall"
)

// openLog opens without following a link and without waiting for a writer.
func openLog(path string) (*os.File, error) {
	return os.OpenFile(path, os.O_RDONLY|syscall.O_NONBLOCK|syscall.O_NOFOLLOW, 0)
}
