package main

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestMeant(t *testing.T) {
	for _, tt := range []struct {
		reason, want string
		args         []string
	}{
		{"a letter too few", `unknown command "lit"; did you mean list or lint?`, []string{"lit"}},
		{"two letters swapped", `unknown command "wacth"; did you mean watch?`, []string{"wacth"}},
		{"a beginning", `unknown command "inv"; did you mean invoke?`, []string{"inv"}},
		{"letter case", `unknown command "Menu"; did you mean menu?`, []string{"Menu"}},
		{"in help, too", `unknown command "explian"; did you mean explain?`, []string{"help", "explian"}},
		{"help itself", `unknown command "hlep"; did you mean help?`, []string{"hlep"}},
		{"nothing is near", `unknown command "frobnicate"` + "\n", []string{"frobnicate"}},
		{"nothing is near to nothing", `unknown command ""` + "\n", []string{""}},
		{"of any length", `unknown command "` + strings.Repeat("x", 100_000) + `"` + "\n", []string{strings.Repeat("x", 100_000)}},
		{"a flag", "unknown flag --jsno; did you mean --json?", []string{"list", "--jsno"}},
		{"a flag with one dash and a value", "unknown flag -buget; did you mean --budget?", []string{"listing", "-buget=5"}},
		{"no such flag", "unknown flag --frobnicate\n", []string{"--frobnicate"}},
		{"a flag before the name of a skill is none of its arguments", "unknown flag -n\n", []string{"invoke", "-n", "greet"}},
		{"behind it, it may be one", "unknown flag -n; to pass it as an argument write -- before it\n", []string{"invoke", "greet", "x", "-n"}},
		{"or one of ours", "unknown flag --shel; did you mean --shell? To pass it as an argument write -- before it\n", []string{"invoke", "greet", "--shel=x"}},
		{"what is no flag for package flag", "bad flag syntax: ---x; to pass it as an argument write -- before it\n", []string{"invoke", "greet", "---x"}},
		{"other commands take no arguments", "bad flag syntax: ---x\n", []string{"show", "greet", "---x"}},
		{"the number of words", "usage: skillctl show NAME\nRun skillctl help show ", []string{"show"}},
	} {
		t.Run(tt.reason, func(t *testing.T) {
			require.NotEmpty(t, tt.reason)
			out, errs, code := ctl(t, tt.args...)
			assert.Equal(t, exitUsage, code)
			assert.Empty(t, out)
			assert.True(t, strings.HasPrefix(errs, "skillctl: "+tt.want), errs)
		})
	}
}

func TestDistance(t *testing.T) {
	words := []string{"", "a", "ab", "ba", "abc", "list", "lint", "slit", "watch"}
	for _, a := range words {
		for _, b := range words {
			d := distance(a, b)
			assert.Equal(t, d == 0, a == b, "%q %q", a, b)
			assert.Equal(t, d, distance(b, a), "%q %q", a, b)
			assert.LessOrEqual(t, d, max(len(a), len(b)), "%q %q", a, b)
		}
	}
	assert.Equal(t, 1, distance("ab", "ba"))
	assert.True(t, slices.IsSorted([]int{distance("list", "lint"), distance("list", "slit"), distance("list", "watch")}))
}
