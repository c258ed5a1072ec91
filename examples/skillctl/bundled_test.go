package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/seed-12b313d8/skills/bundled"
	"github.com/seed-12b313d8/skills/internal/testkit"
)

// allBundled are the names of 05 §3, in the order of a list.
const allBundled = "batch claude-api claude-in-chrome debug dream hunter keybindings loop lorem-ipsum remember " +
	"run-skill-generator schedule simplify skillify stuck update-config verify"

// openToAll are those without a gate.
const openToAll = "batch debug keybindings lorem-ipsum simplify update-config"

// bare has no skill of its own.
func bare(t *testing.T) string {
	return testkit.Tree(t, map[string]string{"home/": "", "proj/": ""})
}

// field returns one field of each of a list of objects, in order.
func field(list any, key string) []string {
	var out []string
	for _, x := range list.([]any) {
		out = append(out, x.(map[string]any)[key].(string))
	}
	return out
}

func TestBundledGates(t *testing.T) {
	root := bare(t)
	for _, tt := range []struct {
		reason string
		args   []string
		more   string // than those without a gate
	}{
		{"05 §3: always", []string{"--bundled"}, ""},
		{"none is the default", []string{"--bundled", "--feature", "none"}, ""},
		{"05 §3: internal", []string{"--bundled", "--feature", "internal"}, "remember skillify stuck verify"},
		{"05 §3: memory", []string{"--bundled", "--feature", "memory"}, "dream"},
		{"05 §3: or memory-consolidation", []string{"--bundled", "--feature", "memory-consolidation"}, "dream"},
		{"05 §3: review-artifact", []string{"--bundled", "--feature", "review-artifact"}, "hunter"},
		{"05 §3: triggers", []string{"--bundled", "--feature", "triggers"}, "loop"},
		{"05 §3: remote-triggers", []string{"--bundled", "--feature", "remote-triggers"}, "schedule"},
		{"05 §3: api-guide", []string{"--bundled", "--feature", "api-guide"}, "claude-api"},
		{"05 §3: skill-generator", []string{"--bundled", "--feature", "skill-generator"}, "run-skill-generator"},
		{"05 §3: the host says that the browser is there", []string{"--bundled", "--feature", "browser"}, "claude-in-chrome"},
		{"two features", []string{"--feature=triggers", "--bundled", "--feature=memory"}, "dream loop"},
		{"one feature twice", []string{"--bundled", "--feature=memory", "--feature=memory"}, "dream"},
		{"none takes back what came before", []string{"--bundled", "--feature=all", "--feature=none", "--feature=triggers"}, "loop"},
		{"all has the rest, too", []string{"--bundled", "--feature=triggers", "--feature=all"}, allBundled},
	} {
		t.Run(tt.reason, func(t *testing.T) {
			v := ctlJSON(t, root, exitOK, append([]string{"list"}, tt.args...)...)
			want := append(strings.Fields(openToAll), strings.Fields(tt.more)...)
			slices.Sort(want)
			assert.Equal(t, slices.Compact(want), field(v["skills"], "name"))
			assert.Empty(t, v["issues"], "each name means something to the source")
			for _, s := range v["skills"].([]any) {
				s := s.(map[string]any)
				assert.Equal(t, []any{"bundled", "bundled", true}, []any{s["origin"], s["layout"], s["trusted"]}, s["name"])
			}
		})
	}
	assert.Empty(t, ctlJSON(t, root, exitOK, "list")["skills"], "none without --bundled")
}

// The source names its features when it is given another one: a new feature
// must not be missing here.
func TestFeaturesAreThoseOfTheSource(t *testing.T) {
	l, err := bundled.Source(&bundled.Options{Features: []string{"nope"}}).Load(t.Context())
	require.NoError(t, err)
	require.Len(t, l.Issues, 1)
	listed, ok := strings.CutPrefix(l.Issues[0].Hint, "use one of ")
	require.True(t, ok, l.Issues[0].Hint)
	want := append(strings.Split(listed, ", "), bundled.CheckBrowser)
	assert.ElementsMatch(t, want, features())
}

