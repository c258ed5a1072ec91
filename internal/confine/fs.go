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
	file, err := root.OpenFile(name, os.O_RDONLY|nonblock, 0)
	if err != nil {
		return nil, err
	}
	info, err := file.Stat()
	switch {
	case err != nil:
	case info.IsDir():
		return file, nil
	case !info.Mode().IsRegular():
		err = &fs.PathError{Op: "open", Path: name, Err: readfile.ErrNotRegular}
	case info.Size() > f.max:
		err = &fs.PathError{Op: "open", Path: name, Err: &readfile.SizeError{Size: info.Size(), Limit: f.max}}
	default:
		return &capped{File: file, left: f.max, max: f.max}, nil
	}
	file.Close()
	return nil, err
}

// A capped file ends with an error where it has grown beyond the limit.
type capped struct {
	fs.File
	left, max int64
}

// Read implements [fs.File].
func (c *capped) Read(p []byte) (int, error) {
	if c.left <= 0 {
		var one [1]byte
		if n, err := c.File.Read(one[:]); n == 0 {
			return 0, err
		}
		return 0, &readfile.SizeError{Size: c.max + 1, Limit: c.max}
	}
	n, err := c.File.Read(p[:min(int64(len(p)), c.left)])
	c.left -= int64(n)
	return n, err
}
