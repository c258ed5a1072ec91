// Package notify hands values to functions that want to know of them, without
// ever making the teller wait.
package notify

import (
	"slices"
	"sync"
)

// A Hub tells subscribers of values. Each subscriber is called on a goroutine
// of its own, which exists only while there is something to tell: one call at
// a time, in the order of Tell. What is told during a call waits, merged into
// one value. So a slow subscriber delays nobody, and what waits for it is as
// large as the caller's merge makes it. A subscriber may end its goroutine; it
// is told of the rest on another. A Hub is safe for concurrent use, also from
// within subscribers.
type Hub[T any] struct {
	merge func(earlier, later T) T
	call  func(f func(T), v T)

	mu     sync.Mutex // guards what follows
	subs   []*subscriber[T]
	closed bool
}

type subscriber[T any] struct {
	f func(T)

	mu      sync.Mutex // guards what follows
	pending *T         // nil if there is nothing to tell
	busy    bool       // its goroutine exists
	ended   bool
}

// New returns a Hub that joins two values with merge, which must not keep
// them, and calls subscribers through call, which contains their panics.
func New[T any](merge func(earlier, later T) T, call func(f func(T), v T)) *Hub[T] {
	return &Hub[T]{merge: merge, call: call}
}

// Subscribe calls f with every value told from now on. After cancel has
// returned no further call begins; one that is under way goes on. cancel may be
// called repeatedly.
func (h *Hub[T]) Subscribe(f func(T)) (cancel func()) {
	s := &subscriber[T]{f: f}
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.closed {
		s.ended = true
	} else {
		h.subs = append(h.subs, s)
	}
	return func() {
		h.mu.Lock()
		h.subs = slices.DeleteFunc(slices.Clone(h.subs), func(t *subscriber[T]) bool { return t == s })
		h.mu.Unlock()
		s.end()
	}
}

// Tell tells all subscribers of v and returns at once.
func (h *Hub[T]) Tell(v T) {
	h.mu.Lock()
	subs := h.subs
	h.mu.Unlock()
	for _, s := range subs {
		s.tell(h, v)
	}
}

// Close ends all subscriptions, as their cancel functions do.
func (h *Hub[T]) Close() {
	h.mu.Lock()
	subs := h.subs
	h.subs, h.closed = nil, true
	h.mu.Unlock()
	for _, s := range subs {
		s.end()
	}
}

func (s *subscriber[T]) end() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.ended, s.pending = true, nil
}

func (s *subscriber[T]) tell(h *Hub[T], v T) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.ended {
		return
	}
	if s.pending != nil {
		v = h.merge(*s.pending, v)
	}
	s.pending = &v
	if !s.busy {
		s.busy = true
		go s.run(h)
	}
}

func (s *subscriber[T]) run(h *Hub[T]) {
	done := false
	defer func() {
		if !done {
			go s.run(h) // f ended the goroutine, as runtime.Goexit does
		}
	}()
	for v := s.take(); v != nil; v = s.take() {
		h.call(s.f, *v)
	}
	done = true
}

// take returns what is to be told, or nil when the goroutine has to end.
func (s *subscriber[T]) take() *T {
	s.mu.Lock()
	defer s.mu.Unlock()
	v := s.pending
	s.pending = nil
	s.busy = v != nil
	return v
}
