package atomicfile

import (
	"crypto/rand"
	"encoding/hex"
	"fmt"
	"io"
	"io/fs"
	"os"
	"time"
)

// A temp is a new file, complete and on disk, that is not in its place yet.
type temp struct {
	name string
	info fs.FileInfo
}

// temp makes a new file of data.
func (d dir) temp(data []byte, k traits) (temp, error) {
	t := temp{name: tempName(time.Now())}
	var f *os.File
	err := d.on(OpCreate, t.name, func() (err error) {
		f, err = d.root.OpenFile(t.name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
		return err
	})
	if err != nil {
		return t, err
	}
	err = d.fill(f, &t, data, k)
	if closed := d.closeTemp(f, t.name); err == nil {
		err = closed
	}
	if err != nil {
		err = d.discard(t.name, err)
	}
	return t, err
}

// fill gives the new file its owner and mode, while nothing is in it, and then
// its bytes.
func (d dir) fill(f *os.File, t *temp, data []byte, k traits) error {
	err := d.on(OpStat, t.name, func() (err error) {
		t.info, err = f.Stat()
		return err
	})
	if err != nil {
		return err
	}
	if uid, gid := owner(t.info); k.uid >= 0 && (uid != k.uid || gid != k.gid) {
		if err := d.on(OpChown, t.name, func() error { return f.Chown(k.uid, k.gid) }); err != nil {
			return err
		}
	}
	if err := d.on(OpChmod, t.name, func() error { return f.Chmod(k.perm) }); err != nil {
		return err
	}
	if err := d.write(f, t.name, data); err != nil {
		return err
	}
	return d.on(OpSync, t.name, f.Sync)
}

// write writes all of data.
func (d dir) write(f *os.File, name string, data []byte) error {
	err := d.tell(OpWrite, name)
	n := len(data)
	switch {
	case err == io.ErrShortWrite:
		n, err = f.Write(data[:n/2])
		if err == nil {
			err = io.ErrShortWrite
		}
	case err == nil:
		n, err = f.Write(data)
	}
	if err == nil && n < len(data) {
		err = io.ErrShortWrite
	}
	return d.pathError(OpWrite, name, err)
}

// closeTemp closes the file; some disks are full only then.
func (d dir) closeTemp(f *os.File, name string) error {
	err := d.tell(OpClose, name)
	if closed := f.Close(); err == nil {
		err = closed
	}
	return d.pathError(OpClose, name, err)
}

// The names of new files say when they were made, in hex seconds, so that the
// times of files, which a swap brings along, do not matter. A swap's says too
// which bytes may be in it without being anybody's work: the old ones and the
// new ones.
const (
	tempPrefix = ".skills-tmp-"
	swapPrefix = ".skills-swap-"

	sumChars = 32 // of a SHA-256 in a name
)

func tempName(now time.Time) string {
	return fmt.Sprintf("%s%x-%s", tempPrefix, now.Unix(), rand.Text())
}

func swapName(now time.Time, old, new []byte) string {
	return fmt.Sprintf("%s%x-%s-%s-%s", swapPrefix, now.Unix(), shortSum(old), shortSum(new), rand.Text())
}

func shortSum(sum []byte) string { return hex.EncodeToString(sum)[:sumChars] }
