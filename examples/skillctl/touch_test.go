package main

import (
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/seed-12b313d8/skills/internal/testkit"
)

func touchTree(t *testing.T) string {
	return testkit.Tree(t, map[string]string{
		"home/":                                        "",
		"proj/.claude/skills/go/SKILL.md":              testkit.SkillText("G.", "description: d", "paths: '*.go, *.mod'"),
		"proj/.claude/skills/hidden/SKILL.md":          testkit.SkillText("H.", "description: d", "paths: '*.go'", "disable-model-invocation: true"),
		"proj/.claude/skills/deploy/SKILL.md":          testkit.SkillText("D.", "description: d"),
		"proj/apps/web/.claude/skills/css/SKILL.md":    testkit.SkillText("C.", "description: d", "paths: '*.css'"),
		"proj/apps/web/.claude/skills/deploy/SKILL.md": testkit.SkillText("D.", "description: d"),
		"proj/apps/web/.claude/skills/odd/SKILL.md":    "---\nno end\n",
		"proj/lib/.claude/skills/lib/SKILL.md":         testkit.SkillText("L.", "description: d"),
	})
}

const (
	byGo     = "go: unlocked by x.go, which matches *.go, *.mod\n"
	byWeb    = "apps/web:deploy: found in apps/web/ by apps/web/x\n"
	oddIssue = "error [unclosed-frontmatter]"
)

func TestTouchCommand(t *testing.T) {
	root := touchTree(t)
	for _, tt := range []struct {
		reason               string
		args                 []string
		unlocked, discovered []any
		text, issue          string
	}{
		{"03 A1: a pattern matches", []string{"x.go"}, []any{"go"}, nil, byGo, ""},
		{"03 A2: several paths; the first that matches is named", []string{"y", "x.go", "go.mod"}, []any{"go"}, nil, byGo, ""},
		{"03 A2: what was touched before is nothing new", []string{"x.go", "--touch", "y.go"}, nil, nil, "nothing new\n", ""},
		{"nothing matches", []string{"x.c"}, nil, nil, "nothing new\n", ""},
		{"03 A3: outside the root", []string{"../x.go"}, nil, nil, "nothing new\n", ""},
		{"03 A11: case counts if it is to", []string{"x.GO", "--case-sensitive"}, nil, nil, "nothing new\n", ""},
		{"03 §3: a folder's skills; the locked one waits", []string{"apps/web/x"}, nil, []any{"apps/web:deploy"}, byWeb, oddIssue},
		{
			"03 §3: the touch that found it unlocks it",
			[]string{"apps/web/x.css"},
			[]any{"css"},
			[]any{"apps/web:deploy", "css"},
			"css: found in apps/web/ by apps/web/x.css; unlocked by apps/web/x.css, which matches *.css\napps/web:deploy: found in apps/web/ by apps/web/x.css\n", oddIssue,
		},
		{
			"found by one path, unlocked by another that came first",
			[]string{"x.css", "apps/web/x"},
			[]any{"css"},
			[]any{"apps/web:deploy", "css"},
			"css: found in apps/web/ by apps/web/x; unlocked by x.css, which matches *.css\n" + byWeb, oddIssue,
		},
		{
			"a folder found before is nothing new, its locked skill is",
			[]string{"apps/web/x.css", "--touch", "apps/web/x"},
			[]any{"css"},
			nil,
			"css: unlocked by apps/web/x.css, which matches *.css\n", "",
		},
		{
			"each skill with the path that led to it",
			[]string{"apps/web/x", "lib/y", "x.go"},
			[]any{"go"},
			[]any{"apps/web:deploy", "lib"},
			byGo + byWeb + "lib: found in lib/ by lib/y\n", oddIssue,
		},
	} {
		t.Run(tt.reason, func(t *testing.T) {
			require.NotEmpty(t, tt.reason)
			v := ctlJSON(t, root, exitOK, append([]string{"touch"}, tt.args...)...)
			assert.Len(t, v, 3, "unlocked, discovered, issues")
			assert.Equal(t, tt.unlocked, namesOf(v["unlocked"]))
			assert.Equal(t, tt.discovered, namesOf(v["discovered"]))
			assert.Equal(t, tt.issue == "", len(v["issues"].([]any)) == 0)

			in := []string{"--project", filepath.Join(root, "proj"), "--home", filepath.Join(root, "home"), "touch"}
			out, errs, code := ctl(t, append(in, tt.args...)...)
			assert.Equal(t, exitOK, code)
			assert.Empty(t, errs)
			require.GreaterOrEqual(t, len(out), len(tt.text), out)
			assert.Equal(t, tt.text, out[:len(tt.text)])
			assert.Contains(t, out[len(tt.text):], tt.issue)
			assert.NotContains(t, out, "hidden", "03 A9: what is hidden never unlocks")
		})
	}
}

func namesOf(list any) []any {
	var out []any
	for _, s := range list.([]any) {
		out = append(out, s.(map[string]any)["name"])
	}
	return out
}

func TestTouchShape(t *testing.T) {
	root := touchTree(t)
	v := ctlJSON(t, root, exitOK, "touch", "x.go")
	listed := ctlJSON(t, root, exitOK, "list", "--touch", "x.go")["skills"].([]any)
	require.Contains(t, listed, v["unlocked"].([]any)[0], "a skill has the fields it has in list")
	v = ctlJSON(t, root, exitOK, "touch", "x")
	assert.Equal(t, map[string]any{"unlocked": []any{}, "discovered": []any{}, "issues": []any{}}, v, "lists are never null")
}

// Explain says how a skill became available, or will.
func TestExplainActivation(t *testing.T) {
	root := touchTree(t)
	for _, tt := range []struct {
		reason, want string
		args         []string
	}{
		{"there from the start", "", []string{"deploy"}},
		{"locked", "locked until a file is touched that matches *.go, *.mod", []string{"go"}},
		{"unlocked", "unlocked by a touched file that matches *.go, *.mod", []string{"go", "--touch", "x.go"}},
		{"nested", "found in apps/web/ when a file there was touched", []string{"apps/web:deploy", "--touch", "apps/web/x"}},
		{"nested and locked", "found in apps/web/ when a file there was touched; locked until a file is touched that matches *.css", []string{"css", "--touch", "apps/web/x"}},
	} {
		v := ctlJSON(t, root, exitOK, append([]string{"explain"}, tt.args...)...)
		assert.Equal(t, tt.want, v["activation"], tt.reason)
	}
}
