package skills_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/seed-12b313d8/skills"
	"github.com/seed-12b313d8/skills/internal/testkit"
)

// header is a one-skill tree with these frontmatter lines and a short body.
func header(lines ...string) map[string]string { return one(skill("Body.\n", lines...)) }

// Small files that other loaders misread.
func TestFrontmatterRows(t *testing.T) {
	for _, row := range []treeRow{
		{"R4: empty frontmatter", one("---\n---\nBody"), "case", "", hasBody("Body")},
		{"R4: a blank line as frontmatter", one("---\n\n---\nBody"), "case", "", hasBody("Body")},
		{"R4: dashes inside a value end nothing", header("description: a --- b"), "case", "", both(hasDescription("a --- b"), hasBody("Body.\n"))},
		{"R4: nor in a quoted one", header(`description: "a\n---\nb"`), "case", "", hasDescription("a\n---\nb")},
		{"R4: nor in a block scalar", header("description: |", "  a", "  ---", "  b", "name: case"), "case", "", both(hasDescription("a\n---\nb"), isLabelled("case"))},
		{"R4: four dashes are no fence", one("---\ndescription: d\n----\nname: case\n---\nBody"), "case", "invalid-yaml:2,yaml-recovered:2", hasBody("Body")},
		{"R4: a document end marker is no fence", one("---\ndescription: d\n...\n---\nBody"), "case", "", hasBody("Body")},
		{"R4: rules in the body belong to it", one("---\ndescription: d\n---\nx\n\n---\n\ny: 1\n\n---\nz"), "case", "", hasBody("x\n\n---\n\ny: 1\n\n---\nz")},
		{"R4: a fence after text is body", one("x\n---\ndescription: d\n---\n"), "case", "no-frontmatter:1", hasBody("x\n---\ndescription: d\n---\n")},
		{"R3: CR alone ends lines", one("---\rdescription: d\r---\rone\rtwo"), "case", "", both(hasDescription("d"), hasBody("one\ntwo"))},
		{"R3: byte order mark and CRLF", one("\ufeff---\r\ndescription: d\r\n---\r\nx"), "case", "", both(hasDescription("d"), hasBody("x"))},
		{"R3: a byte order mark later is data", one("---\ndescription: d\n---\na\ufeffb"), "case", "", hasBody("a\ufeffb")},
		{"R3: NUL in a value", header("description: a\x00b"), "case", "nul-byte:2", hasDescription("a\ufffdb")},
		{"R3: invalid UTF-8 in a value", header("description: a\xff\xfeb"), "case", "invalid-utf8:2", hasDescription("a\ufffd\ufffdb")},
		{"R6: no closing fence", one("---\ndescription: d\nBody."), "case", "unclosed-frontmatter:1", isDegraded},
		{"R6: an indented fence closes nothing", one("---\ndescription: d\n  ---\nBody."), "case", "unclosed-frontmatter:1", isDegraded},
		{"R6: TOML is not frontmatter", one("+++\ndescription = \"d\"\n+++\nBody."), "case", "no-frontmatter:1", hasBody("+++\ndescription = \"d\"\n+++\nBody.")},
		{"R6: JSON is not frontmatter", one("{\"description\": \"d\"}\n\nBody."), "case", "no-frontmatter:1", hasBody("{\"description\": \"d\"}\n\nBody.")},
		{"01 §4: a mapping nobody closes", header("{description: d"), "case", "not-a-mapping:2", isDegraded},
		{"01 §4: no blank after the colon", header("name:x", "description:d"), "case", "invalid-yaml:2,invalid-yaml:3,name-differs:2,yaml-recovered:2", both(isLabelled("x"), hasDescription("d"))},
		{"01 §3: all keys indented alike", header("  name: case", "  description: d"), "case", "", both(isLabelled("case"), hasDescription("d"))},
		{"01 §3: a continuation line", header("description: one", "  two"), "case", "", hasDescription("one two")},
		{"01 §3: a comment line", header("# note", "description: d # not this"), "case", "", hasDescription("d")},
		{"01 §3: # without a blank before it", header("description: a#b"), "case", "", hasDescription("a#b")},
		{"01 §3: quotes are taken off", header(`description: "d"`, "name: 'case'"), "case", "", both(isLabelled("case"), hasDescription("d"))},
		{"01 §3: an apostrophe is text", header("description: What's included"), "case", "", hasDescription("What's included")},
		{"01 §3: name and description without a value", header("name:", "description:"), "case", "", both(isLabelled(""), hasDescription("Body."))},
		{"01 §3: an empty block scalar", header("description: |", "name: case"), "case", "", both(isLabelled("case"), hasDescription("Body."))},
		{"01 §3: folded, chomped", header("description: >-", "  one", "  two", "", "  three"), "case", "", hasDescription("one two\nthree")},
		{"01 §3: literal, kept", header("description: |+", "  one", "", ""), "case", "", hasDescription("one")},
		{"01 §3: a block scalar beside a field that is broken", header("description: |", "  AWS: ECS", "tags: [next,@supabase/ssr]"), "case", "invalid-yaml:4,yaml-recovered:4", hasDescription("AWS: ECS")},
		{"01 §3: a boolean, a date and a hex number are text", header("name: yes", "description: 2024-01-01", "when_to_use: 0x1F"), "case", "name-differs:2", func(t *testing.T, s *skills.Skill) {
			assert.Equal(t, []string{"yes", "2024-01-01", "0x1F"}, []string{s.DisplayName, s.Description, s.WhenToUse})
		}},
		{"01 §4: a value that is never closed", header("description: [unclosed"), "case", "invalid-yaml:2,yaml-recovered:2", hasDescription("[unclosed")},
		{"01 §4: a nested value with a colon", header("description: d", "metadata:", "  short: What's included: x"), "case", "bad-field:3,invalid-yaml:3,yaml-recovered:3", hasDescription("d")},
		{"01 §3: a child called name is not the name", header("description: d", "metadata:", "  name: child"), "case", "", isLabelled("")},
		{"01 §3: a very long description loads whole", header("description: " + strings.Repeat("é", 1025)), "case", "", hasDescription(strings.Repeat("é", 1025))},
		{"01 §3: so does a long compatibility", header("description: d", "compatibility: "+strings.Repeat("x", 600)), "case", "", func(t *testing.T, s *skills.Skill) { assert.Len(t, s.Extra["compatibility"], 600) }},
		{"01 §3: a licence that looks like a boolean", header("description: d", "license: true"), "case", "", func(t *testing.T, s *skills.Skill) { assert.Equal(t, map[string]any{"license": "true"}, s.Extra) }},
		{"01 §3: metadata that is text", header("description: d", "metadata: text"), "case", "bad-field:3", func(t *testing.T, s *skills.Skill) { assert.Empty(t, s.Extra) }},
		{"01 §3: other programs' keys are not read as ours", header("description: d", "tools: Bash", "globs: '*.go'", "title: T", "args: [a]", "triggers: [x]"), "case", "", func(t *testing.T, s *skills.Skill) {
			assert.Empty(t, s.AllowedTools)
			assert.Empty(t, s.Paths)
			assert.Empty(t, s.Arguments)
			assert.Len(t, s.Extra, 5)
		}},
		{"01 §3: the heading gives the description no mark", one("# Title\n\n## Part\n\nProse."), "case", "no-frontmatter:1", hasDescription("Prose.")},
		{"01 §3: a body without prose", one("# Only a heading\n"), "case", "no-frontmatter:1", hasDescription("Only a heading")},
		{"01 §3: model, padded", header("description: d", "model: '  m '"), "case", "", func(t *testing.T, s *skills.Skill) { assert.Equal(t, "m", s.Model) }},
		{"01 §3: model, a number", header("description: d", "model: 123"), "case", "", func(t *testing.T, s *skills.Skill) { assert.Equal(t, "123", s.Model) }},
		{"01 §3: model is passed on verbatim", header("description: d", "model: Inherit"), "case", "", func(t *testing.T, s *skills.Skill) { assert.Equal(t, "Inherit", s.Model) }},
	} {
		t.Run(row.reason, func(t *testing.T) {
			_, s := row.load(t)
			row.check(t, s)
		})
	}
}

