package fit_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/seed-12b313d8/skills/internal/fit"
	"github.com/seed-12b313d8/skills/internal/line"
)

func x(n int) string { return strings.Repeat("x", n) }

// described makes entries a, b, c … with the given texts.
func described(texts ...string) []fit.Entry {
	entries := make([]fit.Entry, len(texts))
	for i, text := range texts {
		entries[i] = fit.Entry{Name: string(rune('a' + i)), Text: text}
	}
	return entries
}

// many makes n entries with equally long names and the same text.
func many(n int, text string) []fit.Entry {
	entries := make([]fit.Entry, n)
	for i := range entries {
		entries[i] = fit.Entry{Name: fmt.Sprintf("skill-%03d", i), Text: text}
	}
	return entries
}

func plus(omitted int) string { return fmt.Sprintf("+%d", omitted) }

// A row is one plan; want is the listing, or its first lines where it ends in
// "...".
type row struct {
	name    string
	entries []fit.Entry
	o       fit.Options
	tier    fit.Tier
	level   int
	over    int
	want    string
	reason  string
}

func runRows(t *testing.T, rows []row) {
	t.Helper()
	for _, r := range rows {
		t.Run(r.name, func(t *testing.T) {
			require.NotEmpty(t, r.reason)
			p := fit.Fit(r.entries, r.o)
			assert.Equal(t, r.tier, p.Tier, r.reason)
			assert.Equal(t, r.level, p.Level, r.reason)
			assert.Equal(t, r.over, p.Over, r.reason)
			got := render(r.entries, p)
			assert.Equal(t, line.Len(got), p.Used)
			if head, ok := strings.CutSuffix(r.want, "..."); ok {
				got = got[:min(len(got), len(head))]
				r.want = head
			}
			assert.Equal(t, r.want, got, r.reason)
			check(t, r.entries, r.o)
		})
	}
}

func TestFull(t *testing.T) {
	runRows(t, []row{
		{"none", nil, fit.Options{Budget: 100}, fit.Full, 0, 0, "", "peers 2d: none gives an empty text"},
		{"exact fit", described(x(10)), fit.Options{Budget: 16}, fit.Full, 0, 0, "- a: " + x(10) + "\n", "02 §2 tier 1: total ≤ budget, newline and ': ' counted"},
		{"bare exact fit", described("", ""), fit.Options{Budget: 8}, fit.Full, 0, 0, "- a\n- b\n", "02 §2: a line without description is '- name' and newline"},
		{"wide", described("技能\u0301"), fit.Options{Budget: 9}, fit.Full, 0, 0, "- a: 技能\u0301\n", "02 §2: a character is a code point"},
		{"490 characters each", many(25, line.Cut(strings.Repeat("word ", 98), 250)), fit.Options{Budget: 8000}, fit.Full, 0, 0, "- skill-000: word ...", "bug G01: capped at 250 they fit"},
		{"bundled fits too", []fit.Entry{{Name: "a", Text: x(10), Whole: true}, {Name: "b", Text: x(3)}}, fit.Options{Budget: 25}, fit.Full, 0, 0, "- a: " + x(10) + "\n- b: xxx\n", "02 §2 tier 1: bundled lines count like others"},
	})
}

