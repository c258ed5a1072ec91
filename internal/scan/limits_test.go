package scan_test

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/seed-12b313d8/skills/internal/readfile"
	"github.com/seed-12b313d8/skills/internal/scan"
	"github.com/seed-12b313d8/skills/internal/testkit"
)

// A wideTree is a root with very many entries, made up while they are read.
type wideTree struct {
	entries []readfile.Entry
	more    bool                    // the root has more entries than it tells
	sub     *wideTree               // what each folder of the root is
	file    func(name string) error // what opening a file below the root gives
	heads   atomic.Int64
}

func (w *wideTree) OpenDir(path string) (scan.Dir, error) {
	if path != "/root" && w.sub != nil {
		return w.sub, nil
	}
	if path != "/root" {
		return nil, &fs.PathError{Op: "open", Path: path, Err: fs.ErrNotExist}
	}
	return w, nil
}

func (w *wideTree) Real(path string) (string, error) { return path, nil }

func (w *wideTree) Head(name string, buf []byte, _ int64, _ bool) (readfile.Head, error) {
	w.heads.Add(1)
	if w.file != nil {
		if err := w.file(name); err != nil {
			return readfile.Head{}, err
		}
	}
	n := copy(buf, md)
	return readfile.Head{Data: buf[:n], Complete: true}, nil
}

func (w *wideTree) Stat(string) (readfile.ID, error) { return readfile.ID{}, nil }
func (w *wideTree) Close() error                     { return nil }

func (w *wideTree) Entries(limit int) ([]readfile.Entry, error) {
	if w.more || len(w.entries) > limit {
		return w.entries[:min(limit, len(w.entries))], &fs.PathError{Op: "readdir", Path: "/root", Err: readfile.ErrTooMany}
	}
	return w.entries, nil
}

func wide(n int, kind readfile.Kind, format string) *wideTree {
	w := new(wideTree)
	for i := range n {
		w.entries = append(w.entries, readfile.Entry{Name: fmt.Sprintf(format, i), Kind: kind})
	}
	return w
}

// However many skills there are, the scan ends soon after the limit, and the
// first by name are what it delivers (01 §5).
func TestMaxFiles(t *testing.T) {
	for _, tt := range []struct {
		reason    string
		n, limit  int
		want      int // delivered
		truncated bool
	}{
		{"01 §5: below the limit", 100, 200, 100, false},
		{"01 §5: exactly the limit", 2048, 2048, 2048, false},
		{"01 §5: one more than fits", 2049, 2048, 2048, true},
		{"01 §5: far above it the caller cuts", 50_000, 10, 2048, true},
		{"01 §5: the default", 50_000, 10_000, 10_240, true},
	} {
		t.Run(tt.reason, func(t *testing.T) {
			for _, o := range []scan.Options{skillOptions(), commandOptions()} {
				tree, kind := wide(tt.n, readfile.Directory, "d%06d"), "skills"
				if o.Commands {
					tree, kind = wide(tt.n, readfile.File, "d%06d.md"), "commands"
				}
				o.MaxFiles = tt.limit
				got := run(t, tree, "/root", o)
				require.NoError(t, got.Err)
				assert.Len(t, got.Files, tt.want, kind)
				for i, f := range got.Files {
					require.Equal(t, fmt.Sprintf("d%06d", i), f.Name, "the first by name")
				}
				if !tt.truncated {
					assert.Empty(t, got.Problems)
					continue
				}
				require.Len(t, got.Problems, 1)
				assert.True(t, got.Problems[0].Truncate)
				assert.True(t, got.Problems[0].Error)
				assert.Equal(t, "too-many", got.Problems[0].Code)
				assert.LessOrEqual(t, tree.heads.Load(), int64(tt.want), "what is not delivered is not read")
			}
		})
	}
}

// As many skills as the limit allows are not too many, even if there are
// folders without one, and links to them.
func TestMaxFilesExactly(t *testing.T) {
	top := testkit.Tree(t, map[string]string{
		"root/a/SKILL.md": md, "root/b/SKILL.md": md, "root/empty/": "", "store/": "", "root/link": "-> ../store",
	})
	o := skillOptions()
	o.MaxFiles = 2
	got := run(t, scan.Disk{}, filepath.Join(top, "root"), o)
	require.NoError(t, got.Err)
	assert.Equal(t, "a,b", got.names())
	assert.Empty(t, got.Problems)
}

// The limit holds in groups too, and what it cuts does not depend on which of
// them was listed first.
func TestMaxFilesInGroups(t *testing.T) {
	o := skillOptions()
	o.MaxDepth, o.MaxFiles = 2, 100
	for range 20 {
		tree := wide(16, readfile.Directory, "d%02d")
		tree.sub = wide(600, readfile.Directory, "c%03d")
		tree.file = func(name string) error {
			if strings.Count(name, "/") == 1 {
				return &fs.PathError{Op: "read", Path: name, Err: fs.ErrNotExist}
			}
			return nil
		}
		got := run(t, tree, "/root", o)
		require.NoError(t, got.Err)
		require.Len(t, got.Files, 2048)
		require.Equal(t, "d00:c000", got.Files[0].Name)
		require.Equal(t, "d03:c247", got.Files[2047].Name)
		require.Equal(t, "too-many .", got.problems("/root"))
	}
}

