// Package pool shares equal values between those who hold them.
package pool

import (
	"hash/maphash"
	"runtime"
	"sync"
	"weak"
)

// A Pool knows values by key for as long as somebody holds them. Values must
// not change. It is safe for concurrent use; the zero Pool is empty.
type Pool[K comparable, T any] struct {
	mu     sync.Mutex // guards values
	values map[K]weak.Pointer[T]
}

// Get returns the value of key if somebody holds one and same accepts it, and
// otherwise what create returns, which becomes the value of key. Either may be
// nil: same to accept any value. create runs with no lock held, so several
// callers may create at the same time; they then get one value.
func (p *Pool[K, T]) Get(key K, same func(*T) bool, create func() *T) *T {
	if v := p.find(key, same); v != nil {
		return v
	}
	made := create()
	if made == nil {
		return nil
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if v := p.values[key].Value(); v != nil && (same == nil || same(v)) {
		return v
	}
	if p.values == nil {
		p.values = make(map[K]weak.Pointer[T])
	}
	p.values[key] = weak.Make(made)
	runtime.AddCleanup(made, p.forget, key)
	return made
}

func (p *Pool[K, T]) find(key K, same func(*T) bool) *T {
	p.mu.Lock()
	defer p.mu.Unlock()
	if v := p.values[key].Value(); v != nil && (same == nil || same(v)) {
		return v
	}
	return nil
}

// forget drops what nobody holds any more.
func (p *Pool[K, T]) forget(key K) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if w, ok := p.values[key]; ok && w.Value() == nil {
		delete(p.values, key)
	}
}

// Sum returns a key for the values of list in their order.
func Sum[T comparable](seed maphash.Seed, list []T) uint64 {
	var h maphash.Hash
	h.SetSeed(seed)
	for _, v := range list {
		maphash.WriteComparable(&h, v)
	}
	return h.Sum64()
}

// Len returns how many values the pool knows.
func (p *Pool[K, T]) Len() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return len(p.values)
}
