// Package settle decides when a source that may have changed is ready to be
// read again (03 W1, W4). It holds the timing only: what a source is, how its
// state is told and what reading it means is the caller's.
//
// A source is hinted at; then its fingerprint is looked at again and again
// until it has rested for a while; then it waits for others to join it; then
// all that are ready are handed over in one call:
//
//	Hint ──► look every Poll until unmoved for Stable ──► Gather ──► Ready
//	               at most Patience
//
// The rules in full:
//
//   - The first look is taken when the hint arrives. A source is at rest once
//     a look finds the fingerprint of all looks during the last Stable.
//   - One that is still moving after Patience is handed over nevertheless, and
//     looked at anew from then on, so that its final state is not missed.
//   - Gather begins when a first source is ready and ends Gather later; no
//     source delays another one.
//   - A source hinted at while it waits in Gather is looked at once more at
//     its end, and stays behind if it moved.
//   - A source hinted at during Ready starts anew when Ready returns.
//   - Calls of Ready are at least Gather apart. However many hints arrive, in
//     any time d there are at most d ÷ Gather + 1 of them (03 W7).
package settle

import (
	"context"
	"maps"
	"math"
	"slices"
	"sync"
	"time"
)

// Defaults of [Options] (03 W1).
const (
	DefaultStable = time.Second
	DefaultPoll   = 500 * time.Millisecond
	DefaultGather = 300 * time.Millisecond

	// minPoll keeps a tiny Poll from spinning.
	minPoll = time.Millisecond

	// patience is the default of Patience, in multiples of Stable.
	patience = 10
)

// Options configures a [Settler]. Durations that are zero or negative take
// their defaults.
type Options struct {
	// Stable is how long a fingerprint must not move; default 1 s.
	Stable time.Duration
	// Poll is the time between two looks at one source; default 500 ms, at
	// least 1 ms.
	Poll time.Duration
	// Gather is how long sources that are ready wait for others; default
	// 300 ms.
	Gather time.Duration
	// Patience is how long a source may keep moving before it is handed over
	// all the same, counted from its first look; default 10 × Stable, at
	// least Stable + Poll.
	Patience time.Duration

	// Fingerprint returns a value that differs when the source differs, from
	// file status only. It must return soon after ctx ends; what it returns
	// then does not matter. Nil means that sources never move.
	Fingerprint func(ctx context.Context, id string) uint64
	// All lists the sources that [Everything] stands for at the moment. If it
	// is nil, Everything is a source like any other.
	All func() []string
	// Ready receives the sources to be read, sorted, each once; the caller
	// owns the slice. Nothing is looked at meanwhile. It must return soon
	// after ctx ends.
	Ready func(ctx context.Context, ids []string)
}

// Everything is the hint that any source may have changed (03 W4).
const Everything = ""

// A Settler turns hints into calls of [Options.Ready]. It is safe for
// concurrent use; all of its callbacks run on the goroutine of [Settler.Run],
// one at a time and with no lock held.
type Settler struct {
	opts   Options       // fixed at creation, with defaults
	signal chan struct{} // one slot: hinted is not empty

	mu     sync.Mutex // guards hinted
	hinted map[string]bool
}

// New returns a Settler with the given options.
func New(o Options) *Settler {
	s := &Settler{opts: o, signal: make(chan struct{}, 1), hinted: make(map[string]bool)}
	d := &s.opts
	d.Stable = positive(d.Stable, DefaultStable)
	d.Poll = max(positive(d.Poll, DefaultPoll), minPoll)
	d.Gather = positive(d.Gather, DefaultGather)
	rest := positive(d.Stable+d.Poll, math.MaxInt64) // a source that does not move needs no longer
	d.Patience = max(positive(d.Patience, longer(d.Stable, patience)), rest)
	if d.Fingerprint == nil {
		d.Fingerprint = func(context.Context, string) uint64 { return 0 }
	}
	if d.Ready == nil {
		d.Ready = func(context.Context, []string) {}
	}
	return s
}

// longer returns d × n, or the longest duration if there is none as long.
func longer(d, n time.Duration) time.Duration {
	if d > math.MaxInt64/n {
		return math.MaxInt64
	}
	return d * n
}

// positive returns d, or otherwise if d is zero, negative or overflown.
func positive(d, otherwise time.Duration) time.Duration {
	if d > 0 {
		return d
	}
	return otherwise
}

// Hint says that the source id, or [Everything], may have changed. It never
// blocks, whatever the callbacks do, may be called from them, and keeps one
// mark a source however often it is called. Hints given while Run is not
// running wait for it.
func (s *Settler) Hint(id string) {
	s.mu.Lock()
	s.hinted[id] = true
	s.mu.Unlock()
	select {
	case s.signal <- struct{}{}:
	default: // one is waiting already
	}
}

// take returns the sources hinted at since it was last called, sorted.
func (s *Settler) take() []string {
	s.mu.Lock()
	hinted := s.hinted
	s.hinted = make(map[string]bool)
	s.mu.Unlock()
	if hinted[Everything] && s.opts.All != nil {
		delete(hinted, Everything)
		for _, id := range s.opts.All() {
			hinted[id] = true
		}
	}
	return slices.Sorted(maps.Keys(hinted))
}

// Run settles and hands over until ctx ends. What it did not hand over by then
// is left as hints for a next Run. It must not run twice at a time.
func (s *Settler) Run(ctx context.Context) {
	r := run{Settler: s, sources: make(map[string]*source)}
	defer r.giveBack()
	timer := time.NewTimer(time.Hour)
	defer timer.Stop()
	for ctx.Err() == nil {
		r.arm(timer)
		select {
		case <-ctx.Done():
			return
		case <-s.signal:
		case <-timer.C:
		}
		r.accept(ctx)
		r.lookAround(ctx)
		r.handOver(ctx)
	}
}
