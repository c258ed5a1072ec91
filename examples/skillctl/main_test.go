package main

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/seed-12b313d8/skills/internal/testkit"
)

// ctl runs skillctl and returns what it printed and its exit code.
func ctl(t *testing.T, args ...string) (stdout, stderr string, code int) {
	t.Helper()
	var out, errs bytes.Buffer
	code = run(context.Background(), args, &out, &errs)
	return out.String(), errs.String(), code
}

// ctlJSON runs skillctl with --json in a project and decodes the answer.
func ctlJSON(t *testing.T, root string, wantCode int, args ...string) map[string]any {
	t.Helper()
	args = append([]string{"--json", "--project", filepath.Join(root, "proj"), "--home", filepath.Join(root, "home")}, args...)
	out, errs, code := ctl(t, args...)
	require.Equal(t, wantCode, code, "%s%s", out, errs)
	var v map[string]any
	require.NoError(t, json.Unmarshal([]byte(out), &v), out)
	return v
}

func tree(t *testing.T) string {
	return testkit.Tree(t, map[string]string{
		"home/.claude/skills/commit/SKILL.md": testkit.SkillText("Write $ARGUMENTS.", "name: Commit It", "description: Commits", "when_to_use: Always",
			"aliases: ci", "argument-hint: [subject]", "arguments: subject", "allowed-tools: Bash(git *)", "model: haiku", "effort: low", "version: 1.10"),
		"home/.claude/skills/both/SKILL.md":   testkit.SkillText("user", "description: u"),
		"proj/.claude/skills/both/SKILL.md":   testkit.SkillText("project", "description: p"),
		"proj/.claude/skills/look/SKILL.md":   testkit.SkillText("Look.", "description: Looks", "context: fork", "background: true", "agent: Explore", "hooks:\n  Stop: []"),
		"proj/.claude/skills/cond/SKILL.md":   testkit.SkillText("Go.", "description: Conditional", "paths: '*.go'"),
		"proj/.claude/skills/grants/SKILL.md": testkit.SkillText("G.", "description: g", "allowed-tools: Read", "disallowed-tools: Write"),
		"proj/.claude/commands/a/b.md":        "Do $0.",
		"proj/.claude/skills/odd/SKILL.md":    "---\nno end\n",
	})
}

func TestList(t *testing.T) {
	root := tree(t)
	v := ctlJSON(t, root, exitOK, "list")
	byName := map[string]map[string]any{}
	for _, s := range v["skills"].([]any) {
		byName[s.(map[string]any)["name"].(string)] = s.(map[string]any)
	}
	path := filepath.Join(root, "home/.claude/skills/commit/SKILL.md")
	assert.Equal(t, map[string]any{
		"name": "commit", "display_name": "Commit It", "description": "Commits", "when_to_use": "Always",
		"aliases": []any{"ci"}, "argument_hint": "[subject]", "arguments": []any{"subject"}, "paths": []any{},
		"mode": "inline", "background": false, "agent": "", "model": "haiku", "effort": "low",
		"allowed_tools": []any{"Bash(git *)"}, "disallowed_tools": []any{},
		"disable_model_invocation": false, "disable_user_invocation": false,
		"origin": "user", "layout": "skills", "plugin": "", "shell": "", "version": "1.10",
		"path": path, "real_path": path, "trusted": true, "degraded": false, "hooks": false,
	}, byName["commit"])
	assert.Equal(t, "fork", byName["look"]["mode"])
	assert.Equal(t, true, byName["look"]["background"])
	assert.Equal(t, true, byName["look"]["hooks"])
	assert.Equal(t, "commands", byName["a:b"]["layout"])
	assert.Equal(t, "legacy", byName["a:b"]["origin"])
	assert.Equal(t, true, byName["odd"]["degraded"])
	assert.Len(t, v["shadowed"], 1)

	var codes []string
	for _, i := range v["issues"].([]any) {
		issue := i.(map[string]any)
		assert.Len(t, issue, 8, "code, severity, skill, path, line, field, message, hint")
		codes = append(codes, issue["code"].(string))
	}
	assert.Contains(t, codes, "unclosed-frontmatter")
	assert.Contains(t, codes, "shadowed")

	empty := testkit.Tree(t, map[string]string{"proj/": "", "home/": ""})
	v = ctlJSON(t, empty, exitOK, "list")
	assert.Equal(t, map[string]any{"skills": []any{}, "shadowed": []any{}, "issues": []any{}}, v, "lists are never null")

	v = ctlJSON(t, root, exitOK, "list", "--trust-project")
	for _, s := range v["skills"].([]any) {
		assert.Equal(t, s.(map[string]any)["degraded"] == false, s.(map[string]any)["trusted"])
	}
}

