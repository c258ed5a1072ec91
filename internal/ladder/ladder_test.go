package ladder_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/seed-12b313d8/skills/internal/ladder"
)

func index(values map[string]ladder.Names, hidden map[string][]string, order ...string) *ladder.Index[string] {
	var list, gone []string
	for _, v := range order {
		if _, ok := hidden[v]; ok {
			gone = append(gone, v)
		} else {
			list = append(list, v)
		}
	}
	x := ladder.New(list, func(v string) ladder.Names { return values[v] }, gone, func(v string) []string { return hidden[v] })
	return &x
}

func TestClimb(t *testing.T) {
	x := index(map[string]ladder.Names{
		"one":   {Name: "a", Qualified: "user:a", Aliases: []string{"b", "x"}, Display: "Apple"},
		"two":   {Name: "b", Display: "b", Tail: "b"},
		"three": {Name: "p:tool", Qualified: "b", Tail: "tool", Display: "tool-name"},
		"four":  {Name: "q:tool", Tail: "tool", Aliases: []string{"x"}},
	}, map[string][]string{"old": {"legacy", "Apple"}}, "one", "two", "three", "four", "old")
	y := index(map[string]ladder.Names{"five": {Name: "tool"}, "six": {Name: "c", Aliases: []string{"Apple"}}}, nil, "five", "six")
	tests := []struct {
		reason, name string
		want         []string
	}{
		{"N4: an exact name", "a", []string{"one"}},
		{"N4: an exact name before an alias", "b", []string{"two"}},
		{"a qualified name", "user:a", []string{"one"}},
		{"N4: an alias of a hidden one", "legacy", []string{"old"}},
		{"N4: an alias before that, in any index", "Apple", []string{"six"}},
		{"an exact name in one index before a tail in another", "tool", []string{"five"}},
		{"N4: a display name", "tool-name", []string{"three"}},
		{"two of one alias", "x", []string{"one", "four"}},
		{"nothing is guessed", "A", nil},
		{"no name", "", nil},
	}
	for _, tt := range tests {
		assert.Equal(t, tt.want, ladder.Climb(tt.name, x, y), tt.reason)
	}
	assert.Equal(t, []string{"three", "four"}, ladder.Climb("tool", x), "two of one tail")
	_, ok := x.Exact("legacy")
	assert.False(t, ok)
	var none ladder.Index[string]
	assert.Empty(t, ladder.Climb("a", &none))
}
