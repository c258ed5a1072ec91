package extract_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/seed-12b313d8/skills/internal/extract"
)

func TestMain(m *testing.M) {
	if job := os.Getenv(childJob); job != "" {
		os.Exit(child(job))
	}
	goleak.VerifyTestMain(m)
}

// parentDir returns a directory that passes as a parent under any umask.
func parentDir(tb testing.TB) string {
	tb.Helper()
	dir, err := filepath.EvalSymlinks(tb.TempDir())
	require.NoError(tb, err)
	require.NoError(tb, os.Chmod(dir, 0o700))
	return dir
}

// newStore returns a Store that is closed at the end of the test, after which
// its parent must be empty.
func newStore(tb testing.TB, o extract.Options) *extract.Store {
	tb.Helper()
	if o.Parent == "" {
		o.Parent = parentDir(tb)
	}
	s := extract.NewStore(o)
	tb.Cleanup(func() {
		assert.NoError(tb, s.Close())
		assertEmpty(tb, o.Parent)
	})
	return s
}

func assertEmpty(tb testing.TB, dir string) {
	tb.Helper()
	left, err := os.ReadDir(dir)
	assert.NoError(tb, err)
	assert.Empty(tb, left, "left behind in %s", dir)
}

// of returns what Content.Files would be for fsys.
func of(fsys fs.FS) func() (fs.FS, error) {
	return func() (fs.FS, error) { return fsys, nil }
}

// tree returns a file system of these files; the text "dir" makes a folder.
func tree(files map[string]string) fstest.MapFS {
	m := make(fstest.MapFS)
	for name, text := range files {
		if text == "dir" {
			m[name] = &fstest.MapFile{Mode: fs.ModeDir | 0o755}
			continue
		}
		m[name] = &fstest.MapFile{Data: []byte(text), Mode: 0o755}
	}
	return m
}

// sample has files, folders and an empty folder.
func sample() fstest.MapFS {
	return tree(map[string]string{
		"guide.md": "guide", "empty": "", "scripts/run.sh": "#!/bin/sh\n", "scripts/lib/a.py": "a", "none": "dir",
	})
}

// assertTree checks that dir holds exactly what fsys does.
func assertTree(tb testing.TB, dir string, fsys fs.FS) {
	tb.Helper()
	want, got := contents(tb, fsys), contents(tb, os.DirFS(dir))
	assert.Equal(tb, want, got)
}

// contents maps each name to what is in it, "dir" for folders.
func contents(tb testing.TB, fsys fs.FS) map[string]string {
	tb.Helper()
	m := make(map[string]string)
	require.NoError(tb, fs.WalkDir(fsys, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			m[name] = "dir"
			return err
		}
		data, err := fs.ReadFile(fsys, name)
		m[name] = string(data)
		return err
	}))
	return m
}