func TestToolAndPathRows(t *testing.T) {
	for _, row := range []treeRow{
		{"01 §3: blanks between tools", header("description: d", "allowed-tools: A  B   C"), "case", "", hasTools("A", "B", "C")},
		{"01 §3: commas between tools", header("description: d", "allowed-tools: A,B,C"), "case", "", hasTools("A", "B", "C")},
		{"01 §3: one tool", header("description: d", "allowed-tools: Read"), "case", "", hasTools("Read")},
		{"01 §3: commas and blanks inside brackets", header("description: d", "allowed-tools: Bash(git add:*, git commit *) mcp__srv__*"), "case", "", hasTools("Bash(git add:*, git commit *)", "mcp__srv__*")},
		{"01 §3: each item of a list is split the same way", header("description: d", "allowed-tools: ['A, B', 'Bash(a b)']"), "case", "", hasTools("A", "B", "Bash(a b)")},
		{"01 §3: odd items of a list", header("description: d", "allowed-tools: [' A ', null, '  ', B]"), "case", "", hasTools("A", "B")},
		{"01 §3: an empty list", header("description: d", "allowed-tools: []"), "case", "", hasTools([]string(nil)...)},
		{"01 §3: a bracket that is not closed", header("description: d", "allowed-tools: Bash(git add, Read"), "case", "bad-tool-rule:3", hasTools("Bash(git add, Read")},
		{"01 §3: a bracket that is not opened", header("description: d", "allowed-tools: Bash), Read"), "case", "bad-tool-rule:3", hasTools("Bash)", "Read")},
		{"01 §4.4: tools of guesswork are dropped", header("description: d", "allowed-tools: [Bash, {"), "case", "invalid-yaml:3,unsafe-field-dropped:3,yaml-recovered:3", hasTools([]string(nil)...)},
		{"01 §4.4: tools given twice in two spellings are dropped", header("description: d", "allowed-tools: Read", "allowed_tools: Bash"), "case", "duplicate-key:4,unsafe-field-dropped:4", hasTools([]string(nil)...)},
		{"01 §3: paths as a list", header("description: d", "paths: ['*.go', 'src/**']"), "case", "", hasPaths("*.go", "src/**")},
		{"01 §3: paths as text", header("description: d", "paths: '*.go, src/{a,b}/*'"), "case", "", hasPaths("*.go", "src/{a,b}/*")},
		{"01 §3: no paths", header("description: d", "paths: []"), "case", "", hasPaths([]string(nil)...)},
		{"01 §3: null paths", header("description: d", "paths:"), "case", "", hasPaths([]string(nil)...)},
		{"01 §3: blank paths", header("description: d", "paths: ['', ' ']"), "case", "", hasPaths([]string(nil)...)},
		{"01 §3: a number among the paths", header("description: d", "paths: [123]"), "case", "", hasPaths("123")},
		{"01 §3: a map of paths", header("description: d", "paths: {a: b}"), "case", "bad-field:3", hasPaths([]string(nil)...)},
		{"03 A3: paths outside are kept and match nothing", header("description: d", "paths: ['../*.ts', '/etc/x']"), "case", "never-matches:3", hasPaths("../*.ts", "/etc/x")},
	} {
		t.Run(row.reason, func(t *testing.T) {
			_, s := row.load(t)
			row.check(t, s)
		})
	}
}

