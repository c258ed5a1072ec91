package fit_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/seed-12b313d8/skills/internal/fit"
	"github.com/seed-12b313d8/skills/internal/line"
)

// A picker returns a number from 0 to n-1.
type picker func(n int) int

// vocabulary is what texts are made of: shared and rare words, sentence ends,
// negated clauses, clusters of several code points, text without blanks.
func vocabulary() []string {
	return []string{
		"use", "when", "the", "Use", "skill.", "files", "(files)", "commit", "changes;", "a", "of",
		"not", "never", "don’t", "isn't", "without", "-", "end.", "Done!", "“done.”",
		"xlsx", "pdf,", "terraform", "kubernetes", "c++", "supercalifragilisticexpialidocious",
		"技能を探して使う。", "残量", "\U0001F468\u200D\U0001F469\u200D\U0001F467", "e\u0301te\u0301", "\U0001F1E9\U0001F1EA\U0001F1EB\U0001F1F7", "\u0645\u06CC\u200C\u062E",
	}
}

// build makes entries and options out of picks.
func build(pick picker) ([]fit.Entry, fit.Options) {
	entries := make([]fit.Entry, pick(9))
	vocabulary := vocabulary()
	for i := range entries {
		e := &entries[i]
		e.Name = strings.Repeat("n", 1+pick(12))
		e.Whole = pick(6) == 0
		e.Score = []float64{0, 0, 1, 2, 2.5, -1, math.NaN()}[pick(7)]
		words := make([]string, []int{0, 1, 3, 6, 9, 14}[pick(6)])
		for w := range words {
			words[w] = vocabulary[pick(len(vocabulary))]
		}
		e.Text = strings.Join(words, " ")
		if pick(24) == 0 {
			e.Text = strings.TrimSpace(strings.Repeat(e.Text+" ", 4)) // past prefixFrom
		}
	}
	o := fit.Options{
		Min:        []int{0, 0, 1, 5, 20, 90, 120}[pick(7)],
		LevelStep:  []int{0, 0, 1, 8, 50}[pick(5)],
		EqualShare: pick(4) == 0,
		Hard:       pick(2) == 0,
		Ranked:     pick(3) == 0,
		DropShared: pick(6) == 0,
	}
	if pick(5) == 0 {
		o.Negators = [][]string{{}, {"use"}}[pick(2)]
	}
	if pick(4) > 0 {
		o.Closing = closings()[pick(len(closings()))]
	}
	// Budgets around the sizes of the tiers.
	o.Budget = pick(utf8.RuneCountInString(render(entries, fit.Fit(entries, fit.Options{Budget: 1 << 20})))+8) - 2
	return entries, o
}

func closings() []func(int) string {
	return []func(int) string{
		func(n int) string { return fmt.Sprintf("%d more", n) },
		func(n int) string { return fmt.Sprintf("%d more skills; search finds them", n) },
		func(n int) string { return strings.Repeat("x", (n*7)%11) }, // longer for fewer, or nothing
	}
}

// check compares Fit with the reference and holds its plan to what 02 §2
// promises always. It returns the tier.
func check(t *testing.T, entries []fit.Entry, o fit.Options) fit.Tier {
	t.Helper()
	plan := fit.Fit(entries, o)
	want := fitSlowly(entries, o)
	require.Equal(t, want, plan, "entries %+v\noptions %+v", entries, o)

	text := render(entries, plan)
	budget := max(o.Budget, 1)
	if least := leastSize(entries, o); plan.Used > budget && plan.Used > least {
		t.Errorf("used %d exceeds the budget %d and what cannot be saved, %d", plan.Used, budget, least)
	}
	if !utf8.ValidString(text) {
		t.Errorf("not UTF-8: %q", text)
	}
	if n := utf8.RuneCountInString(text); n != plan.Used {
		t.Errorf("%d characters, used says %d", n, plan.Used)
	}
	if n := strings.Count(text, "\n"); n != linesOf(entries, plan) {
		t.Errorf("%d lines for %d entries, %d left out", n, len(entries), plan.Omitted)
	}
	for i, e := range entries {
		checkEntry(t, e, plan, i, o)
	}
	return plan.Tier
}

