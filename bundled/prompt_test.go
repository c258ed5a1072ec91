package bundled

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/seed-12b313d8/skills"
)

// promptOf returns the Content.Prompt of a skill as a function to its text.
func promptOf(tb testing.TB, o *Options, name string) func(skills.PromptContext) string {
	tb.Helper()
	for _, e := range catalog() {
		if e.name != name {
			continue
		}
		s, issues := o.load(e)
		require.NotNil(tb, s, "%v", issues)
		return func(p skills.PromptContext) string {
			blocks, err := s.Content.Prompt(tb.Context(), p)
			require.NoError(tb, err)
			return skills.Text(blocks)
		}
	}
	tb.Fatalf("no skill %s", name)
	return nil
}

func TestNotationIsStrict(t *testing.T) {
	h := &Host{Product: "P"}
	for _, c := range []struct{ in, out, fails, reason string }{
		{in: "a {{product}} b", out: "a P b", reason: "a value"},
		{in: "a {x} $ARGUMENTS ${X} b", out: "a {x} $ARGUMENTS ${X} b", reason: "nothing else is touched"},
		{in: "{{tool shell}}", out: "the `Bash` tool", reason: "a default"},
		{in: "{{name shell}}(gh:*)", out: "Bash(gh:*)", reason: "a bare name"},
		{in: "{{tool shel}}", fails: "has no meaning", reason: "an unknown key"},
		{in: "{{path shell}}", fails: "has no meaning", reason: "a key of the other kind"},
		{in: "{{ product }}", fails: "has no meaning", reason: "blanks"},
		{in: "{{.Product}}", fails: "has no meaning", reason: "another notation"},
		{in: "{{product x}}", fails: "has no meaning", reason: "a key too many"},
		{in: "{{}}", fails: "has no meaning", reason: "empty"},
		{in: "{{slot}}", fails: "has no meaning", reason: "a slot without a name"},
		{in: "a {{product", fails: "not closed", reason: "no end"},
		{in: "a {{product\n}}", fails: "not closed", reason: "no end on the line"},
		{in: "{{slot x}}", fails: "nothing fills", reason: "a slot that nobody fills"},
		{in: "a\n{{part b}}\nc", out: "a", reason: "another part"},
		{in: "{{part b}}x{{part b}}", fails: "has no meaning", reason: "a part twice"},
	} {
		text, err := parseText(c.in, h, false)
		var got string
		if err == nil {
			got, err = text.fill("", nil)
		}
		if c.fails != "" {
			require.ErrorContains(t, err, c.fails, "%s: %s", c.in, c.reason)
			continue
		}
		require.NoError(t, err, c.reason)
		assert.Equal(t, c.out+"\n", got, c.reason)
	}
	_, _, err := split("---\nname: {{product}}\n---\nx")
	require.Error(t, err, "no value gets into frontmatter")
	_, _, err = split("no frontmatter")
	require.Error(t, err)
}

// What is filled into a slot is not read again.
func TestSlotsAreFilledOnce(t *testing.T) {
	text, err := parseText("[{{slot a}}|{{slot b}}]", &Host{}, false)
	require.NoError(t, err)
	got, err := text.fill("", map[string]string{"a": "{{slot b}}{{product}}", "b": "B"})
	require.NoError(t, err)
	assert.Equal(t, "[{{slot b}}{{product}}|B]\n", got)
}

func TestQuoteAndFence(t *testing.T) {
	assert.Equal(t, "> a\n> \n> # b", quote("a\n\n# b\r\n"))
	assert.Equal(t, "```text\nx\n```", fence("x\n"))
	assert.Equal(t, "`````text\n````\n`````", fence("````"), "nothing inside closes it")
}
