//go:build unix

package readfile_test

import (
	"errors"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"

	"github.com/seed-12b313d8/skills/internal/readfile"
)

// outcome is what each way does with a file: nil means that it is read.
type outcome struct{ follow, nofollow, whole, confined error }

// all is the outcome that is the same for all ways.
func all(err error) outcome { return outcome{err, err, err, err} }

func (o outcome) of(way string) error {
	return map[string]error{
		"follow": o.follow, "nofollow": o.nofollow, "whole": o.whole, "confined": o.confined,
	}[way]
}

// Every row makes proj/x/SKILL.md in its own way; outside/SKILL.md exists, too.
var special = []struct {
	reason string
	make   func(t *testing.T, path string)
	want   outcome
}{
	{
		"01 R1: a plain file", func(t *testing.T, path string) { write(t, path, "text") },
		all(nil),
	},
	{
		"01 R1: a FIFO without a writer",
		func(t *testing.T, path string) { require.NoError(t, unix.Mkfifo(path, 0o644)) },
		all(readfile.ErrNotRegular),
	},
	{
		"01 R1: a socket", listen,
		all(readfile.ErrNotRegular),
	},
	{
		"01 R1: a directory",
		func(t *testing.T, path string) { require.NoError(t, os.Mkdir(path, 0o755)) },
		all(readfile.ErrNotRegular),
	},
	{
		"01 R1: a 1 TiB sparse file", sparse,
		all(readfile.ErrTooLarge),
	},
	{
		"01 R8: a link to an endless device",
		func(t *testing.T, path string) { symlink(t, "/dev/zero", path) },
		outcome{readfile.ErrNotRegular, readfile.ErrSymlink, readfile.ErrNotRegular, readfile.ErrEscapes},
	},
	{
		"01 R8: a link to a FIFO",
		func(t *testing.T, path string) {
			require.NoError(t, unix.Mkfifo(path+".fifo", 0o644))
			symlink(t, "SKILL.md.fifo", path)
		},
		outcome{readfile.ErrNotRegular, readfile.ErrSymlink, readfile.ErrNotRegular, readfile.ErrNotRegular},
	},
	{
		"01 R8: a link beside it",
		func(t *testing.T, path string) {
			write(t, path+".txt", "text")
			symlink(t, "SKILL.md.txt", path)
		},
		outcome{nil, readfile.ErrSymlink, nil, nil},
	},
	{
		"01 R8: a link that leaves its folder but not the root",
		func(t *testing.T, path string) {
			write(t, filepath.Join(path, "../../y/SKILL.md"), "text")
			symlink(t, "../y/SKILL.md", path)
		},
		outcome{nil, readfile.ErrSymlink, nil, nil},
	},
	{
		"01 R8: a link out of the root",
		func(t *testing.T, path string) { symlink(t, "../../outside/SKILL.md", path) },
		outcome{nil, readfile.ErrSymlink, nil, readfile.ErrEscapes},
	},
	{
		"01 R8: an absolute link out of the root",
		func(t *testing.T, path string) {
			symlink(t, filepath.Join(path, "../../../outside/SKILL.md"), path)
		},
		outcome{nil, readfile.ErrSymlink, nil, readfile.ErrEscapes},
	},
	{
		"01 R8: an absolute link into the root must be resolved first",
		func(t *testing.T, path string) {
			write(t, path+".txt", "text")
			symlink(t, path+".txt", path)
		},
		outcome{nil, readfile.ErrSymlink, nil, readfile.ErrEscapes},
	},
	{
		"01 R8: the folder is a link within the root",
		func(t *testing.T, path string) {
			write(t, filepath.Join(path, "../../y/SKILL.md"), "text")
			replaceFolder(t, path, "y")
		},
		outcome{nil, readfile.ErrSymlink, nil, nil},
	},
	{
		"01 R8: the folder is a link out of the root",
		func(t *testing.T, path string) { replaceFolder(t, path, "../outside") },
		outcome{nil, readfile.ErrSymlink, nil, readfile.ErrEscapes},
	},
	{
		"01 R8: a dangling link",
		func(t *testing.T, path string) { symlink(t, "gone", path) },
		outcome{syscall.ENOENT, readfile.ErrSymlink, syscall.ENOENT, syscall.ENOENT},
	},
	{
		"01 R8: a link to itself",
		func(t *testing.T, path string) { symlink(t, "SKILL.md", path) },
		outcome{syscall.ELOOP, readfile.ErrSymlink, syscall.ELOOP, syscall.ELOOP},
	},
	{
		"01 R8: two folders linked to each other",
		func(t *testing.T, path string) {
			replaceFolder(t, path, "y")
			symlink(t, "x", filepath.Join(path, "../../y"))
		},
		outcome{syscall.ELOOP, readfile.ErrSymlink, syscall.ELOOP, syscall.ELOOP},
	},
	{
		"01 R8: the folder is a FIFO",
		func(t *testing.T, path string) {
			dir := filepath.Dir(path)
			require.NoError(t, os.Remove(dir))
			require.NoError(t, unix.Mkfifo(dir, 0o644))
		},
		all(syscall.ENOTDIR),
	},
}

