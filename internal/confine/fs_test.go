//go:build unix

package confine

import (
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/seed-12b313d8/skills/internal/readfile"
	"github.com/seed-12b313d8/skills/internal/testkit"
)

func TestFS(t *testing.T) {
	root := testkit.Tree(t, map[string]string{
		"in/a.txt":     "A",
		"in/sub/b.txt": "B",
		"in/ok":        "-> sub/b.txt",
		"in/out":       "-> ../secret",
		"in/dirout":    "-> ..",
		"in/abs":       "-> /etc/passwd",
		"in/big":       "0123456789",
		"secret":       "TOPSECRET",
		"link":         "-> in",
	})
	require.NoError(t, syscall.Mkfifo(filepath.Join(root, "in/fifo"), 0o600))
	for _, dir := range []string{"in", "link"} { // the folder itself may be a link
		fsys := FS(filepath.Join(root, dir), 9)
		for name, want := range map[string]string{"a.txt": "A", "sub/b.txt": "B", "ok": "B"} {
			got, err := fs.ReadFile(fsys, name)
			require.NoError(t, err)
			assert.Equal(t, want, string(got))
		}
		entries, err := fs.ReadDir(fsys, "sub")
		require.NoError(t, err)
		assert.Len(t, entries, 1)
		for _, name := range []string{"out", "dirout/secret", "abs", "../secret", "/etc/passwd", "sub/../../secret", "gone", ""} {
			_, err := fs.ReadFile(fsys, name)
			assert.Error(t, err, "N06: %s", name)
		}
		_, err = fsys.Open("fifo")
		require.ErrorIs(t, err, readfile.ErrNotRegular)
		_, err = fsys.Open("big")
		require.ErrorIs(t, err, readfile.ErrTooLarge)
	}
	_, err := FS(filepath.Join(root, "gone"), 9).Open("x")
	require.ErrorIs(t, err, os.ErrNotExist)
}
