package skills

import (
	"fmt"

	"github.com/seed-12b313d8/skills/internal/fit"
	"github.com/seed-12b313d8/skills/internal/listing"
)

// The numbers of 02 §2. Characters are Unicode code points.
const (
	defaultEntryCap      = 250 // characters of one description with its when-to-use
	defaultCharsPerToken = 4
	defaultFraction      = 0.01 // of the context window
)

// ListerOptions configures a [Lister]. The zero value is the default.
type ListerOptions struct {
	// ContextWindow is the model's window in tokens; 0 or less is unknown.
	ContextWindow int
	// Budget in characters overrides what the window gives. It holds for each
	// listing by itself, also for those that only tell what is new. Without a
	// window it is 8,000.
	Budget int
	// EntryCap is the length in characters of description and when-to-use
	// together, "…" included; default 250. The newer public number is 1,536.
	EntryCap int
	// MinDescription is the number of characters below which descriptions
	// are left out altogether; default 20.
	MinDescription int
	// CharsPerToken is what a token is taken for; default 4.
	CharsPerToken float64
	// Fraction is the share of the window the listing may take; default 0.01.
	Fraction float64
	// LevelStep rounds the common length of cut descriptions down to a
	// multiple, so that a new skill changes fewer lines; 0 does not.
	LevelStep int
	// EqualShare gives every description the same share, used or not.
	EqualShare bool
	// HardBudget leaves names out rather than exceed the budget.
	HardBudget bool
	// DropShared shortens by leaving out the words most skills share. It can
	// lose a restriction or read roughly (02 §2).
	DropShared bool
	// ByUsage keeps the full text of the most used skills first; it needs
	// SessionOptions.Usage.
	ByUsage bool
	// XML renders <available_skills> as the open format does. Tags and
	// locations count like other characters.
	XML bool

	// ToolName is the name of the Skill tool; default "Skill". "-" says that
	// there is no such tool: then there is no guidance either.
	ToolName string
	// SearchName is the name of the search tool; default "SkillSearch".
	SearchName string
	// Guidance replaces the stock paragraph for the system prompt. In it, and
	// in the texts below, "{tool}" stands for ToolName and "{search}" for
	// SearchName.
	Guidance string
	// ToolText replaces the stock description of the Skill tool.
	ToolText string
	// SearchText replaces the stock description of the search tool.
	SearchText string
	// Header replaces the line above the first listing.
	Header string
	// DeltaHeader replaces the line above later listings.
	DeltaHeader string
	// Gone replaces the line that says that skill "{name}" is no longer
	// available.
	Gone string
	// Closing replaces the line that says, with HardBudget, that "{n}" skills
	// are left out.
	Closing string
	// NamesNote is a last line for listings that have room for names only, such
	// as "Search with the {search} tool to learn what they do."; default none.
	// Like a header it is not counted (06 §4). Where names are left out too,
	// Closing is the last line.
	NamesNote string
	// Wrap is put before and after each listing; default a <system-reminder>.
	// Names and texts cannot open or close tags of these names.
	Wrap [2]string
}

// A Report says what a listing did with its budget. Nothing is lost without
// being in it.
type Report struct {
	// Tier is "full", "truncated", "names-only" or "omitting", from the
	// roomiest on (02 §2), and "" for an empty listing.
	Tier string
	// Budget is what the listing may use, in characters.
	Budget int
	// Used counts the characters of every line of a skill with its newline,
	// and of no header or wrapper.
	Used int
	// Over is how far Used exceeds Budget, because names are always listed.
	Over int
	// Removed are the names that Text says are no longer available.
	Removed []string
	// Entries has one entry for each skill of the listing, in its order.
	Entries []ListingEntry
	// Issues has one issue if anything was cut.
	Issues []Issue
}

// A ListingEntry says what became of one skill.
type ListingEntry struct {
	// Name is the skill's, as listed.
	Name string
	// State is "full", "cut", "name" for the bare name, or "omitted".
	State string
	// Chars is the length of the text that was listed after the name.
	Chars int
}

// budget returns the characters one listing may have (02 §2).
func (o *ListerOptions) budget() int {
	return fit.Budget(o.Budget, o.ContextWindow, o.CharsPerToken, o.Fraction)
}

// renderer returns what writes the listings; the options have their defaults.
func (l *Lister) renderer() *listing.Renderer {
	o := &l.opts
	return listing.New(listing.Options{
		EntryCap: o.EntryCap, XML: o.XML, Wrap: o.Wrap,
		Header: o.Header, DeltaHeader: o.DeltaHeader, Gone: o.Gone, Closing: o.Closing, NamesNote: o.NamesNote,
		Fit: fit.Options{
			Budget: o.budget(), Min: o.MinDescription, LevelStep: o.LevelStep,
			EqualShare: o.EqualShare, Hard: o.HardBudget, Ranked: l.ranks(), DropShared: o.DropShared,
		},
	})
}

// ranks reports whether the most used skills keep their texts first.
func (l *Lister) ranks() bool { return l.opts.ByUsage && l.sess.opts.Usage != nil }

func (l *Lister) report(lines []listing.Line, page *listing.Page) Report {
	r := Report{Tier: string(page.Tier), Budget: l.opts.budget(), Used: page.Used, Entries: make([]ListingEntry, len(lines))}
	r.Over = max(0, r.Used-r.Budget)
	count := make(map[fit.State]int)
	for i, f := range page.Lines {
		count[f.State]++
		r.Entries[i] = ListingEntry{Name: lines[i].Name, State: string(f.State), Chars: f.Chars}
	}
	if count[fit.StateFull] < len(lines) {
		r.Issues = []Issue{{
			Code: "listing-cut", Severity: sevWarning,
			Msg: fmt.Sprintf("of %d skills: %d shortened, %d listed by name only, %d left out, within %d characters for all and %d for each description",
				len(lines), count[fit.StateCut], count[fit.StateName], count[fit.StateOmitted], r.Budget, l.opts.EntryCap),
			Hint: "shorten descriptions, switch skills off, or raise the budget or the entry cap",
		}}
	}
	return r
}