func linesOf(entries []fit.Entry, p fit.Plan) int {
	n := len(entries) - p.Omitted
	if p.Closing != "" {
		n++
	}
	return n
}

// leastSize is the size of the lines that must be there.
func leastSize(entries []fit.Entry, o fit.Options) int {
	n := 0
	for _, e := range entries {
		switch {
		case e.Whole && e.Text != "":
			n += utf8.RuneCountInString("- " + e.Name + ": " + e.Text + "\n")
		case e.Whole || !o.Hard:
			n += utf8.RuneCountInString("- " + e.Name + "\n")
		}
	}
	return n
}

func checkEntry(t *testing.T, e fit.Entry, p fit.Plan, i int, o fit.Options) {
	t.Helper()
	text, state := p.Texts[i], p.States[i]
	switch {
	case state == fit.StateOmitted && (e.Whole || !o.Hard):
		t.Errorf("entry %d is left out", i)
	case (e.Whole || state == fit.StateFull) && text != e.Text:
		t.Errorf("entry %d should be whole: %q", i, text)
	case state == fit.StateName && (text != "" || e.Text == ""):
		t.Errorf("entry %d should be a name that had a text: %q", i, text)
	case state == fit.StateCut && !strings.HasSuffix(text, "…"):
		t.Errorf("entry %d should be cut: %q", i, text)
	case state == fit.StateCut && !o.DropShared && roomFor(p, o) >= nextWord(e.Text, text):
		t.Errorf("entry %d could take its next word: %q", i, text)
	}
}

func roomFor(p fit.Plan, o fit.Options) int { return o.Budget - p.Used }

// nextWord is how many characters more a cut text needs for its next word, or
// for the rest of the word it breaks off in.
func nextWord(whole, cut string) int {
	head := strings.TrimSuffix(cut, "…")
	rest := strings.TrimPrefix(whole, head)
	word, more, found := strings.Cut(strings.TrimPrefix(rest, " "), " ")
	next := head + rest[:len(rest)-len(strings.TrimPrefix(rest, " "))] + word
	if found && more != "" {
		next += "…"
	}
	return utf8.RuneCountInString(next) - utf8.RuneCountInString(cut)
}

func TestFitEqualsReference(t *testing.T) {
	const shards = 4
	rounds := 112_000 / shards
	if testing.Short() {
		rounds = 8_000 / shards
	}
	for shard := range uint64(shards) {
		t.Run(fmt.Sprint(shard), func(t *testing.T) {
			t.Parallel()
			tiers := map[fit.Tier]int{}
			for seed := range uint64(rounds) {
				rng := rand.New(rand.NewPCG(seed, shard))
				entries, o := build(rng.IntN)
				tiers[check(t, entries, o)]++
				require.False(t, t.Failed(), "seed %d: entries %+v\noptions %+v", seed, entries, o)
			}
			for _, tier := range []fit.Tier{fit.Full, fit.Truncated, fit.NamesOnly, fit.Omitting} {
				assert.Greater(t, tiers[tier], rounds/50, "tier %s is hardly tried", tier)
			}
		})
	}
}

func FuzzFitEqualsReference(f *testing.F) {
	for seed := range byte(16) {
		data := make([]byte, 200)
		rand.NewChaCha8([32]byte{seed}).Read(data)
		f.Add(data)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) > 4<<10 {
			t.Skip("over 4 KiB")
		}
		entries, o := build(func(n int) int {
			if len(data) == 0 {
				return 0
			}
			b := int(data[0])
			data = data[1:]
			if n > 256 && len(data) > 0 {
				b = b<<8 | int(data[0])
				data = data[1:]
			}
			return b % n
		})
		check(t, entries, o)
	})
}

// TestFitKeepsInput holds Fit to leaving its arguments alone and giving the
// same plan again.
func TestFitKeepsInput(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for range 200 {
		entries, o := build(rng.IntN)
		before := fmt.Sprintf("%+v", entries)
		plan := fit.Fit(entries, o)
		assert.Equal(t, plan, fit.Fit(entries, o), "bug G08: equal input, equal text")
		assert.Equal(t, before, fmt.Sprintf("%+v", entries))
		for i := range plan.Texts {
			assert.LessOrEqual(t, line.Len(plan.Texts[i]), line.Len(entries[i].Text))
		}
	}
}
