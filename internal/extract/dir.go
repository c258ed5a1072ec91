package extract

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// A dir is an open directory. Names are looked up in that very directory,
// wherever it is by now, and lead out of it under no circumstances. All
// operations on disk are methods of it and of created, so that the hook is told
// of each.
type dir struct {
	root *os.Root
	path string
	hook Hook
}

// on calls the hook, then f, unless the hook failed. All errors have the path.
func (d dir) on(op, name string, f func() error) error {
	path := filepath.Join(d.path, name)
	err := d.hook(op, path)
	if err == nil {
		err = f()
	}
	return pathError(op, path, err)
}

// openDir opens the directory at path.
func openDir(path string, hook Hook) (dir, error) {
	d := dir{path: path, hook: hook}
	err := d.on(OpOpen, "", func() (err error) {
		// The dot makes the system refuse a FIFO instead of waiting for it.
		d.root, err = os.OpenRoot(path + string(filepath.Separator) + ".")
		return err
	})
	return d, err
}

// open opens the directory name.
func (d dir) open(name string) (dir, error) {
	sub := dir{path: filepath.Join(d.path, name), hook: d.hook}
	itself := name + string(filepath.Separator) + "." // see openDir
	err := d.on(OpOpen, name, func() (err error) {
		sub.root, err = d.root.OpenRoot(itself)
		if errors.Is(err, fs.ErrPermission) && hasModes {
			// The umask may have made it unreadable to its owner.
			if err = d.root.Chmod(name, folderMode); err == nil {
				sub.root, err = d.root.OpenRoot(itself)
			}
		}
		return err
	})
	return sub, err
}

// lstat describes name without following links.
func (d dir) lstat(name string) (info fs.FileInfo, err error) {
	err = d.on(OpLstat, name, func() (err error) {
		info, err = d.root.Lstat(name)
		return err
	})
	return info, err
}

// mkdir makes the directory name, which must be new.
func (d dir) mkdir(name string) error {
	return d.on(OpMkdir, name, func() error { return planted(d.root.Mkdir(name, folderMode)) })
}

// remove removes a file, link or empty directory.
func (d dir) remove(name string) error {
	return d.on(OpRemove, name, func() error { return d.root.Remove(name) })
}

// removeAll removes name and all in it. It follows no links.
func (d dir) removeAll(name string) error {
	return d.on(OpRemoveAll, name, func() error { return d.root.RemoveAll(name) })
}

// close closes d, which needs not be open.
func (d dir) close() {
	if d.root != nil {
		d.root.Close()
	}
}

// self opens the directory d to be looked at and changed.
func (d dir) self() (*os.File, error) {
	var f *os.File
	err := d.on(OpOpen, "", func() (err error) {
		f, err = d.root.Open(".")
		return err
	})
	return f, err
}

// stat describes d itself, by its handle.
func (d dir) stat(f *os.File) (info fs.FileInfo, err error) {
	err = d.on(OpStat, "", func() (err error) {
		info, err = f.Stat()
		return err
	})
	return info, err
}

// create makes the file name, which must be new, and opens it for writing.
// O_EXCL does not follow links, not even dangling ones, and os.Root adds
// O_NOFOLLOW where there is such a thing.
func (d dir) create(name string) (*created, error) {
	c := &created{in: d, name: name}
	err := d.on(OpCreate, name, func() (err error) {
		c.file, err = d.root.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, fileMode)
		return planted(err)
	})
	return c, err
}

// planted makes ErrPlanted of the error for something that was there already.
func planted(err error) error {
	if errors.Is(err, fs.ErrExist) {
		return ErrPlanted
	}
	return err
}

// A created file is open for writing.
type created struct {
	in   dir
	name string
	file *os.File
}

// stat describes the open file.
func (c *created) stat() (info fs.FileInfo, err error) {
	err = c.in.on(OpStat, c.name, func() (err error) {
		info, err = c.file.Stat()
		return err
	})
	return info, err
}

// chmod sets the mode through the handle.
func (c *created) chmod() error {
	return c.in.on(OpChmod, c.name, func() error { return c.file.Chmod(fileMode) })
}

// write writes all of p.
func (c *created) write(p []byte) error {
	path := filepath.Join(c.in.path, c.name)
	err := c.in.hook(OpWrite, path)
	n := len(p)
	switch {
	case err == io.ErrShortWrite:
		n, err = c.file.Write(p[:n/2])
	case err == nil:
		n, err = c.file.Write(p)
	}
	if err == nil && n < len(p) {
		err = io.ErrShortWrite
	}
	return pathError(OpWrite, path, err)
}

// close closes the file; some disks are full only then.
func (c *created) close() error {
	path := filepath.Join(c.in.path, c.name)
	err := c.in.hook(OpClose, path)
	if closed := c.file.Close(); err == nil {
		err = closed
	}
	return pathError(OpClose, path, err)
}
