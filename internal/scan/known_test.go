package scan_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/seed-12b313d8/skills/internal/readfile"
	"github.com/seed-12b313d8/skills/internal/scan"
	"github.com/seed-12b313d8/skills/internal/testkit"
)

// A memory keeps the versions that were handed over, as a loader does, and
// asks about nothing else.
type memory struct {
	ids   map[string]readfile.ID
	mu    sync.Mutex // guards asked
	asked map[string]bool
}

func newMemory() *memory {
	return &memory{ids: make(map[string]readfile.ID), asked: make(map[string]bool)}
}

func (m *memory) known(path string, id readfile.ID) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.asked[path] = true
	was, ok := m.ids[path]
	return ok && was == id
}

// scan scans root, remembers what it found, and returns the names of the
// files that were known and of those that were read.
func (m *memory) scan(t *testing.T, root string, o scan.Options) (known, read string) {
	t.Helper()
	o.Known = m.known
	r := run(t, scan.Disk{}, root, o)
	require.NoError(t, r.Err)
	checkReal(t, r.Files)
	var k, d []string
	for _, f := range r.Files {
		m.ids[f.Path] = f.ID
		assert.NotZero(t, f.ID)
		if f.Known {
			k = append(k, f.Name)
			assert.False(t, f.Complete, "nothing was read")
		} else {
			d = append(d, f.Name)
		}
	}
	return strings.Join(k, ","), strings.Join(d, ",")
}

// checkReal holds the real paths to the truth. A file that is itself a link in
// a plain folder is the exception: of a known one nothing tells that it is.
func checkReal(t *testing.T, files []found) {
	t.Helper()
	for _, f := range files {
		real, err := filepath.EvalSymlinks(f.Path)
		require.NoError(t, err)
		if f.Known && strings.HasPrefix(f.Name, "file") {
			continue
		}
		assert.Equal(t, real, f.Real, f.Path)
	}
}

// Files that the caller has in this version are handed over unread; files
// behind links are no exception (07: changed files only are read again).
func TestKnown(t *testing.T) {
	top := testkit.Tree(t, map[string]string{
		"root/plain/SKILL.md": md, "root/case/skill.md": md, "root/other/SKILL.md": md,
		"store/d/SKILL.md": md, "root/dir": "-> ../store/d",
		"store/s.md": md, "root/file/SKILL.md": "-> ../../store/s.md",
		"store/c/skill.md": md, "root/dircase": "-> ../store/c",
	})
	root := filepath.Join(top, "root")
	m := newMemory()
	known, read := m.scan(t, root, skillOptions())
	assert.Empty(t, known)
	assert.Equal(t, "case,dir,dircase,file,other,plain", read, "the first time nothing is known")

	known, read = m.scan(t, root, skillOptions())
	assert.Equal(t, "case,dir,dircase,file,other,plain", known)
	assert.Empty(t, read)

	for _, name := range []string{"root/plain/SKILL.md", "store/s.md", "store/d/SKILL.md"} {
		require.NoError(t, os.WriteFile(filepath.Join(top, name), []byte(md+"more"), 0o644))
	}
	known, read = m.scan(t, root, skillOptions())
	assert.Equal(t, "case,dircase,other", known)
	assert.Equal(t, "dir,file,plain", read)
}

func TestKnownCommands(t *testing.T) {
	top := testkit.Tree(t, map[string]string{"root/a.md": md, "root/g/b.md": md, "s.md": md, "root/l.md": "-> ../s.md", "h/d.md": md, "root/h": "-> ../h"})
	root := filepath.Join(top, "root")
	m := newMemory()
	m.scan(t, root, commandOptions())
	known, read := m.scan(t, root, commandOptions())
	assert.Equal(t, "a,g:b,h:d,l", known)
	assert.Empty(t, read)
	paths := make([]string, 0, len(m.asked))
	for p := range m.asked {
		paths = append(paths, strings.TrimPrefix(filepath.ToSlash(p), filepath.ToSlash(root)))
	}
	slices.Sort(paths)
	assert.Equal(t, []string{"/a.md", "/g/b.md", "/h/d.md", "/l.md"}, paths, "Known is asked by the path as found")
}

// A link that leads elsewhere now is followed again, and Real says where to
// even if the file is an old acquaintance (01 R8).
func TestKnownRetarget(t *testing.T) {
	top := testkit.Tree(t, map[string]string{
		"store/a/SKILL.md": "A", "store/b/SKILL.md": "B", "root/x": "-> ../store/a",
	})
	root, link := filepath.Join(top, "root"), filepath.Join(top, "root", "x")
	m := newMemory()
	m.scan(t, root, skillOptions())

	require.NoError(t, os.Remove(link))
	require.NoError(t, os.Symlink("../store/b", link))
	_, read := m.scan(t, root, skillOptions())
	assert.Equal(t, "x", read, "another file")

	require.NoError(t, os.Rename(filepath.Join(top, "store/b"), filepath.Join(top, "store/c")))
	require.NoError(t, os.Remove(link))
	require.NoError(t, os.Symlink("../store/c", link))
	o := skillOptions()
	o.Known = m.known
	got := run(t, scan.Disk{}, root, o)
	require.Len(t, got.Files, 1)
	assert.True(t, got.Files[0].Known, "the same file in another place")
	assert.Equal(t, filepath.Join(top, "store/c/SKILL.md"), got.Files[0].Real)
}
