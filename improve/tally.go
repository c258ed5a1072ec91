package improve

import (
	"fmt"
	"sync"
)

// A tally counts goroutines, and callers of Apply, that are at work. It is
// safe for concurrent use; the zero tally has none.
type tally struct {
	mu     sync.Mutex // guards what follows
	closed bool
	counts [2]int
	zero   [2]chan struct{} // closed when the count is 0; nil if nobody waits
}

// The two counts: all that are there, and those of them that are not in a
// function of the host which Close does not wait for.
const (
	alive = iota
	working
)

// enter counts one more, unless the tally is closed.
func (t *tally) enter() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.closed {
		return false
	}
	t.counts[alive]++
	t.counts[working]++
	return true
}

// fork counts one more on behalf of one who is in.
func (t *tally) fork() {
	t.add(alive, 1)
	t.add(working, 1)
}

func (t *tally) leave() {
	t.add(working, -1)
	t.add(alive, -1)
}

// stepOut takes one off those at work, unless the tally is closed.
func (t *tally) stepOut() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	if !t.closed {
		t.addLocked(working, -1)
	}
	return !t.closed
}

func (t *tally) add(which, n int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.addLocked(which, n)
}

func (t *tally) addLocked(which, n int) {
	t.counts[which] += n
	if t.counts[which] == 0 && t.zero[which] != nil {
		close(t.zero[which])
		t.zero[which] = nil
	}
}

// close lets nobody in any more.
func (t *tally) close() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.closed = true
}

func (t *tally) count(which int) int {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.counts[which]
}

// none returns a channel that is closed when the count is 0.
func (t *tally) none(which int) <-chan struct{} {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.counts[which] == 0 {
		done := make(chan struct{})
		close(done)
		return done
	}
	if t.zero[which] == nil {
		t.zero[which] = make(chan struct{})
	}
	return t.zero[which]
}

// outside calls f, a function of the host that Close does not wait for. Once
// the tally is closed it does not call it.
func (t *tally) outside(f func()) {
	if !t.stepOut() {
		return
	}
	defer t.add(working, 1)
	f()
}

// guarded runs a function of the host, called what. A panic in it, or the end
// of its goroutine, becomes an error (07 B11). In the second case nobody gets
// that error unless done hands it on, which is called in any case.
func guarded[T any](what string, f func() (T, error), done func(T, error)) {
	var v T
	err := fmt.Errorf("%s ended its goroutine", what)
	defer func() { done(v, err) }()
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("%s panicked: %v", what, p)
		}
	}()
	v, err = f()
}
