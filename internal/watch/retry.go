package watch

import (
	"slices"
	"time"
)

const (
	// What failed is tried again after firstRetry, then after twice that, and
	// so on.
	firstRetry = time.Second
	lastRetry  = time.Minute
)

// retries are the owners that are to be read again since they failed. Only one
// goroutine may use it.
type retries struct {
	hint   func(owner string) // safe for concurrent use
	owners map[string]retry
}

type retry struct {
	pause time.Duration // before the next try
	timer *time.Timer
}

func newRetries(hint func(owner string)) *retries {
	return &retries{hint: hint, owners: make(map[string]retry)}
}

// note takes the owners that were read, and those of them that failed. One that
// is gone does not fail when its time comes, and is forgotten then.
func (r *retries) note(ready, failed []string) {
	for _, owner := range ready {
		if !slices.Contains(failed, owner) {
			r.drop(owner)
		}
	}
	for _, owner := range failed {
		pause := min(max(2*r.owners[owner].pause, firstRetry), lastRetry)
		r.drop(owner) // whoever has it read meanwhile starts no second row of tries
		r.owners[owner] = retry{pause, time.AfterFunc(pause, func() { r.hint(owner) })}
	}
}

func (r *retries) drop(owner string) {
	if old, ok := r.owners[owner]; ok {
		old.timer.Stop()
		delete(r.owners, owner)
	}
}

// stop drops all.
func (r *retries) stop() {
	for owner := range r.owners {
		r.drop(owner)
	}
}
