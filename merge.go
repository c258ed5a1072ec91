package skills

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/seed-12b313d8/skills/internal/names"
)

// rankOrigins numbers the origins by precedence.
func rankOrigins(order []Origin) map[Origin]int {
	ranks := make(map[Origin]int)
	for _, o := range append(slices.Clone(order), defaultOrder()...) {
		if _, ok := ranks[o]; !ok {
			ranks[o] = len(ranks)
		}
	}
	return ranks
}

// stamp keeps l as the source's result, with origin, trust and the limits of
// the trust matrix stamped on every skill. Skills that already carry them are
// kept as they are; others are cloned once, so that an unchanged skill stays
// the same pointer across reloads.
func (s *sourceState) stamp(l Loaded) {
	l = s.keepGood(l)
	out := Loaded{Skills: make([]*Skill, 0, len(l.Skills)), Issues: slices.Clone(l.Issues)}
	memo := make(map[*Skill]*Skill)
	for _, sk := range l.Skills {
		if sk == nil {
			continue
		}
		if why := names.CheckQualified(sk.Name); why != "" && !reservedFor(s.info.Origin, sk.Name) {
			out.Issues = append(out.Issues, badName(sk.Name, sk.Path, 0, why))
			continue
		}
		c := s.stamped[sk]
		if c == nil {
			c = s.info.clamp(sk)
		}
		if len(c.AllowedTools) < len(sk.AllowedTools) || len(c.Hooks) < len(sk.Hooks) {
			out.Issues = append(out.Issues, Issue{
				Code: "grants-dropped", Severity: sevWarning, Skill: c.Name, Path: c.Path,
				Msg: "its tools and hooks were dropped: " + string(s.info.Origin) + " skills are granted nothing", Hint: "give them in a skill of your own",
			})
		}
		if c != sk {
			memo[sk] = c
		}
		out.Skills = append(out.Skills, c)
	}
	s.loaded, s.raw, s.stamped = out, l, memo
}

// keepGood returns l with the last good version of each file that is broken
// now: one that would load degraded, be skipped with an error, or is empty
// (03 W5).
func (s *sourceState) keepGood(l Loaded) Loaded {
	broken := make(map[string]bool)
	for _, i := range l.Issues {
		if i.Severity == sevError && i.Code != "escapes-root" {
			broken[i.Path] = true
			if dir, ok := cutSkillFile(i.Path); ok {
				broken[dir] = true
			}
		}
	}
	for _, sk := range l.Skills {
		if sk != nil && sk.blank { // an editor cuts a file to nothing before it writes
			broken[sk.fileKey()] = true
		}
	}
	if len(broken) == 0 {
		return l
	}
	now := make(map[string]int, len(l.Skills))
	for i, sk := range l.Skills {
		if sk != nil {
			now[sk.fileKey()] = i + 1
		}
	}
	l.Skills, l.Issues = slices.Clone(l.Skills), slices.Clone(l.Issues)
	for _, was := range s.raw.Skills {
		if was == nil || was.Degraded || was.blank || was.fileKey() == "" {
			continue
		}
		if !onBrokenPath(was.fileKey(), broken) {
			continue
		}
		switch at := now[was.fileKey()]; {
		case at == 0:
			l.Skills = append(l.Skills, was)
		case l.Skills[at-1].Degraded, l.Skills[at-1].blank:
			l.Skills[at-1] = was
		default:
			continue
		}
		l.Issues = append(l.Issues, Issue{
			Code: "kept-last-good", Severity: sevInfo, Skill: was.Name, Path: was.fileKey(),
			Msg: "the skill is kept as it was before the file broke", Hint: "mend the file, or remove it",
		})
	}
	return l
}