func TestTruncated(t *testing.T) {
	runRows(t, []row{
		{"one over", described(x(30)), fit.Options{Budget: 35}, fit.Truncated, 29, 0, "- a: " + x(28) + "…\n", "02 §2 tier 2: share = floor((budget − overheads) / 1)"},
		{"threshold met", described(x(30)), fit.Options{Budget: 26}, fit.Truncated, 20, 0, "- a: " + x(19) + "…\n", "02 §2 tier 2: level 20 is enough"},
		{"threshold is an option", described(x(30)), fit.Options{Budget: 11, Min: 5}, fit.Truncated, 5, 0, "- a: xxxx…\n", "02 §2: MinDescription"},
		{"share rounds down", described(x(30), x(30)), fit.Options{Budget: 12 + 41}, fit.Truncated, 20, 0, "- a: " + x(20) + "…\n- b: " + x(19) + "…\n", "02 §2 tier 2: floor; the odd character goes to the first line"},
		{"water-filling", described(x(5), x(40), x(40)), fit.Options{Budget: 18 + 75}, fit.Truncated, 35, 0, "- a: xxxxx\n- b: " + x(34) + "…\n- c: " + x(34) + "…\n", "02 §2: a short text leaves its rest to the longer ones"},
		{"equal share", described(x(5), x(40), x(40)), fit.Options{Budget: 18 + 75, EqualShare: true}, fit.Truncated, 25, 0, "- a: xxxxx\n- b: " + x(40) + "\n- c: " + x(29) + "…\n", "02 §2: EqualShare turns water-filling off; leftovers still go to single lines in order"},
		{"equal share below the threshold", described("", x(5), x(40), x(40)), fit.Options{Budget: 22 + 59, EqualShare: true}, fit.NamesOnly, 0, 0, "- a\n- b\n- c\n- d\n", "02 §2: with EqualShare the share counts, 19 here, though the common level is 27"},
		{"peer: x and abcdefghi", described("x", "abcdefghi"), fit.Options{Budget: 12 + 9, Min: 1}, fit.Truncated, 8, 0, "- a: x\n- b: abcdefg…\n", "peers 2d: the short one stays, the other takes the rest"},
		{"leftover word", described("one two three", "one two three"), fit.Options{Budget: 12 + 21, Min: 5}, fit.Truncated, 10, 0, "- a: one two three\n- b: one two…\n", "02 §2: what a word boundary saves goes to single lines in listing order"},
		{"bundled stays full", []fit.Entry{{Name: "a", Text: x(60), Whole: true}, {Name: "b", Text: x(60)}}, fit.Options{Budget: 66 + 6 + 20}, fit.Truncated, 20, 0, "- a: " + x(60) + "\n- b: " + x(19) + "…\n", "02 §2: bundled lines are never shortened"},
		{"bare names between", described("", x(60), ""), fit.Options{Budget: 4 + 26 + 4}, fit.Truncated, 20, 0, "- a\n- b: " + x(19) + "…\n- c\n", "02 §2: overhead of a line without description is '- name' and newline"},
		{"huge first", described(x(10_000), "short one", "another"), fit.Options{Budget: 18 + 16 + 50}, fit.Truncated, 50, 0, "- a: " + x(49) + "…\n- b: short one\n- c: another\n", "02 §2: one huge text takes nothing from the short ones"},
		{"family at the cut", described(x(20) + "\U0001F468\u200D\U0001F469\u200D\U0001F467" + x(9)), fit.Options{Budget: 6 + 24}, fit.Truncated, 24, 0, "- a: " + x(20) + "…\n", "02 §2: a cut never splits a grapheme cluster"},
		{"flags at the cut", described(strings.Repeat("\U0001F1E9\U0001F1EA", 20)), fit.Options{Budget: 6 + 24}, fit.Truncated, 24, 0, "- a: " + strings.Repeat("\U0001F1E9\U0001F1EA", 11) + "…\n", "02 §2: a cut never splits a grapheme cluster"},
		{"marks at the cut", described(strings.Repeat("e\u0301", 20)), fit.Options{Budget: 6 + 24}, fit.Truncated, 24, 0, "- a: " + strings.Repeat("e\u0301", 11) + "…\n", "02 §2: a cut never splits a grapheme cluster"},
		{"cjk at the cut", described(strings.Repeat("技", 251)), fit.Options{Budget: 6 + 24}, fit.Truncated, 24, 0, "- a: " + strings.Repeat("技", 23) + "…\n", "bug G04: valid UTF-8"},
		{"step", described(x(60), x(60)), fit.Options{Budget: 12 + 62, LevelStep: 8}, fit.Truncated, 24, 0, "- a: " + x(37) + "…\n- b: " + x(23) + "…\n", "02 §2: LevelStep rounds the level 31 down to 24"},
		{"step below the threshold", described(x(60)), fit.Options{Budget: 6 + 23, LevelStep: 16}, fit.Truncated, 20, 0, "- a: " + x(22) + "…\n", "02 §2: the final level stays ≥ 20"},
	})
}

