package frontmatter

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestRaw(t *testing.T) {
	rows := []struct{ name, header, want, reason string }{
		{"one pair", "h: [issue]", "[issue]", "01 §3, B05"},
		{"two items", "h: [file] [format]", "[file] [format]", "01 §3, B05: not even YAML"},
		{"map in a list", "h: [a: b | c]", "[a: b | c]", "01 §3, B05"},
		{"list", "h: [a,  'b', \"c\"] # d", "[a,  'b', \"c\"]", "01 §3: source text without the comment"},
		{"braces", "h: {a} # b", "{a}", "01 §3"},
		{"angles", "h: <duration: e.g. 7d, 2w>", "<duration: e.g. 7d, 2w>", "peers 2a"},
		{"quoted", `h: "[a] [b]"`, "[a] [b]", "01 §3: wholly quoted"},
		{"single quoted", "h: 'it''s'", "it's", "01 §3: wholly quoted"},
		{"plain", "h: <a> # b", "<a>", "01 §3: YAML's comment"},
		{"hash", "h: [PR #] [x]", "[PR #] [x]", "01 §3: not YAML, so no comment"},
		{"null", "h:", "", "01 §3"},
		{"tilde", "h: ~", "~", "01 §3: as written"},
		{"over lines", "h: [a,\n  # c\n  b: \"]\"]", `[a, b: "]"]`, "01 §3: folded"},
		{"below", "h:\n  [a,\n  b]", "[a, b]", "01 §3: folded"},
		{"block list", "h:\n  - [issue]\n  - <mode> # c\n  - \"x y\"", "[issue] <mode> x y", "01 §3: joined by a blank"},
		{"block list at the margin", "h:\n- a\n- b: c\nx: y", "a b: c", "01 §3: joined by a blank"},
		{"block list over lines", "h:\n  - a: b\n  - [x,\n  y]", "{a: b} [x, y]", "the source does not show the items"},
		{"block map", "h:\n  a: b\n  c: d\nx: y", "a: b c: d", "01 §3: folded"},
		{"literal", "h: |\n  a\n  b", "a\nb\n", "01 §3: YAML's text"},
		{"guessed list", "h: [a[b], @c]", "[a[b], @c]", "01 §3: source text"},
		{"guessed items", "h:\n\t- [a]\n\t- b", "[a] b", "01 §3: joined by a blank"},
		{"alias", "x: &x [a, {b: c}]\nh: *x", "[a, {b: c}]", "no source: written out"},
		{"alias of a block", "x: &x\n  b: c\nh: *x", "{b: c}", "no source: written out"},
		{"anchor", "h: &x [a]", "[a]", "no source: written out"},
		{"header in braces", "{x: [y], h: [a,   b]}", "[a, b]", "no source: written out"},
	}
	for _, r := range rows {
		row(t, r.name, r.reason, func(t *testing.T) {
			d := parseHeader(t, r.header)
			require.NotEqual(t, Broken, d.State)
			assert.Equal(t, r.want, d.Raw(get(t, d, "h")))
		})
	}
}

func TestAny(t *testing.T) {
	d := parseHeader(t, lines(
		"a: [1, 0x10, 1.5, true, no, null, ~, 'x', \"1\", 2026-01-02, .inf, 1_000, +1, 18446744073709551615, nil, t]",
		"b: {once: true, timeout: 30, again: {a: 1, a: 2}, empty: }", "c:", "d: \"\"", "e: []", "f: {}", "g: !!str 1"))
	require.Equal(t, OK, d.State)
	value := func(key string, m Mode) any { return get(t, d, key).Value.Any(m) }

	assert.Equal(t, []any{
		1, 16, 1.5, true, "no", nil, nil, "x", "1", "2026-01-02", ".inf", 1000, 1, 18446744073709551615.0, "nil", "t",
	}, value("a", AsJSON), "hooks: as YAML reads them")
	assert.Equal(t, []any{
		"1", "0x10", "1.5", "true", "no", "null", "~", "x", "1", "2026-01-02", ".inf", "1_000", "+1", "18446744073709551615", "nil", "t",
	}, value("a", AsText), "01 §3: source text as written")
	assert.Equal(t, map[string]any{
		"once": true, "timeout": 30, "again": map[string]any{"a": 2}, "empty": nil,
	}, value("b", AsJSON), "K09: unknown keys survive, the last of two wins")
	assert.Equal(t, map[string]any{
		"once": "true", "timeout": "30", "again": map[string]any{"a": "2"}, "empty": nil,
	}, value("b", AsText))
	for _, m := range []Mode{AsText, AsJSON} {
		assert.Nil(t, value("c", m), "not there at all")
		assert.Equal(t, "", value("d", m), "there, but empty")
		assert.Equal(t, []any{}, value("e", m))
		assert.Equal(t, map[string]any{}, value("f", m))
		assert.Equal(t, "1", value("g", m), "tagged as text")
	}
}
