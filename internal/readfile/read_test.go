package readfile_test

import (
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/seed-12b313d8/skills/internal/readfile"
)

func TestLimits(t *testing.T) {
	for _, row := range []struct {
		reason string
		size   int
		limit  int64
		ok     bool
	}{
		{"01 R1: an empty file is a file", 0, limit, true},
		{"01 R1: limit 0 allows the empty file", 0, 0, true},
		{"01 R1: limit 0 allows no byte", 1, 0, false},
		{"01 R1: below the limit", limit - 1, limit, true},
		{"01 R1: exactly at the limit", limit, limit, true},
		{"01 R1: one over the limit", limit + 1, limit, false},
		{"01 R1: far over the limit", 100 * limit, limit, false},
		{"01 R1: a negative limit refuses everything", 0, -1, false},
	} {
		require.NotEmpty(t, row.reason)
		for _, way := range ways {
			t.Run(row.reason+"/"+way.name, func(t *testing.T) {
				root := t.TempDir()
				path := filepath.Join(root, "x", "SKILL.md")
				want := strings.Repeat("y", row.size)
				write(t, path, want)
				data, id, err := way.read(root, "x/SKILL.md", row.limit)
				if row.ok {
					require.NoError(t, err)
					assert.Equal(t, want, string(data))
					assert.EqualValues(t, row.size, id.Size)
					return
				}
				wantPathError(t, err, path)
				require.ErrorIs(t, err, readfile.ErrTooLarge)
				var size *readfile.SizeError
				require.ErrorAs(t, err, &size)
				assert.Equal(t, readfile.SizeError{Size: int64(row.size), Limit: row.limit}, *size)
				assert.Contains(t, err.Error(), "file too large: ")
			})
		}
	}
}

func TestNoLimit(t *testing.T) {
	root := t.TempDir()
	write(t, filepath.Join(root, "f"), "text")
	h, err := openDir(t, root).Head("f", make([]byte, 100), math.MaxInt64, true)
	require.NoError(t, err)
	assert.Equal(t, "text", string(h.Data))
	assert.True(t, h.Complete)
	data, _, err := readfile.Whole(filepath.Join(root, "f"), math.MaxInt64)
	require.NoError(t, err)
	assert.Equal(t, "text", string(data))
}

func TestHeadBuffer(t *testing.T) {
	const text = "0123456789"
	root := t.TempDir()
	write(t, filepath.Join(root, "f"), text)
	write(t, filepath.Join(root, "empty"), "")
	d := openDir(t, root)
	for _, row := range []struct {
		reason   string
		name     string
		buf      int
		complete bool
	}{
		{"01 R2: the head of a longer file", "f", len(text) - 1, false},
		{"01 R2: a buffer of just the size", "f", len(text), true},
		{"01 R2: a larger buffer", "f", len(text) + 1, true},
		{"01 R2: no buffer, some file", "f", 0, false},
		{"01 R2: no buffer, empty file", "empty", 0, true},
		{"01 R2: an empty file", "empty", 8, true},
	} {
		require.NotEmpty(t, row.reason)
		t.Run(row.reason, func(t *testing.T) {
			buf := make([]byte, row.buf)
			h, err := d.Head(row.name, buf, limit, true)
			require.NoError(t, err)
			want, err := os.ReadFile(filepath.Join(root, row.name))
			require.NoError(t, err)
			want = want[:min(len(want), row.buf)]
			assert.Equal(t, string(want), string(h.Data))
			assert.Equal(t, row.complete, h.Complete)
			if len(h.Data) > 0 {
				assert.Same(t, &buf[0], &h.Data[0], "data lies in the caller's buffer")
			}
			assert.Equal(t, len(h.Data), cap(h.Data), "appending does not write into the buffer")
		})
	}
}

