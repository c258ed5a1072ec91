package extract

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// rootPrefix begins the names of roots, so that people know what they are.
const rootPrefix = "skill-files-"

// A root is a private directory for trees.
type root struct {
	parent dir
	name   string
	dir    dir
	id     fs.FileInfo    // nil until dir is open
	kept   int            // trees in it
	spoilt map[string]int // times a folder's name could not be given back
}

// write puts the tree into a folder of that name and returns its path.
func (s *Store) write(ctx context.Context, name string, tree *node) (string, error) {
	s.disk.Lock()
	defer s.disk.Unlock()
	if ctx.Err() != nil {
		return "", context.Cause(ctx)
	}
	r, err := s.openRoot()
	if err != nil {
		return "", err
	}
	path, err := r.write(ctx, name, tree)
	if r.kept == 0 && r.discard() == nil {
		s.root = nil
	}
	return path, err
}

// write puts the tree into a folder of that name, or of a like one if what is
// there already was not made here.
func (r *root) write(ctx context.Context, name string, tree *node) (string, error) {
	folder := name
	if n := r.spoilt[name]; n > 0 {
		folder = fmt.Sprintf("%s+%d", name, n+1)
	}
	w := &writer{ctx: ctx, top: r.dir}
	err := w.folder(r.dir, folder, folder, tree)
	if err == nil {
		r.kept++
		return filepath.Join(r.dir.path, folder), nil
	}
	left := w.undo()
	if left != nil || errors.Is(err, ErrPlanted) {
		r.spoilt[name]++
	}
	return "", andLeft(err, left)
}

// andLeft adds to err what could not be removed.
func andLeft(err, left error) error {
	if left == nil {
		return err
	}
	return fmt.Errorf("%w; not all of it could be removed: %w", err, left)
}

// openRoot returns the root, making it if there is none or it has vanished.
func (s *Store) openRoot() (*root, error) {
	if s.root != nil {
		switch err := s.root.check(); {
		case !errors.Is(err, fs.ErrNotExist):
			return s.root, err
		default:
			s.root.close()
			s.root = nil
		}
	}
	r, err := s.newRoot()
	if err == nil {
		s.root = r
	}
	return r, err
}

// newRoot makes a root (05 §2).
func (s *Store) newRoot() (*root, error) {
	parent, err := openParent(s.o.Parent, s.o.Hook)
	if err != nil {
		return nil, err
	}
	r := &root{parent: parent, name: rootPrefix + rand.Text(), spoilt: make(map[string]int)}
	if err := parent.mkdir(r.name); err != nil {
		parent.close()
		return nil, err
	}
	if r.dir, r.id, err = parent.enter(r.name); err != nil {
		left := r.discard()
		if left != nil {
			s.lost = append(s.lost, r)
		}
		return nil, andLeft(err, left)
	}
	return r, nil
}

// removeRoots removes all roots with what is in them.
func (s *Store) removeRoots() error {
	s.disk.Lock()
	defer s.disk.Unlock()
	all := s.lost
	if s.root != nil {
		all = append(all, s.root)
	}
	s.root, s.lost = nil, nil
	var errs []error
	for _, r := range all {
		if err := r.removeAll(); err != nil {
			s.lost = append(s.lost, r)
			errs = append(errs, fmt.Errorf("removing extracted files: %w", err))
		}
	}
	return errors.Join(errs...)
}

// check returns an error unless the root is still where it was made.
func (r *root) check() error {
	now, err := r.parent.lstat(r.name)
	if err == nil && (!now.IsDir() || r.id != nil && !os.SameFile(now, r.id)) {
		err = pathError(OpLstat, filepath.Join(r.parent.path, r.name), ErrPlanted)
	}
	return err
}

// discard removes r and closes it, if there is nothing in it.
func (r *root) discard() error {
	err := r.check()
	if err == nil {
		err = r.parent.remove(r.name)
	}
	return r.closeIfGone(err)
}

// removeAll removes r with all in it and closes it. What is in a root that was
// never entered is not ours and stays.
func (r *root) removeAll() error {
	if r.id == nil {
		return r.discard()
	}
	err := r.check()
	if err == nil {
		r.dir.close() // some systems do not remove what is open
		err = r.parent.removeAll(r.name)
	}
	return r.closeIfGone(err)
}

// closeIfGone closes r if err, from removing it, says that it is gone.
func (r *root) closeIfGone(err error) error {
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	r.close()
	return nil
}

// close closes the directories of r.
func (r *root) close() {
	r.dir.close()
	r.parent.close()
}
