package extract

import (
	"errors"
	"io/fs"
)

var (
	// ErrClosed says that the Store was closed.
	ErrClosed = errors.New("the store of extracted files is closed")

	// ErrTimeout says that an extraction took longer than Options.Timeout.
	ErrTimeout = errors.New("took too long; the file system of the skill may hang")

	// ErrPanic says that code of the host panicked or ended its goroutine.
	ErrPanic = errors.New("the file system of the skill panicked")

	// ErrNoFiles says that there is no file system to extract.
	ErrNoFiles = errors.New("the skill has no file system")

	// ErrName says that a name is not local, or not a name on each
	// operating system (05 §2).
	ErrName = errors.New("not a safe file name")

	// ErrParent says that the directory for temporary files cannot be
	// trusted (05 §2).
	ErrParent = errors.New("not a safe place for extracted files")

	// ErrPlanted says that something else is where a file or directory was
	// to be made, or has taken its place (05 §2).
	ErrPlanted = errors.New("something else is at the place of an extracted file")

	// ErrMode says that the disk does not keep files from other users.
	ErrMode = errors.New("the permissions of an extracted folder do not hold")
)

// pathError puts err, freed from the path the system put around it, under the
// operation and the full path.
func pathError(op, path string, err error) error {
	if err == nil {
		return nil
	}
	if inner, ok := err.(*fs.PathError); ok {
		err = inner.Err
	}
	return &fs.PathError{Op: op, Path: path, Err: err}
}
