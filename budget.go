package skills

import (
	"fmt"
	"strings"

	"github.com/seed-12b313d8/skills/internal/fit"
)

// The numbers of 02 §2. Characters are Unicode code points.
const (
	defaultBudget        = 8000 // characters, if the context window is unknown
	defaultEntryCap      = 250  // characters of one description with its when-to-use
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
	// XML renders <available_skills> as the open format does. The budget is
	// kept for names and texts; the tags and locations come on top.
	XML bool

	// ToolName is the name of the Skill tool; default "Skill". "-" says that
	// there is no such tool: then there is no guidance either.
	ToolName string
	// Guidance replaces the stock paragraph for the system prompt. In it, and
	// in the next three, "{tool}" stands for ToolName.
	Guidance string
	// ToolText replaces the stock description of the Skill tool.
	ToolText string
	// Header replaces the line above the first listing.
	Header string
	// DeltaHeader replaces the line above later listings.
	DeltaHeader string
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
	switch {
	case o.Budget > 0:
		return o.Budget
	case o.ContextWindow <= 0:
		return defaultBudget
	}
	return max(1, int(float64(o.ContextWindow)*o.CharsPerToken*o.Fraction))
}

// fitOptions are the options of the arithmetic; taken are the characters the
// removal lines need.
func (l *Lister) fitOptions(taken int) fit.Options {
	return fit.Options{
		Budget: l.opts.budget() - taken, Min: l.opts.MinDescription, LevelStep: l.opts.LevelStep,
		EqualShare: l.opts.EqualShare, Hard: l.opts.HardBudget, Ranked: l.opts.ByUsage && l.sess.opts.Usage != nil,
		DropShared: l.opts.DropShared,
		Closing: func(n int) string {
			return fmt.Sprintf("%d more skills are not listed; search for them.", n)
		},
	}
}

func (l *Lister) report(entries []pendingEntry, plan fit.Plan, taken int) Report {
	r := Report{Tier: string(plan.Tier), Budget: l.opts.budget(), Used: plan.Used + taken}
	r.Over = max(0, r.Used-r.Budget)
	count := make(map[fit.State]int)
	for i, e := range entries {
		count[plan.States[i]]++
		r.Entries = append(r.Entries, ListingEntry{Name: e.name, State: string(plan.States[i]), Chars: len([]rune(plan.Texts[i]))})
	}
	if count[fit.StateFull] < len(entries) {
		r.Issues = []Issue{{
			Code: "listing-cut", Severity: sevWarning,
			Msg: fmt.Sprintf("the listing of %d skills exceeds its budget of %d characters: %d shortened, %d by name only, %d left out",
				len(entries), r.Budget, count[fit.StateCut], count[fit.StateName], count[fit.StateOmitted]),
			Hint: "shorten descriptions, switch skills off, or raise the budget",
		}}
	}
	return r
}

// reservedTags are the tags that no text of a skill may open or close.
func reservedTags(wrap [2]string) []string {
	tags := []string{"system-reminder", "available_skills"}
	for _, w := range wrap {
		for _, part := range strings.Split(w, "<")[1:] {
			name := strings.TrimLeft(part, "/ ")
			if i := strings.IndexAny(name, " >\t\n/"); i > 0 {
				tags = append(tags, name[:i])
			}
		}
	}
	return tags
}