func TestNamesOnly(t *testing.T) {
	runRows(t, []row{
		{"threshold missed", described(x(30)), fit.Options{Budget: 25}, fit.NamesOnly, 0, 0, "- a\n", "02 §2 tier 2: level 19 is not enough"},
		{"names alone over", described(x(30), "", x(30)), fit.Options{Budget: 5}, fit.NamesOnly, 0, 7, "- a\n- b\n- c\n", "02 §2 tier 3: names are all present, Over says by how much"},
		{"300 names", many(300, "text"), fit.Options{Budget: 500}, fit.NamesOnly, 0, 300*12 - 500, "- skill-000\n- skill-001\n...", "bug G02: all names, used > budget reported"},
		{"all bare", described("", "", ""), fit.Options{Budget: 11}, fit.NamesOnly, 0, 1, "- a\n- b\n- c\n", "02 §2 tier 3: nothing to cut"},
		{"bundled alone over", []fit.Entry{{Name: "a", Text: x(50), Whole: true}, {Name: "b", Text: x(50)}}, fit.Options{Budget: 20}, fit.NamesOnly, 0, 40, "- a: " + x(50) + "\n- b\n", "02 §2: bundled lines stay full over budget"},
		{"only bundled", []fit.Entry{{Name: "a", Text: x(50), Whole: true}}, fit.Options{Budget: 55}, fit.NamesOnly, 0, 1, "- a: " + x(50) + "\n", "02 §2: bundled lines stay full over budget"},
		{"compact fits", described(x(100), x(100)), fit.Options{Budget: 10, Hard: true, Closing: plus}, fit.NamesOnly, 0, 0, "- a\n- b\n", "peers 2d: full too big, compact fits: no descriptions, all names"},
		{"budget 0", described("x"), fit.Options{}, fit.NamesOnly, 0, 3, "- a\n", "02 §2: a budget is at least 1"},
		{"budget −5", nil, fit.Options{Budget: -5, Hard: true, Closing: plus}, fit.Full, 0, 0, "", "02 §2: a budget is at least 1"},
	})
}

func TestOmitting(t *testing.T) {
	hard := func(budget int) fit.Options { return fit.Options{Budget: budget, Hard: true, Closing: plus} }
	scopes := []fit.Entry{{Name: "system", Text: "s"}, {Name: "admin"}, {Name: "user", Text: "u"}, {Name: "repo"}}
	ten := render(many(10, ""), fit.Fit(many(10, ""), fit.Options{Budget: 999}))
	ranked := hard(12)
	ranked.Ranked = true
	runRows(t, []row{
		{"room for two", scopes, hard(20), fit.Omitting, 0, 0, "- system\n- admin\n+2\n", "peers 2d: the first by rank stay; the closing line is paid from the budget"},
		{"one less", scopes, hard(19), fit.Omitting, 0, 0, "- system\n- user\n+2\n", "02 §2 tier 4: names that do not fit are left out"},
		{"first too big", []fit.Entry{{Name: x(40)}, {Name: "b"}}, hard(10), fit.Omitting, 0, 0, "- b\n+1\n", "peers 2d: a later small one is still listed"},
		{"bundled is never left out", []fit.Entry{{Name: "b"}, {Name: "c", Text: x(6), Whole: true}, {Name: "d"}}, hard(19), fit.Omitting, 0, 0, "- b\n- c: xxxxxx\n+1\n", "02 §2 tier 4: never bundled ones"},
		{"bundled alone over", []fit.Entry{{Name: "b"}, {Name: "c", Text: x(6), Whole: true}}, hard(10), fit.Omitting, 0, 2, "- c: xxxxxx\n", "02 §2: bundled lines stay full over budget"},
		{"closing does not fit", []fit.Entry{{Name: x(20)}}, fit.Options{Budget: 10, Hard: true, Closing: func(int) string { return x(30) }}, fit.Omitting, 0, 0, "", "peers 2d: 10 characters, 0 of 1; the plan still says so"},
		{"names in its place", []fit.Entry{{Name: x(20)}, {Name: "b"}}, fit.Options{Budget: 10, Hard: true, Closing: func(int) string { return x(30) }}, fit.Omitting, 0, 0, "- b\n", "02 §2 tier 4: total ≤ budget"},
		{"no closing line", described("", "", ""), fit.Options{Budget: 9, Hard: true}, fit.Omitting, 0, 0, "- a\n- b\n", "without Closing names alone fill the budget"},
		{"fewer digits", many(12, ""), hard(12*10 + 3), fit.Omitting, 0, 0, ten + "+2\n", "02 §2 tier 4: the closing line is paid at its real length"},
		{"by score", []fit.Entry{{Name: "a"}, {Name: "b", Score: 1}, {Name: "c"}, {Name: "d", Score: 2}}, ranked, fit.Omitting, 0, 0, "- b\n- d\n+2\n", "02 §2: left out by rank"},
	})
	p := fit.Fit(scopes, hard(19))
	assert.Equal(t, []fit.State{fit.StateName, fit.StateOmitted, fit.StateName, fit.StateOmitted}, p.States)
	assert.Equal(t, 2, p.Omitted)
}

