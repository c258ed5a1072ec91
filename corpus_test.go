package skills_test

import (
	"bufio"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/seed-12b313d8/skills"
	"github.com/seed-12b313d8/skills/internal/testkit"
)

// A corpusFile is one real header with what is known to be odd about it.
type corpusFile struct {
	n        int
	raw      []byte
	base     string // the name the file had
	oddities []string
	command  bool

	want  truth
	skill *skills.Skill
	body  string
	// issues of the file, info included
	issues []skills.Issue
}

// corpus reads the index and the files of the shared headers.
func corpus(t *testing.T) []*corpusFile {
	t.Helper()
	dir := filepath.Join(testkit.Shared(t, "SKILLS_CORPUS", "corpus"), "dev")
	index, err := os.Open(filepath.Join(dir, "INDEX.tsv"))
	require.NoError(t, err)
	defer index.Close()
	var out []*corpusFile
	lines := bufio.NewScanner(index)
	for lines.Scan() {
		f := strings.Split(lines.Text(), "\t")
		if f[0] == "n" {
			continue
		}
		n, err := strconv.Atoi(f[0])
		require.NoError(t, err)
		raw, err := os.ReadFile(filepath.Join(dir, f[0]+".md"))
		require.NoError(t, err)
		c := &corpusFile{n: n, raw: raw, base: path.Base(f[3]), oddities: strings.Split(f[5], ","), command: strings.HasPrefix(f[7], "cmd")}
		if c.command {
			c.base = "SKILL.md"
		}
		c.want = derive(string(raw))
		out = append(out, c)
	}
	require.NoError(t, lines.Err())
	require.Len(t, out, 150)
	return out
}

func (c *corpusFile) folder() string { return fmt.Sprintf("s%d", c.n) }

// Every real header loads, with the name, description and tools that plain
// YAML says, or the source line where there is no YAML (07 B12).
func TestCorpus(t *testing.T) {
	files := corpus(t)
	tree := make(map[string]string)
	commands := 0
	for _, c := range files {
		tree["home/.claude/skills/"+c.folder()+"/"+c.base] = string(c.raw)
		if c.command {
			tree[fmt.Sprintf("home/.claude/commands/c%d.md", c.n)] = string(c.raw)
			commands++
		}
	}
	reg, root := openTree(t, tree)
	got := make(map[string]*skills.Skill)
	for s := range reg.Snapshot().All() {
		got[s.Name] = s
		assert.False(t, s.Degraded, s.Name)
	}
	require.Len(t, got, 150+commands, "none is lost")
	require.Equal(t, 36, commands)
	for _, c := range files {
		t.Run(c.folder(), func(t *testing.T) {
			c.skill = got[c.folder()]
			require.NotNil(t, c.skill)
			c.body = bodyOf(t, c.skill)
			for _, i := range reg.Snapshot().Issues() {
				if i.Path == filepath.Join(root, "home/.claude/skills", c.folder(), c.base) {
					c.issues = append(c.issues, i)
				}
			}
			c.checkValues(t)
			c.checkOddities(t)
			if c.command {
				c.checkCommand(t, got[fmt.Sprintf("c%d", c.n)])
			}
		})
	}
}

func (c *corpusFile) checkValues(t *testing.T) {
	assert.Equal(t, c.want.name, c.skill.DisplayName)
	assert.Equal(t, c.want.tools, c.skill.AllowedTools)
	assert.Equal(t, c.want.body, c.body, "R4: the body, byte for byte")
	for _, text := range []string{c.skill.DisplayName, c.skill.Description, c.skill.WhenToUse, c.body} {
		assert.NotContains(t, text, "\r", "R3")
		assert.NotContains(t, text, "\x00", "R3")
	}
	switch {
	case c.want.loose:
		assert.True(t, strings.HasPrefix(c.skill.Description, c.want.description), "%q", c.skill.Description)
		return
	case c.want.description != "":
		assert.Equal(t, c.want.description, c.skill.Description)
		return
	}
	// The first paragraph of the body, as far as a few words tell.
	words := strings.Fields(c.skill.Description)
	require.NotEmpty(t, words, "01 §3: never empty")
	if len(strings.Fields(c.body)) == 0 {
		assert.Equal(t, c.folder(), c.skill.Description, "01 §3: no prose, the name")
		return
	}
	flat := strings.Join(strings.Fields(c.body), " ")
	assert.Contains(t, flat, strings.Join(words[:min(len(words), 4)], " "))
}

