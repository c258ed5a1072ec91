//go:build unix

package skills_test

import (
	"context"
	"fmt"
	"os/exec"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/seed-12b313d8/skills"
	"github.com/seed-12b313d8/skills/osshell"
)

// A shellLog is a Shell that keeps what reached it.
type shellLog struct {
	next skills.Shell

	mu       sync.Mutex
	commands []skills.Command
}

func (r *shellLog) run(ctx context.Context, c skills.Command) (skills.CommandResult, error) {
	r.mu.Lock()
	r.commands = append(r.commands, c)
	r.mu.Unlock()
	return r.next(ctx, c)
}

// texts returns the commands in the order in which they came.
func (r *shellLog) texts() []string {
	r.mu.Lock()
	defer r.mu.Unlock()
	out := []string{}
	for _, c := range r.commands {
		out = append(out, c.Text)
	}
	return out
}

// bash is the stock Shell, where there is a bash.
func bash(t *testing.T) *shellLog {
	t.Helper()
	if _, err := exec.LookPath("bash"); err != nil {
		t.Skipf("bash is not installed; commands in it were not tested: %v", err)
	}
	return &shellLog{next: osshell.New(nil)}
}

// shOnly is the stock Shell of a system that has no bash.
func shOnly() *shellLog {
	stock := osshell.New(nil)
	return &shellLog{next: func(ctx context.Context, c skills.Command) (skills.CommandResult, error) {
		switch c.Shell {
		case "bash":
			return skills.CommandResult{}, &skills.Error{Issue: skills.Issue{Code: skills.CodeShellUnavailable, Msg: "there is no bash"}}
		case "":
			c.Shell = "sh"
		}
		return stock(ctx, c)
	}}
}

// answers is a Shell that starts nothing and answers every command with f.
func answers(f func(ctx context.Context, c skills.Command) (skills.CommandResult, error)) *shellLog {
	return &shellLog{next: f}
}

// says answers every command with the same output.
func says(output string) *shellLog {
	return answers(func(context.Context, skills.Command) (skills.CommandResult, error) {
		return skills.CommandResult{Output: output}, nil
	})
}

// shellSkill is userSkill with a working directory that exists.
func shellSkill(t *testing.T, body string, fields ...string) (*skills.Session, string) {
	t.Helper()
	reg, root := openTree(t, map[string]string{
		"home/.claude/skills/s/SKILL.md": skill(body, append([]string{"description: d"}, fields...)...),
		"proj/":                          "",
	})
	return reg.NewSession("sess-1", nil), root
}

// invokeBody invokes a trusted skill with that body as its user.
func invokeBody(t *testing.T, body, args string, o skills.InvokerOptions, fields ...string) (*skills.Inline, error) {
	t.Helper()
	sess, _ := shellSkill(t, body, fields...)
	out, err := skills.NewInvoker(sess, &o).Invoke(context.Background(), skills.Call{Name: "s", Args: args, Caller: skills.CallerUser})
	if err != nil {
		return nil, err
	}
	return out.(*skills.Inline), nil
}

