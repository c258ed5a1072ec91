package settle_test

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"go.uber.org/goleak"

	"github.com/seed-12b313d8/skills/internal/settle"
)

// Many goroutines hint at sources that change; afterwards every source has
// been handed over after its last change.
func TestHammerHint(t *testing.T) {
	defer goleak.VerifyNone(t)
	senders, rounds := 8, 2000
	if testing.Short() {
		senders, rounds = 4, 200
	}
	state := make([]atomic.Uint64, 20)
	names := make(map[string]int)
	for i := range state {
		names[fmt.Sprint(i)] = i
	}
	var mu sync.Mutex
	seen := make(map[string]uint64)
	complete := make(chan struct{}, 1)
	s := settle.New(settle.Options{
		Stable: 2 * time.Millisecond, Poll: time.Millisecond, Gather: time.Millisecond,
		Fingerprint: func(_ context.Context, id string) uint64 { return state[names[id]].Load() },
		Ready: func(_ context.Context, ids []string) {
			mu.Lock()
			defer mu.Unlock()
			done := true
			for _, id := range ids {
				seen[id] = state[names[id]].Load()
			}
			for id, i := range names {
				done = done && seen[id] == uint64(senders*rounds/len(state)) && seen[id] == state[i].Load()
			}
			if done {
				complete <- struct{}{}
			}
		},
	})
	ctx, stop := context.WithCancel(context.Background())
	var wg sync.WaitGroup
	wg.Go(func() { s.Run(ctx) })
	for n := range senders {
		wg.Go(func() {
			for i := range rounds {
				at := (i + n) % len(state)
				state[at].Add(1)
				s.Hint(fmt.Sprint(at))
			}
		})
	}
	select {
	case <-complete:
	case <-time.After(time.Minute):
		t.Error("not every source was handed over after its last change")
	}
	stop()
	wg.Wait()
}

func BenchmarkHint(b *testing.B) {
	b.ReportAllocs()
	s := settle.New(settle.Options{})
	for b.Loop() {
		s.Hint("project:/home/user/project/.claude/skills")
	}
}

func TestHintAllocatesNothing(t *testing.T) {
	s := settle.New(settle.Options{})
	s.Hint("a")
	assert.Zero(t, testing.AllocsPerRun(100, func() { s.Hint("a") }))
}
