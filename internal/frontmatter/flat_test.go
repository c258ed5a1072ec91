package frontmatter

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// sameValue compares all that callers can see of two values.
func sameValue(a, b Value) bool {
	return a.Kind == b.Kind && a.Quoted == b.Quoted && a.Flow == b.Flow &&
		a.Guessed == b.Guessed && a.Lost == b.Lost && a.Line == b.Line && a.Text == b.Text &&
		slices.EqualFunc(a.Items, b.Items, sameValue) && sameFields(a.Fields, b.Fields)
}

func sameFields(a, b []Field) bool {
	return slices.EqualFunc(a, b, func(a, b Field) bool {
		return a.Key == b.Key && a.Line == b.Line && sameValue(a.Value, b.Value)
	})
}

// headerOf returns a document that is about to read header, which starts at
// line 2 of its file.
func headerOf(header string) *Document {
	return &Document{header: header, headerLine: 2}
}

// checkFlat compares what the flat scanner makes of header, if it accepts it,
// with what YAML makes of it. It reports whether the scanner accepted.
func checkFlat(t *testing.T, header string) bool {
	t.Helper()
	flat, full := headerOf(header), headerOf(header)
	if !flat.scanFlat(defaultMaxKeys) {
		require.Empty(t, flat.Fields)
		return false
	}
	require.NoError(t, full.readYAML(), "accepted, but not YAML: %q", header)
	require.Empty(t, full.Problems, "%q", header)
	if !sameFields(flat.Fields, full.Fields) {
		require.Failf(t, "flat differs", "%q\nflat %+v\nyaml %+v", header, flat.Fields, full.Fields)
	}
	return true
}

func TestFlat(t *testing.T) {
	rows := []struct {
		name, header string
		flat         bool
		reason       string
	}{
		{"plain", "name: a\nd: it's a \"b\", (c) & d; e=f?\nn: -1\n", true, "01 §2: single-line key: value"},
		{"comments", "# a\na: b # c\n\n  \n# d\ne: f#g\n", true, "01 §2: nothing to read differently"},
		{"quotes", "a: \"b\"\nc: 'd''e' # f\ng: \"h \\\" \\\\ \\n\"\ni: ''\n", true, "01 §2"},
		{"lists", "a: [b, 'c', d e]\nf:\n- g\n- \"h\"\ni:\n  - j: k\n", false, "01 §2: a map within a list is not simple"},
		{"simple lists", "a: [b, 'c', d e]\nf:\n- g\n- \"h\" # i\nj: []\nk:\n  -  l\n", true, "01 §2: simple block or flow lists"},
		{"map", "a:\n  b: c\n  d:\n  - e\n  f: |\n   g\n  h: [i]\n\nj: k\n", true, "one level, held to YAML by the fuzz test"},
		{"deep map", "a:\n  b:\n    c: d\n", false, "two levels are left to YAML"},
		{"block scalars", "a: |\n  b\n\n   c\n\nd: >-\n  e\n  f\n\n  g\n", true, "held to YAML by the fuzz test"},
		{"wrapped", "a: b\n  c\n\n  d # e\nf:\n  g\n  h\ni: \"j\n  k\"\n", true, "held to YAML by the fuzz test"},
		{"blanks in quotes", "a: \" b \n  c \t\n\n  d \"\n", true, "held to YAML by the fuzz test"},
		{"tab in quotes", "a: \"b\n  \t\n  c\"\n", false, "left to YAML"},
		{"unicode", "a: 残量 😀\n", true, "01 §2: any script"},
		{"null", "a:\nb: # c\nd: ~\n", true, "01 §2"},
		{"colon", "a: b: c\n", false, "not YAML"},
		{"end colon", "a: b:\n", false, "not YAML"},
		{"indicator", "a: @b\n", false, "not YAML"},
		{"anchor", "a: &b c\n", false, "left to YAML"},
		{"alias", "a: *b\n", false, "left to YAML"},
		{"tag", "a: !b c\n", false, "left to YAML"},
		{"braces", "a: {b: c}\n", false, "left to YAML"},
		{"nested brackets", "a: [b, [c]]\n", false, "left to YAML"},
		{"brackets over lines", "a: [b,\n  c]\n", false, "left to YAML"},
		{"two lists", "a: [b] [c]\n", false, "not YAML"},
		{"unclosed", "a: \"b\n", false, "not YAML"},
		{"escape", "a: \"\\u0041\"\n", false, "left to YAML"},
		{"quoted key", "\"a\": b\n", false, "left to YAML"},
		{"blank in key", "a b: c\n", false, "left to YAML"},
		{"long key", strings.Repeat("a", maxFlatKey) + ": b\n", false, "left to YAML"},
		{"glued", "a:b\n", false, "not YAML"},
		{"tab", "a:\tb\n", false, "left to YAML"},
		{"tab indent", "a:\n\t- b\n", false, "not YAML"},
		{"indented", "  a: b\n", false, "left to YAML"},
		{"indicator of indentation", "a: |2\n   b\n", false, "left to YAML"},
		{"keep", "a: |+\n  b\n\n", false, "left to YAML"},
		{"comment in a list", "a:\n  - b\n  # c\n  - d\n", false, "left to YAML"},
		{"text behind a comment", "a: b # c\n  d\n", false, "not YAML"},
		{"control", "a: b\x1bc\n", false, "not YAML"},
		{"separator", "a: b\u2028c\n", false, "01 §2: yaml.v3 reads it differently"},
		{"mark", "a: b\uFEFF\n", false, "01 §2: yaml.v3 reads it differently"},
		{"invalid", "a: b\xff\n", false, "not YAML"},
		{"document", "a: b\n...\n", false, "left to YAML"},
		{"many keys", strings.Repeat("a: b\n", defaultMaxKeys+1), false, "01 R1"},
	}
	for _, r := range rows {
		row(t, r.name, r.reason, func(t *testing.T) {
			assert.Equal(t, r.flat, checkFlat(t, r.header))
		})
	}
}

