package main

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/seed-12b313d8/skills/bundled"
	"github.com/seed-12b313d8/skills/internal/testkit"
)

// hintOf returns what is said after the name of a skill that is not there.
func hintOf(t *testing.T, root string, args ...string) string {
	t.Helper()
	v := ctlJSON(t, root, exitFailed, args...)
	err := v["error"].(map[string]any)
	require.Equal(t, "not-found", err["code"])
	_, hint, ok := strings.Cut(err["message"].(string), "; ")
	require.True(t, ok, err["message"])
	return hint
}

// Each bundled skill is there with the flags that its hint names, and not
// without them (05 §3).
func TestAdviceOnBundled(t *testing.T) {
	root := bare(t)
	for _, i := range bundled.All() {
		hint := hintOf(t, root, "show", i.Name)
		_, flags, ok := strings.Cut(hint, ": add ")
		require.True(t, ok, hint)
		assert.Contains(t, hint, i.Needs())
		v := ctlJSON(t, root, exitOK, append([]string{"show", i.Name}, strings.Fields(flags)...)...)
		assert.Equal(t, i.Name, v["name"])
		if strings.Contains(flags, "--feature") {
			hint = hintOf(t, root, "show", i.Name, "--bundled", "--feature", "none")
			_, flags, _ = strings.Cut(hint, ": add ")
			assert.NotContains(t, flags, "--bundled", "it is given already")
			ctlJSON(t, root, exitOK, append([]string{"show", i.Name, "--bundled"}, strings.Fields(flags)...)...)
		}
	}
}

func TestAdvice(t *testing.T) {
	skill := func(desc string) string { return testkit.SkillText("B.", "description: "+desc) }
	root := testkit.Tree(t, map[string]string{
		"home/":                                          "",
		"proj/.claude/skills/commit/SKILL.md":            skill("d"),
		"proj/.gitignore":                                "build/\n",
		"proj/web/.claude/skills/css/SKILL.md":           skill("d"),
		"proj/web/.claude/skills/deploy/SKILL.md":        skill("d"),
		"proj/api/.claude/skills/deploy/SKILL.md":        skill("d"),
		"proj/web/.claude/skills/loop/SKILL.md":          skill("d"),
		"proj/web/.claude/skills/comit/SKILL.md":         skill("d"),
		"proj/web/.claude/skills/lock/SKILL.md":          testkit.SkillText("B.", "description: d", "paths: '*.x'"),
		"proj/web/.claude/skills/named/SKILL.md":         testkit.SkillText("B.", "name: Other Name", "description: d"),
		"proj/build/.claude/skills/made/SKILL.md":        skill("d"),
		"proj/node_modules/.claude/skills/made/SKILL.md": skill("d"),
		"proj/lib/.agents/skills/sql/SKILL.md":           skill("d"),
		"proj/lib/.agents/skills/.claude/skills/x.md":    "no skill",
		"proj/it's new/.claude/skills/fresh/SKILL.md":    skill("d"),
		"outside/.claude/skills/far/SKILL.md":            skill("d"),
	})
	const none = "list the skills to see which exist; those of nested folders appear when a file there is touched"
	const web = "there is one for work in web: add --touch web"
	for _, tt := range []struct {
		reason string
		args   []string
		want   string
	}{
		{"03 §3: a nested folder", []string{"css"}, web},
		{"01 N4: with the slash of a menu", []string{"/css"}, web},
		{"03 §3: by its qualified name", []string{"web:css"}, web},
		{"01 N4: by the name in its frontmatter", []string{"Other Name"}, web},
		{"03 A1: one that is locked, too, can be shown", []string{"lock"}, web},
		{"several folders", []string{"deploy"}, "there is one for work in api or web: add --touch api or --touch web"},
		{"one is touched already, the other has it", []string{"css", "--touch", "api"}, web},
		{"what is nested comes before what is bundled", []string{"loop"}, web + `; or the bundled skill needs feature "triggers": add --bundled --feature triggers`},
		{"the name itself beats a near one", []string{"comit"}, web},
		{"a near one is named otherwise", []string{"commt"}, "did you mean commit?"},
		{"03 §3: what git ignores would not be found", []string{"made"}, none},
		{"another brand", []string{"sql"}, none},
		{"that is given", []string{"sql", "--brand", ".agents"}, "there is one for work in lib: add --touch lib"},
		{"a folder to quote", []string{"fresh"}, `there is one for work in 'it'\''s new': add --touch 'it'\''s new'`},
		{"outside of the project", []string{"far"}, none},
		{"05 §3: by its full name", []string{"bundled:simplify"}, "it is a bundled skill: add --bundled"},
		{"05 §3: with a slash", []string{"/simplify"}, "it is a bundled skill: add --bundled"},
		{"the name of a feature is no skill", []string{"triggers"}, none},
	} {
		t.Run(tt.reason, func(t *testing.T) {
			require.NotEmpty(t, tt.reason)
			for _, command := range []string{"show", "invoke", "paths"} {
				assert.Equal(t, tt.want, hintOf(t, root, append([]string{command}, tt.args...)...), command)
			}
			v := ctlJSON(t, root, exitFailed, append([]string{"explain"}, tt.args...)...)
			require.Len(t, v["issues"], 1)
			assert.Equal(t, tt.want, v["issues"].([]any)[0].(map[string]any)["hint"])
		})
	}
	testkit.Write(t, root, map[string]string{
		"proj/.claude/commands/a/two.md": "A.", "proj/.claude/commands/b/two.md": "B.", "proj/web/.claude/skills/two/SKILL.md": skill("d"),
	})
	v := ctlJSON(t, root, exitFailed, "show", "two")
	assert.Equal(t, "ambiguous", v["error"].(map[string]any)["code"], "what is there needs no such hint")
}

// Only so much is done for a hint.
func TestAdviceIsBounded(t *testing.T) {
	files := map[string]string{"home/": ""}
	for _, name := range strings.Fields(strings.Repeat("x", maxProbes) + " z") {
		for i := range name {
			files["proj/"+name[:i+1]+"/.claude/skills/"+name[:1]+"/SKILL.md"] = testkit.SkillText("B.", "description: d")
		}
	}
	root := testkit.Tree(t, files)
	hint := hintOf(t, root, "show", "x")
	assert.Equal(t, maxFolders, strings.Count(hint, "--touch"), hint)
	assert.NotContains(t, hintOf(t, root, "show", "z"), "--touch", "the folders before it were enough")
	a := app{flags: flags{project: filepath.Join(root, "proj")}}
	assert.Len(t, a.nested(t.Context()), maxProbes)
}
