package gitignore

import (
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A matchRow puts paths to one list. Each path is a file, or a folder when it
// ends with a slash.
type matchRow struct {
	reason   string // the rule that the row shows
	patterns []string
	opts     Options
	yes, no  []string
}

func (r matchRow) run(t *testing.T) {
	t.Helper()
	require.NotEmpty(t, r.reason, "a row needs a reason")
	l := Compile(r.patterns, r.opts)
	x := NewIndex([]*List{Compile([]string{"unrelated"}, r.opts), l})
	check := func(path string, want bool) {
		viaIndex := false
		note := func(i int) { viaIndex = viaIndex || i == 1 }
		dir, isDir := strings.CutSuffix(path, "/")
		if isDir && dir != "" {
			assert.Equalf(t, want, l.MatchDir(dir), "%q on folder %q", r.patterns, dir)
			x.MatchDir(dir, note)
		} else {
			assert.Equalf(t, want, l.Match(path), "%q on file %q", r.patterns, path)
			x.Match(path, note)
		}
		assert.Equalf(t, want, viaIndex, "%q on %q through an index", r.patterns, path)
	}
	for _, path := range r.yes {
		check(path, true)
	}
	for _, path := range r.no {
		check(path, false)
	}
}

var matchRows = []matchRow{
	{
		reason:   "A3: the empty path, the root, paths out of it and absolute ones match nothing",
		patterns: []string{"**", "*", "/", "..", "../**", "/etc/**"},
		yes:      []string{"a", "a/b"},
		no:       []string{"", ".", "..", "/", "../a", "a/../b", "./a", "a//b", "/etc/hosts", "a/..", "a/."},
	},
	{
		reason:   "A3: a path beyond any file system's bounds matches nothing",
		patterns: []string{"**"},
		no:       []string{strings.Repeat("a", maxPathBytes+1), strings.Repeat("a/", maxPathDepth) + "a"},
	},
	{
		reason:   "A4: a pattern without a slash matches at any depth",
		patterns: []string{"*.md"},
		yes:      []string{"README.md", "docs/a/x.md", ".md", "x.md/inner.txt"},
		no:       []string{"README.mdx", "md"},
	},
	{
		reason:   "A4: a leading slash anchors",
		patterns: []string{"/*.md"},
		yes:      []string{"README.md"},
		no:       []string{"docs/README.md"},
	},
	{
		reason:   "A4: an inner slash anchors",
		patterns: []string{"docs/*.md"},
		yes:      []string{"docs/a.md", "docs/a.md/below"},
		no:       []string{"docs/a/b.md", "x/docs/a.md"},
	},
	{
		reason:   "A4: src covers every file below src",
		patterns: []string{"src"},
		yes:      []string{"src/a.go", "src/a/b.go", "src", "src/", "x/src/a.go"},
		no:       []string{"srcs/a.go", "asrc"},
	},
	{
		reason:   "A4: src/ covers every file below src, but no file of that name",
		patterns: []string{"src/"},
		yes:      []string{"src/a.go", "src/a/b.go", "src/", "x/src/a.go"},
		no:       []string{"src"},
	},
	{
		reason:   "A4: src/** covers every file below src, but not src",
		patterns: []string{"src/**"},
		yes:      []string{"src/a.go", "src/a/b.go", "src/a/"},
		no:       []string{"src", "src/", "x/src/a.go"},
	},
	{
		reason:   "A4: src/* reaches everything below through the folders it matches",
		patterns: []string{"src/*"},
		yes:      []string{"src/a", "src/a/b/c", "src/a/"},
		no:       []string{"src", "src/"},
	},
	{
		reason:   "A4: inner ** takes any number of folders, none too",
		patterns: []string{"a/**/b"},
		yes:      []string{"a/b", "a/x/b", "a/x/y/b", "a/x/b/c"},
		no:       []string{"ab", "a/xb", "z/a/b"},
	},
	{
		reason:   "A4: an escaped slash is a slash",
		patterns: []string{`a\/b`, `x/**\/y`, `d\/`},
		yes:      []string{"a/b", "x/y", "x/1/2/y"},
		no:       []string{"z/a/b", "ab", `a\/b`, "d", "d/x"},
	},
	{
		reason:   "A4: leading ** takes any number of folders, none too",
		patterns: []string{"**/foo/*.ts"},
		yes:      []string{"foo/a.ts", "x/y/foo/a.ts"},
		no:       []string{"foo/x/a.ts", "xfoo/a.ts"},
	},
	{
		reason:   "A4: the last match wins",
		patterns: []string{"*.ts", "!vendor/**", "vendor/keep.ts"},
		yes:      []string{"a.ts", "x/a.ts", "vendor/keep.ts"},
		no:       []string{"vendor/a.ts", "vendor/x/a.ts"},
	},
	{
		reason:   "A4: nothing below a matched folder can be taken out again",
		patterns: []string{"foo", "!foo/bar"},
		yes:      []string{"foo/bar", "foo/bar/x"},
	},
	{
		reason:   "A4: what a folder's own entries are taken out of can be",
		patterns: []string{"foo/*", "!foo/bar"},
		yes:      []string{"foo/baz", "foo/baz/x"},
		no:       []string{"foo/bar", "foo/bar/x"},
	},
	{
		reason:   "A4: a list of negated patterns never matches",
		patterns: []string{"!x", "!**"},
		no:       []string{"x", "a", "a/x", "x/"},
	},
	{
		reason: "A4: an empty list matches nothing",
		no:     []string{"x", "a/b"},
	},
	{
		reason:   "A4: comments and blank patterns match nothing",
		patterns: []string{"", "  ", "#x", "\r"},
		no:       []string{"#x", "x", " "},
	},
	{
		reason:   "A4: escapes make the next character ordinary",
		patterns: []string{`\#x`, `\!y`, `a\*b`, `sp\ `, `q\?`},
		yes:      []string{"#x", "!y", "a*b", "sp ", "q?"},
		no:       []string{"x", "y", "axb", "sp", "qq"},
	},
	{
		reason:   "A4: unescaped blanks and one carriage return at the end drop out",
		patterns: []string{"foo   ", "bar\r"},
		yes:      []string{"foo", "bar"},
		no:       []string{"foo   ", "bar\r"},
	},
	{
		reason:   "A4: ? and classes take one character, never a slash",
		patterns: []string{"a?c", "[x-z]1", "[!a]2", "p[/]q", "[[:digit:]]k"},
		yes:      []string{"abc", "aéc", "y1", "b2", "é2", "7k"},
		no:       []string{"ac", "a/c", "w1", "a2", "/2", "p/q", "xk"},
	},
	{
		reason:   "A4: paths are clean, so dot and empty segments never match",
		patterns: []string{"./a", "a/./b", "a//b", "/", "//a", "a/../b", "b//"},
		no:       []string{"a", "a/b", "b", "b/c"},
	},
	{
		reason:   "A5: groups expand, nested ones too",
		patterns: []string{"{a,{b,c}}.go", "src/**/*.{ts,tsx}"},
		yes:      []string{"a.go", "x/b.go", "c.go", "src/x.ts", "src/a/b.tsx"},
		no:       []string{"{a,{b,c}}.go", "d.go", "src/x.js", "x.ts"},
	},
	{
		reason:   "A5: groups expand before anchoring and negation are read",
		patterns: []string{"{src/,}*.ts", "{!gen,x}.ts"},
		yes:      []string{"a.ts", "b/a.ts", "src/a.ts", "x.ts"},
		no:       []string{"a.js"},
	},
	{
		reason:   "A5: blanks around alternatives drop out",
		patterns: []string{"*.{ts, tsx }"},
		yes:      []string{"a.ts", "a.tsx"},
		no:       []string{"a. tsx"},
	},
	{
		reason:   "A5: an unbalanced brace is an ordinary character",
		patterns: []string{"a{b", "c}d", "{x,y"},
		yes:      []string{"a{b", "c}d", "{x,y"},
		no:       []string{"ab", "x"},
	},
	{
		reason:   "A5: a group without a comma, and an escaped one, is ordinary text",
		patterns: []string{"a{b}", `\{x,y\}`},
		yes:      []string{"a{b}", "{x,y}"},
		no:       []string{"ab", "x", "y"},
	},
	{
		reason:   "A5: over the budget the pattern is used literally, its neighbours as usual",
		patterns: []string{"*.md", strings.Repeat("{a,b}", 18), "x{1,2}"},
		yes:      []string{"a.md", strings.Repeat("{a,b}", 18), "x1", "x2"},
		no:       []string{strings.Repeat("a", 18)},
	},
	{
		reason:   "A5: plain gitignore has no groups",
		patterns: []string{"{a,b}"},
		opts:     Options{LiteralBraces: true},
		yes:      []string{"{a,b}"},
		no:       []string{"a", "b"},
	},
	{
		reason:   "A6: a bad pattern matches nothing and does not disturb its neighbours",
		patterns: []string{"*.go", "[abc", `foo\`, "[[:nope:]]", "![x", "*.md"},
		yes:      []string{"a.go", "b.md"},
		no:       []string{"[abc", "a", `foo\`, "foo", "[x"},
	},
	{
		reason:   "A7: what regular expressions treat specially is ordinary",
		patterns: []string{"src/(broken", "a+b", "$v", "a|b", "^x", "a.c", "#$~"},
		yes:      []string{"src/(broken", "a+b", "$v", "a|b", "^x", "a.c"},
		no:       []string{"aab", "a", "b", "abc", "src/broken"},
	},
	{
		reason:   "A7: line breaks and broken bytes in names are characters like any other",
		patterns: []string{"*.ts", "a?b", "x/**"},
		yes:      []string{"a\nb.ts", "\xff.ts", "d\n/a.ts", "a\nb", "a\xffb", "x/\n"},
	},
	{
		reason:   "A8: RootOnlyStar keeps a bare wildcard to the files of the root",
		patterns: []string{"*.md"},
		opts:     Options{RootOnlyStar: true},
		yes:      []string{"README.md"},
		no:       []string{"docs/a.md", "x.md/inner.txt"},
	},
	{
		reason:   "A8: RootOnlyStar covers the lone star and lists with a negation",
		patterns: []string{"*", "!b"},
		opts:     Options{RootOnlyStar: true},
		yes:      []string{"a"},
		no:       []string{"b", "x/a"},
	},
	{
		reason:   "A8: RootOnlyStar leaves every other pattern alone",
		patterns: []string{"**/*.ts", "package.json", "src/**", "docs/*.md", "**.txt/", "b*/"},
		opts:     Options{RootOnlyStar: true},
		yes:      []string{"a/b.ts", "x/package.json", "src/a/b", "docs/a.md", "b1/x/y"},
		no:       []string{"x/docs/a.md", "x/b1/y"},
	},
	{
		reason:   "A8: RootOnlyStar leaves ** alone",
		patterns: []string{"**"},
		opts:     Options{RootOnlyStar: true},
		yes:      []string{"a", "a/b"},
	},
	{
		reason:   "A11: letter case is folded by default, beyond ASCII too",
		patterns: []string{"README.md", "*.JS", "Straße", "ΣΊΣΥΦΟΣ", "[A-C]1", "K2"},
		yes:      []string{"readme.MD", "a.js", "STRAßE", "σίσυφος", "b1", "B1", "\u212a2"},
		no:       []string{"d1"},
	},
	{
		reason:   "A11: a negated class excludes both cases",
		patterns: []string{"[!a]"},
		yes:      []string{"b", "B"},
		no:       []string{"a", "A"},
	},
	{
		reason:   "A11: CaseSensitive tells letter case apart",
		patterns: []string{"README.md", "[A-C]1", "[!a]"},
		opts:     Options{CaseSensitive: true},
		yes:      []string{"README.md", "B1", "A"},
		no:       []string{"readme.md", "b1", "a"},
	},
}

func TestMatch(t *testing.T) {
	for _, row := range matchRows {
		t.Run(row.reason, row.run)
	}
}

// TestLazy shows that nothing is compiled before a path passes the pre-filter
// (03 A7), and that it is compiled once.
func TestLazy(t *testing.T) {
	l := Compile([]string{"src/**/*.go", "*.md"}, Options{})
	require.Nil(t, l.kept.Load(), "Compile must not parse")
	require.False(t, l.Match("docs/index.html"))
	rules := l.kept.Load().rules
	assert.Nil(t, rules[0].compiled.Load())
	assert.Nil(t, rules[1].compiled.Load())

	require.True(t, l.Match("README.md"))
	assert.Nil(t, rules[0].compiled.Load())
	first := rules[1].compiled.Load()
	require.NotNil(t, first)
	require.True(t, l.Match("x.md"))
	assert.Same(t, first, rules[1].compiled.Load())
}

// TestLongLists shows that long lists work although their rules may be dropped
// from memory, and that no program keeps more than its share compiled.
func TestLongLists(t *testing.T) {
	l := Compile([]string{"{a,b,c,d,e,f,g,h}{0,1,2,3,4,5,6,7,8,9}{0,1,2,3,4,5,6,7,8,9}*"}, Options{})
	require.Empty(t, l.Problems())
	for range 3 {
		assert.True(t, l.Match("h99"))
		assert.True(t, l.Match("x/a00z/y"))
		assert.False(t, l.Match("i00"))
	}
	assert.Nil(t, l.kept.Load())

	p := l.program()
	require.Len(t, p.rules, 800)
	for i := range p.rules {
		steps := purse(maxSteps)
		assert.True(t, p.hits(&p.rules[i], p.rules[i].prefix+p.rules[i].infix, &steps))
	}
	compiled := 0
	for i := range p.rules {
		if p.rules[i].compiled.Load() != nil {
			compiled++
		}
	}
	assert.Equal(t, maxCompiled, compiled)
}

func TestCompileCopies(t *testing.T) {
	patterns := []string{"a"}
	l := Compile(patterns, Options{})
	patterns[0] = "b"
	assert.True(t, l.Match("a"))
	assert.False(t, l.Match("b"))
}

func TestConcurrentMatch(t *testing.T) {
	l := Compile([]string{"src/**/*.{ts,tsx}", "!**/*.test.ts"}, Options{})
	x := NewIndex([]*List{l})
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for range 50 {
				assert.True(t, l.Match("src/a/b.ts"))
				assert.False(t, l.Match("src/a/b.test.ts"))
				assert.Empty(t, l.Problems())
				n := 0
				x.Match("src/x.tsx", func(int) { n++ })
				assert.Equal(t, 1, n)
			}
		})
	}
	wg.Wait()
}

// TestMatchAllocations pins what the hot path costs (03 A10).
func TestMatchAllocations(t *testing.T) {
	l := Compile([]string{"src/**/*.ts", "!**/gen/**"}, Options{})
	x := NewIndex(manyLists(1000))
	assert.Zero(t, testing.AllocsPerRun(100, func() { l.Match("docs/a.md") }))
	assert.Zero(t, testing.AllocsPerRun(100, func() { x.Match("apps/other/index.ts", func(int) {}) }))
	if raceDetector {
		t.Skip("the race detector makes regular expressions allocate; matches are not measured")
	}
	assert.Zero(t, testing.AllocsPerRun(100, func() { l.Match("src/a.ts") }))
	assert.Zero(t, testing.AllocsPerRun(100, func() { x.Match("services/hot/a.go", func(int) {}) }))
}