func TestShow(t *testing.T) {
	root := tree(t)
	v := ctlJSON(t, root, exitOK, "show", "ci")
	assert.Equal(t, "commit", v["name"])
	assert.Equal(t, "Write $ARGUMENTS.", v["body"])
	out, _, _ := ctl(t, "show", "ci", "--home", filepath.Join(root, "home"), "--project", filepath.Join(root, "proj"))
	assert.Contains(t, out, "argument hint  [subject]\n")
	assert.Regexp(t, "(?m)^arguments +subject$", out)
	v = ctlJSON(t, root, exitFailed, "show", "comit")
	assert.Equal(t, "not-found", v["error"].(map[string]any)["code"])
	assert.Contains(t, v["error"].(map[string]any)["message"], "commit")
	v = ctlJSON(t, root, exitOK, "show", "b")
	assert.Equal(t, "a:b", v["name"])
}

func TestListing(t *testing.T) {
	root := tree(t)
	v := ctlJSON(t, root, exitOK, "listing")
	assert.Contains(t, v["text"], "- commit: Commits - Always\n")
	assert.NotContains(t, v["text"], "cond")
	r := v["report"].(map[string]any)
	assert.Equal(t, "full", r["tier"])
	assert.InDelta(t, 8000, r["budget"], 0)
	assert.Equal(t, map[string]any{"name": "commit", "state": "full", "chars": 16.0}, r["entries"].([]any)[1])

	r = ctlJSON(t, root, exitOK, "listing", "--window=1000000")["report"].(map[string]any)
	assert.InDelta(t, 40_000, r["budget"], 0)
	r = ctlJSON(t, root, exitOK, "--budget", "10", "listing")["report"].(map[string]any)
	assert.Equal(t, "names-only", r["tier"])
	assert.Positive(t, r["over"])
	r = ctlJSON(t, root, exitOK, "listing", "--cap", "4")["report"].(map[string]any)
	assert.InDelta(t, 4, r["entries"].([]any)[1].(map[string]any)["chars"], 0)
	v = ctlJSON(t, root, exitOK, "listing", "--touch", "x.go")
	assert.Contains(t, v["text"], "- cond: Conditional")
}

