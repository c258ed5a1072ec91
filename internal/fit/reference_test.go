package fit_test

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/seed-12b313d8/skills/internal/fit"
	"github.com/seed-12b313d8/skills/internal/line"
)

// A reference fits by the words of 02 §2: it writes every line out, counts its
// characters, and tries every level.
type reference struct {
	entries []fit.Entry
	o       fit.Options
	lens    []int          // characters of the texts
	count   map[string]int // entries that have a word
	plan    fit.Plan

	lengths    map[[2]int]int
	selections map[int]selection
}

func fitSlowly(entries []fit.Entry, o fit.Options) fit.Plan {
	o.Budget = max(o.Budget, 1)
	if o.Min < 1 {
		o.Min = 20
	}
	r := &reference{entries: entries, o: o, count: countWords(entries), lengths: map[[2]int]int{}, selections: map[int]selection{}}
	r.plan = fit.Plan{Tier: fit.Full, Texts: make([]string, len(entries)), States: make([]fit.State, len(entries)), Lens: make([]int, len(entries))}
	for i, e := range entries {
		r.lens = append(r.lens, utf8.RuneCountInString(e.Text))
		r.plan.Lens[i] = r.lens[i]
		r.plan.Texts[i], r.plan.States[i] = e.Text, fit.StateFull
	}
	if r.size() > o.Budget && !r.truncate() {
		r.namesOnly()
		if r.size() > o.Budget && o.Hard {
			r.omit()
		}
	}
	r.plan.Used = r.size()
	r.plan.Over = max(0, r.plan.Used-o.Budget)
	return r.plan
}

// size is the length of the listing as planned.
func (r *reference) size() int { return utf8.RuneCountInString(render(r.entries, r.plan)) }

// render prints a plan.
func render(entries []fit.Entry, p fit.Plan) string {
	var b strings.Builder
	for i, e := range entries {
		switch {
		case p.States[i] == fit.StateOmitted:
		case p.Texts[i] == "":
			b.WriteString("- " + e.Name + "\n")
		default:
			b.WriteString("- " + e.Name + ": " + p.Texts[i] + "\n")
		}
	}
	if p.Closing != "" {
		b.WriteString(p.Closing + "\n")
	}
	return b.String()
}

func (r *reference) namesOnly() {
	r.plan.Tier = fit.NamesOnly
	for i, e := range r.entries {
		if e.Text != "" && !e.Whole {
			r.plan.Texts[i], r.plan.States[i] = "", fit.StateName
		}
	}
}

// truncate tries tier 2 and leaves the plan alone when it is not for it.
func (r *reference) truncate() bool {
	var ids []int
	room := r.o.Budget
	for i, e := range r.entries {
		switch {
		case e.Text == "":
			room -= utf8.RuneCountInString("- " + e.Name + "\n")
		case e.Whole:
			room -= utf8.RuneCountInString("- " + e.Name + ": " + e.Text + "\n")
		default:
			room -= utf8.RuneCountInString("- " + e.Name + ": " + "\n")
			ids = append(ids, i)
		}
	}
	if len(ids) == 0 || room < 0 {
		return false
	}
	level := r.level(ids, room)
	if r.o.EqualShare && !r.o.Ranked {
		level = room / len(ids)
	}
	if level < r.o.Min {
		return false
	}
	r.plan.Tier = fit.Truncated
	used, never := r.split(ids)
	if len(used) > 0 && r.charges(ids, r.o.Min) <= room {
		r.rank(used, never, room)
	} else {
		r.atLevel(ids, level, room)
		used, never = nil, ids
	}
	r.leftovers(append(used, never...), room)
	return true
}

// split is used entries by score, and the rest.
func (r *reference) split(ids []int) (used, never []int) {
	for _, i := range ids {
		if r.o.Ranked && r.entries[i].Score > 0 {
			at := 0
			for at < len(used) && r.entries[used[at]].Score >= r.entries[i].Score {
				at++
			}
			used = slices.Insert(used, at, i)
		} else {
			never = append(never, i)
		}
	}
	return used, never
}