// A command's output stands in its place, in bash and in sh.
func TestShellOutput(t *testing.T) {
	for _, tt := range []struct {
		reason, body, args, want string
		fields                   []string
		opts                     skills.InvokerOptions
	}{
		{reason: "04 §2: in the author's order", body: "a !`echo 1` b\n!`echo 2`\nc", want: "a 1 b\n2\nc"},
		{reason: "04 §4: `!` only at line start or after white space", body: "x!`echo 1` !`echo 2`", want: "x!`echo 1` 2"},
		{reason: "04 §4: a fenced block is one command", body: "a\n```!\nx=1\necho $x\necho 2\n```\nb", want: "a\n1\n2\nb"},
		{reason: "04 §4: indented as the block is", body: "- a\n\n  ```!\n  cat <<E\n  in\n  E\n  ```", want: "- a\n\nin"},
		{reason: "04 §4: standard error is part of it", body: "!`echo out; echo err >&2`", want: "out\nerr"},
		{reason: "04 §4: no input", body: "!`cat; echo end`", want: "end"},
		{reason: "04 §2: line ends of the output do not add to the author's", body: "<\n!`printf 'a\\n\\n'`\n>", want: "<\na\n>"},
		{reason: "04 §2: output is not scanned again", body: "!`printf '\\044ARGUMENTS \\0440 \\044{CLAUDE_SESSION_ID} !\\140echo x\\140'` $0", args: "v", want: "$ARGUMENTS $0 ${CLAUDE_SESSION_ID} !`echo x` v"},
		{reason: "04 §3: a span that takes the arguments counts", body: "!`echo $ARGUMENTS`", args: "a b", want: "a b"},
		{reason: "04 §3: ${…} does not count", body: "!`echo ${CLAUDE_SESSION_ID}`", args: "x", want: "sess-1\n\nARGUMENTS: x"},
		{reason: "04 §3: a comment does not count", body: "!`echo hi # $0`", args: "x", want: "hi\n\nARGUMENTS: x"},
		{reason: "04 §4: no such word is awk's own", body: "!`echo 'a b' | awk '{print $2}'`", args: "x", want: "b\n\nARGUMENTS: x"},
		{reason: "04 §4: a missing name is no word", body: "!`printf '<%s>' a $t b`", fields: []string{"arguments: [t]"}, want: "<a><b>"},
		{reason: "04 §4: no arguments are no words", body: "!`printf '<%s>' a $ARGUMENTS b`", want: "<a><b>"},
		{reason: "04 §4: one word per argument", body: "!`printf '<%s>' $ARGUMENTS`", args: "a 'b c' d", want: "<a><b c><d>"},
		{reason: "04 §4: what a value holds is no code", body: "!`printf '<%s>' $ARGUMENTS \"$0\" '$1'`", args: `$(id) ';x' *`, want: "<$(id)><;x><*><$(id)><;x>"},
		{reason: "04 §3: an escape", body: "!`printf %s '\\$0'`", args: "v", want: "$0\n\nARGUMENTS: v"},
		{reason: "04 §4: UnsafeSplice pastes", body: "!`echo $ARGUMENTS`", args: "a; echo b", want: "a\nb", opts: skills.InvokerOptions{UnsafeSplice: true}},
		{reason: "04 §4: Markdown and YAML fences document", body: "```md\n!`echo 1`\n```\n```yaml\n!`echo 2`\n```\n```\n!`echo 3`\n```", want: "```md\n!`echo 1`\n```\n```yaml\n!`echo 2`\n```\n```\n3\n```"},
		{reason: "J01: not in a code span of several backticks", body: "`` !`echo 1` `` !`echo 2`", want: "`` !`echo 1` `` 2"},
		{reason: "04 §4: FenceBlind", body: "```md\n!`echo 1`\n```", want: "```md\n1\n```", opts: skills.InvokerOptions{FenceBlind: true}},
		{reason: "04 §4: FenceStrict", body: "```\n!`echo 1`\n```\n!`echo 2`", want: "```\n!`echo 1`\n```\n2", opts: skills.InvokerOptions{FenceStrict: true}},
		{reason: "04 §4: a bracket is no white space", body: "[!`grep x /dev/null`]", want: "[!`grep x /dev/null`]"},
		{reason: "04 §4: grep's 1 is an answer", body: "[ !`grep x /dev/null` ]", want: "[  ]"},
		{reason: "04 §4: fgrep in a pipe", body: "!`echo a | grep -F b`.", want: "."},
		{reason: "04 §4: diff's 1 is an answer", body: "!`printf 'a\\n' | diff - /dev/null`", want: "1d0\n< a"},
		{reason: "04 §4: test's 1 is an answer", body: "!`test 1 = 2` !`[ 1 = 2 ]`.", want: " ."},
		{reason: "04 §4: also with a value in it", body: "!`grep $0 /dev/null`.", args: "x", want: "."},
		{reason: "A03: a file with CRLF gives a command without CR", body: "!`printf '<%s>' a`\r\n```!\r\nprintf '<%s>' b\r\n```\r\n", want: "<a>\n<b>\n"},
	} {
		for name, shell := range map[string]*shellLog{"bash": bash(t), "sh": shOnly()} {
			t.Run(tt.reason+"/"+name, func(t *testing.T) {
				tt.opts.Shell = shell.run
				in, err := invokeBody(t, tt.body, tt.args, tt.opts, tt.fields...)
				require.NoError(t, err)
				assert.Equal(t, tt.want, text(in))
				assert.Empty(t, in.Issues)
			})
		}
	}
}

