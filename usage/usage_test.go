package usage

import (
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/seed-12b313d8/skills"
)

const day = 24 * time.Hour

// noon is the "now" of these tests.
func noon() time.Time { return time.Date(2026, 3, 14, 12, 0, 0, 0, time.UTC) }

func skill(name string) *skills.Skill { return &skills.Skill{Name: name, Source: "user"} }

// ago turns ages into times of use.
func ago(ages ...time.Duration) []time.Time {
	var out []time.Time
	for _, a := range ages {
		out = append(out, noon().Add(-a))
	}
	return out
}

func TestScore(t *testing.T) {
	for _, tt := range []struct {
		reason string
		opts   *Options
		uses   []time.Time
		want   float64
	}{
		{"a skill never used scores 0, below any floor", nil, nil, 0},
		{"a use counts 1", nil, ago(0), 1},
		{"02 §2: half is left after 7 days", nil, ago(7 * day), 0.5},
		{"and a quarter after 14", nil, ago(14 * day), 0.25},
		{"02 §2: never less than 0.1 once used", nil, ago(70 * day), 0.1},
		{"nor after a lifetime", nil, ago(100 * 365 * day), 0.1},
		{"uses add up", nil, ago(7*day, 0), 1.5},
		{"uses of one moment too", nil, ago(0, 0, 0), 3},
		{"the floor bounds the sum, not each use", nil, ago(70*day, 70*day, 70*day), 0.1},
		{"a use reported late counts what is left of it", nil, ago(0, 7*day), 1.5},
		{"one that is ahead of now counts in full", nil, ago(-7 * day), 1},
		{"and one before it less", nil, ago(-7*day, 0), 1.5},
		{"the zero time is long ago", nil, []time.Time{{}}, 0.1},
		{"times beyond what JSON can carry are no trouble", nil, []time.Time{time.Unix(1<<60, 0), time.Unix(-1<<60, 0), noon()}, 1},
		{"another zone is the same time", nil, []time.Time{noon().In(time.FixedZone("", 5*3600))}, 1},
		{"the half-life is an option", &Options{HalfLife: time.Hour}, ago(time.Hour), 0.5},
		{"a negative one is none", &Options{HalfLife: -1}, ago(7 * day), 0.5},
		{"the floor is an option", &Options{Floor: 0.4}, ago(14 * day), 0.4},
		{"a negative one means none", &Options{Floor: -1}, ago(70 * day), math.Exp2(-10)},
		{"NaN is no floor to have", &Options{Floor: math.NaN()}, ago(70 * day), 0.1},
		{"nor is infinity", &Options{Floor: math.Inf(1)}, ago(70 * day), 0.1},
	} {
		t.Run(tt.reason, func(t *testing.T) {
			s := New(tt.opts)
			for _, at := range tt.uses {
				s.Used(skill("commit"), at)
			}
			assert.InDelta(t, tt.want, s.Score(skill("commit"), noon()), 1e-9)
		})
	}
}

func TestKey(t *testing.T) {
	for _, tt := range []struct {
		reason      string
		used, asked *skills.Skill
		same        bool
	}{
		{"the same skill after a reload", &skills.Skill{Name: "a", Source: "user"}, &skills.Skill{Name: "a", Source: "user", Description: "new"}, true},
		{"another name", &skills.Skill{Name: "a", Source: "user"}, &skills.Skill{Name: "b", Source: "user"}, false},
		{"a skill of the same name from elsewhere does not inherit", &skills.Skill{Name: "a", Source: "user"}, &skills.Skill{Name: "a", Source: "project"}, false},
		{"a nested skill by its bare and its qualified name", &skills.Skill{Name: "a", Source: "n", Owner: "api"}, &skills.Skill{Name: "api:a", Source: "n", Owner: "api"}, true},
		{"a colon without an owner is part of the name", &skills.Skill{Name: "api:a", Source: "user"}, &skills.Skill{Name: "a", Source: "user"}, false},
		{"source and name do not run together", &skills.Skill{Name: "bc", Source: "a"}, &skills.Skill{Name: "c", Source: "ab"}, false},
		{"nil is no skill", nil, nil, false},
		{"nor is one without a name", &skills.Skill{Source: "user"}, &skills.Skill{Source: "user"}, false},
	} {
		t.Run(tt.reason, func(t *testing.T) {
			s := New(nil)
			s.Used(tt.used, noon())
			want := 0.0
			if tt.same {
				want = 1
			}
			assert.Equal(t, want, s.Score(tt.asked, noon()))
		})
	}
}

