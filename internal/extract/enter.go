package extract

import (
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// The modes of what is extracted (05 §2).
const (
	folderMode fs.FileMode = 0o700
	fileMode   fs.FileMode = 0o600
)

// enter opens the directory name, which was just made, and sees to its mode. It
// returns what identifies it. A link, or a directory that is not an empty one
// of ours, is not what was made: it is left as it is.
func (d dir) enter(name string) (sub dir, id fs.FileInfo, err error) {
	before, err := d.lstat(name)
	if err != nil {
		return dir{}, nil, err
	}
	if !before.IsDir() {
		return dir{}, nil, pathError(OpOpen, filepath.Join(d.path, name), ErrPlanted)
	}
	if sub, err = d.open(name); err == nil {
		id, err = sub.claim(before)
	}
	if err != nil {
		sub.close()
		return dir{}, nil, err
	}
	return sub, id, nil
}

// claim checks that d is the directory described by before and fresh, and sets
// its mode through the handle.
func (d dir) claim(before fs.FileInfo) (fs.FileInfo, error) {
	f, err := d.self()
	if err != nil {
		return nil, err
	}
	defer f.Close()
	id, err := d.stat(f)
	if err != nil {
		return nil, err
	}
	if !os.SameFile(before, id) || !ours(id) {
		return nil, pathError(OpOpen, d.path, ErrPlanted)
	}
	if err := d.on(OpReadDir, "", func() error { return empty(f) }); err != nil || !hasModes {
		return id, err
	}
	if err := d.on(OpChmod, "", func() error { return f.Chmod(folderMode) }); err != nil {
		return nil, err
	}
	if id, err = d.stat(f); err != nil {
		return nil, err
	}
	if got := id.Mode().Perm(); got != folderMode {
		return nil, pathError(OpChmod, d.path, fmt.Errorf("%w: it has %v; choose another directory for temporary files", ErrMode, got))
	}
	return id, nil
}

// empty returns ErrPlanted if a directory has entries.
func empty(f *os.File) error {
	switch _, err := f.Readdirnames(1); err {
	case io.EOF:
		return nil
	case nil:
		return ErrPlanted
	default:
		return err
	}
}