// A call fails before or with a command, and says which and why.
func TestShellFailure(t *testing.T) {
	many := strings.Repeat("!`echo x`\n", 65)
	long := "!`i=0; while [ $i -lt 900 ]; do printf '%s ' $i; i=$((i+1)); done; exit 9`"
	for _, tt := range []struct {
		reason, body, args string
		fields             []string
		code               skills.Code
		line               int // of the file; the body's first is 4 and one more for each field
		msg                string
		ran                int
	}{
		{reason: "J03: command, exit code", body: "!`exit 3`", code: skills.CodeShellFailed, line: 4, msg: `the command "exit 3" ended with exit code 3 and no output`, ran: 1},
		{reason: "J03: output tail, standard error too", body: "a\n\n!`echo out; echo why >&2; false`", code: skills.CodeShellFailed, line: 6, msg: "its output ends: out\nwhy", ran: 1},
		{reason: "J03: the tail is short", body: long, code: skills.CodeShellFailed, line: 4, msg: "…", ran: 1},
		{reason: "04 §4: 2 from grep is no answer", body: "!`grep x /does/not/exist`", code: skills.CodeShellFailed, line: 4, msg: "exit code 2", ran: 1},
		{reason: "04 §4: 1 from another command is a failure", body: "!`grep -q x /dev/null; false`", code: skills.CodeShellFailed, line: 4, msg: "exit code 1", ran: 1},
		{reason: "04 §4: the author's text, not the rewritten one", body: "!`false $0`", args: "x", code: skills.CodeShellFailed, line: 4, msg: `the command "false $0"`, ran: 1},
		{reason: "04 §4: a refusal names path, line and placeholder; nothing runs", body: "!`echo ok`\n\n!`$0`", args: "id", code: skills.CodeUnsafeArgument, line: 6, msg: "$0 was not put into a command: "},
		{reason: "04 §4: lines of a block", body: "```!\necho ok\n$0\n```", args: "id", code: skills.CodeUnsafeArgument, line: 6, msg: "$0"},
		{reason: "04 §4: lines of the frontmatter count", body: "!`$0`", args: "id", fields: []string{"model: m", "x: |", "  y", "", "z: 1"}, code: skills.CodeUnsafeArgument, line: 9, msg: "$0"},
		{reason: "A03: lines of a CRLF file", body: "a\r\nb\r\n!`$0`\r\n", args: "id", code: skills.CodeUnsafeArgument, line: 6, msg: "$0"},
		{reason: "04 §4: the place takes certain values only", body: "!`echo $(( $0 + 1 ))`", args: "a[$(id)]", code: skills.CodeUnsafeArgument, line: 4, msg: "$0"},
		{reason: "04 §4: NUL", body: "!`echo $0`", args: "a\x00b", code: skills.CodeUnsafeArgument, line: 4, msg: "NUL"},
		{reason: "04 §4: 100 kB", body: "!`echo $0`", args: strings.Repeat("x", 100_001), code: skills.CodeUnsafeArgument, line: 4, msg: "100001"},
		{reason: "04 §4: PowerShell takes no placeholders", body: "!`Write-Output $0`", args: "x", fields: []string{"shell: powershell"}, code: skills.CodeUnsafeArgument, line: 5, msg: "$0"},
		{reason: "J04: an unknown shell runs nothing", body: "!`echo hi`", fields: []string{"shell: fish"}, code: skills.CodeShellUnavailable, line: 5, msg: `"fish"`},
		{reason: "J04: and is not taken for bash", body: "!`echo $0`", args: "x", fields: []string{"shell: fish"}, code: skills.CodeShellUnavailable, line: 5, msg: `"fish"`},
		{reason: "04 §4: at most 64 spans", body: many, code: skills.CodeInvalid, line: 4 + 64, msg: "more than 64"},
	} {
		for name, shell := range map[string]*shellLog{"bash": bash(t), "sh": shOnly()} {
			t.Run(tt.reason+"/"+name, func(t *testing.T) {
				sess, root := shellSkill(t, tt.body, tt.fields...)
				inv := skills.NewInvoker(sess, &skills.InvokerOptions{Shell: shell.run})
				out, err := inv.Invoke(context.Background(), skills.Call{Name: "s", Args: tt.args, Caller: skills.CallerUser})
				e := failure(t, err, tt.code)
				assert.Nil(t, out)
				assert.Equal(t, root+"/home/.claude/skills/s/SKILL.md", e.Path)
				assert.Equal(t, tt.line, e.Line)
				assert.Equal(t, "s", e.Skill)
				assert.Contains(t, e.Msg, tt.msg)
				assert.NotEmpty(t, e.Hint)
				assert.Less(t, len(e.Error()), 2_000)
				assert.NotContains(t, e.ForModel(), root)
				ran := 0
				for _, c := range shell.commands {
					if c.Shell != "bash" || name == "bash" { // what found no bash did not run
						ran++
					}
				}
				assert.Equal(t, tt.ran, ran, shell.texts())
				assert.Empty(t, sess.Records(), "04 §7: a failure is no invocation")
			})
		}
	}
}

