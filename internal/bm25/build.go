package bm25

import (
	"cmp"
	"slices"
	"strings"
)

// Fresh returns the positions of the documents that [Build] would read, the
// first of each key.
func Fresh(prev *Index, docs []Doc) []int {
	if prev == nil {
		prev = new(Index)
	}
	p := newPlan(prev, docs)
	out := make([]int, len(p.fresh))
	for i, at := range p.fresh {
		out[i] = int(at)
	}
	return out
}

// Build returns the index of docs. Of documents whose key prev holds it takes
// what prev knows; prev may be nil and does not change. The result is the same
// as without prev.
func Build(prev *Index, docs []Doc) *Index {
	if prev == nil {
		prev = new(Index)
	}
	p := newPlan(prev, docs)
	r, found := newReader(), new(reading)
	for _, at := range p.fresh {
		r.read(&docs[at], found)
	}
	b := &builder{prev: prev, plan: p, terms: r.terms, found: found}
	x := &Index{keys: p.keys, lens: make([]uint32, len(docs))}
	b.describe(x, docs)
	b.number(x)
	b.post(x)
	return x
}

// A builder puts the index before and new documents together.
type builder struct {
	prev  *Index
	plan  *plan
	terms []string // of new documents, in the order of reading
	found *reading

	oldTo, newTo []int32 // numbers in the new index of old and of new terms
}

// describe fills in what is known of each document besides its terms.
func (b *builder) describe(x *Index, docs []Doc) {
	for old, first := range b.plan.kept {
		for at := range b.plan.places(first) {
			x.lens[at] = b.prev.lens[old]
		}
	}
	for _, c := range b.prev.called {
		for at := range b.plan.places(b.plan.kept[c.doc]) {
			x.called = append(x.called, called{c.name, uint32(at), c.own})
		}
	}
	for i, first := range b.plan.fresh {
		for at := range b.plan.places(first) {
			x.lens[at] = b.found.lens[i]
			x.called = docs[first].appendCalled(x.called, uint32(at))
		}
	}
	slices.SortFunc(x.called, called.compare)
	x.called = slices.Clip(slices.CompactFunc(x.called, func(c, d called) bool { return c.name == d.name && c.doc == d.doc }))
	sum := 0.0
	for _, n := range x.lens {
		sum += float64(n)
	}
	x.mean = sum / max(1, float64(len(x.lens)))
}

// number gives the terms that documents have their numbers, and room to their
// postings.
func (b *builder) number(x *Index) {
	kept, fresh := b.countKept(), b.countFresh()
	b.oldTo, b.newTo = make([]int32, len(kept)), make([]int32, len(fresh))
	order := b.order()
	var text []byte
	end := 0
	for old, i := 0, 0; old < len(kept) || i < len(order); {
		n, term := 0, ""
		c := b.compare(old, i, order)
		if c <= 0 {
			term, n = b.prev.terms.at(old), kept[old]
			b.oldTo[old] = int32(len(x.ends))
			old++
		}
		if c >= 0 {
			term, n = b.terms[order[i]], n+fresh[order[i]]
			b.newTo[order[i]] = int32(len(x.ends))
			i++
		}
		if n == 0 {
			continue // no document has the term any more, nor has it postings to move
		}
		text = append(text, term...)
		x.terms.ends = append(x.terms.ends, len(text))
		end += n
		x.ends = append(x.ends, end)
	}
	x.terms.text = string(text)
	x.terms.ends, x.ends = slices.Clip(x.terms.ends), slices.Clip(x.ends)
}

// compare compares the old term with the one at order[i]; what is past its end
// comes last.
func (b *builder) compare(old, i int, order []uint32) int {
	switch {
	case i == len(order):
		return -1
	case old == len(b.prev.ends):
		return 1
	}
	return strings.Compare(b.prev.terms.at(old), b.terms[order[i]])
}

// order returns the new terms sorted.
func (b *builder) order() []uint32 {
	order := make([]uint32, len(b.terms))
	for i := range order {
		order[i] = uint32(i)
	}
	slices.SortFunc(order, func(i, j uint32) int { return cmp.Compare(b.terms[i], b.terms[j]) })
	return order
}

// countKept returns how many postings of each old term stay.
func (b *builder) countKept() []int {
	out := make([]int, len(b.prev.ends))
	for t := range out {
		docs, _ := b.prev.postings(t)
		for _, doc := range docs {
			for at := b.plan.kept[doc]; at != none; at = b.plan.next[at] {
				out[t]++
			}
		}
	}
	return out
}

// countFresh returns how many postings each new term gets from new documents.
func (b *builder) countFresh() []int {
	out := make([]int, len(b.terms))
	from := 0
	for i, to := range b.found.ends {
		n := 0
		for range b.plan.places(b.plan.fresh[i]) {
			n++
		}
		for _, id := range b.found.terms[from:to] {
			out[id] += n
		}
		from = to
	}
	return out
}

// post fills in the postings.
func (b *builder) post(x *Index) {
	size := 0
	if n := len(x.ends); n > 0 {
		size = x.ends[n-1]
	}
	x.posts, x.weights = make([]uint32, size), make([]uint16, size)
	free := make([]int, len(x.ends)) // the next free place of each term
	if len(free) > 0 {
		copy(free[1:], x.ends)
	}
	for t, to := range b.oldTo {
		docs, weights := b.prev.postings(t)
		for i, doc := range docs {
			for at := b.plan.kept[doc]; at != none; at = b.plan.next[at] {
				x.posts[free[to]], x.weights[free[to]] = uint32(at), weights[i]
				free[to]++
			}
		}
	}
	from := 0
	for i, end := range b.found.ends {
		for at := range b.plan.places(b.plan.fresh[i]) {
			for j := from; j < end; j++ {
				to := b.newTo[b.found.terms[j]]
				x.posts[free[to]], x.weights[free[to]] = uint32(at), b.found.weights[j]
				free[to]++
			}
		}
		from = end
	}
}
