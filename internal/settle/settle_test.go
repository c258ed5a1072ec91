package settle_test

import (
	"context"
	"fmt"
	"math"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/seed-12b313d8/skills/internal/settle"
)

// A world is what the tests settle: fingerprints that move at set times, and
// hints given at set times, all counted in milliseconds of the bubble.
type world struct {
	begin time.Time
	moves map[string][]int // when each source changes
	hints []hint
	work  []int // how long the calls of Ready take, in turn
}

type hint struct {
	at int
	id string
}

type call struct {
	At  int
	IDs []string
}

func (w *world) now() int { return int(time.Since(w.begin).Milliseconds()) }

// print counts the changes so far, so that no two states look alike.
func (w *world) print(at int, id string) uint64 {
	n := uint64(0)
	for _, m := range w.moves[id] {
		if m <= at {
			n++
		}
	}
	return n
}

// play runs the world for ms milliseconds of the bubble it is called in.
func (w *world) play(o settle.Options, ms int) []call {
	w.begin = time.Now()
	var calls []call
	o.Fingerprint = func(_ context.Context, id string) uint64 { return w.print(w.now(), id) }
	o.Ready = func(_ context.Context, ids []string) {
		calls = append(calls, call{w.now(), ids})
		if len(w.work) > 0 {
			time.Sleep(milliseconds(w.work[(len(calls)-1)%len(w.work)]))
		}
	}
	s := settle.New(o)
	ctx, stop := context.WithTimeout(context.Background(), milliseconds(ms))
	defer stop()
	for _, h := range w.hints {
		time.AfterFunc(milliseconds(h.at), func() { s.Hint(h.id) })
	}
	s.Run(ctx)
	synctest.Wait()
	return calls
}

func milliseconds(n int) time.Duration { return time.Duration(n) * time.Millisecond }

func every(step, until int) []int {
	var out []int
	for t := step; t <= until; t += step {
		out = append(out, t)
	}
	return out
}

func TestTimes(t *testing.T) {
	all := func() []string { return []string{"a", "b", "c"} }
	tests := []struct {
		name   string
		reason string
		opts   settle.Options
		world  world
		want   []call
	}{
		{
			name: "at rest", reason: "03 W1: looks at 0, 500, 1000, then 300 ms more",
			world: world{hints: []hint{{0, "a"}}},
			want:  []call{{1300, []string{"a"}}},
		},
		{
			name: "no hint", reason: "03 W4: without a hint nothing is read",
			world: world{moves: map[string][]int{"a": {100, 900}}},
		},
		{
			name: "moves once", reason: "03 W1: seen at 500, at rest at 1500",
			world: world{hints: []hint{{0, "a"}}, moves: map[string][]int{"a": {499}}},
			want:  []call{{1800, []string{"a"}}},
		},
		{
			name: "slow copy", reason: "03 W1: a file that grows is not read",
			world: world{hints: []hint{{0, "a"}}, moves: map[string][]int{"a": every(400, 4000)}},
			want:  []call{{5300, []string{"a"}}},
		},
		{
			name: "never rests", reason: "03 W1: handed over after 10 × Stable, and looked at anew",
			world: world{hints: []hint{{0, "a"}}, moves: map[string][]int{"a": every(300, 12_000)}},
			want:  []call{{10_300, []string{"a"}}, {13_600, []string{"a"}}},
		},
		{
			name: "no starving", reason: "03 W1: a restless source delays no other",
			opts:  settle.Options{Patience: 4 * time.Second},
			world: world{hints: []hint{{0, "a"}, {700, "b"}}, moves: map[string][]int{"a": every(300, 3600)}},
			want:  []call{{2000, []string{"b"}}, {4300, []string{"a"}}, {5600, []string{"a"}}},
		},
		{
			name: "gathered", reason: "03 W1: who is ready within 300 ms is in the same call",
			world: world{hints: []hint{{0, "b"}, {100, "c"}, {299, "a"}, {301, "d"}}},
			want:  []call{{1300, []string{"a", "b", "c"}}, {2601 - 1000, []string{"d"}}},
		},
		{
			name: "one mark", reason: "03 W4: hints are coalesced",
			world: world{hints: []hint{{0, "a"}, {0, "a"}, {10, "a"}, {990, "a"}}},
			want:  []call{{1300, []string{"a"}}},
		},
		{
			name: "hint while it gathers, at rest", reason: "03 W1: a hint without movement delays nothing",
			world: world{hints: []hint{{0, "a"}, {1100, "a"}}},
			want:  []call{{1300, []string{"a"}}},
		},
		{
			name: "hint while it gathers, moved", reason: "03 W1: what moved since is not read yet",
			world: world{hints: []hint{{0, "a"}, {1100, "a"}}, moves: map[string][]int{"a": {1100}}},
			want:  []call{{2600, []string{"a"}}},
		},
		{
			name: "hint during Ready", reason: "03 W1: it starts anew",
			world: world{hints: []hint{{0, "a"}, {1301, "a"}}, work: []int{700}},
			want:  []call{{1300, []string{"a"}}, {3300, []string{"a"}}},
		},
		{
			name: "everything, listed", reason: "03 W4: overflow is a rescan of all",
			opts:  settle.Options{All: all},
			world: world{hints: []hint{{0, settle.Everything}}, moves: map[string][]int{"b": every(300, 2100)}},
			want:  []call{{1300, []string{"a", "c"}}, {3800, []string{"b"}}},
		},
		{
			name: "everything, not listed", reason: "03 W4: it is a source of its own",
			world: world{hints: []hint{{0, settle.Everything}, {0, "a"}}},
			want:  []call{{1300, []string{"", "a"}}},
		},
		{
			name: "other durations", reason: "03 W1: all three are options",
			opts:  settle.Options{Stable: 40 * time.Millisecond, Poll: 30 * time.Millisecond, Gather: 7 * time.Millisecond},
			world: world{hints: []hint{{0, "a"}}},
			want:  []call{{67, []string{"a"}}},
		},
		{
			name: "zero and negative", reason: "03 W1: they take the defaults",
			opts:  settle.Options{Stable: -1, Poll: math.MinInt64, Gather: -5, Patience: -1},
			world: world{hints: []hint{{0, "a"}}},
			want:  []call{{1300, []string{"a"}}},
		},
		{
			name: "tiny Poll", reason: "03 W1: at least 1 ms, so that nothing spins",
			opts:  settle.Options{Poll: 1, Stable: 1, Gather: 1, Patience: time.Second},
			world: world{hints: []hint{{0, "a"}}},
			want:  []call{{1, []string{"a"}}},
		},
		{
			name: "short Patience", reason: "03 W1: what rests is handed over once",
			opts:  settle.Options{Patience: time.Millisecond},
			world: world{hints: []hint{{0, "a"}, {5000, "b"}}, moves: map[string][]int{"b": every(200, 6100)}},
			want:  []call{{1300, []string{"a"}}, {6800, []string{"b"}}, {8100, []string{"b"}}},
		},
		{
			name: "huge Stable", reason: "03 W1: 10 × Stable does not overflow, nothing is handed over early",
			opts:  settle.Options{Stable: math.MaxInt64},
			world: world{hints: []hint{{0, "a"}}},
		},
		{
			name: "huge all", reason: "03 W1: nothing is handed over early",
			opts:  settle.Options{Stable: math.MaxInt64, Poll: math.MaxInt64, Gather: math.MaxInt64},
			world: world{hints: []hint{{0, "a"}}},
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			require.NotEmpty(t, tt.reason)
			synctest.Test(t, func(t *testing.T) {
				got := tt.world.play(tt.opts, 30_000)
				assert.Equal(t, tt.want, got, tt.reason)
			})
		})
	}
}

