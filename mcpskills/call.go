package mcpskills

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"time"
)

const (
	// maxStuck is how many calls of one source may be stuck in a client that
	// does not heed its contexts, each with a goroutine. Further calls fail.
	maxStuck = 8
	// grace is how long a call whose context has ended may take to return
	// before it counts as stuck.
	grace = 250 * time.Millisecond
)

// errSilent is the cause of a call whose time is up.
type errSilent time.Duration

func (e errSilent) Error() string { return "no answer within " + time.Duration(e).String() }

// A failure is an error of a client. Its text comes from the server, so it is
// one clean line.
type failure struct {
	text  string
	cause error
}

func (f *failure) Error() string { return f.text }
func (f *failure) Unwrap() error { return f.cause }

func failed(what string, err error) error {
	if err == nil {
		return nil
	}
	return &failure{what + ": " + oneLine(err.Error(), maxMessage), err}
}

// A result is what a call returned.
type result[T any] struct {
	value T
	err   error
}

// A running is one call under way. Whoever is second to settle it, the call
// that returns or the caller who gives up, knows of the other.
type running[T any] struct {
	done    chan result[T] // of one element: nobody may be waiting any more
	settled atomic.Bool
}

// call runs one call to the client, what, and returns when it does, or shortly
// after its time is up or ctx ends. A client that heeds its contexts is waited
// for and leaves no goroutine.
func call[T any](ctx context.Context, s *source, what string, f func(context.Context) (T, error)) (T, error) {
	ctx, cancel := context.WithTimeoutCause(ctx, s.opts.Timeout, errSilent(s.opts.Timeout))
	defer cancel()
	var none T
	if n := s.stuck.Load(); n >= maxStuck {
		return none, failed(what, fmt.Errorf("%d calls to this server never returned", n))
	}
	r := running[T]{done: make(chan result[T], 1)}
	go func() {
		defer func() {
			if r.settled.Swap(true) {
				s.stuck.Add(-1)
			}
		}()
		run(ctx, what, f, r.done)
	}()
	select {
	case out := <-r.done:
		return out.value, out.err
	case <-ctx.Done():
	}
	last := time.NewTimer(grace)
	defer last.Stop()
	select {
	case out := <-r.done:
		return out.value, out.err
	case <-last.C:
	}
	s.stuck.Add(1)
	if r.settled.Swap(true) { // it has just returned
		s.stuck.Add(-1)
		out := <-r.done
		return out.value, out.err
	}
	return none, failed(what, context.Cause(ctx))
}

// run sends what f returns, also if f panics or ends its goroutine. The text of
// its error is taken here, since that may panic too.
func run[T any](ctx context.Context, what string, f func(context.Context) (T, error), done chan<- result[T]) {
	r := result[T]{err: failed(what, errors.New("the client ended the goroutine"))}
	defer func() {
		if p := recover(); p != nil {
			r = result[T]{err: failed(what, fmt.Errorf("the client panicked: %v", p))}
		}
		done <- r
	}()
	v, err := f(ctx)
	if err != nil && ctx.Err() != nil {
		err = context.Cause(ctx) // says more than that the deadline was exceeded
	}
	r = result[T]{v, failed(what, err)}
}