func TestInvoke(t *testing.T) {
	root := tree(t)
	v := ctlJSON(t, root, exitOK, "invoke", "commit", "it now")
	assert.Equal(t, "inline", v["kind"])
	assert.True(t, strings.HasSuffix(v["content"].(string), "Write it now."), v["content"])
	assert.Equal(t, map[string]any{"allow_tools": []any{"Bash(git *)"}, "deny_tools": []any{}, "model": "haiku", "effort": "low"}, v["modifier"])
	assert.Equal(t, map[string]any{"decision": "allow", "reason": "the user asked for it"}, v["permission"])
	assert.Equal(t, []any{}, v["issues"])

	v = ctlJSON(t, root, exitOK, "invoke", "look")
	assert.Equal(t, "fork", v["kind"])
	assert.Equal(t, "Explore", v["agent"])
	assert.Equal(t, true, v["background"])

	v = ctlJSON(t, root, exitOK, "invoke", "grants")
	withheld := v["issues"].([]any)[0].(map[string]any)
	assert.Equal(t, "grants-withheld", withheld["code"])
	assert.Contains(t, withheld["hint"], "--yes")
	assert.Contains(t, withheld["hint"], "--trust-project")
	for _, flag := range []string{"--yes", "--trust-project"} {
		v = ctlJSON(t, root, exitOK, "invoke", "grants", flag)
		assert.Equal(t, []any{"Read"}, v["modifier"].(map[string]any)["allow_tools"], flag)
	}

	for _, tt := range []struct {
		code string
		args []string
	}{
		{"not-found", []string{"invoke", "nope"}},
		{"needs-permission", []string{"invoke", "commit", "--caller", "model"}},
		{"not-invocable", []string{"invoke", "cond", "--caller=model"}},
		{"not-discovered", []string{"invoke", "_canonical_x"}},
	} {
		v := ctlJSON(t, root, exitFailed, tt.args...)
		assert.Equal(t, tt.code, v["error"].(map[string]any)["code"])
	}
	v = ctlJSON(t, root, exitOK, "invoke", "commit", "--caller", "model", "--yes")
	assert.Equal(t, "ask", v["permission"].(map[string]any)["decision"])
	v = ctlJSON(t, root, exitOK, "invoke", "cond", "--caller", "model", "--touch", "a.go")
	assert.Equal(t, "allow", v["permission"].(map[string]any)["decision"])

	v = ctlJSON(t, root, exitOK, "invoke", "grants")
	assert.Equal(t, []any{}, v["modifier"].(map[string]any)["allow_tools"], "not trusted, not confirmed")
	assert.Equal(t, []any{"Write"}, v["modifier"].(map[string]any)["deny_tools"], "restrictions always count")
	assert.Len(t, v["issues"], 1)
	v = ctlJSON(t, root, exitOK, "invoke", "grants", "--yes")
	assert.Equal(t, []any{"Read"}, v["modifier"].(map[string]any)["allow_tools"])
	v = ctlJSON(t, root, exitOK, "invoke", "grants", "--trust-project")
	assert.Equal(t, []any{"Read"}, v["modifier"].(map[string]any)["allow_tools"])

	out, _, code := ctl(t, "--project", filepath.Join(root, "proj"), "--home", root, "invoke", "a:b", "--", "--flag")
	assert.Equal(t, exitOK, code)
	assert.Contains(t, out, "Do --flag.", "-- ends the flags")
}

func TestExplain(t *testing.T) {
	root := tree(t)
	v := ctlJSON(t, root, exitOK, "explain", "both")
	assert.Equal(t, "user", v["winner"].(map[string]any)["origin"])
	assert.Len(t, v["others"], 1)
	assert.Equal(t, "full", v["listing"])
	v = ctlJSON(t, root, exitOK, "explain", "cond")
	assert.Equal(t, []any{"it is locked until a file matching *.go is touched"}, v["hidden"].(map[string]any)["model"])
	assert.Equal(t, "not sent", v["listing"])
	v = ctlJSON(t, root, exitOK, "explain", "cond", "--touch", "a.go")
	assert.Empty(t, v["hidden"])
	v = ctlJSON(t, root, exitFailed, "explain", "nope")
	assert.Nil(t, v["winner"])
	out, _, code := ctl(t, "explain", "odd", "--project", filepath.Join(root, "proj"), "--home", root)
	assert.Equal(t, exitOK, code)
	assert.Contains(t, out, "hidden from the model: its frontmatter could not be read")
	assert.Contains(t, out, "SKILL.md:1: ")
}

// A nested skill is there once a file beside it was touched.
func TestTouch(t *testing.T) {
	root := testkit.Tree(t, map[string]string{"home/": "", "proj/web/.claude/skills/n/SKILL.md": testkit.SkillText("Body", "description: d")})
	assert.Empty(t, ctlJSON(t, root, exitOK, "list")["skills"])
	assert.Len(t, ctlJSON(t, root, exitOK, "list", "--touch", "web/x.go")["skills"], 1)
	assert.Equal(t, "Body", ctlJSON(t, root, exitOK, "show", "n", "--touch", "web/x.go")["body"])
}

