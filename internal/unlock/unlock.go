// Package unlock remembers which conditional skills a conversation has unlocked
// (03 §2).
package unlock

import (
	"cmp"
	"hash/maphash"
	"slices"
	"strings"

	"github.com/seed-12b313d8/skills/internal/pool"
)

// A Key is one skill that a touched path has matched. The source is part of it,
// so that another skill of the name stays locked.
type Key struct {
	Name   string `json:"name"`
	Source string `json:"source"`
}

func (k Key) compare(o Key) int {
	return cmp.Or(strings.Compare(k.Name, o.Name), strings.Compare(k.Source, o.Source))
}

// A Set is all that a conversation has unlocked, sorted. It never changes, so
// conversations may share it; nil is nothing.
type Set struct{ keys []Key }

// All returns the keys, sorted. The caller must not change them.
func (s *Set) All() []Key {
	if s == nil {
		return nil
	}
	return s.keys
}

// Has reports whether k is unlocked.
func (s *Set) Has(k Key) bool {
	_, ok := slices.BinarySearchFunc(s.All(), k, Key.compare)
	return ok
}

// A Pool lets conversations that unlocked the same share one set. It is safe for
// concurrent use.
type Pool struct {
	seed maphash.Seed
	sets pool.Pool[uint64, Set]
}

// NewPool returns an empty pool.
func NewPool() *Pool { return &Pool{seed: maphash.MakeSeed()} }

// With returns the set of s and the keys more, which others may hold too.
func (p *Pool) With(s *Set, more ...Key) *Set {
	if len(more) == 0 {
		return s
	}
	keys := slices.Concat(s.All(), more)
	slices.SortFunc(keys, Key.compare)
	keys = slices.Clip(slices.Compact(keys))
	same := func(o *Set) bool { return slices.Equal(o.keys, keys) }
	return p.sets.Get(pool.Sum(p.seed, keys), same, func() *Set { return &Set{keys} })
}
