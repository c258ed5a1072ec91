// Package readfile is the one place where skill files on disk are opened
// (01 R1, R2, R8). It knows nothing of what is in them.
//
// Every way in keeps the same promises:
//
//   - opening never blocks: a FIFO without a writer, a terminal or a socket is
//     refused, not waited for;
//   - the open handle itself must be a regular file, so that a name swapped
//     between a check and the opening changes nothing;
//   - at most limit+1 bytes are read from that one handle, whether the file is
//     sparse, growing, or lies about its size;
//   - interrupted calls are repeated and short reads are continued.
//
// [Dir.Head] is the fast way, for the beginning of many files below one
// directory. [Whole] reads one file, and [WholeIn] does so without ever leaving
// a root.
//
// Every error is an [*fs.PathError]. Its Err is one of the errors of this package
// ([ErrNotRegular], [ErrSymlink], [ErrEscapes], [ErrTooMany], a [*SizeError])
// or what the operating system said, so that errors.Is works with fs.ErrNotExist,
// fs.ErrPermission, syscall.ELOOP (links in a circle) and the like.
package readfile

import (
	"errors"
	"fmt"
	"io/fs"
)

var (
	// ErrNotRegular says that a name leads to a directory, FIFO, socket or
	// device instead of a regular file (01 R1).
	ErrNotRegular = errors.New("not a regular file")

	// ErrSymlink says that a name leads through a symbolic link although
	// links were not to be followed (01 R8).
	ErrSymlink = errors.New("is a symbolic link")

	// ErrEscapes says that a name or a link in it leaves the directory it
	// is confined to (01 R8).
	ErrEscapes = errors.New("path leaves its root directory")

	// ErrTooLarge is matched by every [*SizeError] (01 R1).
	ErrTooLarge = errors.New("file too large")

	// ErrTooMany says that a directory has more entries than were asked for.
	ErrTooMany = errors.New("too many directory entries")
)

// A SizeError reports a file over the limit (01 R1). It matches [ErrTooLarge].
type SizeError struct {
	// Size is the size of the file in bytes. For a file that outgrew the
	// limit while it was read it is what had been read by then.
	Size int64
	// Limit is the highest size allowed, in bytes.
	Limit int64
}

// Error names both sizes.
func (e *SizeError) Error() string {
	return fmt.Sprintf("%v: %d bytes, limit %d", ErrTooLarge, e.Size, e.Limit)
}

// Is reports whether target is [ErrTooLarge].
func (e *SizeError) Is(target error) bool { return target == ErrTooLarge }

// An ID tells whether a file changed: two equal IDs mean the same file with the
// same content, as far as the file system tells. It is comparable; the zero ID
// means unknown and should count as changed. It does not tell whether two paths
// are one file, since some file systems give out rounded inode numbers.
//
// A write within one tick of the file system's clock (a few milliseconds on most)
// after the file was read may leave the ID as it was if the size stays the same.
type ID struct {
	// Dev and Ino are device and inode, 0 where the system has none.
	Dev, Ino uint64
	// Size is in bytes.
	Size int64
	// MTime and CTime are the times of the last change of content and
	// of content or attributes, in nanoseconds since 1970. CTime is 0
	// where the system has none.
	MTime, CTime int64
}

// A Kind is the type of a directory entry; links are not followed.
type Kind uint8

// The kinds of directory entries.
const (
	// Unknown means that the system refused to tell.
	Unknown Kind = iota
	// File is a regular file.
	File
	// Directory is a directory.
	Directory
	// Symlink is a symbolic link or Windows junction, to whatever it leads.
	Symlink
	// Other is a FIFO, socket, device or anything else that is never read.
	Other
)

// String returns the kind in lower case.
func (k Kind) String() string {
	switch k {
	case File:
		return "file"
	case Directory:
		return "directory"
	case Symlink:
		return "symlink"
	case Other:
		return "other"
	default:
		return "unknown"
	}
}

// An Entry is one name in a directory. "." and ".." are never among them.
type Entry struct {
	Name string
	Kind Kind
}

// info is what is known of an open file.
type info struct {
	id      ID
	regular bool
}

// check returns an error unless the file is a regular one of at most limit bytes.
func (i info) check(limit int64) error {
	switch {
	case !i.regular:
		return ErrNotRegular
	case i.id.Size > limit:
		return &SizeError{Size: i.id.Size, Limit: limit}
	default:
		return nil
	}
}

// pathError puts err, freed from any path the system put around it, under the
// operation and the full path.
func pathError(op, path string, err error) error {
	var inner *fs.PathError
	if errors.As(err, &inner) {
		err = inner.Err
	}
	return &fs.PathError{Op: op, Path: path, Err: err}
}
