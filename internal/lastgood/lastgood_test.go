package lastgood_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/seed-12b313d8/skills/internal/lastgood"
)

func TestReaches(t *testing.T) {
	var none, b lastgood.Breakage
	b.AddFile("/s/blank/SKILL.md")
	b.AddRefused("/s/bad/skill.md")
	b.AddRefused("/s/folder")
	b.AddUnreadable("/s/dark")
	tests := []struct {
		reason, path string
		want         bool
	}{
		{"the file", "/s/blank/SKILL.md", true},
		{"one below it is its own", "/s/blank/x/SKILL.md", false},
		{"by its folder", "/s/folder/SKILL.md", true},
		{"a folder that can be looked into", "/s/folder/x/SKILL.md", false},
		{"what lies below a refused skill is not looked for", "/s/bad/x/SKILL.md", true},
		{"and the skill itself, in any spelling", "/s/bad/SKILL.md", true},
		{"03 W5: below what cannot be read", "/s/dark/a/b/SKILL.md", true},
		{"beside it", "/s/darker/SKILL.md", false},
		{"no file", "", false},
	}
	for _, tt := range tests {
		assert.Equal(t, tt.want, b.Reaches(tt.path), tt.reason)
		assert.False(t, none.Reaches(tt.path))
	}
	assert.True(t, none.Empty())
	assert.False(t, b.Empty())
}

type version struct {
	path   string
	n      int
	broken bool
}

func (v version) file() lastgood.File {
	return lastgood.File{Key: v.path, Path: v.path, Broken: v.broken}
}

func TestKeep(t *testing.T) {
	dir := t.TempDir()
	at := func(rel string) string { return filepath.Join(dir, rel) }
	require.NoError(t, os.MkdirAll(at("dark"), 0o755))
	require.NoError(t, os.WriteFile(at("dark/SKILL.md"), []byte("x"), 0o644))
	require.NoError(t, os.Symlink("nowhere", at("link")))
	was := []version{
		{at("bad.md"), 1, false},
		{at("fine.md"), 1, false},
		{at("gone.md"), 1, false},
		{at("dark/SKILL.md"), 1, false},
		{at("link/SKILL.md"), 1, false},
		{at("never.md"), 1, true},
		{"", 1, false},
	}
	now := []version{{at("bad.md"), 2, true}, {at("fine.md"), 2, false}, {at("never.md"), 2, true}, {"", 2, false}}
	var b lastgood.Breakage
	for _, v := range was {
		b.AddUnreadable(v.path)
	}
	all, kept := lastgood.Keep(was, now, &b, version.file)
	assert.Equal(t, []version{
		{at("bad.md"), 1, false},
		{at("fine.md"), 2, false},
		{at("never.md"), 2, true},
		{"", 2, false},
		{at("dark/SKILL.md"), 1, false},
		{at("link/SKILL.md"), 1, false},
	}, all, "03 W5: broken ones as they were, in their places; one that never was good stays broken; what is gone is gone; a link that leads nowhere is there")
	assert.Len(t, kept, 3)
	assert.Equal(t, 2, now[0].n, "what was given is not changed")

	all, kept = lastgood.Keep(was, now, new(lastgood.Breakage), version.file)
	assert.Equal(t, now, all)
	assert.Empty(t, kept)
}
