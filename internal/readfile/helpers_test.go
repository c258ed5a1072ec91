package readfile_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seed-12b313d8/skills/internal/readfile"
)

// limit is the size limit in these tests, in bytes.
const limit = 4096

// write makes a file and the folders above it.
func write(t testing.TB, path, data string) {
	t.Helper()
	require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
	require.NoError(t, os.WriteFile(path, []byte(data), 0o644))
}

// symlink makes a link and the folders above it.
func symlink(t testing.TB, target, path string) {
	t.Helper()
	require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
	require.NoError(t, os.Symlink(target, path))
}

func openDir(t testing.TB, path string) *readfile.Dir {
	t.Helper()
	d, err := readfile.OpenDir(path)
	require.NoError(t, err)
	t.Cleanup(func() { d.Close() })
	return d
}

// A way is one of the ways to read a file of a root directory.
type way struct {
	name string
	read func(root, name string, limit int64) ([]byte, readfile.ID, error)
}

var ways = []way{
	{"follow", func(root, name string, limit int64) ([]byte, readfile.ID, error) {
		return head(root, name, limit, false)
	}},
	{"nofollow", func(root, name string, limit int64) ([]byte, readfile.ID, error) {
		return head(root, name, limit, true)
	}},
	{"whole", func(root, name string, limit int64) ([]byte, readfile.ID, error) {
		return readfile.Whole(filepath.Join(root, name), limit)
	}},
	{"confined", readfile.WholeIn},
}

// head reads a file that must fit in the buffer.
func head(root, name string, limit int64, nofollow bool) ([]byte, readfile.ID, error) {
	d, err := readfile.OpenDir(root)
	if err != nil {
		return nil, readfile.ID{}, err
	}
	defer d.Close()
	h, err := d.Head(name, make([]byte, 2*limit+2), limit, nofollow)
	if err == nil && !h.Complete {
		err = errors.New("not the whole file")
	}
	return h.Data, h.ID, err
}

// wantPathError checks the form that every error of this package has.
func wantPathError(t *testing.T, err error, path string) {
	t.Helper()
	var pathErr *fs.PathError
	require.ErrorAs(t, err, &pathErr)
	require.Equal(t, path, pathErr.Path)
	var inner *fs.PathError
	require.False(t, errors.As(pathErr.Err, &inner), "path named twice: %v", err)
}
