package corpus

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestWhenToUse(t *testing.T) {
	for _, tt := range []struct {
		reason, body string
		want         []string
	}{
		{"items below a heading", "# X\n- not below it\n## When to Use\n\n- Fixing a broken build\n* Reading the build log\n\n## Steps\n- Run the build again\n", []string{"Fixing a broken build", "Reading the build log"}},
		{"numbered ones", "## When to use this skill\n1. Fixing a broken build\n2) Reading the build log", []string{"Fixing a broken build", "Reading the build log"}},
		{"a bold line is a heading", "**When to use**:\n- Fixing a broken build\n\n**Steps**\n- Run the build again", []string{"Fixing a broken build"}},
		{"so is a line that ends in a colon", "Use this skill when:\n- Fixing a broken build\nThen go on.\n- Run the build again", []string{"Fixing a broken build"}},
		{"which may stand below a heading", "## When to Use\nUse this skill when:\n- Fixing a broken build", []string{"Fixing a broken build"}},
		{"any other such line is passed over", "## When to Use\nFor all of these:\n- Fixing a broken build", []string{"Fixing a broken build"}},
		{"parts of a section belong to it", "## Use cases\n### Builds\n- Fixing a broken build\n## Steps\n- Run the build again", []string{"Fixing a broken build"}},
		{"sentences where there is no list", "## When to use\nA build is broken. Or\nits log is unclear!\n\n## Steps", []string{"A build is broken", "Or its log is unclear!"}},
		{"but not beside a list", "## When to use\nThis is about builds.\n- Fixing a broken build", []string{"Fixing a broken build"}},
		{"an item may go on", "## When to use\n- Fixing a\n  broken build\n\n  and more\n- Reading the log", []string{"Fixing a broken build", "Reading the log"}},
		{"markup goes", "## When to use\n- ✅ **Fixing** the [build](https://x.example) of `main`", []string{"Fixing the build of main"}},
		{"code is no text", "## When to use\n```\n- Fixing a broken build\n```\n~~~\n## Steps\n~~~\n- Reading the build log", []string{"Reading the build log"}},
		{"tables are none", "## When to use\n| a build | is broken |", nil},
		{"labels are none", "## When to use\n- Builds\n- A build is broken", []string{"A build is broken"}},
		{"when not to use it", "## When NOT to use\n- Fixing a broken build\n## Do not use this skill when\n- Fixing it", nil},
		{"which ends a section", "## When to use\n- Fixing a broken build\n### Don't use for\n- Reading the build log", []string{"Fixing a broken build"}},
		{"an item that says what not", "## When to use\n- Fixing a build, not a test\n- Fixing a broken build", []string{"Fixing a broken build"}},
		{"steps are no reasons", "## When invoked:\n- Run the build again\n## When the build fails\n- Read the log of it", nil},
		{"Chinese", "## 何时使用\n- 当构建失败并且需要修复它的时候\n", []string{"当构建失败并且需要修复它的时候"}},
		{"line ends of Windows", "## When to use\r\n- Fixing a broken build\r\n", []string{"Fixing a broken build"}},
		{"nothing", "", nil},
	} {
		t.Run(tt.reason, func(t *testing.T) {
			got, _ := whenToUse(tt.body)
			assert.Equal(t, tt.want, got)
		})
	}
}

func TestRest(t *testing.T) {
	_, rest := whenToUse("# X\nText.\n\n## When to use\n- Fixing a broken build\n```\ncode\n```\n\n## Steps\r\n- Run it\n\nUse when:\n- Reading the build log\nThen go on.")
	assert.Equal(t, "# X\nText.\n\n## Steps\r\n- Run it\n\nThen go on.", rest)
}

func TestHeldOut(t *testing.T) {
	queries := []string{"Fixing a broken build!", "Reading the log", "reading  the LOG", "Building anew"}
	assert.Equal(t, []string{"Reading the log", "Building anew"}, heldOut(queries, "Helps with fixing a broken build. - For builds"),
		"what the description says is no query, and nothing is asked twice")
	assert.Equal(t, []string{"ix a thing"}, heldOut([]string{"ix a thing"}, "Fix a thing"), "whole words")
	assert.Empty(t, heldOut([]string{"...", ""}, ""), "no words")

	var many []string
	for i := range 50 {
		many = append(many, strings.Repeat("x", i+1))
	}
	assert.Len(t, heldOut(many, ""), maxQueries)
}

// Whatever a body holds: queries are valid, of a sensible length, and made of
// words of the body.
func FuzzWhenToUse(f *testing.F) {
	for _, s := range []string{
		"## When to use\n- Fixing a broken build\n  and its log\n", "Use when:\n1. **x** [y](z) `w` and more of it\nText.",
		"## 使用场景\n- 当构建失败并且需要修复它的时候", "**Use cases**\n~~~\n- x\n~~~\nProse. More prose! 文。", "## triggers\n-\n- \n\t- \u2705",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, body string) {
		if len(body) > 4<<10 || !utf8.ValidString(body) {
			return
		}
		queries, rest := whenToUse(body)
		for _, q := range queries {
			require.True(t, utf8.ValidString(q))
			require.NotContains(t, q, "\n")
			n := utf8.RuneCountInString(q)
			require.True(t, n >= minQuery && n <= maxQuery, "%d characters", n)
		}
		require.LessOrEqual(t, len(heldOut(queries, "")), maxQueries)
		require.LessOrEqual(t, len(rest), len(body))
		if len(queries) > 0 {
			require.Less(t, len(rest), len(body), "queries are no part of the rest")
		}
		code := "```\n" + strings.ReplaceAll(strings.ReplaceAll(body, "```", ""), "~~~", "")
		none, all := whenToUse(code)
		require.Empty(t, none, "all of it is code")
		require.Equal(t, code, all)
	})
}
