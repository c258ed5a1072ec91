package bundled

import (
	"context"
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

// A result is what a function returned, or the value it panicked with.
type result[T any] struct {
	value    T
	panicked any
}

// start runs f by itself. The channel has room for its result, so that nobody
// need be there to take it.
func start[T any](f func() T) <-chan result[T] {
	done := make(chan result[T], 1)
	go func() {
		var r result[T]
		defer func() {
			r.panicked = recover()
			done <- r
		}()
		r.value = f()
	}()
	return done
}

// await returns what f returns, or an error: that of ctx if it ends first, and
// others for a panic and for no answer within callLimit. It says what f was
// about. f must keep to values of its own, as it may go on.
func await[T any](ctx context.Context, what string, f func() T) (T, error) {
	var none T
	if err := ctx.Err(); err != nil {
		return none, err
	}
	late := time.NewTimer(callLimit)
	defer late.Stop()
	select {
	case r := <-start(f):
		if r.panicked != nil {
			return none, fmt.Errorf("%s panicked: %v", what, r.panicked)
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

	mu      sync.Mutex          // guards what follows
	overdue <-chan result[bool] // of a question that got no answer in time, or nil
}

// bounded returns f such that no answer within checkLimit counts as false. As
// long as the answer is overdue f is not asked again: one that hangs costs each
// use nothing more, and no more goroutines. A panic in f stays one, which the
// caller of Content.Enabled contains and reports (05 §1).
func bounded(f func() bool) func() bool {
	c := &check{ask: f}
	return c.open
}

func (c *check) open() bool {
	if c.hangs() {
		return false
	}
	done := start(c.ask)
	late := time.NewTimer(checkLimit)
	defer late.Stop()
	select {
	case r := <-done:
		if r.panicked != nil {
			panic(r.panicked)
		}
		return r.value
	case <-late.C:
		c.mu.Lock()
		defer c.mu.Unlock()
		c.overdue = done
		return false
	}
}

// hangs reports whether an answer is overdue. One that came at last is of the
// past, and forgotten.
func (c *check) hangs() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.overdue == nil {
		return false
	}
	select {
	case <-c.overdue:
		c.overdue = nil
		return false
	default:
		return true
	}
}
