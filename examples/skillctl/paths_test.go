package main

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/seed-12b313d8/skills/internal/testkit"
)

func pathsTree(t *testing.T) string {
	return testkit.Tree(t, map[string]string{
		"home/":                               "",
		"proj/.claude/skills/go/SKILL.md":     testkit.SkillText("Go.", "description: d", "paths: '*.go, !*_test.go'"),
		"proj/.claude/skills/bad/SKILL.md":    testkit.SkillText("B.", "description: d", "paths: ['[abc', '*.txt']"),
		"proj/.claude/skills/plain/SKILL.md":  testkit.SkillText("P.", "description: d"),
		"proj/web/.claude/skills/n/SKILL.md":  testkit.SkillText("N.", "description: d", "paths: web/*.css"),
		"proj/a.go":                           "",
		"proj/a.txt":                          "",
		"proj/src/B.GO":                       "",
		"proj/src/b_test.go":                  "",
		"proj/web/x.css":                      "",
		"proj/.git/hooks/c.go":                "",
		"proj/lib/node_modules/d/d.go":        "",
		"proj/linked":                         "-> src",
		"proj/link.go":                        "-> a.go",
		"proj/nowhere.go":                     "-> gone.go",
		"outside/proj":                        "-> ../proj",
		"proj/with blank/and\nbreak/match.go": "",
	})
}

// wholeProject is what *.go matches in pathsTree.
var wholeProject = []string{"a.go", "link.go", "src/B.GO", "with blank/and\nbreak/match.go"}

func TestPaths(t *testing.T) {
	root := pathsTree(t)
	for _, tt := range []struct {
		reason string
		args   []string
		match  []string
		not    []string
	}{
		{"03 A1: those that unlock the skill, and no others", []string{"go"}, wholeProject, nil},
		{"the files named, whether they match or not", []string{"go", "a.go", "a.txt"}, []string{"a.go"}, []string{"a.txt"}},
		{"03 A2: a file that does not exist yet", []string{"go", "new/x.go"}, []string{"new/x.go"}, nil},
		{"03 A3: absolute paths", []string{"go", filepath.Join(root, "proj", "x.go")}, []string{filepath.Join(root, "proj", "x.go")}, nil},
		{"03 A3: outside the root nothing matches", []string{"go", "../x.go", "."}, nil, []string{"../x.go", "."}},
		{"03 A4: the last pattern that matches decides", []string{"go", "x_test.go"}, nil, []string{"x_test.go"}},
		{"03 A11: case is folded", []string{"go", "x.Go"}, []string{"x.Go"}, nil},
		{"03 A11: unless it is not", []string{"go", "--case-sensitive", "x.Go", "x.go"}, []string{"x.go"}, []string{"x.Go"}},
		{"03 A6: a bad pattern leaves the others alone", []string{"bad"}, []string{"a.txt"}, nil},
		{"03 §3: a nested skill, its patterns relative to the root", []string{"n", "--touch", "web/y"}, []string{"web/x.css"}, nil},
		{"a pattern instead of a skill", []string{"--pattern", "*.txt"}, []string{"a.txt"}, nil},
		{"03 A4: several patterns are one list", []string{"--pattern", "*.go", "--pattern", "!src/*.go", "a.go", "src/B.GO"}, []string{"a.go"}, []string{"src/B.GO"}},
		{"03 A5: braces", []string{"--pattern", "*.{css,txt}"}, []string{"a.txt", "web/x.css"}, nil},
		{"a list item is not split at commas", []string{"--pattern", "a,b", "a,b", "a"}, []string{"a,b"}, []string{"a"}},
		{"a pattern that begins like a flag", []string{"--pattern=-x", "--", "-x"}, []string{"-x"}, nil},
		{"nothing matches", []string{"--pattern", "nothing"}, nil, nil},
	} {
		t.Run(tt.reason, func(t *testing.T) {
			require.NotEmpty(t, tt.reason)
			v := ctlJSON(t, root, exitOK, append([]string{"paths"}, tt.args...)...)
			var match, not []string
			for _, r := range v["results"].([]any) {
				r := r.(map[string]any)
				assert.Len(t, r, 2, "path and match")
				if r["match"].(bool) {
					match = append(match, r["path"].(string))
				} else {
					not = append(not, r["path"].(string))
				}
			}
			assert.Equal(t, tt.match, match)
			assert.Equal(t, tt.not, not)
			assert.Equal(t, false, v["truncated"])
		})
	}
}

