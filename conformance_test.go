package skills_test

import (
	"context"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/seed-12b313d8/skills"
)

// A treeRow is a small tree that some loaders lose or misread, and what this
// one makes of it. Every row is loaded beside a good skill, which it must not
// disturb.
type treeRow struct {
	reason string
	// files lie below a skills directory of the user.
	files map[string]string
	// want is the skill's name, "" for a tree without one.
	want string
	// codes are "code:line" of the issues, info included, in any order.
	codes string
	// check looks at the skill.
	check func(t *testing.T, s *skills.Skill)
}

const neighbour = "zz-good"

func (r *treeRow) load(t *testing.T, change ...func(*skills.Options)) (*skills.Registry, *skills.Skill) {
	t.Helper()
	require.NotEmpty(t, r.reason)
	const base = "home/.claude/skills/"
	tree := map[string]string{base + neighbour + "/SKILL.md": skill("Good body.\n", "description: good")}
	for name, text := range r.files {
		tree[filepath.ToSlash(filepath.Clean(base+name))] = text
	}
	reg, _ := openTree(t, tree, change...)
	sess := reg.NewSession("", nil)
	good, err := sess.Lookup(neighbour)
	require.NoError(t, err, "a bad neighbour never matters")
	assert.Equal(t, "good", good.Description)
	assert.Equal(t, "Good body.\n", bodyOf(t, good))

	wantNames := []string{neighbour}
	if r.want != "" {
		wantNames = []string{r.want, neighbour}
		slices.Sort(wantNames)
	}
	var got []string
	for s := range reg.Snapshot().All() {
		got = append(got, s.Name)
	}
	slices.Sort(got)
	assert.Equal(t, wantNames, got)
	assert.Equal(t, r.codes, codesOf(reg.Snapshot().Issues()))
	if r.want == "" {
		return reg, nil
	}
	s, err := sess.Lookup(r.want)
	require.NoError(t, err)
	return reg, s
}

func codesOf(issues []skills.Issue) string {
	var out []string
	for _, i := range issues {
		out = append(out, string(i.Code)+":"+strconv.Itoa(i.Line))
	}
	slices.Sort(out)
	return strings.Join(out, ",")
}

func bodyOf(t *testing.T, s *skills.Skill) string {
	t.Helper()
	body, err := s.Body(context.Background())
	require.NoError(t, err)
	return body
}

// hasDescription and the like make the checks of rows.
func hasDescription(want string) func(*testing.T, *skills.Skill) {
	return func(t *testing.T, s *skills.Skill) { assert.Equal(t, want, s.Description) }
}

func hasBody(want string) func(*testing.T, *skills.Skill) {
	return func(t *testing.T, s *skills.Skill) { assert.Equal(t, want, bodyOf(t, s)) }
}

func hasTools(want ...string) func(*testing.T, *skills.Skill) {
	return func(t *testing.T, s *skills.Skill) { assert.Equal(t, want, s.AllowedTools) }
}

func hasPaths(want ...string) func(*testing.T, *skills.Skill) {
	return func(t *testing.T, s *skills.Skill) { assert.Equal(t, want, s.Paths) }
}

func isLabelled(want string) func(*testing.T, *skills.Skill) {
	return func(t *testing.T, s *skills.Skill) {
		assert.Equal(t, want, s.DisplayName)
		assert.False(t, s.Degraded)
	}
}

func isDegraded(t *testing.T, s *skills.Skill) {
	assert.True(t, s.Degraded)
	assert.True(t, s.DisableModelInvocation, "D4: fails closed")
	assert.Empty(t, s.AllowedTools)
}

func both(a, b func(*testing.T, *skills.Skill)) func(*testing.T, *skills.Skill) {
	return func(t *testing.T, s *skills.Skill) { a(t, s); b(t, s) }
}

// one is the usual tree: a single SKILL.md in the folder "case".
func one(doc string) map[string]string { return map[string]string{"case/SKILL.md": doc} }

