package extract

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
)

// chunk is how much is written at once, in bytes.
const chunk = 1 << 20

// A writer writes one tree and remembers what it made, to undo it.
type writer struct {
	ctx  context.Context
	top  dir
	made []made
}

// A made file or folder has its path below the writer's top. id is nil if it
// could not be told.
type made struct {
	path   string
	folder bool
	id     fs.FileInfo
}

// folder makes the folder name in the directory in, with all that n holds. at
// is its path below the top.
func (w *writer) folder(in dir, name, at string, n *node) error {
	if w.ctx.Err() != nil {
		return context.Cause(w.ctx)
	}
	if err := in.mkdir(name); err != nil {
		return err
	}
	w.made = append(w.made, made{path: at, folder: true})
	sub, id, err := in.enter(name)
	if err != nil {
		return err
	}
	defer sub.close()
	w.made[len(w.made)-1].id = id
	for _, child := range n.nodes {
		write := w.file
		if child.folder {
			write = w.folder
		}
		if err := write(sub, child.name, filepath.Join(at, child.name), child); err != nil {
			return err
		}
	}
	return nil
}

// file makes the file name in the directory in.
func (w *writer) file(in dir, name, at string, n *node) error {
	if w.ctx.Err() != nil {
		return context.Cause(w.ctx)
	}
	f, err := in.create(name)
	if err != nil {
		return err
	}
	id, err := f.stat()
	w.made = append(w.made, made{path: at, id: id})
	if err == nil {
		err = w.fill(f, n.data)
	}
	if closed := f.close(); err == nil {
		err = closed
	}
	return err
}

// fill sets the mode of f, while nothing is in it, and writes data.
func (w *writer) fill(f *created, data []byte) error {
	if err := f.chmod(); err != nil {
		return err
	}
	for part := range slices.Chunk(data, chunk) {
		if w.ctx.Err() != nil {
			return context.Cause(w.ctx)
		}
		if err := f.write(part); err != nil {
			return err
		}
	}
	return nil
}

// undo removes what was made, last first. It leaves what was put in its place,
// and folders with things in them that were not made here.
func (w *writer) undo() error {
	var errs []error
	for _, m := range slices.Backward(w.made) {
		if err := w.remove(m); err != nil {
			errs = append(errs, err)
		}
	}
	return errors.Join(errs...)
}

// remove removes one thing, unless it was replaced.
func (w *writer) remove(m made) error {
	now, err := w.top.lstat(m.path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return err
	case now.IsDir() != m.folder || m.id != nil && !os.SameFile(now, m.id):
		return pathError(OpRemove, filepath.Join(w.top.path, m.path), ErrPlanted)
	default:
		return w.top.remove(m.path)
	}
}
