package main

import (
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/seed-12b313d8/skills/internal/testkit"
)

func textOf(parts []part) string {
	var b strings.Builder
	for _, p := range parts {
		b.WriteString(p.text)
	}
	return b.String()
}

func TestBar(t *testing.T) {
	for _, tt := range []struct {
		reason       string
		used, budget int
		want         string
		percent      int
	}{
		{"nothing", 0, 8000, "[" + strings.Repeat("░", 40) + "]", 0},
		{"anything at all shows", 1, 8000, "[█" + strings.Repeat("░", 39) + "]", 0},
		{"half", 50, 100, "[" + strings.Repeat("█", 20) + strings.Repeat("░", 20) + "]", 50},
		{"one below the budget is not all of it", 7999, 8000, "[" + strings.Repeat("█", 39) + "░]", 99},
		{"all of it", 8000, 8000, "[" + strings.Repeat("█", 40) + "]", 100},
		{"02 §2: over by one is seen", 8001, 8000, "[" + strings.Repeat("█", 38) + "|▓]", 101},
		{"02 §2: over by half", 150, 100, "[" + strings.Repeat("█", 27) + "|" + strings.Repeat("▓", 12) + "]", 150},
		{"02 §2: over by far", 100_000, 1, "[█|" + strings.Repeat("▓", 38) + "]", 10_000_000},
		{"a budget is at least 1", 0, 0, "[" + strings.Repeat("░", 40) + "]", 0},
		{"numbers as large as they come", math.MaxInt - 1, math.MaxInt, "[" + strings.Repeat("█", 39) + "░]", 99},
	} {
		require.NotEmpty(t, tt.reason)
		assert.Equal(t, tt.want, textOf(bar(tt.used, tt.budget)), tt.reason)
		assert.Equal(t, tt.percent, percent(tt.used, tt.budget), tt.reason)
	}
}

// Whatever the numbers, a bar has its width, is full at exactly 100 percent,
// and has the stroke only beyond that.
func TestBarHolds(t *testing.T) {
	for budget := 1; budget < 130; budget++ {
		for used := range 400 {
			text, p := textOf(bar(used, budget)), percent(used, budget)
			require.Equal(t, barWidth+2, utf8.RuneCountInString(text), "%d of %d", used, budget)
			require.Equal(t, used > budget, strings.Contains(text, "|"), "%d of %d", used, budget)
			require.Equal(t, used > budget, p > 100, "%d of %d", used, budget)
			require.Equal(t, used == budget, p == 100, "%d of %d", used, budget)
			require.Equal(t, used == budget, strings.Count(text, "█") == barWidth, "%d of %d", used, budget)
		}
	}
}

func listingTree(t *testing.T) string {
	return testkit.Tree(t, map[string]string{
		"home/":                                "",
		"proj/.claude/skills/commit/SKILL.md":  testkit.SkillText("B.", "description: Writes the commit message of what is staged"),
		"proj/.claude/skills/deploy/SKILL.md":  testkit.SkillText("B.", "description: Brings the pages to the server after their links were checked and the tests passed"),
		"proj/.claude/skills/release/SKILL.md": testkit.SkillText("B.", "description: Tags"),
	})
}

