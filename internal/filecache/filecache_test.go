package filecache_test

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/seed-12b313d8/skills/internal/filecache"
	"github.com/seed-12b313d8/skills/internal/scan"
	"github.com/seed-12b313d8/skills/internal/testkit"
)

// A value is a new pointer each time a file is parsed.
type value struct{ name, text, real string }

// A log notes what was parsed.
type log struct {
	mu     sync.Mutex
	parsed []string
	again  bool // nothing can be found out
}

type parser struct{ *log }

func (p parser) Parse(f *scan.File) (*value, bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.parsed = append(p.parsed, f.Name)
	return &value{f.Name, string(f.Head.Data), f.Real}, p.again
}

func (p parser) Moved(v *value, f *scan.File) *value {
	if v.real == f.Real {
		return v
	}
	return &value{v.name, v.text, f.Real}
}

func (p parser) Same(was, now *value) bool { return *was == *now }

func load(t *testing.T, c *filecache.Cache[*value], root string, l *log, most int) (values []*value, codes, parsed []string) {
	t.Helper()
	l.parsed = nil
	values, problems, err := c.Load(t.Context(), scan.Disk{}, root, scan.Options{MaxDepth: 1, MaxFiles: most, MaxSize: 1 << 20}, func() filecache.Parser[*value] { return parser{l} })
	require.NoError(t, err)
	for _, p := range problems {
		codes = append(codes, p.Code)
	}
	return values, codes, slices.Sorted(slices.Values(l.parsed))
}

func TestLoad(t *testing.T) {
	root := testkit.Tree(t, map[string]string{"b/SKILL.md": "b", "a/SKILL.md": "a", "c/SKILL.md": "c"})
	path := filepath.Join(root, "b/SKILL.md")
	c, l := filecache.New[*value](), new(log)
	first, codes, parsed := load(t, c, root, l, 10)
	assert.Empty(t, codes)
	assert.Equal(t, []string{"a", "b", "c"}, parsed)
	require.Len(t, first, 3)
	assert.Equal(t, "a", first[0].name, "in the order of the scan")

	again, _, parsed := load(t, c, root, l, 10)
	assert.Empty(t, parsed, "01 R2: unchanged files are not read")
	assert.Equal(t, first, again)
	for i := range first {
		assert.Same(t, first[i], again[i])
	}

	require.NoError(t, os.Remove(path))
	require.NoError(t, os.WriteFile(path, []byte("b"), 0o644))
	again, _, parsed = load(t, c, root, l, 10)
	assert.Equal(t, []string{"b"}, parsed)
	assert.Same(t, first[1], again[1], "written again with the same bytes")

	require.NoError(t, os.WriteFile(path, []byte("changed"), 0o644))
	again, _, _ = load(t, c, root, l, 10)
	assert.Equal(t, "changed", again[1].text)

	require.NoError(t, os.RemoveAll(filepath.Dir(path)))
	again, _, parsed = load(t, c, root, l, 10)
	assert.Len(t, again, 2)
	assert.Empty(t, parsed)
}

func TestAgain(t *testing.T) {
	root := testkit.Tree(t, map[string]string{"a/SKILL.md": strings.Repeat("x", 100)})
	c, l := filecache.New[*value](), &log{again: true}
	load(t, c, root, l, 10)
	_, _, parsed := load(t, c, root, l, 10)
	assert.Equal(t, []string{"a"}, parsed, "what could not be found out is tried again")
	l.again = false
	load(t, c, root, l, 10)
	_, _, parsed = load(t, c, root, l, 10)
	assert.Empty(t, parsed)
}

func TestTooMany(t *testing.T) {
	root := testkit.Tree(t, map[string]string{"b/SKILL.md": "b", "a/SKILL.md": "a", "c/SKILL.md": "c"})
	c, l := filecache.New[*value](), new(log)
	values, codes, _ := load(t, c, root, l, 2)
	require.Len(t, values, 2)
	assert.Contains(t, codes, "too-many")
	kept, _, _ := load(t, c, root, l, 10)
	assert.Len(t, kept, 3, "and none is forgotten for ever")
}

func TestError(t *testing.T) {
	root := testkit.Tree(t, map[string]string{"s/a/SKILL.md": "a"})
	c, l := filecache.New[*value](), new(log)
	first, _, _ := load(t, c, filepath.Join(root, "s"), l, 10)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, _, err := c.Load(ctx, scan.Disk{}, filepath.Join(root, "s"), scan.Options{MaxDepth: 1, MaxFiles: 9, MaxSize: 9}, func() filecache.Parser[*value] { return parser{l} })
	require.Error(t, err)
	again, _, parsed := load(t, c, filepath.Join(root, "s"), l, 10)
	assert.Empty(t, parsed, "the cache is as it was")
	assert.Same(t, first[0], again[0])
}