// Text from files does not control the terminal.
func TestControlCharacters(t *testing.T) {
	root := testkit.Tree(t, map[string]string{
		"home/":                          "",
		"proj/.claude/skills/e/SKILL.md": testkit.SkillText("\x1b[2Jbody\x07", "description: \"a\\e]0;title\\a\""),
		"proj/.claude/skills/p/SKILL.md": testkit.SkillText("Body.", "description: p", "paths: \"x, \\e, [\\e\""),
	})
	for _, cmd := range [][]string{{"list"}, {"show", "e"}, {"listing"}, {"menu"}, {"invoke", "e"}, {"explain", "e"}, {"lint"}, {"touch", "x"}, {"explain", "p"}, {"paths", "p", "\x1b"}} {
		out, errs, _ := ctl(t, append([]string{"--project", filepath.Join(root, "proj"), "--home", filepath.Join(root, "home")}, cmd...)...)
		assert.NotContains(t, out+errs, "\x1b", cmd)
		assert.NotContains(t, out+errs, "\x07", cmd)
	}
}

func TestUsage(t *testing.T) {
	root := tree(t)
	for _, args := range [][]string{
		{},
		{"nope"},
		{"list", "extra"},
		{"show"},
		{"--nope", "list"},
		{"--window", "x", "listing"},
		{"invoke", "a", "--caller", "nobody"},
		{"--budget"},
		{"touch"},
		{"paths"},
		{"paths", "--pattern"},
		{"watch", "extra"},
		{"menu", "a", "b"},
		{"listing", "--level-step", "-1"},
		{"listing", "--min-description=-1"},
		{"help", "nope"},
		{"help", "list", "show"},
	} {
		out, errs, code := ctl(t, args...)
		assert.Equal(t, exitUsage, code, args)
		assert.Empty(t, out)
		assert.Contains(t, errs, "skillctl help")
	}
	for _, args := range [][]string{{"help"}, {"--help"}, {"--help", "nope"}, {"--json", "-h"}} {
		out, errs, code := ctl(t, args...)
		assert.Equal(t, exitOK, code)
		assert.Empty(t, errs)
		assert.Contains(t, out, "--trust-project")
		for _, c := range commands() {
			assert.Contains(t, out, "\n  "+c.name+" ")
		}
	}
	_, errs, code := ctl(t, "list", "--project", filepath.Join(root, "gone"))
	assert.Equal(t, exitFailed, code)
	assert.Contains(t, errs, "gone")
	_, _, code = ctl(t, "list", "--project", filepath.Join(root, "proj/.claude/commands/a/b.md"))
	assert.Equal(t, exitFailed, code)
}

func TestText(t *testing.T) {
	root := tree(t)
	for _, args := range [][]string{{"list"}, {"show", "commit"}, {"listing"}, {"menu"}, {"invoke", "look"}} {
		args = append([]string{"--project", filepath.Join(root, "proj"), "--home", filepath.Join(root, "home")}, args...)
		out, errs, code := ctl(t, args...)
		assert.Equal(t, exitOK, code, errs)
		assert.NotEmpty(t, out)
		assert.NotContains(t, out, "\x1b", "no colours into a pipe")
		assert.NotContains(t, out, "%!", "formats fit their arguments")
	}
	out, _, _ := ctl(t, "--project", filepath.Join(root, "proj"), "--home", filepath.Join(root, "home"), "list")
	assert.Contains(t, out, "Shadowed by a skill of the same name:")
	assert.Contains(t, out, "error [unclosed-frontmatter] "+filepath.Join(root, "proj/.claude/skills/odd/SKILL.md")+":1:")
}

// Every real header loads, laid out as skills.
func TestCorpus(t *testing.T) {
	dir := filepath.Join(testkit.Shared(t, "SKILLS_CORPUS", "corpus"), "dev")
	root := testkit.Tree(t, map[string]string{"proj/": "", "home/": ""})
	files, err := filepath.Glob(filepath.Join(dir, "*.md"))
	require.NoError(t, err)
	require.NotEmpty(t, files)
	for _, f := range files {
		text, err := os.ReadFile(f)
		require.NoError(t, err)
		name := "s" + strings.TrimSuffix(filepath.Base(f), ".md")
		testkit.Write(t, root, map[string]string{"proj/.claude/skills/" + name + "/SKILL.md": string(text)})
	}
	v := ctlJSON(t, root, exitOK, "list")
	assert.Len(t, v["skills"], len(files), "none is lost")
	for _, s := range v["skills"].([]any) {
		assert.NotEmpty(t, s.(map[string]any)["description"])
	}
}
