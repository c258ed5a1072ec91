//go:build !unix

package bundled

import "os"

// openLog relies on readTail, which looks at the path first and compares it
// with the handle.
func openLog(path string) (*os.File, error) { return os.Open(path) }
