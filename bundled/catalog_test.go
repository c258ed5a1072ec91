package bundled_test

import (
	"context"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/seed-12b313d8/skills"
	"github.com/seed-12b313d8/skills/bundled"
	"github.com/seed-12b313d8/skills/lint"
	"github.com/seed-12b313d8/skills/skillstest"
)

// A row is one line of the table in 05 §3.
type row struct {
	name, gate string // gate: "" always, otherwise a feature
	userOnly   bool
	arguments  bool
	files      bool
}

func table() []row {
	return []row{
		{name: "batch", userOnly: true, arguments: true},
		{name: "claude-api", gate: "api-guide", arguments: true, files: true},
		{name: "claude-in-chrome", gate: "browser", arguments: true},
		{name: "debug", userOnly: true, arguments: true},
		{name: "dream", gate: "memory memory-consolidation", arguments: true},
		{name: "hunter", gate: "review-artifact", arguments: true},
		{name: "keybindings", arguments: true},
		{name: "loop", gate: "triggers", arguments: true},
		{name: "lorem-ipsum", arguments: true},
		{name: "remember", gate: "internal", arguments: true},
		{name: "run-skill-generator", gate: "skill-generator", arguments: true},
		{name: "schedule", gate: "remote-triggers", arguments: true},
		{name: "simplify", arguments: true},
		{name: "skillify", gate: "internal", userOnly: true, arguments: true},
		{name: "stuck", gate: "internal", arguments: true},
		{name: "update-config", arguments: true},
		{name: "verify", gate: "internal", arguments: true, files: true},
	}
}

func TestSeventeen(t *testing.T) {
	list := load(t, all(bundled.Host{}))
	var want []string
	for _, r := range table() {
		want = append(want, r.name)
		s := find(t, list, r.name)
		assert.Equal(t, r.userOnly, s.DisableModelInvocation, "%s: 05 §3, who may call", r.name)
		assert.False(t, s.DisableUserInvocation, r.name)
		assert.Equal(t, r.arguments, s.ArgumentHint != "", "%s: arguments matter", r.name)
		assert.NotContains(t, s.ArgumentHint, `"`, "%s: the hint is shown as it is", r.name)
		assert.Equal(t, r.files, s.Content.Files != nil, "%s: reference files", r.name)
		assert.Equal(t, skills.ModeInline, s.Mode, "%s: all are inline", r.name)
		assert.Equal(t, skills.OriginBundled, s.Origin, r.name)
		assert.Equal(t, "bundled", s.Source, r.name)
		assert.True(t, s.Trusted, r.name)
		assert.Empty(t, s.AllowedTools, "%s: least privilege; it would make the skill ask", r.name)
		assert.Empty(t, s.Hooks, r.name)
	}
	assert.Equal(t, want, names(list))
	require.NoError(t, skillstest.TestSource(bundled.Source(all(bundled.Host{})), want...))
}

// Every gate alone opens its own skills and no other.
func TestGates(t *testing.T) {
	always := func() []string {
		var out []string
		for _, r := range table() {
			if r.gate == "" {
				out = append(out, r.name)
			}
		}
		return out
	}()
	assert.Equal(t, always, names(load(t, nil)), "05 §3: nil options have the skills that wait for no feature")
	assert.Equal(t, []string{"batch", "debug", "keybindings", "lorem-ipsum", "simplify", "update-config"}, always)
	gates := make(map[string]bool)
	for _, r := range table() {
		for g := range strings.FieldsSeq(r.gate) {
			gates[g] = true
		}
	}
	require.Len(t, gates, 9)
	for g := range gates {
		want := slices.Clone(always)
		for _, r := range table() {
			if slices.Contains(strings.Fields(r.gate), g) {
				want = append(want, r.name)
			}
		}
		slices.Sort(want)
		check := map[string]func() bool{g: func() bool { return true }}
		assert.Equal(t, want, names(load(t, &bundled.Options{Checks: check})), "check %s", g)
		if g == bundled.CheckBrowser {
			l, err := bundled.Source(&bundled.Options{Features: []string{g}}).Load(t.Context())
			require.NoError(t, err)
			assert.Equal(t, always, names(l.Skills), "05 §3: only a callback says that the browser is there")
			assert.Len(t, l.Issues, 1)
			continue
		}
		assert.Equal(t, want, names(load(t, &bundled.Options{Features: []string{g}})), "feature %s", g)
	}
}

