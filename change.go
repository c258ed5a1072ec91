package skills

import (
	"slices"

	"github.com/seed-12b313d8/skills/internal/changes"
)

// A Change says what a reload changed. All names are sorted; a rename is one
// removal and one addition. Nested skills go by their qualified names, such as
// "apps/web:deploy".
type Change struct {
	// Added are the names nothing stood for before.
	Added []string
	// Changed are the names that stand for another version or another skill.
	Changed []string
	// Removed are the names nothing stands for any more.
	Removed []string
	// Generation is that of the snapshot which holds the change.
	Generation uint64
	// Issues are those that were not there before.
	Issues []Issue
}

func (c Change) empty() bool {
	return len(c.Added) == 0 && len(c.Changed) == 0 && len(c.Removed) == 0
}

// compare says what m changes about the skills of old.
func compare(old *Snapshot, m merged) Change {
	if slices.Equal(old.skills, m.skills) {
		return Change{}
	}
	return difference(byName(old.skills), byName(m.skills))
}

func byName(list []*Skill) map[string][]*Skill {
	out := make(map[string][]*Skill, len(list))
	for i, s := range list {
		out[s.Name] = list[i : i+1]
	}
	return out
}

// difference says what became of the skills that names stand for.
func difference(was, now map[string][]*Skill) Change {
	var c Change
	c.set(changes.Between(was, now))
	return c
}

func (c *Change) set(n changes.Names) { c.Added, c.Changed, c.Removed = n.Added, n.Changed, n.Removed }

func (c *Change) names() changes.Names {
	return changes.Names{Added: c.Added, Changed: c.Changed, Removed: c.Removed}
}

// clone returns a copy that shares nothing with c.
func (c Change) clone() Change {
	c.Added, c.Changed, c.Removed = slices.Clone(c.Added), slices.Clone(c.Changed), slices.Clone(c.Removed)
	c.Issues = slices.Clone(c.Issues)
	return c
}

// then returns c and d, which came later, as one change.
func (c Change) then(d Change) Change {
	out := Change{Generation: max(c.Generation, d.Generation), Issues: changes.Unique(slices.Concat(c.Issues, d.Issues))}
	out.set(c.names().Then(d.names()))
	return out
}
