package gitignore

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// agree checks that the pre-filter and the library give one answer on a rule
// and a text, in either scope (03 A7).
func agree(t *testing.T, r *rule, m mode, path string) (matches int) {
	t.Helper()
	for _, s := range []scope{wholePath, oneEntry} {
		lib := compile(r.translate(m, s))
		for _, text := range []string{m.text(path), m.text(path) + "/"} {
			steps := purse(maxSteps)
			got := r.admits(text, m, s, &steps)
			if steps < 0 {
				continue // given up, which only hostile input brings about
			}
			assert.Equalf(t, lib.MatchesPath(text), got, "pattern %q, text %q, mode %d, scope %d", r.text, text, m, s)
			if got {
				matches++
			}
		}
	}
	return matches
}

// TestSieveEqualsLibrary holds the pre-filter against the library on generated
// rules of every mode.
func TestSieveEqualsLibrary(t *testing.T) {
	g := newGenerator(8)
	matches := 0
	for i := range 900 {
		m := mode(i % 3)
		pattern := g.pattern()
		r := &rule{}
		if r.parse(pattern, m, i%5 == 0) != useful {
			continue
		}
		for _, path := range g.paths([]string{pattern}, 8) {
			matches += agree(t, r, m, path)
		}
	}
	assert.Greater(t, matches, 1500, "the generated paths hardly ever match")
}

// TestHostilePatterns shows that patterns made to be slow are rejected within
// the budget of steps, without compiling one and without memory.
func TestHostilePatterns(t *testing.T) {
	segment := strings.Repeat("a", 250)
	for _, row := range []struct {
		reason   string
		patterns []string
	}{
		{"many stars", []string{strings.Repeat("{a*,*a}", 9) + strings.Repeat("*a", 40) + "[z]"}},
		{"many deep stars", []string{strings.Repeat("{**/a*/,*/}", 9) + "[z]"}},
		{"many deep stars to walk through", []string{"**/[z]", "!" + strings.Repeat("{**/,*/}", 9) + "[z]"}},
		{"long runs of wildcards", []string{"*" + strings.Repeat("{?,[a]}", 9) + strings.Repeat("?", 200) + "[z]"}},
		{"wide classes", []string{"*" + strings.Repeat("{[!b],[\u0080-\U0010ffff0-z]}", 9) + strings.Repeat("[!\u0080-\U0010ffff]", 200) + "[z]"}},
		{"many patterns", strings.Split(strings.Repeat("*[z],", 3000), ",")},
	} {
		t.Run(row.reason, func(t *testing.T) {
			require.NotEmpty(t, row.reason, "a row needs a reason")
			p := Compile(row.patterns, Options{}).program()
			for _, text := range []string{
				"src/aaaaaaaa/aaaaaaaaaaaa/aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa.ts",
				strings.Repeat(segment+"/", 15) + segment,
				strings.Repeat("a/", 255) + "a",
			} {
				require.True(t, valid(text))
				assert.Zero(t, testing.AllocsPerRun(1, func() { assert.False(t, p.matches(text)) }))
			}
			assert.Zero(t, p.kept.Load(), "nothing may be compiled")
		})
	}
}

// TestStepBudget shows what becomes of a list that needs too many steps: it
// does not match, although a rule further on would.
func TestStepBudget(t *testing.T) {
	slow := strings.Repeat("{a*,*a}", 9) + strings.Repeat("*a", 40) + "[z]"
	path := strings.Repeat(strings.Repeat("a", 250)+"/", 15) + "x"
	assert.True(t, Compile([]string{"x", slow}, Options{}).Match(path))
	assert.False(t, Compile([]string{slow, "x"}, Options{}).Match(path))
	assert.True(t, Compile([]string{slow, "x"}, Options{}).Match("a/b/x"))
}