// Limits are on sizes of files and headers, not on lines (01 R1).
func TestLongLines(t *testing.T) {
	long := strings.Repeat("x", 70<<10)
	for _, row := range []treeRow{
		{"R1: a long line in the body", one(skill(long+"\nend", "description: d")), "case", "", hasBody(long + "\nend")},
		{"R1: a long line in a short-headed file without description", one(skill(long + "\nend")), "case", "", func(t *testing.T, s *skills.Skill) { assert.NotEmpty(t, s.Description) }},
		{"R1: a header of almost 64 KiB", one(skill("Body.", "description: "+long[:63<<10])), "case", "", hasDescription(long[:63<<10])},
		{"R1: a header over 64 KiB", one(skill("Body.", "description: "+long)), "case", "frontmatter-too-large:1", both(isDegraded, hasDescription("Body."))},
		{"R1: a key over 256", one(skill("Body.", strings.Split(strings.TrimSpace(strings.Repeat("k: v\n", 257)), "\n")...)), "case", "too-many-keys:2", isDegraded},
		{"R1: tabs in the body are kept", one(skill("\tgo build\nkey\tvalue\n", "description: d")), "case", "", hasBody("\tgo build\nkey\tvalue\n")},
	} {
		t.Run(row.reason, func(t *testing.T) {
			_, s := row.load(t)
			row.check(t, s)
		})
	}
}

