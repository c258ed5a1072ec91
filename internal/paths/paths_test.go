package paths

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestProjectRoot(t *testing.T) {
	root := t.TempDir()
	require.NoError(t, os.MkdirAll(filepath.Join(root, "r/a/b"), 0o755))
	require.NoError(t, os.WriteFile(filepath.Join(root, "r/.git"), []byte("gitdir: elsewhere"), 0o644))
	assert.Equal(t, filepath.Join(root, "r"), ProjectRoot(filepath.Join(root, "r/a/b")), "a worktree's .git is a file")
	assert.Equal(t, filepath.Join(root, "x"), ProjectRoot(filepath.Join(root, "x")), "none above")
}

func TestRel(t *testing.T) {
	root := t.TempDir()
	real, err := filepath.EvalSymlinks(root)
	require.NoError(t, err)
	require.NoError(t, os.Mkdir(filepath.Join(root, "real"), 0o755))
	require.NoError(t, os.Symlink("real", filepath.Join(root, "link")))
	r := NewRoot(filepath.Join(root, "link"))
	for _, tt := range []struct {
		path, want string
		ok         bool
	}{
		{"a/b", "a/b", true},
		{"./a//b/../c", "a/c", true},
		{filepath.Join(root, "link", "x"), "x", true},
		{filepath.Join(real, "real", "x"), "x", true},
		{"..hidden", "..hidden", true},
		{"..", "", false},
		{"a/../..", "", false},
		{".", "", false},
		{"", "", false},
		{strings.Repeat("a/", 300), "", false},
		{strings.Repeat("a", 5000), "", false},
		{"a\x00", "", false},
		{"/etc/hosts", "", false},
		{filepath.Join(root, "linked"), "", false},
	} {
		got, ok := r.Rel(tt.path)
		assert.Equal(t, tt.ok, ok, tt.path)
		assert.Equal(t, tt.want, got, tt.path)
	}
	_, ok := Root{}.Rel("a")
	assert.False(t, ok)
	assert.Equal(t, "gone", NewRoot("gone").Real)
	assert.Equal(t, Root{}, NewRoot(""))
}

func TestSlashPaths(t *testing.T) {
	assert.Equal(t, "a/b", Parent("a/b/c"))
	assert.Equal(t, ".", Parent("a"))
	for rel, ok := range map[string]bool{"a": true, "a/b": true, "": false, "/a": false, "a/": false, "a//b": false, "./a": false, "a/../b": false, `a\b`: filepath.Separator == '/', "a\x00": false} {
		assert.Equal(t, ok, Below(rel), "%q", rel)
	}
	assert.True(t, Within("/a", "/a"))
	assert.True(t, Within("/a", "/a/b"))
	assert.True(t, Within("/", "/a"))
	assert.False(t, Within("/a", "/ab"))
	assert.False(t, Within("/a/b", "/a"))
}

func TestSet(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"a", "B"} {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), nil, 0o644))
	}
	require.NoError(t, os.Link(filepath.Join(dir, "B"), filepath.Join(dir, "hard")))
	s := make(Set)
	assert.False(t, s.Add(""))
	assert.False(t, s.Add(""), "no path is no file")
	assert.False(t, s.Add(filepath.Join(dir, "a")))
	assert.True(t, s.Add(filepath.Join(dir, "a")))
	assert.False(t, s.Add(filepath.Join(dir, "B")))
	assert.False(t, s.Add(filepath.Join(dir, "hard")), "01 §7.1: never by inode")
	_, err := os.Stat(filepath.Join(dir, "A"))
	assert.Equal(t, err == nil, s.Add(filepath.Join(dir, "A")), "one file only where the file system folds case")
}

func TestFind(t *testing.T) {
	top, err := filepath.EvalSymlinks(t.TempDir())
	require.NoError(t, err)
	require.NoError(t, os.MkdirAll(filepath.Join(top, "real/proj/sub"), 0o755))
	require.NoError(t, os.Symlink("real", filepath.Join(top, "way")))
	require.NoError(t, os.Symlink("/", filepath.Join(top, "real/proj/out")))
	r := NewRoot(filepath.Join(top, "real/proj"))
	tests := []struct {
		reason, path, want string
		ok                 bool
	}{
		{"as Rel does", filepath.Join(top, "real/proj/sub/x"), "sub/x", true},
		{"03 A3: through a link above the project", filepath.Join(top, "way/proj/sub/x"), "sub/x", true},
		{"and what does not exist", filepath.Join(top, "way/proj/new/dir/x"), "new/dir/x", true},
		{"the root by another way", filepath.Join(top, "way/proj"), "", false},
		{"beside it", filepath.Join(top, "way/other/x"), "", false},
		{"spelled inside, whatever it leads to", filepath.Join(top, "real/proj/out/etc"), "out/etc", true},
		{"relative, outside", "../x", "", false},
		{"no path", "/\x00", "", false},
		{"nothing", "", "", false},
	}
	for _, tt := range tests {
		got, ok := r.Find(tt.path)
		assert.Equal(t, tt.ok, ok, tt.reason)
		assert.Equal(t, tt.want, got, tt.reason)
	}
	_, ok := Root{}.Find("/x")
	assert.False(t, ok)
}

func TestTouches(t *testing.T) {
	root := t.TempDir()
	require.NoError(t, os.Mkdir(filepath.Join(root, "dir"), 0o755))
	got := NewRoot(root).Touches([]string{"a/b.go", "dir", "new/", "../out", "", filepath.Join(root, "x")})
	assert.Equal(t, []Touch{{"a/b.go", false}, {"dir", true}, {"new", true}, {"x", false}}, got)
	assert.Empty(t, Root{}.Touches([]string{"a"}))
}
