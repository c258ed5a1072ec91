package main

import (
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/seed-12b313d8/skills/internal/testkit"
)

func lintTree(t *testing.T) string {
	return testkit.Tree(t, map[string]string{
		"proj/.claude/skills/fine/SKILL.md":  testkit.SkillText("Body.", "name: fine", "description: d"),
		"proj/.claude/skills/warn/SKILL.md":  testkit.SkillText("Pay $1.50.", "name: warn", "description: d"),
		"proj/.claude/skills/other/SKILL.md": testkit.SkillText("Body.", "description: "+strings.Repeat("d", 30)),
		"bad/.claude/skills/odd/SKILL.md":    "---\nno end\n",
		"agents/.agents/skills/x/SKILL.md":   testkit.SkillText("Body.", "description: d", "effort: 9000"),
	})
}

func TestLint(t *testing.T) {
	root := lintTree(t)
	proj, bad := filepath.Join(root, "proj"), filepath.Join(root, "bad")
	warn := filepath.Join(proj, ".claude", "skills", "warn")
	for _, tt := range []struct {
		reason string
		args   []string
		code   int
		last   string
		has    string
	}{
		{"without a path it is the project", []string{"--project", proj}, exitOK, "0 errors, 1 warning, 0 notes", "warning [bare-argument]"},
		{"a folder", []string{warn}, exitOK, "0 errors, 1 warning, 0 notes", filepath.Join(warn, "SKILL.md") + ":5: warning [bare-argument] $1 stands for"},
		{"nothing to mend", []string{filepath.Join(proj, ".claude/skills/fine")}, exitOK, "0 errors, 0 warnings, 0 notes", ""},
		{"an error fails", []string{bad}, exitFailed, "1 error, 0 warnings, 0 notes", "SKILL.md:1: error [unclosed-frontmatter]"},
		{"several paths", []string{warn, bad}, exitFailed, "1 error, 1 warning, 0 notes", ""},
		{"strict", []string{"--strict", "--project", proj}, exitFailed, "1 error, 1 warning, 0 notes", "error [format-name] there is no name; add"},
		{"the cap is an option", []string{"--cap", "20", "--project", proj}, exitOK, "0 errors, 2 warnings, 0 notes", "[listing-cap]"},
		{"so is the brand", []string{"--brand", ".agents", filepath.Join(root, "agents")}, exitOK, "0 errors, 1 warning, 0 notes", "[bad-field]"},
	} {
		t.Run(tt.reason, func(t *testing.T) {
			require.NotEmpty(t, tt.reason)
			out, errs, code := ctl(t, append([]string{"lint"}, tt.args...)...)
			assert.Equal(t, tt.code, code)
			assert.Empty(t, errs)
			lines := strings.Split(strings.TrimSuffix(out, "\n"), "\n")
			assert.Equal(t, tt.last, lines[len(lines)-1])
			assert.Contains(t, out, tt.has)
		})
	}
}

func TestLintJSON(t *testing.T) {
	root := lintTree(t)
	v := ctlJSON(t, root, exitOK, "lint")
	require.Len(t, v["issues"], 1)
	assert.Equal(t, map[string]any{
		"code": "bare-argument", "severity": "warning", "skill": "warn", "line": 5.0, "field": "",
		"path":    filepath.Join(root, "proj/.claude/skills/warn/SKILL.md"),
		"message": "$1 stands for a word of the arguments, counted from 0, but the file declares none; here it looks like an amount",
		"hint":    `write \$1 for the text itself, or declare arguments or argument-hint`,
	}, v["issues"].([]any)[0])
	assert.Equal(t, map[string]any{"issues": []any{}}, ctlJSON(t, root, exitOK, "lint", filepath.Join(root, "proj/.claude/skills/fine")), "lists are never null")

	out, _, code := ctl(t, "--json", "lint", filepath.Join(root, "bad"))
	assert.Equal(t, exitFailed, code)
	var one map[string]any
	require.NoError(t, json.Unmarshal([]byte(out), &one), "one object, though it failed")
	assert.Contains(t, one, "issues")

	v = ctlJSON(t, root, exitFailed, "lint", filepath.Join(root, "gone"))
	assert.Equal(t, "io", v["error"].(map[string]any)["code"])
}