func TestFolderNameRows(t *testing.T) {
	doc := skill("", "description: d")
	for _, tt := range []struct {
		reason, folder, issue string
	}{
		{"N2: 64 characters", strings.Repeat("n", 64), ""},
		{"N2: 64 characters of another script", strings.Repeat("残", 64), ""},
		{"N2: 65 characters", strings.Repeat("n", 65), "bad-name"},
		{"N2: a hyphen at the start", "-a", ""},
		{"N2: a hyphen at the end", "a-", ""},
		{"N2: two hyphens", "a--b", ""},
		{"N2: upper case", "A", ""},
		{"N2: an underscore", "a_b", ""},
		{"N2: a blank", "a b", ""},
		{"N2: a dot", "v2.0", ""},
		{"N2: digits", "123", ""},
		{"N2: Chinese", "中文助手", ""},
		{"N2: Cyrillic", "мой-навык", ""},
		{"N2: an accent, decomposed", "re\u0301daction", ""},
		{"N2: a quote", `a"b'c`, ""},
		{"N2: a backtick and a dollar sign", "a`$(b)", ""},
		{"N2: a leading blank", " a", "bad-name"},
		{"N2: a trailing blank", "a ", "bad-name"},
		{"N2: a line break", "a\nb", "bad-name"},
		{"N2: an angle bracket", "ok<x", "bad-name"},
		{"N2: a backslash", `a\b`, "bad-name"},
		{"N2: dots that climb", "..a", "bad-name"},
		{"N2: a bidi override", "a\u202eb", "bad-name"},
		{"N2: a tag character", "a\U000e0041", "bad-name"},
		{"N2: a zero-width space", "a\u200b", "bad-name"},
		{"N2: the reserved prefix", "_canonical_x", "bad-name"},
	} {
		t.Run(tt.reason, func(t *testing.T) {
			reg, root := openTree(t, map[string]string{
				"home/.claude/skills/" + tt.folder + "/SKILL.md": doc,
				"home/.claude/skills/good/SKILL.md":              doc,
			})
			if tt.issue != "" {
				assert.Equal(t, []string{"good user"}, all(reg))
				require.Len(t, issues(reg, root), 1)
				assert.Equal(t, tt.issue, string(reg.Snapshot().Issues()[0].Code))
				return
			}
			assert.Empty(t, issues(reg, root))
			s, err := reg.NewSession("", nil).Lookup(tt.folder)
			require.NoError(t, err, "N2: as written after NFC")
			assert.Equal(t, "d", s.Description)
			assert.Len(t, all(reg), 2)
		})
	}
}

