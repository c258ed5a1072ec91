package skills_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/seed-12b313d8/skills"
)

func parse(doc string) (*skills.Skill, []skills.Issue) {
	return skills.Parse([]byte(doc), skills.ParseOptions{
		Name: "folder", Path: "x/SKILL.md", Source: skills.SourceInfo{ID: "t", Origin: skills.OriginUser},
	})
}

func ptr(b bool) *bool { return &b }

func TestParseFields(t *testing.T) {
	for _, tt := range []struct {
		reason, header string
		get            func(*skills.Skill) any
		want           any
		codes          string // "code:line" of warnings and errors
	}{
		{"B01: a colon in a plain value", "description: Use for X: then Y", desc, "Use for X: then Y", "invalid-yaml:2"},
		{"B02: folded block", "description: >-\n  one\n  two", desc, "one two", ""},
		{"B02: literal block keeps its lines", "description: |\n  one\n  two", desc, "one\ntwo", ""},
		{"B03: wrapped plain value", "description:\n  one\n  two\nname: z", desc, "one two", ""},
		{"B06: numbers are text", "name: 3000", display, "3000", ""},
		{"B06: so are words YAML takes for booleans", "name: on", display, "on", ""},
		{"CL063: even null", "name: null", display, "null", ""},
		{"B06: and dates", "description: 2026-01-02", desc, "2026-01-02", ""},
		{"B06: and versions", "version: 1.10", func(s *skills.Skill) any { return s.Extra["version"] }, "1.10", ""},
		{"01 §3: a list is joined", "description: [a, b]", desc, "a, b", "bad-field:2"},
		{"fm-08: a map in a list is dropped", "description: [a, {b: c}]", desc, "a", "bad-field:2,bad-field:2"},
		{"01 §3: null is absent", "description: null", desc, "Body.", ""},
		{"01 §3: a map is absent", "description: {a: b}", desc, "Body.", "bad-field:2"},
		{"B14: snake", "when_to_use: w", when, "w", ""},
		{"B14: camel", "whenToUse: w", when, "w", ""},
		{"B14: exact spelling wins, whatever the order", "when-to-use: a\nwhenToUse: b", when, "a", "duplicate-key:3"},
		{"01 §4: the last of equals wins", "description: a\ndescription: b", desc, "b", "duplicate-key:3"},
		{"B05: argument hint is source text", "argument-hint: [file] [format]", hint, "[file] [format]", "invalid-yaml:2"},
		{"B05: also where YAML could read it", "argument-hint: [a: b | c]", hint, "[a: b | c]", ""},
		{"01 §3: hint as block list", "argument-hint:\n  - <a>\n  - <b>", hint, "<a> <b>", ""},
		{"01 §3: quoted hint", `argument-hint: "<n>"`, hint, "<n>", ""},
		{"01 §3: arguments by blanks, numbers dropped", "arguments: target 1 mode", func(s *skills.Skill) any { return s.Arguments }, []string{"target", "mode"}, ""},
		{"01 §3: aliases", "aliases: a, /b", func(s *skills.Skill) any { return s.Aliases }, []string{"a", "b"}, ""},
		{"N2: an alias that cannot be a name", "aliases: [ok, 'a/b']", func(s *skills.Skill) any { return s.Aliases }, []string{"ok"}, "bad-name:2"},
		{"F04: paths split at brace depth 0", "paths: src/**/*.{ts,tsx}, docs/*.md", paths, []string{"src/**/*.{ts,tsx}", "docs/*.md"}, ""},
		{"CL044: paths as list", "paths: ['*.go', '']", paths, []string{"*.go"}, ""},
		{"A6: a bad pattern is reported", "paths: ['[abc', '*.go']", paths, []string{"[abc", "*.go"}, "bad-pattern:2"},
		{"C06: tools as text", "allowed-tools: Bash(git add *) Bash(a, b) , Read", tools, []string{"Bash(git add *)", "Bash(a, b)", "Read"}, ""},
		{"C06: the same as a list", "allowed-tools: ['Bash(git add *)', 'Bash(a, b)', Read]", tools, []string{"Bash(git add *)", "Bash(a, b)", "Read"}, ""},
		{"01 §3: an empty tools list", "allowed-tools: []", tools, []string(nil), ""},
		{"peers 2b: an unbalanced tool rule is kept and reported", "allowed-tools: Bash(git, Read", tools, []string{"Bash(git, Read"}, "bad-tool-rule:2"},
		{"nobody may run it", "disable-model-invocation: true\nuser-invocable: false", desc, "Body.", "unreachable:3"},
		{"a misspelt key", "descripton: x", desc, "Body.", "unknown-field:2"},
		{"another key", "category: x", desc, "Body.", ""},
		{"K14: disallowed tools", "disallowed-tools: Edit Write", func(s *skills.Skill) any { return s.DisallowedTools }, []string{"Edit", "Write"}, ""},
		{"qwen: model is trimmed", "model: '  m '", func(s *skills.Skill) any { return s.Model }, "m", ""},
		{"01 §3: model inherit is none", "model: inherit", func(s *skills.Skill) any { return s.Model }, "", ""},
		{"01 §3: effort", "effort: XHigh", func(s *skills.Skill) any { return s.Effort }, "xhigh", ""},
		{"01 §3: unknown effort", "effort: 9000", func(s *skills.Skill) any { return s.Effort }, "", "bad-field:2"},
		{"01 §3: fork", "context: fork\nbackground: off\nagent: x", func(s *skills.Skill) any { return []any{s.Mode, s.Background, s.Agent} }, []any{skills.ModeFork, ptr(false), "x"}, ""},
		{"01 §3: anything else is inline", "context: ./docs", func(s *skills.Skill) any { return s.Mode }, skills.ModeInline, ""},
		{"K06: agent without fork", "agent: Explore", func(s *skills.Skill) any { return s.Agent }, "", "field-ignored:2"},
		{"J04: unknown shell", "shell: fish", func(s *skills.Skill) any { return s.Shell }, "fish", "unknown-shell:2"},
		{"K09: hooks verbatim", "hooks:\n  Stop:\n    - once: true\n      n: 1", func(s *skills.Skill) any { return s.Hooks }, map[string]any{"Stop": []any{map[string]any{"once": true, "n": 1}}}, ""},
		{"01 §3: malformed hooks", "hooks: run it", func(s *skills.Skill) any { return s.Hooks }, map[string]any(nil), "bad-field:2"},
		{"01 §4.4: tools given twice are dropped", "allowed-tools: Read\nallowedTools: Bash", tools, []string(nil), "duplicate-key:3,unsafe-field-dropped:2"},
		{"01 §4.4: tools read raw are dropped", "allowed-tools: [Read\ndescription: d", tools, []string(nil), "invalid-yaml:2,unsafe-field-dropped:2"},
		{"01 §3: metadata that is no map", "metadata: text", func(s *skills.Skill) any { return s.Extra }, map[string]any(nil), "bad-field:2"},
		{"01 §3: unknown keys are kept", "triggers: [a, b]\ntools: x", func(s *skills.Skill) any { return s.Extra }, map[string]any{"triggers": []any{"a", "b"}, "tools": "x"}, ""},
		{"name-01: a name that is a path", "name: ../../etc/x", display, "", "bad-name:2"},
		{"name-03: a name with an invisible character", `name: "commit\u200B"`, display, "", "bad-name:2"},
		{"list-03: hidden text is reported", `description: "tidy \U000E0072 code"`, desc, "tidy \U000E0072 code", "hidden-unicode:2"},
		{"list-05: honest joiners are not", `description: "family \U0001F468\u200D\U0001F469"`, desc, "family \U0001F468\u200D\U0001F469", ""},
	} {
		t.Run(tt.reason, func(t *testing.T) {
			s, issues := parse("---\n" + tt.header + "\n---\nBody.\n")
			assert.Equal(t, tt.want, tt.get(s))
			var codes []string
			for _, i := range issues {
				assert.Equal(t, "x/SKILL.md", i.Path)
				assert.NotEmpty(t, i.Hint, i.Code)
				if i.Severity != "info" {
					codes = append(codes, fmt.Sprintf("%s:%d", string(i.Code), i.Line))
				}
			}
			assert.Equal(t, tt.codes, strings.Join(codes, ","))
			assert.False(t, s.Degraded)
		})
	}
}

