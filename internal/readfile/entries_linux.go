package readfile

import (
	"bytes"
	"encoding/binary"

	"golang.org/x/sys/unix"
)

// direntBlock is the size of one read of directory entries, in bytes: about a
// thousand skill folders.
const direntBlock = 32 << 10

// collect reads the directory block by block. Package os could do it too, but it
// needs twice the allocations and gives up at the first entry whose type is neither
// listed nor to be found out.
func (d *Dir) collect(c *collector) error {
	fd := d.fd()
	if _, err := unix.Seek(fd, 0, 0); err != nil {
		return err
	}
	buf := make([]byte, direntBlock)
	for {
		n, err := retryN(func() (int, error) { return unix.ReadDirent(fd, buf) })
		if err != nil || n <= 0 {
			return err
		}
		if err := addDirents(c, fd, buf[:n]); err != nil {
			return err
		}
	}
}

// addDirents adds the entries of one block.
func addDirents(c *collector, dir int, block []byte) error {
	for len(block) > 0 {
		raw, typ, size := nextDirent(block)
		if size == 0 {
			return unix.EIO
		}
		block = block[size:]
		name := string(raw)
		if name == "." || name == ".." || !c.wants(name) {
			continue
		}
		kind, gone := direntKind(dir, name, typ)
		if !gone {
			c.add(Entry{Name: name, Kind: kind})
		}
	}
	return nil
}

// nextDirent decodes the record at the start of block, a linux_dirent64: inode and
// offset of 8 bytes each, length of the record, type, name ended by NUL. A size
// of 0 means that there is no sound record.
func nextDirent(block []byte) (name []byte, typ byte, size int) {
	const lenAt, typeAt, nameAt = 16, 18, 19
	if len(block) < nameAt {
		return nil, 0, 0
	}
	size = int(binary.NativeEndian.Uint16(block[lenAt:]))
	if size < nameAt || size > len(block) {
		return nil, 0, 0
	}
	name, _, _ = bytes.Cut(block[nameAt:size], []byte{0})
	return name, block[typeAt], size
}

// direntKind translates the type of an entry, asking for it if the file system
// does not list types. gone tells that the entry vanished meanwhile.
func direntKind(dir int, name string, typ byte) (kind Kind, gone bool) {
	if typ == unix.DT_UNKNOWN {
		var st unix.Stat_t
		err := statAt(dir, name, &st, unix.AT_SYMLINK_NOFOLLOW)
		if err != nil {
			return Unknown, err == unix.ENOENT
		}
		typ = byte(st.Mode >> 12) // DT_ values are the type bits of a mode
	}
	switch typ {
	case unix.DT_REG:
		return File, false
	case unix.DT_DIR:
		return Directory, false
	case unix.DT_LNK:
		return Symlink, false
	default:
		return Other, false
	}
}