// randomHeaders returns n headers of the pieces that YAML reacts to. Those
// lead into far more corners than bytes at random do.
func randomHeaders(n int) []string {
	pieces := []string{
		"\n", "\n", "\n\n", "\n  ", "\n    ", "\n- ", "\n  - ", "\n a", " \n", "\n \n", " ", "  ", "\t",
		"- ", "a", "word", "two words", "b: ", ": ", ":", "\nk: ", "\nk:", "\nk-e.y2: ", "\n  c: ", "\n  d:",
		"#", " #", " # x", "\n# c\n", "\n  # c", "\"", "'", "''", "\\", "\\\"", "\\n", "\nk: \"", "\nk: '", "\n  \"",
		"[", "]", "[a, b]", ",", ", ", "{", "}", "|", ">", "\nk: |\n  ", "\nk: >\n  ", "\nk: >-\n  ", "\nk: |-\n  ",
		"null", "~", "0x1", "é", "\u2028", "---", "...", "?", "-", "&a", "*a", "!t", "%", "@", "<<", "\n\n  x", "\n   y",
		"\nk: \"x \n  y \t\n  ", "\n  \t\n  ", "z\"", "\nk: 'x\n\n  ", "z'",
		strings.Repeat(" ", 600), strings.Repeat("x", 700), " # " + strings.Repeat("y", 600),
	}
	r := rand.New(rand.NewPCG(1, 2))
	headers := make([]string, n)
	for i := range headers {
		headers[i] = "k: "
		for range 1 + r.IntN(12) {
			headers[i] += pieces[r.IntN(len(pieces))]
		}
		headers[i] += "\n"
	}
	return headers
}

func TestFlatEqualsYAMLAtRandom(t *testing.T) {
	accepted := 0
	for _, header := range randomHeaders(20_000) {
		if checkFlat(t, header) {
			accepted++
		}
	}
	assert.Greater(t, accepted, 2000, "the scanner accepts too little for the test to mean anything")
}

func FuzzFlatEqualsYAML(f *testing.F) {
	for _, text := range []string{benchHeader, benchYAML, benchBroken} {
		f.Add(strings.Trim(text, "-\n"))
	}
	f.Fuzz(func(t *testing.T, header string) {
		// Before it gives a text to yaml.v3, this package refuses brackets that
		// yaml.v3 would read: there is nothing to compare with.
		if len(header) > 4<<10 || isNestedDeep(header) {
			t.Skip()
		}
		checkFlat(t, header+"\n")
	})
}
