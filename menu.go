package skills

import (
	"cmp"
	"slices"
	"strings"
)

// A MenuItem is one skill that a user may type after "/".
type MenuItem struct {
	*Skill
	// Locked marks a conditional skill that no touched path has unlocked; the
	// user may run it all the same.
	Locked bool
}

// Menu returns what a user may type, of all skills that have a name, last part
// of a name, or alias beginning with prefix, letter case apart; a leading "/"
// of prefix is dropped (02 §5). Skills hidden from the
// user are left out. The order is: names equal to prefix, then what this
// session invoked most recently, then by usage, then by name.
func (s *Session) Menu(prefix string) []MenuItem {
	v := s.view()
	prefix = strings.ToLower(strings.TrimPrefix(prefix, "/"))
	recent := s.recency()
	var out []MenuItem
	for _, sk := range v.all {
		if sk.completes(prefix) && v.barrier(CallerUser, sk) == barNone {
			out = append(out, MenuItem{sk, v.locked(sk)})
		}
	}
	score := s.scores(out)
	slices.SortStableFunc(out, func(a, b MenuItem) int {
		return cmp.Or(
			-compareBool(strings.ToLower(a.Name) == prefix, strings.ToLower(b.Name) == prefix),
			-cmp.Compare(recent[a.Name], recent[b.Name]),
			-cmp.Compare(score[a.Skill], score[b.Skill]),
			strings.Compare(a.Name, b.Name),
		)
	})
	return out
}

func compareBool(a, b bool) int {
	switch {
	case a == b:
		return 0
	case a:
		return 1
	}
	return -1
}

// completes reports whether a name of s begins with prefix, in lower case.
func (s *Skill) completes(prefix string) bool {
	begins := func(name string) bool { return strings.HasPrefix(strings.ToLower(name), prefix) }
	return begins(s.Name) || begins(s.bare()) || slices.ContainsFunc(s.Aliases, begins)
}

// recency numbers the skills the session invoked; higher is more recent.
func (s *Session) recency() map[string]int {
	s.mu.Lock()
	defer s.mu.Unlock()
	out := make(map[string]int)
	for i, r := range s.records {
		out[r.Skill] = i + 1
	}
	return out
}

func (s *Session) scores(items []MenuItem) map[*Skill]float64 {
	if s.opts.Usage == nil {
		return nil
	}
	out := make(map[*Skill]float64, len(items))
	for _, it := range items {
		out[it.Skill] = s.score(it.Skill)
	}
	return out
}
