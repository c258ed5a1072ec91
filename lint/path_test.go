package lint

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/seed-12b313d8/skills"
	"github.com/seed-12b313d8/skills/internal/testkit"
)

// paths returns "path code:line" of the issues, the paths relative to root.
func paths(t *testing.T, root string, issues []skills.Issue) []string {
	t.Helper()
	var out []string
	for _, i := range issues {
		rel, err := filepath.Rel(root, i.Path)
		require.NoError(t, err)
		out = append(out, fmt.Sprintf("%s %s:%d", filepath.ToSlash(rel), string(i.Code), i.Line))
	}
	return out
}

const (
	good = "---\nname: %s\ndescription: d\n---\nBody.\n"
	odd  = "---\ndescription: d\neffort: 9000\n---\nBody.\n" // bad-field:3
)

func goodSkill(name string) string { return fmt.Sprintf(good, name) }

// Path finds out what it is given, and reads it as the loader does.
func TestPath(t *testing.T) {
	for _, tt := range []struct {
		reason string
		files  map[string]string
		path   string
		opts   Options
		want   []string
	}{
		{"a file", map[string]string{"a/SKILL.md": odd, "b/SKILL.md": odd}, "a/SKILL.md", Options{}, []string{"a/SKILL.md bad-field:3"}},
		{"the folder of a skill", map[string]string{"a/SKILL.md": odd, "b/SKILL.md": odd}, "a", Options{}, []string{"a/SKILL.md bad-field:3"}},
		{"a directory of skills", map[string]string{"a/SKILL.md": odd, "b/SKILL.md": goodSkill("b"), "c/SKILL.md": odd}, ".", Options{}, []string{"a/SKILL.md bad-field:3", "c/SKILL.md bad-field:3"}},
		{"a command, named by its way", map[string]string{"commands/a/b.md": "Fix $1."}, "commands/a/b.md", Options{}, []string{"commands/a/b.md bare-argument:1"}},
		{"a command elsewhere, if the caller says so", map[string]string{"x/b.md": "Fix $1."}, "x/b.md", Options{Command: true}, []string{"x/b.md bare-argument:1"}},
		{"a directory of commands", map[string]string{"commands/a/b.md": "Fix $1.", "commands/node_modules/p/README.md": "$1"}, "commands", Options{}, []string{"commands/a/b.md bare-argument:1"}},
		{"one of another name, if the caller says so", map[string]string{"x/a/b.md": "Fix $1."}, "x", Options{Command: true}, []string{"x/a/b.md bare-argument:1"}},
		{"a project", map[string]string{
			".claude/skills/a/SKILL.md": odd, ".claude/commands/c.md": "Fix $1.", "src/main.go": "package main",
			"services/api/.claude/skills/b/SKILL.md": odd, "docs/README.md": "x",
		}, ".", Options{}, []string{".claude/commands/c.md bare-argument:1", ".claude/skills/a/SKILL.md bad-field:3", "services/api/.claude/skills/b/SKILL.md bad-field:3"}},
		{"F08: ignored folders and packages of others are passed over", map[string]string{
			".gitignore": "build/\n", "build/.claude/skills/a/SKILL.md": odd, "node_modules/p/.claude/skills/b/SKILL.md": odd, ".cache/.claude/skills/c/SKILL.md": odd,
			".claude/skills/d/SKILL.md": odd,
		}, ".", Options{}, []string{".claude/skills/d/SKILL.md bad-field:3"}},
		{"other brand folders, if asked for", map[string]string{".claude/skills/a/SKILL.md": odd, ".agents/skills/b/SKILL.md": odd}, ".", Options{Brands: []string{".agents"}}, []string{".agents/skills/b/SKILL.md bad-field:3"}},
		{"a brand folder", map[string]string{".claude/skills/a/SKILL.md": odd, ".claude/commands/b.md": "$1"}, ".claude", Options{}, []string{".claude/commands/b.md bare-argument:1", ".claude/skills/a/SKILL.md bad-field:3"}},
		{"a plugin", map[string]string{".claude-plugin/plugin.json": "{}", "skills/a/SKILL.md": odd, "commands/b.md": "$1"}, ".", Options{}, []string{"commands/b.md bare-argument:1", "skills/a/SKILL.md bad-field:3"}},
		{"a repository of skills", map[string]string{"skills/a/SKILL.md": odd, "README.md": "x"}, ".", Options{}, []string{"skills/a/SKILL.md bad-field:3"}},
		{"a project without skills", map[string]string{".git/": "", "src/": ""}, ".", Options{}, nil},
		{"a brand folder without skills", map[string]string{".claude/settings.json": "{}"}, ".", Options{}, nil},
		{"an empty directory of skills", map[string]string{"skills/": ""}, "skills", Options{}, nil},

		{"a folder without SKILL.md", map[string]string{"a/notes.txt": "x"}, "a", Options{}, []string{"a missing-file:0"}},
		{"#16983: one among others", map[string]string{"a/SKILL.md": goodSkill("a"), "b/notes.txt": "x", ".git/": "", "node_modules/": ""}, ".", Options{}, []string{"b missing-file:0"}},
		{
			"06 §1: a manifest, and what it names", map[string]string{
				".claude-plugin/plugin.json": "{\n\"skills\": [\"../x\", \"./more\", \"./one\"], \"commands\": \"./cmd\"\n}",
				"more/m/SKILL.md":            odd, "one/SKILL.md": odd, "cmd/b.md": "$1",
			}, ".", Options{}, []string{
				".claude-plugin/plugin.json bad-manifest:2", "cmd/b.md bare-argument:1", "more/m/SKILL.md bad-field:3", "one/SKILL.md bad-field:3",
			},
		},
		{"a plugin among skills is no skill", map[string]string{"skills/p/.claude-plugin/plugin.json": "{}"}, "skills", Options{}, nil},
		{"R9: another letter case", map[string]string{"a/skill.md": goodSkill("a")}, "a", Options{}, []string{"a/skill.md filename-case:0"}},
		{"R9: which the open format lets pass", map[string]string{"a/skill.md": goodSkill("a")}, "a", Options{Strict: true}, []string{"a/skill.md filename-case:0"}},
		{"R9: and another does not", map[string]string{"a/Skill.md": goodSkill("a")}, "a", Options{Strict: true}, []string{"a/Skill.md format-file-name:0", "a/Skill.md filename-case:0"}},
		{"the folder is compared with", map[string]string{"a/SKILL.md": goodSkill("b")}, "a/SKILL.md", Options{Strict: true}, []string{"a/SKILL.md name-differs:2", "a/SKILL.md format-folder:2"}},
		{"a skill without a folder of its own", map[string]string{"skills/a.md": goodSkill("a")}, "skills", Options{}, []string{"skills/a.md flat-file:0"}},
		{"the same, asked for by name", map[string]string{"skills/a.md": goodSkill("a")}, "skills/a.md", Options{}, []string{"skills/a.md flat-file:0"}},
		{"D08: too deep", map[string]string{"skills/group/z/SKILL.md": odd}, "skills", Options{}, []string{"skills/group/z/SKILL.md too-deep:0"}},
		{"D08: what lies in a skill is a resource", map[string]string{"skills/x/SKILL.md": goodSkill("x"), "skills/x/y/SKILL.md": odd}, "skills", Options{}, nil},
		{"N2: a folder that is no name", map[string]string{"a<b/SKILL.md": "---\ndescription: d\n---\n"}, "a<b", Options{}, []string{"a<b/SKILL.md bad-name:0"}},
		{"A04: too large", map[string]string{"a/SKILL.md": goodSkill("a") + strings.Repeat("x", 1<<20)}, "a", Options{}, []string{"a/SKILL.md too-large:0"}},
		{"A04: a file of another name", map[string]string{"a.md": strings.Repeat("x", 1<<20+1)}, "a.md", Options{}, []string{"a.md too-large:0"}},
		{"R2: a file longer than its beginning", map[string]string{"a/SKILL.md": goodSkill("a") + strings.Repeat("x\n", 100_000) + "Pay $1.50"}, "a", Options{}, []string{"a/SKILL.md bare-argument:100006"}},
	} {
		t.Run(tt.reason, func(t *testing.T) {
			reasoned(t, tt.reason)
			if runtime.GOOS == "windows" && strings.Contains(tt.path, "<") {
				t.Skip("no such name on this system")
			}
			root := testkit.Tree(t, tt.files)
			issues, err := Path(context.Background(), filepath.Join(root, tt.path), &tt.opts)
			require.NoError(t, err)
			assert.Equal(t, tt.want, paths(t, root, issues))
		})
	}
}