// The text after the listing, to the byte.
func TestListingText(t *testing.T) {
	root := listingTree(t)
	const (
		cut = "\nIssues:\n  warning [listing-cut] of 3 skills: "
		all = "commit   full, 43 characters\ndeploy   full, 82 characters\nrelease  full, 4 characters\n"
	)
	for _, tt := range []struct {
		reason string
		args   []string
		want   string
		more   string // begins what follows
	}{
		{
			"02 §2: the default budget, and no issue", nil,
			"[█" + strings.Repeat("░", 39) + "]  2 %, 163 of 8000 characters, tier full\n\n" + all, "",
		},
		{
			"exactly the budget",
			[]string{"--budget", "163"},
			"[" + strings.Repeat("█", 40) + "]  100 %, 163 of 163 characters, tier full\n\n" + all, "",
		},
		{
			"02 §2: cut",
			[]string{"--budget", "120"},
			"[" + strings.Repeat("█", 39) + "░]  98 %, 118 of 120 characters, tier truncated\n\n" +
				"commit   full, 43 characters\ndeploy   cut to 37 characters\nrelease  full, 4 characters\n", cut + "1 shortened",
		},
		{
			"02 §2: names are always there, and over",
			[]string{"--budget", "20"},
			"[" + strings.Repeat("█", 28) + "|" + strings.Repeat("▓", 11) + "]  140 %, 28 of 20 characters, 8 over, tier names-only\n\n" +
				"commit   name\ndeploy   name\nrelease  name\n", cut + "0 shortened, 3 listed by name only",
		},
		{
			"04 §5: what is denied costs nothing",
			[]string{"--budget", "64", "--min-description", "60", "--deny", "Skill(release)"},
			"[" + strings.Repeat("█", 11) + strings.Repeat("░", 29) + "]  28 %, 18 of 64 characters, tier names-only\n\n" +
				"commit  name\ndeploy  name\n", "\nIssues:\n  warning [listing-cut] of 2 skills: ",
		},
		{
			"02 §2: names are omitted with --hard-budget only",
			[]string{"--budget", "10", "--hard-budget"},
			"[" + strings.Repeat("█", 36) + strings.Repeat("░", 4) + "]  90 %, 9 of 10 characters, tier omitting\n\n" +
				"commit   name\ndeploy   omitted\nrelease  omitted\n", cut + "0 shortened, 1 listed by name only, 2 left out",
		},
	} {
		t.Run(tt.reason, func(t *testing.T) {
			require.NotEmpty(t, tt.reason)
			out, errs, code := ctl(t, append([]string{"listing", "--project", filepath.Join(root, "proj"), "--home", filepath.Join(root, "home")}, tt.args...)...)
			require.Equal(t, exitOK, code, errs)
			assert.Empty(t, errs)
			text, rest, ok := strings.Cut(out, "</system-reminder>\n\n")
			require.True(t, ok, out)
			assert.True(t, strings.HasPrefix(text, "<system-reminder>\n"), "the listing comes first")
			require.True(t, strings.HasPrefix(rest, tt.want), rest)
			assert.True(t, strings.HasPrefix(rest[len(tt.want):], tt.more), rest)
			assert.Equal(t, tt.more == "", rest == tt.want)
		})
	}
}

func TestListingFlags(t *testing.T) {
	root := listingTree(t)
	text := func(args ...string) string {
		return ctlJSON(t, root, exitOK, append([]string{"listing"}, args...)...)["text"].(string)
	}
	small := []string{"--budget", "110"}
	plain := text(small...)
	for _, tt := range []struct {
		reason string
		args   []string
	}{
		{"02 §2: a step rounds the level down", []string{"--level-step", "30"}},
		{"02 §2: equal shares do not leave their rest", []string{"--equal-share"}},
		{"02 §2: below the least description there is none", []string{"--min-description", "80"}},
		{"02 §3: the open format", []string{"--xml"}},
	} {
		assert.NotEqual(t, plain, text(append(tt.args, small...)...), tt.reason)
	}
	assert.Contains(t, text("--xml"), "<location>"+filepath.Join(root, "proj/.claude/skills/commit/SKILL.md")+"</location>")
	shared := testkit.Tree(t, map[string]string{"home/": ""})
	for _, word := range []string{"apples", "pears", "plums", "grapes"} {
		testkit.Write(t, shared, map[string]string{"proj/.claude/skills/" + word + "/SKILL.md": testkit.SkillText("B.", "description: Use this whenever somebody asks about "+word)})
	}
	v := ctlJSON(t, shared, exitOK, "listing", "--drop-shared", "--budget", "130")
	assert.Contains(t, v["text"], "- plums: plums…", "02 §2: words that all share go first")
	v = ctlJSON(t, root, exitOK, "explain", "deploy", "--budget", "110", "--min-description", "80")
	assert.Equal(t, "name", v["listing"], "explain follows the same flags")
}

// The issues of what was touched are not lost.
func TestListingTouchIssues(t *testing.T) {
	root := testkit.Tree(t, map[string]string{"home/": "", "proj/web/.claude/skills/n/SKILL.md": testkit.SkillText("B.", "description: d", "effort: 9000")})
	v := ctlJSON(t, root, exitOK, "listing", "--touch", "web/x")
	require.Len(t, v["issues"], 1)
	assert.Equal(t, "bad-field", v["issues"].([]any)[0].(map[string]any)["code"])
	out, _, _ := ctl(t, "listing", "--project", filepath.Join(root, "proj"), "--home", root)
	assert.Equal(t, "The model is told of no skill.\n", out)
}

// The bars of the documentation are those that are printed.
func TestDocumentedBars(t *testing.T) {
	doc, err := os.ReadFile("../../docs/skillctl.md")
	require.NoError(t, err)
	for _, r := range []reportJSON{
		{Budget: 300, Used: 214, Tier: "truncated"},
		{Budget: 300, Used: 412, Over: 112, Tier: "names-only"},
	} {
		assert.Contains(t, string(doc), "    "+textOf(bar(r.Used, r.Budget))+"  "+costs(r)+"\n")
	}
}
