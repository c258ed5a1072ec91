package skills_test

import (
	"context"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/seed-12b313d8/skills"
)

// A shuffledFS lists every directory in a random order and lets other
// goroutines run in between.
type shuffledFS struct {
	fstest.MapFS
	mu  *sync.Mutex
	rnd *rand.Rand
}

func (s shuffledFS) ReadDir(name string) ([]fs.DirEntry, error) {
	list, err := s.MapFS.ReadDir(name)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.rnd.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
	return list, err
}

func (s shuffledFS) Open(name string) (fs.File, error) {
	s.mu.Lock()
	yields := s.rnd.IntN(3)
	s.mu.Unlock()
	for range yields {
		runtime.Gosched()
	}
	return s.MapFS.Open(name)
}

// shuffledTree returns skills with clashes, groups, defects and files in
// another case.
func shuffledTree(label string) fstest.MapFS {
	fsys := make(fstest.MapFS)
	add := func(name, text string) { fsys[name] = &fstest.MapFile{Data: []byte(text)} }
	for i := range 24 {
		add(fmt.Sprintf("s%02d/SKILL.md", i), skill("", fmt.Sprintf("description: %s %d %s", label, i, strings.Repeat("word ", i))))
		add(fmt.Sprintf("g%d/in%d/SKILL.md", i%5, i), skill("", "name: dup", "description: in a group"))
	}
	add(label+"/SKILL.md", skill("", "description: only here"))
	add("odd/Skill.md", skill("", "description: other case"))
	add("odd/skill.md", skill("", "description: not this one"))
	add("broken/SKILL.md", "---\nno end")
	add("flat.md", "x")
	add("deep/a/b/c/SKILL.md", skill("", "description: too deep"))
	return fsys
}

// pictureOf is everything about a registry that must not depend on order.
func pictureOf(reg *skills.Registry) string {
	var b strings.Builder
	for s := range reg.Snapshot().All() {
		fmt.Fprintf(&b, "%s %s %s %s\n", s.Name, s.Origin, s.Source, s.Description)
	}
	for s := range reg.Snapshot().Shadowed() {
		fmt.Fprintf(&b, "shadowed %s %s\n", s.Name, s.Source)
	}
	for _, i := range reg.Snapshot().Issues() {
		fmt.Fprintf(&b, "%s %s\n", i.Code, i)
	}
	sess := reg.NewSession("", nil)
	b.WriteString(skills.NewLister(sess, &skills.ListerOptions{Budget: 1500}).Next().Text)
	return b.String()
}

func loads() int {
	if testing.Short() {
		return 200
	}
	return 1000
}

// The same tree gives the same snapshot and byte-identical listing, in
// whatever order directories are listed and files are read (01 §7.4, 07 B10).
func TestShuffledLoads(t *testing.T) {
	origins := []skills.Origin{skills.OriginUser, skills.OriginProject, skills.OriginBundled}
	first := ""
	for i := range loads() {
		var sources []skills.Source
		for n, o := range origins {
			fsys := shuffledFS{shuffledTree(string(o)), new(sync.Mutex), rand.New(rand.NewPCG(uint64(i), uint64(n)))}
			sources = append(sources, skills.FSSource(skills.SourceInfo{ID: string(o), Origin: o}, fsys, &skills.ScanOptions{MaxDepth: 2}))
		}
		reg, err := skills.Open(context.Background(), &skills.Options{Sources: sources})
		require.NoError(t, err)
		got := pictureOf(reg)
		require.NoError(t, reg.Close())
		if first == "" {
			first = got
			require.Contains(t, got, "shadowed s00 project")
			require.Contains(t, got, "too-deep")
			require.Contains(t, got, "- s00: ")
		}
		require.True(t, first == got, "load %d differs", i)
	}
}

// On disk too, whatever the order in which the files came to be.
func TestShuffledCreation(t *testing.T) {
	tree := shuffledTree("disk")
	names := make([]string, 0, len(tree))
	for name := range tree {
		names = append(names, name)
	}
	first := ""
	for i := range 20 {
		root, err := filepath.EvalSymlinks(t.TempDir())
		require.NoError(t, err)
		rnd := rand.New(rand.NewPCG(uint64(i), 7))
		rnd.Shuffle(len(names), func(a, b int) { names[a], names[b] = names[b], names[a] })
		for _, name := range names {
			path := filepath.Join(root, name)
			require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
			require.NoError(t, os.WriteFile(path, tree[name].Data, 0o644))
		}
		src := skills.DirSource(skills.SourceInfo{ID: "d", Origin: skills.OriginUser}, root, &skills.ScanOptions{MaxDepth: 2})
		got := strings.ReplaceAll(pictureOf(open(t, &skills.Options{Sources: []skills.Source{src}})), root, "")
		if first == "" {
			first = got
		}
		require.True(t, first == got, "creation order %d differs", i)
	}
}

// A countingFS counts what is opened.
type countingFS struct {
	fstest.MapFS
	opens *sync.Map // name to *atomic.Int64
	total *atomic.Int64
}

func newCountingFS(fsys fstest.MapFS) countingFS {
	return countingFS{fsys, new(sync.Map), new(atomic.Int64)}
}

func (c countingFS) Open(name string) (fs.File, error) {
	n, _ := c.opens.LoadOrStore(name, new(atomic.Int64))
	n.(*atomic.Int64).Add(1)
	c.total.Add(1)
	return c.MapFS.Open(name)
}

func (c countingFS) opened(name string) int64 {
	n, ok := c.opens.Load(name)
	if !ok {
		return 0
	}
	return n.(*atomic.Int64).Load()
}

func countedSkills(n int) countingFS {
	fsys := make(fstest.MapFS)
	for i := range n {
		dir := fmt.Sprintf("s%04d/", i)
		fsys[dir+"SKILL.md"] = &fstest.MapFile{Data: []byte(skill("Body.", "description: d"))}
		fsys[dir+"references/more.md"] = &fstest.MapFile{Data: []byte("x")}
	}
	return newCountingFS(fsys)
}

// Loading opens each SKILL.md once and no resource; telling and looking up
// open nothing; the work grows in proportion (01 R2; M13, M14).
func TestReadsOnce(t *testing.T) {
	perSkill := func(n int) float64 {
		fsys := countedSkills(n)
		reg := open(t, &skills.Options{Sources: []skills.Source{skills.FSSource(skills.SourceInfo{ID: "f", Origin: skills.OriginBundled}, fsys, nil)}})
		require.Len(t, all(reg), n)
		for i := range n {
			dir := fmt.Sprintf("s%04d/", i)
			require.EqualValues(t, 1, fsys.opened(dir+"SKILL.md"))
			require.Zero(t, fsys.opened(dir+"references"))
			require.Zero(t, fsys.opened(dir+"references/more.md"))
		}
		loaded := fsys.total.Load()
		sess := reg.NewSession("", nil)
		for range 10 {
			skills.NewLister(sess, nil).Next()
			_, err := sess.Lookup("s0001")
			require.NoError(t, err)
			for range sess.Skills(skills.CallerModel) {
				continue
			}
			reg.Snapshot().Issues()
		}
		assert.Equal(t, loaded, fsys.total.Load(), "M14: no disk call")
		return float64(loaded) / float64(n)
	}
	small, large := perSkill(100), perSkill(800)
	assert.LessOrEqual(t, large, small*1.1, "07: no more work per skill where there are more skills")
}
