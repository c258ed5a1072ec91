package skills

import (
	"context"
	"sync"
	"sync/atomic"
	"time"
)

// WatchOptions says how [Registry.Watch] notices changes. The zero value is
// the default (03 W1).
type WatchOptions struct {
	// Stable is how long a file's size and time must not move before it is
	// read; default 1 s.
	Stable time.Duration
	// Poll is how often they are looked at; default 500 ms.
	Poll time.Duration
	// Gather is how long events are collected before one reload; default 300 ms.
	Gather time.Duration
	// Polling looks at the directories at every Poll instead of asking the
	// operating system for events.
	Polling bool
}

// A watcher is the one goroutine of a registry that watches.
type watcher struct {
	closed atomic.Bool

	mu     sync.Mutex // guards what follows
	cancel context.CancelFunc
	done   chan struct{}
}

// Watch keeps the snapshot fresh until ctx ends or the registry is closed. It
// returns once it watches. A registry watches once: a second call replaces the
// first. A nil o means zero options. It must not be called from a function
// given to Subscribe.
//
// Directories are looked at every Poll, and files that did not change are not
// read again.
func (r *Registry) Watch(ctx context.Context, o *WatchOptions) error {
	var opts WatchOptions
	if o != nil {
		opts = *o
	}
	if opts.Poll <= 0 {
		opts.Poll = 500 * time.Millisecond
	}
	w := &r.watcher
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.closed.Load() {
		return closedError()
	}
	w.stopLocked()
	ctx, w.cancel = context.WithCancel(ctx)
	done := make(chan struct{})
	w.done = done
	go func() {
		defer close(done)
		r.poll(ctx, opts.Poll)
	}()
	return nil
}

// close ends the goroutine, if there is one, and lets no other begin.
func (w *watcher) close() {
	w.closed.Store(true)
	w.mu.Lock()
	defer w.mu.Unlock()
	w.stopLocked()
}

// stopLocked ends the goroutine and waits for it.
func (w *watcher) stopLocked() {
	if w.cancel != nil {
		w.cancel()
		<-w.done
		w.cancel, w.done = nil, nil
	}
}

func closedError() error {
	return &Error{Issue: Issue{Code: CodeInvalid, Severity: sevError, Msg: "the registry is closed", Hint: "open a new one"}}
}

func (r *Registry) poll(ctx context.Context, every time.Duration) {
	t := time.NewTicker(every)
	defer t.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-t.C:
			if _, err := r.Reload(ctx); err != nil && ctx.Err() == nil {
				r.log.Error("reload failed", "error", err)
			}
		}
	}
}

// subscribers are the functions that want to know of changes.
type subscribers struct {
	mu   sync.Mutex // guards what follows
	next int
	subs map[int]func(Change)
}

// Subscribe calls f after every publish that changed anything, on the
// goroutine that reloaded and with no lock held; a panic in f is contained.
// Changes of reloads that meet may arrive in any order; Generation tells. The
// returned func ends it and may be called repeatedly.
func (r *Registry) Subscribe(f func(Change)) (cancel func()) {
	s := &r.subs
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.subs == nil {
		s.subs = make(map[int]func(Change))
	}
	id := s.next
	s.next++
	s.subs[id] = f
	return func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		delete(s.subs, id)
	}
}

// announce tells the subscribers of c.
func (r *Registry) announce(c Change) {
	r.logIssues(c.Issues)
	if c.empty() && len(c.Issues) == 0 {
		return
	}
	r.subs.mu.Lock()
	var todo []func(Change)
	for i := range r.subs.next {
		if f := r.subs.subs[i]; f != nil {
			todo = append(todo, f)
		}
	}
	r.subs.mu.Unlock()
	for _, f := range todo {
		r.contain("Subscribe", func() { f(c) })
	}
}
