package fit

import (
	"sort"

	"github.com/seed-12b313d8/skills/internal/line"
)

// prefixFrom is the level from which DropShared shortens like everything else:
// a cut that long keeps enough of a text to tell it apart.
const prefixFrom = 100

// A shortener makes the texts of tier Truncated. Below prefixFrom, and again
// from there on, more characters never make a text shorter.
type shortener interface {
	// charge is what entry i counts at a level while the level is sought; at
	// least the length of its text there, at most the level.
	charge(i, level int) int
	// length is the number of characters of text(i, n).
	length(i, n int) int
	// text is the text of entry i in at most n characters.
	text(i, n int) string
}

// A prefixer cuts at the end. It charges the level itself, so that the level
// is plain arithmetic and what word boundaries save is left over.
type prefixer struct {
	entries []Entry
	lens    []int
}

func (p *prefixer) charge(i, level int) int { return min(p.lens[i], level) }
func (p *prefixer) length(i, n int) int     { return line.CutLen(p.entries[i].Text, n) }
func (p *prefixer) text(i, n int) string    { return line.Cut(p.entries[i].Text, n) }

// A cutter shares out the room of tier Truncated.
type cutter struct {
	*fitter
	shortener
	ids     []int // entries that may be cut, in listing order
	longest int   // characters of the longest of their texts
	room    int   // characters not given to a text yet
	got     []int // characters each entry has
}

// truncate fills the plan for tier Truncated, or reports that the level would
// be too low.
func (f *fitter) truncate() bool {
	c := newCutter(f)
	if len(c.ids) == 0 {
		return false
	}
	level := c.commonLevel()
	if level < f.opts.Min {
		return false
	}
	used, never := c.byUse(c.ids)
	if len(used) > 0 && c.total(c.ids, f.opts.Min) <= c.room {
		c.shareByRank(used, never)
	} else {
		c.giveAll(c.ids, level, c.room)
	}
	c.spread(used)
	c.spread(never)
	f.plan.Used = f.opts.Budget - c.room
	return true
}

func newCutter(f *fitter) *cutter {
	c := &cutter{fitter: f, got: make([]int, len(f.entries)), room: f.opts.Budget - f.names}
	for i := range f.entries {
		if f.isCut(i) {
			c.ids = append(c.ids, i)
			c.longest = max(c.longest, f.lens[i])
			c.room -= f.entries[i].joint()
		}
	}
	if c.shortener = (&prefixer{f.entries, f.lens}); f.opts.DropShared {
		c.shortener = newDistinct(f)
	}
	return c
}

// commonLevel returns the level all texts can have; at most 0 without room.
func (c *cutter) commonLevel() int {
	if c.opts.EqualShare && !c.opts.Ranked {
		return c.room / len(c.ids)
	}
	return c.level(c.ids, c.room)
}

// level returns the largest level at which the texts of ids fit into room.
func (c *cutter) level(ids []int, room int) int {
	low, high := 0, c.longest
	if high >= prefixFrom && c.total(ids, prefixFrom) <= room {
		low = prefixFrom
	} else {
		high = min(high, prefixFrom-1)
	}
	return low + sort.Search(high-low, func(k int) bool { return c.total(ids, low+k+1) > room })
}

// total returns what the texts of ids are charged at a level.
func (c *cutter) total(ids []int, level int) int {
	sum := 0
	for _, i := range ids {
		sum += c.charge(i, level)
	}
	return sum
}

// giveAll gives ids their texts at a level that fits into room, rounded down
// to LevelStep but not below Min. Where shortening turns from words that tell
// skills apart to prefixes, a lower level may not fit; then it stays.
func (c *cutter) giveAll(ids []int, level, room int) {
	if step := c.opts.LevelStep; step > 1 {
		if low := max(level-level%step, c.opts.Min); c.total(ids, low) <= room {
			level = low
		}
	}
	c.plan.Level = level
	for _, i := range ids {
		c.give(i, level)
	}
}

// give replaces the text of entry i by the one of at most n characters.
func (c *cutter) give(i, n int) {
	text, state := c.text(i, n), StateCut
	length := line.Len(text)
	if length == c.lens[i] {
		state = StateFull
	}
	c.plan.Texts[i], c.plan.States[i] = text, state
	c.room += c.got[i] - length
	c.got[i] = length
}

// spread gives what is left to ids in their order, to each as much as it can
// use. One pass is enough: what an entry could not use then, it cannot use
// when less is left.
func (c *cutter) spread(ids []int) {
	for _, i := range ids {
		if c.got[i] == c.lens[i] || c.room == 0 {
			continue
		}
		if n := c.widest(i, c.got[i]+c.room); c.length(i, n) > c.got[i] {
			c.give(i, n)
		}
	}
}

// widest returns the n up to limit that makes the longest text of entry i.
func (c *cutter) widest(i, limit int) int {
	if c.opts.DropShared && limit >= prefixFrom && c.length(i, prefixFrom-1) > c.length(i, limit) {
		return prefixFrom - 1
	}
	return limit
}