// checkCommand compares the command file with the skill of the same bytes: all
// but name and paths are read alike (01 §5).
func (c *corpusFile) checkCommand(t *testing.T, s *skills.Skill) {
	require.NotNil(t, s)
	assert.Equal(t, skills.OriginLegacy, s.Origin)
	assert.Empty(t, s.DisplayName)
	assert.Empty(t, s.Paths)
	assert.Equal(t, c.skill.AllowedTools, s.AllowedTools)
	assert.Equal(t, c.skill.ArgumentHint, s.ArgumentHint)
	assert.Equal(t, c.skill.Extra, s.Extra)
	assert.Equal(t, c.body, bodyOf(t, s))
	if c.want.description != "" {
		assert.Equal(t, c.skill.Description, s.Description)
	}
}

// has reports whether the file has an issue of that code, about field if it is
// not "".
func (c *corpusFile) has(code, field string) bool {
	for _, i := range c.issues {
		if string(i.Code) == code && (field == "" || i.Field == field) {
			return true
		}
	}
	return false
}

// checkOddities holds the file to what the index says is odd about it.
func (c *corpusFile) checkOddities(t *testing.T) {
	for _, odd := range c.oddities {
		check, ok := oddityChecks()[odd]
		if kind, key, cut := strings.Cut(odd, ":"); !ok && cut {
			switch kind {
			case "invalid-yaml":
				check, ok = func(t *testing.T, c *corpusFile) {
					assert.True(t, c.has("invalid-yaml", key), "01 §4: the field %s was read raw, and an issue says so", key)
				}, true
			case "key":
				check, ok = func(t *testing.T, c *corpusFile) { c.checkKey(t, key) }, true
			case "body":
				check, ok = func(*testing.T, *corpusFile) {}, true // checkValues compares all of it
			}
		}
		if assert.True(t, ok, "the oddity %s has no check", odd) {
			check(t, c)
		}
	}
	for _, i := range c.issues {
		assert.NotEmpty(t, i.Hint, i.Code)
	}
}

// checkKey says what becomes of a key the index mentions.
func (c *corpusFile) checkKey(t *testing.T, key string) {
	s := c.skill
	switch key {
	case "when_to_use", "when-to-use":
		assert.NotEmpty(t, s.WhenToUse)
	case "allowed_tools":
		assert.NotEmpty(t, s.AllowedTools)
	case "disallowed-tools":
		assert.NotEmpty(t, s.DisallowedTools)
	case "aliases":
		assert.NotEmpty(t, s.Aliases)
	case "effort":
		assert.NotEmpty(t, s.Effort)
	case "user-invokable":
		assert.Equal(t, c.want.scalar("user-invokable") == "false", s.DisableUserInvocation)
	case "agent":
		assert.True(t, s.Agent != "" || c.has("field-ignored", "agent"), "01 §3: meaningful with fork only")
	case "Name":
		assert.True(t, s.DisplayName == c.want.scalar("name"), "01 §3: the exact spelling wins")
		assert.True(t, c.has("duplicate-key", ""))
	case "Version":
		assert.Contains(t, s.Extra, "version")
	default: // unknown to this format
		assert.Contains(t, s.Extra, key, "01 §3: unknown keys are kept")
	}
}

type oddityCheck = func(*testing.T, *corpusFile)