// A look that takes long is dated by its end when it finds movement and by its
// begin when it finds rest.
func TestSlowLook(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		begin := time.Now()
		ctx, stop := context.WithCancel(context.Background())
		s := settle.New(settle.Options{
			Fingerprint: func(context.Context, string) uint64 {
				time.Sleep(200 * time.Millisecond)
				return 1
			},
			Ready: func(_ context.Context, ids []string) {
				// First look until 200; looks at 700, 1400 (until 1600).
				assert.Equal(t, 1900*time.Millisecond, time.Since(begin))
				stop()
			},
		})
		s.Hint("a")
		s.Run(ctx)
	})
}

// Neither Ready nor Fingerprint can block whoever hints (03 W7).
func TestHintNeverBlocks(t *testing.T) {
	for _, where := range []string{"Fingerprint", "Ready"} {
		t.Run(where, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				ctx, stop := context.WithCancel(context.Background())
				entered := make(chan struct{}, 1)
				hang := func(in string) {
					if in == where {
						entered <- struct{}{}
						<-ctx.Done()
					}
				}
				s := settle.New(settle.Options{
					Fingerprint: func(context.Context, string) uint64 { hang("Fingerprint"); return 0 },
					Ready:       func(context.Context, []string) { hang("Ready") },
				})
				done := make(chan struct{})
				go func() { defer close(done); s.Run(ctx) }()
				s.Hint("a")
				<-entered
				before := time.Now()
				for i := range 2000 {
					s.Hint(fmt.Sprint("source ", i%50))
				}
				assert.Zero(t, time.Since(before))
				stop()
				<-done
			})
		})
	}
}

// Under a flood the calls are at least Gather apart (03 W7, CL117).
func TestFlood(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := world{moves: map[string][]int{}}
		for i := range 4000 {
			id := fmt.Sprint(i % 40)
			w.hints = append(w.hints, hint{5 * i, id})
			if i%3 == 0 {
				w.moves[id] = append(w.moves[id], 5*i)
			}
		}
		const elapsed = 40_000
		calls := w.play(settle.Options{}, elapsed)
		require.NotEmpty(t, calls)
		assert.LessOrEqual(t, len(calls), elapsed/300+2)
		for i := 1; i < len(calls); i++ {
			assert.GreaterOrEqual(t, calls[i].At-calls[i-1].At, 300)
		}
	})
}

// Run ends with its context wherever it is, and leaves its unfinished work to
// the next Run.
func TestRunEnds(t *testing.T) {
	for _, after := range []int{0, 200, 500, 1100, 1299} {
		synctest.Test(t, func(t *testing.T) {
			var w world
			w.hints = []hint{{0, "a"}, {100, "b"}}
			var got []string
			o := settle.Options{Ready: func(_ context.Context, ids []string) { got = append(got, ids...) }}
			s := settle.New(o)
			s.Hint("a")
			s.Hint("b")
			ctx, stop := context.WithTimeout(context.Background(), milliseconds(after))
			defer stop()
			s.Run(ctx)
			assert.Empty(t, got, "after %d ms", after)

			again, end := context.WithTimeout(context.Background(), 5*time.Second)
			defer end()
			s.Run(again)
			assert.Equal(t, []string{"a", "b"}, got, "after %d ms", after)
		})
	}
}

func TestDefaults(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, stop := context.WithTimeout(context.Background(), time.Minute)
		defer stop()
		s := settle.New(settle.Options{}) // no callbacks at all
		s.Hint("a")
		s.Run(ctx)
		assert.Error(t, ctx.Err())
	})
}
