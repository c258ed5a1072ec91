//go:build !unix

package readfile

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
)

// Without a way to open that never blocks, what is not regular is told from the
// path first. The handle is still asked afterwards.

func openFile(path string) (*os.File, error) {
	if err := checkRegular(os.Stat(path)); err != nil {
		return nil, err
	}
	return os.Open(path)
}

func openInRoot(r *os.Root, name string) (*os.File, error) {
	if err := checkRegular(r.Stat(name)); err != nil {
		return nil, err
	}
	return r.Open(name)
}

func checkRegular(fi fs.FileInfo, err error) error {
	if err == nil && !fi.Mode().IsRegular() {
		err = ErrNotRegular
	}
	return err
}

// A handle is what a [Dir] keeps open.
type handle = *os.Root

func openDirectory(path string) (handle, error) {
	if err := checkDirectory(os.Stat(path)); err != nil {
		return nil, err
	}
	return os.OpenRoot(path)
}

func openDirectoryInRoot(r *os.Root, name string) (handle, error) {
	if err := checkDirectory(r.Stat(name)); err != nil {
		return nil, err
	}
	return r.OpenRoot(name)
}

func checkDirectory(fi fs.FileInfo, err error) error {
	if err == nil && !fi.IsDir() {
		err = syscall.ENOTDIR
	}
	return err
}

// fileInfo asks the handle, not the path.
func fileInfo(f *os.File) (info, error) {
	fi, err := f.Stat()
	if err != nil {
		return info{}, err
	}
	return info{id: idOf(fi), regular: fi.Mode().IsRegular()}, nil
}

func idOf(fi fs.FileInfo) ID {
	return ID{Size: fi.Size(), MTime: fi.ModTime().UnixNano()}
}

func (d *Dir) head(name string, buf []byte, limit int64, nofollow bool) (Head, error) {
	f, err := d.open(name, nofollow)
	if err != nil {
		return Head{}, err
	}
	defer f.Close()
	file, err := fileInfo(f)
	if err != nil {
		return Head{}, err
	}
	return readHead(f, file, buf, limit)
}

// open opens the file name.
func (d *Dir) open(name string, nofollow bool) (*os.File, error) {
	if !nofollow {
		return openFile(filepath.Join(d.path, name))
	}
	f, err := d.openNoLinks(name)
	if err != nil {
		return nil, escape(d.handle, err)
	}
	return f, nil
}

// openNoLinks opens name, no part of which may be a link. One that replaces a part
// after the check cannot lead out of d.
func (d *Dir) openNoLinks(name string) (*os.File, error) {
	if err := d.checkNoLinks(name); err != nil {
		return nil, err
	}
	return openInRoot(d.handle, name)
}

// checkNoLinks looks at each part of name. Windows junctions, which are irregular
// to package os, count as links.
func (d *Dir) checkNoLinks(name string) error {
	at := ""
	for part := range strings.SplitSeq(filepath.ToSlash(filepath.Clean(name)), "/") {
		at = filepath.Join(at, part)
		fi, err := d.handle.Lstat(at)
		if err != nil {
			return err
		}
		if fi.Mode()&(fs.ModeSymlink|fs.ModeIrregular) != 0 {
			return ErrSymlink
		}
	}
	return nil
}

func (d *Dir) stat(name string) (ID, error) {
	fi, err := os.Stat(filepath.Join(d.path, name))
	if err != nil {
		return ID{}, err
	}
	return idOf(fi), nil
}

// reopen opens d once more, to be listed from the start.
func (d *Dir) reopen() (*os.File, error) { return d.handle.Open(".") }