// Checks are asked at each use, and the listing follows them.
func TestChecksAreAskedWhenUsed(t *testing.T) {
	var browser, api atomic.Bool
	o := &bundled.Options{
		Features: []string{bundled.FeatureAPIGuide},
		Checks: map[string]func() bool{
			bundled.CheckBrowser: browser.Load,
			"claude-api":         api.Load,
			"dream":              func() bool { return true },
			"debug":              func() bool { panic("broken") },
			"batch":              nil,
		},
	}
	s := open(t, o, t.TempDir())
	has := func(name string) bool {
		return slices.Contains(names(slices.Collect(s.Skills(skills.CallerUser))), name)
	}
	assert.False(t, has("claude-in-chrome"), "the host says that there is no browser")
	assert.False(t, has("claude-api"), "05 §3: an option switches it off though its feature is there")
	assert.False(t, has("dream"), "a check of a skill's name opens no gate")
	assert.False(t, has("debug"), "05 §1: a panic counts as off")
	assert.True(t, has("batch"), "a nil check is none")
	browser.Store(true)
	api.Store(true)
	assert.True(t, has("claude-in-chrome"))
	assert.True(t, has("claude-api"))
}

func TestFeatureOrCheck(t *testing.T) {
	no := func() bool { return false }
	for _, c := range []struct {
		features []string
		checks   map[string]func() bool
		want     bool
		reason   string
	}{
		{[]string{"memory"}, map[string]func() bool{"memory-consolidation": no}, true, "one open gate is enough, and this one is open for good"},
		{nil, map[string]func() bool{"memory-consolidation": no, "memory": func() bool { return true }}, true, "one of two checks is enough"},
		{nil, map[string]func() bool{"memory-consolidation": no, "memory": no}, false, "both gates are shut"},
		{[]string{"memory"}, map[string]func() bool{"dream": no}, false, "the skill's own check shuts it"},
	} {
		s := find(t, load(t, &bundled.Options{Features: c.features, Checks: c.checks}), "dream")
		got := s.Content.Enabled == nil || s.Content.Enabled()
		assert.Equal(t, c.want, got, c.reason)
	}
}

func TestOptions(t *testing.T) {
	assert.Empty(t, load(t, &bundled.Options{Skills: []string{}}), "an empty list includes none")
	assert.Equal(t, []string{"simplify"}, names(load(t, &bundled.Options{Skills: []string{"simplify", "verify"}})), "a name opens no gate")

	o := all(acme())
	src := bundled.Source(o)
	o.Host.Tools[bundled.ToolShell], o.Features[0] = "changed", "changed"
	clear(o.Checks)
	first, err := src.Load(t.Context())
	require.NoError(t, err)
	assert.Len(t, first.Skills, 17, "the options were copied")
	second, err := src.Load(t.Context())
	require.NoError(t, err)
	for i := range first.Skills {
		assert.Same(t, first.Skills[i], second.Skills[i], "the same skills at every Load")
	}
	assert.Equal(t, skills.SourceInfo{ID: "bundled", Origin: skills.OriginBundled}, src.Info())
}

