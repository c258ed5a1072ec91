package fit_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/seed-12b313d8/skills/internal/fit"
	"github.com/seed-12b313d8/skills/internal/line"
)

// benchEntries makes n entries with descriptions of about 200 characters,
// some words of which are rare.
func benchEntries(n int) []fit.Entry {
	entries := make([]fit.Entry, n)
	for i := range entries {
		entries[i] = fit.Entry{
			Name: fmt.Sprintf("skill-%04d", i),
			Text: strings.Repeat(fmt.Sprintf("Use this skill when working with topic%d of area%d; ", i, i%40), 4)[:200-i%7],
		}
	}
	return entries
}

func BenchmarkFit(b *testing.B) {
	const n = 1000
	entries := benchEntries(n)
	for _, bench := range []struct {
		name string
		o    fit.Options
	}{
		{"full", fit.Options{Budget: 300 * n}},
		{"truncated", fit.Options{Budget: 80 * n}},
		{"ranked", fit.Options{Budget: 80 * n, Ranked: true}},
		{"dropshared", fit.Options{Budget: 80 * n, DropShared: true}},
		{"dropshared-wide", fit.Options{Budget: 150 * n, DropShared: true}},
		{"names", fit.Options{Budget: 8000}},
		{"omitting", fit.Options{Budget: 8000, Hard: true, Closing: func(n int) string { return fmt.Sprintf("%d more skills", n) }}},
	} {
		b.Run(bench.name, func(b *testing.B) {
			for i := range entries {
				entries[i].Score = float64(i % 3)
			}
			b.ReportAllocs()
			for b.Loop() {
				fit.Fit(entries, bench.o)
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/n, "ns/skill")
		})
	}
}

// BenchmarkFirstListing is what a first listing costs where everything fits:
// cleaning, joining nothing, fitting.
func BenchmarkFirstListing(b *testing.B) {
	const n = 1000
	texts := benchEntries(n)
	entries := make([]fit.Entry, n)
	o := line.Options{Reserved: []string{"system-reminder"}}
	b.ReportAllocs()
	for b.Loop() {
		for i, e := range texts {
			entries[i] = fit.Entry{Name: line.Clean(e.Name, o), Text: line.Clean(e.Text, o)}
		}
		fit.Fit(entries, fit.Options{Budget: 300 * n})
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/n, "ns/skill")
}

func TestFullAllocates(t *testing.T) {
	entries := benchEntries(100)
	n := testing.AllocsPerRun(100, func() { fit.Fit(entries, fit.Options{Budget: 1 << 20}) })
	assert.LessOrEqual(t, n, 4.0, "07 §1: allocations do not grow with the number of skills")
}
