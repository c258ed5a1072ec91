package readfile

import (
	"os"
	"path/filepath"
	"strings"
	"sync"
)

// A Dir is an open directory; it is safe for concurrent use. On Unix, everything is
// looked up relative to its handle, so it stays the same directory even when it is
// renamed or replaced. Elsewhere that holds for [Dir.Head] without following links
// and for [Dir.Entries]; the rest goes by its path.
type Dir struct {
	path string

	mu     sync.RWMutex // guards closed and the read position of handle
	handle handle
	closed bool
}

// OpenDir opens the directory at path, following links (01 R8).
func OpenDir(path string) (*Dir, error) {
	h, err := openDirectory(path)
	if err != nil {
		return nil, pathError("open", path, err)
	}
	return &Dir{path: path, handle: h}, nil
}

// OpenDirIn is like [OpenDir] but confined as [WholeIn] is: name is relative to
// root, and a ".." or link that leads out of root gives [ErrEscapes] (01 R8).
// Only the opening is confined: for files in it use [Dir.Head] without following
// links.
func OpenDirIn(root, name string) (*Dir, error) {
	path := filepath.Join(root, name)
	r, err := openRoot(root)
	if err != nil {
		return nil, pathError("open", path, err)
	}
	defer r.Close()
	h, err := openDirectoryInRoot(r, name)
	if err != nil {
		return nil, pathError("open", path, escape(r, err))
	}
	return &Dir{path: path, handle: h}, nil
}

// Close closes the directory. It waits for calls under way; later ones, of Close too,
// fail with os.ErrClosed.
func (d *Dir) Close() error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.closed {
		return d.pathError("close", "", os.ErrClosed)
	}
	d.closed = true
	return d.handle.Close()
}

// Head reads the beginning of the regular file name into buf (01 R1, R2), in one
// read unless the file changes meanwhile. name is relative to d and may have
// several parts; one that is absolute or leaves d through ".." gives [ErrEscapes].
//
// With nofollow no part of name may be a link, else [ErrSymlink] is returned and
// the caller decides (01 R8). On Linux before 5.6 and on other Unix systems a folder
// in name must then be readable, not only searchable.
//
// A file of more than limit bytes gives a [*SizeError], however small buf is; a
// negative limit refuses every file.
func (d *Dir) Head(name string, buf []byte, limit int64, nofollow bool) (Head, error) {
	d.mu.RLock()
	defer d.mu.RUnlock()
	if err := d.check(name); err != nil {
		return Head{}, d.pathError("read", name, err)
	}
	h, err := d.head(name, buf, limit, nofollow)
	if err != nil {
		return Head{}, d.pathError("read", name, err)
	}
	return h, nil
}

// Stat returns the ID of name, which may be anything, "." for d itself included.
// Links are followed; names are restricted as for [Dir.Head].
func (d *Dir) Stat(name string) (ID, error) {
	d.mu.RLock()
	defer d.mu.RUnlock()
	if err := d.check(name); err != nil {
		return ID{}, d.pathError("stat", name, err)
	}
	id, err := d.stat(name)
	if err != nil {
		return ID{}, d.pathError("stat", name, err)
	}
	return id, nil
}

// Entries returns what the directory contains, sorted by name. Links are not
// followed. When reading stops midway, what was read is returned with the error.
//
// At most max entries are returned; if there are more, it is those with the
// smallest names, whatever order the system lists them in, and [ErrTooMany].
// Memory is bounded by max, time grows with the directory. A max below 1 means
// no bound.
func (d *Dir) Entries(max int) ([]Entry, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.closed {
		return nil, d.pathError("readdir", "", os.ErrClosed)
	}
	c := collector{max: max}
	err := d.collect(&c)
	list, more := c.result()
	if err == nil && more {
		err = ErrTooMany
	}
	if err != nil {
		err = d.pathError("readdir", "", err)
	}
	return list, err
}

// check returns why name cannot be looked up in d.
func (d *Dir) check(name string) error {
	switch {
	case d.closed:
		return os.ErrClosed
	case !filepath.IsLocal(name):
		return ErrEscapes
	default:
		return nil
	}
}

// pathError copies name so that the compiler can keep callers' names, which are
// mostly put together for one call, off the heap.
func (d *Dir) pathError(op, name string, err error) error {
	return pathError(op, filepath.Join(d.path, strings.Clone(name)), err)
}