func TestDiscoveryRows(t *testing.T) {
	doc := skill("", "description: d")
	for _, tt := range []struct {
		reason string
		tree   map[string]string
		change func(*skills.Locations)
		want   string
		issues string
	}{
		{reason: "R8: nothing there at all", tree: map[string]string{"proj/": ""}},
		{reason: "R8: an empty skills directory", tree: map[string]string{"proj/.claude/skills/": ""}},
		{reason: "01 §5: a SKILL.md in a folder of resources is none", tree: map[string]string{"proj/.claude/skills/a/SKILL.md": doc, "proj/.claude/skills/a/references/SKILL.md": doc}, want: "a project"},
		{reason: "01 §5: sorted whatever the order of creation", tree: map[string]string{"proj/.claude/skills/b/SKILL.md": doc, "proj/.claude/skills/a/SKILL.md": doc, "proj/.claude/skills/B/SKILL.md": doc}, want: "B project,a project,b project"},
		{reason: "E13: a name that begins like another", tree: map[string]string{"proj/.claude/skills/ship/SKILL.md": doc, "proj/.claude/skills/ship-notes/SKILL.md": doc}, want: "ship project,ship-notes project"},
		{reason: "N2: names that differ in case only", tree: map[string]string{"proj/.claude/skills/alpha/SKILL.md": doc, "proj/.claude/skills/Alpha/SKILL.md": doc}, want: "Alpha project,alpha project"},
		{reason: "01 §5: hidden folders are folders", tree: map[string]string{"proj/.claude/skills/.x/SKILL.md": doc}, want: ".x project"},
		{reason: "R8: a linked project", tree: map[string]string{"real/.claude/skills/a/SKILL.md": doc, "proj": "-> real"}, want: "a project"},
		{reason: "R8: a linked brand folder inside the project", tree: map[string]string{"proj/cfg/skills/a/SKILL.md": doc, "proj/.claude": "-> cfg"}, want: "a project"},
		{reason: "R8: a linked brand folder that leaves the untrusted project", tree: map[string]string{"cfg/skills/a/SKILL.md": doc, "proj/.claude": "-> ../cfg"}, issues: "escapes-root proj/.claude/skills"},
		{reason: "R8: the same with the host's trust", tree: map[string]string{"cfg/skills/a/SKILL.md": doc, "proj/.claude": "-> ../cfg"}, change: func(l *skills.Locations) { l.TrustProject = true }, want: "a project"},
		{reason: "R8: a circle somewhere", tree: map[string]string{"proj/.claude/skills/a/SKILL.md": doc, "proj/.claude/skills/a/loop": "-> ..", "proj/.claude/skills/self": "-> self"}, want: "a project", issues: "link-loop proj/.claude/skills/self"},
		{reason: "R8: a dangling link in another case of the name", tree: map[string]string{"proj/.claude/skills/a/SKILL.md": doc, "proj/.claude/skills/b/skill.md": "-> gone"}, want: "a project", issues: "dangling-link proj/.claude/skills/b/skill.md,filename-case proj/.claude/skills/b/skill.md"},
		{reason: "01 §7.3: a linked worktree", tree: map[string]string{"main/.claude/skills/a/SKILL.md": doc, "proj/.git": "gitdir: ../main/.git/worktrees/x", "proj/.claude": "-> ../main/.claude"}, change: func(l *skills.Locations) {
			l.Additional, l.TrustProject = []string{filepath.Join(l.Project, "..", "main")}, true
		}, want: "a project"},
		{reason: "E04: two places with equal files, the nearest wins", tree: map[string]string{"proj/.claude/skills/a/SKILL.md": doc, "proj/in/.claude/skills/a/SKILL.md": doc}, change: func(l *skills.Locations) { l.Dir = filepath.Join(l.Project, "in") }, want: "a project", issues: "shadowed proj/.claude/skills/a/SKILL.md"},
		{reason: "01 §5: the root is the nearest .git, a file too", tree: map[string]string{".claude/skills/above/SKILL.md": doc, "proj/.git": "gitdir: x", "proj/.claude/skills/a/SKILL.md": doc, "proj/x/y/": ""}, change: func(l *skills.Locations) { l.Project, l.Dir = "", filepath.Join(l.Project, "x", "y") }, want: "a project"},
		{reason: "01 §5: without .git only the folder itself", tree: map[string]string{"proj/.claude/skills/a/SKILL.md": doc, "proj/x/.claude/skills/b/SKILL.md": doc}, change: func(l *skills.Locations) { l.Project, l.Dir = "", filepath.Join(l.Project, "x") }, want: "b project"},
		{reason: "D10: another user folder", tree: map[string]string{"conf/skills/a/SKILL.md": doc, "home/.claude/skills/b/SKILL.md": doc}, change: func(l *skills.Locations) { l.UserDir = filepath.Join(l.Home, "..", "conf") + "/" }, want: "a user"},
		{reason: "D11: an added directory, with a slash at the end and twice", tree: map[string]string{"more/.claude/skills/a/SKILL.md": doc}, change: func(l *skills.Locations) {
			more := filepath.Join(l.Home, "..", "more")
			l.Additional = []string{more + "/", more}
		}, want: "a additional"},
		{reason: "R8: an added directory that is missing", tree: map[string]string{"proj/": ""}, change: func(l *skills.Locations) { l.Additional = []string{"/no/such/place"} }},
		{reason: "01 §5: README and LICENSE beside the folders", tree: map[string]string{"proj/.claude/skills/LICENSE": "x", "proj/.claude/skills/a/SKILL.md": doc}, want: "a project"},
		{reason: "01 §5: links to plain files beside the folders", tree: map[string]string{"proj/LICENSE": "x", "proj/.claude/skills/LICENSE": "-> ../../LICENSE", "proj/.claude/skills/a/SKILL.md": doc}, want: "a project"},
	} {
		t.Run(tt.reason, func(t *testing.T) {
			require.NotEmpty(t, tt.reason)
			reg, root := openTree(t, tt.tree, func(o *skills.Options) {
				if tt.change != nil {
					tt.change(&o.Locations)
				}
			})
			assert.Equal(t, tt.want, strings.Join(all(reg), ","))
			assert.Equal(t, tt.issues, strings.Join(issues(reg, root), ","))
		})
	}
}

