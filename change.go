package skills

import (
	"maps"
	"slices"
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
	for _, name := range slices.Sorted(maps.Keys(now)) {
		switch old := was[name]; {
		case old == nil:
			c.Added = append(c.Added, name)
		case !slices.Equal(old, now[name]):
			c.Changed = append(c.Changed, name)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(was)) {
		if now[name] == nil {
			c.Removed = append(c.Removed, name)
		}
	}
	return c
}

// clone returns a copy that shares nothing with c.
func (c Change) clone() Change {
	c.Added, c.Changed, c.Removed = slices.Clone(c.Added), slices.Clone(c.Changed), slices.Clone(c.Removed)
	c.Issues = slices.Clone(c.Issues)
	return c
}

// then returns c and d, which came later, as one change.
func (c Change) then(d Change) Change {
	type fate struct{ before, after bool } // whether a skill of the name was and is there
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
	for _, step := range []Change{c, d} {
		note(step.Added, fate{false, true})
		note(step.Changed, fate{true, true})
		note(step.Removed, fate{true, false})
	}
	out := Change{Generation: max(c.Generation, d.Generation), Issues: dedupIssues(slices.Concat(c.Issues, d.Issues))}
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
