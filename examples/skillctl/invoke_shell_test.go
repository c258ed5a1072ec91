//go:build unix

package main

import (
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/seed-12b313d8/skills/internal/testkit"
)

// shellTree has skills whose command leaves a file canary where it runs.
func shellTree(t *testing.T) string {
	t.Helper()
	_, err := exec.LookPath("bash")
	require.NoError(t, err, "these tests run real commands in bash")
	return testkit.Tree(t, map[string]string{
		"home/.claude/skills/mine/SKILL.md":         testkit.SkillText("At !`touch canary; pwd`", "description: m"),
		"home/.claude/skills/args/SKILL.md":         testkit.SkillText("Got: !`printf '<%s>' $ARGUMENTS`", "description: a"),
		"home/.claude/skills/forked/SKILL.md":       testkit.SkillText("Got: !`touch canary; echo forked`", "description: f", "context: fork"),
		"home/.claude/skills/fails/SKILL.md":        testkit.SkillText("Is: !`echo out of luck; exit 3`", "description: f"),
		"home/.claude/skills/quiet/SKILL.md":        testkit.SkillText("Is: !`grep nothing /dev/null`.", "description: q"),
		"home/.claude/skills/unsafe/SKILL.md":       testkit.SkillText("Is: !`touch canary; $0 x`", "description: u"),
		"home/.claude/skills/asks/SKILL.md":         testkit.SkillText("At !`touch canary; echo ran`", "description: a", "allowed-tools: Read"),
		"proj/.claude/skills/theirs/SKILL.md":       testkit.SkillText("At !`touch canary; echo ran`", "description: t"),
		"proj/.claude/commands/old.md":              "---\ndescription: o\n---\nAt !`touch canary; echo ran`",
		"proj/web/.claude/skills/nested/SKILL.md":   testkit.SkillText("At !`touch canary; echo ran`", "description: n"),
		"proj/.claude/skills/odd/SKILL.md":          "---\nno end\nAt !`touch canary; echo ran`\n",
		"proj/sub/":                                 "",
		"more/.claude/skills/additional/SKILL.md":   testkit.SkillText("At !`touch canary; echo ran`", "description: a"),
		"managed/.claude/skills/ordered/SKILL.md":   testkit.SkillText("At !`touch canary; echo ran`", "description: o"),
		"home/.claude/skills/powerful/SKILL.md":     testkit.SkillText("At !`touch canary`", "description: p", "shell: nosuch"),
		"proj/.claude/skills/theirs-asks/SKILL.md":  testkit.SkillText("At !`touch canary; echo ran`", "description: t", "allowed-tools: Read"),
		"home/.claude/skills/terminal/SKILL.md":     testkit.SkillText("Is: !`printf 'a\\033[2Jb'`", "description: t"),
		"home/.claude/skills/environment/SKILL.md":  testkit.SkillText("Is: !`echo ${SKILLCTL_TEST_TOKEN:-nothing}`", "description: t"),
		"home/.claude/skills/documented/SKILL.md":   testkit.SkillText("```md\n!`touch canary`\n```", "description: d"),
		"home/.claude/skills/placeholders/SKILL.md": testkit.SkillText("Is: $ARGUMENTS", "description: d"),
	})
}

const (
	untrusted = "[shell command not run: the skill is not trusted]"
	degraded  = "[shell command not run: the skill's frontmatter could not be read]"
	noShell   = "[shell command not run: this program runs no commands]"
)