// Two folders may bear one display name: both load, the name alone is
// ambiguous (E08).
func TestOneDisplayNameTwice(t *testing.T) {
	reg, _ := openTree(t, map[string]string{
		"home/.claude/skills/one/SKILL.md": skill("", "name: dup", "description: 1"),
		"home/.claude/skills/two/SKILL.md": skill("", "name: dup", "description: 2"),
	})
	assert.Equal(t, []string{"one user", "two user"}, all(reg))
	_, err := reg.NewSession("", nil).Lookup("dup")
	var e *skills.Error
	require.ErrorAs(t, err, &e)
	assert.Equal(t, skills.CodeAmbiguous, e.Code)
	assert.Equal(t, []string{"one", "two"}, e.Names)
}

// A name is looked up, never opened (C05, N3).
func TestNamesAreNoPaths(t *testing.T) {
	reg, root := openTree(t, map[string]string{"proj/.claude/skills/a/SKILL.md": skill("", "description: d"), "outside/SKILL.md": "TOPSECRET"})
	sess := reg.NewSession("", nil)
	for _, name := range []string{"../../outside", "a/../a", "/etc/passwd", filepath.Join(root, "outside"), "..", ".", "a/SKILL.md", `..\..\outside`} {
		_, err := sess.Lookup(name)
		require.ErrorIs(t, err, skills.CodeNotFound, name)
		assert.NotContains(t, err.Error(), "TOPSECRET")
	}
}

