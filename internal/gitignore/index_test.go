package gitignore

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// scan asks every list, which is what an index must agree with.
func scan(lists []*List, path string, dir bool) (found []int) {
	for i, l := range lists {
		if dir && l.MatchDir(path) || !dir && l.Match(path) {
			found = append(found, i)
		}
	}
	return found
}

func lookup(x *Index, path string, dir bool) (found []int) {
	match := x.Match
	if dir {
		match = x.MatchDir
	}
	match(path, func(i int) { found = append(found, i) })
	return found
}

// TestIndexEqualsScan holds the index against asking each list, on generated
// lists of every dialect, many of them equal (03 A10).
func TestIndexEqualsScan(t *testing.T) {
	g := newGenerator(4)
	for range 12 {
		var lists []*List
		var all []string
		for range 60 {
			patterns := g.list()
			o := Options{CaseSensitive: g.IntN(2) == 0, RootOnlyStar: g.IntN(4) == 0, LiteralBraces: g.IntN(2) == 0}
			lists = append(lists, Compile(patterns, o))
			if g.IntN(4) == 0 {
				lists = append(lists, Compile(patterns, o))
			}
			all = append(all, patterns...)
		}
		x := NewIndex(lists)
		found := 0
		for _, path := range g.paths(all, 60) {
			for _, p := range []string{path, strings.ToUpper(path)} {
				want := scan(lists, p, false)
				found += len(want)
				assert.Equalf(t, want, lookup(x, p, false), "file %q", p)
				assert.Equalf(t, scan(lists, p, true), lookup(x, p, true), "folder %q", p)
			}
		}
		require.Positive(t, found)
	}
}

// TestIndexAsksFew counts the lists that are asked for a path, with 10,000
// lists that differ in one piece only (03 A10).
func TestIndexAsksFew(t *testing.T) {
	const n = 10_000
	for _, row := range []struct {
		reason  string
		pattern func(i int) string
		path    string
		most    int
	}{
		{"A10: first segment", func(i int) string { return fmt.Sprintf("dir%d/**", i) }, "dir7/a.go", 1},
		{"A10: second segment below a shared one", func(i int) string { return fmt.Sprintf("src/mod%d/**/*.ts", i) }, "src/mod7/x.ts", 1},
		{"A10: extension", func(i int) string { return fmt.Sprintf("**/*.ext%d", i) }, "a/b.ext7", 1},
		{"A10: basename", func(i int) string { return fmt.Sprintf("name%d.go", i) }, "a/name7.go", 1},
		{"A10: start of a basename with a shared extension", func(i int) string { return fmt.Sprintf("**/feature%d_*.go", i) }, "x/feature7_a.go", 1},
		{"A10: end of a basename", func(i int) string { return fmt.Sprintf("*_case%d.go", i) }, "x/a_case7.go", 1},
		{"A10: inner folder", func(i int) string { return fmt.Sprintf("packages/*/lib%d/*.ts", i) }, "packages/a/lib7/x.ts", 1},
		{"A10: letter case folded", func(i int) string { return fmt.Sprintf("Dir%d/**", i) }, "DIR7/a.go", 1},
		{"A10: text between stars", func(i int) string { return fmt.Sprintf("*q%03dz*", i) }, "x/aq007zb", 40},
		{"A10: equal lists are asked as one", func(int) string { return "**/*.py" }, "a/b.py", 1},
		{"A10: a path that matches nothing", func(i int) string { return fmt.Sprintf("src/mod%d/**/*.ts", i) }, "src/other/x.ts", 0},
	} {
		t.Run(row.reason, func(t *testing.T) {
			require.NotEmpty(t, row.reason, "a row needs a reason")
			lists := make([]*List, n)
			for i := range lists {
				lists[i] = Compile([]string{row.pattern(i)}, Options{})
			}
			x := NewIndex(lists)
			asked := x.candidates(foldString(row.path), nil)
			assert.LessOrEqual(t, len(asked)+len(x.always), row.most)
			if row.most > 0 {
				assert.Contains(t, lookup(x, row.path, false), 7)
			}
		})
	}
}

// TestIndexLongPieces covers the pieces that are cut.
func TestIndexLongPieces(t *testing.T) {
	long := strings.Repeat("n", 100)
	deep := strings.Repeat("d/", 12)
	lists := []*List{
		Compile([]string{long + "*"}, Options{}),
		Compile([]string{"*" + long}, Options{}),
		Compile([]string{"*" + long + "*"}, Options{}),
		Compile([]string{deep + "x*"}, Options{}),
		Compile([]string{deep + "x"}, Options{}),
		Compile([]string{long}, Options{}),
	}
	x := NewIndex(lists)
	for _, path := range []string{long + "a", "a" + long, "a" + long + "a", deep + "x", deep + "xy", long, "x/" + long, long[:99], deep + "y"} {
		assert.Equalf(t, scan(lists, path, false), lookup(x, path, false), "path %q", path)
	}
}

func TestIndexEmpty(t *testing.T) {
	assert.Empty(t, lookup(NewIndex(nil), "a/b", false))
	x := NewIndex([]*List{Compile(nil, Options{}), Compile([]string{"!a"}, Options{}), Compile([]string{"["}, Options{})})
	assert.Empty(t, lookup(x, "a", false))
	assert.Empty(t, x.always)
}

// TestIndexHostileLists shows that tiny lists with large brace groups do not
// stay in memory (03 A5, A10).
func TestIndexHostileLists(t *testing.T) {
	lists := make([]*List, 200)
	for i := range lists {
		lists[i] = Compile([]string{fmt.Sprintf("%d%s*", i, strings.Repeat("{a,b}", 9))}, Options{})
	}
	x := NewIndex(lists)
	for _, l := range lists {
		require.Nil(t, l.kept.Load())
	}
	assert.Equal(t, []int{7}, lookup(x, "7aaaaaaaab.txt", false))
}

// TestRarestKey pins which piece is chosen.
func TestRarestKey(t *testing.T) {
	shared := map[key]int{{keyDirs, "src"}: 9, {keyEnd, ".ts"}: 5, {keyStart, "a"}: 1}
	for pattern, want := range map[string]key{
		"src/**/*.ts":  {keyEnd, ".ts"},
		"src/**/a*.ts": {keyStart, "a"},
		"src/**":       {keyDirs, "src"},
		"*.ts":         {keyEnd, ".ts"},
		"Name":         {keyWhole, "name"},
	} {
		r := &rule{}
		require.Equal(t, useful, r.parse(pattern, folded, false))
		got, ok := r.rarestKey(folded, shared)
		assert.True(t, ok)
		assert.Equal(t, want, got, pattern)
	}
}

// shuffled returns the numbers below n in a seeded random order.
func shuffled(n int) []int { return rand.New(rand.NewPCG(5, 5)).Perm(n) }

// TestIndexOrder shows that positions come in ascending order whatever the
// order in which the lists were filed.
func TestIndexOrder(t *testing.T) {
	lists := make([]*List, 50)
	for _, i := range shuffled(len(lists)) {
		lists[i] = Compile([]string{fmt.Sprintf("%c*", 'a'+i%3), "*.go"}, Options{})
	}
	assert.IsIncreasing(t, lookup(NewIndex(lists), "abc.go", false))
}
