package skills

import (
	"slices"
	"strings"

	"github.com/seed-12b313d8/skills/internal/names"
)

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
		if c.Origin != OriginRemote && strings.HasPrefix(c.qualified(), names.Reserved) { // by its owner
			out.Issues = append(out.Issues, badName(c.qualified(), sk.Path, 0, names.Check(names.Reserved)))
			continue
		}
		if len(c.AllowedTools) < len(sk.AllowedTools) || len(c.Hooks) < len(sk.Hooks) {
			msg := "its tools and hooks were dropped: " + string(s.info.Origin) + " skills are granted nothing"
			out.Issues = append(out.Issues, c.warning("grants-dropped", "", msg, "give them in a skill of your own"))
		}
		if c != sk {
			memo[sk] = c
		}
		out.Skills = append(out.Skills, c)
	}
	s.loaded, s.raw, s.stamped = out, l, memo
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
	if i.Owner != "" && s.plugin == nil {
		want.Owner = i.Owner
	}
	want.Trusted = i.trusts() && !s.Degraded
	want.Name = names.Normalize(s.Name)
	if i.textOnly() {
		want.AllowedTools, want.DisallowedTools, want.Hooks = nil, nil, nil
		want.Model, want.Effort, want.Agent, want.Shell = "", "", "", ""
		want.Mode, want.Background = ModeInline, nil
		want.Dir, want.Path, want.RealPath, want.place, want.plugin = "", "", "", nil, nil
		want.Aliases = nil  // which would come before the labels of others
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
	return i.Origin.foreign() || !slices.Contains(defaultOrder(), i.Origin)
}

// sameStamp reports whether o carries what clamp decides about already.
func (s *Skill) sameStamp(o *Skill) bool {
	return s.Name == o.Name && s.DisplayName == o.DisplayName && s.Origin == o.Origin && s.Source == o.Source && s.Owner == o.Owner &&
		s.Trusted == o.Trusted && s.Mode == o.Mode && s.Background == o.Background &&
		s.Model == o.Model && s.Effort == o.Effort && s.Agent == o.Agent && s.Shell == o.Shell &&
		s.DisableModelInvocation == o.DisableModelInvocation &&
		len(s.AllowedTools) == len(o.AllowedTools) && len(s.Hooks) == len(o.Hooks)
}
