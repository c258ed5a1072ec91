package atomicfile

import (
	"crypto/sha256"
	"errors"
	"io"
	"io/fs"
	"os"
)

// traits are what a file keeps when its bytes are replaced.
type traits struct {
	perm     fs.FileMode
	uid, gid int // -1 where there is none
}

// A file is open for reading, and is what its name leads to without links.
type file struct {
	in     dir
	name   string
	f      *os.File
	info   fs.FileInfo
	leased bool
}

// openFile opens a regular file without waiting for anybody.
func (d dir) openFile(name string) (*file, error) {
	before, err := d.lstat(name)
	if err != nil {
		return nil, err
	}
	if before.Mode()&fs.ModeSymlink != 0 {
		return nil, d.pathError(OpOpen, name, ErrLink)
	}
	if !before.Mode().IsRegular() {
		return nil, d.pathError(OpOpen, name, ErrNotRegular)
	}
	o := &file{in: d, name: name}
	if err := d.on(OpOpen, name, o.open); err != nil {
		return nil, err
	}
	o.info, err = o.stat()
	if err == nil && !(os.SameFile(before, o.info) && o.info.Mode().IsRegular()) { // numbers of files are used again
		err = d.pathError(OpOpen, name, changed("it was replaced"))
	}
	if err != nil {
		o.close()
		return nil, err
	}
	return o, nil
}

func (o *file) open() (err error) {
	root := o.in.root
	o.f, err = root.OpenFile(o.name, os.O_RDONLY|noWait, 0)
	if err == nil {
		return nil
	}
	if now, lerr := root.Lstat(o.name); lerr == nil && now.Mode().Type() != 0 {
		return changed("it was replaced") // by a link that leads nowhere, say
	}
	return err
}

func (o *file) stat() (info fs.FileInfo, err error) {
	err = o.in.on(OpStat, o.name, func() (err error) {
		info, err = o.f.Stat()
		return err
	})
	return info, err
}

// sole returns an [ErrLink] if the file has another name.
func (o *file) sole() error {
	if links(o.f, o.info) > 1 {
		return o.in.pathError(OpOpen, o.name, ErrLink)
	}
	return nil
}

// traits returns what is to be kept of the file.
func (o *file) traits() traits {
	uid, gid := owner(o.info)
	return traits{perm: o.info.Mode().Perm(), uid: uid, gid: gid}
}

// read returns all bytes, at most limit.
func (o *file) read(limit int64) (data []byte, err error) {
	err = o.in.on(OpRead, o.name, func() (err error) {
		data, err = io.ReadAll(io.LimitReader(o.f, limit+1))
		if err == nil && int64(len(data)) > limit {
			err = ErrTooLarge
		}
		return err
	})
	return data, err
}

// sum returns the SHA-256 of the bytes from the first one on.
func (o *file) sum() (sum [sha256.Size]byte, err error) {
	err = o.in.on(OpRead, o.name, func() error {
		h := sha256.New()
		n, err := io.Copy(h, io.NewSectionReader(o.f, 0, MaxSize+1))
		if err == nil && n > MaxSize {
			err = ErrTooLarge
		}
		h.Sum(sum[:0])
		return err
	})
	return sum, err
}

// lease asks the system to tell of writers from now on. It fails with
// [ErrChanged] if there is one already; no leases are no failure.
func (o *file) lease() error {
	err := o.in.on(OpLease, o.name, func() error { return lease(o.f) })
	if errors.Is(err, errors.ErrUnsupported) {
		return nil
	}
	o.leased = err == nil
	return err
}

// still returns an [ErrChanged] unless the file is as it was when it was
// opened and leased.
func (o *file) still() error {
	now, err := o.stat()
	if err != nil {
		return err
	}
	was, is := o.traits(), (&file{f: o.f, info: now}).traits()
	switch {
	case links(o.f, now) != 1:
		err = changed("it has another name")
	case was != is:
		err = changed("its mode or owner is another")
	case now.Size() != o.info.Size() || !now.ModTime().Equal(o.info.ModTime()):
		err = changed("it was written to")
	case o.leased && !leaseHolds(o.f):
		err = changed("it was opened for writing")
	}
	return o.in.pathError(OpStat, o.name, err)
}

// close closes the file and ends its lease.
func (o *file) close() { o.f.Close() }