// A misspelt name would silently be a missing skill or a wrong text.
func TestMisnomersAreReported(t *testing.T) {
	l, err := bundled.Source(&bundled.Options{
		Host: bundled.Host{
			Tools: map[string]string{"ask_user": "x", bundled.ToolShell: "y"},
			Paths: map[string]string{"settings": "x"},
		},
		Features: []string{"trigger"}, Skills: []string{"simplfy"}, Checks: map[string]func() bool{"chrome": nil},
	}).Load(t.Context())
	require.NoError(t, err)
	var got []string
	for _, i := range l.Issues {
		got = append(got, i.Field+": "+i.Msg[strings.LastIndex(i.Msg, " ")+1:])
		assert.Equal(t, skills.CodeInvalid, i.Code)
		assert.Contains(t, i.Hint, "use one of ")
	}
	assert.Equal(t, []string{
		`Options.Features: "trigger"`, `Options.Skills: "simplfy"`, `Options.Checks: "chrome"`,
		`Host.Tools: "ask_user"`, `Host.Paths: "settings"`,
	}, got)
}

// extensions are the fields that this library has beyond the open format. Our
// files may use these, where they say what no field of the format can.
var extensions = []string{"argument-hint", "disable-model-invocation"}

func TestFilesPassStrictLint(t *testing.T) {
	n := 0
	for _, r := range table() {
		path := filepath.Join("skills", r.name, "SKILL.md")
		doc, err := os.ReadFile(path)
		require.NoError(t, err)
		n++
		for _, i := range lint.Document(doc, path, &lint.Options{Strict: true}) {
			if i.Code == "format-unknown-key" && slices.ContainsFunc(extensions, func(k string) bool { return strings.Contains(i.Msg, `"`+k+`"`) }) {
				continue
			}
			t.Errorf("%s:%d: %s %s", path, i.Line, i.Code, i.Msg)
		}
		head, _, _ := strings.Cut(string(doc[4:]), "\n---\n")
		assert.NotContains(t, head, "{{", "%s: no value of the host gets into the frontmatter", r.name)
		assert.Equal(t, r.userOnly, strings.Contains(head, "disable-model-invocation: true"), "%s: the file itself says who may call", r.name)
		assert.True(t, strings.HasPrefix(head, "name: "+r.name+"\ndescription: "), "%s: name and description come first", r.name)
		for i, l := range strings.Split(string(doc), "\n") {
			assert.LessOrEqual(t, utf8.RuneCountInString(l), 400, "%s:%d is too long to review", path, i+1)
			assert.Equal(t, strings.TrimRight(l, " \t"), l, "%s:%d ends in a blank", path, i+1)
		}
	}
	dirs, err := os.ReadDir("skills")
	require.NoError(t, err)
	assert.Len(t, dirs, n, "no file without a row")
}

func TestDescriptionsSayWhen(t *testing.T) {
	for _, s := range load(t, all(bundled.Host{})) {
		text := s.Description
		if s.WhenToUse != "" {
			text += " - " + s.WhenToUse
		}
		assert.LessOrEqual(t, utf8.RuneCountInString(text), 250, "%s: 02 §2, entry cap", s.Name)
		assert.GreaterOrEqual(t, utf8.RuneCountInString(text), 120, "%s: too little to choose by", s.Name)
		assert.Contains(t, text, "Use ", "%s: says when", s.Name)
		assert.Regexp(t, `^[A-Z][a-z]+s,? `, text, "%s: begins with what it does", s.Name)
		assert.Equal(t, s.Name, s.DisplayName, s.Name)
	}
}

