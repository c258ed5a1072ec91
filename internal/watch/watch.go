// Package watch joins the events of package fswatch and the timing of package
// settle: it says which owners of directories have changed and come to rest
// (03 §4).
package watch

import (
	"context"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/seed-12b313d8/skills/internal/fswatch"
	"github.com/seed-12b313d8/skills/internal/settle"
)

// Options says what to watch and what to do. All functions are called on
// goroutines of the watch with no lock held, and must end soon after ctx does.
type Options struct {
	// Stable, Poll and Gather are those of package settle.
	Stable, Poll, Gather time.Duration
	// Polling asks the system for no events.
	Polling bool
	// Targets returns the directories that matter now.
	Targets func(ctx context.Context) []fswatch.Target
	// Reload reads the owners, sorted, that changed, and returns those to be
	// read again a while later, since they could not be read.
	Reload func(ctx context.Context, owners []string) (failed []string)
	// Degraded is told why directories are polled, and nil when they are not:
	// at the beginning, when events are back, and when the watch ends by
	// itself, because the context of its Start did.
	Degraded func(ctx context.Context, err error)
	// Open opens the event source; nil is that of the system.
	Open func() (fswatch.Source, error)
}

// pace keeps many new directories from being watched one by one.
const pace = 50 * time.Millisecond

// A watch is one that runs.
type watch struct {
	opts    Options
	cancel  context.CancelFunc
	done    sync.WaitGroup
	events  *fswatch.Watcher
	settler *settle.Settler
	retries *retries      // used by the settler's goroutine
	moved   chan struct{} // one slot: there may be other directories to watch
}

func start(ctx context.Context, o Options) *watch {
	// wanted ends only when the slot has no more use for the watch: then nobody
	// may be kept waiting by what it still has to say.
	wanted, drop := context.WithCancel(context.WithoutCancel(ctx))
	ctx, end := context.WithCancel(ctx)
	w := &watch{opts: o, cancel: func() { drop(); end() }, moved: make(chan struct{}, 1)}
	w.follow()
	w.done.Go(func() {
		w.run(ctx)
		if wanted.Err() == nil {
			o.Degraded(wanted, nil) // nothing is polled any more
		}
	})
	return w
}

// open connects settler and event source.
func (w *watch) open(ctx context.Context) {
	o := &w.opts
	w.settler = settle.New(settle.Options{
		Stable: o.Stable, Poll: o.Poll, Gather: o.Gather,
		Fingerprint: func(ctx context.Context, owner string) uint64 { return w.events.Fingerprint(ctx, owner) },
		All:         func() []string { return owners(o.Targets(ctx)) },
		Ready:       w.reload,
	})
	w.retries = newRetries(w.settler.Hint)
	w.events = fswatch.New(fswatch.Options{
		Hint: w.settler.Hint, Polling: o.Polling, Poll: o.Poll, Open: o.Open,
		Degraded: func(err error) { o.Degraded(ctx, err) },
	})
}

// reload reads the owners, and sees to it that those which fail are read again.
func (w *watch) reload(ctx context.Context, ready []string) {
	w.retries.note(ready, w.opts.Reload(ctx, ready))
}

func owners(targets []fswatch.Target) []string {
	var out []string
	for _, t := range targets {
		out = append(out, t.ID)
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// run tells the event source of the directories to watch until ctx ends.
func (w *watch) run(ctx context.Context) {
	w.opts.Degraded(ctx, nil)
	w.open(ctx)
	defer w.events.Close()
	w.done.Go(func() {
		w.settler.Run(ctx)
		w.retries.stop()
	})
	timer := time.NewTimer(pace)
	defer timer.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-w.moved:
		}
		targets := w.opts.Targets(ctx)
		if ctx.Err() != nil {
			return
		}
		w.events.Set(targets)
		timer.Reset(pace)
		select {
		case <-ctx.Done():
		case <-timer.C:
		}
	}
}

func (w *watch) follow() {
	select {
	case w.moved <- struct{}{}:
	default:
	}
}

// A Slot holds one running watch or none. The zero Slot is empty. It is safe
// for concurrent use.
type Slot struct {
	closed atomic.Bool
	active atomic.Pointer[watch]

	mu sync.Mutex // serialises starting and stopping
}

// Start starts watching until ctx ends, in the place of the watch that runs,
// which has ended when Start returns. It reports false if the slot is closed.
// It must not be called by a function of Options, and neither must Close.
func (s *Slot) Start(ctx context.Context, o Options) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed.Load() {
		return false
	}
	s.stopLocked()
	s.active.Store(start(ctx, o))
	return true
}

// Follow says that there may be other directories to watch. It never blocks.
func (s *Slot) Follow() {
	if w := s.active.Load(); w != nil {
		w.follow()
	}
}

// Closed reports whether Close was called.
func (s *Slot) Closed() bool { return s.closed.Load() }

// Close ends the watch, waits for it, and lets no other start. It may be called
// repeatedly.
func (s *Slot) Close() {
	s.closed.Store(true)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.stopLocked()
}

func (s *Slot) stopLocked() {
	if w := s.active.Swap(nil); w != nil {
		w.cancel()
		w.done.Wait()
	}
}
