package skills_test

import (
	"context"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/seed-12b313d8/skills"
	"github.com/seed-12b313d8/skills/internal/testkit"
)

// needYAML gives every header of a tree a map in braces, which only a parser of
// YAML reads.
func needYAML(tb testing.TB, dir string) {
	tb.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "*", "SKILL.md"))
	require.NoError(tb, err)
	for _, name := range files {
		text, err := os.ReadFile(name)
		require.NoError(tb, err)
		nested := strings.Replace(string(text), "\nmodel: inherit\n", "\nmetadata: {author: somebody}\n", 1)
		require.NotEqual(tb, string(text), nested)
		require.NoError(tb, os.WriteFile(name, []byte(nested), 0o644))
	}
}

// BenchmarkYAMLLoad is BenchmarkColdLoad with headers that all go through the
// parser of YAML; the bar for xfloor is 4 (07 §1).
func BenchmarkYAMLLoad(b *testing.B) {
	const n = 1000
	root := b.TempDir()
	dir := testkit.BenchSkills(b, root, n)
	needYAML(b, dir)
	buf := make([]byte, 64<<10)
	var ours, floor []time.Duration
	b.ReportAllocs()
	for b.Loop() {
		b.StopTimer()
		start := time.Now()
		floorLoad(b, dir, buf)
		floor = append(floor, time.Since(start))
		b.StartTimer()
		start = time.Now()
		openProject(b, root, n)
		ours = append(ours, time.Since(start))
	}
	b.ReportMetric(ratio(ours, floor), "xfloor")
}

// BenchmarkGrowth loads 1,000 and 10,000 skills in turns. The metric xgrowth is
// what a skill costs among 10,000 divided by what it costs among 1,000; the bar
// is 1.3 (07 §1).
func BenchmarkGrowth(b *testing.B) {
	if testing.Short() {
		b.Skip("a tree of 10,000 skills takes a while to write")
	}
	const few, many = 1000, 10_000
	small, large := b.TempDir(), b.TempDir()
	testkit.BenchSkills(b, small, few)
	testkit.BenchSkills(b, large, many)
	var ofFew, ofMany []time.Duration
	for b.Loop() {
		start := time.Now()
		openProject(b, small, few)
		ofFew = append(ofFew, time.Since(start))
		start = time.Now()
		openProject(b, large, many)
		ofMany = append(ofMany, time.Since(start))
	}
	b.ReportMetric(ratio(ofMany, ofFew)*few/many, "xgrowth")
}

// BenchmarkOpenEmpty opens a registry where there are no skills at all; the bar
// is 200 µs (07 §1).
func BenchmarkOpenEmpty(b *testing.B) {
	o := emptyPlace(b)
	var took []time.Duration
	b.ReportAllocs()
	for b.Loop() {
		start := time.Now()
		reg, err := skills.Open(context.Background(), o)
		took = append(took, time.Since(start))
		if err != nil {
			b.Fatal(err)
		}
		reg.Close()
	}
	b.ReportMetric(float64(minimum(took).Nanoseconds())/1e3, "min-us/open")
}

// emptyPlace is a machine without skills: a home, and a project with a file.
func emptyPlace(tb testing.TB) *skills.Options {
	root := testkit.Tree(tb, map[string]string{"home/": "", "proj/.git/": "", "proj/main.go": "package main\n"})
	return &skills.Options{Locations: skills.Locations{Home: root + "/home", Dir: root + "/proj", Managed: root + "/none"}}
}

// Where there are no skills, Open leaves no goroutine behind, also before Close
// (07 §1).
func TestOpenEmptyLeavesNothing(t *testing.T) {
	o, running := emptyPlace(t), goleak.IgnoreCurrent()
	reg, err := skills.Open(context.Background(), o)
	require.NoError(t, err)
	assert.Empty(t, all(reg))
	assert.NoError(t, goleak.Find(running), "the registry is open and does not watch")
	require.NoError(t, reg.Close())
}

// Loading allocates at most 20 times a skill (07 §1), whatever the header needs
// besides.
func TestLoadAllocations(t *testing.T) {
	const n, bar = 300, 20
	root := t.TempDir()
	testkit.BenchSkills(t, root, n)
	each := testing.AllocsPerRun(5, func() { openProject(t, root, n) }) / n
	t.Logf("%.1f allocations a skill", each)
	assert.LessOrEqual(t, each, float64(bar))
}

// A reload that finds nothing new allocates less than a load (07 §1: stat only).
func TestReloadAllocations(t *testing.T) {
	const n = 300
	root := t.TempDir()
	testkit.BenchSkills(t, root, n)
	reg := open(t, &skills.Options{Locations: skills.Locations{Project: root}})
	load := testing.AllocsPerRun(3, func() { openProject(t, root, n) })
	reload := testing.AllocsPerRun(3, func() {
		_, err := reg.Reload(context.Background())
		require.NoError(t, err)
	})
	t.Logf("%.1f allocations a skill for a load, %.1f for a reload", load/n, reload/n)
	assert.LessOrEqual(t, reload, load/2)
}

// BenchmarkRetained reports the heap that an open registry holds for each of
// its skills, bodies not among it. The bar is 1 KB (07 §1).
func BenchmarkRetained(b *testing.B) {
	const n = 1000
	root := b.TempDir()
	testkit.BenchSkills(b, root, n)
	var each float64
	for b.Loop() {
		each = retainedBy(b, root, n)
	}
	b.ReportMetric(each, "B/skill")
	b.ReportMetric(0, "ns/op") // two collections, of no interest
}

// retainedBy returns the bytes of the heap that one open registry holds, for
// each of its n skills.
func retainedBy(tb testing.TB, root string, n int) float64 {
	before := retained()
	reg, err := skills.Open(context.Background(), &skills.Options{Locations: skills.Locations{Project: root}})
	require.NoError(tb, err)
	held := int64(retained()) - int64(before)
	require.Equal(tb, n, countSkills(reg))
	runtime.KeepAlive(reg)
	require.NoError(tb, reg.Close())
	return float64(held) / float64(n)
}

func countSkills(reg *skills.Registry) int {
	n := 0
	for range reg.Snapshot().All() {
		n++
	}
	return n
}
