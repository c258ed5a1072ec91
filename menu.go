package skills

import (
	"cmp"
	"slices"
	"strings"
	"time"
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
// of prefix is dropped (02 §5). Skills hidden from the user are left out. The
// order is: names equal to prefix, then what this session invoked most
// recently, then by usage, then by name.
func (s *Session) Menu(prefix string) []MenuItem {
	v := s.view()
	prefix = strings.ToLower(strings.TrimPrefix(prefix, "/"))
	rank := menuRank{prefix: prefix, recent: s.recency(), usage: make(map[*Skill]float64)}
	now := time.Now()
	var out []MenuItem
	for _, sk := range v.completions().Find(prefix) {
		if v.barrier(CallerUser, sk) != barNone {
			continue
		}
		out = append(out, MenuItem{sk, v.locked(sk)})
		if s.opts.Usage != nil {
			rank.usage[sk] = s.score(sk, now)
		}
	}
	slices.SortStableFunc(out, rank.compare)
	return out
}

// menuRank orders the items of one menu.
type menuRank struct {
	prefix string
	recent map[string]int // by name; higher is more recent
	usage  map[*Skill]float64
}

func (r *menuRank) compare(a, b MenuItem) int {
	return cmp.Or(
		r.exact(b)-r.exact(a),
		cmp.Compare(r.recent[b.Name], r.recent[a.Name]),
		cmp.Compare(r.usage[b.Skill], r.usage[a.Skill]),
		strings.Compare(a.Name, b.Name),
	)
}

func (r *menuRank) exact(i MenuItem) int {
	if strings.ToLower(i.Name) == r.prefix {
		return 1
	}
	return 0
}

// typed returns what completes to s.
func (s *Skill) typed() []string { return append([]string{s.Name, s.bare()}, s.Aliases...) }

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
