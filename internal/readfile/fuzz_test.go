package readfile_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seed-12b313d8/skills/internal/readfile"
)

// FuzzRead: every way gives the bytes of the file or refuses for its size, and a head
// is their beginning.
func FuzzRead(f *testing.F) {
	f.Add([]byte(""), uint16(0), uint16(0))
	f.Add([]byte("---\nname: x\n---\n"), uint16(8), uint16(100))
	f.Add([]byte("0123456789"), uint16(10), uint16(10))
	f.Add([]byte("0123456789"), uint16(11), uint16(9))
	root := f.TempDir()
	d := openDir(f, root)
	f.Fuzz(func(t *testing.T, data []byte, size, limit uint16) {
		if len(data) > 4096 {
			t.Skip("longer than the cap")
		}
		path := filepath.Join(root, "f")
		require.NoError(t, os.WriteFile(path, data, 0o644))
		h, headErr := d.Head("f", make([]byte, size), int64(limit), true)
		whole, id, wholeErr := readfile.Whole(path, int64(limit))
		if len(data) > int(limit) {
			require.ErrorIs(t, headErr, readfile.ErrTooLarge)
			require.ErrorIs(t, wholeErr, readfile.ErrTooLarge)
			return
		}
		require.NoError(t, headErr)
		require.NoError(t, wholeErr)
		require.Equal(t, string(data), string(whole))
		require.Equal(t, string(data[:min(len(data), int(size))]), string(h.Data))
		require.Equal(t, len(data) <= int(size), h.Complete)
		require.Equal(t, id, h.ID)
	})
}

// FuzzConfined: no name whatever leads out of the root.
func FuzzConfined(f *testing.F) {
	for _, name := range []string{
		"in", "x/in", "../secret", "x/../../secret", "up/secret", "x/out", "abs", "x/./up/../secret",
		"/secret", "in/", "", ".", "..", "x//in", "deep/deep/deep/in", "\x00", "up/root/in",
	} {
		f.Add(name)
	}
	top := f.TempDir()
	root := filepath.Join(top, "root")
	write(f, filepath.Join(root, "in"), "inside")
	write(f, filepath.Join(root, "x", "in"), "inside")
	write(f, filepath.Join(top, "secret"), "secret")
	symlink(f, "..", filepath.Join(root, "up"))
	symlink(f, ".", filepath.Join(root, "deep"))
	symlink(f, "../../secret", filepath.Join(root, "x", "out"))
	symlink(f, filepath.Join(top, "secret"), filepath.Join(root, "abs"))
	d := openDir(f, root)
	f.Fuzz(func(t *testing.T, name string) {
		if len(name) > 4096 {
			t.Skip("longer than the cap")
		}
		data, _, err := readfile.WholeIn(root, name, limit)
		if err == nil {
			require.Equal(t, "inside", string(data))
		}
		h, err := d.Head(name, make([]byte, 64), limit, true)
		if err == nil {
			require.Equal(t, "inside", string(h.Data))
			require.Equal(t, "inside", string(data), "what has no links is confined, too")
		}
		sub, err := readfile.OpenDirIn(root, name)
		if err == nil {
			list, err := sub.Entries(0)
			require.NoError(t, err)
			for _, e := range list {
				require.NotEqual(t, "secret", e.Name)
			}
			require.NoError(t, sub.Close())
		}
	})
}
