package atomicfile

import (
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
)

// A dir is an open folder. Names are looked up in that very folder, wherever
// it is by now. All operations on disk are methods of it and of file, so that
// the hook is told of each.
type dir struct {
	root  *os.Root
	top   string // of the root, for errors
	at    string // slash-separated path in the root, "." for itself
	hook  Hook
	owned bool // root is ours to close
}

// open returns the folder of name, and the last part of name.
func (w Writer) open(root *os.Root, name string) (dir, string, error) {
	d := dir{root: root, top: root.Name(), at: ".", hook: w.Hook}
	if !fs.ValidPath(name) || name == "." || strings.Contains(name, "\\") && runtime.GOOS == "windows" {
		return d, "", d.pathError(OpOpen, name, fs.ErrInvalid)
	}
	folder, base := path.Split(name)
	for part := range strings.SplitSeq(strings.TrimSuffix(folder, "/"), "/") {
		if part == "" {
			continue
		}
		sub, err := d.enter(part)
		d.close()
		if err != nil {
			return dir{}, "", err
		}
		d = sub
	}
	return d, base, nil
}

// enter opens the folder name, which may not be a link.
func (d dir) enter(name string) (dir, error) {
	before, err := d.lstat(name)
	switch {
	case err != nil:
		return dir{}, err
	case before.Mode()&(fs.ModeSymlink|fs.ModeIrregular) != 0:
		return dir{}, d.pathError(OpOpenDir, name, ErrLink)
	case !before.IsDir():
		return dir{}, d.pathError(OpOpenDir, name, syscall.ENOTDIR)
	}
	sub := dir{top: d.top, at: path.Join(d.at, name), hook: d.hook, owned: true}
	err = d.on(OpOpenDir, name, func() (err error) {
		if sub.root, err = d.root.OpenRoot(name + string(filepath.Separator) + "."); err != nil {
			return err
		}
		after, err := sub.root.Stat(".")
		if err == nil && !os.SameFile(before, after) {
			err = changed("its folder was replaced")
		}
		return err
	})
	if err != nil {
		sub.close()
	}
	return sub, err
}

// close closes d unless it is the caller's.
func (d dir) close() {
	if d.owned && d.root != nil {
		d.root.Close()
	}
}

// on calls the hook, then f, unless the hook failed.
func (d dir) on(op, name string, f func() error) error {
	err := d.tell(op, name)
	if err == nil {
		err = f()
	}
	return d.pathError(op, name, err)
}

// tell calls the hook.
func (d dir) tell(op, name string) error {
	if d.hook == nil {
		return nil
	}
	return d.hook(op, path.Join(d.at, name))
}

// pathError puts err, freed from any path the system put around it, under the
// operation and the path of name.
func (d dir) pathError(op, name string, err error) error {
	if err == nil {
		return nil
	}
	var inner *fs.PathError
	var link *os.LinkError
	switch {
	case errors.As(err, &inner):
		err = inner.Err
	case errors.As(err, &link):
		err = link.Err
	}
	return &fs.PathError{Op: op, Path: d.path(name), Err: err}
}

// path returns the full path of name.
func (d dir) path(name string) string {
	return filepath.Join(d.top, filepath.FromSlash(d.at), filepath.FromSlash(name))
}

func (d dir) lstat(name string) (info fs.FileInfo, err error) {
	err = d.on(OpLstat, name, func() (err error) {
		info, err = d.root.Lstat(name)
		return err
	})
	return info, err
}

func (d dir) rename(from, to string) error {
	return d.on(OpRename, from, func() error { return d.root.Rename(from, to) })
}

// exchange makes two names change places in one step. The error is
// [errors.ErrUnsupported] where that cannot be done.
func (d dir) exchange(a, b string) error {
	return d.on(OpExchange, a, func() error {
		f, err := d.root.Open(".")
		if err != nil {
			return err
		}
		defer f.Close()
		return exchange(f, a, b)
	})
}

func (d dir) remove(name string) error {
	return d.on(OpRemove, name, func() error { return d.root.Remove(name) })
}

// discard removes a file of ours because of cause, which it returns.
func (d dir) discard(name string, cause error) error {
	err := d.remove(name)
	if err != nil {
		err = d.remove(name) // some failures pass
	}
	if err != nil && cause != nil && !errors.Is(err, fs.ErrNotExist) {
		return errors.Join(cause, err)
	}
	return cause
}

// sync writes the names in d to disk, where that can be asked for.
func (d dir) sync() error {
	return d.on(OpSyncDir, "", func() error {
		if runtime.GOOS == "windows" {
			return nil
		}
		f, err := d.root.Open(".")
		if err != nil {
			return err
		}
		defer f.Close()
		err = f.Sync()
		if errors.Is(err, syscall.EINVAL) || errors.Is(err, errors.ErrUnsupported) {
			return nil // the file system keeps folders in its own way
		}
		return err
	})
}
