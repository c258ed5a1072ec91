package main

import (
	"flag"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"mvdan.cc/sh/v3/shell"
)

func TestHelpOfCommands(t *testing.T) {
	require.Len(t, topics(), len(commands()), "each has its own")
	for _, c := range commands() {
		want, errs, code := ctl(t, "help", c.name)
		require.Equal(t, exitOK, code, errs)
		assert.Contains(t, want, "Usage: skillctl [flags] "+c.name)
		assert.NotContains(t, want, "%!")
		for _, line := range strings.Split(want, "\n") {
			assert.LessOrEqual(t, cells(strings.TrimSpace(line)), 120, line)
		}
		for _, args := range [][]string{{c.name, "--help"}, {c.name, "-h"}, {"--help", c.name}, {"--json", c.name, "x", "y", "--help", "z"}} {
			out, errs, code := ctl(t, args...)
			assert.Equal(t, exitOK, code, args)
			assert.Equal(t, want, out, args)
			assert.Empty(t, errs)
		}
	}
}

// What the help shows as examples is accepted by the program itself.
func TestHelpExamples(t *testing.T) {
	for _, c := range commands() {
		topic := topics()[c.name]
		assert.GreaterOrEqual(t, len(topic.examples), 2, c.name)
		for _, e := range topic.examples {
			require.NotEmpty(t, e.why)
			line, _, _ := strings.Cut(e.line, " | ")
			args, err := shell.Fields(line, nil)
			require.NoError(t, err, e.line)
			var f flags
			words, err := f.parse(args)
			require.NoError(t, err, e.line)
			require.Equal(t, c.name, words[0], e.line)
			assert.True(t, len(words)-1 >= c.min && len(words)-1 <= c.max, e.line)
		}
		for _, name := range topic.flags {
			assert.NotNil(t, new(flags).set().Lookup(name), "%s: --%s", c.name, name)
		}
	}
}

// The documentation has every command and flag.
func TestDocumented(t *testing.T) {
	doc, err := os.ReadFile("../../docs/skillctl.md")
	require.NoError(t, err)
	for _, c := range commands() {
		assert.Contains(t, string(doc), "\n### "+c.name)
	}
	new(flags).set().VisitAll(func(f *flag.Flag) {
		assert.Regexp(t, "(?m)^\\| `--"+f.Name+"[ `]", string(doc))
	})
}

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
