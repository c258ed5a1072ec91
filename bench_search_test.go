package skills_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/seed-12b313d8/skills"
)

// searchable returns n skills whose names and descriptions are of the words
// that a catalogue has: few are common and most are rare, as in real text.
func searchable(n int) []*skills.Skill {
	rng := rand.New(rand.NewPCG(1, 2))
	common := strings.Fields("the a and of for in with when use to user asks file files code data from create write read review run test report convert")
	word := func() string {
		if rng.IntN(2) == 0 {
			return common[rng.IntN(len(common))]
		}
		return fmt.Sprintf("word%d", int(float64(4*n)*rng.Float64()*rng.Float64()*rng.Float64()))
	}
	out := make([]*skills.Skill, n)
	for i := range out {
		words := make([]string, 30)
		for j := range words {
			words[j] = word()
		}
		out[i] = &skills.Skill{Name: fmt.Sprintf("%s-%s-%d", common[i%len(common)], word(), i), Description: strings.Join(words, " ")}
	}
	return out
}

// BenchmarkSearch asks a session for skills among 25,000 by name and
// description. The bars are 5 ms a query, and 1 s for the index, which the
// first query builds (07 §1).
func BenchmarkSearch(b *testing.B) {
	const n = 25_000
	list := searchable(n)
	openMany := func() *skills.Registry {
		reg, err := skills.Open(context.Background(), &skills.Options{
			Sources: []skills.Source{skills.StaticSource(skills.SourceInfo{ID: "many", Origin: skills.OriginUser}, list...)},
		})
		require.NoError(b, err)
		return reg
	}
	find := func(sess *skills.Session, query string) {
		hits, err := sess.Search(context.Background(), query, 10)
		if err != nil || len(hits) == 0 {
			b.Fatal(len(hits), err)
		}
	}
	reg := openMany()
	defer reg.Close()
	sess := reg.NewSession("", nil)
	find(sess, "review")
	for _, q := range []struct{ name, query string }{
		{"common", "create a report of the data in the files"},
		{"rare", "word7 word70 word700"},
		{"name", list[n/2].Name},
		{"long", list[n/3].Description},
	} {
		b.Run(q.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				find(sess, q.query)
			}
		})
	}
	b.Run("build", func(b *testing.B) {
		var took []time.Duration
		for b.Loop() {
			b.StopTimer()
			reg := openMany()
			sess := reg.NewSession("", nil)
			b.StartTimer()
			start := time.Now()
			find(sess, "review")
			took = append(took, time.Since(start))
			b.StopTimer()
			require.NoError(b, reg.Close())
			b.StartTimer()
		}
		b.ReportMetric(minimum(took).Seconds()*1e3, "min-ms/build")
	})
}
