package bundled

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"
)

// How long an answer is waited for (05 §1). Functions of the host and the file
// system cannot be ended: one that hangs keeps its goroutine, and nothing else.
const (
	checkLimit = time.Second     // of Options.Checks: they should take microseconds
	callLimit  = 5 * time.Second // of what one invocation asks: a callback, the disk
)

// A result is what a function returned, or how it failed to.
type result[T any] struct {
	value    T
	panicked any  // the value it panicked with
	ended    bool // it ended its goroutine, as with runtime.Goexit
}

// run calls f and gives its result to done, which is called for sure.
func run[T any](f func() T, done func(result[T])) {
	r := result[T]{ended: true}
	defer func() {
		if r.panicked = recover(); r.panicked != nil {
			r.ended = false
		}
		done(r)
	}()
	r.value = f()
	r.ended = false
}

// err returns why there is no value, or nil. It says what f was about.
func (r *result[T]) err(what string) error {
	switch {
	case r.panicked != nil:
		return fmt.Errorf("%s panicked: %v", what, r.panicked)
	case r.ended:
		return errors.New(what + " gave no answer: it ended its goroutine")
	}
	return nil
}

// await returns what f returns, or an error: that of ctx if it ends first, and
// others for a panic, for a goroutine that f ended, and for no answer within
// callLimit. It says what f was about. f must keep to values of its own, as it
// may go on.
func await[T any](ctx context.Context, what string, f func() T) (T, error) {
	var none T
	if err := ctx.Err(); err != nil {
		return none, err
	}
	late := time.NewTimer(callLimit)
	defer late.Stop()
	done := make(chan result[T], 1) // nobody need be there to take it
	go run(f, func(r result[T]) { done <- r })
	select {
	case r := <-done:
		if err := r.err(what); err != nil {
			return none, err
		}
		return r.value, nil
	case <-ctx.Done():
		return none, ctx.Err()
	case <-late.C:
		return none, fmt.Errorf("%s gave no answer within %v", what, callLimit)
	}
}

// A check is one of Options.Checks, bounded. The zero check is not usable.
type check struct {
	ask func() bool

	mu      sync.Mutex // guards what follows
	pending *question  // the one call of ask that has not returned, or nil
}

// A question is one call of a check, which all wait for who use it meanwhile.
type question struct {
	done    chan struct{} // closed when there is an answer
	answer  result[bool]  // read it when done is closed
	overdue bool          // somebody waited in vain; guarded by check.mu
}

// bounded returns f such that no answer within checkLimit counts as false, and
// so does the end of its goroutine. At most one call of f is under way:
// whoever comes meanwhile shares its answer, which may be too late for some and
// in time for others. Once it is overdue nobody else waits for it: one that hangs
// costs each use nothing more, and no more goroutines. A panic in f stays one,
// for each who waited, which the caller of Content.Enabled contains and reports
// (05 §1).
func bounded(f func() bool) func() bool {
	c := &check{ask: f}
	return c.open
}

func (c *check) open() bool {
	q := c.join()
	if q == nil {
		return false
	}
	late := time.NewTimer(checkLimit)
	defer late.Stop()
	select {
	case <-q.done:
		return q.says()
	case <-late.C:
		c.mu.Lock()
		defer c.mu.Unlock()
		q.overdue = true
		return false
	}
}

// join returns the question under way, or asks a new one. It is nil if the
// answer is overdue.
func (c *check) join() *question {
	c.mu.Lock()
	defer c.mu.Unlock()
	q := c.pending
	switch {
	case q == nil:
		q = &question{done: make(chan struct{})}
		c.pending = q
		go run(c.ask, func(r result[bool]) { c.settle(q, r) })
	case q.overdue:
		return nil
	}
	return q
}

// settle gives the answer to those who wait for it. Later uses ask anew.
func (c *check) settle(q *question, r result[bool]) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.pending = nil
	q.answer = r
	close(q.done)
}

// says returns the answer, or panics as the check did.
func (q *question) says() bool {
	if q.answer.panicked != nil {
		panic(q.answer.panicked)
	}
	return q.answer.value
}
