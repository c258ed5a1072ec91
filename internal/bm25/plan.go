package bm25

import "reflect"

// none ends a chain of documents.
const none = -1

// A plan says where the documents of a new index come from. A document may be
// in several places: they are chained.
type plan struct {
	kept  []int32 // first place of each document of the index before, or none
	fresh []int32 // first places of the documents that have to be read
	next  []int32 // the next place with the document of each place, or none
	keys  []any   // of each place
}

func newPlan(prev *Index, docs []Doc) *plan {
	p := &plan{
		kept: make([]int32, len(prev.keys)),
		next: make([]int32, len(docs)),
		keys: make([]any, len(docs)),
	}
	known := make(map[any]int32, len(prev.keys)) // places in prev
	for i, k := range prev.keys {
		p.kept[i] = none
		if k != nil {
			known[k] = int32(i)
		}
	}
	read := make(map[any]int32) // new keys, by first place
	for i := range docs {
		p.keys[i] = usable(docs[i].Key)
		p.place(int32(i), known, read)
	}
	return p
}

// place says where the document at one place comes from.
func (p *plan) place(at int32, known, read map[any]int32) {
	key := p.keys[at]
	p.next[at] = none
	if key != nil {
		if old, ok := known[key]; ok {
			p.next[at], p.kept[old] = p.kept[old], at
			return
		}
		if first, ok := read[key]; ok {
			p.next[at], p.next[first] = p.next[first], at
			return
		}
		read[key] = at
	}
	p.fresh = append(p.fresh, at)
}

// usable returns key, or nil if it cannot be compared.
func usable(key any) any {
	if key != nil && !reflect.ValueOf(key).Comparable() {
		return nil
	}
	return key
}

// places yields the chain that begins at a place.
func (p *plan) places(first int32) func(yield func(int32) bool) {
	return func(yield func(int32) bool) {
		for at := first; at != none && yield(at); at = p.next[at] {
		}
	}
}
