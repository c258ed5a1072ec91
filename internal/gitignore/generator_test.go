package gitignore

import (
	"math/rand/v2"
	"slices"
	"strings"
)

// A generator makes random patterns, and paths that have a chance to match.
type generator struct {
	*rand.Rand
	words []string
}

func newGenerator(seed uint64) *generator {
	return &generator{
		Rand: rand.New(rand.NewPCG(seed, 1)),
		words: []string{
			"a", "b", "foo", "Foo", "bar.ts", "a.b", ".env", "src", "f(x)", "x+y", "a^b", "$v",
			"a|b", "{a,b}", "a{b}", "foo.test.tsx", "README.md", "x~", "é", "日本", "a b", "#h", "!n",
		},
	}
}

func (g *generator) pick(list ...string) string { return list[g.IntN(len(list))] }

func (g *generator) word() string { return g.pick(g.words...) }

// segment makes one segment of a pattern.
func (g *generator) segment() string {
	switch g.IntN(12) {
	case 0:
		return "*"
	case 1:
		return "**"
	case 2:
		return "*" + g.pick(".ts", ".tsx", "o", "b", "/..", ".*")
	case 3:
		return g.word() + "*"
	case 4:
		return g.pick("?", "??", "fo?", "a?b", "*?", "?*")
	case 5:
		return g.pick("[ab]", "[!a]", "[^a-c]*", "[a-c]", "[]a]", "[a-]", "[[:alpha:]]", "[[:digit:]]oo",
			"[z-a]", "[é]", "*.[jt]s", "[\\]]", "[a\\-c]", "[[]", "[[:]", "[--0]", "[+-9]", "[!-~]*", "[a/b]",
			"[A-C]*", "[!A-F]oo", "[F]oo", "[[:upper:]]*", "[[:lower:][:upper:]]oo", "[^[:space:]]", "[Z-a]*")
	case 6:
		return g.pick("\\", "") + g.word()
	case 7:
		return g.pick("a**", "**o", "f**r.ts", "***", "a*b*", "*a*")
	case 8:
		return g.pick("[a", "\\", "a[", "[[:nope:]]", "", ".", "..", "./a", "a\\", "\\/", "\\**", "[!")
	default:
		return g.word()
	}
}

// pattern makes one pattern of one to four segments.
func (g *generator) pattern() string {
	segs := make([]string, 1+min(g.IntN(4), g.IntN(4)))
	for i := range segs {
		segs[i] = g.segment()
	}
	p := g.pick("", "", "", "", "/") + strings.Join(segs, "/") + g.pick("", "", "", "", "/", "/", " ", "\\ ", "//", "\r")
	if g.IntN(4) == 0 {
		p = "!" + p
	}
	return p
}

func (g *generator) list() []string {
	list := make([]string, 1+g.IntN(5))
	for i := range list {
		list[i] = g.pattern()
	}
	return list
}

// instance makes a path in the likeness of a pattern.
func (g *generator) instance(pattern string) string {
	var b strings.Builder
	for i := 0; i < len(pattern); i++ {
		switch pattern[i] {
		case '*':
			b.WriteString(g.pick("", "a", "x", "b/a", "foo"))
		case '?':
			b.WriteString(g.pick("a", "o", "b", "é", "/"))
		case '[':
			_, n, ok := scanClass(pattern[i:], exact, nil)
			if ok {
				i += n - 1
				b.WriteString(g.pick("a", "b", "z", "-", "]", "é", "0"))
				continue
			}
			b.WriteByte('[')
		case '\\':
			if g.IntN(4) == 0 {
				b.WriteByte('\\')
			}
		default:
			b.WriteByte(pattern[i])
		}
	}
	return b.String()
}

// path makes a clean path, half of the time after one of the patterns.
func (g *generator) path(list []string) string {
	for {
		segs := make([]string, 1+g.IntN(4))
		for i := range segs {
			segs[i] = g.word()
		}
		path := strings.Join(segs, "/")
		if g.IntN(3) > 0 {
			path = strings.Trim(g.instance(list[g.IntN(len(list))]), "!/ \r")
			path = g.pick("", "", "", "z/", "a/b/") + path + g.pick("", "", "", "/inner.txt", "/x/y", "x")
		}
		if valid(path) && !strings.ContainsAny(path, "\x00\n") {
			return path
		}
	}
}

func (g *generator) paths(list []string, n int) []string {
	paths := make([]string, n)
	for i := range paths {
		paths[i] = g.path(list)
	}
	slices.Sort(paths)
	return slices.Compact(paths)
}