// Files with lone CR have lines, too.
func TestShellRefusalLineCR(t *testing.T) {
	doc := strings.ReplaceAll("---\ndescription: d\nmodel: m\n---\na\n!`$0`\n", "\n", "\r")
	reg, _ := openTree(t, map[string]string{"home/.claude/skills/s/SKILL.md": doc})
	inv := skills.NewInvoker(reg.NewSession("", nil), &skills.InvokerOptions{Shell: says("").run})
	_, err := inv.Invoke(context.Background(), skills.Call{Name: "s", Args: "id"})
	assert.Equal(t, 6, failure(t, err, skills.CodeUnsafeArgument).Line)
}

// The tail of an output is its end, in whole characters.
func TestShellFailureTail(t *testing.T) {
	shell := answers(func(context.Context, skills.Command) (skills.CommandResult, error) {
		return skills.CommandResult{Output: strings.Repeat("é", 3_000) + "END\n\n", Exit: 2}, nil
	})
	_, err := invokeBody(t, "!`x`", "", skills.InvokerOptions{Shell: shell.run})
	e := failure(t, err, skills.CodeShellFailed)
	_, tail, ok := strings.Cut(e.Msg, "its output ends: ")
	require.True(t, ok)
	assert.Equal(t, "…"+strings.Repeat("é", 497)+"END", tail)
}