func desc(s *skills.Skill) any    { return s.Description }
func display(s *skills.Skill) any { return s.DisplayName }
func when(s *skills.Skill) any    { return s.WhenToUse }
func hint(s *skills.Skill) any    { return s.ArgumentHint }
func paths(s *skills.Skill) any   { return s.Paths }
func tools(s *skills.Skill) any   { return s.AllowedTools }

// Eight words, any case, quoted or not; anything else restricts (B08).
func TestParseBooleans(t *testing.T) {
	for word, truth := range map[string]bool{"true": true, "yes": true, "on": true, "1": true, "false": false, "no": false, "off": false, "0": false} {
		for _, w := range []string{word, strings.ToUpper(word), `"` + word + `"`, "' " + word + " '"} {
			s, issues := parse("---\ndescription: d\ndisable-model-invocation: " + w + "\nuser-invocable: " + w + "\n---\n")
			assert.Equal(t, truth, s.DisableModelInvocation, w)
			assert.Equal(t, !truth, s.DisableUserInvocation, w)
			if !truth {
				assert.Empty(t, issues, w)
			}
		}
	}
	for _, w := range []string{"definitely", "2", "[true]", "{a: b}", "", "null"} {
		s, issues := parse("---\ndescription: d\ndisable-model-invocation: " + w + "\nuser-invokable: " + w + "\n---\n")
		assert.True(t, s.DisableModelInvocation, w)
		assert.True(t, s.DisableUserInvocation, w)
		assert.Len(t, issues, 3, "two odd values, and that nobody may run it: %s", w)
	}
	s, _ := parse("---\ndescription: d\ndisable-model-invocation: true\ndisable-model-invocation: false\n---\n")
	assert.True(t, s.DisableModelInvocation, "01 §4: of two the restricting value wins")
}

