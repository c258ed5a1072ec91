package skills_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/seed-12b313d8/skills"
)

// manySkills returns a registry of n skills with descriptions of about 200
// characters, some words of which are rare.
func manySkills(tb testing.TB, n int) *skills.Registry {
	tb.Helper()
	list := make([]*skills.Skill, n)
	for i := range list {
		list[i] = &skills.Skill{
			Name:        fmt.Sprintf("skill-%05d", i),
			Description: fmt.Sprintf("Does the work of number %d and ", i) + strings.Repeat("tells apart one task from another ", 4),
			WhenToUse:   fmt.Sprintf("When somebody asks for task %d", i),
		}
	}
	reg, err := skills.Open(context.Background(), &skills.Options{
		Sources: []skills.Source{skills.StaticSource(skills.SourceInfo{ID: "many", Origin: skills.OriginUser}, list...)},
	})
	require.NoError(tb, err)
	return reg
}

// BenchmarkListing makes the first listing of a session with 1,000 skills, once
// where everything fits and once within the default budget. The bar is 1 µs and
// 2 allocations a skill before the cut (07 §1).
func BenchmarkListing(b *testing.B) {
	const n = 1000
	reg := manySkills(b, n)
	for _, bb := range []struct {
		name string
		opts skills.ListerOptions
	}{{"full", skills.ListerOptions{Budget: 1 << 20}}, {"cut", skills.ListerOptions{Budget: 100 * n}}, {"names", skills.ListerOptions{}}} {
		b.Run(bb.name, func(b *testing.B) {
			b.ReportAllocs()
			var took []time.Duration
			before := mallocs()
			for b.Loop() {
				start := time.Now()
				text := skills.NewLister(reg.NewSession("", nil), &bb.opts).Next().Text
				took = append(took, time.Since(start))
				if text == "" {
					b.Fatal("nothing is listed")
				}
			}
			b.ReportMetric(float64(mallocs()-before)/float64(len(took))/n, "allocs/skill")
			b.ReportMetric(float64(minimum(took).Nanoseconds())/n, "min-ns/skill")
		})
	}
}

// A first listing costs at most 2 allocations a skill (07 §1).
func TestListingAllocations(t *testing.T) {
	const n = 1000
	reg := manySkills(t, n)
	for _, budget := range []int{1 << 20, 100 * n, 0} {
		allocs := testing.AllocsPerRun(5, func() {
			skills.NewLister(reg.NewSession("", nil), &skills.ListerOptions{Budget: budget}).Next()
		})
		assert.LessOrEqual(t, allocs/n, 2.0, "budget %d", budget)
	}
}

// BenchmarkMenu completes a prefix among 10,000 skills (02 §5).
func BenchmarkMenu(b *testing.B) {
	reg := manySkills(b, 10_000)
	sess := reg.NewSession("", nil)
	b.ReportAllocs()
	for b.Loop() {
		if len(sess.Menu("skill-0123")) != 10 {
			b.Fatal("ten skills begin so")
		}
	}
}
