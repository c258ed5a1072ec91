package remote

import (
	"errors"
	"io/fs"
	"os"
	"slices"
	"time"

	"github.com/seed-12b313d8/skills/internal/atomicfile"
)

// blockSize is what even a small file takes, in bytes.
const blockSize = 4 << 10

// An aged file is one of the cache's.
type aged struct {
	name string
	size int64
	used time.Time
}

// evict counts what was written and, when that may have filled the cache, looks
// at all files: beyond the limit, those go that were not used for longest, until
// a tenth is free. keep are those just written.
func (d *disk) evict(root *os.Root, wrote int64, keep []string) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.written >= 0 {
		if d.written += wrote; d.written < d.limit/16 {
			return nil
		}
	}
	files, total, err := d.files(root)
	if err != nil {
		return err
	}
	d.written = 0
	if total <= d.limit {
		return nil
	}
	slices.SortFunc(files, func(a, b aged) int { return a.used.Compare(b.used) })
	var failed []error
	for _, f := range files {
		if total <= d.limit-d.limit/10 {
			break
		}
		if slices.Contains(keep, f.name) {
			continue
		}
		err := d.remove(root, f.name)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			failed = append(failed, err)
			continue
		}
		total -= f.size
	}
	return errors.Join(failed...)
}

// files lists what the cache holds and its size. What is not of the cache is
// left alone.
func (d *disk) files(root *os.Root) (files []aged, total int64, err error) {
	var names []string
	err = d.on(atomicfile.OpReadDir, ".", func() error {
		f, err := root.Open(".")
		if err != nil {
			return err
		}
		defer f.Close()
		names, err = f.Readdirnames(-1)
		return err
	})
	for _, name := range names {
		info, e := root.Lstat(name)
		if e != nil || !isOurs(name) {
			continue
		}
		size := (info.Size() + blockSize - 1) / blockSize * blockSize
		files = append(files, aged{name, size, info.ModTime()})
		total += size
	}
	return files, total, err
}
