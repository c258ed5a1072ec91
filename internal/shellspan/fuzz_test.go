package shellspan

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/seed-12b313d8/skills/internal/template"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"mvdan.cc/sh/v3/syntax"
)

// secret is a value that is in no command.
const secret = "Zq9value7xK"

// FuzzRewrite rewrites any command with any value. Whatever the command is:
// nothing panics; without placeholders it comes back byte for byte; no value
// is in the text; the text parses, and has the commands of the author's; and
// the environment has what the text refers to, and nothing else.
func FuzzRewrite(f *testing.F) {
	for _, name := range []string{"shell-templates.json", "more-templates.json"} {
		for i, tm := range readCases(f, name).Templates {
			if i%8 == 0 {
				f.Add(tm.Text, "alpha 'b c'", i%16 == 0)
			}
		}
	}
	f.Add("echo $0 $ARGUMENTS", "", true)
	f.Add("cat <<'E'\n\\$0 $0\nE", "41", false)
	f.Fuzz(func(t *testing.T, text, args string, posix bool) {
		d := Bash
		if posix {
			d = POSIX
		}
		span, ok := fuzzSpan(text)
		if !ok {
			return
		}
		checkRewrite(t, span, valuesOf(args, "/s"), d)
		if !strings.Contains(text, secret) {
			v := valuesOf(secret+" "+secret, "/s")
			if r, err := Rewrite(span, v, d); err == nil {
				assert.NotContains(t, r.Text, secret)
			}
		}
	})
}

// fuzzSpan returns the span of a command, if it can be one.
func fuzzSpan(text string) (template.Token, bool) {
	tmpl, err := template.Parse("```!\n"+text+"\n```\n", template.Options{Names: declaredNames})
	if err != nil || len(tmpl.Spans()) != 1 {
		return template.Token{}, false
	}
	return tmpl.Spans()[0], true
}

func checkRewrite(t *testing.T, span template.Token, v template.Values, d Dialect) {
	t.Helper()
	r, err := Rewrite(span, v, d)
	if err != nil {
		var refusal *Refusal
		require.ErrorAs(t, err, &refusal)
		assert.Equal(t, Result{}, r)
		assert.NotEmpty(t, refusal.Placeholder)
		assert.Positive(t, refusal.Line)
		return
	}
	if len(span.Inner) == 0 {
		assert.Equal(t, Result{Text: span.Command}, r)
		return
	}
	for _, pair := range r.Env {
		name, _, _ := strings.Cut(pair, "=")
		assert.Contains(t, r.Text, "${"+name+"}")
	}
	if len(r.Env) > 0 {
		assert.Equal(t, outline(t, nonced(span), d), outline(t, r.Text, d), "%q became %q", span.Command, r.Text)
	}
}

// nonced returns the command with a parameter in each place.
func nonced(span template.Token) string {
	var b strings.Builder
	end := 0
	for _, in := range span.Inner {
		b.WriteString(span.Command[end:in.Offset])
		end = in.Offset + len(in.Text)
		if in.Kind == template.Escaped {
			b.WriteString(in.Text)
		} else {
			b.WriteString("${SKILL_ARG_0}")
		}
	}
	return b.String() + span.Command[end:]
}

// outline returns the statements of a command, without its words. It is
// written without the code under test.
func outline(t *testing.T, text string, d Dialect) []string {
	t.Helper()
	f, err := syntax.NewParser(syntax.Variant(d.lang())).Parse(strings.NewReader(text), "")
	require.NoError(t, err, text)
	var lines []string
	syntax.Walk(f, func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.CallExpr:
			lines = append(lines, "call")
		case *syntax.BinaryCmd:
			lines = append(lines, n.Op.String())
		case *syntax.Redirect:
			lines = append(lines, n.Op.String())
		case *syntax.CmdSubst, *syntax.ProcSubst:
			lines = append(lines, "subst")
		case *syntax.Assign, *syntax.FuncDecl, *syntax.ArithmExp, *syntax.ArithmCmd, *syntax.TestClause, *syntax.DeclClause,
			*syntax.IfClause, *syntax.WhileClause, *syntax.ForClause, *syntax.CaseClause, *syntax.Subshell, *syntax.Block:
			lines = append(lines, fmt.Sprintf("%T", n))
		}
		return true
	})
	return lines
}

// TestLarge holds commands that ask for much work: deep, wide, and with long
// values. They come back with a result or a refusal.
func TestLarge(t *testing.T) {
	const n = maxCommand - 2000
	fill := func(unit string) string { return strings.Repeat(unit, n/len(unit)-1) }
	for _, text := range []string{
		"echo $0" + strings.Repeat("$(echo ", 7000) + strings.Repeat(")", 7000),
		"echo $0 " + fill("\"$0\" "),
		fill("echo $0;"),
		fill("eval ") + "$0",
		fill("env ") + "$0",
		fill("xargs ") + "$0",
		fill("find . -exec ") + "$0",
		"echo $0 " + fill("`"),
		fill("(") + "$0",
		fill("{ ") + "$0",
		"echo $0 " + fill("${x:-"),
		"echo \"$0\" " + fill("'$0'"),
		fill("x=$0 "),
		fill("$ARGUMENTS "),
		fill("echo $ARGUMENTS;"),
		"echo " + fill("$ARGUMENTS "),
		"x=$0; " + fill("git log $x $ARGUMENTS;"),
		"cat <<'E'\n" + fill("$0\n") + "E",
		strings.Repeat("cat <<'E'\n$0\nE\n", 3000),
		"echo $0; " + fill("a=$b;b=$a;"),
		"echo $(( $0 " + fill("+ 1") + "))",
		fill("if :; then ") + "$0",
		fill("sed 's/a/$0/';"),
		fill("sh -c 'echo $0';"),
		"sh -c '" + fill("echo $0;") + "'",
		"awk '" + fill("|\"x\"") + "' $0",
		fill("git log $0;"),
	} {
		span := spanOf(t, text)
		for _, args := range []string{"7", strings.Repeat("7 ", 40_000)} {
			r, err := Rewrite(span, valuesOf(args, "/s"), Bash)
			var refusal *Refusal
			if err != nil {
				assert.True(t, errors.As(err, &refusal))
			} else {
				assert.LessOrEqual(t, len(r.Text), maxText)
			}
		}
	}
}
