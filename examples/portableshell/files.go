package main

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"

	"mvdan.cc/sh/v3/interp"

	"github.com/seed-12b313d8/skills"
)

// A tree is what a command sees of the disk: one directory, and the folder of
// its skill for reading. An os.Root keeps links from leading out of either.
type tree struct {
	roots []*os.Root // the first may be written
}

func openTree(dir string, s *skills.Skill) (*tree, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return nil, err
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, err
	}
	t := &tree{roots: []*os.Root{root}}
	if s != nil && s.Dir != "" {
		if own, err := os.OpenRoot(s.Dir); err == nil { // it may be gone
			t.roots = append(t.roots, own)
		}
	}
	return t, nil
}

// close also ends the access of what still runs.
func (t *tree) close() {
	for _, r := range t.roots {
		_ = r.Close()
	}
}

// find returns the root that path is in, and its name there.
func (t *tree) find(op, path string) (*os.Root, string, error) {
	for _, r := range t.roots {
		if rel, err := filepath.Rel(r.Name(), path); err == nil && filepath.IsLocal(rel) {
			return r, rel, nil
		}
	}
	return nil, "", &fs.PathError{Op: op, Path: path, Err: errOutside}
}

var (
	errOutside  = errors.New("outside of the project")
	errReadOnly = errors.New("may only be read")
	errNoFile   = errors.New("neither a file nor a directory")
)

// absolute returns name as seen from dir.
func absolute(dir, name string) string {
	if filepath.IsAbs(name) {
		return filepath.Clean(name)
	}
	return filepath.Join(dir, name)
}

func (t *tree) open(ctx context.Context, name string, flag int, perm fs.FileMode) (io.ReadWriteCloser, error) {
	if name == "/dev/null" || name == os.DevNull {
		return os.OpenFile(os.DevNull, flag&^os.O_TRUNC, 0)
	}
	path := absolute(interp.HandlerCtx(ctx).Dir, name)
	root, rel, err := t.find("open", path)
	if err != nil {
		return nil, err
	}
	if root != t.roots[0] && flag&(os.O_WRONLY|os.O_RDWR|os.O_CREATE|os.O_TRUNC) != 0 {
		return nil, &fs.PathError{Op: "open", Path: path, Err: errReadOnly}
	}
	if info, err := root.Stat(rel); err == nil && !info.Mode().IsRegular() && !info.IsDir() {
		return nil, &fs.PathError{Op: "open", Path: path, Err: errNoFile} // a pipe would block for ever
	}
	return root.OpenFile(rel, flag, perm)
}

func (t *tree) stat(_ context.Context, path string, follow bool) (fs.FileInfo, error) {
	root, rel, err := t.find("stat", path)
	switch {
	case err != nil:
		return nil, err
	case follow:
		return root.Stat(rel)
	}
	return root.Lstat(rel)
}

// access goes by the permission bits: what the user may really do shows when a
// file is opened.
func (t *tree) access(ctx context.Context, path string, mode interp.AccessMode) error {
	info, err := t.stat(ctx, path, true)
	if err != nil {
		return err
	}
	root, _, err := t.find("access", path)
	if err != nil || mode&interp.AccessWrite != 0 && root != t.roots[0] {
		return &fs.PathError{Op: "access", Path: path, Err: fs.ErrPermission}
	}
	bits := fs.FileMode(mode) * 0o111
	if mode&interp.AccessExec != 0 && (info.IsDir() || runtime.GOOS == "windows") {
		bits &^= 0o111
	}
	if bits != 0 && info.Mode().Perm()&bits == 0 {
		return &fs.PathError{Op: "access", Path: path, Err: fs.ErrPermission}
	}
	return nil
}

// readDir finds nothing in what cannot be read: a pattern then stays as it is,
// as in Bash.
func (t *tree) readDir(_ context.Context, path string) ([]fs.DirEntry, error) {
	root, rel, err := t.find("readdir", path)
	if err != nil {
		return nil, nil
	}
	entries, _ := fs.ReadDir(root.FS(), filepath.ToSlash(rel))
	return entries, nil
}
