package skills_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"testing"
	"time"

	"github.com/seed-12b313d8/skills"
	"github.com/seed-12b313d8/skills/internal/testkit"
)

// BenchmarkColdLoad opens a project of n skills. The metric xfloor is its time
// divided by that of the floor: one goroutine that does readdir, open, one
// read and close for each SKILL.md, interleaved in the same run (07 §1).
func BenchmarkColdLoad(b *testing.B) {
	for _, n := range []int{1000, 10_000} {
		b.Run(fmt.Sprintf("n=%d", n), func(b *testing.B) {
			if n > 1000 && testing.Short() {
				b.Skip("a tree of 10,000 skills takes a while to write")
			}
			root := b.TempDir()
			dir := testkit.BenchSkills(b, root, n)
			buf := make([]byte, 64<<10)
			var ours, floor []time.Duration
			b.ReportAllocs()
			var allocs uint64
			for b.Loop() {
				b.StopTimer()
				start := time.Now()
				floorLoad(b, dir, buf)
				floor = append(floor, time.Since(start))
				before := mallocs()
				b.StartTimer()
				start = time.Now()
				openProject(b, root, n)
				ours = append(ours, time.Since(start))
				b.StopTimer()
				allocs = mallocs() - before
				b.StartTimer()
			}
			b.ReportMetric(ratio(ours, floor), "xfloor")
			b.ReportMetric(float64(allocs)/float64(n), "allocs/skill")
		})
	}
}

func openProject(tb testing.TB, root string, n int) {
	reg, err := skills.Open(context.Background(), &skills.Options{Locations: skills.Locations{Project: root}})
	if err != nil {
		tb.Fatal(err)
	}
	found := 0
	for range reg.Snapshot().All() {
		found++
	}
	if found != n {
		tb.Fatalf("loaded %d skills of %d", found, n)
	}
	reg.Close()
}

func floorLoad(tb testing.TB, dir string, buf []byte) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		tb.Fatal(err)
	}
	for _, e := range entries {
		f, err := os.Open(filepath.Join(dir, e.Name(), "SKILL.md"))
		if err != nil {
			tb.Fatal(err)
		}
		if _, err := f.Read(buf); err != nil {
			tb.Fatal(err)
		}
		f.Close()
	}
}

func mallocs() uint64 {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.Mallocs
}

// ratio compares the fastest rounds: what is slower is noise of the machine.
func ratio(a, b []time.Duration) float64 {
	return float64(minimum(a)) / float64(minimum(b))
}

func minimum(d []time.Duration) time.Duration {
	m := d[0]
	for _, x := range d {
		m = min(m, x)
	}
	return m
}
