package gitignore

import "github.com/seed-12b313d8/skills/internal/paths"

// A Finder finds the values of which a pattern matches a touched path, without
// asking each (03 A10). It never changes, and is safe for concurrent use.
type Finder[T any] struct {
	values []T
	index  *Index
}

// NewFinder returns a Finder of those of the values that have patterns.
func NewFinder[T any](values []T, patterns func(T) []string, o Options) *Finder[T] {
	f := new(Finder[T])
	var lists []*List
	for _, v := range values {
		if p := patterns(v); len(p) > 0 {
			f.values, lists = append(f.values, v), append(lists, Compile(p, o))
		}
	}
	f.index = NewIndex(lists)
	return f
}

// Find calls found for each value that a touch matches, in the order given to
// NewFinder, touch by touch; a value that several match comes several times.
func (f *Finder[T]) Find(touches []paths.Touch, found func(T)) {
	at := func(i int) { found(f.values[i]) }
	for _, t := range touches {
		if t.Dir {
			f.index.MatchDir(t.Rel, at)
		} else {
			f.index.Match(t.Rel, at)
		}
	}
}
