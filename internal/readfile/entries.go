package readfile

import (
	"slices"
	"strings"
)

// A collector keeps the max smallest of the entries it is given, in memory for
// twice as many.
type collector struct {
	max  int // below 1: no bound
	list []Entry
	last string // once full: nothing above this name can be in the result
	full bool   // an entry has been left out
}

// wants reports whether an entry called name may be in the result.
func (c *collector) wants(name string) bool {
	return !c.full || name < c.last
}

// add takes an entry.
func (c *collector) add(e Entry) {
	c.list = append(c.list, e)
	if c.max > 0 && len(c.list)/2 >= c.max {
		c.cut()
	}
}

// cut sorts the list and drops all beyond max.
func (c *collector) cut() {
	slices.SortFunc(c.list, func(a, b Entry) int { return strings.Compare(a.Name, b.Name) })
	if c.max < 1 || len(c.list) <= c.max {
		return
	}
	clear(c.list[c.max:])
	c.list = c.list[:c.max]
	c.last, c.full = c.list[c.max-1].Name, true
}

// result returns the sorted entries and whether there were more.
func (c *collector) result() (list []Entry, more bool) {
	c.cut()
	return c.list, c.full
}
