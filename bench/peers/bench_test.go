package peers

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/seed-12b313d8/skills/internal/testkit"
)

// openFormat rewrites the headers of a tree to fields of the open format, which
// are all that some clients accept.
func openFormat(tb testing.TB, dir string) {
	tb.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "*", "SKILL.md"))
	if err != nil {
		tb.Fatal(err)
	}
	swap := strings.NewReplacer(
		"\nwhen_to_use: When somebody asks", "\ncompatibility: When somebody asks",
		"\nallowed-tools: Read, Grep\nargument-hint: a file\nmodel: inherit\n", "\nlicense: MIT, as the file beside says\n",
	)
	for _, name := range files {
		text, err := os.ReadFile(name)
		if err != nil {
			tb.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(swap.Replace(string(text))), 0o644); err != nil {
			tb.Fatal(err)
		}
	}
}

// The rows compare like with like: every client finds every skill of a tree in
// the open format, with its description.
func TestClients(t *testing.T) {
	const n = 30
	root := t.TempDir()
	dir := testkit.BenchSkills(t, root, n)
	openFormat(t, dir)
	for _, c := range clients() {
		held, err := c.load(root, dir)
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		text, err := c.told(held)
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
		}
		for i := range n {
			for _, want := range []string{fmt.Sprintf("skill-%05d", i), fmt.Sprintf("Does the work of number %d and ", i)} {
				if !strings.Contains(text, want) {
					t.Errorf("%s does not find %q", c.name, want)
				}
			}
		}
	}
}

// BenchmarkPeers loads trees of skills with each client. xfloor is its time over
// that of the floor, which takes turns with it; B/skill is the heap it still
// holds afterwards. A client that refuses a tree is skipped, with its reason.
func BenchmarkPeers(b *testing.B) {
	for _, tree := range []struct {
		name string
		n    int
		edit func(testing.TB, string)
	}{
		{"six-fields", 1000, func(testing.TB, string) {}},
		{"open-format", 1000, openFormat},
		{"open-format", 4000, openFormat}, // shows who slows down where there are many
	} {
		b.Run(fmt.Sprintf("%s/n=%d", tree.name, tree.n), func(b *testing.B) {
			root := b.TempDir()
			dir := testkit.BenchSkills(b, root, tree.n)
			tree.edit(b, dir)
			for _, c := range clients() {
				b.Run(label(c), func(b *testing.B) { bench(b, c, root, dir, tree.n) })
			}
		})
	}
}

func bench(b *testing.B, c client, root, dir string, n int) {
	if _, err := c.load(root, dir); err != nil {
		b.Skip("refuses the tree: ", err)
	}
	buf := make([]byte, 64<<10)
	var ours, floor []time.Duration
	for b.Loop() {
		start := time.Now()
		floorLoad(b, dir, buf)
		floor = append(floor, time.Since(start))
		start = time.Now()
		held, err := c.load(root, dir)
		ours = append(ours, time.Since(start))
		if err != nil {
			b.Fatal(err)
		}
		if _, err := c.told(held); err != nil {
			b.Fatal(err)
		}
	}
	report(b, c, root, dir, n)
	b.ReportMetric(float64(slices.Min(ours))/float64(slices.Min(floor)), "xfloor")
	b.ReportMetric(float64(slices.Min(ours).Nanoseconds())/float64(n), "ns/skill")
	b.ReportMetric(0, "ns/op") // the floor and the client together, of no interest
}

// label names the version that is measured.
func label(c client) string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return c.name
	}
	for _, d := range info.Deps {
		if d.Path == c.module {
			return c.name + "@" + d.Version
		}
	}
	return c.name
}

// report counts allocations, and what the heap still holds, of one load.
func report(b *testing.B, c client, root, dir string, n int) {
	var before, after, kept runtime.MemStats
	runtime.GC()
	runtime.GC()
	runtime.ReadMemStats(&before)
	held, err := c.load(root, dir)
	runtime.ReadMemStats(&after)
	if err != nil {
		b.Fatal(err)
	}
	runtime.GC()
	runtime.GC()
	runtime.ReadMemStats(&kept)
	b.ReportMetric(float64(after.Mallocs-before.Mallocs)/float64(n), "allocs/skill")
	b.ReportMetric(float64(int64(kept.HeapAlloc)-int64(before.HeapAlloc))/float64(n), "B/skill")
	if _, err := c.told(held); err != nil { // keeps it alive, and closes it
		b.Fatal(err)
	}
}

// floorLoad is the floor: readdir, then open, one read and close for each file.
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
		if err := f.Close(); err != nil {
			tb.Fatal(err)
		}
	}
}
