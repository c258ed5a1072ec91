//go:build !linux

package atomicfile

import (
	"errors"
	"os"
)

// lease cannot be had here.
func lease(*os.File) error { return errors.ErrUnsupported }

// leaseHolds is not asked without a lease.
func leaseHolds(*os.File) bool { return true }
