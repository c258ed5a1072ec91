package skills

import (
	"fmt"
	"maps"
	"slices"

	"github.com/seed-12b313d8/skills/internal/guard"
	"github.com/seed-12b313d8/skills/internal/rule"
)

// A Policy says which skills may run and what they may be given. Listing,
// touch, menu, search, explain and permit read the same value. The zero Policy
// allows skills that ask for nothing and asks about the others (04 §5).
type Policy struct {
	// Allow are the rules for what may run without a question. They compare
	// names exactly.
	Allow []Rule
	// Ask are the rules for what somebody must approve. They beat Allow,
	// whatever the order, and like Deny compare names without letter case.
	Ask []Rule
	// Deny are the rules for what may not run. They beat all others.
	Deny []Rule
	// DefaultDeny asks for an Allow rule even where a skill asks for nothing:
	// with it, Allow is the list of what may run without a question. In
	// Options.Policy, it makes the Allow rules of sessions count for nothing.
	DefaultDeny bool
	// StrictPrefix lets Skill(prefix:*) end at a word boundary only, in Allow;
	// in Ask and Deny it stays a plain prefix.
	StrictPrefix bool
	// Overrides change who sees a skill, by name or qualified name; the bare
	// name reaches nested skills too (01 §7).
	Overrides map[string]Visibility
	// Only lists the names the model may see and call; nil is all of them.
	Only []string
	// NeverGrant lists tools that no skill may grant, e.g. the one that asks
	// the user. It names tools without arguments.
	NeverGrant []string
	// Trust, if not nil, may take trust away from a trusted skill. It cannot
	// give any. It must be cheap; a panic counts as false.
	Trust func(*Skill) bool
}

// A Visibility is an override of who sees a skill.
type Visibility string

// The overrides of 01 §7. Any other value counts as VisibleOff.
const (
	VisibleOn       Visibility = "on"        // as its file says
	VisibleNameOnly Visibility = "name-only" // the model sees the bare name
	VisibleUserOnly Visibility = "user-only" // only the user sees and runs it
	VisibleOff      Visibility = "off"       // nobody does
)

func (v Visibility) rank() int {
	return slices.Index([]Visibility{VisibleOff, VisibleUserOnly, VisibleNameOnly, VisibleOn}, v)
}

// clone returns a copy that shares no slice or map with p.
func (p *Policy) clone() Policy {
	c := *p
	for _, l := range []*[]Rule{&c.Allow, &c.Ask, &c.Deny} {
		*l = slices.Clone(*l)
	}
	c.Overrides = maps.Clone(p.Overrides)
	c.Only, c.NeverGrant = slices.Clone(p.Only), slices.Clone(p.NeverGrant)
	return c
}

// over returns p on top of floor, which p can only narrow. Deny and Ask rules
// of both count and beat every Allow rule of either (04 §5). Under a floor of
// DefaultDeny only the floor's own Allow rules count.
func (p *Policy) over(floor *Policy) *Policy {
	m := p.clone()
	if floor.DefaultDeny {
		m.Allow = slices.Clone(floor.Allow)
	} else {
		m.Allow = append(m.Allow, floor.Allow...)
	}
	m.Ask = append(m.Ask, floor.Ask...)
	m.Deny = append(m.Deny, floor.Deny...)
	m.DefaultDeny = p.DefaultDeny || floor.DefaultDeny
	m.StrictPrefix = p.StrictPrefix || floor.StrictPrefix
	m.NeverGrant = append(m.NeverGrant, floor.NeverGrant...)
	m.Only = intersect(p.Only, floor.Only)
	for name, v := range floor.Overrides {
		if have, ok := m.Overrides[name]; ok && have.rank() < v.rank() {
			continue
		}
		if m.Overrides == nil {
			m.Overrides = make(map[string]Visibility, len(floor.Overrides))
		}
		m.Overrides[name] = v
	}
	if a, b := p.Trust, floor.Trust; b != nil {
		m.Trust = func(s *Skill) bool { return b(s) && (a == nil || a(s)) }
	}
	return &m
}

// intersect returns what a and b have in common, where nil means everything.
func intersect(a, b []string) []string {
	switch {
	case a == nil:
		return slices.Clone(b)
	case b == nil:
		return slices.Clone(a)
	}
	return slices.DeleteFunc(slices.Clone(a), func(s string) bool { return !slices.Contains(b, s) })
}

// visibility returns the override for s, VisibleOn without one. Overrides name
// a skill by any name that rules know it by.
func (p *Policy) visibility(s *Skill) Visibility {
	if len(p.Overrides) == 0 {
		return VisibleOn
	}
	strictest := VisibleOn
	names := []string{s.Name, s.qualified()}
	if s.Origin == OriginProject && s.Owner != "" {
		names = append(names, s.bare()) // nested
	}
	for _, name := range names {
		if v, ok := p.Overrides[name]; ok && v.rank() < strictest.rank() {
			strictest = v
		}
	}
	if strictest.rank() < 0 {
		return VisibleOff
	}
	return strictest
}

// trusts reports whether s is trusted under p (00, trust matrix).
func (p *Policy) trusts(s *Skill) bool {
	if !s.Trusted || s.Degraded {
		return false
	}
	if p.Trust == nil {
		return true
	}
	ok, err := guard.Call("Policy.Trust", func() (bool, error) { return p.Trust(s), nil })
	return ok && err == nil
}

// A Rule is one parsed permission rule. The zero Rule matches nothing.
type Rule struct{ rule rule.Rule }

// ParseRules parses permission rules (04 §5):
//
//	Skill  Skill(*)    every skill
//	Skill(name)        that skill, with or without arguments; /name too
//	Skill(prefix:*)    every skill whose name begins with prefix
//	Skill(name *)      the same, but only where a word ends after name
//
// White space is normalised. Rules of other tools parse too, and match no
// skill; in Deny those of Bash and PowerShell, such as Bash(git push *), match
// the commands of skills. A rule that does not parse is an error with
// [CodeInvalid], and none is returned.
func ParseRules(rules ...string) ([]Rule, error) {
	out := make([]Rule, 0, len(rules))
	for _, text := range rules {
		r, err := rule.Parse(text)
		if err != nil {
			e := newError(CodeInvalid, fmt.Sprintf("the permission rule %q does not parse", text), "write Skill, Skill(name), Skill(prefix:*) or Skill(name *)")
			return nil, e.in("rule").asked(text).because(err)
		}
		out = append(out, Rule{r})
	}
	return out, nil
}

// String returns the rule as text that [ParseRules] takes.
func (r Rule) String() string { return r.rule.String() }
