package main

import (
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/seed-12b313d8/skills/internal/testkit"
)

var update = flag.Bool("update", false, "write the tables into testdata")

func table(t *testing.T, args ...string) string {
	t.Helper()
	var out bytes.Buffer
	require.NoError(t, run(context.Background(), &out, args))
	return out.String()
}

func TestTable(t *testing.T) {
	for _, from := range []string{fromBody, fromDescription} {
		t.Run(from, func(t *testing.T) {
			golden := "testdata/" + from + ".golden"
			got := table(t, "-from", from, "testdata/skills")
			if *update {
				require.NoError(t, os.WriteFile(golden, []byte(got), 0o644))
			}
			want, err := os.ReadFile(golden)
			require.NoError(t, err)
			assert.Equal(t, string(want), got, "go test ./bench/search -update")
			assert.Equal(t, got, table(t, "-from", from, flat(t, "testdata/skills")), "a folder of .md files is as good")
		})
	}
}

// flat copies the skills of dir into one folder of .md files.
func flat(t *testing.T, dir string) string {
	files := make(map[string]string)
	err := filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := os.ReadFile(path)
		files[filepath.Base(filepath.Dir(path))+".md"] = string(text)
		return err
	})
	require.NoError(t, err)
	require.Len(t, files, 6)
	return testkit.Tree(t, files)
}

// What is in the table has to be so, whatever the numbers are. On real skills
// the library is not below plain BM25 (06 §4); the fixture is too small for
// that: it has a query about a room for which a skill with rooms and lessons
// comes first, as rooms are found as well.
func TestRows(t *testing.T) {
	for name, dir := range map[string]func(*testing.T) string{
		"fixture": func(*testing.T) string { return "testdata/skills" },
		"real":    func(t *testing.T) string { return testkit.Shared(t, "SKILLS_CORPUS", "corpus") + "/dev" },
	} {
		for _, from := range []string{fromBody, fromDescription} {
			t.Run(name+"/"+from, func(t *testing.T) {
				var r result
				require.NoError(t, json.Unmarshal([]byte(table(t, "-json", "-from", from, dir(t))), &r))
				require.Len(t, r.Rows, len(variants())*len(engines()))
				by := make(map[[2]string]row)
				for _, row := range r.Rows {
					by[[2]string{row.Searched, row.Engine}] = row
					assert.True(t, 0 <= row.Hit1 && row.Hit1 <= row.Hit5 && row.Hit5 <= row.Hit10 && row.Hit10 <= 1, "%+v", row)
					assert.True(t, row.Hit1 <= row.MRR && row.MRR <= 1, "%+v", row)
				}
				if name == "real" {
					notBelow(t, by)
				}
				assert.Greater(t, by[[2]string{"name + description + body", "library"}].MRR, by[[2]string{"name only", "library"}].MRR)
			})
		}
	}
}

func notBelow(t *testing.T, by map[[2]string]row) {
	t.Helper()
	for _, v := range variants() {
		ours, plain := by[[2]string{v.name, "library"}], by[[2]string{v.name, "plain BM25"}]
		assert.GreaterOrEqual(t, ours.Hit1, plain.Hit1, v.name)
		assert.GreaterOrEqual(t, ours.MRR, plain.MRR, v.name)
	}
}

func TestTakeOut(t *testing.T) {
	for _, tt := range []struct {
		reason, text, rest string
		queries            []string
	}{
		{"a sentence that begins with use", "Writes notes. Use before a release is made.", "Writes notes.", []string{"Use before a release is made."}},
		{"or with when", "When a release is near, ask. Writes notes.", "Writes notes.", []string{"When a release is near, ask."}},
		{"or says it inside", "Writes notes. This skill should be used when a release is near.", "Writes notes.", []string{"This skill should be used when a release is near."}},
		{"several, on lines", "Use it for notes of releases\nWrites notes\nUse it after a release", "Writes notes", []string{"Use it for notes of releases", "Use it after a release"}},
		{"Chinese", "编写发布说明。当用户想要发布新的版本时使用它。", "编写发布说明。", []string{"当用户想要发布新的版本时使用它。"}},
		{"a point inside a word ends nothing", "Reads main.go files. Use when main.go is long.", "Reads main.go files.", []string{"Use when main.go is long."}},
		{"a label is none", "Writes notes. Use it.", "Writes notes. Use it.", nil},
		{"other sentences are none", "Writes notes. Reads commits.", "Writes notes. Reads commits.", nil},
		{"something has to be left", "Use when a release is near.", "Use when a release is near.", nil},
		{"nothing", "", "", nil},
	} {
		t.Run(tt.reason, func(t *testing.T) {
			rest, queries := takeOut(tt.text)
			assert.Equal(t, tt.rest, rest)
			assert.Equal(t, tt.queries, queries)
		})
	}
}

func TestErrors(t *testing.T) {
	one := testkit.Tree(t, map[string]string{"a/SKILL.md": testkit.SkillText("## When to use\n- Somebody wants it done\n", "description: d")})
	silent := testkit.Tree(t, map[string]string{"a.md": testkit.SkillText("B.\n", "description: d"), "b.md": testkit.SkillText("B.\n", "description: e")})
	for _, tt := range []struct {
		reason string
		args   []string
		want   string
	}{
		{"no folder", nil, "give one DIR"},
		{"two folders", []string{"a", "b"}, "give one DIR"},
		{"no such folder", []string{one + "/gone"}, "gone"},
		{"one skill", []string{one}, "at least two skills"},
		{"no queries in bodies", []string{silent}, "says in its body when to use it"},
		{"no queries in descriptions", []string{"-from", "description", silent}, "says in its description when to use it"},
		{"no such place", []string{"-from", "name", one}, `"name" is neither`},
		{"no such flag", []string{"-seed", "1", one}, "not defined: -seed"},
	} {
		t.Run(tt.reason, func(t *testing.T) {
			var out bytes.Buffer
			assert.ErrorContains(t, run(context.Background(), &out, tt.args), tt.want)
			assert.Empty(t, out.String())
		})
	}
	var out bytes.Buffer
	assert.ErrorIs(t, run(context.Background(), &out, []string{"-h"}), flag.ErrHelp)
	assert.Equal(t, 2, strings.Count(out.String(), "\n  -"), "every flag is explained")
}
