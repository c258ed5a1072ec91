package readfile_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/seed-12b313d8/skills/internal/readfile"
)

const (
	benchLimit  = 1 << 20
	benchBuffer = 64 << 10
)

// skillTree makes n folders as they occur in practice: a SKILL.md of about 4.5 KB
// and two resource files each.
func skillTree(tb testing.TB, n int) string {
	tb.Helper()
	root := tb.TempDir()
	body := strings.Repeat("Look at the input before you change anything in it.\n", 80)
	for i := range n {
		dir := filepath.Join(root, fmt.Sprintf("skill-%05d", i))
		require.NoError(tb, os.Mkdir(dir, 0o755))
		text := fmt.Sprintf("---\nname: skill-%05d\ndescription: %s\nversion: 1.%d\nlicense: MIT\n---\n%s",
			i, strings.Repeat("What it does and when. ", 9), i, body)
		for name, data := range map[string]string{"SKILL.md": text, "reference.md": body, "run.sh": "echo\n"} {
			require.NoError(tb, os.WriteFile(filepath.Join(dir, name), []byte(data), 0o644))
		}
	}
	return root
}

// floor is the plain way with package os that everything is measured against.
func floor(tb testing.TB, root string, buf []byte) int {
	list, err := os.ReadDir(root)
	if err != nil {
		tb.Fatal(err)
	}
	total := 0
	for _, e := range list {
		f, err := os.Open(root + "/" + e.Name() + "/SKILL.md")
		if err != nil {
			tb.Fatal(err)
		}
		n, err := f.Read(buf)
		if err != nil {
			tb.Fatal(err)
		}
		f.Close()
		total += n
	}
	return total
}

// heads does the same through Dir, with one buffer for each worker.
func heads(tb testing.TB, root string, nofollow bool, bufs ...[]byte) int {
	d, err := readfile.OpenDir(root)
	require.NoError(tb, err)
	defer d.Close()
	list, err := d.Entries(0)
	require.NoError(tb, err)

	totals := make([]int, len(bufs))
	var wg sync.WaitGroup
	part := (len(list) + len(bufs) - 1) / len(bufs)
	for i, work := range slices.Collect(slices.Chunk(list, part)) {
		if len(bufs) == 1 {
			totals[i] = headAll(tb, d, work, nofollow, bufs[i])
			continue
		}
		wg.Go(func() { totals[i] = headAll(tb, d, work, nofollow, bufs[i]) })
	}
	wg.Wait()
	total := 0
	for _, n := range totals {
		total += n
	}
	return total
}

func headAll(tb testing.TB, d *readfile.Dir, list []readfile.Entry, nofollow bool, buf []byte) int {
	total := 0
	for _, e := range list {
		h, err := d.Head(e.Name+"/SKILL.md", buf, benchLimit, nofollow)
		if err != nil || !h.Complete {
			tb.Errorf("%s: complete %v, %v", e.Name, h.Complete, err)
		}
		total += len(h.Data)
	}
	return total
}

// BenchmarkHead measures the time and allocations of one pass over 1,000 skills:
// listing them and reading the head of each.
func BenchmarkHead(b *testing.B) {
	const n = 1000
	root := skillTree(b, n)
	for _, way := range []struct {
		name     string
		workers  int
		nofollow bool
	}{
		{"follow", 1, false},
		{"nofollow", 1, true},
		{"nofollow,workers=2", 2, true},
	} {
		bufs := make([][]byte, way.workers)
		for i := range bufs {
			bufs[i] = make([]byte, benchBuffer)
		}
		b.Run(fmt.Sprintf("n=%d/%s", n, way.name), func(b *testing.B) {
			require.Equal(b, floor(b, root, bufs[0]), heads(b, root, way.nofollow, bufs...))
			compare(b, root, n, func() { heads(b, root, way.nofollow, bufs...) })
		})
	}
}

// BenchmarkStat measures looking at 1,000 known skills for changes.
func BenchmarkStat(b *testing.B) {
	const n = 1000
	root := skillTree(b, n)
	d := openDir(b, root)
	list, err := d.Entries(0)
	require.NoError(b, err)
	b.Run(fmt.Sprintf("n=%d", n), func(b *testing.B) {
		compare(b, root, n, func() {
			for _, e := range list {
				if _, err := d.Stat(e.Name + "/SKILL.md"); err != nil {
					b.Fatal(err)
				}
			}
		})
	})
}

// compare runs pass and the floor alternately and reports, besides the figures of
// pass itself, xfloor: its time over that of the floor, each as the minimum of all
// rounds. xfloor-median is the median of the ratios of the rounds.
func compare(b *testing.B, root string, n int, pass func()) {
	b.ReportAllocs()
	buf := make([]byte, benchBuffer)
	var base, ours []time.Duration
	var ratios []float64
	for b.Loop() {
		b.StopTimer()
		start := time.Now()
		floor(b, root, buf)
		base = append(base, time.Since(start))
		b.StartTimer()
		start = time.Now()
		pass()
		ours = append(ours, time.Since(start))
		ratios = append(ratios, float64(ours[len(ours)-1])/float64(base[len(base)-1]))
	}
	slices.Sort(ratios)
	b.ReportMetric(float64(slices.Min(ours))/float64(slices.Min(base)), "xfloor")
	b.ReportMetric(ratios[len(ratios)/2], "xfloor-median")
	b.ReportMetric(float64(slices.Min(base))/float64(n), "floor-ns/skill")
}