func (r *reference) rank(used, never []int, room int) {
	kept := min(room/5, room-r.charges(used, r.o.Min))
	kept = max(kept, r.charges(never, r.o.Min), room-r.charges(used, 1<<20))
	r.plan.Level = r.o.Min
	if len(never) > 0 {
		r.atLevel(never, r.level(never, kept), kept)
	}
	for n, i := range used {
		free := room - r.charges(used[n+1:], r.o.Min)
		for _, j := range append(used[:n:n], never...) {
			free -= utf8.RuneCountInString(r.plan.Texts[j])
		}
		r.set(i, r.longest(i, free))
	}
}

func (r *reference) atLevel(ids []int, level, room int) {
	if step := r.o.LevelStep; step > 1 {
		if low := max(level/step*step, r.o.Min); r.charges(ids, low) <= room {
			level = low
		}
	}
	r.plan.Level = level
	for _, i := range ids {
		r.set(i, r.short(i, level))
	}
}

// leftovers gives what is left of room to ids in order.
func (r *reference) leftovers(ids []int, room int) {
	for _, i := range ids {
		free := room
		for _, j := range ids {
			if j != i {
				free -= utf8.RuneCountInString(r.plan.Texts[j])
			}
		}
		if text := r.longest(i, free); utf8.RuneCountInString(text) > utf8.RuneCountInString(r.plan.Texts[i]) {
			r.set(i, text)
		}
	}
}

func (r *reference) set(i int, text string) {
	r.plan.Texts[i], r.plan.States[i] = text, fit.StateCut
	if text == r.entries[i].Text {
		r.plan.States[i] = fit.StateFull
	}
}

// level is the largest level whose charges fit into room.
func (r *reference) level(ids []int, room int) int {
	level := 0
	for i, e := range r.entries {
		if e.Text != "" && !e.Whole {
			level = max(level, r.lens[i])
		}
	}
	for ; level > 0 && r.charges(ids, level) > room; level-- {
		continue
	}
	return level
}

// charges is what ids take at a level: the level, or all of a shorter text;
// with DropShared exactly what is printed.
func (r *reference) charges(ids []int, level int) int {
	sum := 0
	for _, i := range ids {
		if r.o.DropShared {
			sum += r.length(i, level)
		} else {
			sum += min(r.lens[i], level)
		}
	}
	return sum
}

// length is how long the short text is, remembered because levels are tried
// more than once.
func (r *reference) length(i, level int) int {
	at := [2]int{i, level}
	if _, ok := r.lengths[at]; !ok {
		r.lengths[at] = utf8.RuneCountInString(r.short(i, level))
	}
	return r.lengths[at]
}

// longest is the longest text for i that any level up to free makes.
func (r *reference) longest(i, free int) string {
	free = min(free, r.lens[i])
	best := free
	for level := free - 1; level > 0 && r.o.DropShared; level-- { // plain cuts never shrink
		if r.length(i, level) > r.length(i, best) {
			best = level
		}
	}
	return r.short(i, best)
}

// short is the function of that name in 02 §2.
func (r *reference) short(i, level int) string {
	text := r.entries[i].Text
	if r.lens[i] <= level {
		return text
	}
	if !r.o.DropShared || level >= 100 {
		return line.Cut(text, level)
	}
	for _, rare := range r.kept(i).sets {
		if rare != "" && utf8.RuneCountInString(rare)+1 <= level {
			return rare + "…"
		}
	}
	out := ""
	for _, head := range r.kept(i).heads {
		if utf8.RuneCountInString(head) <= level-1 {
			out = head
		}
	}
	if out == "" || float64(utf8.RuneCountInString(out)+1) < float64(level)/2 {
		return line.Cut(text, level)
	}
	return out + "…"
}