// Commands run where, and only where, somebody vouched for them.
func TestInvokeShell(t *testing.T) {
	t.Setenv("SKILLCTL_TEST_TOKEN", "secret")
	for _, tt := range []struct {
		reason string
		args   []string
		code   string // of the error; "" for none
		want   string // end of the content, or part of the message
		ran    bool
		hint   string // of the issue about a command that did not run
	}{
		{"04 §4: the user's skill", []string{"mine", "--shell"}, "", "/proj", true, ""},
		{"04 §4: in the working directory", []string{"mine", "--shell", "--dir", "sub"}, "", "/proj/sub", true, ""},
		{"04 §4: not without a shell", []string{"mine"}, "", noShell, false, "add --shell to run it"},
		{"04 §4: the project's is not trusted", []string{"theirs", "--shell"}, "", untrusted, false, "read it, then add --trust-project and --shell to run it"},
		{"04 §4: until somebody says so", []string{"theirs", "--shell", "--trust-project"}, "", "At ran", true, ""},
		{"trust is no shell", []string{"theirs", "--trust-project"}, "", noShell, false, "add --shell to run it"},
		{"04 §5: a yes never enables shell", []string{"theirs-asks", "--shell", "--yes", "--caller", "model"}, "", untrusted, false, "read it, then add --trust-project and --shell to run it"},
		{"04 §5: nor does a rule", []string{"theirs", "--shell", "--allow", "Skill"}, "", untrusted, false, "read it, then add --trust-project and --shell to run it"},
		{"04 §4: legacy commands", []string{"old", "--shell"}, "", untrusted, false, "read it, then add --trust-project and --shell to run it"},
		{"04 §4: trusted legacy commands", []string{"old", "--shell", "--trust-project"}, "", "At ran", true, ""},
		{"04 §4: nested", []string{"nested", "--shell", "--touch", "web/x"}, "", untrusted, false, "read it, then add --trust-project and --shell to run it"},
		{"04 §4: trusted nested", []string{"nested", "--shell", "--touch", "web/x", "--trust-project"}, "", "At ran", true, ""},
		{"04 §4: degraded never", []string{"odd", "--shell", "--trust-project"}, "", degraded, false, ""},
		{"04 §4: additional", []string{"additional", "--shell", "--add-dir", "MORE"}, "", "At ran", true, ""},
		{"04 §4: managed", []string{"ordered", "--shell", "--managed", "MANAGED"}, "", "At ran", true, ""},
		{"04 §6: a fork's prompt", []string{"forked", "--shell"}, "", "Got: forked", true, ""},
		{"04 §4: arguments are data", []string{"args", "--shell", "a; touch canary", "$(touch canary)"}, "", "Got: <a;><touch><canary><$(touch><canary)>", false, ""},
		{"04 §4: what would be code is refused", []string{"unsafe", "--shell", "touch"}, "unsafe-argument", "SKILL.md:4", false, ""},
		{"04 §4: a failure ends it", []string{"fails", "--shell"}, "shell-failed", "out of luck", false, ""},
		{"04 §4: no match is no failure", []string{"quiet", "--shell"}, "", "Is: .", false, ""},
		{"04 §4: no such shell", []string{"powerful", "--shell"}, "shell-unavailable", "nosuch", false, ""},
		{"04 §4: escape sequences go", []string{"terminal", "--shell"}, "", "Is: ab", false, ""},
		{"04 §4: secrets are not inherited", []string{"environment", "--shell"}, "", "Is: nothing", false, ""},
		{"04 §4: documentation does not run", []string{"documented", "--shell"}, "", "```md\n!`touch canary`\n```", false, ""},
		{"04 §2: inserted text is not scanned", []string{"placeholders", "--shell", "!`touch canary`"}, "", "Is: !`touch canary`", false, ""},
		{"04 §5: asked, and nobody answers", []string{"asks", "--shell", "--caller", "model"}, "needs-permission", "--allow 'Skill(asks)'", false, ""},
		{"04 §5: answered", []string{"asks", "--shell", "--caller", "model", "--yes"}, "", "At ran", true, ""},
		{"04 §5: allowed by a rule", []string{"asks", "--shell", "--caller", "model", "--allow", "Skill(asks)"}, "", "At ran", true, ""},
		{"04 §5: a deny rule about commands", []string{"mine", "--shell", "--deny", "Bash(touch *)"}, "denied", "Bash(touch *)", false, ""},
		{"04 §5: a deny rule about another command", []string{"mine", "--shell", "--deny", "Bash(rm *)"}, "", "/proj", true, ""},
	} {
		t.Run(tt.reason, func(t *testing.T) {
			require.NotEmpty(t, tt.reason)
			root := shellTree(t)
			args := append([]string{"invoke"}, tt.args...)
			for i, a := range args {
				args[i] = map[string]string{"MORE": filepath.Join(root, "more"), "MANAGED": filepath.Join(root, "managed")}[a]
				if args[i] == "" {
					args[i] = a
				}
			}
			wantCode := exitOK
			if tt.code != "" {
				wantCode = exitFailed
			}
			v := ctlJSON(t, root, wantCode, args...)
			assert.Equal(t, tt.ran, found(t, root, "canary"))
			if tt.code != "" {
				assert.Len(t, v, 1)
				assert.Equal(t, tt.code, v["error"].(map[string]any)["code"])
				assert.Contains(t, v["error"].(map[string]any)["message"], tt.want)
				return
			}
			assert.True(t, strings.HasSuffix(strings.TrimRight(v["content"].(string), "\n"), tt.want), v["content"])
			assert.Equal(t, tt.hint, shellHint(v))
		})
	}
}

// found reports whether any file below root has the name.
func found(t *testing.T, root, name string) bool {
	t.Helper()
	is := false
	require.NoError(t, filepath.WalkDir(root, func(path string, _ os.DirEntry, err error) error {
		is = is || filepath.Base(path) == name
		return err
	}))
	return is
}

// shellHint returns the hint of the issue about commands that did not run.
func shellHint(v map[string]any) string {
	for _, i := range v["issues"].([]any) {
		if issue := i.(map[string]any); issue["code"] == "shell-disabled" {
			return issue["hint"].(string)
		}
	}
	return ""
}

