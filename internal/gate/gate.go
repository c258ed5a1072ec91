// Package gate lets one caller through at a time.
package gate

import "context"

// A Gate is like a mutex, but whoever waits can stop waiting. It is safe for
// concurrent use.
type Gate chan struct{}

// New returns an open gate.
func New() Gate { return make(Gate, 1) }

// Do calls f while no other call runs. If ctx ends before that it returns the
// cause, and f is not called.
func (g Gate) Do(ctx context.Context, f func()) error {
	select {
	case g <- struct{}{}:
	case <-ctx.Done():
		return context.Cause(ctx)
	}
	defer func() { <-g }()
	f()
	return nil
}
