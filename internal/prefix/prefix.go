// Package prefix completes names that somebody begins to type.
package prefix

import (
	"slices"
	"strings"
)

// An Index finds values by the beginning of a name, letter case apart. It never
// changes.
type Index[T comparable] struct{ entries []entry[T] } // sorted by key, then by at

type entry[T comparable] struct {
	key   string
	value T
	at    int // of the value in the order given to New
}

// New returns the index of values under the names that names returns for each.
func New[T comparable](values []T, names func(T) []string) *Index[T] {
	x := new(Index[T])
	for i, v := range values {
		for _, n := range names(v) {
			x.entries = append(x.entries, entry[T]{strings.ToLower(n), v, i})
		}
	}
	slices.SortFunc(x.entries, func(a, b entry[T]) int {
		if c := strings.Compare(a.key, b.key); c != 0 {
			return c
		}
		return a.at - b.at
	})
	return x
}

// Find returns the values of which a name begins with prefix, each once, in the
// order given to New. It costs O(log n) and the sorting of what it finds.
func (x *Index[T]) Find(prefix string) []T {
	prefix = strings.ToLower(prefix)
	from, _ := slices.BinarySearchFunc(x.entries, prefix, func(e entry[T], p string) int { return strings.Compare(e.key, p) })
	var found []entry[T]
	for _, e := range x.entries[from:] {
		if !strings.HasPrefix(e.key, prefix) {
			break
		}
		found = append(found, e)
	}
	slices.SortFunc(found, func(a, b entry[T]) int { return a.at - b.at })
	var out []T
	for i, e := range found {
		if i == 0 || found[i-1].at != e.at {
			out = append(out, e.value)
		}
	}
	return out
}
