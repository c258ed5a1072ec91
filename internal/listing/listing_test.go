package listing_test

import (
	"encoding/xml"
	"fmt"
	"math"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/seed-12b313d8/skills/internal/fit"
	"github.com/seed-12b313d8/skills/internal/line"
	"github.com/seed-12b313d8/skills/internal/listing"
)

func options() listing.Options {
	return listing.Options{
		EntryCap: 250, Wrap: [2]string{"<note>\n", "</note>"}, Header: "First:", DeltaHeader: "Later:",
		Gone: "- {name}: gone", Closing: "{n} more", Fit: fit.Options{Budget: 8000},
	}
}

func make1(o listing.Options, it listing.Item) listing.Line { return listing.New(o).Lines(1).Add(&it) }

func TestText(t *testing.T) {
	long := func(n int) string { return strings.Repeat("x", n) }
	tests := []struct {
		reason string
		item   listing.Item
		want   string
		capped bool
	}{
		{"02 §1: description and when-to-use", listing.Item{Description: "d", WhenToUse: "w"}, "d - w", false},
		{"02 §1: without when-to-use no ' - '", listing.Item{Description: "d"}, "d", false},
		{"without description", listing.Item{WhenToUse: "w"}, "w", false},
		{"02 §1: the name alone", listing.Item{}, "", false},
		{"a blank description counts as none", listing.Item{Description: " \n\t", WhenToUse: "w"}, "w", false},
		{"02 §1: nested skills say where", listing.Item{Label: "in apps/web/", Description: "d", WhenToUse: "w"}, "(in apps/web/) d - w", false},
		{"a label and no description", listing.Item{Label: "plugin p", WhenToUse: "w"}, "(plugin p) w", false},
		{"a label alone", listing.Item{Label: "plugin p"}, "(plugin p)", false},
		{"name-only", listing.Item{Label: "plugin p", Description: "d", NameOnly: true}, "", false},
		{"02 §2: 249", listing.Item{Description: long(249)}, long(249), false},
		{"02 §2: 250", listing.Item{Description: long(250)}, long(250), false},
		{"02 §2: 251, the … included", listing.Item{Description: long(251)}, long(249) + "…", true},
		{"02 §2: both together", listing.Item{Description: long(125), WhenToUse: long(122)}, long(125) + " - " + long(122), false},
		{"02 §2: one over together", listing.Item{Description: long(125), WhenToUse: long(123)}, long(125) + " - " + long(121) + "…", true},
		{"the label is not counted", listing.Item{Label: "in a/", Description: long(251)}, "(in a/) " + long(249) + "…", true},
		{"02 §1: white space folds", listing.Item{Description: "a\r\n b\u2028c\v\fd\u0085e"}, "a b c d e", false},
		{"02 §1: no tag of ours", listing.Item{Description: "</note> < / NOTE > <system-reminder> <b>"}, "&lt;/note> &lt; / NOTE > &lt;system-reminder> <b>", false},
		{"02 §1: foreign text", listing.Item{Description: "<b>", Foreign: true}, "&lt;b&gt;", false},
	}
	for _, tt := range tests {
		tt.item.Name = "n"
		got := make1(options(), tt.item)
		assert.Equal(t, tt.want, got.Text, tt.reason)
		assert.Equal(t, tt.capped, got.Capped, tt.reason)
	}
}

// The texts of one listing share memory and do not disturb each other.
func TestLinesShareMemory(t *testing.T) {
	o := options()
	o.EntryCap = math.MaxInt         // which reserves nothing
	lines := listing.New(o).Lines(1) // a guess that is much too low
	var got []listing.Line
	for i := range 100 {
		got = append(got, lines.Add(&listing.Item{Name: "n", Label: "l", Description: fmt.Sprint("description ", i), WhenToUse: strings.Repeat("w", i)}))
	}
	for i, l := range got {
		want := fmt.Sprint("(l) description ", i)
		if i > 0 {
			want += " - " + strings.Repeat("w", i)
		}
		assert.Equal(t, want, l.Text)
	}
}

// Sums are kept in exported sessions: the numbers must not change.
func TestSum(t *testing.T) {
	sum := func(it listing.Item) uint64 { return make1(options(), it).Sum }
	assert.EqualValues(t, uint64(sumOfCommit), sum(listing.Item{Name: "commit", Description: "Writes a commit.", WhenToUse: "after work"}))
	seen := make(map[uint64]listing.Item)
	for _, it := range []listing.Item{
		{},
		{Name: "a"},
		{Name: "b"},
		{Name: "a", Description: "b"},
		{Name: "ab"},
		{Name: "a", Description: "b\x00"},
		{Name: "a", WhenToUse: "x"},
		{Name: "a", Label: "x"},
		{Name: "a", Description: "12345678"},
		{Name: "a", Description: "1234567"},
		{Name: "a", Description: "123456789"},
		{Name: "a12345678"},
		{Name: "a", Description: strings.Repeat("y", 64)},
		{Name: "a", Description: strings.Repeat("y", 65)},
	} {
		s := sum(it)
		if other, ok := seen[s]; ok {
			assert.Equal(t, make1(options(), other).Text, make1(options(), it).Text, "%v and %v", other, it)
		}
		seen[s] = it
	}
	o := options()
	o.XML = true
	assert.NotEqual(t, make1(o, listing.Item{Name: "a", Location: "/x"}).Sum, make1(o, listing.Item{Name: "a", Location: "/y"}).Sum, "a location that XML shows counts")
	assert.Equal(t, sum(listing.Item{Name: "a", Location: "/x"}), sum(listing.Item{Name: "a", Location: "/y"}), "and elsewhere it does not")
}

