//go:build !unix

package remote

import "os"

// There are no FIFOs: a folder takes the place of one.
func fifo(path string) error { return os.Mkdir(path, 0o700) }