// What a caller gets is its own: changing it changes nobody else's view, and
// two registries of two workspaces know nothing of each other.
func TestIsolation(t *testing.T) {
	first, _ := openTree(t, map[string]string{"proj/.claude/skills/a/SKILL.md": skill("", "description: d", "nonsense: [x"), "proj/.claude/skills/b/SKILL.md": skill("", "description: d")})
	second, _ := openTree(t, map[string]string{"proj/.claude/skills/c/SKILL.md": skill("", "description: d")})
	got := first.Snapshot().Issues()
	require.NotEmpty(t, got)
	got[0].Msg = "changed"
	assert.NotEqual(t, "changed", first.Snapshot().Issues()[0].Msg)
	list := slices.Collect(first.Snapshot().All())
	list[0] = nil
	assert.NotNil(t, slices.Collect(first.Snapshot().All())[0])
	assert.Equal(t, "a project,b project", strings.Join(all(first), ","))
	assert.Equal(t, "c project", strings.Join(all(second), ","))
}

// Files that changed, came or went between two loads are seen by the second,
// and only by it (01 §8: issues are kept once for a version).
func TestChangesAreSeen(t *testing.T) {
	ctx := context.Background()
	reg, root := openTree(t, map[string]string{
		"proj/.claude/skills/a/SKILL.md": skill("A", "description: a"),
		"proj/.claude/skills/b/SKILL.md": skill("B", "description: b", "bad: [x"),
	})
	before := codesOf(reg.Snapshot().Issues())
	for range 3 {
		change, err := reg.Reload(ctx)
		require.NoError(t, err)
		assert.Empty(t, change.Issues, "M14: one issue for a version")
	}
	assert.Equal(t, before, codesOf(reg.Snapshot().Issues()))
	require.NoError(t, removeAll(root, "proj/.claude/skills/b"))
	s, err := reg.NewSession("", nil).Lookup("b")
	require.NoError(t, err, "gone from disk, still in the snapshot")
	_, err = s.Body(ctx)
	require.ErrorIs(t, err, skills.CodeUnreadable)
	testkit.Write(t, root, map[string]string{"proj/.claude/skills/a/SKILL.md": skill("new", "description: new")})
	_, err = reg.Reload(ctx)
	require.NoError(t, err)
	assert.Equal(t, []string{"a project"}, all(reg))
	assert.Empty(t, reg.Snapshot().Issues())
	a, err := reg.NewSession("", nil).Lookup("a")
	require.NoError(t, err)
	assert.Equal(t, "new", a.Description)
}

// A skill whose link leads to a place that was moved is read where it is now,
// although the file itself is the same (01 R8).
func TestMovedTarget(t *testing.T) {
	for reason, link := range map[string][2]string{
		"a linked folder": {"home/.claude/skills/x", "../../../%s"},
		"a linked file":   {"home/.claude/skills/x/SKILL.md", "../../../../%s/SKILL.md"},
	} {
		t.Run(reason, func(t *testing.T) {
			reg, root := openTree(t, map[string]string{
				"old/SKILL.md": skill("Body.\n", "description: d"), link[0]: "-> " + fmt.Sprintf(link[1], "old"),
			})
			s, err := reg.NewSession("", nil).Lookup("x")
			require.NoError(t, err)
			assert.Equal(t, "Body.\n", bodyOf(t, s))

			moveTarget(t, root, link[0], fmt.Sprintf(link[1], "new"))
			_, err = reg.Reload(context.Background())
			require.NoError(t, err)
			s, err = reg.NewSession("", nil).Lookup("x")
			require.NoError(t, err)
			assert.Equal(t, filepath.Join(root, "new/SKILL.md"), s.RealPath)
			body, err := s.Body(context.Background())
			require.NoError(t, err)
			assert.Equal(t, "Body.\n", body)
		})
	}
}

// moveTarget renames the folder old to new and points the link there.
func moveTarget(t *testing.T, root, link, target string) {
	t.Helper()
	require.NoError(t, os.Rename(filepath.Join(root, "old"), filepath.Join(root, "new")))
	require.NoError(t, os.Remove(filepath.Join(root, link)))
	require.NoError(t, os.Symlink(target, filepath.Join(root, link)))
}