// A root with more entries than are read is cut, and says so; what was read
// of it counts.
func TestTooManyEntries(t *testing.T) {
	for _, o := range []scan.Options{skillOptions(), commandOptions()} {
		tree := wide(3, readfile.Directory, "d%d")
		if o.Commands {
			tree = wide(3, readfile.File, "d%d.md")
		}
		tree.more = true
		got := run(t, tree, "/root", o)
		require.NoError(t, got.Err)
		assert.Equal(t, "d0,d1,d2", got.names())
		require.Len(t, got.Problems, 1)
		assert.Equal(t, "too-many", got.Problems[0].Code)
		assert.True(t, got.Problems[0].Truncate)
	}
}

// What is collected before anything is read has a bound of its own.
func TestTooManyCommands(t *testing.T) {
	tree := wide(3, readfile.Directory, "d%d")
	tree.sub = wide(90_000, readfile.File, "c%d.md")
	o := commandOptions()
	o.MaxFiles = 1_000_000
	got := run(t, tree, "/root", o)
	require.NoError(t, got.Err)
	assert.Greater(t, len(got.Files), 200_000)
	assert.Less(t, len(got.Files), 200_010)
	assert.Equal(t, "too-many .", got.problems("/root"))
}

// Entries whose kind the system does not tell are tried.
func TestUnknownKinds(t *testing.T) {
	tree := wide(4, readfile.Unknown, "d%d")
	tree.file = func(name string) error {
		switch name[:2] {
		case "d1":
			return &fs.PathError{Op: "read", Path: name, Err: fs.ErrNotExist}
		case "d2":
			return &fs.PathError{Op: "read", Path: name, Err: readfile.ErrNotRegular}
		}
		return nil
	}
	got := run(t, tree, "/root", skillOptions())
	require.NoError(t, got.Err)
	assert.Equal(t, "d0,d3", got.names())
	assert.Equal(t, "unreadable d1,not-a-regular-file d2/SKILL.md", got.problems("/root"))
}

// A countingTree counts what is listed and opened.
type countingTree struct {
	scan.Tree
	opened, resolved atomic.Int64
}

func (c *countingTree) OpenDir(path string) (scan.Dir, error) {
	c.opened.Add(1)
	return c.Tree.OpenDir(path)
}

func (c *countingTree) Real(path string) (string, error) {
	c.resolved.Add(1)
	return c.Tree.Real(path)
}

// Links to one folder, or back up, do not multiply the work: it grows with the
// number of links, not with its square or worse (07: nothing may hang).
func TestLinksDoNotMultiply(t *testing.T) {
	const n = 300
	for _, tt := range []struct {
		reason, target string
		depth          int
	}{
		{"R8: links to the root", ".", 1},
		{"R8: links to one folder without a skill", "../store", 1},
		{"R8: links to the root, with groups", ".", 8},
		{"R8: links to one group", "../store", 8},
	} {
		t.Run(tt.reason, func(t *testing.T) {
			top := testkit.Tree(t, map[string]string{"root/good/SKILL.md": md, "store/a/notes.txt": "", "store/b/notes.txt": ""})
			for i := range n {
				require.NoError(t, os.Symlink(tt.target, filepath.Join(top, "root", fmt.Sprintf("l%03d", i))))
				require.NoError(t, os.Symlink(tt.target, filepath.Join(top, "store", fmt.Sprintf("l%03d", i))))
			}
			tree := &countingTree{Tree: scan.Disk{}}
			o := skillOptions()
			o.MaxDepth = tt.depth
			got := run(t, tree, filepath.Join(top, "root"), o)
			require.NoError(t, got.Err)
			assert.Equal(t, "good", got.names())
			assert.Less(t, tree.opened.Load(), int64(20))
			assert.Less(t, tree.resolved.Load(), int64(8*n))
		})
	}
}

// The look for skills that lie too deep is bounded, and which of them it finds
// does not depend on the speed of goroutines (01 §7.4).
func TestTooDeepIsBounded(t *testing.T) {
	tree := make(map[string]string)
	for i := range 1200 {
		tree[fmt.Sprintf("g%04d/a/x/", i)] = ""
		tree[fmt.Sprintf("g%04d/z/SKILL.md", i)] = md
	}
	root := testkit.Tree(t, tree)
	counting := &countingTree{Tree: scan.Disk{}}
	first := run(t, counting, root, skillOptions())
	require.NoError(t, first.Err)
	assert.NotEmpty(t, first.Problems)
	assert.Less(t, len(first.Problems), 1200)
	assert.Less(t, counting.opened.Load(), int64(1200+3*1000), "1,200 folders are listed, and about 1,000 more")
	for range 10 {
		again := run(t, scan.Disk{}, root, skillOptions())
		require.True(t, slices.Equal(first.Problems, again.Problems))
	}
}

// What a scan finds comes in one order whatever the order of the listing is.
func TestDeterminism(t *testing.T) {
	tree := make(map[string]string)
	for i := range 30 {
		tree[fmt.Sprintf("s%03d/SKILL.md", i)] = fmt.Sprintf("---\ndescription: %d\n---\n", i)
		tree[fmt.Sprintf("g%03d/in%d/SKILL.md", i, i%7)] = md
		tree[fmt.Sprintf("c%03d/skill.md", i)] = md
	}
	root := testkit.Tree(t, tree)
	o := skillOptions()
	o.MaxDepth = 2
	first := run(t, scan.Disk{}, root, o)
	require.Len(t, first.Files, 90)
	loads := 1000
	if testing.Short() {
		loads = 200
	}
	for range loads {
		again := run(t, scan.Disk{}, root, o)
		require.True(t, slices.Equal(first.Files, again.Files))
		require.True(t, slices.Equal(first.Problems, again.Problems))
	}
	names := strings.Split(first.names(), ",")
	assert.True(t, slices.IsSorted(names), "by name of the root's entry, then by path")
}
