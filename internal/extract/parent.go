package extract

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// openParent opens the directory at path if it can be trusted. The directories
// above it are looked at first: whoever may rename one of them decides what the
// path leads to. Once all are found good nobody else can swap any.
func openParent(path string, hook Hook) (dir, error) {
	real, err := realParent(path)
	if err != nil {
		return dir{}, pathError(OpOpen, path, err)
	}
	before, err := trustedPath(real, hook)
	if err != nil {
		return dir{}, err
	}
	d, err := openDir(real, hook)
	if err != nil {
		return dir{}, err
	}
	if err := d.confirm(before); err != nil {
		d.close()
		return dir{}, err
	}
	return d, nil
}

// realParent returns path made absolute, without links save for its last
// element.
func realParent(path string) (string, error) {
	abs, err := filepath.Abs(path)
	if err != nil {
		return "", err
	}
	above, err := filepath.EvalSymlinks(filepath.Dir(abs))
	if err != nil || above == abs {
		return abs, err
	}
	return filepath.Join(above, filepath.Base(abs)), nil
}

// trustedPath looks at path and at each directory above it, from the top. It
// returns the description of path.
func trustedPath(path string, hook Hook) (fs.FileInfo, error) {
	if up := filepath.Dir(path); up != path {
		if _, err := trustedPath(up, hook); err != nil {
			return nil, err
		}
	}
	var info fs.FileInfo
	d := dir{path: path, hook: hook}
	err := d.on(OpLstat, "", func() (err error) {
		if info, err = os.Lstat(path); err == nil {
			err = trusted(info)
		}
		return err
	})
	return info, err
}

// confirm checks that d is what before describes, and still to be trusted.
func (d dir) confirm(before fs.FileInfo) error {
	f, err := d.self()
	if err != nil {
		return err
	}
	defer f.Close()
	now, err := d.stat(f)
	if err != nil {
		return err
	}
	if !os.SameFile(before, now) {
		return pathError(OpOpen, d.path, fmt.Errorf("%w: it was replaced meanwhile", ErrParent))
	}
	return pathError(OpOpen, d.path, trusted(now))
}

// trusted returns an [ErrParent] unless a directory is real and nobody but its
// trusted owner can rename what others have in it (05 §2).
func trusted(info fs.FileInfo) error {
	if !info.IsDir() {
		return fmt.Errorf("%w: it is not a directory but %v; name the directory itself", ErrParent, info.Mode().Type())
	}
	return trustedOwner(info)
}
