package rule

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/seed-12b313d8/skills/internal/names"
)

func TestMatches(t *testing.T) {
	for _, tt := range []struct {
		rule, name   string
		fold, strict bool
		want         bool
		reason       string
	}{
		{"Skill", "x", false, false, true, "04 §5: every skill"},
		{"Skill(*)", "x", false, false, true, "04 §5: every skill"},
		{"Skill(/x)", "x", false, false, true, "04 §5: /name"},
		{"Skill(x)", "X", false, false, false, "allow is exact in case"},
		{"Skill(x)", "X", true, false, true, "deny is not"},
		{"Skill(re:*)", "reviewer", false, false, true, "plain prefix"},
		{"Skill(re:*)", "reviewer", false, true, false, "strict prefix"},
		{"Skill(re:*)", "re-x", false, true, true, "a hyphen ends a word"},
		{"Skill(re *)", "re", false, false, true, "word boundary: the name itself"},
		{"Skill(re *)", "re:x", false, false, true, "word boundary: a colon"},
		{"Skill(re *)", "review", false, false, false, "word boundary: a longer word"},
		{`Skill(\*)`, "*", false, false, true, "a star as a character"},
		{`Skill(\*)`, "x", false, false, false, "and nothing else"},
		{`Skill(a:\*)`, "a:*", false, false, true, "no prefix rule"},
		{`Skill(a:\*)`, "a:b", false, false, false, "no prefix rule"},
		{"Bash(x)", "x", false, false, false, "another tool"},
	} {
		r, err := Parse(tt.rule)
		require.NoError(t, err, tt.rule)
		assert.Equal(t, tt.want, r.Matches(tt.name, tt.fold, tt.strict), "%s on %s: %s", tt.rule, tt.name, tt.reason)
	}
	assert.False(t, Rule{}.Matches("x", true, false), "the zero rule matches nothing")
}

func TestToolCovers(t *testing.T) {
	for _, tt := range []struct {
		pattern, tool string
		want          bool
	}{
		{"AskUser", "askuser", true},
		{"Ask", "AskUser", false},
		{"Ask*", "AskUser", true},
		{"*User", "AskUser", true},
		{"mcp__*__ask", "mcp__srv__ask", true},
		{"mcp__*__ask", "mcp__srv__asks", false},
		{"**", "x", true},
		{"a*a", "a", false},
	} {
		assert.Equal(t, tt.want, ToolCovers(tt.pattern, tt.tool), "%s covers %s", tt.pattern, tt.tool)
	}
}

// The rules for a name match it, and the exact one matches no other.
func FuzzFor(f *testing.F) {
	for _, s := range []string{"a", "*", "deploy:*", "foo *", "x*", "a (b)", "é", "office:pdf"} {
		f.Add(s, "b")
	}
	f.Fuzz(func(t *testing.T, name, other string) {
		// what names are refused for (N2), and white space that rules normalise
		if len(name) > 200 || strings.Join(strings.Fields(name), " ") != name || name == "" || strings.ContainsAny(name, "/\\") || !validName(name) {
			return
		}
		exact, prefix := For(name)
		for _, text := range []string{exact, prefix} {
			r, err := Parse(text)
			if err != nil {
				t.Fatalf("%q for %q: %v", text, name, err)
			}
			if !r.Matches(name, false, false) {
				t.Fatalf("%q does not match %q", text, name)
			}
		}
		r, _ := Parse(exact)
		if other != name && r.Matches(other, false, false) {
			t.Fatalf("%q matches %q, not only %q", exact, other, name)
		}
	})
}

func FuzzParse(f *testing.F) {
	for _, s := range []string{"Skill", "Skill(a)", "Skill(a:*)", "Skill(a *)", "Bash(git push *)", "Skill(", "", `Skill(\*)`} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		r, err := Parse(text)
		if err != nil {
			return
		}
		again, err := Parse(r.String())
		if err != nil || again != r {
			t.Fatalf("%q reads as %q, and that as %q (%v)", text, r, again, err)
		}
	})
}

// validName reports whether NFC leaves name alone, as it does for all names
// that a registry holds.
func validName(name string) bool { return names.Normalize(name) == name }

