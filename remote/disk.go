package remote

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/seed-12b313d8/skills"
	"github.com/seed-12b313d8/skills/internal/atomicfile"
)

const (
	// folder is what the cache is in. Its number changes with the format.
	folder = "skills-remote-1"

	recordPrefix = "r-" // followed by the key
	blobPrefix   = "b-" // followed by the tenant's part and the digest
	maxRecord    = 8 << 10

	opMkdir   = "mkdir"
	opChtimes = "chtimes"

	usedAgain = time.Hour // how exactly a file's time says when it was used
	rereads   = 3         // of a file that is being replaced
)

// A disk is a store in a directory. Files are written to the side, synced and
// renamed, so processes can share it and be killed at any moment. It holds no
// descriptor between calls, and os.Root keeps it inside.
type disk struct {
	dir   string
	scope string // of the tenant, for blobs
	limit int64  // bytes of all files together
	blobs int64  // bytes of one content
	hook  atomicfile.Hook

	mu      sync.Mutex // guards what follows, and that one evicts at a time
	written int64      // bytes since the last look at all files; -1 before the first
}

// newDisk makes the directory, or says why it must not be used.
func newDisk(o *Options, hook atomicfile.Hook) (*disk, error) {
	dir, err := filepath.Abs(o.CacheDir)
	if err != nil {
		dir = o.CacheDir
	}
	d := &disk{
		dir: dir, limit: o.CacheSize, blobs: max(o.MaxSize, o.MaxIndexSize), hook: hook,
		scope: keyOf(o.Tenant, "")[:16], written: -1,
	}
	root, err := d.open()
	if err != nil {
		e := badOption("Options.CacheDir", "the cache cannot be used", "give a directory that only this user can write to, or none", err)
		e.Code, e.Path = skills.CodeUnreadable, d.dir
		return nil, e
	}
	return d, root.Close()
}

// open opens the cache's folder, which it makes if it is gone.
func (d *disk) open() (*os.Root, error) {
	dir := filepath.Clean(d.dir) + string(filepath.Separator) + "." // does not wait for FIFOs
	parent, err := d.enter(d.dir,
		func() (*os.Root, error) { return os.OpenRoot(dir) },
		func() error { return os.MkdirAll(d.dir, 0o700) })
	if err != nil {
		return nil, err
	}
	defer parent.Close()
	return d.enter(folder,
		func() (*os.Root, error) { return enterFolder(parent) },
		func() error { return parent.Mkdir(folder, 0o700) })
}

// enter opens a folder, and makes it first if there is none.
func (d *disk) enter(name string, open func() (*os.Root, error), mkdir func() error) (root *os.Root, err error) {
	opening := func() (err error) {
		root, err = open()
		return err
	}
	err = d.on(atomicfile.OpOpenDir, name, opening)
	if !errors.Is(err, fs.ErrNotExist) {
		return root, err
	}
	if err := d.on(opMkdir, name, mkdir); err != nil && !errors.Is(err, fs.ErrExist) {
		return nil, err
	}
	err = d.on(atomicfile.OpOpenDir, name, opening)
	return root, err
}

// enterFolder opens the cache's folder, which must be one: os.OpenRoot would
// wait for a FIFO, and follow a link.
func enterFolder(parent *os.Root) (*os.Root, error) {
	info, err := parent.Lstat(folder)
	switch {
	case err != nil:
		return nil, err
	case info.Mode()&fs.ModeSymlink != 0:
		return nil, &fs.PathError{Op: "open", Path: folder, Err: atomicfile.ErrLink}
	case !info.IsDir():
		return nil, &fs.PathError{Op: "open", Path: folder, Err: syscall.ENOTDIR}
	}
	root, err := parent.OpenRoot(folder)
	if err != nil {
		return nil, err
	}
	now, err := root.Stat(".")
	if err == nil && !os.SameFile(info, now) {
		err = &fs.PathError{Op: "open", Path: folder, Err: atomicfile.ErrChanged}
	}
	if err == nil && !private(now) {
		err = &fs.PathError{Op: "open", Path: folder, Err: errors.New("others may write to it: chmod it to 0700")}
	}
	if err != nil {
		root.Close()
		return nil, err
	}
	return root, nil
}

