package gitignore

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A disk holds ignore files by path, and counts how often each is read.
type disk struct {
	mu    sync.Mutex
	files map[string]string
	reads map[string]int
}

func newDisk(files map[string]string) *disk {
	return &disk{files: files, reads: make(map[string]int)}
}

// read serves the files of a tree whose root is /root.
func (d *disk) read(path string) ([]byte, error) {
	name, err := filepath.Rel(filepath.FromSlash("/root"), path)
	if err != nil {
		return nil, err
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	name = filepath.ToSlash(name)
	d.reads[name]++
	content, ok := d.files[name]
	if !ok {
		return nil, fs.ErrNotExist
	}
	return []byte(content), nil
}

func (d *disk) total() (n int) {
	for _, reads := range d.reads {
		n += reads
	}
	return n
}

func (d *disk) tree() *Tree { return NewTree(filepath.FromSlash("/root"), d.read) }

func TestTree(t *testing.T) {
	for _, row := range []struct {
		reason  string
		files   map[string]string
		yes, no []string
	}{
		{
			reason: "03 §3: node_modules and .git always, with no file at all",
			yes:    []string{"node_modules", "node_modules/p", "a/node_modules/p/.claude", ".git", ".git/hooks", "a/.git", "Node_Modules", ".GIT/x"},
			no:     []string{"", ".", "a", "a/b", "node_module", "git", ".github"},
		},
		{
			reason: "03 §3: and whatever a file says",
			files:  map[string]string{".gitignore": "!node_modules\n!.git\n"},
			yes:    []string{"node_modules", ".git"},
		},
		{
			reason: "03 §3: the root's file",
			files:  map[string]string{".gitignore": "build/\n/dist\n*.tmp\n"},
			yes:    []string{"build", "a/build", "a/build/b", "dist", "dist/x", "x.tmp/y"},
			no:     []string{"a/dist", "a", "builds"},
		},
		{
			reason: "03 §3: intermediate files, relative to their folder",
			files:  map[string]string{"a/.gitignore": "/b\nc/d\n"},
			yes:    []string{"a/b", "a/b/x", "a/c/d"},
			no:     []string{"b", "a/x/b", "c/d", "a/c"},
		},
		{
			reason: "03 §3: a deeper file overrides a shallower one",
			files:  map[string]string{".gitignore": "build\n", "a/.gitignore": "!build\n", "a/x/.gitignore": "build\n"},
			yes:    []string{"build", "b/build", "a/x/build"},
			no:     []string{"a/build", "a/y/build"},
		},
		{
			reason: "03 §3: below an ignored folder nothing can be taken out again",
			files:  map[string]string{".gitignore": "/a\n!/a/b\n", "a/.gitignore": "!*\n!b\n"},
			yes:    []string{"a", "a/b", "a/b/c"},
		},
		{
			reason: "03 §3: the exclude file comes last",
			files:  map[string]string{".git/info/exclude": "secret\nout\n", ".gitignore": "!out\n"},
			yes:    []string{"secret", "a/secret/b"},
			no:     []string{"out"},
		},
		{
			reason: "03 §3: an inner repository is no boundary",
			files:  map[string]string{".gitignore": "out\n", "in/.git/HEAD": "ref: refs/heads/main\n", "in/.git/info/exclude": "x\n"},
			yes:    []string{"in/out"},
			no:     []string{"in/x", "in"},
		},
		{
			reason: "03 §3: lines are read as git reads them",
			files: map[string]string{
				".gitignore": "\uFEFFbom\r\n# note\n\n  \ncrlf\r\ntrail  \nkeep\\ \n\\#hash\n\\!bang\n!\nnul\x00rest\n[bad\nlast",
			},
			yes: []string{"bom", "crlf", "trail", "keep ", "#hash", "!bang", "nul", "last"},
			no:  []string{"# note", "note", "keep", "nulrest", "[bad", "b"},
		},
		{
			reason: "03 §3: letter case counts, and braces are ordinary",
			files:  map[string]string{".gitignore": "Build\n{a,b}\n"},
			yes:    []string{"Build", "{a,b}"},
			no:     []string{"build", "a", "b"},
		},
		{
			reason: "03 §3: what is not below the root is not to be looked into",
			yes:    []string{"..", "../x", "/", "/a", "a/../b", "./a", "a//b", "a/", strings.Repeat("a/", 300) + "a"},
		},
		{
			reason: "fs-09: a package below node_modules is ignored without git",
			files:  map[string]string{".gitignore": "node_modules/\n"},
			yes:    []string{"node_modules/p", "node_modules/p/.claude/skills/evil"},
		},
	} {
		t.Run(row.reason, func(t *testing.T) {
			require.NotEmpty(t, row.reason, "a row needs a reason")
			tree := newDisk(row.files).tree()
			for range 2 { // the second round is answered from memory
				for _, dir := range row.yes {
					assert.Truef(t, tree.IgnoredDir(dir), "folder %q", dir)
				}
				for _, dir := range row.no {
					assert.Falsef(t, tree.IgnoredDir(dir), "folder %q", dir)
				}
			}
		})
	}
}

// TestTreeReadsOnce shows that each file is read once, misses too, and that
// nothing is read where the answer is fixed (03 §3).
func TestTreeReadsOnce(t *testing.T) {
	d := newDisk(map[string]string{".gitignore": "/out\n", "a/.gitignore": "x\n"})
	tree := d.tree()
	for range 3 {
		assert.False(t, tree.IgnoredDir("a/b/c"))
		assert.False(t, tree.IgnoredDir("a/b/d"))
		assert.True(t, tree.IgnoredDir("out/deep/down"))
		assert.True(t, tree.IgnoredDir("node_modules/a/b"))
	}
	want := map[string]int{".gitignore": 1, "a/.gitignore": 1, "a/b/.gitignore": 1, ".git/info/exclude": 1}
	assert.Equal(t, want, d.reads)
}

func TestTreeForget(t *testing.T) {
	d := newDisk(map[string]string{})
	tree := d.tree()
	require.False(t, tree.IgnoredDir("a"))
	d.files[".gitignore"] = "a\n"
	require.False(t, tree.IgnoredDir("a"), "answered from memory")
	tree.Forget()
	assert.True(t, tree.IgnoredDir("a"))
}

// TestTreeForgetWhileReading shows that what was read before Forget is not
// remembered after it.
func TestTreeForgetWhileReading(t *testing.T) {
	content := "a\n"
	var tree *Tree
	tree = NewTree("", func(path string) ([]byte, error) {
		if filepath.Base(path) == ".gitignore" && content != "" {
			tree.Forget()
			defer func() { content = "" }()
			return []byte(content), nil
		}
		return nil, fs.ErrNotExist
	})
	assert.True(t, tree.IgnoredDir("a"))
	assert.False(t, tree.IgnoredDir("a"))
}

// TestTreeUnreadable shows that a file that cannot be read holds no rules.
func TestTreeUnreadable(t *testing.T) {
	tree := NewTree("", func(string) ([]byte, error) { return []byte("a\n"), errors.New("no permission") })
	assert.False(t, tree.IgnoredDir("a"))
}

// TestTreeBounds shows that neither paths nor files fill the memory.
func TestTreeBounds(t *testing.T) {
	d := newDisk(map[string]string{})
	tree := d.tree()
	for i := range 2 * maxCached {
		require.False(t, tree.IgnoredDir(fmt.Sprintf("d%d", i)))
	}
	assert.LessOrEqual(t, len(tree.files), maxCached)
	assert.LessOrEqual(t, len(tree.verdicts), maxCached)
	assert.Less(t, d.total(), 20, "the root's files are read again after an overflow only")

	large := strings.Repeat("a*b*c\n", maxFileRules-1)
	for i := range 20 {
		d.files[fmt.Sprintf("e%d/.gitignore", i)] = large
		require.False(t, tree.IgnoredDir(fmt.Sprintf("e%d/x", i)))
	}
	assert.LessOrEqual(t, tree.rules, maxCachedRules)
}

// What cannot be read to its end ignores everything below it, and says so.
func TestTreeTooLarge(t *testing.T) {
	d := newDisk(map[string]string{"a/.gitignore": strings.Repeat("x*y\n", maxFileRules+1), "b/.gitignore": "x"})
	tree := d.tree()
	got := tree.IgnoredDirs(context.Background(), []string{"a", "a/b", "b/c", "a/b/c"})
	large := Verdict{true, "a/.gitignore is larger than is read"}
	assert.Equal(t, []Verdict{{}, large, {}, large}, got)

	tree = NewTree("", func(path string) ([]byte, error) {
		if filepath.Base(path) == ".gitignore" {
			return nil, fmt.Errorf("%s: %w", path, ErrTooLarge)
		}
		return nil, fs.ErrNotExist
	})
	assert.Equal(t, []Verdict{{true, ".gitignore is larger than is read"}}, tree.IgnoredDirs(context.Background(), []string{"a"}))
}

// Deep folders with many rules each cost a bounded amount of work, at once and
// one by one, and are read once.
func TestTreeHostileChain(t *testing.T) {
	d := newDisk(map[string]string{})
	var dirs []string
	for dir := "d"; len(dirs) < 200; dir += "/d" {
		d.files[dir+"/.gitignore"] = strings.Repeat("q*z?\n", maxFileRules-1)
		dirs = append(dirs, dir)
	}
	got := d.tree().IgnoredDirs(context.Background(), dirs)
	assert.Equal(t, Verdict{}, got[0])
	assert.Contains(t, got[len(got)-1].Problem, "more rules than are looked at")
	for path, n := range d.reads {
		assert.Equal(t, 1, n, path)
	}
	assert.Less(t, d.total(), 60, "reading ends with the bound")

	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	got = d.tree().IgnoredDirs(ctx, dirs)
	assert.True(t, got[0].Ignored)
	assert.Contains(t, got[0].Problem, "no time")
}

func TestTreeConcurrent(t *testing.T) {
	tree := newDisk(map[string]string{".gitignore": "out\n", "a/.gitignore": "!out\n"}).tree()
	var wg sync.WaitGroup
	for i := range 8 {
		wg.Go(func() {
			for range 100 {
				assert.True(t, tree.IgnoredDir("b/out"))
				assert.False(t, tree.IgnoredDir("a/out"))
				if i == 0 {
					tree.Forget()
				}
			}
		})
	}
	wg.Wait()
}
