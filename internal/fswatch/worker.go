package fswatch

import (
	"context"
	"maps"
	"slices"
	"time"
)

const (
	// pace is how long the worker rests after each turn, so that a flood of
	// events costs few turns. After a long turn it rests restful times as
	// long, so that no flood keeps it busy all the time.
	pace    = 50 * time.Millisecond
	restful = 4

	// idle is how long it waits if nothing is due.
	idle = time.Hour
)

// An owner is one that hints can name.
type owner struct {
	targets []Target
	shape   uint64 // at the last look
	print   uint64 // at the last look
	looked  bool
	plan    plan
	polled  bool // events do not reach all of it
}

// A worker is the one goroutine that looks at files, sets watches and calls
// out. What it has is its own.
type worker struct {
	*Watcher
	ctx    context.Context // ends the worker
	owners map[string]*owner
	hints  map[string]bool // to be given at the end of the turn
	events *events         // nil while everything is polled
	poll   time.Time       // when to look at what is polled
	trial
}

func newWorker(w *Watcher) *worker {
	return &worker{Watcher: w, owners: make(map[string]*owner), hints: make(map[string]bool)}
}

func (w *worker) run(ctx context.Context) {
	w.ctx = ctx
	defer w.disconnect()
	if !w.opts.Polling {
		if err := w.connect(); err != nil {
			w.fail(err)
		}
	}
	timer := time.NewTimer(idle)
	defer timer.Stop()
	w.deliver()
	for ctx.Err() == nil {
		timer.Reset(w.wait())
		select {
		case <-ctx.Done():
		case <-w.inbox.signal:
		case <-timer.C:
		}
		begin := time.Now()
		w.turn()
		rest := max(pace, restful*time.Since(begin))
		w.deliver()
		timer.Reset(rest)
		select {
		case <-ctx.Done():
		case <-timer.C:
		}
	}
}

// turn deals with what came in and what is due.
func (w *worker) turn() {
	n := w.inbox.take()
	changed := n.set && w.reconcile(&n)
	if n.stray && w.events != nil {
		w.events.dropAll()
		changed = true
		w.all(func(id string) { n.owners[id] |= traced | hinted })
	}
	dirty := w.heed(&n)
	switch {
	case w.ctx.Err() != nil:
	case w.events == nil:
		for id := range dirty {
			w.look(id)
		}
	case n.failure != nil:
		w.fail(n.failure)
	case changed || len(dirty) > 0:
		if err := w.events.follow(dirty, n.stale); err != nil {
			w.fail(err)
		}
	}
	w.pollDue()
	w.retryDue()
}

// reconcile takes new targets and reports whether they differ.
func (w *worker) reconcile(n *news) bool {
	now := n.targets
	before := len(w.owners)
	maps.DeleteFunc(w.owners, func(id string, _ *owner) bool { return now[id] == nil })
	changed := len(w.owners) != before
	for id, targets := range now {
		if o := w.owners[id]; o != nil && slices.EqualFunc(o.targets, targets, sameRoot) {
			o.targets = targets
			continue
		}
		w.owners[id] = &owner{targets: targets}
		n.owners[id] |= traced
		changed = true
	}
	return changed
}

func sameRoot(a, b Target) bool { return a.Root == b.Root }

// heed notes the hints and returns the owners to be traced.
func (w *worker) heed(n *news) map[string]bool {
	dirty := make(map[string]bool)
	for id, e := range n.owners {
		if w.owners[id] == nil {
			continue // no longer a target
		}
		if e&hinted != 0 {
			w.hints[id] = true
		}
		if e&traced != 0 {
			dirty[id] = true
		}
	}
	return dirty
}

func (w *worker) all(f func(id string)) {
	for id := range w.owners {
		f(id)
	}
}

// look compares the owner's files with those of the last look, and hints at it
// if they differ. It returns the directories of each target.
func (w *worker) look(id string) [][]Dir {
	o := w.owners[id]
	now := w.survey(w.ctx, o.targets)
	if !o.looked || now.print != o.print {
		w.hints[id] = true
	}
	o.looked, o.shape, o.print = true, now.shape, now.print
	return now.dirs
}

// deliver gives the hints.
func (w *worker) deliver() {
	hints := w.hints
	w.hints = make(map[string]bool)
	if hints[Everything] {
		hints = map[string]bool{Everything: true}
	}
	for _, id := range slices.Sorted(maps.Keys(hints)) {
		if w.ctx.Err() != nil {
			return
		}
		w.opts.Hint(id)
	}
}