func TestMissing(t *testing.T) {
	root := t.TempDir()
	write(t, filepath.Join(root, "file"), "")
	for _, way := range ways {
		_, _, err := way.read(root, "none/SKILL.md", limit)
		wantPathError(t, err, filepath.Join(root, "none", "SKILL.md"))
		assert.ErrorIs(t, err, fs.ErrNotExist, way.name)

		_, _, err = way.read(filepath.Join(root, "none"), "SKILL.md", limit)
		assert.ErrorIs(t, err, fs.ErrNotExist, way.name)

		_, _, err = way.read(root, "file/SKILL.md", limit)
		wantPathError(t, err, filepath.Join(root, "file", "SKILL.md"))
	}
	_, err := readfile.OpenDir(filepath.Join(root, "none"))
	wantPathError(t, err, filepath.Join(root, "none"))
	assert.ErrorIs(t, err, fs.ErrNotExist)
	_, err = readfile.OpenDir(filepath.Join(root, "file"))
	wantPathError(t, err, filepath.Join(root, "file"))
	_, _, err = readfile.WholeIn("", "etc", limit)
	assert.ErrorIs(t, err, fs.ErrNotExist, "no root is not the root of the file system")
	_, err = readfile.OpenDirIn("", ".")
	assert.ErrorIs(t, err, fs.ErrNotExist)
}

func TestNamesAreLocal(t *testing.T) {
	root := t.TempDir()
	write(t, filepath.Join(root, "secret"), "s")
	write(t, filepath.Join(root, "in", "x", "f"), "t")
	d := openDir(t, filepath.Join(root, "in"))
	for _, row := range []struct{ reason, name string }{
		{"01 R8: parent", "../secret"},
		{"01 R8: parent after a folder", "x/../../secret"},
		{"01 R8: parent itself", ".."},
		{"01 R8: absolute", filepath.Join(root, "secret")},
		{"01 R8: absolute though inside", filepath.Join(root, "in", "x", "f")},
	} {
		require.NotEmpty(t, row.reason)
		t.Run(row.reason, func(t *testing.T) {
			_, err := d.Head(row.name, make([]byte, 8), limit, false)
			require.ErrorIs(t, err, readfile.ErrEscapes)
			_, err = d.Stat(row.name)
			require.ErrorIs(t, err, readfile.ErrEscapes)
			_, _, err = readfile.WholeIn(filepath.Join(root, "in"), row.name, limit)
			require.ErrorIs(t, err, readfile.ErrEscapes)
			_, err = readfile.OpenDirIn(filepath.Join(root, "in"), row.name)
			require.ErrorIs(t, err, readfile.ErrEscapes)
		})
	}
	h, err := d.Head("x/../x/f", make([]byte, 8), limit, true)
	require.NoError(t, err, "a .. that stays inside is harmless")
	assert.Equal(t, "t", string(h.Data))
	_, err = d.Head("x\x00/f", make([]byte, 8), limit, true)
	require.Error(t, err)
	_, err = d.Head("", make([]byte, 8), limit, true)
	require.Error(t, err)
}

func TestStatTellsChanges(t *testing.T) {
	root := t.TempDir()
	path := filepath.Join(root, "x", "SKILL.md")
	write(t, path, "one")
	d := openDir(t, root)
	h, err := d.Head("x/SKILL.md", make([]byte, 8), limit, true)
	require.NoError(t, err)
	assert.NotZero(t, h.ID)

	same, err := d.Stat("x/SKILL.md")
	require.NoError(t, err)
	assert.Equal(t, h.ID, same, "nothing changed")
	_, whole, err := readfile.Whole(path, limit)
	require.NoError(t, err)
	assert.Equal(t, h.ID, whole, "every way gives the same ID")
	_, whole, err = readfile.WholeIn(root, "x/SKILL.md", limit)
	require.NoError(t, err)
	assert.Equal(t, h.ID, whole, "every way gives the same ID")

	write(t, path, "longer")
	changed, err := d.Stat("x/SKILL.md")
	require.NoError(t, err)
	assert.NotEqual(t, h.ID, changed)

	before, err := d.Stat(".")
	require.NoError(t, err, "the directory itself")
	assert.NotZero(t, before)
	_, err = d.Stat("none")
	wantPathError(t, err, filepath.Join(root, "none"))
	assert.ErrorIs(t, err, fs.ErrNotExist)
}

func TestClosed(t *testing.T) {
	root := t.TempDir()
	write(t, filepath.Join(root, "f"), "text")
	d := openDir(t, root)
	require.NoError(t, d.Close())
	_, err := d.Head("f", make([]byte, 8), limit, false)
	assert.ErrorIs(t, err, os.ErrClosed)
	_, err = d.Stat("f")
	assert.ErrorIs(t, err, os.ErrClosed)
	_, err = d.Entries(0)
	assert.ErrorIs(t, err, os.ErrClosed)
	err = d.Close()
	assert.ErrorIs(t, err, os.ErrClosed)
	wantPathError(t, err, root)
}
