package readfile_test

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/seed-12b313d8/skills/internal/readfile"
)

func TestEntries(t *testing.T) {
	root := t.TempDir()
	d := openDir(t, root)
	list, err := d.Entries(0)
	require.NoError(t, err)
	assert.Empty(t, list)

	for _, name := range []string{"b", "a", "ä", "A", ".hidden"} {
		write(t, filepath.Join(root, name), "")
	}
	require.NoError(t, os.Mkdir(filepath.Join(root, "dir"), 0o755))
	want := []readfile.Entry{
		{Name: ".hidden", Kind: readfile.File},
		{Name: "A", Kind: readfile.File},
		{Name: "a", Kind: readfile.File},
		{Name: "b", Kind: readfile.File},
		{Name: "dir", Kind: readfile.Directory},
		{Name: "ä", Kind: readfile.File},
	}
	for range 2 {
		list, err = d.Entries(0)
		require.NoError(t, err)
		assert.Equal(t, want, list, "reading again starts again")
	}
}

func TestEntriesBound(t *testing.T) {
	const n = 3000 // several blocks
	root := t.TempDir()
	for i := range n {
		write(t, filepath.Join(root, fmt.Sprintf("a-rather-long-name-for-an-entry-%04d", i*7919%n)), "")
	}
	d := openDir(t, root)
	all, err := d.Entries(0)
	require.NoError(t, err)
	require.Len(t, all, n)

	for _, row := range []struct {
		reason string
		max    int
		want   int
	}{
		{"01 §5: one", 1, 1},
		{"01 §5: a few", 10, 10},
		{"01 §5: more than half", n/2 + 1, n/2 + 1},
		{"01 §5: all but one", n - 1, n - 1},
		{"01 §5: just all", n, n},
		{"01 §5: room for more", n + 1, n},
		{"01 §5: no bound", -1, n},
	} {
		require.NotEmpty(t, row.reason)
		t.Run(row.reason, func(t *testing.T) {
			list, err := d.Entries(row.max)
			if row.want < n {
				require.ErrorIs(t, err, readfile.ErrTooMany)
				wantPathError(t, err, root)
			} else {
				require.NoError(t, err)
			}
			assert.Equal(t, all[:row.want], list, "the smallest names, sorted")
		})
	}
}

func TestKindString(t *testing.T) {
	seen := map[string]bool{}
	for k := readfile.Unknown; k <= readfile.Other; k++ {
		seen[k.String()] = true
	}
	assert.Len(t, seen, 5)
	assert.Equal(t, "unknown", readfile.Kind(99).String())
}
