// Package changes says what became of named values between two moments, and
// joins what several moments say.
package changes

import (
	"maps"
	"slices"
)

// Names says what became of names, each of the lists sorted.
type Names struct {
	Added   []string // nothing stood for them before
	Changed []string // they stand for something else
	Removed []string // nothing stands for them any more
}

// Between compares what names stand for, which is one value or several.
func Between[T comparable](was, now map[string][]T) Names {
	var n Names
	for _, name := range slices.Sorted(maps.Keys(now)) {
		switch old := was[name]; {
		case old == nil:
			n.Added = append(n.Added, name)
		case !slices.Equal(old, now[name]):
			n.Changed = append(n.Changed, name)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(was)) {
		if now[name] == nil {
			n.Removed = append(n.Removed, name)
		}
	}
	return n
}

// Then returns n and later as one: what came and went is in no list.
func (n Names) Then(later Names) Names {
	type fate struct{ before, after bool } // whether something of the name was and is there
	fates := make(map[string]fate)
	note := func(names []string, f fate) {
		for _, name := range names {
			f := f
			if was, ok := fates[name]; ok {
				f.before = was.before
			}
			fates[name] = f
		}
	}
	for _, step := range []Names{n, later} {
		note(step.Added, fate{false, true})
		note(step.Changed, fate{true, true})
		note(step.Removed, fate{true, false})
	}
	var out Names
	for _, name := range slices.Sorted(maps.Keys(fates)) {
		switch fates[name] {
		case fate{false, true}:
			out.Added = append(out.Added, name)
		case fate{true, true}:
			out.Changed = append(out.Changed, name)
		case fate{true, false}:
			out.Removed = append(out.Removed, name)
		}
	}
	return out
}

// Fresh returns the values of now that are not in was.
func Fresh[T comparable](was, now []T) []T {
	seen := make(map[T]bool, len(was))
	for _, v := range was {
		seen[v] = true
	}
	var out []T
	for _, v := range now {
		if !seen[v] {
			out = append(out, v)
		}
	}
	return out
}

// Unique drops the values of list, which it changes, that came before.
func Unique[T comparable](list []T) []T {
	seen := make(map[T]bool, len(list))
	return slices.DeleteFunc(list, func(v T) bool {
		had := seen[v]
		seen[v] = true
		return had
	})
}
