package extract

import (
	"context"
	"fmt"
	"io"
	"io/fs"
	"slices"
	"strings"

	"github.com/seed-12b313d8/skills/internal/readfile"
)

// A node is a file or folder to be written.
type node struct {
	name   string
	folder bool
	nodes  []*node // what a folder holds, sorted by name
	data   []byte  // what a file holds
}

// collect reads all files into memory. It returns when ctx ends, even if the
// code of the host goes on; what that returns later is dropped.
func (s *Store) collect(ctx context.Context, files func() (fs.FS, error)) (*node, error) {
	c := &collector{ctx: ctx, o: &s.o}
	done := make(chan error, 1)
	go func() {
		err := fmt.Errorf("%w: it ended its goroutine", ErrPanic)
		defer func() { done <- err }()
		err = c.contained(files)
	}()
	select {
	case err := <-done:
		return &c.tree, err
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
}

// A collector reads one file system.
type collector struct {
	ctx   context.Context
	o     *Options
	fsys  fs.FS
	tree  node
	count int      // files and folders so far
	total int64    // bytes read so far
	files []listed // all files, in the order they are listed
}

// A listed file has its name within the file system.
type listed struct {
	*node
	path string
}

// contained turns a panic into an error.
func (c *collector) contained(files func() (fs.FS, error)) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("%w: %v", ErrPanic, p)
		}
	}()
	return c.run(files)
}

// run looks at all names before it reads any file (05 §2).
func (c *collector) run(files func() (fs.FS, error)) (err error) {
	if files == nil {
		return ErrNoFiles
	}
	if c.fsys, err = files(); err != nil {
		return fmt.Errorf("the skill's files cannot be listed: %w", err)
	}
	if c.fsys == nil {
		return ErrNoFiles
	}
	if err := c.list(&c.tree, "."); err != nil {
		return err
	}
	for _, f := range c.files {
		if err := c.read(f); err != nil {
			return pathError("read", f.path, err)
		}
	}
	return nil
}

// list adds what the folder dir holds to n.
func (c *collector) list(n *node, dir string) error {
	n.folder = true
	entries, err := c.entries(dir)
	if err != nil {
		return pathError("list", dir, err)
	}
	names := make(map[string]bool, len(entries))
	for _, e := range entries {
		name := strings.Clone(e.Name())
		at := name
		if dir != "." {
			at = dir + "/" + name
		}
		child, err := c.check(e, name, at, names)
		if err != nil {
			return pathError("extract", at, err)
		}
		n.nodes = append(n.nodes, child)
		if !child.folder {
			c.files = append(c.files, listed{child, at})
		} else if err := c.list(child, at); err != nil {
			return err
		}
	}
	return nil
}

// check returns the node of an entry, unless it must not be written.
func (c *collector) check(e fs.DirEntry, name, at string, names map[string]bool) (*node, error) {
	c.count++
	switch kind := e.Type(); {
	case c.count > c.o.MaxFiles:
		return nil, fmt.Errorf("%w: more than %d files and folders", readfile.ErrTooMany, c.o.MaxFiles)
	case !kind.IsRegular() && !kind.IsDir():
		return nil, fmt.Errorf("%w: its type is %v", readfile.ErrNotRegular, kind)
	case len(at) > maxName:
		return nil, fmt.Errorf("%w: with its folders it is longer than %d bytes; shorten it", ErrName, maxName)
	case names[name]:
		return nil, fmt.Errorf("%w: its folder lists it twice", ErrName)
	default:
		names[name] = true
		return &node{name: name, folder: kind.IsDir()}, checkName(name)
	}
}

// entries lists the folder dir, sorted by name. It reads hardly more than may
// be there, however long the list is.
func (c *collector) entries(dir string) ([]fs.DirEntry, error) {
	f, err := c.fsys.Open(dir)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	d, ok := f.(fs.ReadDirFile)
	if !ok {
		return fs.ReadDir(c.fsys, dir)
	}
	var list []fs.DirEntry
	for len(list) <= c.o.MaxFiles && err == nil {
		var some []fs.DirEntry
		if err = context.Cause(c.ctx); err != nil {
			break
		}
		if some, err = d.ReadDir(c.o.MaxFiles + 1); err == nil && len(some) == 0 {
			err = io.ErrNoProgress
		}
		list = append(list, some...)
	}
	if err != nil && err != io.EOF {
		return nil, err
	}
	slices.SortFunc(list, func(a, b fs.DirEntry) int { return strings.Compare(a.Name(), b.Name()) })
	return list, nil
}

// read fills f, within the limits.
func (c *collector) read(f listed) error {
	file, err := c.fsys.Open(f.path)
	if err != nil {
		return err
	}
	defer file.Close()
	info, err := file.Stat()
	switch {
	case err != nil:
		return err
	case !info.Mode().IsRegular():
		return readfile.ErrNotRegular
	case info.Size() > c.o.MaxFile:
		return &readfile.SizeError{Size: info.Size(), Limit: c.o.MaxFile}
	}
	limit := min(c.o.MaxFile, c.o.MaxTotal-c.total)
	if f.data, err = c.readAll(file, limit); err != nil {
		return err
	}
	size := int64(len(f.data))
	c.total += size
	switch {
	case size > c.o.MaxFile:
		return &readfile.SizeError{Size: size, Limit: c.o.MaxFile}
	case c.total > c.o.MaxTotal:
		return fmt.Errorf("all files together: %w", &readfile.SizeError{Size: c.total, Limit: c.o.MaxTotal})
	default:
		return nil
	}
}

// maxEmptyReads is how often a reader may return nothing in a row.
const maxEmptyReads = 100

// readAll returns what r has, but at most limit+1 bytes.
func (c *collector) readAll(r io.Reader, limit int64) ([]byte, error) {
	r = io.LimitReader(r, limit+1)
	data := make([]byte, 0, 512)
	for empty := 0; empty < maxEmptyReads; empty++ {
		if c.ctx.Err() != nil {
			return nil, context.Cause(c.ctx)
		}
		n, err := r.Read(data[len(data):cap(data)])
		data = data[:len(data)+n]
		switch {
		case err == io.EOF:
			return data, nil
		case err != nil:
			return nil, err
		case n > 0:
			empty = -1
		}
		data = slices.Grow(data, 1)
	}
	return nil, io.ErrNoProgress
}