func TestRanked(t *testing.T) {
	o := func(room int) fit.Options { return fit.Options{Budget: 24 + room, Ranked: true} }
	entries := described(x(60), x(60), x(60), x(60)) // c is used most, then b; a and d never
	entries[1].Score, entries[2].Score = 1, 2
	crowd := described(slices.Repeat([]string{x(60)}, 10)...)
	for i := range crowd[:9] {
		crowd[i].Score = 1
	}
	nobody := described(x(60), x(60), x(60), x(60))
	all := described(x(60), x(60))
	all[0].Score, all[1].Score = 1, 1
	runRows(t, []row{
		{"best first", entries, o(150), fit.Truncated, 20, 0, "- a: " + x(19) + "…\n- b: " + x(49) + "…\n- c: " + x(60) + "\n- d: " + x(19) + "…\n", "02 §2: usage orders who keeps full text first"},
		{"reserve", entries, o(205), fit.Truncated, 42, 0, "- a: " + x(42) + "…\n- b: " + x(60) + "\n- c: " + x(60) + "\n- d: " + x(41) + "…\n", "02 §2: what the used ones do not need goes to the others"},
		{"a fifth", append(described(x(250), x(250)), fit.Entry{Name: "c", Text: x(250), Score: 1}), fit.Options{Budget: 18 + 300, Ranked: true}, fit.Truncated, 30, 0, "- a: " + x(29) + "…\n- b: " + x(29) + "…\n- c: " + x(239) + "…\n", "02 §2: a reserved share of 20 % for skills never used"},
		{"used ones need it", crowd, fit.Options{Budget: 60 + 210, Ranked: true}, fit.Truncated, 30, 0, strings.Replace(render(crowd, fit.Fit(crowd, fit.Options{Budget: 60 + 200})), "j: "+x(19), "j: "+x(29), 1), "02 §2: a fifth, 42, would take the threshold from the used ones"},
		{"least for all", entries, o(80), fit.Truncated, 20, 0, "- a: " + x(19) + "…\n- b: " + x(19) + "…\n- c: " + x(19) + "…\n- d: " + x(19) + "…\n", "02 §2: no text below the threshold"},
		{"threshold missed", entries, o(79), fit.NamesOnly, 0, 0, "- a\n- b\n- c\n- d\n", "02 §2 tier 3 whoever is used"},
		{"nobody used", nobody, o(120), fit.Truncated, 30, 0, "- a: " + x(29) + "…\n- b: " + x(29) + "…\n- c: " + x(29) + "…\n- d: " + x(29) + "…\n", "without usage all are equal"},
		{"ties in order", all, fit.Options{Budget: 12 + 85, Ranked: true}, fit.Truncated, 20, 0, "- a: " + x(60) + "\n- b: " + x(24) + "…\n", "equal scores keep listing order"},
	})
}