func TestSpecialFiles(t *testing.T) {
	for _, row := range special {
		require.NotEmpty(t, row.reason)
		for _, way := range ways {
			t.Run(row.reason+"/"+way.name, func(t *testing.T) {
				top := t.TempDir()
				root := filepath.Join(top, "proj")
				path := filepath.Join(root, "x", "SKILL.md")
				write(t, filepath.Join(top, "outside", "SKILL.md"), "text")
				require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
				row.make(t, path)
				bounded(t, func() {
					data, _, err := way.read(root, "x/SKILL.md", limit)
					want := row.want.of(way.name)
					if want == nil {
						assert.NoError(t, err)
						assert.Equal(t, "text", string(data))
						return
					}
					assert.ErrorIs(t, err, want)
					assert.Empty(t, data)
				})
			})
		}
	}
}

func TestRootsThatAreNone(t *testing.T) {
	root := t.TempDir()
	fifo := filepath.Join(root, "fifo")
	require.NoError(t, unix.Mkfifo(fifo, 0o644))
	bounded(t, func() {
		_, err := readfile.OpenDir(fifo)
		assert.ErrorIs(t, err, syscall.ENOTDIR)
		_, err = readfile.OpenDirIn(fifo, ".")
		assert.ErrorIs(t, err, syscall.ENOTDIR)
		_, err = readfile.OpenDirIn(root, "fifo")
		assert.ErrorIs(t, err, syscall.ENOTDIR)
		_, _, err = readfile.WholeIn(fifo, "f", limit)
		assert.ErrorIs(t, err, syscall.ENOTDIR)
	})
}

func TestRootMayBeALink(t *testing.T) {
	top := t.TempDir()
	write(t, filepath.Join(top, "real", "x", "SKILL.md"), "text")
	symlink(t, "real", filepath.Join(top, "link"))
	for _, way := range ways {
		data, _, err := way.read(filepath.Join(top, "link"), "x/SKILL.md", limit)
		require.NoError(t, err, way.name)
		assert.Equal(t, "text", string(data), way.name)
	}
}

func TestOpenDirIn(t *testing.T) {
	top := t.TempDir()
	root := filepath.Join(top, "proj")
	write(t, filepath.Join(root, ".brand", "skills", "x", "SKILL.md"), "inside")
	write(t, filepath.Join(top, "outside", "x", "SKILL.md"), "outside")
	symlink(t, ".brand", filepath.Join(root, ".linked"))
	symlink(t, "../outside", filepath.Join(root, ".stolen"))

	for _, row := range []struct {
		reason, name string
		want         error
	}{
		{"01 R8: a folder", ".brand/skills", nil},
		{"01 R8: the root", ".", readfile.ErrNotRegular},
		{"01 R8: through a link that stays inside", ".linked/skills", nil},
		{"01 R8: a link that leads out", ".stolen", readfile.ErrEscapes},
	} {
		require.NotEmpty(t, row.reason)
		t.Run(row.reason, func(t *testing.T) {
			d, err := readfile.OpenDirIn(root, row.name)
			if row.want == readfile.ErrEscapes {
				wantPathError(t, err, filepath.Join(root, row.name))
				require.ErrorIs(t, err, row.want)
				return
			}
			require.NoError(t, err)
			defer d.Close()
			if row.want != nil {
				_, err := d.Head(".brand", make([]byte, 8), limit, true)
				require.ErrorIs(t, err, row.want)
				return
			}
			h, err := d.Head("x/SKILL.md", make([]byte, 8), limit, true)
			require.NoError(t, err)
			assert.Equal(t, "inside", string(h.Data))
		})
	}
}

// A Dir stays the directory that was opened, whatever its path leads to later.
func TestDirIsReplaced(t *testing.T) {
	top := t.TempDir()
	root := filepath.Join(top, "skills")
	write(t, filepath.Join(root, "f"), "old")
	d := openDir(t, root)
	require.NoError(t, os.Rename(root, root+".old"))
	write(t, filepath.Join(root, "f"), "new")
	write(t, filepath.Join(root, "g"), "new")

	h, err := d.Head("f", make([]byte, 8), limit, true)
	require.NoError(t, err)
	assert.Equal(t, "old", string(h.Data))
	list, err := d.Entries(0)
	require.NoError(t, err)
	assert.Equal(t, []readfile.Entry{{Name: "f", Kind: readfile.File}}, list)
}

