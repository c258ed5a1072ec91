//go:build !unix

package bundled

import "errors"

func makeFIFO(string) error { return errors.ErrUnsupported }
