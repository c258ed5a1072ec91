package gitignore

import (
	"slices"
	"strings"
)

// An Index finds the lists that match a path without asking each of them
// (03 A10), safe for concurrent use.
//
// Every positive rule is filed under one literal piece that any path it
// matches must show: the folders it starts with, a whole segment, the start or
// end of one, or three bytes within one. Of the pieces a rule offers, the one
// that fewest rules share is taken. Lists with a rule that offers none are
// asked for every path. Equal lists are filed, compiled and asked as one.
type Index struct {
	groups []group
	always []int32 // groups to ask for every path
	files  [keyKinds]shelf
}

// A group is the lists that are equal.
type group struct {
	list    *List
	members []int32 // positions in what NewIndex was given
}

// A shelf holds the groups filed under each piece of one kind, and which
// lengths those pieces have.
type shelf struct {
	groups  map[string][]int32
	lengths uint64 // bit n-1 for n bytes
}

func (s *shelf) file(text string, group int32) {
	if s.groups == nil {
		s.groups = make(map[string][]int32)
	}
	on := s.groups[text]
	if len(on) == 0 || on[len(on)-1] != group {
		s.groups[text] = append(on, group)
	}
	s.lengths |= 1 << (min(len(text), maxKeyBytes) - 1)
}

func (s *shelf) has(length int) bool { return s.lengths>>(length-1)&1 == 1 }

// NewIndex files the lists. It parses them, but compiles nothing.
func NewIndex(lists []*List) *Index {
	x := &Index{}
	x.group(lists)
	shared := make(map[key]int)
	for _, g := range x.groups {
		g.list.eachKey(func(k key) { shared[k]++ })
	}
	for i, g := range x.groups {
		x.file(int32(i), g.list, shared)
	}
	return x
}

// group brings equal lists together.
func (x *Index) group(lists []*List) {
	type identity struct {
		patterns string
		opts     Options
	}
	known := make(map[identity]int, len(lists))
	for i, l := range lists {
		id := identity{strings.Join(l.patterns, "\x00"), l.opts}
		at, ok := known[id]
		if !ok {
			at = len(x.groups)
			known[id] = at
			x.groups = append(x.groups, group{list: l})
		}
		x.groups[at].members = append(x.groups[at].members, int32(i))
	}
}

// eachKey calls f with every piece that the list's rules offer. Long lists
// offer none, because their rules are not kept.
func (l *List) eachKey(f func(key)) {
	p := l.program()
	if len(p.rules) > maxKept {
		return
	}
	for i := range p.rules {
		if r := &p.rules[i]; !r.negated {
			r.keys(p.mode, f)
		}
	}
}

// file enters one list under the rarest piece of each of its positive rules.
func (x *Index) file(group int32, l *List, shared map[key]int) {
	p := l.program()
	for i := range p.rules {
		r := &p.rules[i]
		if r.negated {
			continue
		}
		best, ok := key{}, false
		if len(p.rules) <= maxKept {
			best, ok = r.rarestKey(p.mode, shared)
		}
		if !ok {
			x.always = append(x.always, group)
			return
		}
		x.files[best.kind].file(best.text, group)
	}
}

// Match calls f with the position of each list that matches a file, in
// ascending order. Paths are as for [List.Match].
func (x *Index) Match(path string, f func(i int)) {
	if valid(path) {
		x.match(path, "", f)
	}
}

// MatchDir is like Match for a folder, as [List.MatchDir].
func (x *Index) MatchDir(path string, f func(i int)) {
	if valid(path) {
		x.match(path, "/", f)
	}
}

func (x *Index) match(path, suffix string, f func(i int)) {
	low := foldString(path)
	var asked, matched [32]int32 // room for the common case
	found := x.candidates(low, append(asked[:0], x.always...))
	slices.Sort(found)
	text := [...]string{folded: low + suffix, exact: exact.text(path) + suffix}
	lists := matched[:0]
	for _, i := range slices.Compact(found) {
		g := &x.groups[i]
		if g.list.program().matches(text[g.list.mode()]) {
			lists = append(lists, g.members...)
		}
	}
	slices.Sort(lists)
	for _, i := range lists {
		f(int(i))
	}
}

// candidates appends the groups filed under any piece that path shows.
func (x *Index) candidates(path string, found []int32) []int32 {
	start := 0
	for dirs := 0; start <= len(path); dirs++ {
		end := len(path)
		if i := strings.IndexByte(path[start:], '/'); i >= 0 {
			end = start + i
		}
		if dirs < maxKeyDirs {
			found = append(found, x.files[keyDirs].groups[path[:end]]...)
		}
		found = x.segment(path[start:end], found)
		start = end + 1
	}
	return found
}

// segment appends the groups filed under a piece of one segment.
func (x *Index) segment(name string, found []int32) []int32 {
	found = append(found, x.files[keyWhole].groups[name]...)
	starts, ends := &x.files[keyStart], &x.files[keyEnd]
	for n := 1; n <= min(len(name), maxKeyBytes); n++ {
		if starts.has(n) {
			found = append(found, starts.groups[name[:n]]...)
		}
		if ends.has(n) {
			found = append(found, ends.groups[name[len(name)-n:]]...)
		}
	}
	if inner := x.files[keyInner].groups; inner != nil {
		for n := keyInnerBytes; n <= len(name); n++ {
			found = append(found, inner[name[n-keyInnerBytes:n]]...)
		}
	}
	return found
}