func oddityChecks() map[string]oddityCheck {
	noFrontmatter := func(t *testing.T, c *corpusFile) {
		assert.True(t, c.has("no-frontmatter", ""), "R5")
		assert.Empty(t, c.skill.DisplayName)
	}
	hasTools := func(t *testing.T, c *corpusFile) { assert.NotEmpty(t, c.skill.AllowedTools) }
	block := func(t *testing.T, c *corpusFile) {
		assert.NotContains(t, []string{"|", ">", ">-", "|-"}, c.skill.Description)
	}
	source := func(t *testing.T, c *corpusFile) {
		assert.Equal(t, c.want.scalar("version"), c.skill.Extra["version"], "01 §3: the source text")
	}
	differs := func(t *testing.T, c *corpusFile) { assert.True(t, c.has("name-differs", "name"), "N1") }
	nothing := func(*testing.T, *corpusFile) {} // covered by checkValues
	return map[string]oddityCheck{
		"no-frontmatter": noFrontmatter, "json-first": noFrontmatter, "html-comment-first": noFrontmatter,
		"key-first-nofence": noFrontmatter, "late-fm": noFrontmatter,
		"blankfile": func(t *testing.T, c *corpusFile) {
			assert.Equal(t, c.folder(), c.skill.Description)
			assert.True(t, c.has("filename-case", ""), "R9")
		},
		"crlf": func(t *testing.T, c *corpusFile) { assert.Contains(t, string(c.raw), "\r\n") },
		"nul":  func(t *testing.T, c *corpusFile) { assert.True(t, c.has("nul-byte", ""), "R3") },
		"duplicate-or-bad-key": func(t *testing.T, c *corpusFile) {
			assert.True(t, c.has("duplicate-key", ""), "01 §4.1: the last wins, with an issue")
		},
		"second-fm": func(t *testing.T, c *corpusFile) {
			assert.True(t, strings.HasPrefix(strings.TrimSpace(c.body), "---"), "R4")
		},
		"unclosed": nothing, "open-indented": nothing, "close-indented": nothing,
		"allowed-tools:seq-block": hasTools, "allowed-tools:seq-flow": hasTools,
		"allowed-tools:space": hasTools, "allowed-tools:space-in-parens": hasTools,
		"allowed-tools:null-block": func(t *testing.T, c *corpusFile) { assert.Empty(t, c.skill.AllowedTools) },
		"tools:seq-block":          func(t *testing.T, c *corpusFile) { assert.Empty(t, c.skill.AllowedTools, "01 §3: not mapped") },
		"tools:seq-flow":           func(t *testing.T, c *corpusFile) { assert.Empty(t, c.skill.AllowedTools, "01 §3: not mapped") },
		"description:>":            block, "description:|": block, "description:inline-#": nothing,
		"version:float": source, "scalar:float": nothing, "scalar:timestamp": nothing,
		"metadata:flow": func(t *testing.T, c *corpusFile) { assert.IsType(t, map[string]any{}, c.skill.Extra["metadata"]) },
		"hooks:map":     func(t *testing.T, c *corpusFile) { assert.NotEmpty(t, c.skill.Hooks) },
		"arguments:seq": func(t *testing.T, c *corpusFile) {
			assert.Len(t, c.skill.Arguments, len(c.want.fields["arguments"].Content))
		},
		"arguments:map": func(t *testing.T, c *corpusFile) { assert.True(t, c.has("bad-field", "arguments")) },
		"context:seq": func(t *testing.T, c *corpusFile) {
			assert.Equal(t, skills.ModeInline, c.skill.Mode)
			assert.True(t, c.has("bad-field", "context"))
		},
		"argument-hint:seq":  func(t *testing.T, c *corpusFile) { assert.Equal(t, c.want.line("argument-hint"), c.skill.ArgumentHint) },
		"argument-hint:null": func(t *testing.T, c *corpusFile) { assert.Empty(t, c.skill.ArgumentHint) },
		"no-name":            func(t *testing.T, c *corpusFile) { assert.Empty(t, c.skill.DisplayName) },
		"no-description":     func(t *testing.T, c *corpusFile) { assert.Empty(t, c.want.description) },
		"name!=dir":          differs, "name-chars": differs,
		"comment-in-fm": nothing, "html-in-fm": nothing, "plain": nothing,
	}
}
