// Package ladder finds what answers to a name (01 N4). An exact name comes
// before an alias, that before the alias of something hidden, that before a
// display name, and that before the bare tail of a namespaced name. Nothing is
// ever guessed.
package ladder

// Rungs is the number of rungs, from 0 on.
const Rungs = 5

// Names are what one value answers to. Empty ones do not count.
type Names struct {
	Name      string
	Qualified string // answers as Name does, where no other has that name
	Display   string
	Tail      string // last part of a namespaced name
	Aliases   []string
}

// An Index finds values by name. It never changes. The zero Index is empty.
type Index[T comparable] struct {
	names   map[string]T
	aliases map[string][]T
	hidden  map[string][]T
	display map[string][]T
	tails   map[string][]T
}

// New returns the index of values, whose names describe tells. Of those in
// hidden only the names that hiddenNames tells lead to them, on a rung of their
// own.
func New[T comparable](values []T, describe func(T) Names, hidden []T, hiddenNames func(T) []string) Index[T] {
	x := Index[T]{
		names:   make(map[string]T, len(values)),
		aliases: make(map[string][]T),
		hidden:  make(map[string][]T),
		display: make(map[string][]T),
		tails:   make(map[string][]T),
	}
	for _, v := range values {
		x.names[describe(v).Name] = v
	}
	for _, v := range values {
		x.add(v, describe(v))
	}
	for _, v := range hidden {
		for _, name := range hiddenNames(v) {
			x.hidden[name] = append(x.hidden[name], v)
		}
	}
	return x
}

func (x *Index[T]) add(v T, n Names) {
	if _, taken := x.names[n.Qualified]; !taken && n.Qualified != "" {
		x.names[n.Qualified] = v
	}
	for _, a := range n.Aliases {
		x.aliases[a] = append(x.aliases[a], v)
	}
	if n.Display != "" && n.Display != n.Name {
		x.display[n.Display] = append(x.display[n.Display], v)
	}
	if n.Tail != "" && n.Tail != n.Name {
		x.tails[n.Tail] = append(x.tails[n.Tail], v)
	}
}

// Exact returns the value of exactly that name or qualified name.
func (x *Index[T]) Exact(name string) (T, bool) {
	v, ok := x.names[name]
	return v, ok
}

// Rung returns the values that answer to name on the i-th rung. The caller
// must not change the slice.
func (x *Index[T]) Rung(i int, name string) []T {
	switch i {
	case 0:
		if v, ok := x.names[name]; ok {
			return []T{v}
		}
		return nil
	case 1:
		return x.aliases[name]
	case 2:
		return x.hidden[name]
	case 3:
		return x.display[name]
	default:
		return x.tails[name]
	}
}

// Climb returns what answers to name on the first rung of any index where
// anything does: one value, or several that are then ambiguous.
func Climb[T comparable](name string, indexes ...*Index[T]) []T {
	if name == "" {
		return nil
	}
	for i := range Rungs {
		var found []T
		for _, x := range indexes {
			found = append(found, x.Rung(i, name)...)
		}
		if len(found) > 0 {
			return found
		}
	}
	return nil
}
