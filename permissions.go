package skills

import (
	"slices"
	"strings"
)

// A verdict is the answer of the permission rules to one call.
type verdict struct {
	decision decision
	reasons  []string
	byRule   bool // a rule or DefaultDeny decided, not what the skill asks for
}

type decision uint8

const (
	decideAsk decision = iota // the zero verdict asks
	decideAllow
	decideDeny
)

// decide answers whether s may run (04 §5, steps 1 to 6, without the caller's
// consent). It looks at nothing but s and p.
func (p *Policy) decide(s *Skill) verdict {
	if r, ok := p.denied(s); ok {
		return verdict{decision: decideDeny, reasons: []string{"denied by the rule " + r.String()}, byRule: true}
	}
	for _, r := range p.Ask {
		if r.matchesAny(s) {
			return verdict{decision: decideAsk, reasons: []string{"the rule " + r.String() + " asks first"}, byRule: true}
		}
	}
	if s.Origin == OriginRemote && !p.DefaultDeny {
		return verdict{decision: decideAllow, reasons: []string{"remote skills are inert text"}}
	}
	for _, r := range p.Allow {
		if r.rule.Matches(s.Name, false, p.StrictPrefix) || r.rule.Matches(s.qualified(), false, p.StrictPrefix) {
			return verdict{decision: decideAllow, reasons: []string{"allowed by the rule " + r.String()}, byRule: true}
		}
	}
	unsafe := unsafeProperties(s)
	switch {
	case p.DefaultDeny:
		return verdict{decision: decideAsk, reasons: []string{"no rule allows it"}, byRule: true}
	case len(unsafe) == 0:
		return verdict{decision: decideAllow, reasons: []string{"it asks for nothing that needs permission"}}
	}
	reasons := make([]string, len(unsafe))
	for i, f := range unsafe {
		reasons[i] = "it sets " + f
	}
	return verdict{decision: decideAsk, reasons: reasons}
}

// denied returns the first deny rule that matches s.
func (p *Policy) denied(s *Skill) (Rule, bool) {
	for _, r := range p.Deny {
		if r.matchesAny(s) {
			return r, true
		}
	}
	return Rule{}, false
}

// matchesAny compares r without case with every name s answers to.
func (r Rule) matchesAny(s *Skill) bool {
	return r.rule.Matches(s.Name, true, false) ||
		r.rule.Matches(s.qualified(), true, false) ||
		r.rule.Matches(s.bare(), true, false) ||
		s.DisplayName != "" && r.rule.Matches(s.DisplayName, true, false) ||
		slices.ContainsFunc(s.Aliases, func(a string) bool { return r.rule.Matches(a, true, false) })
}

// unsafeProperties names the fields of s that need permission. Everything
// that is not in the list of safe ones does: a test fails until each field of
// Skill is put on one side (04 §5, step 5).
func unsafeProperties(s *Skill) []string {
	var out []string
	if len(s.AllowedTools) > 0 {
		out = append(out, "allowed-tools")
	}
	if len(s.Hooks) > 0 {
		out = append(out, "hooks")
	}
	return out
}

// qualified returns the name of s with its owner: "office:pdf",
// "apps/web:deploy". A skill without an owner has its bare name only.
func (s *Skill) qualified() string {
	if s.folder != "" {
		return s.folder + ":" + strings.TrimPrefix(s.Name, s.folder+":")
	}
	if s.Owner == "" || strings.HasPrefix(s.Name, s.Owner+":") {
		return s.Name
	}
	return s.Owner + ":" + s.Name
}

// bare returns the last part of the name of s.
func (s *Skill) bare() string {
	if i := strings.LastIndexByte(s.Name, ':'); i >= 0 {
		return s.Name[i+1:]
	}
	return s.Name
}

// deniedCommand returns the Deny rule about the shell's tool that a command
// meets: Bash or PowerShell, with or without a command (04 §5). Of a list of
// commands any one counts.
func (p *Policy) deniedCommand(shell, text string) (Rule, bool) {
	tool := "Bash"
	if shell == "powershell" {
		tool = "PowerShell"
	}
	for _, r := range p.Deny {
		if r.rule.MatchesCommand(tool, text) {
			return r, true
		}
	}
	return Rule{}, false
}
