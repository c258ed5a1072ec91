// Package explain writes why a skill is there or not, as text and as JSON
// (01 §8).
package explain

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// A Candidate is a skill that may answer to a name.
type Candidate struct {
	Name     string `json:"name"`
	Origin   string `json:"origin"`
	Rank     int    `json:"rank"` // of the origin, 1 is the highest
	Source   string `json:"source"`
	Path     string `json:"path"`
	Trusted  bool   `json:"trusted"`
	Degraded bool   `json:"degraded"`
}

// where says where c is, for people.
func (c *Candidate) where() string {
	if c.Path != "" {
		return c.Path
	}
	return c.Source
}

// A Report is all there is to say of one name. Its JSON has every field.
type Report struct {
	Name       string              `json:"name"`
	Winner     *Candidate          `json:"winner"` // nil if there is none
	Why        string              `json:"why"`
	Others     []*Candidate        `json:"others"`
	Hidden     map[string][]string `json:"hidden"` // what keeps each caller from the winner
	Limits     []string            `json:"limits"`
	Activation string              `json:"activation"`
	Listing    string              `json:"listing"`
	Issues     any                 `json:"issues"` // a list
	Notes      []string            `json:"-"`      // the issues as text
}

// String returns the report as a few lines of text.
func (r *Report) String() string {
	var b strings.Builder
	if r.Winner == nil {
		fmt.Fprintf(&b, "%s: not found\n", r.Name)
	} else {
		fmt.Fprintf(&b, "%s: %s skill at %s, found %s\n", r.Winner.Name, r.Winner.Origin, r.Winner.where(), r.Why)
	}
	for _, o := range r.Others {
		fmt.Fprintf(&b, "  shadowed: %s skill of rank %d at %s\n", o.Origin, o.Rank, o.where())
	}
	for _, c := range slices.Sorted(maps.Keys(r.Hidden)) {
		if (c == "path" || c == "nested") && slices.Equal(r.Hidden[c], r.Hidden["model"]) {
			continue // they are the model too
		}
		fmt.Fprintf(&b, "  hidden from the %s: %s\n", c, strings.Join(r.Hidden[c], "; "))
	}
	for _, l := range r.Limits {
		fmt.Fprintf(&b, "  %s\n", l)
	}
	if r.Activation != "" {
		fmt.Fprintf(&b, "  activation: %s\n", r.Activation)
	}
	if r.Winner != nil {
		fmt.Fprintf(&b, "  listing: %s\n", r.Listing)
	}
	for _, n := range r.Notes {
		fmt.Fprintf(&b, "  %s\n", n)
	}
	return b.String()
}
