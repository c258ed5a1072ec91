package watch_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/seed-12b313d8/skills/internal/fswatch"
	"github.com/seed-12b313d8/skills/internal/testkit"
	"github.com/seed-12b313d8/skills/internal/watch"
)

// A host notes what a watch asks of it.
type host struct {
	dir string

	mu      sync.Mutex
	targets []fswatch.Target
	loads   [][]string
	times   []time.Duration
	fails   int // how many loads fail from now on
	polling []error
}

// options are those of a watch without events, so that time is its own.
func (h *host) options() watch.Options {
	start := time.Now()
	return watch.Options{
		Open: func() (fswatch.Source, error) { return nil, errors.New("no events here") },
		Targets: func(context.Context) []fswatch.Target {
			h.mu.Lock()
			defer h.mu.Unlock()
			return slices.Clone(h.targets)
		},
		Reload: func(_ context.Context, owners []string) []string {
			h.mu.Lock()
			defer h.mu.Unlock()
			h.loads, h.times = append(h.loads, owners), append(h.times, time.Since(start))
			if h.fails--; h.fails >= 0 {
				return owners
			}
			return nil
		},
		Degraded: func(_ context.Context, err error) {
			h.mu.Lock()
			defer h.mu.Unlock()
			h.polling = append(h.polling, err)
		},
	}
}

func newHost(t *testing.T) *host {
	dir := testkit.Tree(t, map[string]string{"skills/a/SKILL.md": "1"})
	return &host{dir: dir, targets: []fswatch.Target{fswatch.Skills("s", dir+"/skills", fswatch.Walk{Depth: 1})}}
}

// seen returns what was noted so far.
func (h *host) seen() host {
	h.mu.Lock()
	defer h.mu.Unlock()
	return host{loads: slices.Clone(h.loads), times: slices.Clone(h.times), polling: slices.Clone(h.polling)}
}

func (h *host) wait(d time.Duration) {
	time.Sleep(d) // in a bubble
	synctest.Wait()
}

// What changed before the watch began, and what changes later, is read once it
// rests (03 W1).
func TestWatch(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newHost(t)
		var s watch.Slot
		require.True(t, s.Start(context.Background(), h.options()))
		h.wait(10 * time.Second)
		require.Equal(t, [][]string{{"s"}}, h.seen().loads)
		testkit.Write(t, h.dir, map[string]string{"skills/a/SKILL.md": "22"})
		h.wait(10 * time.Second)
		assert.Len(t, h.seen().loads, 2)
		require.Len(t, h.seen().polling, 2)
		require.NoError(t, h.seen().polling[0])
		require.Error(t, h.seen().polling[1])
		s.Close()
		s.Close()
		testkit.Write(t, h.dir, map[string]string{"skills/a/SKILL.md": "333"})
		h.wait(time.Minute)
		assert.Len(t, h.seen().loads, 2)
		assert.False(t, s.Start(context.Background(), h.options()))
		assert.True(t, s.Closed())
		s.Follow()
	})
}

// New directories are watched after Follow, many at once (03 W2).
func TestFollow(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newHost(t)
		var s watch.Slot
		require.True(t, s.Start(context.Background(), h.options()))
		defer s.Close()
		h.wait(10 * time.Second)
		testkit.Write(t, h.dir, map[string]string{"more/b/SKILL.md": "1"})
		h.mu.Lock()
		h.targets = append(h.targets, fswatch.Skills("m", h.dir+"/more", fswatch.Walk{Depth: 1}))
		h.mu.Unlock()
		for range 100 {
			s.Follow()
		}
		h.wait(10 * time.Second)
		assert.Equal(t, [][]string{{"s"}, {"m"}}, h.seen().loads)
	})
}

// What fails is read again, after longer and longer pauses (03 W6).
func TestFailures(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newHost(t)
		h.fails = 9
		var s watch.Slot
		require.True(t, s.Start(context.Background(), h.options()))
		defer s.Close()
		h.wait(time.Hour)
		require.Len(t, h.seen().loads, 10, "until one does not fail")
		settling := h.seen().times[0]
		for i := 1; i < len(h.seen().times); i++ {
			pause := min(time.Second<<(i-1), time.Minute)
			assert.InDelta(t, pause+settling, h.seen().times[i]-h.seen().times[i-1], float64(time.Second), "pause %d", i)
		}
	})
}

