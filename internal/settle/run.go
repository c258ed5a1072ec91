package settle

import (
	"cmp"
	"container/heap"
	"context"
	"slices"
	"time"
)

// A source is one that was hinted at and not handed over yet.
type source struct {
	id     string
	since  time.Time // its first look
	moved  time.Time // the last look that found another fingerprint
	print  uint64
	due    time.Time     // the next look
	rested time.Duration // without movement, at the last look
	again  bool          // hinted at since it became ready
	spent  bool          // still moving when Patience ended
}

// A run is what one Run keeps to itself. Each source is in moving or in ready.
type run struct {
	*Settler
	sources map[string]*source
	moving  queue
	ready   []*source
	gather  time.Time // when ready is handed over; zero while it is empty
}

// arm sets timer to when something is to be done, if no hint comes first.
func (r *run) arm(timer *time.Timer) {
	next := r.gather
	if len(r.moving) > 0 && (next.IsZero() || r.moving[0].due.Before(next)) {
		next = r.moving[0].due
	}
	if next.IsZero() {
		timer.Stop()
		return
	}
	timer.Reset(time.Until(next))
}

// accept takes the new hints.
func (r *run) accept(ctx context.Context) {
	for _, id := range r.take() {
		src := r.sources[id]
		if src != nil {
			src.again = true // only read once it is ready
			continue
		}
		src = &source{id: id, since: time.Now(), print: r.opts.Fingerprint(ctx, id)}
		src.moved = time.Now()
		src.due = r.next(src, src.moved)
		r.sources[id] = src
		heap.Push(&r.moving, src)
	}
}

// giveBack hints at what was not handed over again, for a next Run.
func (r *run) giveBack() {
	for id := range r.sources {
		r.Hint(id)
	}
}

// next returns when to look at src after a look at now.
func (r *run) next(src *source, now time.Time) time.Time {
	due, last := now.Add(r.opts.Poll), src.since.Add(r.opts.Patience)
	if last.Before(due) {
		return last
	}
	return due
}

// lookAround looks at the sources that are due.
func (r *run) lookAround(ctx context.Context) {
	now := time.Now()
	for len(r.moving) > 0 && !r.moving[0].due.After(now) && ctx.Err() == nil {
		src := r.moving[0]
		if r.look(ctx, src); r.moves(src) && !src.spent {
			heap.Fix(&r.moving, 0)
			continue
		}
		heap.Pop(&r.moving)
		r.settled(src)
	}
}

// look takes the fingerprint of src. A look that lasts is dated by its begin
// where it proves rest, and by its end where it proves movement.
func (r *run) look(ctx context.Context, src *source) {
	begin := time.Now()
	print := r.opts.Fingerprint(ctx, src.id)
	end := time.Now()
	if print != src.print {
		src.print, src.moved = print, end
	}
	src.rested = begin.Sub(src.moved)
	src.spent = r.moves(src) && end.Sub(src.since) >= r.opts.Patience
	src.due = r.next(src, end)
}

func (r *run) moves(src *source) bool { return src.rested < r.opts.Stable }

// settled puts src among those that wait for the end of Gather.
func (r *run) settled(src *source) {
	if len(r.ready) == 0 {
		r.gather = time.Now().Add(r.opts.Gather)
	}
	src.again = false
	r.ready = append(r.ready, src)
}

// handOver calls Ready once Gather is over.
func (r *run) handOver(ctx context.Context) {
	if r.gather.IsZero() || time.Now().Before(r.gather) {
		return
	}
	var ready []*source
	waiting := r.ready
	r.ready, r.gather = nil, time.Time{}
	for _, src := range waiting {
		if r.staysBehind(ctx, src) {
			heap.Push(&r.moving, src)
		} else {
			ready = append(ready, src)
		}
	}
	if len(ready) > 0 && ctx.Err() == nil {
		r.opts.Ready(ctx, r.release(ready))
	}
}

// release forgets the sources, sorted, except that those which never came to
// rest start anew after Ready.
func (r *run) release(ready []*source) []string {
	ids := make([]string, len(ready))
	for i, src := range ready {
		ids[i] = src.id
		delete(r.sources, src.id)
		if src.spent {
			r.Hint(src.id)
		}
	}
	slices.Sort(ids)
	return ids
}

// staysBehind looks once more at a source that was hinted at during Gather.
func (r *run) staysBehind(ctx context.Context, src *source) bool {
	if !src.again || src.spent {
		return false
	}
	r.look(ctx, src)
	return r.moves(src) && !src.spent
}

// A queue holds sources by their next look, the soonest first.
type queue []*source

func (q queue) Len() int { return len(q) }

func (q queue) Less(i, j int) bool {
	return cmp.Or(q[i].due.Compare(q[j].due), cmp.Compare(q[i].id, q[j].id)) < 0
}

func (q queue) Swap(i, j int) { q[i], q[j] = q[j], q[i] }

// Push implements [heap.Interface].
func (q *queue) Push(x any) { *q = append(*q, x.(*source)) }

// Pop implements [heap.Interface].
func (q *queue) Pop() any {
	last := len(*q) - 1
	src := (*q)[last]
	(*q)[last] = nil
	*q = (*q)[:last]
	return src
}
