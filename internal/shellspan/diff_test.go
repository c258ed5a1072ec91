//go:build unix

package shellspan

import (
	"hash/fnv"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/seed-12b313d8/skills/internal/template"
	"github.com/stretchr/testify/assert"
)

// everything is whether all pairs are run, and not a sample.
func everything() bool { return os.Getenv("SKILLS_SHELL_DIFF") == "all" }

// sampled reports whether a pair belongs to the sample, one in n of all. It is
// the same every time.
func sampled(n int, parts ...string) bool {
	if everything() {
		return true
	}
	h := fnv.New32a()
	h.Write([]byte(strings.Join(parts, "\x00")))
	return h.Sum32()%uint32(n) == 0
}

// tally counts what became of the pairs.
type tally struct{ pairs, refused, executed, ran, equal, documented int }

// hostile runs a template with one value and reports what got through.
func hostile(t *testing.T, p place, tm testTemplate, value string, sum *tally) {
	t.Helper()
	span := spanOf(t, tm.Text)
	v := valuesOf(withCanary(value), p.skill)
	for shell, d := range shellsOf(tm) {
		sum.pairs++
		r, err := Rewrite(span, v, d)
		if err != nil {
			sum.refused++
			continue
		}
		sum.ran++
		out, executed := p.run(t, shell, r.Text, r.Env)
		if executed {
			sum.executed++
		}
		assert.False(t, executed, "%s executed the value %q in %s\ntext: %s\nenv: %q\noutput: %s", tm.ID, value, shell, r.Text, r.Env, out)
	}
}

// shards is how many tests share the work of one, side by side.
const shards = 4

// inShards calls f for each template, in parallel tests with a folder and a
// tally of their own, and returns the sum.
func inShards(t *testing.T, templates []testTemplate, f func(*testing.T, place, testTemplate, *tally)) tally {
	t.Helper()
	requireShells(t)
	sums := make([]tally, shards)
	t.Run("shards", func(t *testing.T) {
		for n := range shards {
			t.Run(strconv.Itoa(n), func(t *testing.T) {
				t.Parallel()
				p := newPlace(t)
				for i := n; i < len(templates); i += shards {
					f(t, p, templates[i], &sums[n])
				}
			})
		}
	})
	var sum tally
	for _, s := range sums {
		sum.pairs += s.pairs
		sum.refused += s.refused
		sum.executed += s.executed
		sum.ran += s.ran
	}
	assert.Positive(t, sum.ran)
	t.Logf("templates %d, pairs %d, refused %d, ran %d, executed %d", len(templates), sum.pairs, sum.refused, sum.ran, sum.executed)
	return sum
}

// TestHostile runs the shared templates with the shared hostile values
// (04 §4): no value may be executed. By default it is a sample; with
// SKILLS_SHELL_DIFF=all it is all of them.
func TestHostile(t *testing.T) {
	cases := readCases(t, "shell-templates.json")
	sum := inShards(t, cases.Templates, func(t *testing.T, p place, tm testTemplate, sum *tally) {
		for i, value := range cases.Hostile {
			if sampled(8, tm.ID, strconv.Itoa(i)) {
				hostile(t, p, tm, value, sum)
			}
		}
	})
	assert.Zero(t, sum.executed)
}

// TestHarness proves that the canary shows an execution: plain splicing
// executes hostile values.
func TestHarness(t *testing.T) {
	requireShells(t)
	p := newPlace(t)
	span := spanOf(t, "printf '<%s>' $0")
	text, _ := template.Values.Splice(valuesOf("'; touch pwn #'", p.skill), span)
	for _, shell := range []string{"bash", "dash"} {
		_, executed := p.run(t, shell, text, nil)
		assert.True(t, executed, shell)
	}
}

// A difference is a documented class of honest calls whose output is not that
// of plain splicing (04 §4).
type difference struct {
	name, reason string
	applies      func(tm testTemplate, shell string, v template.Values) bool
}