func TestFeatureMisused(t *testing.T) {
	for _, tt := range []struct {
		reason, want string
		args         []string
	}{
		{"a letter too few", `--feature: unknown feature "trigers"; did you mean triggers?`, []string{"--bundled", "--feature", "trigers"}},
		{"a beginning", `--feature: unknown feature "remote"; did you mean remote-triggers?`, []string{"--bundled", "--feature", "remote"}},
		{"letter case", `--feature: unknown feature "Memory"; did you mean memory?`, []string{"--bundled", "--feature", "Memory"}},
		{"near to all", `--feature: unknown feature "al"; did you mean all?`, []string{"--bundled", "--feature", "al"}},
		{"near to none", `--feature: unknown feature "noen"; did you mean none?`, []string{"--bundled", "--feature", "noen"}},
		{"nothing is near", `--feature: unknown feature "xyzzyx"; use one of api-guide, browser, internal, `, []string{"--bundled", "--feature", "xyzzyx"}},
		{"blank", `--feature: unknown feature ""; use one of `, []string{"--bundled", "--feature="}},
		{"the name of a skill is no feature", `--feature: unknown feature "simplify"; use one of `, []string{"--bundled", "--feature", "simplify"}},
		{"a later one", `--feature: unknown feature "memroy"; did you mean memory?`, []string{"--bundled", "--feature=all", "--feature=memroy"}},
		{"even without --bundled", `--feature: unknown feature "memroy"; did you mean memory?`, []string{"--feature=memroy"}},
		{"it would do nothing", "--feature is about bundled skills; add --bundled\n", []string{"--feature", "all"}},
	} {
		t.Run(tt.reason, func(t *testing.T) {
			out, errs, code := ctl(t, append([]string{"list"}, tt.args...)...)
			assert.Equal(t, exitUsage, code)
			assert.Empty(t, out)
			assert.True(t, strings.HasPrefix(errs, "skillctl: "+tt.want), errs)
		})
	}
}

// The model is told of all but those that only the user may run, and the
// user's menu has these, too.
func TestBundledListingAndMenu(t *testing.T) {
	root := bare(t)
	v := ctlJSON(t, root, exitOK, "menu", "--bundled", "--feature", "all")
	assert.Equal(t, strings.Fields(allBundled), field(v["menu"], "name"))
	assert.Equal(t, []any{"bundled"}, slices.Compact(anys(field(v["menu"], "origin"))))

	v = ctlJSON(t, root, exitOK, "listing", "--bundled", "--feature", "all")
	report := v["report"].(map[string]any)
	want := slices.DeleteFunc(strings.Fields(allBundled), userOnly)
	assert.Equal(t, want, field(report["entries"], "name"))
	assert.Equal(t, "full", report["tier"], "02 §2: they fit the default budget")

	v = ctlJSON(t, root, exitOK, "listing", "--bundled", "--deny", "Skill(simplify)")
	assert.Equal(t, []string{"keybindings", "lorem-ipsum", "update-config"}, field(v["report"].(map[string]any)["entries"], "name"), "04 §5: rules hold for them")
}

func userOnly(name string) bool {
	return slices.Contains([]string{"batch", "debug", "skillify"}, name)
}

func anys(list []string) []any {
	out := make([]any, len(list))
	for i, s := range list {
		out[i] = s
	}
	return out
}

// Show has the text of a file, and says of the others that there is none yet.
func TestBundledShow(t *testing.T) {
	root := bare(t)
	dynamic := []string{"batch", "claude-api", "debug", "loop", "lorem-ipsum", "skillify"}
	for _, name := range strings.Fields(allBundled) {
		v := ctlJSON(t, root, exitOK, "show", name, "--bundled", "--feature", "all")
		assert.Equal(t, "bundled", v["origin"], name)
		out, errs, code := ctl(t, "--project", filepath.Join(root, "proj"), "--home", filepath.Join(root, "home"), "--bundled", "--feature", "all", "show", name)
		require.Equal(t, exitOK, code, errs)
		if slices.Contains(dynamic, name) {
			assert.Equal(t, []any{"", true}, []any{v["body"], v["dynamic"]}, name)
			assert.Contains(t, out, "The text is made at the invocation", name)
			continue
		}
		assert.NotContains(t, v, "dynamic", name)
		assert.True(t, strings.HasPrefix(v["body"].(string), "# "), "%s has the text of its file: %.60q", name, v["body"])
		assert.NotContains(t, v["body"], "{{", "05 §3: what the host knows is filled in: %s", name)
		assert.Contains(t, out, v["body"], name)
	}
	own := testkit.Tree(t, map[string]string{"home/": "", "proj/.claude/skills/x/SKILL.md": testkit.SkillText("", "description: x")})
	v := ctlJSON(t, own, exitOK, "show", "x")
	assert.Empty(t, v["body"])
	assert.NotContains(t, v, "dynamic", "an empty file is not made at the invocation")
}

