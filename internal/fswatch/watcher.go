package fswatch

import (
	"context"
	"hash/maphash"
	"path/filepath"
	"slices"
	"sync"
	"sync/atomic"
	"time"
)

const (
	// DefaultPoll is the default of [Options.Poll] (03 W1).
	DefaultPoll = 500 * time.Millisecond

	// DefaultRetry is the default of [Options.Retry].
	DefaultRetry = time.Minute

	// maxRetries is the longest pause between two tries, in multiples of Retry.
	maxRetries = 64
)

// Everything is the hint that any owner may have changed (03 W4).
const Everything = ""

// Options configures a [Watcher]. Durations and numbers that are zero or
// negative take their defaults.
type Options struct {
	// Hint is told that an owner, or [Everything], may have changed. While it
	// does not return, further hints collect: one for each owner at most.
	Hint func(id string)
	// Degraded is told that targets are polled from now on, with the reason,
	// and nil when events are back. It may be nil. What happened in between
	// is covered by a hint at Everything each time (03 W4).
	Degraded func(err error)
	// Polling asks the system for no events (03 W4).
	Polling bool
	// Poll is the time between two looks at what is polled; default 500 ms.
	Poll time.Duration
	// Retry is when events are tried again after they failed; default 1 min.
	// It doubles with each failure, up to 64 times that.
	Retry time.Duration
	// MaxWatches is how many directories are watched before all are polled
	// instead. The default is 16,384; where a watch on a directory opens its
	// files (BSD, macOS) they count as well, and the default is 2,048.
	MaxWatches int
	// Open opens the event source; nil means that of the system.
	Open func() (Source, error)
}

func (o Options) withDefaults() Options {
	if o.Hint == nil {
		o.Hint = func(string) {}
	}
	if o.Degraded == nil {
		o.Degraded = func(error) {}
	}
	if o.Open == nil {
		o.Open = System
	}
	if o.Poll <= 0 {
		o.Poll = DefaultPoll
	}
	if o.Retry <= 0 {
		o.Retry = DefaultRetry
	}
	if o.MaxWatches <= 0 {
		o.MaxWatches = defaultMaxWatches
	}
	return o
}

// A Watcher hints at owners whose targets may have changed. It is safe for
// concurrent use. Hint and Degraded are called on one goroutine of its own, one
// at a time, with no lock held; they may call any method but Close.
type Watcher struct {
	opts  Options // fixed at creation, with defaults
	seed  maphash.Seed
	inbox *inbox
	index atomic.Pointer[index] // what the reader of events goes by

	cancel context.CancelFunc
	done   chan struct{} // closed when everything has ended

	mu      sync.Mutex // guards what follows
	targets []Target
	byOwner map[string][]Target // the same; what is in it does not change
	failed  error
}

// New returns a Watcher without targets. It cannot fail: without events it
// polls. Close it.
func New(o Options) *Watcher {
	ctx, cancel := context.WithCancel(context.Background())
	w := &Watcher{opts: o.withDefaults(), seed: maphash.MakeSeed(), inbox: newInbox(), cancel: cancel, done: make(chan struct{})}
	w.index.Store(new(index))
	go func() {
		defer close(w.done)
		newWorker(w).run(ctx)
	}()
	return w
}

// Set replaces the targets. It returns at once; new owners, and those whose
// roots differ from before, are hinted at when they are watched, so that
// nothing is lost in between. Where IDs and roots are the same nothing is done:
// functions take effect at the next look. Set keeps a copy of the slice.
func (w *Watcher) Set(targets []Target) {
	targets = slices.Clone(targets)
	for i := range targets {
		if abs, err := filepath.Abs(targets[i].Root); err == nil {
			targets[i].Root = abs
		}
	}
	byOwner := make(map[string][]Target)
	for _, t := range targets {
		byOwner[t.ID] = append(byOwner[t.ID], t)
	}
	w.mu.Lock()
	w.targets, w.byOwner = targets, byOwner
	w.inbox.put(func(n *news) { n.targets, n.set = byOwner, true })
	w.mu.Unlock()
}

// Degraded returns why targets are polled although events were wanted, or nil.
func (w *Watcher) Degraded() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.failed
}

func (w *Watcher) setFailed(err error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.failed = err
}

// Fingerprint returns a value that differs when files that matter to the owner
// differ, or the directories that do, from file status only: an argument for
// package settle (03 W1). [Everything] has the fingerprint of all owners.
func (w *Watcher) Fingerprint(ctx context.Context, id string) uint64 {
	w.mu.Lock()
	targets := w.byOwner[id]
	if id == Everything {
		targets = w.targets
	}
	w.mu.Unlock()
	return w.survey(ctx, targets).print
}

// Close stops watching and waits until all goroutines have ended and all
// handles are closed. It may be called repeatedly, but not by a callback.
func (w *Watcher) Close() {
	w.cancel()
	<-w.done
}