// With Inline a failure is a marker in its place, and the rest goes on.
func TestShellInline(t *testing.T) {
	for _, tt := range []struct {
		reason, body, args, want string
		codes                    []skills.Code
	}{
		{"J03: a marker", "a\n!`echo why; exit 3`\n!`echo b`", "", "a\n[shell command failed: the command \"echo why; exit 3\" ended with exit code 3; its output ends: why]\nb", []skills.Code{skills.CodeShellFailed}},
		{"J03: each for itself", "!`exit 3` !`exit 4`", "", "[shell command failed: the command \"exit 3\" ended with exit code 3 and no output] [shell command failed: the command \"exit 4\" ended with exit code 4 and no output]", []skills.Code{skills.CodeShellFailed, skills.CodeShellFailed}},
		{"04 §4: an answer is no failure", "!`false || grep x /dev/null`.", "", ".", nil},
		{"04 §3: what failed had its arguments", "!`exit $0`", "3", "[shell command failed: the command \"exit $0\" ended with exit code 3 and no output]", []skills.Code{skills.CodeShellFailed}},
	} {
		t.Run(tt.reason, func(t *testing.T) {
			in, err := invokeBody(t, tt.body, tt.args, skills.InvokerOptions{Shell: bash(t).run, Inline: true})
			require.NoError(t, err)
			assert.Equal(t, tt.want, text(in))
			var codes []skills.Code
			for _, i := range in.Issues {
				codes = append(codes, i.Code)
				assert.Equal(t, "warning", i.Severity)
				assert.Positive(t, i.Line)
				assert.NotEmpty(t, i.Path)
			}
			assert.Equal(t, tt.codes, codes)
		})
	}
	for reason, o := range map[string]skills.InvokerOptions{
		"04 §4: a refusal stays an error": {Inline: true},
		"04 §4: so does the host's no":    {Inline: true, AllowCommand: func(context.Context, skills.Command) error { return assert.AnError }},
	} {
		shell := says("x")
		o.Shell = shell.run
		_, err := invokeBody(t, "!`echo ok`\n!`$0`", "id", o)
		require.Error(t, err, reason)
		assert.Empty(t, shell.texts(), reason)
	}
}

// What goes wrong in the host's Shell is an *Error that says where.
func TestShellFunctionFails(t *testing.T) {
	type result = skills.CommandResult
	for _, tt := range []struct {
		reason string
		shell  func(context.Context, skills.Command) (result, error)
		code   skills.Code
		text   string
	}{
		{"B11: a panic", func(context.Context, skills.Command) (result, error) { panic("boom") }, skills.CodeShellFailed, "boom"},
		{"04 §4: an error of its own", func(context.Context, skills.Command) (result, error) { return result{}, assert.AnError }, skills.CodeShellFailed, assert.AnError.Error()},
		{"04 §4: a typed one keeps its code", func(context.Context, skills.Command) (result, error) {
			return result{}, &skills.Error{Issue: skills.Issue{Code: skills.CodeShellUnavailable, Msg: "none here"}}
		}, skills.CodeShellUnavailable, "none here"},
		{"04 §4: what it printed until then", func(context.Context, skills.Command) (result, error) {
			return result{Output: "half"}, &skills.Error{Issue: skills.Issue{Code: skills.CodeShellFailed, Msg: "too slow"}}
		}, skills.CodeShellFailed, "too slow; its output ends: half"},
	} {
		t.Run(tt.reason, func(t *testing.T) {
			_, err := invokeBody(t, "a\n!`x`", "", skills.InvokerOptions{Shell: tt.shell})
			e := failure(t, err, tt.code)
			assert.Equal(t, 5, e.Line)
			assert.True(t, strings.HasSuffix(e.Path, "SKILL.md"))
			assert.Contains(t, e.Error(), tt.text)
		})
	}
	shared := &skills.Error{Issue: skills.Issue{Code: skills.CodeShellFailed, Msg: "always the same"}}
	for range 2 {
		_, err := invokeBody(t, "!`x`", "", skills.InvokerOptions{Shell: answers(func(context.Context, skills.Command) (result, error) { return result{}, shared }).run})
		failure(t, err, skills.CodeShellFailed)
	}
	assert.Empty(t, shared.Path, "the host's error is not changed")
}