// Each renders without arguments, though nothing tells it what only a host
// knows.
func TestBundledInvoke(t *testing.T) {
	root := bare(t)
	temp, err := filepath.EvalSymlinks(t.TempDir())
	require.NoError(t, err)
	t.Setenv("TMPDIR", temp)
	t.Setenv("TMP", temp) // Windows
	for _, name := range strings.Fields(allBundled) {
		for _, caller := range []string{"user", "model"} {
			args := []string{"invoke", name, "--caller", caller, "--bundled", "--feature", "all"}
			if caller == "model" && userOnly(name) {
				v := ctlJSON(t, root, exitFailed, args...)
				assert.Equal(t, "not-invocable", v["error"].(map[string]any)["code"], "05 §3: %s is the user's", name)
				continue
			}
			v := ctlJSON(t, root, exitOK, args...)
			assert.Equal(t, "inline", v["kind"], "05 §3: %s", name)
			assert.NotEmpty(t, v["content"], name)
			assert.Equal(t, "allow", v["permission"].(map[string]any)["decision"], "04 §5: %s asks for nothing", name)
			assert.Empty(t, v["issues"], name)
			if name == "claude-api" || name == "verify" {
				assert.Contains(t, v["content"], filepath.ToSlash(temp), "05 §2: %s brings files", name)
			}
		}
	}
	v := ctlJSON(t, root, exitOK, "invoke", "loop", "5m", "/check", "--bundled", "--feature", "triggers")
	assert.Contains(t, v["content"], "every **5m**", "05 §3: the arguments make the text")
	v = ctlJSON(t, root, exitFailed, "invoke", "loop", "--bundled")
	assert.Equal(t, "not-found", v["error"].(map[string]any)["code"], "05 §3: its gate is closed")

	left, err := os.ReadDir(temp)
	require.NoError(t, err)
	assert.Empty(t, left, "05 §2: reference files go when the program ends")
}

// A skill of the user beats the bundled one of its name, which is still there
// under its full name.
func TestBundledShadowed(t *testing.T) {
	root := testkit.Tree(t, map[string]string{
		"proj/":                                 "",
		"home/.claude/skills/simplify/SKILL.md": testkit.SkillText("Mine.", "description: mine"),
		"home/.claude/skills/batch/SKILL.md":    testkit.SkillText("Mine, too.", "description: mine"),
		"home/.claude/skills/gofix/SKILL.md":    testkit.SkillText("Go.", "description: g", "paths: '*.go'"),
	})
	v := ctlJSON(t, root, exitOK, "list", "--bundled")
	assert.Equal(t, []string{"bundled", "bundled"}, field(v["shadowed"], "origin"), "01 §7")
	assert.Equal(t, "Mine.", ctlJSON(t, root, exitOK, "show", "simplify", "--bundled")["body"])
	v = ctlJSON(t, root, exitOK, "show", "bundled:simplify", "--bundled")
	assert.Equal(t, "bundled", v["origin"], "01 N4")
	assert.Contains(t, v["body"], "# Simplify")
	assert.Equal(t, true, ctlJSON(t, root, exitOK, "show", "bundled:batch", "--bundled")["dynamic"], "01 N4")

	v = ctlJSON(t, root, exitOK, "explain", "simplify", "--bundled")
	assert.Equal(t, "user", v["winner"].(map[string]any)["origin"])
	assert.Equal(t, []string{"bundled"}, field(v["others"], "origin"), "01 §8: it is named as hidden")
	v = ctlJSON(t, root, exitOK, "explain", "debug", "--bundled")
	assert.Equal(t, "bundled", v["winner"].(map[string]any)["origin"])
	assert.Contains(t, v["hidden"], "model", "05 §3: only the user may run it")
	assert.Nil(t, ctlJSON(t, root, exitFailed, "explain", "loop", "--bundled")["winner"], "05 §3: its gate is closed")

	v = ctlJSON(t, root, exitOK, "touch", "main.go", "--bundled", "--feature", "all")
	assert.Equal(t, []string{"gofix"}, field(v["unlocked"], "name"), "bundled skills are there from the start")
	assert.Empty(t, v["discovered"])
}
