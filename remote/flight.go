package remote

import (
	"context"
	"fmt"
	"sync"
)

// A lifetime holds the goroutines of a catalogue. It is safe for concurrent use.
type lifetime struct {
	ctx  context.Context // ends with the catalogue
	stop context.CancelFunc

	mu     sync.Mutex // guards closed, and that wg grows only before
	closed bool
	wg     sync.WaitGroup
}

func newLifetime() *lifetime {
	l := new(lifetime)
	l.ctx, l.stop = context.WithCancel(context.Background())
	return l
}

// start runs f in a goroutine, unless the lifetime is over.
func (l *lifetime) start(f func()) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if !l.closed {
		l.wg.Go(f)
	}
	return !l.closed
}

// end cancels what runs and waits for it.
func (l *lifetime) end() {
	l.mu.Lock()
	l.closed = true
	l.mu.Unlock()
	l.stop()
	l.wg.Wait()
}

// flights lets equal requests at the same time be one. It is safe for
// concurrent use.
type flights[T any] struct {
	mu      sync.Mutex // guards running
	running map[string]*flight[T]
}

type flight[T any] struct {
	done chan struct{} // closed when val and err are set
	val  T
	err  error
}

// do returns what f returns, which runs once for all who ask for key meanwhile.
// It belongs to the catalogue: a caller that goes leaves it to the others, and
// its result to the cache. f is bounded by the request's timeout.
func (g *flights[T]) do(ctx context.Context, l *lifetime, key string, f func(context.Context) (T, error)) (T, error) {
	var none T
	g.mu.Lock()
	fl := g.running[key]
	if fl == nil {
		fl = &flight[T]{done: make(chan struct{})}
		if !l.start(func() { g.run(l.ctx, key, fl, f) }) {
			g.mu.Unlock()
			return none, closed()
		}
		if g.running == nil {
			g.running = make(map[string]*flight[T])
		}
		g.running[key] = fl
	}
	g.mu.Unlock()
	select {
	case <-fl.done:
		return fl.val, fl.err
	case <-ctx.Done():
		return none, cancelled(ctx)
	}
}

// run contains panics, of a host's log handler for example.
func (g *flights[T]) run(ctx context.Context, key string, fl *flight[T], f func(context.Context) (T, error)) {
	defer func() {
		if p := recover(); p != nil {
			fl.err = &problem{msg: "a callback of the host panicked", hint: "see the cause", err: fmt.Errorf("panic: %v", p), lasting: true}
		}
		g.mu.Lock()
		delete(g.running, key)
		g.mu.Unlock()
		close(fl.done)
	}()
	fl.val, fl.err = f(ctx)
}