func TestPathLinks(t *testing.T) {
	root := testkit.Tree(t, map[string]string{
		"store/real.md": odd, "store/x/SKILL.md": odd,
		"skills/file/SKILL.md": "-> ../../store/real.md", "skills/folder": "-> ../store/x",
		"skills/gone": "-> nowhere", "skills/loop": "-> loop",
		"skills/text/SKILL.md": "../../store/real.md", "linked": "-> skills",
	})
	want := []string{
		"skills/file/SKILL.md bad-field:3", "skills/folder/SKILL.md bad-field:3", "skills/gone dangling-link:0",
		"skills/loop link-loop:0", "skills/text/SKILL.md unmaterialised-symlink:0",
	}
	issues, err := Path(context.Background(), filepath.Join(root, "skills"), nil)
	require.NoError(t, err)
	assert.Equal(t, want, paths(t, root, issues), "R8")
	for _, folder := range []string{"file", "folder"} {
		issues, err = Path(context.Background(), filepath.Join(root, "skills", folder), nil)
		require.NoError(t, err)
		assert.Equal(t, []string{"skills/" + folder + "/SKILL.md bad-field:3"}, paths(t, root, issues), "one of them alone")
	}
	issues, err = Path(context.Background(), filepath.Join(root, "linked"), nil)
	require.NoError(t, err)
	assert.Len(t, issues, len(want), "the directory itself may be a link")
}

