package bundled

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/seed-12b313d8/skills"
)

type loremRow struct {
	args   string
	n      int
	tokens bool
	fails  string
	reason string
}

func loremRows() []loremRow {
	return []loremRow{
		{args: "", n: defaultLorem, reason: "a default"},
		{args: "200", n: 200, reason: "a bare number counts words"},
		{args: "200 words", n: 200, reason: "words"},
		{args: " 200\tTokens ", n: 200, tokens: true, reason: "tokens, any case"},
		{args: "tokens", n: defaultLorem, tokens: true, reason: "a unit alone"},
		{args: "10k tokens", n: 10_000, tokens: true, reason: "thousands"},
		{args: "12,000", n: 12_000, reason: "separators"},
		{args: "1_000 word", n: 1_000, reason: "separators"},
		{args: "500000", n: 500_000, reason: "05 §3: the bound"},
		{args: "500001", n: 500_001, reason: "above the bound"},
		{args: "500k", n: 500_000, reason: "the bound"},
		{args: "4295k", n: 501_000, reason: "above the bound"},
		{args: "3000m", n: 1_000_000, reason: "above the bound, and more than 32 bits hold"},
		{args: "99999999999999999999999 tokens", n: maxLorem + 1, tokens: true, reason: "more digits than a number has"},
		{args: "0", fails: "zero", reason: "nothing"},
		{args: "-5", fails: "no whole number", reason: "negative"},
		{args: "1.5", fails: "no whole number", reason: "a fraction"},
		{args: "k", fails: "no whole number", reason: "no digits"},
		{args: "many", fails: "no whole number", reason: "a word"},
		{args: "5 pages", fails: "neither words nor tokens", reason: "another unit"},
		{args: "5 words please", fails: "no more", reason: "too much"},
	}
}

func TestParseLorem(t *testing.T) {
	for _, r := range loremRows() {
		n, tokens, err := parseLorem(r.args)
		if r.fails != "" {
			require.ErrorContains(t, err, r.fails, "%q: %s", r.args, r.reason)
			continue
		}
		require.NoError(t, err, "%q: %s", r.args, r.reason)
		assert.Equal(t, r.n, n, "%q: %s", r.args, r.reason)
		assert.Equal(t, r.tokens, tokens, "%q: %s", r.args, r.reason)
	}
}

// units counts what filler promises: words, or words and full stops.
func units(s string, tokens bool) int {
	n := len(strings.Fields(s))
	if tokens {
		n += strings.Count(s, ".")
	}
	return n
}

func TestFillerIsExact(t *testing.T) {
	for _, tokens := range []bool{false, true} {
		for n := 1; n < 300; n++ {
			assert.Equal(t, n, units(filler(n, tokens), tokens), "%d, tokens %v", n, tokens)
		}
		assert.Equal(t, filler(1_000, tokens), filler(1_000, tokens), "the same text at every call")
	}
}

func FuzzLorem(f *testing.F) {
	for _, r := range loremRows() {
		f.Add(r.args)
	}
	f.Fuzz(func(t *testing.T, args string) {
		if len(args) > 1<<12 {
			t.Skip("too large")
		}
		n, tokens, err := parseLorem(args)
		if err != nil {
			return
		}
		if n < 1 {
			t.Fatalf("%q gives %d", args, n)
		}
		n = min(n, 2_000) // the rest is more of the same
		if got := units(filler(n, tokens), tokens); got != n {
			t.Fatalf("%q: %d of %d units", args, got, n)
		}
	})
}

func TestLoremBlocks(t *testing.T) {
	s, _ := (&Options{}).load(entry{name: "lorem-ipsum", prompt: loremPrompt})
	blocks := func(args string) []skills.Block {
		b, err := s.Content.Prompt(t.Context(), skills.PromptContext{Args: args})
		require.NoError(t, err)
		return b
	}
	b := blocks("300 words")
	require.Len(t, b, 2, "the filler is a block of its own")
	assert.Contains(t, b[0].Text, "300 words")
	assert.Equal(t, 300, units(b[1].Text, false))

	b = blocks("600k tokens")
	assert.Contains(t, b[0].Text, "500000 is the most there is")
	assert.Equal(t, maxLorem, units(b[1].Text, true), "05 §3: bounded at 500,000")

	b = blocks("a lot")
	require.Len(t, b, 1, "no filler of a wrong size")
	assert.Contains(t, b[0].Text, "There is no filler text: the unit is neither words nor tokens.")
}
