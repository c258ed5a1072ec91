package shellspan

import (
	"slices"
	"strings"
)

// A want is something that all values of a span must be, because of something
// in it that the tree does not connect with a placeholder.
type want struct {
	class   class
	options *optionRule // values must be none of these options
	why     string
}

// want adds a rule for the whole span.
func (s *rewriting) want(c class, why string) {
	w := want{class: c, why: why}
	if !slices.Contains(s.wants, w) {
		s.wants = append(s.wants, w)
	}
}

// wantNoOption is want for options of a command that is fed by a variable.
func (s *rewriting) wantNoOption(r *optionRule) {
	w := want{options: r, why: "a variable or another command gives arguments to " + r.command}
	same := func(o want) bool {
		return o.options != nil && o.options.command == r.command && o.options.short == r.short && len(o.options.next) == len(r.next)
	}
	if !slices.ContainsFunc(s.wants, same) {
		s.wants = append(s.wants, w)
	}
}

// checkWants refuses the first value that breaks a rule for the whole span.
func (s *rewriting) checkWants() {
	for _, w := range s.wants {
		allowed := make(map[string]bool) // a value may be used many times
		for _, m := range s.live() {
			key := string(rune(m.Kind)) + m.value
			if allowed[key] {
				continue
			}
			if allowed[key] = w.allows(m); !allowed[key] {
				s.refuse(m, SpanRule, w.why+", so every value of this command must be "+w.describe(), "give such a value, or pass it to a script of the skill as an argument")
			}
		}
	}
}

func (w *want) describe() string {
	if w.options != nil {
		return "no option that runs commands or writes files"
	}
	return w.class.describe()
}

// allows reports whether the value of m keeps to w. The host's variables are
// paths and names: they need only be safe to evaluate.
func (w *want) allows(m *mark) bool {
	if m.missing {
		return true
	}
	if !m.argument() {
		if w.class == integer {
			return spaced.holds(m.value)
		}
		return !strings.ContainsAny(m.value, "$`[(")
	}
	for _, v := range append([]string{m.value}, m.words...) {
		if w.options != nil && w.options.matchesAny(v) {
			return false
		}
		if !w.class.holdsSpan(v) {
			return false
		}
	}
	return true
}

// refuse keeps the refusal of the placeholder that stands first.
func (s *rewriting) refuse(m *mark, r Reason, msg, hint string) {
	if s.refused == nil || m.Offset < s.refused.Offset {
		s.refused = m
		s.refusal = refuse(m, r, msg, hint)
	}
}

// require refuses m unless its value, or each of its words if they are
// separate, is of class c.
func (s *rewriting) require(m *mark, value string, c class, why string) {
	if m.missing && c == integer { // written as 0
		return
	}
	if !c.holds(value) {
		s.refuse(m, BadValue, why+" takes only "+c.describe(), "give such a value, or pass it to a script of the skill as an argument")
	}
}
