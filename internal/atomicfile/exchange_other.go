//go:build !linux && !darwin

package atomicfile

import (
	"errors"
	"os"
)

// exchange cannot be done here.
func exchange(*os.File, string, string) error { return errors.ErrUnsupported }

// unsupported reports whether err, from exchange, says that there is no such
// thing.
func unsupported(err error) bool { return errors.Is(err, errors.ErrUnsupported) }