const sumOfCommit = 0x4b4178951b8c845d

func TestRender(t *testing.T) {
	r := listing.New(options())
	lines := r.Lines(2)
	page := r.Render([]listing.Line{
		lines.Add(&listing.Item{Name: "a", Description: "does a"}),
		lines.Add(&listing.Item{Name: "b", Description: strings.Repeat("y", 300)}),
		lines.Add(&listing.Item{Name: "c"}),
	}, []string{"old", "</note>"}, true)
	assert.Equal(t, "<note>\nFirst:\n\n- a: does a\n- b: "+strings.Repeat("y", 249)+"…\n- c\n- old: gone\n- &lt;/note>: gone\n</note>", page.Text)
	assert.Equal(t, []listing.Fitted{{fit.StateFull, 6}, {fit.StateCut, 250}, {fit.StateFull, 0}}, page.Lines, "the entry cap cuts too")
	assert.Equal(t, line.Len("- a: does a\n- b: \n- c\n- old: gone\n- &lt;/note>: gone\n")+250, page.Used)
	assert.Equal(t, fit.Full, page.Tier)
	assert.Equal(t, "<note>\nLater:\n\n- c\n</note>", r.Render([]listing.Line{lines.Add(&listing.Item{Name: "c"})}, nil, false).Text)
}

type document struct {
	Skills []struct {
		Name        string `xml:"name"`
		Description string `xml:"description"`
		Location    string `xml:"location"`
	} `xml:"skill"`
}

// An XML listing is XML, says what it has to, and keeps its budget, tags and
// entities included.
func TestXML(t *testing.T) {
	text := strings.Repeat(`say "x" & <foo> to y's `, 8)
	for budget := 150; budget < 1200; budget += 7 {
		o := options()
		o.XML, o.Fit.Budget = true, budget
		r := listing.New(o)
		lines := r.Lines(3)
		page := r.Render([]listing.Line{
			lines.Add(&listing.Item{Name: "a&b", Description: text, Location: "/p/<a>/SKILL.md"}),
			lines.Add(&listing.Item{Name: "b", Description: "short"}),
		}, nil, true)
		body := strings.TrimSuffix(strings.TrimPrefix(page.Text, "<note>\nFirst:\n\n"), "</note>")
		var doc document
		require.NoError(t, xml.Unmarshal([]byte(body), &doc), body)
		require.Len(t, doc.Skills, 2)
		assert.Equal(t, "a&b", doc.Skills[0].Name)
		assert.Equal(t, "/p/<a>/SKILL.md", doc.Skills[0].Location)
		said := strings.TrimSuffix(doc.Skills[0].Description, "…")
		assert.True(t, strings.HasPrefix(line.Clean(text, line.Options{}), said), "%q", said)
		rows := strings.TrimSuffix(strings.TrimPrefix(body, "<available_skills>\n"), "</available_skills>\n")
		if page.Tier != fit.NamesOnly {
			assert.LessOrEqual(t, line.Len(rows), budget)
		}
		assert.Equal(t, 2, strings.Count(rows, "\n"))
	}
}

// Whatever skills say, each is one line, and nothing opens or closes a tag of
// ours (02 §1).
func FuzzRender(f *testing.F) {
	f.Add("a\n- b", "x</note>\u2028<system-reminder>", "\U000E0072\u202E</available_skills >", "in a/\n", false, 100)
	f.Add("", "\xff\x00\u200b<\u200d/note>", "- c: d", "", true, 0)
	f.Fuzz(func(t *testing.T, name, description, when, label string, foreign bool, budget int) {
		o := options()
		o.Fit.Budget = budget
		for _, o.XML = range []bool{false, true} {
			r := listing.New(o)
			lines := r.Lines(1)
			it := listing.Item{Name: name, Description: description, WhenToUse: when, Label: label, Foreign: foreign, Location: name}
			page := r.Render([]listing.Line{lines.Add(&it), lines.Add(&listing.Item{Name: "last"})}, []string{name}, true)
			require.True(t, utf8.ValidString(page.Text))
			body, ok := strings.CutPrefix(page.Text, "<note>\nFirst:\n\n")
			require.True(t, ok)
			body, ok = strings.CutSuffix(body, "</note>")
			require.True(t, ok)
			rows := 3
			if o.XML {
				rows += 2
				var doc document
				elements := body[:strings.Index(body, "</available_skills>")+len("</available_skills>")]
				require.NoError(t, xml.Unmarshal([]byte(elements), &doc), elements)
				require.Len(t, doc.Skills, 2)
			}
			require.Equal(t, rows, len(strings.FieldsFunc(body, isBreak)), "%q", body)
			require.Equal(t, rows, strings.Count(body, "\n"))
			low := strings.ToLower(body)
			for _, tag := range []string{"<note", "</note", "<system-reminder", "</system-reminder"} {
				require.NotContains(t, low, tag)
			}
		}
	})
}

func isBreak(r rune) bool { return strings.ContainsRune("\n\r\v\f\u0085\u2028\u2029", r) }
