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

// tokens are what TestTokens makes commands of.
var tokens = []string{
	"$0", "$0", "$0", `"$0"`, `'$0'`, "$1", "$ARGUMENTS", `"$ARGUMENTS"`, "x$0", "$0x", "x=$0", "x+=$0", "x[$0]=1", "x=($0)", "${y:-$0}", `"${y:-$0}"`, "${y#$0}", "${x/$0/b}",
	"$(", ")", "`", "`", "(", ")", "{", "}", ";", ";", "\n", "\n", "|", "|&", "||", "&&", "&", "!", "\\\n",
	"if", "then", "else", "elif", "fi", "for", "x", "in", "do", "done", "while", "until", "case", "x)", "esac", ";;", "select", "function", "f", "f()",
	"time", "-p", "--", "coproc", "[[", "]]", "[", "]", "((", "))", "$((", "${", "let", "declare", "export", "local", "-a", "-i", "-n", "==", "=~", "-eq", "-v", "<", ">", "<<", "<<<", "<<E", "<<'E'", "E", ">&", "<&", "&>", ">|", "<(", ">(", "2>",
	"echo", "true", ":", "cat", "printf", "x", "y", "1", "read", "test", "set", "unset", "command", "builtin", "exec", "env", "eval", "sh", "-c", "trap", "EXIT", "#", "'", `"`, "$", "$x", `"$x"`, "${x}", "$@", `"$@"`, "@(", "*", "{a,", "}", "=", ",", "x[", "'$0;'", "\\", "$'", "$\"",
}

// TestTokens makes commands at random. Most are no commands; of the others,
// what is allowed is run, and no value may be executed. The parser and the
// shells have to agree about what is a command, so this is the test that
// finds where they do not.
func TestTokens(t *testing.T) {
	requireShells(t)
	n := 8_000
	if s := os.Getenv("SKILLS_SHELL_TOKENS"); s != "" {
		n, _ = strconv.Atoi(s)
	}
	seed := uint64(1)
	if s := os.Getenv("SKILLS_SHELL_SEED"); s != "" {
		seed, _ = strconv.ParseUint(s, 10, 64)
	}
	p := newPlace(t)
	r := rand.New(rand.NewPCG(seed, 2))
	values := []string{"'mkdir pwn.d'", "mkdir pwn.d", "'a[$(mkdir pwn.d)]' 'a[$(mkdir pwn.d)]'", "'; mkdir pwn.d #' ';mkdir pwn.d'", "'$(mkdir pwn.d)' '`mkdir pwn.d`'", "'x\nmkdir pwn.d\n'", "'([0]=$(mkdir pwn.d))'"}
	ran := 0
	for range n {
		text := randomCommand(r)
		if !strings.Contains(text, "$0") && !strings.Contains(text, "$ARG") && !strings.Contains(text, "$1") || strings.TrimSpace(text) == "" || strings.Contains(text, "```") {
			continue
		}
		for shell, d := range shellsOf(testTemplate{}) {
			v := valuesOf(values[r.IntN(len(values))], p.skill)
			res, err := Rewrite(spanOf(t, text), v, d)
			if err != nil || len(res.Env) == 0 {
				continue
			}
			ran++
			out, executed := p.run(t, shell, res.Text, res.Env)
			assert.False(t, executed, "%s executed %q\nin %q\ntext %q\noutput %s", shell, v.Args, text, res.Text, out)
		}
	}
	t.Logf("ran %d", ran)
}

func randomCommand(r *rand.Rand) string {
	var b strings.Builder
	for i := range 2 + r.IntN(9) {
		if i > 0 && r.IntN(6) > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(tokens[r.IntN(len(tokens))])
	}
	return b.String()
}
