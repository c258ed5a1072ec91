//go:build unix

package shellspan

import (
	"math/rand/v2"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

// wraps put a command into another place.
var wraps = []string{
	"%s", "%s; %s", "%s | %s", "%s && %s", "%s || %s", "{ %s\n}", "( %s\n)", "echo $(%s\n)", "echo \"$(%s\n)\"", "echo `%s`", "f() { %s\n}; f \"$0\"", "f() { %s\n}; f $ARGUMENTS",
	"if %s\nthen %s\nfi", "while %s\ndo break; done", "for i in $ARGUMENTS; do %s\ndone", "x=$0; %s", "x=$(%s\n); %s", "x=\"$0\"; y=$x; %s", "case $0 in *) %s\n;; esac", "%s <<< \"$0\"",
	"echo \"$0\" | %s", "echo \"$0\" | { %s\n}", "%s < <(echo \"$0\")", "cat <(%s\n)", "echo x > >(%s\n)", "eval '%s'", "eval \"%s\"", "sh -c '%s'", "bash -c \"%s\"", "trap '%s' EXIT", "env X=1 sh -c '%s' _ \"$0\"",
	"set -- $ARGUMENTS; %s", "read -r x <<< \"$0\"; %s", "a=($ARGUMENTS); %s", "export x=$0; %s", "time %s", "! %s", "%s &\nwait", "coproc %s", "exec %s", "command %s", "declare -n x=y; %s", "declare -i x; %s", "alias x=y\n%s", "%s > f; sh f", "echo \"$0\" > f; %s",
	"cat <<E\n$(%s\n)\nE", "${y:-$(%s\n)}", "[ x = $(%s\n) ]", "[[ $(%s\n) ]]", "echo $(( $(%s\n) ))", "f() { local x=$0; %s\n}; f", "find . -maxdepth 0 -exec %s \\;", "xargs -I% %s <<< \"$0\"", "timeout 5 %s", "PATH=.:$PATH %s", "%s 2>&1", "%s # $0",
}

// bits replace a word of a command.
var bits = []string{"$0", `"$0"`, `'$0'`, "$1", "$ARGUMENTS", `"$ARGUMENTS"`, "$x", `"$x"`, "$@", `"$@"`, "x", "-v", "-c", "--", "$(echo $0)", "${x:-$0}", "{$0,x}", "$'$0'", "pre$0", "$0=x", "x=$0", "x[$0]"}

// TestMutations makes commands out of those of the cases: two are joined, one
// is put into another place, a word is changed. What is allowed is run, and no
// value may be executed.
func TestMutations(t *testing.T) {
	requireShells(t)
	n := 2_000
	if s := os.Getenv("SKILLS_SHELL_TOKENS"); s != "" {
		n, _ = strconv.Atoi(s)
	}
	seed := uint64(1)
	if s := os.Getenv("SKILLS_SHELL_SEED"); s != "" {
		seed, _ = strconv.ParseUint(s, 10, 64)
	}
	templates := append(readCases(t, "shell-templates.json").Templates, readCases(t, "more-templates.json").Templates...)
	hostiles := readCases(t, "shell-templates.json").Hostile
	p := newPlace(t)
	r := rand.New(rand.NewPCG(seed, 3))
	ran := 0
	for range n {
		tm := templates[r.IntN(len(templates))]
		text := mutate(r, tm.Text, templates)
		if strings.Contains(text, "```") || strings.TrimSpace(text) == "" || strings.Contains(text, "touch") || strings.Contains(text, "pwn") {
			continue
		}
		value := hostiles[r.IntN(len(hostiles))]
		if len(tm.Values) > 0 && r.IntN(2) == 0 {
			value = tm.Values[r.IntN(len(tm.Values))]
		}
		value = strings.ReplaceAll(value, "touch @@", "mkdir "+canary+".d")
		if strings.Contains(value, "@@") {
			continue // a redirection could make it
		}
		span, ok := fuzzSpan(text)
		if !ok {
			continue
		}
		for shell, d := range shellsOf(tm) {
			res, err := Rewrite(span, valuesOf(value, p.skill), d)
			if err != nil || len(res.Env) == 0 {
				continue
			}
			ran++
			out, executed := p.run(t, shell, res.Text, res.Env)
			assert.False(t, executed, "%s executed %q\nin %q\ntext %q\noutput %s", shell, value, text, res.Text, out)
		}
	}
	t.Logf("ran %d", ran)
}

func mutate(r *rand.Rand, text string, all []testTemplate) string {
	for range r.IntN(3) {
		words := strings.Split(text, " ")
		words[r.IntN(len(words))] = bits[r.IntN(len(bits))]
		text = strings.Join(words, " ")
	}
	for range 1 + r.IntN(2) {
		wrap := wraps[r.IntN(len(wraps))]
		before, after, _ := strings.Cut(wrap, "%s")
		text = before + text + strings.ReplaceAll(after, "%s", all[r.IntN(len(all))].Text)
	}
	return text
}
