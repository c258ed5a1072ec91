package gitignore

import (
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const maxFuzz = 4096

// FuzzMatch checks what holds for every list, one pattern a line, and path.
func FuzzMatch(f *testing.F) {
	g := newGenerator(6)
	for range 100 {
		list := g.list()
		f.Add(strings.Join(list, "\n"), g.path(list))
	}
	f.Add("{a,b}{c,d}\n!x", "ac")
	f.Add("\xff[\x80-\xff]\n?", "\xff\x90")
	f.Fuzz(func(t *testing.T, text, path string) {
		if len(text) > maxFuzz || len(path) > maxFuzz {
			t.Skip("over the cap")
		}
		patterns := strings.Split(text, "\n")
		matched := make(map[Options]bool)
		for _, o := range []Options{{}, {CaseSensitive: true}, {RootOnlyStar: true}, {LiteralBraces: true}} {
			matched[o] = checkList(t, Compile(patterns, o), path)
		}
		if matched[Options{CaseSensitive: true}] && !strings.ContainsAny(text, "!^") {
			assert.True(t, matched[Options{}], "folding letter case must not lose a match")
		}
		checkFile(t, text, path)
	})
}

// checkList checks one list and returns whether it matches the path.
func checkList(t *testing.T, l *List, path string) bool {
	got, dir := l.Match(path), l.MatchDir(path)
	assert.Equal(t, got, l.Match(path), "matching must be deterministic")
	again := Compile(l.patterns, l.opts)
	assert.Equal(t, got, again.Match(path), "matching must not depend on history")
	assert.Equal(t, l.Problems(), again.Problems())

	x := NewIndex([]*List{l})
	assert.Equal(t, got, len(lookup(x, path, false)) == 1, "the index must agree")
	assert.Equal(t, dir, len(lookup(x, path, true)) == 1, "the index must agree")

	if !valid(path) {
		assert.False(t, got || dir, "only clean paths match")
		return false
	}
	if dir && valid(path+"/x/y") {
		assert.True(t, l.Match(path+"/x/y"), "a matched folder covers everything below")
	}
	p := l.program()
	positive := false
	for i := range p.rules {
		positive = positive || !p.rules[i].negated
	}
	if !positive {
		assert.False(t, got, "without a positive rule nothing matches")
	}
	checkRules(t, p, path)
	return got
}

// checkRules checks that the library can compile each line, since it does not
// say when it cannot, and that it agrees with the pre-filter.
func checkRules(t *testing.T, p *program, path string) {
	for i := range min(len(p.rules), 10) {
		agree(t, &p.rules[i], p.mode, path)
		for _, s := range []scope{wholePath, oneEntry} {
			line := p.rules[i].translate(p.mode, s)
			require.NotContains(t, line, "*")
			_, err := regexp.Compile(line)
			require.NoError(t, err)
		}
	}
}

// checkFile checks the same patterns as an ignore file.
func checkFile(t *testing.T, text, path string) {
	tree := NewTree("", func(string) ([]byte, error) { return []byte(text), nil })
	got := tree.IgnoredDir(path)
	assert.Equal(t, got, tree.IgnoredDir(path), "the memory must agree with the first answer")
	if got && valid(path+"/x") {
		assert.True(t, tree.IgnoredDir(path+"/x"), "what lies below an ignored folder is ignored")
	}
	if p := parseFile([]byte(text)); p != nil && valid(path) {
		checkRules(t, p, path)
	}
}

// FuzzExpand checks splitting and brace expansion on any text.
func FuzzExpand(f *testing.F) {
	for _, s := range []string{
		"a,b", "{a,b},c", "{a,{b,c}}x{d,e}", "{{a,b}", `\{a,b\}`, "{ a , b }", "{,}{,}", strings.Repeat("{a,b}", 12), "{a{b,c}", "[{a,b}]",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if len(s) > maxFuzz {
			t.Skip("over the cap")
		}
		list := SplitList(s)
		assert.LessOrEqual(t, len(strings.Join(list, ",")), len(s), "splitting only takes away")
		for _, p := range list {
			assert.NotEmpty(t, strings.Trim(p, blanks))
		}
		b := newBudget()
		for _, p := range append(list, s) {
			checkExpansion(t, &b, p)
		}
	})
}

func checkExpansion(t *testing.T, b *budget, s string) {
	before := *b
	list, ok := b.expand(s)
	require.NotEmpty(t, list)
	if !ok || len(list) == 1 {
		assert.Equal(t, []string{s}, list)
		assert.Equal(t, before, *b)
		return
	}
	var total int64
	for _, p := range list {
		total += int64(len(p))
		assert.Less(t, len(p), len(s), "an expansion loses at least the braces")
	}
	assert.Equal(t, budget{before.patterns - int64(len(list)), before.bytes - total}, *b, "the size must be foretold")
	assert.GreaterOrEqual(t, min(b.patterns, b.bytes), int64(0))
	for _, p := range list[:min(len(list), 10)] {
		fresh := newBudget()
		again, _ := fresh.expand(p)
		assert.Equal(t, []string{p}, again, "nothing is left to expand")
	}
}