// What the host's Shell gets: no value in the text, and only what is used.
func TestShellCommand(t *testing.T) {
	reg, root := openTree(t, map[string]string{"home/.claude/skills/s/SKILL.md": skill("!`a`\n!`b $1 ${CLAUDE_SKILL_DIR}`\n!`c \"$ARGUMENTS\"`", "description: d")})
	for dir, want := range map[string]string{"": root + "/proj", root: root} {
		shell := says("")
		sess := reg.NewSession("", &skills.SessionOptions{Dir: dir})
		run(t, sess, skills.Call{Name: "s", Args: "zero one"}, &skills.InvokerOptions{Shell: shell.run})
		got := make(map[string]skills.Command)
		for _, c := range shell.commands {
			got[c.Text[:1]] = c
			assert.Equal(t, want, c.Dir, "04 §4: working directory = session's")
			assert.Equal(t, "s", c.Skill.Name)
			assert.NotContains(t, c.Text, "zero")
		}
		assert.Equal(t, "a", got["a"].Text, "04 §4: without placeholders byte for byte")
		assert.Empty(t, got["a"].Env)
		assert.Empty(t, got["a"].Shell)
		assert.Equal(t, []string{"CLAUDE_SKILL_DIR=" + root + "/home/.claude/skills/s", "SKILL_ARG_1=one"}, got["b"].Env, "04 §4: only variables a span uses")
		assert.Equal(t, "bash", got["b"].Shell, "04 §4: it is safe in the shell it was written for")
		assert.Equal(t, []string{"SKILL_ARGUMENTS=zero one"}, got["c"].Env)
	}
}

// PowerShell commands without placeholders go to the host's Shell as written.
func TestShellPowerShell(t *testing.T) {
	shell := says("out")
	in, err := invokeBody(t, "!`Get-Date; \"${x}\"` $0", "v", skills.InvokerOptions{Shell: shell.run}, "shell: powershell")
	require.NoError(t, err)
	assert.Equal(t, "out v", text(in))
	require.Len(t, shell.commands, 1)
	assert.Equal(t, "powershell", shell.commands[0].Shell)
	assert.Equal(t, "Get-Date; \"${x}\"", shell.commands[0].Text)

	failing := answers(func(context.Context, skills.Command) (skills.CommandResult, error) {
		return skills.CommandResult{Exit: 1}, nil
	})
	_, err = invokeBody(t, "!`grep x y`", "", skills.InvokerOptions{Shell: failing.run}, "shell: powershell")
	failure(t, err, skills.CodeShellFailed)
}

// Without bash a command is rewritten for sh, unless the skill insists.
func TestShellWithoutBash(t *testing.T) {
	shell := shOnly()
	in, err := invokeBody(t, "!`echo $0` !`echo b`", "it's", skills.InvokerOptions{Shell: shell.run})
	require.NoError(t, err)
	assert.Equal(t, "it's b", text(in))

	shell = shOnly()
	_, err = invokeBody(t, "!`echo $0`", "x", skills.InvokerOptions{Shell: shell.run}, "shell: bash")
	failure(t, err, skills.CodeShellUnavailable)
	assert.Len(t, shell.texts(), 1)

	_, err = invokeBody(t, "!`echo x`", "", skills.InvokerOptions{Shell: shOnly().run}, "shell: bash")
	failure(t, err, skills.CodeShellUnavailable)

	var asked []string
	shell = shOnly()
	_, err = invokeBody(t, "!`echo $0`", "x", skills.InvokerOptions{Shell: shell.run, AllowCommand: func(_ context.Context, c skills.Command) error {
		asked = append(asked, c.Shell)
		if c.Shell == "sh" {
			return assert.AnError
		}
		return nil
	}})
	failure(t, err, skills.CodeDenied)
	assert.Equal(t, []string{"bash", "sh"}, asked, "04 §4: every command passes the hook as it will run")
}

// Without bash, too, nothing runs before all commands are known to be safe.
func TestShellWithoutBashRunsNothing(t *testing.T) {
	shell := shOnly()
	_, err := invokeBody(t, "!`echo first`\n!`[[ $0 == x ]]`", "x", skills.InvokerOptions{Shell: shell.run})
	failure(t, err, skills.CodeUnsafeArgument)
	for _, c := range shell.commands {
		assert.Equal(t, "bash", c.Shell, fmt.Sprintf("%q ran", c.Text))
	}
}
