// Package fit decides what a listing can say of each skill within its budget
// (02 §2). It is arithmetic on texts: no I/O, no clock, and no knowledge of
// what a skill is. A character is a Unicode code point.
//
// A described entry is printed as "- name: text" and a newline, a bare one as
// "- name" and a newline; every character of these lines counts. There are
// four tiers, and the first that fits is taken:
//
//   - [Full]: every text as it is.
//   - [Truncated]: texts are cut to one common level, or by rank.
//   - [NamesOnly]: bare names.
//   - [Omitting], with [Options].Hard only: as many names as fit.
//
// An entry marked Whole keeps its full text in all of them.
//
// All functions are pure and safe for concurrent use. The same entries and
// options give the same plan.
package fit

import "github.com/seed-12b313d8/skills/internal/line"

// DefaultMin is the level below which descriptions are not worth their room.
const DefaultMin = 20

// What a line costs besides its name and text: "- ", newline, and ": " before
// a text.
const (
	bareCost = 3
	textCost = 2
)

// An Entry is one line of a listing before it is fitted. Order in a slice of
// entries is listing order, which is also the order of rank.
type Entry struct {
	Name  string  // as printed
	Text  string  // clean and within the entry cap; "" for a bare name
	Whole bool    // never shortened, never left out: a bundled skill
	Score float64 // usage, for Options.Ranked; 0, less or NaN: never used

	// Fixed, if positive, is what the line costs besides its text, where it is
	// printed in another way than "- name: text".
	Fixed int
}

// bare returns the characters of the line without a text.
func (e *Entry) bare() int {
	if e.Fixed > 0 {
		return e.Fixed
	}
	return line.Len(e.Name) + bareCost
}

// joint returns what a text costs besides its own characters.
func (e *Entry) joint() int {
	if e.Fixed > 0 {
		return 0
	}
	return textCost
}

// Options say how to fit. The zero value, apart from Budget, is the default.
type Options struct {
	Budget     int  // characters for all lines; less than 1 counts as 1
	Min        int  // lowest level of tier Truncated; less than 1: DefaultMin
	LevelStep  int  // levels are multiples of it, or Min; less than 2: any level
	EqualShare bool // short texts do not leave their rest to longer ones
	Hard       bool // leave names out rather than exceed the budget

	// Ranked gives entries text by Score instead of a common level, once the
	// tier is Truncated. Each is sure of level Min. Entries never used share a
	// fifth of the room, more if the others leave it; the others take all they
	// can beyond Min, the highest Score first. It wins over EqualShare. In
	// tier Omitting names stay by Score too.
	Ranked bool

	// DropShared shortens below level 100 by dropping the words that most
	// entries have, and negated clauses as a whole, instead of cutting the
	// end. What is left tells entries apart but may lose a restriction.
	DropShared bool

	// Negators begin the clauses that DropShared drops as a whole, to their
	// sentence's end: lower case, with a straight apostrophe. Nil: English
	// ones; empty: none.
	Negators []string

	// Closing returns the last line of tier Omitting, without its newline, for
	// a number of entries left out. It must be pure. Nil or "": no such line.
	Closing func(omitted int) string
}

// A Tier says how much of a listing fits. The values are those of a report.
type Tier string

// The tiers, from the roomiest on.
const (
	Full      Tier = "full"
	Truncated Tier = "truncated"
	NamesOnly Tier = "names-only"
	Omitting  Tier = "omitting"
)

// A State says what became of one entry. The values are those of a report.
type State string

// The states. An entry without text is StateFull in every tier that lists it.
const (
	StateFull    State = "full"
	StateCut     State = "cut"
	StateName    State = "name"
	StateOmitted State = "omitted"
)

// A Plan is what to print. Texts, States and Lens are parallel to the entries;
// the caller owns them.
type Plan struct {
	Tier    Tier
	Level   int      // tier Truncated: characters a text may have, before leftovers; with Ranked, those never used
	Texts   []string // what follows the name; "" is a bare name
	States  []State
	Lens    []int  // characters of the texts as they were given
	Closing string // last line, without newline; "" for none
	Used    int    // characters of all lines, Closing included
	Over    int    // how far Used exceeds the budget
	Omitted int    // entries left out
}

// Fit plans the lines for entries.
//
// Used exceeds the budget only where the lines of Whole entries and the bare
// names of the others do so alone, and with Hard only where the lines of Whole
// entries do. In tier Truncated no entry could take its next word within the
// budget.
//
// In tier Truncated the level is the largest that all texts together can have:
// a text shorter than the level leaves its rest to the others, unless
// EqualShare gives each the same share of the room. Texts are cut as
// [line.Cut] does; what the cuts leave over goes to single entries in listing
// order, to each as much as it can use.
func Fit(entries []Entry, o Options) Plan {
	f := newFitter(entries, o)
	switch p := &f.plan; {
	case f.full <= f.opts.Budget:
		p.Tier, p.Used = Full, f.full
	case f.truncate():
		p.Tier = Truncated
	case f.names <= f.opts.Budget || !o.Hard:
		p.Tier = NamesOnly
		f.bareNames()
	default:
		p.Tier = Omitting
		f.bareNames()
		f.omit()
	}
	f.plan.Over = max(0, f.plan.Used-f.opts.Budget)
	return f.plan
}

// A fitter holds the work on one plan.
type fitter struct {
	entries []Entry
	opts    Options
	lens    []int // characters of each text
	full    int   // characters of all lines in tier Full
	names   int   // and in tier NamesOnly
	plan    Plan
}

func newFitter(entries []Entry, o Options) *fitter {
	o.Budget = max(o.Budget, 1)
	if o.Min < 1 {
		o.Min = DefaultMin
	}
	f := &fitter{entries: entries, opts: o, lens: make([]int, len(entries))}
	f.plan.Texts = make([]string, len(entries))
	f.plan.States = make([]State, len(entries))
	f.plan.Lens = f.lens
	for i := range entries {
		e := &entries[i]
		f.plan.Texts[i], f.plan.States[i] = e.Text, StateFull
		bare := e.bare()
		f.lens[i] = line.Len(e.Text)
		whole := bare + f.lens[i]
		if e.Text != "" {
			whole += e.joint()
		}
		f.full += whole
		if e.Whole {
			bare = whole
		}
		f.names += bare
	}
	return f
}

// isCut reports whether tiers below Full take text from entry i.
func (f *fitter) isCut(i int) bool { return f.entries[i].Text != "" && !f.entries[i].Whole }

// bareNames fills the plan for tier NamesOnly.
func (f *fitter) bareNames() {
	f.plan.Used = f.names
	for i := range f.entries {
		if f.isCut(i) {
			f.plan.Texts[i], f.plan.States[i] = "", StateName
		}
	}
}
