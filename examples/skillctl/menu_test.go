package main

import (
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/seed-12b313d8/skills/internal/testkit"
)

func menuTree(t *testing.T) string {
	return testkit.Tree(t, map[string]string{
		"home/.claude/skills/commit/SKILL.md":                              testkit.SkillText("B.", "description: Writes the message of what is staged and then makes the commit", "argument-hint: '[subject]'", "aliases: save"),
		"proj/.claude/skills/deploy/SKILL.md":                              testkit.SkillText("B.", "description: \"Brings it\\n  to the server\"", "argument-hint: a hint that is longer than its column", "disable-model-invocation: true"),
		"proj/.claude/skills/gofix/SKILL.md":                               testkit.SkillText("B.", "description: Mends Go", "paths: '*.go'"),
		"proj/.claude/skills/hidden/SKILL.md":                              testkit.SkillText("B.", "description: For the model", "user-invocable: false"),
		"proj/.claude/skills/提交/SKILL.md":                                  testkit.SkillText("B.", "description: 写提交信息"),
		"proj/.claude/commands/old/x.md":                                   "Does $0.",
		"proj/web/.claude/skills/n/SKILL.md":                               testkit.SkillText("B.", "description: Nested"),
		"proj/.claude/skills/" + strings.Repeat("long-", 12) + "/SKILL.md": testkit.SkillText("B.", "description: A name that is longer than its column shifts only its own row, and keeps a little of this"),
	})
}

func TestMenu(t *testing.T) {
	root := menuTree(t)
	for _, tt := range []struct {
		reason string
		args   []string
		want   string
		names  []any
	}{
		{"02 §5: a name by its beginning", []string{"com"}, "/commit  [subject]  user  Writes the message of what is staged and then makes t…\n", []any{"commit"}},
		{"02 §5: letter case and the slash do not count", []string{"/COM"}, "/commit  [subject]  user  Writes the message of what is staged and then makes t…\n", []any{"commit"}},
		{"02 §5: aliases complete too", []string{"sav"}, "/commit  [subject]  user  Writes the message of what is staged and then makes t…\n", []any{"commit"}},
		{"02 §5: the user may, though the model may not; one line", []string{"dep"}, "/deploy  a hint that is long…  project  Brings it to the server\n", []any{"deploy"}},
		{"02 §5: a locked one is marked", []string{"go"}, "/gofix  project  locked  Mends Go\n", []any{"gofix"}},
		{"02 §5: and not once it is unlocked", []string{"go", "--touch", "x.go"}, "/gofix  project  Mends Go\n", []any{"gofix"}},
		{"02 §5: hidden ones are left out", []string{"hid"}, "", nil},
		{"04 §5: denied ones, too", []string{"com", "--deny", "Skill(COMMIT)"}, "", nil},
		{"the last part of a name", []string{"x"}, "/old:x  legacy  Does $0.\n", []any{"old:x"}},
		{"nested skills say where", []string{"n", "--touch", "web/x"}, "/n  project web  Nested\n", []any{"n"}},
		{"a name that is two columns a character", []string{"提"}, "/提交  project  写提交信息\n", []any{"提交"}},
	} {
		t.Run(tt.reason, func(t *testing.T) {
			require.NotEmpty(t, tt.reason)
			v := ctlJSON(t, root, exitOK, append([]string{"menu"}, tt.args...)...)
			assert.Len(t, v, 1)
			assert.Equal(t, tt.names, namesOf(v["menu"]))
			in := []string{"--project", filepath.Join(root, "proj"), "--home", filepath.Join(root, "home"), "menu"}
			out, errs, code := ctl(t, append(in, tt.args...)...)
			assert.Equal(t, exitOK, code)
			assert.Equal(t, tt.want, out)
			assert.Equal(t, tt.want == "", strings.Contains(errs, "there is nothing to type that begins with"), errs)
		})
	}
}

// All rows stand in the same columns and keep the width, but those whose
// names are too long for both.
func TestMenuColumns(t *testing.T) {
	root := menuTree(t)
	out, errs, code := ctl(t, "--project", filepath.Join(root, "proj"), "--home", filepath.Join(root, "home"), "menu")
	require.Equal(t, exitOK, code, errs)
	lines := strings.Split(out, "\n")
	assert.Equal(t, menuWidth, cells(lines[0]))
	assert.Equal(t, strings.Join([]string{
		"/commit  [subject]             user             Writes the message of what is s…",
		"/deploy  a hint that is long…  project          Brings it to the server",
		"/gofix                         project  locked  Mends Go",
		"/" + strings.Repeat("long-", 12) + "  project  A name that is long…",
		"/old:x                         legacy           Does $0.",
		"/提交                          project          写提交信息",
	}, "\n")+"\n", out)
}

func TestMenuShape(t *testing.T) {
	root := menuTree(t)
	v := ctlJSON(t, root, exitOK, "menu", "deploy")
	assert.Equal(t, []any{map[string]any{
		"name": "deploy", "argument_hint": "a hint that is longer than its column", "description": "Brings it\n  to the server",
		"origin": "project", "plugin": "", "locked": false,
	}}, v["menu"], "nothing is cut for a program")
	v = ctlJSON(t, root, exitOK, "menu", "nothing")
	assert.Equal(t, map[string]any{"menu": []any{}}, v, "lists are never null")
}

func TestCutCells(t *testing.T) {
	for _, tt := range []struct {
		reason, text string
		n            int
		want         string
	}{
		{"it fits", "abcde", 5, "abcde"},
		{"one too many", "abcdef", 5, "abcd…"},
		{"no blank before the …", "abc def", 5, "abc…"},
		{"one line", "a\r\n b\u2028c\td", 20, "a b c d"},
		{"no control character", "a\x1b[2Jb", 20, "a?[2Jb"},
		{"no change of direction", "a\u202eb", 20, "a?b"},
		{"wide characters", "提交信息", 8, "提交信息"},
		{"a wide character does not fit by half", "提交信息", 6, "提交…"},
		{"a mark stays with its letter", "abcde\u0301fg", 6, "abcde\u0301…"},
		{"no joiner at the end", "a👩\u200d👩", 4, "a👩…"},
		{"half-width letters", "ｱｲｳ", 3, "ｱｲｳ"},
		{"not UTF-8", "a\xffb", 3, "a\uFFFDb"},
	} {
		require.NotEmpty(t, tt.reason)
		assert.Equal(t, tt.want, cutCells(tt.text, tt.n), tt.reason)
	}
}

func FuzzCutCells(f *testing.F) {
	for n, text := range []string{"", "", "提交 信息\u200d\u0301 abc", "👩\u200d👩\u200d👩", "a\xff\xfe\x1b[2J", "\u202e \u2028", "ｱｲｳ ＡＢ"} {
		f.Add(text, n)
	}
	f.Fuzz(func(t *testing.T, text string, n int) {
		if n < 1 || n > 100 {
			t.Skip("no width")
		}
		got := cutCells(text, n)
		require.LessOrEqual(t, cells(got), n)
		require.True(t, utf8.ValidString(got))
		require.NotContains(t, got, "\n")
		require.Equal(t, got, cutCells(got, n), "what fits is left alone")
	})
}