// Bundled skills are whole in every tier, whatever the budget leaves to others.
func TestListingKeepsThemWhole(t *testing.T) {
	var others []*skills.Skill
	for _, name := range []string{"other-a", "other-b", "other-c"} {
		others = append(others, &skills.Skill{
			Name: name, Description: strings.Repeat("describes itself at length ", 8),
			Content: skills.Content{Read: func(context.Context) ([]byte, error) { return []byte("x"), nil }},
		})
	}
	user := skills.StaticSource(skills.SourceInfo{ID: "u", Origin: skills.OriginUser}, others...)
	list := load(t, all(bundled.Host{}))
	tiers := make(map[string]bool)
	for _, o := range []skills.ListerOptions{
		{Budget: 100_000}, {Budget: 3_700}, {Budget: 3_300}, {Budget: 50}, {Budget: 50, HardBudget: true},
	} {
		n := skills.NewLister(open(t, all(bundled.Host{}), "", user), &o).Next()
		tiers[n.Report.Tier] = true
		for _, s := range list {
			want := "\n- " + s.Name + ": " + s.Description + "\n"
			if s.DisableModelInvocation {
				assert.NotContains(t, n.Text, "- "+s.Name, "05 §3: the model never hears of it")
				continue
			}
			assert.Contains(t, n.Text, want, "%s with %+v", n.Report.Tier, o)
		}
	}
	for _, tier := range []string{"full", "truncated", "names-only", "omitting"} {
		assert.True(t, tiers[tier], "tier %s was reached; got %v", tier, tiers)
	}
}

func TestUserOnlySkillsNeverReachTheModel(t *testing.T) {
	s := open(t, all(bundled.Host{}), t.TempDir())
	model := names(slices.Collect(s.Skills(skills.CallerModel)))
	assert.Len(t, model, 14)
	for _, name := range []string{"batch", "debug", "skillify"} {
		assert.NotContains(t, model, name)
		_, err := skills.NewInvoker(s, nil).Invoke(t.Context(), skills.Call{Name: name, Caller: skills.CallerModel})
		require.ErrorIs(t, err, skills.CodeNotInvocable, "04 §1")
	}
}

// Without allowed-tools and hooks nobody has to be asked.
func TestNobodyIsAsked(t *testing.T) {
	s := open(t, all(bundled.Host{}), t.TempDir())
	for sk := range s.Skills(skills.CallerModel) {
		p, err := skills.NewInvoker(s, nil).Permit(t.Context(), skills.Call{Name: sk.Name, Caller: skills.CallerModel})
		require.NoError(t, err)
		assert.False(t, p.Ask, "%s: %v", sk.Name, p.Reasons)
	}
}

func TestUserSkillWinsAndOursStaysReachable(t *testing.T) {
	mine := &skills.Skill{Name: "simplify", Description: "mine", Content: skills.Content{
		Read: func(context.Context) ([]byte, error) { return []byte("MY OWN"), nil },
	}}
	s := open(t, nil, "", skills.StaticSource(skills.SourceInfo{ID: "u", Origin: skills.OriginUser}, mine))
	assert.Equal(t, "MY OWN", invoke(t, s, skills.Call{Name: "simplify"}), "01 §7: user beats bundled")
	assert.Contains(t, invoke(t, s, skills.Call{Name: "bundled:simplify"}), "Three reviews in parallel", "01 N4")
}

func TestReferenceFiles(t *testing.T) {
	want := map[string][]string{
		"claude-api": {"curl.md", "go.md", "python.md", "typescript.md"},
		"verify":     {"cli.md", "scripts/capture.sh", "scripts/drive_pty.py", "scripts/wait_for.py", "server.md", "ui.md"},
	}
	list := load(t, all(bundled.Host{}))
	for name, files := range want {
		fsys, err := find(t, list, name).Content.Files()
		require.NoError(t, err)
		var got []string
		require.NoError(t, fs.WalkDir(fsys, ".", func(p string, d fs.DirEntry, err error) error {
			if err == nil && !d.IsDir() {
				got = append(got, p)
			}
			return err
		}))
		assert.Equal(t, files, got)
		for _, p := range got {
			text, err := fs.ReadFile(fsys, p)
			require.NoError(t, err)
			assert.NotRegexp(t, `\{\{(product|model|log|tool|name|path|slot|part)\b`, string(text), "%s/%s is not filled in by anybody", name, p)
			assert.NotContains(t, string(text), "\r", p)
		}
	}
}