func TestPathSeverities(t *testing.T) {
	root := testkit.Tree(t, map[string]string{"skills/a/SKILL.md": goodSkill("a"), "skills/b/": "", "c/": ""})
	severity := func(path string, o *Options) string {
		issues, err := Path(context.Background(), filepath.Join(root, path), o)
		require.NoError(t, err)
		require.Len(t, issues, 1)
		require.Equal(t, codeMissingFile, issues[0].Code)
		return issues[0].Severity
	}
	assert.Equal(t, sevError, severity("c", nil), "asked for by name")
	assert.Equal(t, sevWarning, severity("skills", nil), "the loader passes it over")
	assert.Equal(t, sevError, severity("skills", &Options{Strict: true}), "the format has none such")
}

// Only what cannot be read at all is an error.
func TestPathErrors(t *testing.T) {
	root := testkit.Tree(t, map[string]string{"a/SKILL.md": odd})
	_, err := Path(context.Background(), filepath.Join(root, "gone"), nil)
	require.ErrorIs(t, err, fs.ErrNotExist)
	require.ErrorIs(t, err, skills.CodeUnreadable)
	var e *skills.Error
	require.True(t, errors.As(err, &e))
	assert.Equal(t, filepath.Join(root, "gone"), e.Path)

	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	_, err = Path(ctx, root, nil)
	require.ErrorIs(t, err, context.Canceled)
}

// Issues name files the way the caller named the path.
func TestPathKeepsTheCallersSpelling(t *testing.T) {
	root := testkit.Tree(t, map[string]string{"p/.claude/skills/a/SKILL.md": odd})
	t.Chdir(filepath.Join(root, "p"))
	for given, want := range map[string]string{
		"":                          ".claude/skills/a/SKILL.md",
		".":                         ".claude/skills/a/SKILL.md",
		"../p":                      "../p/.claude/skills/a/SKILL.md",
		".claude/skills/a":          ".claude/skills/a/SKILL.md",
		".claude/skills/a/SKILL.md": ".claude/skills/a/SKILL.md",
		root:                        filepath.Join(root, "p/.claude/skills/a/SKILL.md"),
	} {
		issues, err := Path(context.Background(), given, nil)
		require.NoError(t, err)
		require.Len(t, issues, 1, given)
		assert.Equal(t, filepath.FromSlash(want), issues[0].Path)
		assert.Equal(t, "a", issues[0].Skill)
	}
	t.Chdir(filepath.Join(root, "p/.claude/skills/a"))
	issues, err := Path(context.Background(), "SKILL.md", &Options{Strict: true})
	require.NoError(t, err)
	assert.Equal(t, "SKILL.md", issues[0].Path)
	assert.Empty(t, only(issues, "format-folder"), "the folder is known though the path does not name it")
}

// The order does not depend on which file was read first.
func TestPathIsDeterministic(t *testing.T) {
	files := make(map[string]string)
	for i := range 200 {
		files[fmt.Sprintf("skills/s%03d/SKILL.md", i)] = odd
	}
	root := testkit.Tree(t, files)
	first, err := Path(context.Background(), root, &Options{Strict: true})
	require.NoError(t, err)
	require.Len(t, first, 600, "bad-field, format-name and format-unknown-key each")
	for range 5 {
		again, err := Path(context.Background(), root, &Options{Strict: true})
		require.NoError(t, err)
		require.Equal(t, first, again)
	}
}

// The example skills of this repository are fit to be shown.
func TestExamplesHaveNoErrors(t *testing.T) {
	for _, place := range []string{"home", "managed", "project"} {
		dir := filepath.Join("..", "testdata", "quickstart", place)
		require.DirExists(t, filepath.Join(dir, ".claude", "skills"))
		issues, err := Path(context.Background(), dir, nil)
		require.NoError(t, err)
		for _, i := range issues {
			assert.NotEqual(t, sevError, i.Severity, "%s", i)
		}
	}
}

// Every real header can be checked, and what it says is well formed.
func TestCorpus(t *testing.T) {
	files, err := filepath.Glob(filepath.Join(testkit.Shared(t, "SKILLS_CORPUS", "corpus"), "dev", "*.md"))
	require.NoError(t, err)
	require.NotEmpty(t, files)
	counts := make(map[skills.Code]int)
	for _, f := range files {
		doc, err := os.ReadFile(f)
		require.NoError(t, err)
		_, loader := skills.Parse(doc, skills.ParseOptions{Name: "x", Path: f})
		issues := Document(doc, f, &Options{Folder: "x"})
		assert.Subset(t, issues, loader, "all the loader says is there")
		wellFormed(t, Document(doc, f, &Options{Folder: "x", Strict: true}), f)
		for _, i := range issues {
			counts[i.Code]++
		}
	}
	assert.Positive(t, counts[codeCommentCut], "some of them are cut by a #")
	assert.Positive(t, counts[codeListingCap])
	t.Log(counts)
}