func TestInvokeRules(t *testing.T) {
	root := shellTree(t)
	for _, tt := range []struct {
		reason string
		args   []string
		code   string // of the error; otherwise
		want   string // decision and reason
	}{
		{"04 §5 step 5: it asks for nothing", []string{"mine"}, "", "allow: it asks for nothing that needs permission"},
		{"04 §5 step 1: denied, whoever calls", []string{"mine", "--deny", "Skill(mine)", "--yes"}, "denied", ""},
		{"04 §5 step 1: without letter case", []string{"mine", "--deny", "Skill(MINE)"}, "denied", ""},
		{"04 §5 step 1: deny beats ask and allow", []string{"mine", "--allow", "Skill", "--ask", "Skill", "--deny", "Skill(mi:*)"}, "denied", ""},
		{"04 §5 step 2: ask beats allow", []string{"mine", "--caller", "model", "--allow", "Skill(mine)", "--ask", "Skill(mine)"}, "needs-permission", ""},
		{"04 §5 step 2: asked and answered", []string{"mine", "--caller", "model", "--ask", "Skill(mine)", "--yes"}, "", "ask: the rule Skill(mine) asks first"},
		{"04 §5: a typed call is consent", []string{"mine", "--ask", "Skill(mine)"}, "", "allow: the user asked for it"},
		{"04 §5 step 4: allowed", []string{"asks", "--caller", "model", "--allow", "Skill(asks)"}, "", "allow: allowed by the rule Skill(asks)"},
		{"04 §5 step 4: exact case only", []string{"asks", "--caller", "model", "--allow", "Skill(ASKS)"}, "needs-permission", ""},
		{"rules may be repeated", []string{"asks", "--caller", "model", "--allow", "Skill(x)", "--allow", "Skill(as:*)"}, "", "allow: allowed by the rule Skill(as:*)"},
		{"04 §5 step 6: otherwise asked", []string{"asks", "--caller", "model"}, "needs-permission", ""},
	} {
		t.Run(tt.reason, func(t *testing.T) {
			require.NotEmpty(t, tt.reason)
			args := append([]string{"invoke"}, tt.args...)
			if tt.code != "" {
				v := ctlJSON(t, root, exitFailed, args...)
				assert.Equal(t, tt.code, v["error"].(map[string]any)["code"])
				return
			}
			p := ctlJSON(t, root, exitOK, args...)["permission"].(map[string]any)
			assert.Equal(t, tt.want, p["decision"].(string)+": "+p["reason"].(string))
		})
	}
	v := ctlJSON(t, root, exitFailed, "invoke", "mine", "--caller", "model", "--ask", "Skill(mine)")
	assert.NotContains(t, v["error"].(map[string]any)["message"], "--allow", "an allow rule would not help")
	v = ctlJSON(t, root, exitOK, "explain", "mine", "--deny", "Skill(mine)")
	assert.Equal(t, []any{"the rule Skill(mine) denies it"}, v["hidden"].(map[string]any)["user"])
	v = ctlJSON(t, root, exitOK, "listing", "--deny", "Skill(mine)")
	assert.NotContains(t, v["text"], "- mine")
}

func TestBadRules(t *testing.T) {
	root := shellTree(t)
	for _, tt := range []struct{ reason, flag, rule, want string }{
		{"04 §5: no end", "--allow", "Skill(", "the closing parenthesis is missing"},
		{"04 §5: nothing inside", "--ask", "Skill()", "the parentheses are empty"},
		{"04 §5: another case", "--deny", "skill(x)", "the tool is called Skill"},
		{"04 §5: a star in the middle", "--allow", "Skill(a*b)", "a * may stand only"},
		{"no tool", "--deny", "", "it names no tool"},
	} {
		for _, more := range [][]string{nil, {"--json"}} {
			args := append([]string{"invoke", "mine", "--shell", tt.flag, tt.rule, "--project", filepath.Join(root, "proj"), "--home", filepath.Join(root, "home")}, more...)
			out, errs, code := ctl(t, args...)
			assert.Equal(t, exitUsage, code, tt.reason)
			assert.Empty(t, out, tt.reason)
			assert.Contains(t, errs, "skillctl: "+tt.flag+": the permission rule ", tt.reason)
			assert.Contains(t, errs, tt.want, tt.reason)
		}
	}
	assert.False(t, found(t, root, "canary"), "nothing ran")
}

// An interrupted invocation ends at once, and its command with it.
func TestInvokeInterrupted(t *testing.T) {
	defer goleak.VerifyNone(t)
	root := testkit.Tree(t, map[string]string{
		"proj/":                             "",
		"home/.claude/skills/slow/SKILL.md": testkit.SkillText("Is: !`echo $$ >started; exec sleep 600`", "description: s"),
	})
	require.NoError(t, syscall.Mkfifo(filepath.Join(root, "proj", "started"), 0o600))
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	var out strings.Builder
	code := make(chan int, 1)
	go func() {
		code <- run(ctx, []string{"invoke", "slow", "--shell", "--json", "--project", filepath.Join(root, "proj"), "--home", filepath.Join(root, "home")}, &out, os.Stderr)
	}()
	pid, err := os.ReadFile(filepath.Join(root, "proj", "started")) // waits for the command
	require.NoError(t, err)
	cancel()
	assert.Equal(t, exitFailed, receive(t, code))
	var v map[string]map[string]string
	require.NoError(t, json.Unmarshal([]byte(out.String()), &v))
	assert.Equal(t, "cancelled", v["error"]["code"])
	id := 0
	require.NoError(t, json.Unmarshal(pid, &id))
	assert.ErrorIs(t, syscall.Kill(id, 0), syscall.ESRCH, "the command is gone")
}
