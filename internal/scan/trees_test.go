package scan_test

import (
	"errors"
	"io/fs"
	"os"
	"slices"
	"testing"
	"testing/fstest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/seed-12b313d8/skills/internal/readfile"
	"github.com/seed-12b313d8/skills/internal/scan"
	"github.com/seed-12b313d8/skills/internal/testkit"
)

func TestFSTree(t *testing.T) {
	now := time.Unix(1_700_000_000, 5)
	tree := scan.FS(fstest.MapFS{
		"root/x/SKILL.md": {Data: []byte(md), ModTime: now},
		"root/notime":     {Data: []byte("x")},
		"root/pipe":       {Mode: fs.ModeNamedPipe},
		"root/link":       {Mode: fs.ModeSymlink, Data: []byte("x")},
	})
	_, err := tree.OpenDir("gone")
	require.ErrorIs(t, err, fs.ErrNotExist)
	_, err = tree.OpenDir("root/notime")
	require.Error(t, err, "a file is no directory")
	_, err = tree.Real("gone")
	require.ErrorIs(t, err, fs.ErrNotExist)
	real, err := tree.Real("./root//x/.")
	require.NoError(t, err)
	assert.Equal(t, "root/x", real)

	d, err := tree.OpenDir("root")
	require.NoError(t, err)
	entries, err := d.Entries(0)
	require.NoError(t, err)
	assert.Equal(t, []readfile.Entry{
		{Name: "link", Kind: readfile.Symlink},
		{Name: "notime", Kind: readfile.File},
		{Name: "pipe", Kind: readfile.Other},
		{Name: "x", Kind: readfile.Directory},
	}, entries)
	entries, err = d.Entries(2)
	require.ErrorIs(t, err, readfile.ErrTooMany)
	assert.Len(t, entries, 2)

	id, err := d.Stat("x/SKILL.md")
	require.NoError(t, err)
	assert.Equal(t, readfile.ID{Size: int64(len(md)), MTime: now.UnixNano()}, id)
	id, err = d.Stat("notime")
	require.NoError(t, err)
	assert.Zero(t, id, "without a time nothing tells versions apart")
	_, err = d.Stat("gone")
	require.ErrorIs(t, err, fs.ErrNotExist)
	require.NoError(t, d.Close())
}

func TestFSTreeHead(t *testing.T) {
	now := time.Unix(1_700_000_000, 0)
	d, err := scan.FS(fstest.MapFS{"x/SKILL.md": {Data: []byte("0123456789"), ModTime: now}, "pipe": {Mode: fs.ModeNamedPipe}}).OpenDir(".")
	require.NoError(t, err)
	h, err := d.Head("x/SKILL.md", make([]byte, 20), 10, true)
	require.NoError(t, err)
	assert.Equal(t, readfile.Head{Data: []byte("0123456789"), ID: readfile.ID{Size: 10, MTime: now.UnixNano()}, Complete: true}, h)
	h, err = d.Head("x/SKILL.md", make([]byte, 4), 10, true)
	require.NoError(t, err)
	assert.Equal(t, "0123", string(h.Data))
	assert.False(t, h.Complete, "R2: the beginning is not the whole")

	_, err = d.Head("x/SKILL.md", make([]byte, 20), 9, true)
	var size *readfile.SizeError
	require.ErrorAs(t, err, &size)
	assert.Equal(t, readfile.SizeError{Size: 10, Limit: 9}, *size)
	_, err = d.Head("x", make([]byte, 20), 10, true)
	require.ErrorIs(t, err, readfile.ErrNotRegular, "R1: a folder")
	_, err = d.Head("pipe", make([]byte, 20), 10, true)
	require.ErrorIs(t, err, readfile.ErrNotRegular, "R1: a FIFO")
	_, err = d.Head("gone", make([]byte, 20), 10, true)
	require.ErrorIs(t, err, fs.ErrNotExist)
}

// A listFS lists its root backwards and fails to read what is called "bad".
type listFS struct{ fstest.MapFS }

func (l listFS) ReadDir(name string) ([]fs.DirEntry, error) {
	list, err := l.MapFS.ReadDir(name)
	slices.Reverse(list)
	return list, err
}

func (l listFS) Open(name string) (fs.File, error) {
	f, err := l.MapFS.Open(name)
	if err == nil && name == "bad/SKILL.md" {
		return badFile{f}, nil
	}
	return f, err
}

type badFile struct{ fs.File }

var errBad = errors.New("bad sector")

func (badFile) Read([]byte) (int, error) { return 0, errBad }

// An fs.FS that breaks the contract of its listing, or off in the middle of a
// file, is still read in order and as far as it goes.
func TestFSTreeOddities(t *testing.T) {
	fsys := listFS{fstest.MapFS{
		"a/SKILL.md": {Data: []byte(md)}, "bad/SKILL.md": {Data: []byte(md)}, "c/SKILL.md": {Data: []byte(md)},
		"d/skill.md": {Data: []byte(md)}, "d/Skill.md": {Data: []byte(md)},
	}}
	got := run(t, scan.FS(fsys), ".", skillOptions())
	require.NoError(t, got.Err)
	assert.Equal(t, "a,c,d", got.names())
	assert.Equal(t, "unreadable bad/SKILL.md,filename-case d/Skill.md", got.problems("."))
}

// os.DirFS follows links; those that lead nowhere are one problem each.
func TestFSTreeOfDirectory(t *testing.T) {
	root := testkit.Tree(t, map[string]string{
		"x/SKILL.md": md, "y": "-> x", "gone": "-> nowhere", "z/SKILL.md": "-> ../x/SKILL.md", "w/SKILL.md": "-> nowhere", "v/skill.md": "-> nowhere", "loop": "-> loop",
	})
	got := run(t, scan.FS(os.DirFS(root)), ".", skillOptions())
	require.NoError(t, got.Err)
	assert.Equal(t, "x,y,z", got.names())
	assert.Equal(t, "dangling-link gone,link-loop loop,dangling-link v/skill.md,filename-case v/skill.md,dangling-link w/SKILL.md", got.problems("."))
}
