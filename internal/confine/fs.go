// Package confine opens files below one folder in a way that nothing leads out
// of it.
package confine

import (
	"io/fs"
	"os"

	"github.com/seed-12b313d8/skills/internal/readfile"
)

// FS returns the folder dir as an [fs.FS]. Links and ".." that lead out of it
// are refused by [os.Root], whatever is swapped meanwhile. So are FIFOs,
// devices, and files larger than maxSize bytes. It holds no file handle
// between calls and is safe for concurrent use.
func FS(dir string, maxSize int64) fs.FS { return folder{dir, ".", maxSize} }

// FSIn is like [FS] for the folder dir below root, which dir cannot lead out
// of either.
func FSIn(root, dir string, maxSize int64) fs.FS { return folder{root, dir, maxSize} }

type folder struct {
	root, dir string
	max       int64
}

// open opens the folder itself.
func (f folder) open() (*os.Root, error) {
	root, err := os.OpenRoot(f.root)
	if err != nil || f.dir == "." {
		return root, err
	}
	defer root.Close()
	return root.OpenRoot(f.dir)
}

// Open implements [fs.FS].
func (f folder) Open(name string) (fs.File, error) {
	if !fs.ValidPath(name) {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrInvalid}
	}
	root, err := f.open()
	if err != nil {
		return nil, &fs.PathError{Op: "open", Path: name, Err: err}
	}
	defer root.Close()
	info, err := root.Stat(name)
	switch {
	case err != nil:
		return nil, err
	case info.IsDir():
	case !info.Mode().IsRegular():
		return nil, &fs.PathError{Op: "open", Path: name, Err: readfile.ErrNotRegular}
	case info.Size() > f.max:
		return nil, &fs.PathError{Op: "open", Path: name, Err: &readfile.SizeError{Size: info.Size(), Limit: f.max}}
	}
	file, err := root.OpenFile(name, os.O_RDONLY|nonblock, 0)
	if err != nil {
		return nil, err
	}
	return file, nil
}