// onBrokenPath reports whether path or a folder above it is broken.
func onBrokenPath(path string, broken map[string]bool) bool {
	for path != "" {
		if broken[path] {
			return true
		}
		path = path[:max(0, strings.LastIndexAny(path, `/\`))]
	}
	return false
}

// cutSkillFile returns the folder of a SKILL.md in any letter case.
func cutSkillFile(path string) (dir string, ok bool) {
	n := len(path) - len(skillFile) - 1
	if n < 0 || !strings.EqualFold(path[n+1:], skillFile) {
		return "", false
	}
	return path[:n], true
}

// reservedFor reports whether name is the kind of name only remote skills have.
func reservedFor(o Origin, name string) bool {
	slug, ok := strings.CutPrefix(name, names.Reserved)
	return ok && o == OriginRemote && names.Check(slug) == ""
}

// clamp returns s as the source may give it: s itself where nothing has to
// change, a clone otherwise. What an origin may not do is taken away whatever
// the source claims (00, trust matrix).
func (i SourceInfo) clamp(s *Skill) *Skill {
	want := *s
	want.Origin, want.Source = i.Origin, i.ID
	if i.Owner != "" {
		want.Owner = i.Owner
	}
	want.Trusted = i.trusts() && !s.Degraded
	want.Name = names.Normalize(s.Name)
	if i.textOnly() {
		want.AllowedTools, want.DisallowedTools, want.Hooks = nil, nil, nil
		want.Model, want.Effort, want.Agent, want.Shell = "", "", "", ""
		want.Mode, want.Background = ModeInline, nil
		want.Dir, want.Path, want.RealPath, want.place, want.plugin = "", "", "", nil, nil
		return want.Clone() // whatever the source does with its own value later
	}
	if s.Degraded {
		want.DisableModelInvocation = true
		want.AllowedTools, want.Hooks = nil, nil
		want.Model, want.Effort, want.Agent, want.Shell = "", "", "", ""
		want.Mode, want.Background = ModeInline, nil
	}
	want.DisplayName = names.Normalize(s.DisplayName)
	if !slices.ContainsFunc(s.Aliases, func(a string) bool { return names.Normalize(a) != a }) && want.sameStamp(s) {
		return s
	}
	c := want.Clone()
	for i, a := range c.Aliases {
		c.Aliases[i] = names.Normalize(a)
	}
	return c
}

// textOnly reports whether skills of this origin are nothing but text: MCP and
// remote ones, and those of an origin nobody knows.
func (i SourceInfo) textOnly() bool {
	return i.Origin == OriginMCP || !slices.Contains(defaultOrder(), i.Origin) || i.Origin == OriginRemote
}

// sameStamp reports whether o carries what clamp decides about already.
func (s *Skill) sameStamp(o *Skill) bool {
	return s.Name == o.Name && s.DisplayName == o.DisplayName && s.Origin == o.Origin && s.Source == o.Source && s.Owner == o.Owner &&
		s.Trusted == o.Trusted && s.Mode == o.Mode && s.Background == o.Background &&
		s.Model == o.Model && s.Effort == o.Effort && s.Agent == o.Agent && s.Shell == o.Shell &&
		s.DisableModelInvocation == o.DisableModelInvocation &&
		len(s.AllowedTools) == len(o.AllowedTools) && len(s.Hooks) == len(o.Hooks)
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
		rank := r.rank(s.info.Origin)
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
			strings.Compare(a.Name, b.Name), strings.Compare(a.Path, b.Path),
		)
	})
	m.pick(all)
	r.sortSkills(m.skills)
	m.issues = dedupIssues(m.issues)
	return m
}

// rank returns the precedence of origin o, 0 for the highest.
func (r *Registry) rank(o Origin) int {
	if rank, ok := r.order[o]; ok {
		return rank
	}
	return len(r.order)
}

// sortSkills puts skills into listing order: origin rank, then name, then path.
func (r *Registry) sortSkills(list []*Skill) {
	slices.SortStableFunc(list, func(a, b *Skill) int {
		return cmp.Or(
			cmp.Compare(r.rank(a.Origin), r.rank(b.Origin)),
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
	files := make(fileSet, len(all))
	byName := make(map[string]*Skill, len(all))
	m.skills = make([]*Skill, 0, len(all))
	for _, s := range all {
		if files.has(s.Skill) || byName[s.Name] == s.Skill {
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

// A fileSet holds skills by their real path, letter case folded: whether two
// spellings are one file depends on the file system (01 §7.1).
type fileSet map[uint64][]*Skill

// has reports whether the file of s is in the set, and adds it if not.
func (f fileSet) has(s *Skill) bool {
	if s.RealPath == "" {
		return false
	}
	key := foldedHash(s.RealPath)
	for _, other := range f[key] {
		if other.RealPath == s.RealPath || strings.EqualFold(other.RealPath, s.RealPath) && sameFile(other, s) {
			return true
		}
	}
	f[key] = append(f[key], s)
	return false
}

// foldedHash is FNV-1a over path with ASCII letters in lower case.
func foldedHash(path string) uint64 {
	h := uint64(14695981039346656037)
	for i := range len(path) {
		c := path[i]
		switch {
		case 'A' <= c && c <= 'Z':
			c += 'a' - 'A'
		case c >= 0x80:
			continue // other letters may fold to another length
		}
		h = (h ^ uint64(c)) * 1099511628211
	}
	return h
}

func hiddenAlias(s *Skill, alias string, other *Skill) Issue {
	return Issue{
		Code: "alias-hidden", Severity: sevWarning, Skill: s.Name, Path: s.Path, Field: "aliases",
		Msg:  fmt.Sprintf("the alias %q is the name of the %s skill at %s, which it does not reach past", alias, other.Origin, other.where()),
		Hint: "choose another alias",
	}
}

func shadowedIssue(s, winner *Skill) Issue {
	return Issue{
		Code: "shadowed", Severity: sevWarning, Skill: s.Name, Path: s.Path,
		Msg:  "shadowed by the " + string(winner.Origin) + " skill of the same name at " + winner.where(),
		Hint: "rename one of them, or change the order of precedence",
	}
}

// where says where s is, for people.
func (s *Skill) where() string {
	if s.Path != "" {
		return s.Path
	}
	return s.Source
}

func dedupIssues(issues []Issue) []Issue {
	seen := make(map[Issue]bool, len(issues))
	return slices.DeleteFunc(issues, func(i Issue) bool {
		if seen[i] {
			return true
		}
		seen[i] = true
		return false
	})
}

// compare says what m changes about the skills of old.
func compare(old *Snapshot, m merged) Change {
	var c Change
	gone := maps.Clone(old.index.names)
	for _, s := range m.skills {
		was, ok := gone[s.Name]
		switch {
		case !ok:
			c.Added = append(c.Added, s.Name)
		case was != s:
			c.Changed = append(c.Changed, s.Name)
		}
		delete(gone, s.Name)
	}
	c.Removed = slices.Sorted(maps.Keys(gone))
	return c
}
