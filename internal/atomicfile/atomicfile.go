// Package atomicfile replaces files as a whole: whoever opens one, and whoever
// finds it after a crash, sees the old bytes or the new ones and nothing else
// (06 §3, §5).
//
// [Writer.Write] replaces whatever is there. [Writer.CompareAndSwap] replaces a
// file only if it is still the one that was read, and gives way to everybody
// else who writes to it. Both make a new file in the same folder, with a name
// nobody can guess, write it to disk, move it into place, and write the folder
// to disk.
//
// Names are slash-separated and inside a root. No folder on the way may be a
// link, also if it becomes one meanwhile. Errors are [*fs.PathError]s; their
// Err is one of this package's or what the operating system said.
//
// A writer that is killed leaves its new file behind. The next one in that
// folder removes what is older than an hour, a bounded number at a time.
package atomicfile

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"os"
)

var (
	// ErrChanged says that a file is not the one that was expected: it has
	// other bytes, another mode or more links, was replaced or deleted, or
	// somebody has it open for writing.
	ErrChanged = errors.New("the file has changed")

	// ErrLink says that a file or a folder on the way to it is a link, or
	// that the file has several names.
	ErrLink = errors.New("is a link, or has several names")

	// ErrNotRegular says that something is neither a link nor a regular file.
	ErrNotRegular = errors.New("not a regular file")

	// ErrTooLarge says that a file is over the limit.
	ErrTooLarge = errors.New("file too large")
)

// MaxSize is the size in bytes above which [Writer.CompareAndSwap] takes a file
// for changed without looking at it.
const MaxSize = 64 << 20

// A Hook is told of an operation on the file or folder name, slash-separated
// and inside the root. op is one of the Op constants. An error it returns is
// the operation's outcome; the operation does not happen, except that
// [io.ErrShortWrite] makes an OpWrite stop halfway, and that OpClose closes in
// any case. [errors.ErrUnsupported] for OpExchange or OpLease stands for a
// system that has no such thing.
type Hook func(op, name string) error

// The operations a [Hook] is told of.
const (
	OpLstat    = "lstat"
	OpOpenDir  = "opendir"
	OpReadDir  = "readdir"
	OpLock     = "lock"
	OpOpen     = "open"
	OpStat     = "stat"
	OpRead     = "read"
	OpLease    = "lease"
	OpCreate   = "create"
	OpChown    = "chown"
	OpChmod    = "chmod"
	OpWrite    = "write"
	OpSync     = "sync"
	OpClose    = "close"
	OpRename   = "rename"
	OpExchange = "exchange"
	OpSyncDir  = "syncdir"
	OpRemove   = "remove"
)

// A Writer replaces and reads files. The zero Writer is ready for use; it is
// safe for concurrent use if its Hook is.
type Writer struct {
	// Hook is called before each operation, if not nil. It is a seam for tests.
	Hook Hook
}

// Write makes data the content of the file name, whatever is there, unless it
// is a folder; a link is replaced, not followed. The file has the permissions
// of perm, whatever the umask is. When Write returns nil the file is on disk.
// If it fails the old file is still there; only if that very last step fails,
// writing the folder to disk, the new one is.
func (w Writer) Write(root *os.Root, name string, data []byte, perm fs.FileMode) error {
	d, base, err := w.open(root, name)
	if err != nil {
		return err
	}
	defer d.close()
	d.sweep()
	t, err := d.temp(data, traits{perm: perm.Perm(), uid: -1, gid: -1})
	if err != nil {
		return err
	}
	if err := d.rename(t.name, base); err != nil {
		return d.discard(t.name, err)
	}
	return d.sync()
}

// Read returns the bytes of a file that [Writer.CompareAndSwap] could replace:
// a regular one of at most limit bytes with one name and no link on the way to
// it.
func (w Writer) Read(root *os.Root, name string, limit int64) ([]byte, error) {
	d, base, err := w.open(root, name)
	if err != nil {
		return nil, err
	}
	defer d.close()
	f, err := d.openFile(base)
	if err != nil {
		return nil, err
	}
	defer f.close()
	if err := f.sole(); err != nil {
		return nil, err
	}
	return f.read(limit)
}

// CompareAndSwap makes data the content of the file name if that is a regular
// file with one name, whose bytes have the SHA-256 old. Permissions, owner and
// group stay; access lists and extended attributes do not. When it returns nil
// the file is on disk.
//
// If it has other bytes or is not there, or anybody changes it meanwhile, the
// error wraps [ErrChanged] and the file is as that somebody left it; a file
// that could not be replaced from the start gives [ErrLink] or
// [ErrNotRegular]. Nothing of others is ever removed: where two changes of
// others meet the new one stays in place, and the one before it remains beside
// it, under the name the error says.
//
// On Linux this holds for writing in place, renaming over, deleting, linking
// and changing the mode, at any moment: the new file and the old one change
// places in one step, and only then is the old one looked at, for its bytes
// and for writers that have it open. If it is not what was expected the two
// change back. Readers may see the new bytes for that long. Two gaps are left.
// An open for writing that is as old as the exchange and has not come to an
// end when the folder has been written to disk goes unnoticed, and so does a
// program that has the file open for writing on a file system without leases.
// macOS has the exchange but no leases. Where there is no exchange the file is
// looked at, then renamed over: what happens between the two is lost, and if
// writing the folder to disk fails in the end the new bytes are in place.
func (w Writer) CompareAndSwap(root *os.Root, name string, old [sha256.Size]byte, data []byte) error {
	d, base, err := w.open(root, name)
	if errors.Is(err, fs.ErrNotExist) {
		return dir{top: root.Name()}.gone(name)
	}
	if err != nil {
		return err
	}
	defer d.close()
	d.sweep()
	s := swap{dir: d, base: base, old: old, new: sha256.Sum256(data)}
	return s.run(data)
}

// changed returns an [ErrChanged] with a reason.
func changed(why string) error { return fmt.Errorf("%w: %s", ErrChanged, why) }