func TestPathsIssues(t *testing.T) {
	root := pathsTree(t)
	v := ctlJSON(t, root, exitOK, "paths", "bad", "a.txt")
	require.Len(t, v["issues"], 1)
	issue := v["issues"].([]any)[0].(map[string]any)
	assert.Equal(t, "bad-pattern", issue["code"])
	assert.Equal(t, filepath.Join(root, "proj/.claude/skills/bad/SKILL.md"), issue["path"])
	assert.InDelta(t, 3, issue["line"], 0)

	v = ctlJSON(t, root, exitOK, "paths", "--pattern", "ok", "--pattern", "[abc", "ok")
	require.Len(t, v["issues"], 1)
	issue = v["issues"].([]any)[0].(map[string]any)
	assert.Equal(t, "bad-pattern", issue["code"])
	assert.Equal(t, "--pattern", issue["field"])
	assert.InDelta(t, 0, issue["line"], 0, "there is no file")
	assert.Contains(t, issue["message"], `"[abc"`)

	v = ctlJSON(t, root, exitOK, "paths", "--pattern", "none")
	assert.Equal(t, map[string]any{"results": []any{}, "truncated": false, "issues": []any{}}, v, "lists are never null")
}

func TestPathsFails(t *testing.T) {
	root := pathsTree(t)
	for _, tt := range []struct {
		reason, code string
		args         []string
	}{
		{"an unknown name", "not-found", []string{"paths", "nope"}},
		{"a skill without paths", "invalid", []string{"paths", "plain", "a.go"}},
		{"a nested skill that nothing has led to", "not-found", []string{"paths", "n"}},
		{"a blank pattern is none", "invalid", []string{"paths", "--pattern", " ", "a.go"}},
		{"the project is not there", "io", []string{"paths", "--pattern", "x", "--project", filepath.Join(root, "gone")}},
	} {
		v := ctlJSON(t, root, exitFailed, tt.args...)
		assert.Equal(t, tt.code, v["error"].(map[string]any)["code"], tt.reason)
	}
}

func TestPathsText(t *testing.T) {
	root := pathsTree(t)
	in := []string{"--project", filepath.Join(root, "outside", "proj"), "--home", filepath.Join(root, "home"), "paths"}
	out, errs, code := ctl(t, append(in, "bad", "a.txt", "b")...)
	assert.Equal(t, exitOK, code)
	assert.Equal(t, "match     a.txt\nno match  b\n", out)
	assert.Contains(t, errs, "warning [bad-pattern]")
	out, errs, code = ctl(t, append(in, "go")...)
	assert.Equal(t, exitOK, code)
	assert.Empty(t, errs)
	assert.Equal(t, "match     a.go\nmatch     link.go\nmatch     src/B.GO\nmatch     with blank/and?break/match.go\n", out,
		"the project may be a link, and one file is one line")
	out, errs, code = ctl(t, append(in, "--pattern", "none")...)
	assert.Equal(t, exitOK, code)
	assert.Empty(t, out)
	assert.Equal(t, "no file matches\n", errs)
}

func TestWalk(t *testing.T) {
	root := testkit.Tree(t, map[string]string{"a": "", "b/c": "", "b/d": "", "e/f": "", "g": ""})
	for _, tt := range []struct {
		reason string
		limit  int
		want   []string
		cut    bool
	}{
		{"everything", 100, []string{"a", "b/c", "b/d", "e/f", "g"}, false},
		{"as much as there is", 7, []string{"a", "b/c", "b/d", "e/f", "g"}, false},
		{"folders count, too", 6, []string{"a", "b/c", "b/d", "e/f"}, true},
		{"nothing", 0, nil, true},
	} {
		var got []string
		w := walk{limit: tt.limit, visit: func(path string) { got = append(got, path) }}
		require.NoError(t, w.run(context.Background(), root))
		assert.Equal(t, tt.want, got, tt.reason)
		assert.Equal(t, tt.cut, w.cut, tt.reason)
	}

	ctx, cancel := context.WithCancel(context.Background())
	n := 0
	w := walk{limit: 100, visit: func(string) { n++; cancel() }}
	require.ErrorIs(t, w.run(ctx, root), context.Canceled)
	assert.Equal(t, 1, n, "it ends with the context")

	var got []string
	w = walk{limit: 100, visit: func(path string) {
		got = append(got, path)
		require.NoError(t, os.RemoveAll(filepath.Join(root, "b")))
	}}
	require.NoError(t, w.run(context.Background(), root))
	assert.Equal(t, []string{"a", "e/f", "g"}, got, "a folder that cannot be read leaves the others alone")
	require.Len(t, w.gone, 1)
	assert.Equal(t, filepath.Join(root, "b"), w.gone[0].Path)
}

// The patterns of the command line reach the library as they are typed.
func FuzzParsePatterns(f *testing.F) {
	for _, s := range []string{
		"*.go", "a,b", "{a,b}", `\*`, `a\ b`, "# no comment", "!not", "a: b", "'single'", `"double"`, "- item", "| text", "é", "😀",
		"<&>", "a\u2028b", "tab\there", "line\nbreak", "---", "%tag", "@at", "`tick`", "[abc", "~", "null", "true", "1.10", "\x00", "\x7f&", "\xff", "\ufeffx",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		got, _ := parsePatterns([]string{s, "last"})
		want := []string{strings.TrimSpace(strings.ToValidUTF8(s, "\uFFFD")), "last"}
		if want[0] == "" {
			want = want[1:]
		}
		assert.Equal(t, want, got)
	})
}
