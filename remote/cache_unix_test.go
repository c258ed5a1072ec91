//go:build unix

package remote

import (
	"bufio"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/seed-12b313d8/skills"
)

func fifo(path string) error { return syscall.Mkfifo(path, 0o600) }

// Directories 0700, files 0600, whatever the umask is.
func TestModes(t *testing.T) {
	s, dir := newSite(t), filepath.Join(t.TempDir(), "cache")
	s.index(s.skill("a", "text"))
	get(t, s.catalog(t, Options{CacheDir: dir}), "a")
	for _, d := range []string{dir, filepath.Join(dir, folder)} {
		info, err := os.Stat(d)
		require.NoError(t, err)
		assert.Equal(t, os.ModeDir|0o700, info.Mode(), d)
	}
	for _, name := range cacheFiles(t, dir) {
		info, err := os.Lstat(filepath.Join(dir, folder, name))
		require.NoError(t, err)
		assert.Equal(t, os.FileMode(0o600), info.Mode(), name)
	}
}

// A folder that others may write to, or a link, is refused.
func TestForeignFolder(t *testing.T) {
	rows := []struct {
		reason string
		make   func(at string) error
	}{
		{"group may write", func(at string) error { return mkdirMode(at, 0o720) }},
		{"all may write", func(at string) error { return mkdirMode(at, 0o1777) }},
		{"a link", func(at string) error {
			if err := os.Mkdir(at+"x", 0o700); err != nil {
				return err
			}
			return os.Symlink(folder+"x", at)
		}},
		{"a link outside", func(at string) error { return os.Symlink("/", at) }},
		{"a file", func(at string) error { return os.WriteFile(at, nil, 0o600) }},
		{"a FIFO", fifo},
	}
	for _, row := range rows {
		dir := t.TempDir()
		require.NoError(t, row.make(filepath.Join(dir, folder)))
		_, err := New("https://example.com", &Options{CacheDir: dir})
		requireError(t, err, skills.CodeUnreadable)
	}
	at := filepath.Join(t.TempDir(), "fifo")
	require.NoError(t, fifo(at))
	_, err := New("https://example.com", &Options{CacheDir: at})
	requireError(t, err, skills.CodeUnreadable)
	if os.Getuid() == 0 {
		dir := t.TempDir()
		require.NoError(t, mkdirMode(filepath.Join(dir, folder), 0o700))
		require.NoError(t, os.Chown(filepath.Join(dir, folder), 65534, 65534))
		_, err := New("https://example.com", &Options{CacheDir: dir})
		requireError(t, err, skills.CodeUnreadable)
	}
}

func mkdirMode(at string, mode uint32) error {
	if err := os.Mkdir(at, 0o700); err != nil {
		return err
	}
	return syscall.Chmod(at, mode)
}

// command runs a job of this test in another process.
func command(t *testing.T, job, dir string) *exec.Cmd {
	self, err := os.Executable()
	require.NoError(t, err)
	cmd := exec.Command(self, dir)
	cmd.Env = append(os.Environ(), childJob+"="+job)
	return cmd
}

// 06 §3: a writer is killed at any moment, 200 times. What is found is a whole
// old or new document, or at the very beginning nothing.
func TestKilled(t *testing.T) {
	dir := t.TempDir()
	d := newTestDisk(t, dir, nil)
	found := map[string]int{}
	for run := range 200 {
		cmd := command(t, "save", dir)
		out, err := cmd.StdoutPipe()
		require.NoError(t, err)
		require.NoError(t, cmd.Start())
		line, err := bufio.NewReader(out).ReadString('\n')
		require.NoError(t, err)
		require.Equal(t, "ready\n", line)
		<-time.After(time.Duration(rand.Int64N(int64(12 * time.Millisecond)))) // the moment to be hit
		require.NoError(t, cmd.Process.Kill())
		_ = cmd.Wait()

		rec, body, ok := d.load(keyOf("", "u"))
		if !ok {
			found["nothing"]++
			require.Equal(t, run+1, found["nothing"], "run %d: what was there is lost", run)
			continue
		}
		require.Len(t, rec.ETag, 1)
		require.Equal(t, string(version(int(rec.ETag[0]-'0'))), string(body), "run %d", run)
		found[rec.ETag]++
	}
	t.Logf("found %v; %d files left", found, len(cacheFiles(t, dir)))
	assert.Greater(t, len(found), 1)
}

// Processes share one cache.
func TestShared(t *testing.T) {
	dir := t.TempDir()
	var all []*exec.Cmd
	for range 3 {
		cmd := command(t, "share", dir)
		cmd.Stdout = os.Stderr
		require.NoError(t, cmd.Start())
		all = append(all, cmd)
	}
	assert.NoError(t, share(dir))
	for _, cmd := range all {
		assert.NoError(t, cmd.Wait())
	}
	assert.LessOrEqual(t, len(cacheFiles(t, dir)), 8, "7 contents and a record, nothing beside")
}

// Nothing outlives Close (07 B9).
func TestCloseLeavesNothing(t *testing.T) {
	s := newTLSSite(t)
	s.index(s.skill("a", "text"))
	dir := t.TempDir()
	before := descriptors(t)
	for range 20 {
		c, err := New(s.URL, &Options{AllowLoopback: true, RootCAs: s.roots(), CacheDir: dir, MaxAge: -1, Timeout: patience})
		require.NoError(t, err)
		_, err = c.Get(t.Context(), "a")
		require.NoError(t, err)
		require.NoError(t, c.Close())
	}
	s.CloseClientConnections()
	require.Eventually(t, func() bool { return descriptors(t) <= before }, patience, time.Millisecond)
}

func descriptors(t *testing.T) int {
	for _, dir := range []string{"/proc/self/fd", "/dev/fd"} {
		if list, err := os.ReadDir(dir); err == nil {
			return len(list)
		}
	}
	t.Skip("this system does not list descriptors")
	return 0
}
