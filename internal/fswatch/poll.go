package fswatch

import "time"

// A trial is what the worker knows of how events have fared.
type trial struct {
	retry time.Time     // when to try them again
	pause time.Duration // the time until then, from the failure
	since time.Time     // when they came back
}

// wait returns how long nothing is due.
func (w *worker) wait() time.Duration {
	wait := time.Duration(idle)
	if w.polls() {
		wait = min(wait, time.Until(w.poll))
	}
	if w.events == nil && !w.opts.Polling {
		wait = min(wait, time.Until(w.retry))
	}
	return max(wait, 0)
}

// polls reports whether anything is polled.
func (w *worker) polls() bool {
	for _, o := range w.owners {
		if w.events == nil || o.polled {
			return true
		}
	}
	return false
}

// pollDue looks at all that is polled, if it is time.
func (w *worker) pollDue() {
	if !w.polls() || time.Now().Before(w.poll) {
		return
	}
	for id, o := range w.owners {
		if w.events != nil && !o.polled {
			continue
		}
		before := o.print
		if w.look(id); o.print != before && w.events != nil {
			w.inbox.put(func(n *news) { n.owners[id] |= traced })
		}
	}
	w.poll = time.Now().Add(w.opts.Poll)
}

// fail ends the events and has everything polled from now on (03 W4).
func (w *worker) fail(err error) {
	w.disconnect()
	first := w.Degraded() == nil
	w.setFailed(err)
	longest := max(w.opts.Retry, w.opts.Retry*maxRetries)
	if first && time.Since(w.since) > longest {
		w.pause = 0 // they have worked well
	}
	w.pause = min(max(2*w.pause, w.opts.Retry), longest)
	w.retry = time.Now().Add(w.pause)
	w.poll = time.Now().Add(w.opts.Poll)
	w.all(func(id string) { w.look(id) }) // what comes later will be noticed
	if first {
		w.hints[Everything] = true
		w.opts.Degraded(err)
	}
}

// retryDue tries events again, if it is time.
func (w *worker) retryDue() {
	if w.events != nil || w.opts.Polling || time.Now().Before(w.retry) || w.ctx.Err() != nil {
		return
	}
	err := w.connect()
	if err == nil {
		dirty := make(map[string]bool)
		w.all(func(id string) { dirty[id] = true })
		err = w.events.follow(dirty, nil)
	}
	if err != nil {
		w.fail(err)
		return
	}
	w.since = time.Now()
	w.setFailed(nil)
	w.hints[Everything] = true
	w.opts.Degraded(nil)
}
