package lint

import (
	"cmp"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/seed-12b313d8/skills/internal/testkit"
)

func TestProgramArgument(t *testing.T) {
	at := func(n ...int) findings {
		out := findings{}
		for _, n := range n {
			out = append(out, fmt.Sprintf("program-argument:%d", n))
		}
		return out
	}
	const fence = "```"
	for _, tt := range []struct {
		reason, header, body string
		want                 findings
	}{
		{"I01: a field of awk", "", "!`ps | awk '{print $2}'`", at(5)},
		{"though the skill takes arguments", "argument-hint: <n>", "!`ps | awk '{print $2}'`", at(5)},
		{"a fenced command", "arguments: n", fence + "!\nps\nps | awk '{print $2}'\n" + fence, at(7)},
		{"one a line is enough", "arguments: n", fence + "!\nawk '{print $1, $2\n$3}'\n" + fence, at(6, 7)},
		{"behind other commands and flags", "arguments: n", "!`git log | sudo xargs /usr/bin/gawk -F: '{print $1}' x`", at(5)},
		{"a group of perl", "arguments: n", "!`perl -pe 's/(a)/$1$1/' x`", at(5)},
		{"the last line of sed", "arguments: n", "!`sed -n '$0p' x`", at(5)},
		{"in a substitution before another program", "arguments: n", "!`awk 1 \"$(awk '{print $2}' x)\" '{print $1}'`", at(5)},
		{"in a substitution", "arguments: n", "!`echo $(awk '{print $2}' x)`", at(5)},

		{"escaped, it is a field", "", "!`ps | awk '{print \\$2}'`", at()},
		{"in double quotes the shell has it", "arguments: n", "!`awk \"{print $2}\"`", at()},
		{"outside of the quotes it is meant", "arguments: n", "!`awk -v n=$0 '{print n}' $1`", at()},
		{"other programs have no $N", "arguments: n", "!`grep '$1' x`", at()},
		{"the name of one as an argument of another command", "arguments: n", "!`awk '{print}'; grep '$1' x`", at()},
		{"names and lists are meant", "arguments: n", "!`awk '/$n/ $ARGUMENTS[0]'`", at()},
		{"a fence that is no command", "arguments: n", fence + "sh\nawk '{print $2}'\n" + fence, at()},
		{"what is no bash is not known", "arguments: n", "!`awk '{print $2}`", at()},
	} {
		t.Run(tt.reason, func(t *testing.T) {
			reasoned(t, tt.reason)
			issues := document(t, testkit.SkillText(tt.body, "description: d", cmp.Or(tt.header, "license: x")), Options{})
			assert.Equal(t, tt.want, only(issues, ownCodes()...))
			if len(tt.want) > 0 {
				assert.Contains(t, issues[0].Hint, `write \$`)
			}
		})
	}
}

// maxCommand is the longest command that is looked at.
const maxCommand = 4 << 10

// Commands that are hard to parse end, and long ones are not looked at.
func TestProgramArgumentHostile(t *testing.T) {
	for _, text := range []string{"$(", "((", "{ ", "if ", "${a:-", "'' ", "awk '$1' ", "\"$(", "<(", "case x in ", "!", "x|"} {
		var b strings.Builder
		for range 8 {
			b.WriteString("!`" + strings.Repeat(text, maxCommand/len(text)-10) + " '$1`\n")
		}
		Document([]byte("---\ndescription: d\n---\n"+b.String()), "x/SKILL.md", nil)
	}
	long := "!`awk '$1' " + strings.Repeat("x", maxCommand) + "`\n"
	assert.Empty(t, only(document(t, testkit.SkillText(long, "description: d", "arguments: n"), Options{}), "program-"))
}