func TestMax(t *testing.T) {
	for _, tt := range []struct {
		reason string
		uses   []string // by name, a day apart, the last one now
		gone   string
	}{
		{"the oldest of skills used once", []string{"a", "b", "c"}, "a"},
		{"not the oldest if it was used more", []string{"a", "a", "a", "b", "c"}, "b"},
		{"using a skill again makes it new", []string{"a", "b", "a", "c"}, "b"},
		{"the new one stays even if all others are worth more", []string{"a", "a", "b", "b", "b", "c"}, "a"},
	} {
		t.Run(tt.reason, func(t *testing.T) {
			s := New(&Options{Max: 2})
			for i, name := range tt.uses {
				s.Used(skill(name), noon().Add(-day*time.Duration(len(tt.uses)-1-i)))
			}
			for _, name := range []string{"a", "b", "c"} {
				assert.Equal(t, name == tt.gone, s.Score(skill(name), noon()) == 0, name)
			}
		})
	}

	t.Run("equal ones go in the order of their names", func(t *testing.T) {
		for range 20 { // maps have an order of their own
			s := New(&Options{Max: 3})
			for _, name := range []string{"c", "a", "b", "d"} {
				s.Used(skill(name), noon())
			}
			assert.Zero(t, s.Score(skill("c"), noon()))
		}
	})
}

// Values far below what a float can hold still order what is forgotten.
func TestMaxLongAgo(t *testing.T) {
	s := New(&Options{Max: 2, HalfLife: time.Millisecond})
	s.Used(skill("older"), noon().Add(-101*365*day))
	s.Used(skill("old"), noon().Add(-100*365*day))
	s.Used(skill("new"), noon())
	assert.Zero(t, s.Score(skill("older"), noon()))
	assert.Equal(t, 0.1, s.Score(skill("old"), noon()))
}

// The order in which uses are told makes no difference.
func TestOrderIndependence(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 2))
	for range 200 {
		uses := make([]time.Time, 1+rnd.IntN(40))
		for i := range uses {
			uses[i] = noon().Add(-time.Duration(rnd.Int64N(int64(60 * day))))
		}
		a, b := New(nil), New(nil)
		for _, at := range uses {
			a.Used(skill("x"), at)
		}
		for _, i := range rnd.Perm(len(uses)) {
			b.Used(skill("x"), uses[i])
		}
		want := 0.0
		for _, at := range uses {
			want += math.Exp2(-noon().Sub(at).Hours() / (7 * 24))
		}
		assert.InEpsilon(t, max(want, 0.1), a.Score(skill("x"), noon()), 1e-9, "the sum over all uses")
		assert.InEpsilon(t, a.Score(skill("x"), noon()), b.Score(skill("x"), noon()), 1e-9)
	}
}

// FuzzScore holds a Store against the sum it stands for, over any two uses and
// any time of asking.
func FuzzScore(f *testing.F) {
	f.Add(int64(0), int64(0), int64(0), int64(defaultHalfLife))
	f.Add(int64(-1), int64(1), int64(7*day), int64(time.Second))
	f.Add(int64(math.MinInt64), int64(math.MaxInt64), int64(1), int64(1))
	f.Fuzz(func(t *testing.T, first, second, asked, halfLife int64) {
		s := New(&Options{HalfLife: time.Duration(halfLife)})
		s.Used(skill("x"), noon().Add(time.Duration(first)))
		s.Used(skill("x"), noon().Add(time.Duration(second)))
		now := noon().Add(time.Duration(asked))
		got := s.Score(skill("x"), now)
		require.GreaterOrEqual(t, got, 0.1, "used ever")
		require.LessOrEqual(t, got, 2.0, "two uses")

		other := New(&Options{HalfLife: time.Duration(halfLife)})
		other.Used(skill("x"), noon().Add(time.Duration(second)))
		other.Used(skill("x"), noon().Add(time.Duration(first)))
		require.InEpsilon(t, got, other.Score(skill("x"), now), 1e-9, "order")

		later := s.Score(skill("x"), now.Add(s.opts.HalfLife))
		require.LessOrEqual(t, later, got, "a score only falls")
		if last := max(first, second); last > math.MinInt64/4 && asked >= last && asked < math.MaxInt64/4 && s.opts.HalfLife < math.MaxInt64/4 {
			require.InEpsilon(t, max(got/2, 0.1), max(later, 0.1), 1e-6, "half is left after a half-life")
		}
	})
}

func BenchmarkScore(b *testing.B) {
	s := New(nil)
	all := make([]*skills.Skill, 1000)
	for i := range all {
		all[i] = skill("skill-" + string(rune('a'+i%26)) + string(rune('a'+i/26)))
		s.Used(all[i], noon().Add(-time.Duration(i)*time.Hour))
	}
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		s.Score(all[i%len(all)], noon())
	}
}

func BenchmarkUsed(b *testing.B) {
	s, sk := New(nil), skill("commit")
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		s.Used(sk, noon().Add(time.Duration(i)*time.Second))
	}
}

// Asking costs no memory, so a listing can ask for every skill.
func TestScoreAllocations(t *testing.T) {
	s, sk, now := New(nil), &skills.Skill{Name: "api:commit", Source: "user", Owner: "api"}, noon()
	s.Used(sk, now)
	assert.Zero(t, testing.AllocsPerRun(100, func() { s.Score(sk, now) }))
	assert.Zero(t, testing.AllocsPerRun(100, func() { s.Used(sk, now) }))
}
