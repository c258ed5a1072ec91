// Package sent remembers which lines of a listing a model has been told, so
// that only what is new need be sent (02 §3).
package sent

import (
	"hash/maphash"
	"iter"
	"maps"
	"slices"
	"strings"

	"github.com/seed-12b313d8/skills/internal/pool"
)

// An Entry is one line the model has seen.
type Entry struct {
	Name  string `json:"name"`
	Sum   uint64 `json:"sum,string"` // of what the line was made of
	State string `json:"state"`
	Chars int    `json:"chars,omitempty"` // of the text after the name
}

// A Set is all that a model has been told. It never changes. The nil Set is
// "nothing yet", which differs from an empty one.
type Set struct{ entries []Entry } // sorted by name

// New returns the set of the entries; of those of one name the last counts.
func New(entries []Entry) *Set { return (*Set)(nil).With(entries, nil) }

// With returns the set without the removed names and with the entries told.
func (s *Set) With(told []Entry, removed []string) *Set {
	all := make(map[string]Entry)
	for e := range s.All() {
		all[e.Name] = e
	}
	for _, name := range removed {
		delete(all, name)
	}
	for _, e := range told {
		all[e.Name] = e
	}
	entries := make([]Entry, 0, len(all))
	for _, name := range slices.Sorted(maps.Keys(all)) {
		entries = append(entries, all[name])
	}
	return &Set{entries}
}

// All returns the entries, sorted by name.
func (s *Set) All() iter.Seq[Entry] {
	if s == nil {
		return func(func(Entry) bool) {}
	}
	return slices.Values(s.entries)
}

// Len returns the number of entries.
func (s *Set) Len() int {
	if s == nil {
		return 0
	}
	return len(s.entries)
}

// At returns the i-th entry in the order of All.
func (s *Set) At(i int) Entry { return s.entries[i] }

// Index returns the place of the entry of that name in the order of All, or a
// negative number.
func (s *Set) Index(name string) int {
	if s == nil {
		return -1
	}
	i, ok := slices.BinarySearchFunc(s.entries, name, func(e Entry, n string) int { return strings.Compare(e.Name, n) })
	if !ok {
		return -1
	}
	return i
}

// Find returns the entry of that name.
func (s *Set) Find(name string) (Entry, bool) {
	i := s.Index(name)
	if i < 0 {
		return Entry{}, false
	}
	return s.entries[i], true
}

// A Pool lets the sessions of one registry that were told the same share one
// set. It is safe for concurrent use.
type Pool struct {
	seed maphash.Seed
	sets pool.Pool[uint64, Set]
}

// NewPool returns an empty pool.
func NewPool() *Pool { return &Pool{seed: maphash.MakeSeed()} }

// Share returns a set equal to s that others may hold too.
func (p *Pool) Share(s *Set) *Set {
	if s == nil {
		return nil
	}
	same := func(o *Set) bool { return slices.Equal(o.entries, s.entries) }
	return p.sets.Get(pool.Sum(p.seed, s.entries), same, func() *Set { return s })
}