func TestParseDegraded(t *testing.T) {
	for reason, doc := range map[string]string{
		"R6: unclosed fence":       "---\ndescription: d\ndisable-model-invocation: false\nallowed-tools: Bash\nBody\n",
		"01 §4.5: a list":          "---\n- a\n- b\n---\nBody\n",
		"01 §4.5: over the limits": "---\n" + strings.Repeat("k: v\n", 300) + "---\nBody\n",
	} {
		s, issues := parse(doc)
		assert.True(t, s.Degraded, reason)
		assert.True(t, s.DisableModelInvocation, reason)
		assert.False(t, s.Trusted, reason)
		assert.Equal(t, "folder", s.Name, reason)
		assert.Empty(t, s.AllowedTools, reason)
		assert.NotEmpty(t, s.Description, reason)
		require.NotEmpty(t, issues, reason)
		assert.Equal(t, "error", issues[0].Severity, reason)
		assert.Positive(t, issues[0].Line, reason)
	}
	s, issues := parse("---\nname: a\ndisable-model-invocation: true\nbad: [x\n---\nB")
	assert.False(t, s.Degraded, "B09: one bad field does not cost the others")
	assert.True(t, s.DisableModelInvocation, "B09")
	assert.NotEmpty(t, issues)
}

func TestParseDescriptionFromBody(t *testing.T) {
	for _, tt := range []struct{ doc, want, reason string }{
		{"---\nname: a\n---\n# T\n\nFirst prose.\nMore.\n\nSecond.\n", "First prose. More.", "B16"},
		{"# Title\n\nProse.\n", "Prose.", "R5: no frontmatter"},
		{"---\nname: a\n---\n" + strings.Repeat("技", 100_000), strings.Repeat("技", 1535) + "…", "B16: cut to the cap"},
		{"", "folder", "01 §3: no prose, the name"},
		{"---\nname: Shown\n---\n", "Shown", "01 §3: no prose, the name"},
		{"+++\nname = \"t\"\n+++\nx\n", "+++ name = \"t\" +++ x", "R6: TOML is not frontmatter"},
	} {
		s, _ := parse(tt.doc)
		assert.Equal(t, tt.want, s.Description, tt.reason)
	}
}

func TestParseCommandFile(t *testing.T) {
	s, _ := skills.Parse([]byte("---\nname: x\npaths: '*.go'\ndescription: d\n---\n"), skills.ParseOptions{Name: "a:b", Layout: "command"})
	assert.Empty(t, s.DisplayName, "01 §5: name and paths are ignored")
	assert.Empty(t, s.Paths)
	assert.Equal(t, "a:b", s.Name)
}

func TestParseKeepsDocument(t *testing.T) {
	s, _ := parse("---\ndescription: d\n---\nBody.\n")
	body, err := s.Body(context.Background())
	require.NoError(t, err)
	assert.Equal(t, "Body.\n", body)
	c := s.Clone()
	c.Description = "other"
	assert.Equal(t, "d", s.Description)
}

func TestErrorText(t *testing.T) {
	e := &skills.Error{Issue: skills.Issue{Code: skills.CodeDenied, Path: "a/SKILL.md", Line: 3, Field: "name", Msg: "what", Hint: "do this"}, Err: context.Canceled}
	assert.Equal(t, "skills: a/SKILL.md:3: name: what; do this: context canceled", e.Error())
	require.ErrorIs(t, e, skills.CodeDenied)
	require.ErrorIs(t, e, context.Canceled)
	assert.NotErrorIs(t, e, skills.CodeNotFound)
	assert.Equal(t, "skills: denied", skills.CodeDenied.Error())
}
