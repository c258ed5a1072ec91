package skills

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/seed-12b313d8/skills/internal/explain"
)

// An Explanation answers why a skill is or is not there (01 §8). It is a
// value of its own; the caller owns it. String gives it as text, and as JSON
// its skills are shortened to where they come from.
type Explanation struct {
	// Name is what was asked for.
	Name string
	// Winner is the skill that answers to Name in this session, nil if there
	// is none or several do. Why says by what name it does, and what it beats.
	Winner *Skill
	Why    string
	// Others are the candidates that another skill hides, highest rank first.
	Others []*Skill
	// Hidden says what keeps each caller from Winner; a caller without an
	// entry may invoke it.
	Hidden map[Caller][]string
	// Limits says what Winner may not do, or not without a question.
	Limits []string
	// Activation says how Winner came to be available, or will: by a touched
	// path that its patterns match, or in a nested folder. It is "" for the
	// skills that are there from the start.
	Activation string
	// Listing is how Winner stands in the last committed listing: the state
	// of a [ListingEntry], with "cut" the length, or "not sent".
	Listing string
	// Issues are those of Winner and Others, and why there is no Winner.
	Issues []Issue

	ranks ranks
}

const notSent = "not sent"

// rank returns the precedence of origin o, 1 for the highest.
func (e *Explanation) rank(o Origin) int { return e.ranks.of(o) + 1 }

// Explain says where the skill of that name was found, which one won and why,
// what hides it from the model or the user, and how it stands in the listing.
func (s *Session) Explain(name string) *Explanation {
	v := s.view()
	all := slices.Concat(v.snap.issues, v.issues)
	e := &Explanation{Name: name, Hidden: make(map[Caller][]string), Listing: notSent, ranks: s.reg.order}
	winner, err := v.lookup(name, CallerUser)
	if err != nil {
		e.Issues = append(e.Issues, err.(*Error).Issue)
	}
	e.Winner = winner
	e.Others = v.others(name, winner)
	if winner == nil {
		e.addIssues(all, nil)
		return e
	}
	for _, c := range []Caller{CallerModel, CallerUser, CallerPath, CallerNested, CallerHost} {
		if why := v.barriers(c, winner); len(why) > 0 {
			e.Hidden[c] = why
		}
	}
	e.Why, e.Limits, e.Activation = e.why(), v.limits(winner), v.activation(winner)
	e.Listing = s.standing(winner)
	e.addIssues(all, winner)
	return e
}

// why says how the winner answers to the name.
func (e *Explanation) why() string {
	w, asked := e.Winner, strings.TrimPrefix(e.Name, "/")
	var how string
	switch {
	case asked == w.Name, asked == w.qualified():
		how = "by its name"
	case slices.Contains(w.Aliases, asked):
		how = "by an alias"
	case asked == w.DisplayName:
		how = "by the name in its frontmatter"
	default:
		how = "by the last part of its name"
	}
	if len(e.Others) > 0 {
		how += fmt.Sprintf("; %s skills of rank %d come first", w.Origin, e.rank(w.Origin))
	}
	return how
}

// activation says how s is or becomes available (03 §2, §3).
func (v *view) activation(s *Skill) string {
	var parts []string
	if slices.Contains(v.nested, s) {
		parts = append(parts, "found in "+s.folder+"/ when a file there was touched")
	}
	patterns := strings.Join(s.Paths, ", ")
	switch {
	case len(s.Paths) == 0:
	case v.locked(s):
		parts = append(parts, "locked until a file is touched that matches "+patterns)
	default:
		parts = append(parts, "unlocked by a touched file that matches "+patterns)
	}
	return strings.Join(parts, "; ")
}

// limits says what s may not do, or not without a question.
func (v *view) limits(s *Skill) []string {
	var out []string
	switch {
	case s.Degraded:
		out = append(out, "its frontmatter could not be read: its shell commands do not run, and it is given no tools, hooks or model")
	case !v.policy.trusts(s):
		out = append(out, "it is not trusted: its shell commands do not run, and its tools and hooks need a yes to each call")
	}
	if d := v.policy.decide(s); d.decision == decideAsk {
		out = append(out, "a model's call asks first: "+joinReasons(d.reasons))
	}
	return out
}

// others returns the shadowed skills that would answer to name.
func (v *view) others(name string, winner *Skill) []*Skill {
	name = strings.TrimPrefix(name, "/")
	var out []*Skill
	for _, s := range slices.Concat(v.snap.shadowed, v.nested) {
		if s != winner && (s.Name == name || s.bare() == name && s.Owner != "" || winner != nil && s.Name == winner.Name) {
			out = append(out, s)
		}
	}
	return out
}

// addIssues picks the issues that concern the winner, a candidate or the name.
func (e *Explanation) addIssues(all []Issue, winner *Skill) {
	paths, asked := make(map[string]bool), strings.TrimPrefix(e.Name, "/")
	if winner != nil {
		paths[winner.Path] = winner.Path != ""
	}
	for _, o := range e.Others {
		paths[o.Path] = o.Path != ""
	}
	for _, i := range all {
		if paths[i.Path] || i.Skill != "" && (i.Skill == asked || strings.HasSuffix(i.Skill, ":"+asked)) {
			e.Issues = append(e.Issues, i)
		}
	}
}

// String returns the explanation as a few lines of text.
func (e *Explanation) String() string { return e.report().String() }

// MarshalJSON implements [json.Marshaler].
func (e *Explanation) MarshalJSON() ([]byte, error) { return json.Marshal(e.report()) }

func (e *Explanation) report() *explain.Report {
	r := &explain.Report{
		Name: e.Name, Winner: e.candidate(e.Winner), Why: e.Why, Others: make([]*explain.Candidate, len(e.Others)),
		Limits: append([]string{}, e.Limits...), Activation: e.Activation, Listing: e.Listing, Issues: append([]Issue{}, e.Issues...),
	}
	for i, o := range e.Others {
		r.Others[i] = e.candidate(o)
	}
	if e.Hidden != nil {
		r.Hidden = make(map[string][]string, len(e.Hidden))
	}
	for c, why := range e.Hidden {
		r.Hidden[string(c)] = why
	}
	for _, i := range e.Issues {
		r.Notes = append(r.Notes, i.Severity+": "+i.String())
	}
	return r
}

func (e *Explanation) candidate(s *Skill) *explain.Candidate {
	if s == nil {
		return nil
	}
	return &explain.Candidate{
		Name: s.Name, Origin: string(s.Origin), Rank: e.rank(s.Origin), Source: s.Source, Path: s.Path, Trusted: s.Trusted, Degraded: s.Degraded,
	}
}