func TestEntryKinds(t *testing.T) {
	root := t.TempDir()
	require.NoError(t, os.Mkdir(filepath.Join(root, "x"), 0o755))
	write(t, filepath.Join(root, "file"), "")
	require.NoError(t, unix.Mkfifo(filepath.Join(root, "fifo"), 0o644))
	listen(t, filepath.Join(root, "sock"))
	symlink(t, "x", filepath.Join(root, "link"))
	symlink(t, "gone", filepath.Join(root, "dangling"))
	list, err := openDir(t, root).Entries(0)
	require.NoError(t, err)
	assert.Equal(t, []readfile.Entry{
		{Name: "dangling", Kind: readfile.Symlink},
		{Name: "fifo", Kind: readfile.Other},
		{Name: "file", Kind: readfile.File},
		{Name: "link", Kind: readfile.Symlink},
		{Name: "sock", Kind: readfile.Other},
		{Name: "x", Kind: readfile.Directory},
	}, list)
}

// TestSparseMemory: the size of a file alone must not make anyone allocate.
func TestSparseMemory(t *testing.T) {
	root := t.TempDir()
	sparse(t, filepath.Join(root, "SKILL.md"))
	const rounds, most = 20, 1 << 20
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	for range rounds {
		_, _, err := readfile.Whole(filepath.Join(root, "SKILL.md"), 1<<30)
		require.ErrorIs(t, err, readfile.ErrTooLarge)
	}
	runtime.ReadMemStats(&after)
	assert.Less(t, after.TotalAlloc-before.TotalAlloc, uint64(most))
}

const unprivileged = "READFILE_TEST_UNPRIVILEGED"

// TestNoPermission runs itself again without privileges if it has them, since the
// superuser may read everything. The child starts in the prepared folder, which
// others could not reach by its path.
func TestNoPermission(t *testing.T) {
	if os.Getenv(unprivileged) != "" {
		require.NoError(t, syscall.Setgroups(nil))
		require.NoError(t, syscall.Setgid(65534))
		require.NoError(t, syscall.Setuid(65534))
		noPermission(t, ".")
		return
	}
	root := t.TempDir()
	write(t, filepath.Join(root, "x", "SKILL.md"), "text")
	write(t, filepath.Join(root, "closed", "SKILL.md"), "text")
	require.NoError(t, os.Chmod(root, 0o755))
	require.NoError(t, os.Chmod(filepath.Join(root, "x", "SKILL.md"), 0))
	require.NoError(t, os.Chmod(filepath.Join(root, "closed"), 0))
	t.Cleanup(func() { os.Chmod(filepath.Join(root, "closed"), 0o755) })
	if os.Geteuid() != 0 {
		noPermission(t, root)
		return
	}
	self, err := os.Executable()
	require.NoError(t, err)
	cmd := exec.Command(self, "-test.run=^TestNoPermission$", "-test.v")
	cmd.Dir = root
	cmd.Env = append(os.Environ(), unprivileged+"=1")
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, "%s", out)
	require.Contains(t, string(out), "--- PASS: TestNoPermission")
}

func noPermission(t *testing.T, root string) {
	for _, way := range ways {
		for _, name := range []string{"x/SKILL.md", "closed/SKILL.md"} {
			_, _, err := way.read(root, name, limit)
			wantPathError(t, err, filepath.Join(root, name))
			require.ErrorIs(t, err, os.ErrPermission, "%s %s", way.name, name)
		}
	}
	_, err := readfile.OpenDir(filepath.Join(root, "closed"))
	require.ErrorIs(t, err, os.ErrPermission)
	list, err := openDir(t, root).Entries(0)
	require.NoError(t, err)
	require.Len(t, list, 2, "one unreadable entry does not hide the others")
}

// bounded ends the test if call hangs, which would else keep it until the
// timeout of the whole run.
func bounded(t *testing.T, call func()) {
	t.Helper()
	done := make(chan struct{})
	go func() {
		defer close(done)
		call()
	}()
	select {
	case <-done:
	case <-time.After(time.Minute):
		t.Fatal("the call hangs")
	}
}

// sparse makes a file of 1 TiB that takes no room.
func sparse(t *testing.T, path string) {
	write(t, path, "")
	if err := os.Truncate(path, 1<<40); err != nil {
		t.Skipf("no file of 1 TiB on this file system: %v", err)
	}
}

// listen makes a socket; its path may be too long for one where temporary folders
// lie deep.
func listen(t *testing.T, path string) {
	l, err := net.Listen("unix", path)
	if errors.Is(err, syscall.EINVAL) {
		t.Skipf("path too long for a socket: %s", path)
	}
	require.NoError(t, err)
	t.Cleanup(func() { l.Close() })
}

// replaceFolder makes the folder of path a link.
func replaceFolder(t *testing.T, path, target string) {
	require.NoError(t, os.Remove(filepath.Dir(path)))
	symlink(t, target, filepath.Dir(path))
}
