package skills

import (
	"fmt"
	"slices"
	"strings"

	"github.com/seed-12b313d8/skills/internal/names"
)

// An index finds skills by the names they answer to. It never changes.
type index struct {
	names   map[string]*Skill   // Name, and the qualified name where nobody has it
	aliases map[string][]*Skill // of skills that won
	hidden  map[string][]*Skill // aliases and "bundled:name" of shadowed bundled skills
	display map[string][]*Skill // DisplayName where it differs from Name
	tails   map[string][]*Skill // last part of a namespaced name
}

func newIndex(won, shadowed []*Skill) index {
	x := index{
		names:   make(map[string]*Skill, len(won)),
		aliases: make(map[string][]*Skill),
		hidden:  make(map[string][]*Skill),
		display: make(map[string][]*Skill),
		tails:   make(map[string][]*Skill),
	}
	for _, s := range won {
		x.names[s.Name] = s
	}
	for _, s := range won {
		if q := s.qualified(); x.names[q] == nil {
			x.names[q] = s
		}
		for _, a := range s.Aliases {
			x.aliases[a] = append(x.aliases[a], s)
		}
		if s.DisplayName != "" && s.DisplayName != s.Name {
			x.display[s.DisplayName] = append(x.display[s.DisplayName], s)
		}
		if b := s.bare(); b != s.Name {
			x.tails[b] = append(x.tails[b], s)
		}
	}
	for _, s := range shadowed {
		if s.Origin != OriginBundled {
			continue
		}
		name := string(OriginBundled) + ":" + s.Name
		x.hidden[name] = append(x.hidden[name], s)
		for _, a := range s.Aliases {
			x.hidden[a] = append(x.hidden[a], s)
		}
	}
	return x
}

// rungs is the number of rungs of the lookup ladder (N4).
const rungs = 5

// rung returns the skills that answer to name on the i-th rung: exact name,
// alias, alias of a shadowed bundled skill, display name, bare tail.
func (x *index) rung(i int, name string) []*Skill {
	switch i {
	case 0:
		if s := x.names[name]; s != nil {
			return []*Skill{s}
		}
		return nil
	case 1:
		return x.aliases[name]
	case 2:
		return x.hidden[name]
	case 3:
		return x.display[name]
	default:
		return x.tails[name]
	}
}

// lookup climbs the ladder N4 over the snapshot and the nested skills of v.
// Nothing is ever guessed: the near names of an error are for people.
func (v *view) lookup(input string, c Caller) (*Skill, error) {
	name := names.Normalize(strings.TrimPrefix(strings.TrimSpace(input), "/"))
	s, err := v.climb(name, c)
	if s == nil && err == nil {
		s = v.spaced(name)
	}
	if s == nil && err == nil {
		err = v.notFound(name, input, c)
	}
	return s, err
}

// spaced returns the skill that "plugin skill" names, or nil.
func (v *view) spaced(name string) *Skill {
	owner, rest, ok := strings.Cut(name, " ")
	if !ok {
		return nil
	}
	return v.exact(owner + ":" + strings.TrimSpace(rest))
}

// callName returns a name that leads back to s.
func (v *view) callName(s *Skill) string {
	for _, name := range []string{s.Name, s.qualified()} {
		if v.exact(name) == s {
			return name
		}
	}
	return string(s.Origin) + ":" + s.Name
}

func (v *view) notFound(name, input string, c Caller) *Error {
	near := v.near(name, c)
	return &Error{Issue: Issue{
		Code: CodeNotFound, Severity: sevError, Skill: name,
		Msg: fmt.Sprintf("there is no skill named %q", name), Hint: hintNear(near),
	}, Names: near, Input: input}
}

func hintNear(near []string) string {
	if len(near) > 0 {
		return "did you mean " + strings.Join(near, " or ") + "?"
	}
	return "list the skills to see which exist; those of nested folders appear when a file there is touched"
}

// exact returns the skill of exactly that name or qualified name, or nil.
func (v *view) exact(name string) *Skill {
	if s := v.index.names[name]; s != nil {
		return s
	}
	return v.snap.index.names[name]
}

func (v *view) climb(name string, c Caller) (*Skill, error) {
	if name == "" {
		return nil, nil
	}
	for i := range rungs {
		found := slices.Concat(v.snap.index.rung(i, name), v.index.rung(i, name))
		switch len(found) {
		case 0:
			continue
		case 1:
			return found[0], nil
		}
		return nil, v.ambiguous(name, found, c)
	}
	return nil, nil
}

func (v *view) ambiguous(name string, found []*Skill, c Caller) error {
	var list []string
	for _, s := range found {
		if v.barrier(c, s) == barNone {
			list = append(list, s.qualified())
		}
	}
	slices.Sort(list)
	list = slices.Compact(list)
	return &Error{Issue: Issue{
		Code: CodeAmbiguous, Severity: sevError, Skill: name,
		Msg:  fmt.Sprintf("%q names several skills: %s", name, strings.Join(list, ", ")),
		Hint: "use one of these names in full",
	}, Names: list, Input: name}
}

// near returns up to three names near to name, of skills c may invoke.
func (v *view) near(name string, c Caller) []string {
	known := make([]string, 0, len(v.all))
	for _, s := range v.all {
		if v.barrier(c, s) == barNone {
			known = append(known, s.Name)
		}
	}
	return names.Near(name, known, 3)
}
