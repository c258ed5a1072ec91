package readfile_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"

	"github.com/seed-12b313d8/skills/internal/readfile"
)

// TestSizeZeroFiles: files of /proc have content but say that their size is 0.
func TestSizeZeroFiles(t *testing.T) {
	want, err := os.ReadFile("/proc/self/cmdline")
	if err != nil {
		t.Skipf("no /proc: %v", err)
	}
	for _, way := range ways {
		data, _, err := way.read("/proc/self/task/..", "cmdline", limit)
		require.NoError(t, err, way.name)
		assert.Equal(t, want, data, way.name)
		_, _, err = way.read("/proc/self/task/..", "cmdline", 1)
		require.ErrorIs(t, err, readfile.ErrTooLarge, way.name)
	}
}

func TestRemovedDirectory(t *testing.T) {
	root := filepath.Join(t.TempDir(), "d")
	require.NoError(t, os.Mkdir(root, 0o755))
	d := openDir(t, root)
	require.NoError(t, os.Remove(root))
	_, err := d.Entries(0)
	wantPathError(t, err, root)
	require.ErrorIs(t, err, os.ErrNotExist)
}

func TestNoDescriptorLeaks(t *testing.T) {
	top := t.TempDir()
	root := filepath.Join(top, "proj")
	write(t, filepath.Join(root, "good", "SKILL.md"), "text")
	write(t, filepath.Join(root, "large", "SKILL.md"), string(make([]byte, limit+1)))
	write(t, filepath.Join(top, "outside", "SKILL.md"), "secret")
	symlink(t, "../../outside/SKILL.md", filepath.Join(root, "link", "SKILL.md"))
	symlink(t, "../outside", filepath.Join(root, "out"))
	symlink(t, "loop", filepath.Join(root, "loop"))
	require.NoError(t, os.MkdirAll(filepath.Join(root, "dir", "SKILL.md"), 0o755))
	require.NoError(t, os.Mkdir(filepath.Join(root, "fifo"), 0o755))
	require.NoError(t, unix.Mkfifo(filepath.Join(root, "fifo", "SKILL.md"), 0o644))
	names := []string{"good", "large", "link", "out", "loop", "dir", "fifo", "none", "..", "good/SKILL.md"}

	before := openFiles(t)
	done, failed := 0, 0
	count := func(err error) {
		done++
		if err != nil {
			failed++
		}
	}
	for range 20 {
		for _, name := range names {
			for _, way := range ways {
				_, _, err := way.read(root, name+"/SKILL.md", limit)
				count(err)
			}
			d, err := readfile.OpenDirIn(root, name)
			if count(err); err == nil {
				_, err = d.Entries(1)
				count(err)
				_, err = d.Stat("SKILL.md")
				count(err)
				require.NoError(t, d.Close())
			}
		}
	}
	assert.GreaterOrEqual(t, done, 1000)
	assert.Greater(t, failed, done/2)
	assert.Equal(t, before, openFiles(t))
}

// openFiles returns where the open descriptors of this process lead, for comparison.
func openFiles(t *testing.T) map[string]string {
	list, err := os.ReadDir("/proc/self/fd")
	if err != nil {
		t.Skipf("cannot count descriptors: %v", err)
	}
	open := map[string]string{}
	for _, e := range list {
		// The descriptor of the listing itself is gone by now.
		if target, err := os.Readlink("/proc/self/fd/" + e.Name()); err == nil {
			open[e.Name()] = target
		}
	}
	return open
}
