package skills

import (
	"fmt"
	"slices"
	"strings"

	"github.com/seed-12b313d8/skills/internal/ladder"
	"github.com/seed-12b313d8/skills/internal/names"
)

// An index finds skills by the names they answer to. It never changes.
type index = ladder.Index[*Skill]

// newIndex returns the index of the skills that won. Of shadowed ones only
// those that are bundled can be reached, by alias or as "bundled:name" (N4).
func newIndex(won, shadowed []*Skill) index {
	bundled := slices.DeleteFunc(slices.Clone(shadowed), func(s *Skill) bool { return s.Origin != OriginBundled })
	return ladder.New(won, (*Skill).answersTo, bundled, func(s *Skill) []string {
		return append([]string{string(OriginBundled) + ":" + s.Name}, s.Aliases...)
	})
}

func (s *Skill) answersTo() ladder.Names {
	return ladder.Names{Name: s.Name, Qualified: s.qualified(), Display: s.DisplayName, Tail: s.bare(), Aliases: s.Aliases}
}

// lookup climbs the ladder N4 over the snapshot and the nested skills of v.
// Nothing is ever guessed: the near names of an error are for people.
func (v *view) lookup(input string, c Caller) (*Skill, error) {
	name := names.Normalize(strings.TrimPrefix(strings.TrimSpace(input), "/"))
	if strings.HasPrefix(name, names.Reserved) { // past the ladder: nothing else can answer to it (06 §3)
		if s := v.exact(name); s != nil && s.Origin == OriginRemote {
			return s, nil
		}
		return nil, notDiscovered(name, input)
	}
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
	e := newError(CodeNotFound, fmt.Sprintf("there is no skill named %q", name), hintNear(near))
	e.Skill, e.Names = name, near
	return e.asked(input)
}

func hintNear(near []string) string {
	if len(near) > 0 {
		return "did you mean " + strings.Join(near, " or ") + "?"
	}
	return "list the skills to see which exist; those of nested folders appear when a file there is touched"
}

// exact returns the skill of exactly that name or qualified name, or nil.
func (v *view) exact(name string) *Skill {
	if s := v.registered(name); s != nil {
		return s
	}
	return v.discovered(name)
}

// registered is exact without what a search has discovered.
func (v *view) registered(name string) *Skill {
	if s, ok := v.index.Exact(name); ok {
		return s
	}
	s, _ := v.snap.index.Exact(name)
	return s
}

func (v *view) climb(name string, c Caller) (*Skill, error) {
	found := ladder.Climb(name, &v.snap.index, &v.index)
	switch len(found) {
	case 0:
		return nil, nil
	case 1:
		return found[0], nil
	}
	return nil, v.ambiguous(name, found, c)
}

// ambiguous names the candidates that c may invoke. Even if that is one only,
// taking it would be a guess; nil says that there is none.
func (v *view) ambiguous(name string, found []*Skill, c Caller) error {
	var list []string
	for _, s := range found {
		if v.barrier(c, s) == barNone {
			list = append(list, v.callName(s))
		}
	}
	if len(list) == 0 {
		return nil
	}
	slices.Sort(list)
	list = slices.Compact(list)
	e := newError(CodeAmbiguous, fmt.Sprintf("%q names several skills: %s", name, strings.Join(list, ", ")), "use one of these names in full")
	e.Skill, e.Names = name, list
	return e.asked(name)
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

// variants returns the nested skills that share the bare name by which c called
// s, and which its caller may invoke too (03 §3).
func (v *view) variants(s *Skill, c Call) []*Skill {
	name := names.Normalize(strings.TrimPrefix(strings.TrimSpace(c.Name), "/"))
	if name != s.Name || s.bare() != name {
		return nil
	}
	var out []*Skill
	for _, n := range v.nested {
		if n != s && n.bare() == name && v.barrier(c.Caller, n) == barNone {
			out = append(out, n)
		}
	}
	return out
}