// conformanceRows are 39 one-skill trees, from the minimal one to those that
// most loaders drop, or for which they drop everything else.
func conformanceRows() []treeRow {
	return []treeRow{
		{"minimal", one("---\nname: case\ndescription: Renames files.\n---\nBody.\n"), "case", "", both(hasDescription("Renames files."), hasBody("Body.\n"))},
		{"R5: no frontmatter", one("# Heading\n\nRenames files\nin bulk.\n"), "case", "no-frontmatter:1", hasDescription("Renames files in bulk.")},
		{"01 §3: no name", one("---\ndescription: d\n---\n"), "case", "", isLabelled("")},
		{"01 §3: no description", one("---\nname: case\n---\nThe first paragraph.\n"), "case", "", hasDescription("The first paragraph.")},
		{"R3: CRLF", one("---\r\nname: case\r\ndescription: d\r\n---\r\none\r\ntwo\r\n"), "case", "", both(hasDescription("d"), hasBody("one\ntwo\n"))},
		{"R3: byte order mark", one("\ufeff---\ndescription: d\n---\nx\n"), "case", "", both(hasDescription("d"), hasBody("x\n"))},
		{"01 §4: a colon in a plain value", one("---\ndescription: Use it for: files, and more: folders\n---\n"), "case", "invalid-yaml:2,yaml-recovered:2", hasDescription("Use it for: files, and more: folders")},
		{"01 §4: a glob in a plain value", one("---\ndescription: d\npaths: **/*.ts\n---\n"), "case", "invalid-yaml:3,yaml-recovered:3", hasPaths("**/*.ts")},
		{"01 §3: a hint in brackets", one("---\ndescription: d\nargument-hint: [file] [mode]\n---\n"), "case", "invalid-yaml:3,yaml-recovered:3", func(t *testing.T, s *skills.Skill) { assert.Equal(t, "[file] [mode]", s.ArgumentHint) }},
		{"01 §4: a tab as indentation", one("---\ndescription: d\nmetadata:\n\tauthor: me\n---\n"), "case", "bad-field:3,invalid-yaml:3,yaml-recovered:3", hasDescription("d")},
		{"R4: three dashes inside a value", one("---\ndescription: before --- after\n---\nBody.\n"), "case", "", both(hasDescription("before --- after"), hasBody("Body.\n"))},
		{"R4: the closing fence ends the file", one("---\ndescription: d\n---"), "case", "", both(hasDescription("d"), hasBody(""))},
		{"R4: blanks after the closing fence", one("---\ndescription: d\n--- \t \nx"), "case", "", both(hasDescription("d"), hasBody("x"))},
		{"R4: blank lines before the opening fence", one("\n  \n---\ndescription: d\n---\nx"), "case", "", both(hasDescription("d"), hasBody("x"))},
		{"01 §3: tools as a string", one("---\ndescription: d\nallowed-tools: Read, Bash(git add *)\n---\n"), "case", "", hasTools("Read", "Bash(git add *)")},
		{"01 §3: tools as a list", one("---\ndescription: d\nallowed-tools:\n  - Read\n  - Bash(git add *)\n---\n"), "case", "", hasTools("Read", "Bash(git add *)")},
		{"01 §3: an unknown field", one("---\ndescription: d\nvibe: calm\n---\n"), "case", "", func(t *testing.T, s *skills.Skill) { assert.Equal(t, map[string]any{"vibe": "calm"}, s.Extra) }},
		{"01 §3: the fields of this format's extensions", one("---\ndescription: d\nwhen_to_use: w\nargument-hint: <n>\nmodel: opus\ncontext: fork\nagent: Explore\nuser-invocable: true\neffort: high\n---\n"), "case", "", func(t *testing.T, s *skills.Skill) {
			assert.Equal(t, []any{"w", "<n>", "opus", skills.ModeFork, "Explore", "high"}, []any{s.WhenToUse, s.ArgumentHint, s.Model, s.Mode, s.Agent, s.Effort})
		}},
		{"01 §3: nested metadata", one("---\ndescription: d\nmetadata:\n  tags: [a, b]\n  owner: {team: x}\n---\n"), "case", "", func(t *testing.T, s *skills.Skill) {
			assert.Equal(t, map[string]any{"metadata": map[string]any{"tags": []any{"a", "b"}, "owner": map[string]any{"team": "x"}}}, s.Extra)
		}},
		{"01 §3: a number as name", one("---\nname: 3000\ndescription: d\n---\n"), "case", "name-differs:2", isLabelled("3000")},
		{"N1: a name that differs from the folder", one("---\nname: another\ndescription: d\n---\n"), "case", "name-differs:2", isLabelled("another")},
		{"N2: upper case", one("---\nname: CaseSkill\ndescription: d\n---\n"), "case", "name-differs:2", isLabelled("CaseSkill")},
		{"N2: a blank in the name", one("---\nname: my skill\ndescription: d\n---\n"), "case", "name-differs:2", isLabelled("my skill")},
		{"N2: another script", map[string]string{"残量/SKILL.md": "---\nname: 残量\ndescription: d\n---\n"}, "残量", "", isLabelled("残量")},
		{"N2: a description of 1,100 bytes", one("---\ndescription: " + strings.Repeat("d", 1100) + "\n---\n"), "case", "", hasDescription(strings.Repeat("d", 1100))},
		{"01 §3: a block scalar", one("---\ndescription: |\n  one\n  two\nname: case\n---\n"), "case", "", hasDescription("one\ntwo")},
		{"01 §3: a plain value over several lines", one("---\ndescription:\n  one\n  two\nname: case\n---\n"), "case", "", hasDescription("one two")},
		{"01 §4: a key twice", one("---\ndescription: first\ndescription: second\n---\n"), "case", "duplicate-key:3", hasDescription("second")},
		{"01 §3: a boolean in quotes", one("---\ndescription: d\ndisable-model-invocation: \"true\"\n---\n"), "case", "", func(t *testing.T, s *skills.Skill) { assert.True(t, s.DisableModelInvocation) }},
		{"01 §3: a boolean that is none", one("---\ndescription: d\ndisable-model-invocation: perhaps\n---\n"), "case", "bad-boolean:3", func(t *testing.T, s *skills.Skill) { assert.True(t, s.DisableModelInvocation) }},
		{"R9: skill.md", map[string]string{"case/skill.md": skill("", "description: d")}, "case", "filename-case:0", hasDescription("d")},
		{"R5: an empty file", one(""), "case", "no-frontmatter:1", hasDescription("case")},
		{"01 §4: frontmatter that is null", one("---\n---\nBody.\n"), "case", "", both(hasDescription("Body."), hasBody("Body.\n"))},
		{"01 §4.5: frontmatter that is a list", one("---\n- one\n- two\n---\nBody.\n"), "case", "not-a-mapping:2", both(isDegraded, hasDescription("Body."))},
		{"01 §5: a skill in a group", map[string]string{"ns/inner/SKILL.md": skill("", "description: d")}, "ns:inner", "", hasDescription("d")},
		{"R8: a linked folder", map[string]string{"../../store/case/SKILL.md": skill("", "description: d"), "case": "-> ../../store/case"}, "case", "", hasDescription("d")},
		{"R8: a linked file", map[string]string{"../../store/s.md": skill("", "description: d"), "case/SKILL.md": "-> ../../../store/s.md"}, "case", "", hasDescription("d")},
		{"01 §7.1: a folder and a link to it", map[string]string{"case/SKILL.md": skill("", "description: d"), "other": "-> case"}, "case", "", hasDescription("d")},
		{"01 §4: one file that cannot be read as YAML at all", one("---\n%$ [ { nothing\n---\nBody.\n"), "case", "not-a-mapping:2", isDegraded},
	}
}

// All 39 load, under the name of their folder (01 N1), values and all.
func TestConformance(t *testing.T) {
	rows := conformanceRows()
	require.Len(t, rows, 39)
	for _, row := range rows {
		t.Run(row.reason, func(t *testing.T) {
			_, s := row.load(t, func(o *skills.Options) {
				if row.want == "ns:inner" {
					o.Scan.MaxDepth = 2
				}
			})
			row.check(t, s)
		})
	}
}

// All of them in one directory: as many skills as trees (01 R8: the rest loads).
func TestConformanceTogether(t *testing.T) {
	tree := make(map[string]string)
	for i, row := range conformanceRows() {
		for name, text := range row.files {
			if rest, ok := strings.CutPrefix(name, "case"); ok && !strings.HasPrefix(text, "-> ") {
				tree["home/.claude/skills/n"+strconv.Itoa(i)+rest] = text
			}
		}
	}
	reg, _ := openTree(t, tree)
	assert.Len(t, all(reg), len(tree))
	assert.GreaterOrEqual(t, len(tree), 35)
}
