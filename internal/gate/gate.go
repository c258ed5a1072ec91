// Package gate lets one caller through at a time.
package gate

import "context"

// A Gate is like a mutex, but whoever waits can stop waiting. It is safe for
// concurrent use; make one with [New].
type Gate struct{ held chan struct{} }

// New returns an open gate.
func New() Gate { return Gate{make(chan struct{}, 1)} }

// Do calls f while no other call runs. If ctx has ended, or ends before that, it
// returns the cause and f is not called.
func (g Gate) Do(ctx context.Context, f func()) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	select {
	case g.held <- struct{}{}:
	case <-ctx.Done():
		return context.Cause(ctx)
	}
	defer func() { <-g.held }()
	f()
	return nil
}
