package bundled

import (
	"slices"
	"strconv"
	"strings"
)

// An Info says what one bundled skill needs and who may call it (05 §3).
type Info struct {
	// Name is the skill's.
	Name string
	// Features open the skill, any one of them, by the Feature constants. None
	// are needed by a skill that is always there, or that only Check opens.
	Features []string
	// Check is [CheckBrowser] for the skill that no feature opens: only that
	// function of Options.Checks does. Otherwise it is "".
	Check string
	// UserOnly says that the model may not call the skill.
	UserOnly bool
}

// All returns the seventeen bundled skills by name, whatever a host has
// (05 §3): for lists of features, and to say why a skill is not there. The
// caller owns what it returns.
func All() []Info {
	var out []Info
	for _, e := range catalog() {
		i := Info{Name: e.name, UserOnly: e.userOnly}
		for _, g := range e.gates {
			if g == CheckBrowser {
				i.Check = g
				continue
			}
			i.Features = append(i.Features, g)
		}
		out = append(out, i)
	}
	return out
}

// Needs says in words what opens the skill: `feature "triggers"`, `feature
// "memory" or "memory-consolidation"`, `check "browser"`, or "" for a skill that
// is always there.
func (i Info) Needs() string {
	if i.Check != "" {
		return "check " + strconv.Quote(i.Check)
	}
	if len(i.Features) == 0 {
		return ""
	}
	var quoted []string
	for _, f := range i.Features {
		quoted = append(quoted, strconv.Quote(f))
	}
	return "feature " + strings.Join(quoted, " or ")
}

// Missing returns which bundled skills do not exist with these options, by name:
// those for which neither a feature nor a check is there, and those that Skills
// leaves out. Whether a check says yes is not asked. A nil o means zero options.
func (o *Options) Missing() []Info {
	c := o.clone()
	return slices.DeleteFunc(All(), func(i Info) bool {
		return slices.ContainsFunc(catalog(), func(e entry) bool { return e.name == i.Name && c.includes(e) })
	})
}