// One watch takes the place of another, which has ended by then.
func TestReplaced(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var s watch.Slot
		var running atomic.Int32
		for range 3 {
			h := newHost(t)
			o := h.options()
			o.Reload = func(ctx context.Context, _ []string) []string {
				assert.EqualValues(t, 1, running.Add(1))
				<-ctx.Done()
				running.Add(-1)
				return nil
			}
			require.True(t, s.Start(context.Background(), o))
			h.wait(10 * time.Second)
			assert.EqualValues(t, 1, running.Load())
		}
		ctx, cancel := context.WithCancel(context.Background())
		h := newHost(t)
		require.True(t, s.Start(ctx, h.options()))
		cancel()
		h.wait(time.Minute)
		assert.Empty(t, h.seen().loads, "a watch ends with its context")
		s.Close()
	})
}

// Who has what fails read again starts no second row of tries (03 W6).
func TestOneRetry(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newHost(t)
		h.fails = 1 << 30
		var s watch.Slot
		require.True(t, s.Start(context.Background(), h.options()))
		defer s.Close()
		for i := range 10 {
			h.wait(7 * time.Second)
			testkit.Write(t, h.dir, map[string]string{"skills/a/SKILL.md": strings.Repeat("x", i+2)})
		}
		h.wait(10 * time.Minute)
		before := len(h.seen().loads)
		h.wait(time.Hour)
		assert.InDelta(t, 60, len(h.seen().loads)-before, 5, "about one try a minute")
	})
}

// When a watch ends by itself nothing is polled any more, which it says last;
// when it is closed or replaced it says nothing (03 W4).
func TestDegradedAtTheEnd(t *testing.T) {
	tests := []struct {
		reason string
		end    func(s *watch.Slot, cancel func())
		told   bool
	}{
		{"its context ended", func(_ *watch.Slot, cancel func()) { cancel() }, true},
		{"closed", func(s *watch.Slot, _ func()) { s.Close() }, false},
		{"closed, then its context ended", func(s *watch.Slot, cancel func()) { s.Close(); cancel() }, false},
		{"replaced", func(s *watch.Slot, _ func()) {
			s.Start(context.Background(), (&host{}).options())
		}, false},
	}
	for _, tt := range tests {
		t.Run(tt.reason, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				h := newHost(t)
				o := h.options()
				told := o.Degraded
				o.Degraded = func(ctx context.Context, err error) {
					assert.NoError(t, ctx.Err(), "it can be published")
					told(ctx, err)
				}
				var s watch.Slot
				ctx, cancel := context.WithCancel(context.Background())
				defer cancel()
				require.True(t, s.Start(ctx, o))
				h.wait(10 * time.Second)
				require.Len(t, h.seen().polling, 2)
				tt.end(&s, cancel)
				h.wait(10 * time.Second)
				if tt.told {
					require.Len(t, h.seen().polling, 3)
					require.NoError(t, h.seen().polling[2])
				} else {
					assert.Len(t, h.seen().polling, 2)
				}
				s.Close()
			})
		})
	}
}

// A watch whose last word nobody takes keeps Close waiting no longer than that
// takes to notice its context.
func TestCloseCutsTheLastWordShort(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newHost(t)
		o := h.options()
		var waiting atomic.Bool
		o.Degraded = func(ctx context.Context, err error) {
			if err == nil && len(h.seen().polling) == 1 {
				waiting.Store(true)
				<-ctx.Done()
				return
			}
			if err != nil {
				h.mu.Lock()
				defer h.mu.Unlock()
				h.polling = append(h.polling, err)
			}
		}
		var s watch.Slot
		ctx, cancel := context.WithCancel(context.Background())
		require.True(t, s.Start(ctx, o))
		h.wait(10 * time.Second)
		cancel()
		h.wait(time.Minute)
		assert.True(t, waiting.Load())
		s.Close()
	})
}