// on tells the hook of an operation, which does not happen if that fails.
func (d *disk) on(op, name string, do func() error) error {
	if d.hook != nil {
		if err := d.hook(op, name); err != nil {
			return &fs.PathError{Op: op, Path: name, Err: err}
		}
	}
	return do()
}

func (d *disk) writer() atomicfile.Writer { return atomicfile.Writer{Hook: d.hook} }

func (d *disk) blobName(digest string) string { return blobPrefix + d.scope + "-" + digest }

func (d *disk) load(key string) (*record, []byte, bool) {
	root, err := d.open()
	if err != nil {
		return nil, nil, false
	}
	defer root.Close()
	text, err := d.read(root, recordPrefix+key, maxRecord)
	if err != nil {
		return nil, nil, false
	}
	rec, ok := decodeRecord(key, text)
	if !ok {
		return nil, nil, false
	}
	body, ok := d.verified(root, rec.Digest)
	return rec, body, ok
}

func (d *disk) blob(digest string) ([]byte, bool) {
	root, err := d.open()
	if err != nil {
		return nil, false
	}
	defer root.Close()
	return d.verified(root, digest)
}

// verified reads a content that is what its name says.
func (d *disk) verified(root *os.Root, digest string) ([]byte, bool) {
	name := d.blobName(digest)
	body, err := d.read(root, name, d.blobs)
	if err != nil || digestOf(body) != digest {
		return nil, false
	}
	d.used(root, name)
	return body, true
}

// read reads a file that other processes may be replacing.
func (d *disk) read(root *os.Root, name string, limit int64) (b []byte, err error) {
	for range rereads {
		b, err = d.writer().Read(root, name, limit)
		if !errors.Is(err, atomicfile.ErrChanged) {
			break
		}
	}
	return b, err
}

// used notes now and then that a content is needed. If that fails it is thrown
// out sooner.
func (d *disk) used(root *os.Root, name string) {
	now := time.Now()
	info, err := root.Lstat(name)
	if err != nil || now.Sub(info.ModTime()) < usedAgain {
		return
	}
	_ = d.on(opChtimes, name, func() error { return root.Chtimes(name, now, now) })
}

// save writes content before the record that names it, so that a record never
// comes before its content.
func (d *disk) save(key string, rec *record, body []byte) error {
	root, err := d.open()
	if err != nil {
		return err
	}
	defer root.Close()
	names := []string{d.blobName(digestOf(body))}
	size := int64(0)
	if _, ok := d.verified(root, digestOf(body)); !ok {
		size = int64(len(body))
		if err := d.write(root, names[0], body); err != nil {
			return err
		}
	}
	if rec != nil {
		text, err := rec.encode(key)
		if err != nil {
			return fmt.Errorf("encoding a record: %w", err)
		}
		names = append(names, recordPrefix+key)
		size += int64(len(text))
		if err := d.write(root, names[1], text); err != nil {
			return err
		}
	}
	return d.evict(root, size, names)
}

// write replaces whatever has the name; a folder has no business there.
func (d *disk) write(root *os.Root, name string, data []byte) error {
	err := d.writer().Write(root, name, data, 0o600)
	if err == nil {
		return nil
	}
	if info, e := root.Lstat(name); e != nil || !info.IsDir() {
		return err
	}
	if err := d.on(atomicfile.OpRemove, name, func() error { return root.RemoveAll(name) }); err != nil {
		return err
	}
	return d.writer().Write(root, name, data, 0o600)
}

func (d *disk) forget(key string) error {
	root, err := d.open()
	if err != nil {
		return err
	}
	defer root.Close()
	err = d.remove(root, recordPrefix+key)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

func (d *disk) remove(root *os.Root, name string) error {
	return d.on(atomicfile.OpRemove, name, func() error { return root.Remove(name) })
}

// isOurs reports whether a file's name is one of the cache.
func isOurs(name string) bool {
	if key, ok := strings.CutPrefix(name, recordPrefix); ok {
		return isHex(key)
	}
	rest, ok := strings.CutPrefix(name, blobPrefix)
	_, digest, two := strings.Cut(rest, "-")
	return ok && two && isHex(digest)
}
