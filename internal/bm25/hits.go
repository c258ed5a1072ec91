package bm25

import "cmp"

// Hits are the documents that were found, best first. They are for one
// goroutine; the index may be used meanwhile.
type Hits struct {
	scores []float64
	heap   []uint32 // documents, a heap with the best first
}

// Next returns the position of the next best document among those the index was
// built of, and its score; ok is false when there is none left. Scores are more
// than 0 and finite. An exact name comes first, a document's own before others;
// of equal scores the lower position comes first. The nth call costs time in
// proportion to the logarithm of the number of hits.
//
// Scores can be compared with others for the same index and query only.
func (h *Hits) Next() (doc int, score float64, ok bool) {
	if len(h.heap) == 0 {
		return 0, 0, false
	}
	best, last := h.heap[0], len(h.heap)-1
	h.heap[0] = h.heap[last]
	h.heap = h.heap[:last]
	h.sink(0)
	return int(best), h.scores[best], true
}

// collect makes the heap of what has a score.
func (h *Hits) collect() {
	n := 0
	for _, s := range h.scores {
		if s > 0 {
			n++
		}
	}
	h.heap = make([]uint32, 0, n)
	for doc, s := range h.scores {
		if s > 0 {
			h.heap = append(h.heap, uint32(doc))
		}
	}
	for i := n/2 - 1; i >= 0; i-- {
		h.sink(i)
	}
}

// sink moves the document at i down to where it belongs.
func (h *Hits) sink(i int) {
	for {
		child := 2*i + 1
		if child >= len(h.heap) {
			return
		}
		if right := child + 1; right < len(h.heap) && h.before(right, child) {
			child = right
		}
		if !h.before(child, i) {
			return
		}
		h.heap[i], h.heap[child] = h.heap[child], h.heap[i]
		i = child
	}
}

// before reports whether the document at i is better than that at j.
func (h *Hits) before(i, j int) bool {
	a, b := h.heap[i], h.heap[j]
	return cmp.Or(cmp.Compare(h.scores[b], h.scores[a]), cmp.Compare(a, b)) < 0
}
