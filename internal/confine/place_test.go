//go:build unix

package confine_test

import (
	"context"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/seed-12b313d8/skills/internal/confine"
	"github.com/seed-12b313d8/skills/internal/readfile"
)

func TestPlace(t *testing.T) {
	top, err := filepath.EvalSymlinks(t.TempDir())
	require.NoError(t, err)
	at := func(rel string) string { return filepath.Join(top, rel) }
	for path, text := range map[string]string{"p/a/SKILL.md": "a", "p/a/r.txt": "res", "out/SKILL.md": "secret"} {
		require.NoError(t, os.MkdirAll(filepath.Dir(at(path)), 0o755))
		require.NoError(t, os.WriteFile(at(path), []byte(text), 0o644))
	}
	require.NoError(t, os.Symlink("p", at("link")))
	anywhere, inside := &confine.Place{MaxSize: 100}, &confine.Place{MaxSize: 100, Confine: at("link")}
	for _, p := range []*confine.Place{anywhere, inside} {
		doc, _, err := p.Read(at("p/a/SKILL.md"))
		require.NoError(t, err)
		assert.Equal(t, "a", string(doc))
		text, err := fs.ReadFile(p.Folder(at("p/a"), at("p/a"), 100), "r.txt")
		require.NoError(t, err)
		assert.Equal(t, "res", string(text))
	}
	_, _, err = inside.Read(at("out/SKILL.md"))
	assert.ErrorIs(t, err, readfile.ErrEscapes, "01 R8")
	_, err = fs.ReadFile(inside.Folder(at("out"), at("out"), 100), "SKILL.md")
	assert.Error(t, err)

	// Swapped after it was found: the folder now leads out.
	require.NoError(t, os.RemoveAll(at("p/a")))
	require.NoError(t, os.Symlink(at("out"), at("p/a")))
	_, _, err = inside.Read(at("p/a/SKILL.md"))
	assert.Error(t, err)
	_, err = fs.ReadFile(inside.Folder(at("p/a"), at("p/a"), 100), "SKILL.md")
	assert.Error(t, err)
	_, err = fs.ReadFile((*confine.Place)(nil).Folder(at("out"), "", 100), "SKILL.md")
	assert.NoError(t, err, "not from a place at all: only its own folder confines it")
	_, _, err = (&confine.Place{MaxSize: 100, Confine: at("gone")}).Read(at("p/a/SKILL.md"))
	assert.ErrorIs(t, err, fs.ErrNotExist)
}

func TestReadWritten(t *testing.T) {
	path := filepath.Join(t.TempDir(), "SKILL.md")
	p := &confine.Place{MaxSize: 100}
	require.NoError(t, os.WriteFile(path, []byte(" \n"), 0o644))
	_, err := p.ReadWritten(t.Context(), path)
	assert.ErrorContains(t, err, "empty", "it stays so")
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err = p.ReadWritten(ctx, path)
	assert.ErrorIs(t, err, context.Canceled)

	require.NoError(t, os.WriteFile(path, []byte("text"), 0o644))
	doc, err := p.ReadWritten(t.Context(), path)
	require.NoError(t, err)
	assert.Equal(t, "text", string(doc))
}

func TestList(t *testing.T) {
	fsys := fstest.MapFS{"a/b": {}, "a.txt": {}, "c": {Mode: fs.ModeSymlink}, "d/e/f": {}}
	paths, more, err := confine.List(fsys, 10)
	require.NoError(t, err)
	assert.False(t, more)
	assert.Equal(t, []string{"a.txt", "a/b", "d/e/f"}, paths, "sorted; links left out")
	paths, more, err = confine.List(fsys, 2)
	require.NoError(t, err)
	assert.True(t, more)
	assert.Len(t, paths, 2)
	_, _, err = confine.List(os.DirFS(filepath.Join(t.TempDir(), "gone")), 2)
	assert.ErrorIs(t, err, fs.ErrNotExist)
}
