package skills

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/seed-12b313d8/skills/internal/changes"
	"github.com/seed-12b313d8/skills/internal/paths"
)

// ranks numbers the origins by precedence, 0 for the highest.
type ranks map[Origin]int

func rankOrigins(order []Origin) ranks {
	r := make(ranks)
	for _, o := range append(slices.Clone(order), defaultOrder()...) {
		if _, ok := r[o]; !ok {
			r[o] = len(r)
		}
	}
	return r
}

func (r ranks) of(o Origin) int {
	if rank, ok := r[o]; ok {
		return rank
	}
	return len(r)
}

func badName(name, path string, line int, why string) Issue {
	return Issue{
		Code: "bad-name", Severity: sevError, Skill: name, Path: path, Line: line,
		Msg: "the name cannot be used: " + why, Hint: "rename it; letters, digits and hyphens always work",
	}
}

// merged is what the sources amount to: the content of a snapshot.
type merged struct {
	skills, shadowed []*Skill
	issues           []Issue
}

// ranked is a skill with the place of its source in the order of precedence.
type ranked struct {
	*Skill
	origin, source int
}

// merge applies precedence to what all sources hold (01 §7): one skill for a
// real path, then one for a name. The result does not depend on the order in
// which anything was read.
func (r *Registry) merge() merged {
	var m merged
	var all []ranked
	for i, s := range r.sources {
		if s.err != nil {
			m.issues = append(m.issues, unreadableSource(s))
		}
		if !r.loc.allows(s.info.Origin) {
			continue
		}
		rank := r.order.of(s.info.Origin)
		for _, sk := range s.loaded.Skills {
			if r.drops(sk) {
				continue
			}
			all = append(all, ranked{sk, rank, i})
		}
		m.issues = append(m.issues, s.loaded.Issues...)
	}
	slices.SortStableFunc(all, func(a, b ranked) int {
		return cmp.Or(
			cmp.Compare(a.origin, b.origin), cmp.Compare(a.source, b.source),
			strings.Compare(a.Name, b.Name), -strings.Compare(a.Layout, b.Layout), strings.Compare(a.Path, b.Path),
		) // of one name in one source a skill comes before a command (01 §5)
	})
	m.pick(all)
	r.sortSkills(m.skills)
	m.issues = changes.Unique(append(m.issues, r.polling...))
	return m
}

// sortSkills puts skills into listing order: origin rank, then name, then path.
func (r *Registry) sortSkills(list []*Skill) {
	slices.SortStableFunc(list, func(a, b *Skill) int {
		return cmp.Or(
			cmp.Compare(r.order.of(a.Origin), r.order.of(b.Origin)),
			strings.Compare(a.Name, b.Name), strings.Compare(a.Path, b.Path),
		)
	})
}

// drops reports whether an option keeps s out.
func (r *Registry) drops(s *Skill) bool {
	return s.Degraded && r.opts.SkipDegraded ||
		s.Origin == OriginBundled && slices.Contains(r.loc.Disabled, s.Name)
}

// pick keeps the first of each real path and name; all is in order of precedence.
func (m *merged) pick(all []ranked) {
	files := make(paths.Set, len(all))
	byName := make(map[string]*Skill, len(all))
	m.skills = make([]*Skill, 0, len(all))
	for _, s := range all {
		if files.Add(s.RealPath) || byName[s.Name] == s.Skill {
			continue
		}
		winner := byName[s.Name]
		if winner == nil {
			byName[s.Name] = s.Skill
			m.skills = append(m.skills, s.Skill)
			continue
		}
		m.shadowed = append(m.shadowed, s.Skill)
		m.issues = append(m.issues, shadowedIssue(s.Skill, winner))
	}
	for _, s := range m.skills {
		for _, alias := range s.Aliases {
			if other := byName[alias]; other != nil && other != s {
				m.issues = append(m.issues, hiddenAlias(s, alias, other))
			}
		}
	}
}

func hiddenAlias(s *Skill, alias string, other *Skill) Issue {
	msg := fmt.Sprintf("the alias %q is the name of the %s skill at %s, which it does not reach past", alias, other.Origin, other.where())
	return s.warning("alias-hidden", "aliases", msg, "choose another alias")
}

func shadowedIssue(s, winner *Skill) Issue {
	msg := "shadowed by the " + string(winner.Origin) + " skill of the same name at " + winner.where()
	return s.warning("shadowed", "", msg, "rename one of them, or change the order of precedence")
}

// where says where s is, for people.
func (s *Skill) where() string { return cmp.Or(s.Path, s.Source) }
