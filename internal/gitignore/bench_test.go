package gitignore

import (
	"fmt"
	"testing"
)

// manyLists makes the lists of n conditional skills, in the shapes that real
// ones have. Ten of them match a file below services/hot.
func manyLists(n int) []*List {
	lists := make([]*List, n)
	for i := range lists {
		lists[i] = Compile(listShape(i), Options{})
	}
	for i := range 10 {
		lists[i*n/10] = Compile([]string{"services/hot/**/*.{go,mod}", fmt.Sprintf("!**/testdata%d/**", i)}, Options{})
	}
	return lists
}

func listShape(i int) []string {
	switch i % 6 {
	case 0:
		return []string{fmt.Sprintf("apps/app%d/**", i)}
	case 1:
		return []string{fmt.Sprintf("**/*.ext%d", i)}
	case 2:
		return []string{fmt.Sprintf("src/mod%d/**/*.{ts,tsx}", i), "!**/*.test.ts"}
	case 3:
		return []string{fmt.Sprintf("config%d.json", i), fmt.Sprintf("/etc/conf%d/", i)}
	case 4:
		return []string{fmt.Sprintf("**/feature%d_*.go", i)}
	default:
		return []string{fmt.Sprintf("packages/*/lib%d/README.md", i)}
	}
}

func BenchmarkTouch10000(b *testing.B) {
	x := NewIndex(manyLists(10_000))
	for _, bc := range []struct {
		name, path string
		want       int
	}{
		{"nomatch", "apps/other/src/components/button/index.ts", 0},
		{"10matches", "services/hot/api/v1/server.go", 10},
	} {
		b.Run(bc.name, func(b *testing.B) {
			b.ReportAllocs()
			n := 0
			for b.Loop() {
				n = 0
				x.Match(bc.path, func(int) { n++ })
			}
			if n != bc.want {
				b.Fatalf("%d lists match, want %d", n, bc.want)
			}
		})
	}
}

// BenchmarkTouchFirst is the first touch after a load: the patterns that pass
// the pre-filter are compiled.
func BenchmarkTouchFirst(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		b.StopTimer()
		x := NewIndex(manyLists(100))
		b.StartTimer()
		x.Match("services/hot/api/v1/server.go", func(int) {})
	}
}

// BenchmarkCompile is all the work that loading does for one list: parsing,
// checking and filing it.
func BenchmarkCompile(b *testing.B) {
	patterns := make([][]string, 10_000)
	for i := range patterns {
		patterns[i] = listShape(i)
	}
	b.ReportAllocs()
	for b.Loop() {
		lists := make([]*List, len(patterns))
		for i, p := range patterns {
			lists[i] = Compile(p, Options{})
			if p := lists[i].Problems(); len(p) != 0 {
				b.Fatal(p)
			}
		}
		NewIndex(lists)
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*len(patterns)), "ns/list")
}

func BenchmarkMatch(b *testing.B) {
	for _, bc := range []struct {
		name     string
		patterns []string
		path     string
	}{
		{"hit", []string{"src/**/*.ts"}, "src/components/button/index.ts"},
		{"filtered", []string{"src/**/*.ts"}, "docs/guide/index.md"},
		{"negated", []string{"src/**", "!src/gen/**", "!*.test.ts"}, "src/components/button/index.ts"},
	} {
		b.Run(bc.name, func(b *testing.B) {
			l := Compile(bc.patterns, Options{})
			b.ReportAllocs()
			for b.Loop() {
				l.Match(bc.path)
			}
		})
	}
}
