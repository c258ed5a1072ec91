package main

import (
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/seed-12b313d8/skills/bench/internal/rank"
	"github.com/seed-12b313d8/skills/internal/testkit"
)

var update = flag.Bool("update", false, "write the table into testdata")

// folder writes twelve skills that begin alike and differ in one thing each.
func folder(t *testing.T) string {
	files := map[string]string{"README.md": "# No skill\n", "notes.txt": "---\nname: none\n---\n", "empty/": ""}
	for i, thing := range []string{
		"invoices", "contracts", "timetables", "recipes", "minutes", "manuals",
		"letters", "adverts", "diaries", "lectures", "poems", "reports",
	} {
		text := fmt.Sprintf("description: Helps people to write well and in time, above all where it is about %s.", thing)
		body := fmt.Sprintf("# Writing\n\n## When to use\n\n- Somebody wants %s written by tomorrow\n- Errors in %s must be found\n", thing, thing)
		files[fmt.Sprintf("writer-%02d/SKILL.md", i)] = testkit.SkillText(body, text)
	}
	return testkit.Tree(t, files)
}

func table(t *testing.T, args ...string) string {
	t.Helper()
	var out bytes.Buffer
	require.NoError(t, run(context.Background(), &out, args))
	return out.String()
}

func TestTable(t *testing.T) {
	const golden = "testdata/table.golden"
	dir := folder(t)
	args := []string{"-seed", "7", "-samples", "3", "-sizes", "4,8,12,40", "-budget", "640", dir}
	got := table(t, args...)
	if *update {
		require.NoError(t, os.WriteFile(golden, []byte(got), 0o644))
	}
	want, err := os.ReadFile(golden)
	require.NoError(t, err)
	assert.Equal(t, string(want), got, "go test ./bench/listing -update")
	for range 3 {
		assert.Equal(t, got, table(t, args...), "equal input, equal output")
	}
	assert.NotEqual(t, got, table(t, append([]string{"-seed", "8"}, args[2:]...)...), "the seed draws")
}

// What is in the table has to be so, whatever the numbers are.
func TestRows(t *testing.T) {
	for name, dir := range map[string]func(*testing.T) string{
		"made up": folder,
		"real":    func(t *testing.T) string { return testkit.Shared(t, "SKILLS_CORPUS", "corpus") + "/dev" },
	} {
		t.Run(name, func(t *testing.T) {
			var r result
			require.NoError(t, json.Unmarshal([]byte(table(t, "-json", "-sizes", "8,100", "-samples", "4", "-budget", "640", dir(t))), &r))
			require.Len(t, r.Rows, 2*len(modes(1)))
			assert.Positive(t, r.Queries)
			byMode := make(map[string]row)
			for _, row := range r.Rows {
				byMode[row.Mode] = row // those of the larger sets stay
				for _, f := range []rank.Finding{row.BM25, row.Trigram} {
					assert.True(t, 0 <= f.Hit1 && f.Hit1 <= f.MRR && f.MRR <= 1 && f.Hit1 <= f.Hit5 && f.Hit5 <= 1, "%s: %+v", row.Mode, f)
				}
				assert.Positive(t, row.Queries)
				assert.Equal(t, row.Mode == "names only", row.Text == 0 && row.Tiers == nil, row.Mode)
			}
			full, bare := byMode["full descriptions"], byMode["names only"]
			assert.Greater(t, full.BM25.Hit5, bare.BM25.Hit5, "descriptions help")
			assert.Greater(t, full.Trigram.MRR, bare.Trigram.MRR)
			assert.Zero(t, full.Changed+bare.Changed+byMode["entry cap only"].Changed, "nothing is cut, so nothing changes")
		})
	}
}

func TestChanged(t *testing.T) {
	before := &listing{lines: []string{"a: one", "c: three"}, at: map[string]int{"a": 0, "c": 1}}
	after := &listing{lines: []string{"a: one", "b: two", "c: th…"}, at: map[string]int{"a": 0, "b": 1, "c": 2}}
	assert.Equal(t, 0.5, before.changed(after), "the new line is no change")
	assert.Zero(t, before.changed(before))
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
		{"no queries", []string{silent}, "when to use it"},
		{"no size", []string{"-sizes", "10,x", one}, `"x" is no number`},
		{"a set of one changes nothing", []string{"-sizes", "1", one}, `"1" is no number from 2 on`},
		{"no samples", []string{"-samples", "0", one}, "must be 1 or more"},
		{"no budget", []string{"-budget", "0", one}, "must be 1 or more"},
		{"no such flag", []string{"-window", "1", one}, "not defined: -window"},
	} {
		t.Run(tt.reason, func(t *testing.T) {
			var out bytes.Buffer
			assert.ErrorContains(t, run(context.Background(), &out, tt.args), tt.want)
			assert.Empty(t, out.String())
		})
	}
	var out bytes.Buffer
	assert.ErrorIs(t, run(context.Background(), &out, []string{"-h"}), flag.ErrHelp)
	assert.Equal(t, 5, strings.Count(out.String(), "\n  -"), "every flag is explained")
}
