package readfile

import (
	"encoding/binary"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"
)

// record makes a directory record as the system lists it.
func record(name string, typ byte) []byte {
	size := (19 + len(name) + 1 + 7) &^ 7
	rec := make([]byte, size)
	binary.NativeEndian.PutUint16(rec[16:], uint16(size))
	rec[18] = typ
	copy(rec[19:], name)
	return rec
}

// TestUntypedEntries stands for file systems that list names without types.
func TestUntypedEntries(t *testing.T) {
	root := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(root, "file"), nil, 0o644))
	require.NoError(t, os.Mkdir(filepath.Join(root, "dir"), 0o755))
	require.NoError(t, os.Symlink("dir", filepath.Join(root, "link")))
	require.NoError(t, unix.Mkfifo(filepath.Join(root, "fifo"), 0o644))
	var block []byte
	for _, name := range []string{".", "..", "gone", "file", "dir", "link", "fifo"} {
		block = append(block, record(name, unix.DT_UNKNOWN)...)
	}
	f, err := os.Open(root)
	require.NoError(t, err)

	var c collector
	require.NoError(t, addDirents(&c, int(f.Fd()), block))
	list, _ := c.result()
	assert.Equal(t, []Entry{{"dir", Directory}, {"fifo", Other}, {"file", File}, {"link", Symlink}}, list)

	require.NoError(t, f.Close())
	c = collector{}
	require.NoError(t, addDirents(&c, -1, record("file", unix.DT_UNKNOWN)))
	list, _ = c.result()
	assert.Equal(t, []Entry{{"file", Unknown}}, list, "an entry that nothing is known of is still there")
}

// TestEntriesStopMidway: what was read before the error counts.
func TestEntriesStopMidway(t *testing.T) {
	block := append(record("a", unix.DT_REG), record("b", unix.DT_DIR)...)
	broken := record("c", unix.DT_REG)
	broken[16] = 3
	var c collector
	err := addDirents(&c, -1, append(block, broken...))
	require.ErrorIs(t, err, unix.EIO)
	list, _ := c.result()
	assert.Equal(t, []Entry{{"a", File}, {"b", Directory}}, list)
}

// FuzzDirents: whatever a block holds, reading it ends, and a block of sound records
// gives them back.
func FuzzDirents(f *testing.F) {
	f.Add([]byte{}, "x", byte(unix.DT_REG))
	f.Add(record("SKILL.md", unix.DT_LNK), "name", byte(unix.DT_DIR))
	f.Add(record("..", unix.DT_DIR)[:20], ".", byte(99))
	f.Fuzz(func(t *testing.T, block []byte, name string, typ byte) {
		if len(block) > 4096 || len(name) > 255 {
			t.Skip("longer than the cap")
		}
		c := collector{max: 5}
		_ = addDirents(&c, -1, block)
		list, _ := c.result()
		require.LessOrEqual(t, len(list), 5)
		for _, e := range list {
			require.NotContains(t, e.Name, "\x00")
			require.NotContains(t, []string{".", ".."}, e.Name)
		}

		raw, gotType, size := nextDirent(record(name, typ))
		require.Len(t, record(name, typ), size)
		require.Equal(t, typ, gotType)
		want := name
		for i := range name {
			if name[i] == 0 {
				want = name[:i]
				break
			}
		}
		require.Equal(t, want, string(raw))
	})
}

func TestHeadAllocations(t *testing.T) {
	root := t.TempDir()
	require.NoError(t, os.Mkdir(filepath.Join(root, "x"), 0o755))
	require.NoError(t, os.WriteFile(filepath.Join(root, "x", "SKILL.md"), make([]byte, 4500), 0o644))
	d, err := OpenDir(root)
	require.NoError(t, err)
	defer d.Close()
	buf := make([]byte, 64<<10)
	for _, nofollow := range []bool{false, true} {
		n := testing.AllocsPerRun(100, func() {
			if _, err := d.Head("x/SKILL.md", buf, 1<<20, nofollow); err != nil {
				t.Error(err)
			}
		})
		assert.LessOrEqual(t, n, 1.0, "Head, nofollow %v", nofollow)
	}
	n := testing.AllocsPerRun(100, func() {
		if _, err := d.Stat("x/SKILL.md"); err != nil {
			t.Error(err)
		}
	})
	assert.LessOrEqual(t, n, 1.0, "Stat")
}

// linkTree has files, folders and links of all sorts.
func linkTree(tb testing.TB) string {
	root := tb.TempDir()
	for _, dir := range []string{"a", "a/b"} {
		require.NoError(tb, os.Mkdir(filepath.Join(root, dir), 0o755))
		require.NoError(tb, os.WriteFile(filepath.Join(root, dir, "f"), []byte(dir), 0o644))
	}
	for link, target := range map[string]string{
		"l": "a", "a/l": "b", "a/b/l": "f", "loop": "loop", "out": "..", "abs": "/", "gone": "none",
	} {
		require.NoError(tb, os.Symlink(target, filepath.Join(root, link)))
	}
	return root
}

// FuzzNoLinks: walking part by part, which old kernels need, and the one system call
// of new ones agree on every name.
func FuzzNoLinks(f *testing.F) {
	for _, name := range []string{
		"a/f", "a/b/f", "l/f", "a/l/f", "a/b/l", "loop", "loop/x", "out", "abs/etc", "gone", "none",
		"a/f/", "a//b///f", "a/./b/../f", "l/../a/f", "a/b/", ".", "a/f/x", "l/", "\x00",
	} {
		f.Add(name)
	}
	root, err := unix.Open(linkTree(f), unix.O_DIRECTORY, 0)
	require.NoError(f, err)
	defer unix.Close(root)
	if fd, err := unix.Openat2(root, ".", &unix.OpenHow{Flags: readOnly}); err != nil {
		f.Skipf("no openat2: %v", err)
	} else {
		unix.Close(fd)
	}
	f.Fuzz(func(t *testing.T, name string) {
		if len(name) > 4000 || name == "" || !filepath.IsLocal(name) {
			t.Skip("never gets this far")
		}
		one, oneErr := openNoLinks(root, name)
		walk, walkErr := walkNoLinks(root, name)
		if strings.Contains(name, "\x00") { // found out sooner or later
			require.Error(t, oneErr)
			require.Error(t, walkErr)
			return
		}
		require.Equal(t, oneErr, walkErr)
		if oneErr != nil {
			return
		}
		defer unix.Close(one)
		defer unix.Close(walk)
		oneInfo, err := fdInfo(one)
		require.NoError(t, err)
		walkInfo, err := fdInfo(walk)
		require.NoError(t, err)
		require.Equal(t, oneInfo, walkInfo)
	})
}
