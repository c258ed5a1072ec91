package atomicfile_test

import (
	"crypto/sha256"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seed-12b313d8/skills/internal/atomicfile"
)

// target is the file of most tests, in its root.
const target = "skill/SKILL.md"

// A place is a root with one file in it.
type place struct {
	dir  string // of the root
	root *os.Root
}

func newPlace(t *testing.T, content string) *place {
	t.Helper()
	p := &place{dir: t.TempDir()}
	require.NoError(t, os.Mkdir(filepath.Join(p.dir, "skill"), 0o755))
	require.NoError(t, os.WriteFile(p.file(), []byte(content), 0o640))
	require.NoError(t, os.Chmod(p.file(), 0o640))
	var err error
	p.root, err = os.OpenRoot(p.dir)
	require.NoError(t, err)
	t.Cleanup(func() { p.root.Close() })
	return p
}

// reset makes the folder hold the file and nothing else.
func (p *place) reset(t *testing.T, content string) {
	t.Helper()
	folder := filepath.Dir(p.file())
	require.NoError(t, os.RemoveAll(p.path("moved")))
	require.NoError(t, os.RemoveAll(folder))
	require.NoError(t, os.Mkdir(folder, 0o755))
	require.NoError(t, os.WriteFile(p.file(), []byte(content), 0o640))
	require.NoError(t, os.Chmod(p.file(), 0o640))
}

func (p *place) path(name string) string { return filepath.Join(p.dir, filepath.FromSlash(name)) }

func (p *place) file() string { return p.path(target) }

// content returns the bytes of the file, "absent" if there is none.
func (p *place) content(t *testing.T) string {
	t.Helper()
	return read(t, p.file())
}

const absent = "\x00absent"

func read(t *testing.T, path string) string {
	t.Helper()
	data, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return absent
	}
	require.NoError(t, err)
	return string(data)
}

// leftovers returns the names of new files that are not in their place.
func (p *place) leftovers(t *testing.T) []string {
	t.Helper()
	var out []string
	err := filepath.WalkDir(p.dir, func(path string, d fs.DirEntry, err error) error {
		if err == nil && strings.HasPrefix(d.Name(), ".skills-") {
			out = append(out, path)
		}
		return err
	})
	require.NoError(t, err)
	return out
}

func swap(w atomicfile.Writer, p *place, old, data string) error {
	return w.CompareAndSwap(p.root, target, sha256.Sum256([]byte(old)), []byte(data))
}

// openFiles returns the number of open files, 0 where that cannot be told.
func openFiles(t *testing.T) int {
	t.Helper()
	list, err := os.ReadDir("/proc/self/fd")
	if err != nil {
		return 0
	}
	return len(list)
}
