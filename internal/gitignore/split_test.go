package gitignore

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestSplitList(t *testing.T) {
	for _, row := range []struct {
		reason, list string
		want         []string
	}{
		{"01 §3: commas split, blanks drop out", " src/**/*.ts ,docs/*.md,\t*.go\n", []string{"src/**/*.ts", "docs/*.md", "*.go"}},
		{"01 §3: empty patterns drop out", ",, a,, ,", []string{"a"}},
		{"01 §3: nothing gives nothing", "", nil},
		{"01 §3: blanks alone give nothing", " \t", nil},
		{"A5: commas inside braces do not split", "src/**/*.{ts,tsx}, docs/*.md", []string{"src/**/*.{ts,tsx}", "docs/*.md"}},
		{"A5: nor inside nested ones", "{a,{b,c},d}.go,x", []string{"{a,{b,c},d}.go", "x"}},
		{"A5: an open brace protects nothing", "src/{a,b, docs/*.md", []string{"src/{a", "b", "docs/*.md"}},
		{"A5: but balanced ones after it do", "{a,{b,c},d", []string{"{a", "{b,c}", "d"}},
		{"A5: a closing brace alone is text", "a},b", []string{"a}", "b"}},
		{"A5: escaped braces protect nothing", `\{a,b\}`, []string{`\{a`, `b\}`}},
		{"A4: an escaped comma is text", `a\,b,c`, []string{`a\,b`, "c"}},
		{"A4: an escaped blank stays", `a\ ,b\\ ,c`, []string{`a\ `, `b\\`, "c"}},
		{"A4: a lone backslash is kept for the problem it is", `a\`, []string{`a\`}},
		{"A6: brackets protect nothing, so a bad one harms itself only", "[a,b],c", []string{"[a", "b]", "c"}},
	} {
		t.Run(row.reason, func(t *testing.T) {
			require.NotEmpty(t, row.reason, "a row needs a reason")
			assert.Equal(t, row.want, SplitList(row.list))
		})
	}
}

func TestExpand(t *testing.T) {
	for _, row := range []struct {
		reason, pattern string
		want            []string
	}{
		{"A5: no group", "src/*.ts", []string{"src/*.ts"}},
		{"A5: one group, in order", "*.{ts,tsx,js}", []string{"*.ts", "*.tsx", "*.js"}},
		{"A5: two groups make the product", "{a,b}/{c,d}", []string{"a/c", "a/d", "b/c", "b/d"}},
		{"A5: nested groups", "{a,{b,c}x,d{e,f}}", []string{"a", "bx", "cx", "de", "df"}},
		{"A5: empty alternatives", "a{,b}", []string{"a", "ab"}},
		{"A5: a group around a group", "{{a,b}}", []string{"{a}", "{b}"}},
		{"A5: a group without a comma is text", "{a}{b,c}", []string{"{a}b", "{a}c"}},
		{"A5: an unbalanced brace is text", "{a{b,c}", []string{"{ab", "{ac"}},
		{"A5: on either side", "{b,c}a}", []string{"ba}", "ca}"}},
		{"A5: escapes are kept and hide braces and commas", `{a\,b,\{c\}}`, []string{`a\,b`, `\{c\}`}},
		{"A5: blanks around alternatives drop out unless escaped", `{ a , b\ }`, []string{"a", `b\ `}},
		{"A5: a sequence expression is no group", "{1..3}", []string{"{1..3}"}},
		{"A5: groups come before classes", "[{a,b}]", []string{"[a]", "[b]"}},
	} {
		t.Run(row.reason, func(t *testing.T) {
			require.NotEmpty(t, row.reason, "a row needs a reason")
			b := newBudget()
			got, ok := b.expand(row.pattern)
			assert.True(t, ok)
			assert.Equal(t, row.want, got)
		})
	}
}

// TestExpandBudget shows that the size is known before anything is built: a
// pattern that stands for more patterns than memory can hold costs next to
// nothing (03 A5).
func TestExpandBudget(t *testing.T) {
	for _, row := range []struct{ reason, pattern string }{
		{"A5: 2^18 patterns", strings.Repeat("{a,b}", 18)},
		{"A5: 2^10000 patterns", strings.Repeat("{a,b}", 10_000)},
		{"A5: 1,001 patterns", "{" + strings.Repeat("a,", 1000) + "a}"},
		{"A5: over 4 MiB", strings.Repeat("x", 5000) + "{" + strings.Repeat("a,", 900) + "a}"},
		{"A5: nested too deep", strings.Repeat("{", 10_000) + strings.Repeat(",}", 10_000)},
	} {
		t.Run(row.reason, func(t *testing.T) {
			b := newBudget()
			got, ok := b.expand(row.pattern)
			assert.False(t, ok)
			assert.Equal(t, []string{row.pattern}, got)
			assert.Equal(t, newBudget(), b, "a pattern used literally must not use the budget up")

			parts := float64(strings.Count(row.pattern, "{") + strings.Count(row.pattern, ","))
			allocs := testing.AllocsPerRun(5, func() { b.expand(row.pattern) })
			assert.LessOrEqual(t, allocs, 6*parts+20, "allocations must grow with the text only")
		})
	}
	b := newBudget()
	got, ok := b.expand("{" + strings.Repeat("a,", 999) + "a}")
	assert.True(t, ok, "1,000 patterns are within the budget")
	assert.Len(t, got, 1000)
}