func TestMatchesCommand(t *testing.T) {
	tests := []struct {
		reason, rule, command string
		want                  bool
	}{
		{"04 §5: the tool", "Bash", "anything", true},
		{"every command", "Bash(*)", "anything", true},
		{"another tool", "Read(x)", "x", false},
		{"a rule about skills", "Skill(rm)", "rm", false},
		{"a prefix", "Bash(rm:*)", "rm -rf x", true},
		{"a plain prefix", "Bash(rm:*)", "rmdir x", true},
		{"a word", "Bash(rm *)", "rmdir x", false},
		{"exactly", "Bash(git push)", "git  push", true},
		{"more than that", "Bash(git push)", "git push x", false},
		{"behind a separator", "Bash(rm *)", "cd x && rm y", true},
		{"in a substitution", "Bash(rm *)", "echo $(rm y)", true},
		{"behind keywords", "Bash(rm *)", "if true; then rm y; fi", true},
		{"in a loop", "Bash(rm *)", "for i in 1; do rm $i; done", true},
		{"behind an assignment", "Bash(rm *)", "FOO=1 BAR=2 rm y", true},
		{"behind another program", "Bash(rm *)", "sudo -n nice -n 5 rm y", true},
		{"with a limit of time", "Bash(rm *)", "timeout 5s rm y", true},
		{"by its path", "Bash(rm *)", "/bin/rm y", true},
		{"with a backslash", "Bash(rm *)", `\rm y`, true},
		{"in quotes", "Bash(rm *)", `'rm' y`, true},
		{"behind another program in quotes", "Bash(rm *)", `\sudo 'env' rm y`, true},
		{"an argument of something else", "Bash(rm *)", "echo rm y", false},
		{"over two lines", "Bash(git push:*)", "git \\\n push origin", true},
		{"over two lines, without a blank", "Bash(git push *)", "git \\\npush origin", true},
		{"a word over two lines", "Bash(git push *)", "git pu\\\nsh origin", true},
		{"a backslash, and a line that ends", "Bash(rm *)", "echo \\\\\nrm y", true},
		{"any case in a glob", "Bash(rm*Y)", "RM -f y", true},
		{"behind others, in a glob", "Bash(rm*Y)", "A=İ sudo /bin/RM -f y", true},
		{"a prefix counts case", "Bash(rm:*)", "RM y", false},
		{"behind 32 words", "Bash(rm *)", "env " + strings.Repeat("1 ", 31) + "rm y", true},
		{"nothing behind 32 words", "Bash(rm *)", "env " + strings.Repeat("1 ", 31) + "echo y", false},
		{"something behind more", "Bash(rm *)", "env " + strings.Repeat("1 ", 32) + "echo y", true},
		{"a word of several", "Bash(git push *)", "sudo git push", true},
		{"a longer word", "Bash(git push *)", "sudo git pushes", false},
	}
	for _, tt := range tests {
		r, err := Parse(tt.rule)
		require.NoError(t, err)
		assert.Equal(t, tt.want, r.MatchesCommand("Bash", tt.command), tt.reason)
	}
}

// A command that is all detours costs as little as any other of its length.
func TestMatchesCommandCost(t *testing.T) {
	command := "env" + strings.Repeat(" 1", 50_000)
	for _, text := range []string{"Bash(rm:*)", "Bash(rm *)", "Bash(rm)", "Bash(r*m)"} {
		r, err := Parse(text)
		require.NoError(t, err)
		assert.Less(t, testing.AllocsPerRun(1, func() {
			assert.True(t, r.MatchesCommand("Bash", command), text)
		}), 1000.0, text)
	}
}

func BenchmarkMatchesCommand(b *testing.B) {
	for name, command := range map[string]string{
		"leads": "env" + strings.Repeat(" 1", 50_000),
		"paths": strings.Repeat("/bin/env ", 11_000),
		"parts": strings.Repeat("a;", 50_000),
	} {
		r, err := Parse("Bash(r*m)")
		require.NoError(b, err)
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				r.MatchesCommand("Bash", command)
			}
		})
	}
}

func TestUngrantable(t *testing.T) {
	never := []string{"AskUser", "Exit"}
	tests := []struct{ reason, text, why string }{
		{"04 §5: a rule like any other", "Bash(git *)", ""},
		{"every tool", "*", "every tool"},
		{"every tool, with arguments", " ** (x)", "every tool"},
		{"nothing", "(x)", "every tool"},
		{"one that nobody grants", "AskUser", "AskUser"},
		{"whatever its arguments", "askuser (x)", "AskUser"},
		{"by a pattern", "Ex*", "Exit"},
	}
	for _, tt := range tests {
		why, hint := Ungrantable(tt.text, never)
		assert.Equal(t, tt.why == "", why == "", tt.reason)
		assert.Contains(t, why, tt.why, tt.reason)
		assert.Equal(t, why == "", hint == "", tt.reason)
	}
}
