package readfile

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// firstRead bounds what is allocated on the word of a file's size alone; beyond
// it memory grows with what has really been read.
const firstRead = 1 << 20

// Whole reads the regular file at path, following links (01 R1). A file of more
// than limit bytes gives a [*SizeError]; a negative limit refuses every file.
// The ID was taken before reading.
func Whole(path string, limit int64) ([]byte, ID, error) {
	f, err := openFile(path)
	if err != nil {
		return nil, ID{}, pathError("read", path, err)
	}
	return readWhole(f, path, limit)
}

// WholeIn is like [Whole] but confined (01 R8): name is relative to the directory
// root, and neither ".." nor a link in name can lead out of root, even if
// something is swapped meanwhile; trying gives [ErrEscapes]. root itself may be a
// link. A link whose target is absolute counts as leading out wherever it leads:
// who wants to allow one back into root resolves it first.
func WholeIn(root, name string, limit int64) ([]byte, ID, error) {
	path := filepath.Join(root, name)
	r, err := openRoot(root)
	if err != nil {
		return nil, ID{}, pathError("read", path, err)
	}
	defer r.Close()
	f, err := openInRoot(r, name)
	if err != nil {
		return nil, ID{}, pathError("read", path, escape(r, err))
	}
	return readWhole(f, path, limit)
}

// openRoot opens a directory to be confined to. The appended dot makes the system
// refuse a FIFO, which os.OpenRoot would wait for.
func openRoot(path string) (*os.Root, error) {
	if path == "" {
		return nil, fs.ErrNotExist
	}
	return os.OpenRoot(path + string(filepath.Separator) + ".")
}

// escape turns the error os.Root has for names that leave it, and which package os
// does not export, into ErrEscapes.
func escape(r *os.Root, err error) error {
	_, outside := r.Lstat("..")
	if cause := errors.Unwrap(outside); cause != nil && errors.Is(err, cause) {
		return ErrEscapes
	}
	return err
}

// readWhole reads and closes f, which was opened as path.
func readWhole(f *os.File, path string, limit int64) ([]byte, ID, error) {
	defer f.Close()
	file, err := fileInfo(f)
	if err == nil {
		err = file.check(limit)
	}
	if err != nil {
		return nil, ID{}, pathError("read", path, err)
	}
	data, err := readAll(f, file.id.Size, limit)
	if err != nil {
		return nil, ID{}, pathError("read", path, err)
	}
	return data, file.id, nil
}

// readAll reads r to its end, expecting about size bytes.
func readAll(r io.Reader, size, limit int64) ([]byte, error) {
	var b bytes.Buffer
	b.Grow(int(max(0, min(size, firstRead))) + bytes.MinRead)
	n, err := b.ReadFrom(io.LimitReader(r, beyond(limit)))
	if err != nil {
		return nil, err
	}
	if n > limit {
		return nil, &SizeError{Size: n, Limit: limit}
	}
	return b.Bytes(), nil
}
