package skills

import (
	"cmp"
	"slices"
	"strings"
)

// A view is what one session sees at one moment: a snapshot, the nested
// skills it has discovered, its policy and its locks.
type view struct {
	snap         *Snapshot
	nested       []*Skill
	nestedIndex  index
	merged       []*Skill // snapshot and nested in listing order; nil without nested
	policy       *Policy
	conditionals []*conditional      // of the nested folders
	unlocked     map[unlock]struct{} // a copy; nil if nothing is unlocked
	strict       bool
}

func (s *Session) view() *view {
	s.mu.Lock()
	v := &view{snap: s.reg.Snapshot(), policy: s.policy, strict: s.opts.Strict}
	if len(s.unlocked) > 0 {
		v.unlocked = make(map[unlock]struct{}, len(s.unlocked))
		for u := range s.unlocked {
			v.unlocked[u] = struct{}{}
		}
	}
	folders := s.folders[:len(s.folders):len(s.folders)]
	s.mu.Unlock()
	if len(folders) > 0 {
		v.addNested(s.reg, folders)
	}
	return v
}

// all returns every skill of v in listing order: origin rank, name, path.
func (v *view) all() []*Skill {
	if v.merged != nil {
		return v.merged
	}
	return v.snap.skills
}

// mergeNested puts the nested skills in their place among the others.
func (v *view) mergeNested(order map[Origin]int) {
	v.merged = slices.Concat(v.snap.skills, v.nested)
	slices.SortStableFunc(v.merged, func(a, b *Skill) int {
		return cmp.Or(
			cmp.Compare(order[a.Origin], order[b.Origin]),
			strings.Compare(a.Name, b.Name), strings.Compare(a.Path, b.Path),
		)
	})
	v.nestedIndex = newIndex(v.nested, nil)
	for _, s := range v.nested {
		v.nestedIndex.names[s.qualified()] = s
	}
}

// A barrier is a reason why a caller may not invoke a skill.
type barrier uint8

const (
	barNone     barrier = iota
	barGate             // Content.Enabled says no
	barOff              // override off
	barDenied           // a deny rule
	barUser             // user-invocable: false
	barDegraded         // frontmatter could not be read
	barModel            // disable-model-invocation
	barUserOnly         // override user-only
	barOnly             // not in Policy.Only
	barLocked           // conditional, and no touched path has matched
)

// holds reports whether barrier b stands before s.
func (v *view) holds(b barrier, s *Skill) bool {
	switch b {
	case barGate:
		return !s.enabled()
	case barOff:
		return v.policy.visibility(s) == VisibleOff
	case barDenied:
		_, ok := v.policy.denied(s)
		return ok
	case barUser:
		return s.DisableUserInvocation
	case barDegraded:
		return s.Degraded
	case barModel:
		return s.DisableModelInvocation
	case barUserOnly:
		return v.policy.visibility(s) == VisibleUserOnly
	case barOnly:
		return v.policy.Only != nil && !slices.Contains(v.policy.Only, s.Name)
	case barLocked:
		return v.locked(s)
	}
	return false
}

// The barriers before each kind of caller (04 §1): nothing but a denial or a
// closed gate before the host, flags before the user, and everything but the
// user's flag before the model and whatever acts for it.
const (
	barsHost  = 1<<barGate | 1<<barDenied
	barsUser  = barsHost | 1<<barOff | 1<<barUser
	barsModel = barsHost | 1<<barOff | 1<<barDegraded | 1<<barModel | 1<<barUserOnly | 1<<barOnly | 1<<barLocked
)

func (v *view) bars(c Caller) uint {
	switch {
	case c == CallerHost:
		return barsHost
	case c == CallerUser && v.strict:
		return barsUser | 1<<barLocked
	case c == CallerUser:
		return barsUser
	}
	return barsModel
}

// barrier returns the first barrier before c, or barNone.
func (v *view) barrier(c Caller, s *Skill) barrier {
	bars := v.bars(c)
	for b := barGate; b <= barLocked; b++ {
		if bars&(1<<b) != 0 && v.holds(b, s) {
			return b
		}
	}
	return barNone
}

// barriers returns all barriers before c in words.
func (v *view) barriers(c Caller, s *Skill) []string {
	var out []string
	bars := v.bars(c)
	for b := barGate; b <= barLocked; b++ {
		if bars&(1<<b) != 0 && v.holds(b, s) {
			out = append(out, v.reason(b, s))
		}
	}
	return out
}

// reason says in words why b stands before s.
func (v *view) reason(b barrier, s *Skill) string {
	switch b {
	case barGate:
		return "it is switched off in this program"
	case barOff:
		return "an override turns it off"
	case barDenied:
		r, _ := v.policy.denied(s)
		return "the rule " + r.String() + " denies it"
	case barUser:
		return "its author hides it from the user (user-invocable: false)"
	case barDegraded:
		return "its frontmatter could not be read, so only the user may run it"
	case barModel:
		return "its author reserves it for the user (disable-model-invocation)"
	case barUserOnly:
		return "an override reserves it for the user"
	case barOnly:
		return "it is not among the skills this conversation may use"
	case barLocked:
		return "it is locked until a file matching " + strings.Join(s.Paths, ", ") + " is touched"
	}
	return ""
}

// locked reports whether s is conditional and not unlocked.
func (v *view) locked(s *Skill) bool {
	if len(s.Paths) == 0 {
		return false
	}
	_, ok := v.unlocked[unlock{s.Name, s.Source}]
	return !ok
}

// enabled asks the gate of s; a panic in it counts as closed.
func (s *Skill) enabled() (ok bool) {
	if s.Content.Enabled == nil {
		return true
	}
	defer func() {
		if recover() != nil {
			ok = false
		}
	}()
	return s.Content.Enabled()
}