func TestDropShared(t *testing.T) {
	formats := described("xlsx", "docx", "parquet", "pptx", "pdf")
	for i := range formats {
		formats[i].Text = "Use this skill when working with " + formats[i].Text + " files"
	}
	negated := described(
		"Opens xlsx sheets. Never for parquet dumps.",
		"Opens ods sheets. Never for avro dumps.",
		"Opens csv sheets. Never for orc dumps.",
	)
	joined := described("Opens xlsx, not ods - Use with big sheets", "Opens docx, not odt - Use with big texts")
	long := described(strings.Repeat("shared words ", 12)+"tail", strings.Repeat("shared words ", 12)+"tail")
	bundled := append(described("alpha beta gamma delta", "alpha beta gamma delta"), fit.Entry{Name: "c", Text: "beta gamma", Whole: true})
	wide := described(strings.Repeat("pppp ", 14)+"not "+x(60)+". tail tail tail tail", "Never "+x(53)+". ok")
	used := []fit.Entry{{Name: "a", Text: wide[0].Text, Score: 1}}
	runRows(t, []row{
		{"rare words stay", formats, fit.Options{Budget: 30 + 30, DropShared: true}, fit.Truncated, 41, 0, "- a: xlsx…\n- b: docx…\n- c: parquet…\n- d: pptx…\n- e: pdf…\n", "02 §2: words common among the listed skills go first"},
		{"negated clauses go", negated, fit.Options{Budget: 18 + 57, DropShared: true}, fit.Truncated, 37, 0, "- a: Opens xlsx sheets.…\n- b: Opens ods sheets.…\n- c: Opens csv sheets.…\n", "02 §2: a negated clause goes up to its sentence's end"},
		{"no negators", negated, fit.Options{Budget: 18 + 57, DropShared: true, Negators: []string{}}, fit.Truncated, 37, 0, "- a: xlsx parquet…\n- b: ods avro…\n- c: csv orc…\n", "02 §2: the negator list is replaceable"},
		{"own negators", negated, fit.Options{Budget: 18 + 68, DropShared: true, Negators: []string{"opens"}}, fit.Truncated, 37, 0, "- a: Never for parquet dumps.…\n- b: Never for avro dumps.…\n- c: Never for orc dumps.…\n", "02 §2: the negator list is replaceable"},
		{"clause ends at the joint", joined, fit.Options{Budget: 12 + 70, DropShared: true}, fit.Truncated, 39, 0, "- a: Opens xlsx, Use with big sheets…\n- b: Opens docx, Use with big texts…\n", "02 §1: ' - ' begins the text on when to use, which no negator of the description reaches"},
		{"from 100 on a prefix", long, fit.Options{Budget: 12 + 240, DropShared: true}, fit.Truncated, 123, 0, "- a: " + strings.Repeat("shared words ", 8) + "shared words…\n...", "02 §2: L ≥ 100 is the word prefix"},
		{"one word is too long", described(x(60), x(60)), fit.Options{Budget: 12 + 60, DropShared: true}, fit.Truncated, 30, 0, "- a: " + x(29) + "…\n- b: " + x(29) + "…\n", "02 §2: where nearly nothing is left, the word prefix"},
		{"leftovers past 100", wide, fit.Options{Budget: 12 + 108, DropShared: true}, fit.Truncated, 62, 0, "- a: " + strings.Repeat("pppp ", 14) + "tail tail tail tail…\n- b: ok…\n", "02 §2: of what leftovers can make, the longest; a prefix of 105 would end after 73"},
		{"step across 100", wide[:1], fit.Options{Budget: 6 + 80, LevelStep: 99, DropShared: true}, fit.Truncated, 110, 0, "- a: " + strings.Repeat("pppp ", 14) + "tail tail…\n", "02 §2: total ≤ budget; the words kept at level 99 would not fit, so the level stays"},
		{"ranked across 100", used, fit.Options{Budget: 6 + 80, Min: 95, Ranked: true, DropShared: true}, fit.Truncated, 110, 0, "- a: " + strings.Repeat("pppp ", 14) + "tail tail…\n", "02 §2: total ≤ budget; where level Min does not fit, rank gives way"},
		{"bundled counts", bundled, fit.Options{Budget: 16 + 12 + 30, Min: 5, DropShared: true}, fit.Truncated, 21, 0, "- a: alpha delta…\n- b: alpha delta…\n- c: beta gamma\n", "02 §2: df counts listed skills, bundled too"},
	})
}
