package skills

import (
	"errors"
	"slices"
	"strings"

	"github.com/seed-12b313d8/skills/internal/guard"
	"github.com/seed-12b313d8/skills/internal/unlock"
)

// A view is what one session sees at one moment: its overlay of snapshot and
// nested skills, its policy, its locks and the remote skills it has discovered.
type view struct {
	*overlay
	policy    *Policy
	unlocked  *unlock.Set
	remote    []*Skill
	forgotten uint64 // of the session, when it was looked at
	strict    bool
}

func (s *Session) view() *view {
	o := s.overlay()
	s.mu.Lock()
	defer s.mu.Unlock()
	return &view{overlay: o, policy: s.policy, unlocked: s.unlocked, remote: s.remote, forgotten: s.forgotten, strict: s.opts.Strict}
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
		return s.gate() != nil
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
		return s.DisableModelInvocation && !s.Degraded // which says the same, for another reason
	case barUserOnly:
		return v.policy.visibility(s) == VisibleUserOnly
	case barOnly:
		return v.policy.Only != nil && !slices.Contains(v.policy.Only, s.Name) && !slices.Contains(v.policy.Only, s.qualified())
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
		if err := s.gate(); err != nil {
			return err.Error()
		}
		return "its gate was closed a moment ago"
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

// advice says what to do about a barrier: to a person, and to a model.
func (b barrier) advice(s *Skill) (person, model string) {
	switch b {
	case barModel, barUserOnly, barDegraded:
		ask := "ask the user to run /" + s.Name
		return ask, ask + "; do not imitate its workflow"
	case barLocked:
		return "touch a matching file, or run /" + s.Name, "it becomes available when you work on such a file"
	case barUser:
		return "let the model run it when it is needed", "run it with the tool for skills"
	case barGate:
		return "switch its feature on", "do without it"
	}
	return "change the policy if that is not meant", "do without it, and do not imitate its workflow"
}

// locked reports whether s is conditional and not unlocked.
func (v *view) locked(s *Skill) bool {
	if len(s.Paths) == 0 {
		return false
	}
	return !v.unlocked.Has(s.unlock())
}

// gate asks Content.Enabled and returns nil if the skill is on; a panic in it
// counts as off.
func (s *Skill) gate() (off error) {
	if s.Content.Enabled == nil {
		return nil
	}
	on, err := guard.Call("its gate", func() (bool, error) { return s.Content.Enabled(), nil })
	if err == nil && !on {
		err = errors.New("it is switched off in this program")
	}
	return err
}