// A selection is what may be kept of a text: its rare words by threshold, and
// the heads of its rarest words.
type selection struct{ sets, heads []string }

// kept returns the selection for entry i, remembered because every level asks.
func (r *reference) kept(i int) selection {
	if s, ok := r.selections[i]; ok {
		return s
	}
	var s selection
	words := r.affirmed(r.entries[i].Text)
	for _, t := range []int{1 << 20, 256, 128, 64, 32, 16, 8, 4, 3} {
		s.sets = append(s.sets, strings.Join(r.rare(words, t), " "))
	}
	rarest := r.rare(words, 3)
	for n := range rarest {
		s.heads = append(s.heads, strings.Join(rarest[:n+1], " "))
	}
	r.selections[i] = s
	return s
}

// rare is the words that fewer than t entries have.
func (r *reference) rare(words []string, t int) []string {
	var out []string
	for _, w := range words {
		if r.count[key(w)] < t {
			out = append(out, w)
		}
	}
	return out
}

// countWords counts for each word the entries that have it.
func countWords(entries []fit.Entry) map[string]int {
	count := map[string]int{}
	for _, e := range entries {
		seen := map[string]bool{}
		for _, w := range strings.Fields(e.Text) {
			if !seen[key(w)] {
				count[key(w)]++
			}
			seen[key(w)] = true
		}
	}
	return count
}

// affirmed is the words of a text outside of negated clauses.
func (r *reference) affirmed(text string) []string {
	negators := r.o.Negators
	if negators == nil {
		negators = []string{"not", "no", "never", "nor", "neither", "cannot", "without", "except", "excluding", "unless", "avoid", "don't", "isn't"}
	}
	var out []string
	words := strings.Split(text, " ")
	for n := 0; n < len(words); n++ {
		if slices.Contains(negators, key(words[n])) {
			for n < len(words)-1 && !sentenceEnd(words[n]) {
				n++
			}
			continue
		}
		out = append(out, words[n])
	}
	return out
}

func sentenceEnd(s string) bool {
	if s == "-" {
		return true
	}
	s = strings.TrimRight(s, "\"')”")
	return s != "" && strings.ContainsRune(".!?。", []rune(s)[len([]rune(s))-1])
}

func key(s string) string {
	s = strings.ReplaceAll(strings.ToLower(s), "’", "'")
	return strings.TrimFunc(s, func(r rune) bool { return unicode.IsPunct(r) || unicode.IsSymbol(r) })
}

// omit is tier 4: no names, then each that fits in order of rank, until none
// does.
func (r *reference) omit() {
	r.plan.Tier = fit.Omitting
	var others []int
	for i, e := range r.entries {
		if !e.Whole {
			others = append(others, i)
			r.plan.States[i] = fit.StateOmitted
		}
	}
	used, never := r.split(others)
	if r.close(); r.size() > r.o.Budget {
		r.o.Closing = nil
		r.close()
	}
	for again := true; again; {
		again = false
		for _, i := range append(used, never...) {
			if r.plan.States[i] == fit.StateOmitted && r.list(i) {
				again = true
			}
		}
	}
}

// list lists entry i if it fits beside the closing line.
func (r *reference) list(i int) bool {
	before := r.plan
	before.States = slices.Clone(r.plan.States)
	r.plan.States[i] = fit.StateName
	if r.entries[i].Text == "" {
		r.plan.States[i] = fit.StateFull
	}
	if r.close(); r.size() > r.o.Budget {
		r.plan = before
		return false
	}
	return true
}

// close counts what is left out and writes the closing line.
func (r *reference) close() {
	r.plan.Omitted, r.plan.Closing = 0, ""
	for _, s := range r.plan.States {
		if s == fit.StateOmitted {
			r.plan.Omitted++
		}
	}
	if r.o.Closing != nil && r.plan.Omitted > 0 {
		r.plan.Closing = r.o.Closing(r.plan.Omitted)
	}
}