var differences = []difference{
	{"missing word", "spliced, $0 without arguments is the shell's own name; here it is nothing", func(_ testTemplate, _ string, v template.Values) bool {
		return len(v.Words) == 0
	}},
	{"special characters", "quotes, backslashes, expansions, globs, braces, ~ and operators of a value are characters, not syntax", func(_ testTemplate, _ string, v template.Values) bool {
		return strings.ContainsAny(v.Args, "'\"\\`$;&|<>()*?[]{}~!#")
	}},
	{"several words in one", "a word of the arguments that holds blanks, or nothing, is one word", func(_ testTemplate, _ string, v template.Values) bool {
		return slices.ContainsFunc(v.Words, func(w string) bool { return w == "" || strings.ContainsAny(w, " \t\n") })
	}},
	{"comma in braces", "a comma of a value does not separate the author's {…,…}", func(tm testTemplate, _ string, v template.Values) bool {
		return strings.Contains(tm.Text, "{$") && strings.Contains(v.Args, ",")
	}},
	{"dash and bytes", "some versions of dash lose bytes of their own text in quoted here-documents", func(_ testTemplate, shell string, v template.Values) bool {
		return shell == "dash" && strings.ContainsFunc(v.Args, func(r rune) bool { return r >= 0x80 })
	}},
}

// TestHonest runs the honest templates with the honest values. The output is
// that of plain splicing, except in the documented classes, and no value is
// refused.
func TestHonest(t *testing.T) {
	requireShells(t)
	cases := readCases(t, "shell-templates.json")
	p := newPlace(t)
	var sum tally
	classes := make(map[string]int)
	for _, tm := range cases.Templates {
		for i, value := range cases.Honest {
			if tm.Honest && sampled(6, tm.ID, strconv.Itoa(i)) {
				honest(t, p, tm, value, &sum, classes)
			}
		}
	}
	assert.Positive(t, sum.equal)
	t.Logf("pairs %d, equal %d, documented differences %d: %v", sum.pairs, sum.equal, sum.documented, classes)
}

func honest(t *testing.T, p place, tm testTemplate, value string, sum *tally, classes map[string]int) {
	t.Helper()
	span := spanOf(t, tm.Text)
	v := valuesOf(value, p.skill)
	plain, _ := v.Splice(span)
	for shell, d := range shellsOf(tm) {
		if strings.Contains(shell, " ") {
			continue // the same as bash
		}
		sum.pairs++
		r, err := Rewrite(span, v, d)
		if !assert.NoError(t, err, "%s %q", tm.ID, value) {
			continue
		}
		want, _ := p.run(t, shell, plain, nil)
		got, _ := p.run(t, shell, r.Text, r.Env)
		if got == want {
			sum.equal++
			continue
		}
		sum.documented++
		i := slices.IndexFunc(differences, func(d difference) bool { return d.applies(tm, shell, v) })
		if assert.GreaterOrEqual(t, i, 0, "%s in %s with %q: %q instead of %q", tm.ID, shell, value, got, want) {
			classes[differences[i].name]++
		}
	}
}

// TestMoreHostile runs templates that were written to get through, each with
// values of its own and with the shared ones. Those that once got through say
// so in the data and are always run whole.
func TestMoreHostile(t *testing.T) {
	shared := readCases(t, "shell-templates.json").Hostile
	cases := readCases(t, "more-templates.json")
	sum := inShards(t, cases.Templates, func(t *testing.T, p place, tm testTemplate, sum *tally) {
		for _, value := range tm.Values {
			if tm.Got != "" || sampled(12, tm.ID, value) {
				hostile(t, p, tm, value, sum)
			}
		}
		for i, value := range shared {
			if sampled(150, tm.ID, strconv.Itoa(i)) {
				hostile(t, p, tm, value, sum)
			}
		}
	})
	assert.Zero(t, sum.executed)
}
