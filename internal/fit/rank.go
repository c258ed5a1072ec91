package fit

import (
	"cmp"
	"slices"
)

// reserve is the part of the room kept for entries never used, one in so many:
// a skill that cannot be seen is never used either.
const reserve = 5

// shareByRank gives used entries, best first, as much text as there is, and
// keeps a part for those never used (02 §2):
//
//   - Every text is sure of level Min.
//   - Those never used share a fifth of the room at a common level: more only
//     where Min asks for it or the used ones need less than the rest, less
//     only where the used ones need it for Min.
//   - Of the rest each used entry takes what it can beyond Min, in order.
func (c *cutter) shareByRank(used, never []int) {
	least := c.total(used, c.opts.Min)
	kept := max(
		c.total(never, c.opts.Min),
		min(c.room/reserve, c.room-least),
		c.room-c.total(used, c.longest),
	)
	c.plan.Level = c.opts.Min
	if len(never) > 0 {
		c.giveAll(never, c.level(never, kept), kept)
	}
	c.room -= least
	for _, i := range used {
		c.room += c.charge(i, c.opts.Min)
		c.give(i, c.widest(i, min(c.lens[i], c.room)))
	}
}

// byUse splits ids into those used, best first and equal ones in their order,
// and those never used. Without Ranked none counts as used.
func (f *fitter) byUse(ids []int) (used, never []int) {
	if !f.opts.Ranked {
		return nil, ids
	}
	for _, i := range ids {
		if f.entries[i].Score > 0 {
			used = append(used, i)
		} else {
			never = append(never, i)
		}
	}
	slices.SortStableFunc(used, func(a, b int) int { return cmp.Compare(f.entries[b].Score, f.entries[a].Score) })
	return used, never
}
