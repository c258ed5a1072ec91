package scan

import (
	"errors"
	"io"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/seed-12b313d8/skills/internal/readfile"
)

// Disk is the [Tree] of the operating system.
type Disk struct{}

// OpenDir opens a directory, following links.
func (Disk) OpenDir(path string) (Dir, error) {
	d, err := readfile.OpenDir(path)
	if err != nil {
		return nil, err
	}
	return d, nil
}

// OpenDirIn opens the directory name below root, which neither ".." nor a link
// in name can lead out of.
func (Disk) OpenDirIn(root, name string) (Dir, error) {
	d, err := readfile.OpenDirIn(root, name)
	if err != nil {
		return nil, err
	}
	return d, nil
}

// Real resolves links as [filepath.EvalSymlinks] does.
func (Disk) Real(path string) (string, error) { return filepath.EvalSymlinks(path) }

// FS returns the [Tree] of fsys. Paths in it are slash paths; links are what
// fsys makes of them, so Real returns what exists as it is.
func FS(fsys fs.FS) Tree { return fsTree{fsys} }

type fsTree struct{ fsys fs.FS }

func (t fsTree) OpenDir(name string) (Dir, error) {
	name = path.Clean(filepath.ToSlash(name))
	info, err := fs.Stat(t.fsys, name)
	if err != nil {
		return nil, err
	}
	if !info.IsDir() {
		return nil, &fs.PathError{Op: "open", Path: name, Err: errNotDir}
	}
	return fsDir{t.fsys, name}, nil
}

func (t fsTree) Real(name string) (string, error) {
	name = path.Clean(filepath.ToSlash(name))
	_, err := fs.Stat(t.fsys, name)
	return name, err
}

type fsDir struct {
	fsys fs.FS
	name string
}

func (d fsDir) Close() error { return nil }

func (d fsDir) path(name string) string { return path.Join(d.name, filepath.ToSlash(name)) }

func (d fsDir) Stat(name string) (readfile.ID, error) {
	info, err := fs.Stat(d.fsys, d.path(name))
	if err != nil {
		return readfile.ID{}, err
	}
	return idOf(info), nil
}

// idOf returns the zero ID, which means unknown, where fsys keeps no times.
func idOf(info fs.FileInfo) readfile.ID {
	if info.ModTime().IsZero() {
		return readfile.ID{}
	}
	return readfile.ID{Size: info.Size(), MTime: info.ModTime().UnixNano()}
}

func (d fsDir) Head(name string, buf []byte, limit int64, _ bool) (readfile.Head, error) {
	name = d.path(name)
	f, err := d.fsys.Open(name)
	if err != nil {
		return readfile.Head{}, err
	}
	defer f.Close()
	info, err := f.Stat()
	switch {
	case err != nil:
		return readfile.Head{}, err
	case !info.Mode().IsRegular():
		return readfile.Head{}, &fs.PathError{Op: "read", Path: name, Err: readfile.ErrNotRegular}
	case info.Size() > limit:
		return readfile.Head{}, &fs.PathError{Op: "read", Path: name, Err: &readfile.SizeError{Size: info.Size(), Limit: limit}}
	}
	n, err := io.ReadFull(f, buf)
	eof := errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF)
	if err != nil && !eof {
		return readfile.Head{}, err
	}
	return readfile.Head{Data: buf[:n], ID: idOf(info), Complete: eof}, nil
}

func (d fsDir) Entries(max int) ([]readfile.Entry, error) {
	list, err := fs.ReadDir(d.fsys, d.name)
	out := make([]readfile.Entry, 0, len(list))
	for _, e := range list {
		out = append(out, readfile.Entry{Name: e.Name(), Kind: kindOf(e.Type())})
	}
	// An fsys that lists in an order of its own must not change the result.
	slices.SortFunc(out, func(a, b readfile.Entry) int { return strings.Compare(a.Name, b.Name) })
	if max > 0 && len(out) > max {
		return out[:max], readfile.ErrTooMany
	}
	return out, err
}

func kindOf(m fs.FileMode) readfile.Kind {
	switch {
	case m.IsRegular():
		return readfile.File
	case m.IsDir():
		return readfile.Directory
	case m&fs.ModeSymlink != 0:
		return readfile.Symlink
	}
	return readfile.Other
}
