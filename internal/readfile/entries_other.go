//go:build !linux

package readfile

import (
	"io"
	"io/fs"
)

// chunk is the number of entries asked for at a time.
const chunk = 1024

// collect reads the directory in chunks.
func (d *Dir) collect(c *collector) error {
	f, err := d.reopen()
	if err != nil {
		return err
	}
	defer f.Close()
	for {
		list, err := f.ReadDir(chunk)
		for _, e := range list {
			if c.wants(e.Name()) {
				c.add(Entry{Name: e.Name(), Kind: kindOf(e.Type())})
			}
		}
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
	}
}

// kindOf translates the type bits of a mode.
func kindOf(mode fs.FileMode) Kind {
	switch mode.Type() {
	case 0:
		return File
	case fs.ModeDir:
		return Directory
	case fs.ModeSymlink, fs.ModeIrregular: // irregular: a Windows junction
		return Symlink
	default:
		return Other
	}
}
