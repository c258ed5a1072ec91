package skills_test

import (
	"context"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/seed-12b313d8/skills"
	"github.com/seed-12b313d8/skills/internal/testkit"
)

// Names of plugins' and folders' skills (public reports C, CL089, CL128).
func TestQualifiedNameCases(t *testing.T) {
	doc := skill("", "description: d")
	root := testkit.Tree(t, map[string]string{
		"plug/skills/folder/SKILL.md": skill("", "name: hello", "description: d"), "plug/skills/残量/SKILL.md": doc, "plug/skills/予定/SKILL.md": doc,
		"home/.claude/skills/rédaction/SKILL.md": doc, "home/.claude/skills/deploy-it/SKILL.md": skill("", "name: ship", "description: d"),
	})
	plugin, err := skills.PluginSource(skills.Plugin{Name: "p", Root: filepath.Join(root, "plug")})
	require.NoError(t, err)
	reg := open(t, &skills.Options{Locations: skills.Locations{Home: filepath.Join(root, "home")}, Sources: []skills.Source{plugin}})
	sess := reg.NewSession("", nil)
	for _, c := range []struct{ id, call, want string }{
		{"C01: the folder is the name", "deploy-it", "deploy-it"},
		{"C01: the frontmatter's name resolves too", "ship", "deploy-it"},
		{"C02, CL128: the prefix stays", "p:hello", "p:hello"},
		{"C02, CL089, CL128: the bare name while it is free", "hello", "p:hello"},
		{"C03: other scripts stay apart", "p:残量", "p:残量"},
		{"C03: other scripts stay apart", "p:予定", "p:予定"},
		{"C03: and as they are written", "rédaction", "rédaction"},
		{"C03: decomposed", "re\u0301daction", "rédaction"},
	} {
		t.Run(c.id, func(t *testing.T) {
			s, err := sess.Lookup(c.call)
			require.NoError(t, err)
			assert.Equal(t, c.want, s.Name)
			assert.Equal(t, c.want, run(t, sess, skills.Call{Name: c.call}, nil).Record.Skill)
		})
	}
}

// Switches and rules of policy (public changelog, rows "policy").
func TestPolicyCases(t *testing.T) {
	doc := skill("", "description: d")
	tree := map[string]string{
		"managed/.claude/skills/m/SKILL.md": doc, "home/.claude/skills/x/SKILL.md": doc,
		"plug/skills/x/SKILL.md":         doc,
		"proj/.claude/skills/h/SKILL.md": skill("", "description: d", "hooks: {Stop: [{hooks: []}]}"),
	}
	bundle := skills.StaticSource(skills.SourceInfo{ID: "b", Origin: skills.OriginBundled},
		&skills.Skill{Name: "b", Description: "d"}, &skills.Skill{Name: "doctor", Description: "d"})
	with := func(t *testing.T, change ...func(*skills.Options)) *skills.Registry {
		t.Helper()
		reg, root := openTree(t, tree, append(change, func(o *skills.Options) { o.Sources = append(o.Sources, bundle) })...)
		plugin, err := skills.PluginSource(skills.Plugin{Name: "p", Root: filepath.Join(root, "plug")})
		require.NoError(t, err)
		_, err = reg.Register(context.Background(), plugin)
		require.NoError(t, err)
		return reg
	}
	names := func(reg *skills.Registry) string { return visible(reg.NewSession("", nil), skills.CallerModel) }

	t.Run("CL104: no disk source, managed ones neither; bundled stay", func(t *testing.T) {
		assert.Equal(t, "b,doctor,p:x", names(with(t, func(o *skills.Options) { o.Locations.NoDisk = true })))
	})
	t.Run("CL105: a bundled skill is switched off by name, others stay", func(t *testing.T) {
		assert.Equal(t, "m,x,h,doctor,p:x", names(with(t, func(o *skills.Options) { o.Policy.Overrides = map[string]skills.Visibility{"b": skills.VisibleOff} })))
		assert.Equal(t, "m,x,h,doctor,p:x", names(with(t, func(o *skills.Options) { o.Locations.Disabled = []string{"b"} })))
	})
	t.Run("CL106: one rule stops everything", func(t *testing.T) {
		reg := with(t, func(o *skills.Options) { o.Policy.Deny = rules(t, "Skill") })
		sess := reg.NewSession("", nil)
		assert.Empty(t, skills.NewLister(sess, nil).Next().Text)
		assert.Empty(t, sess.Menu(""))
		for _, c := range []skills.Caller{skills.CallerModel, skills.CallerUser, skills.CallerHost} {
			_, err := skills.NewInvoker(sess, nil).Invoke(context.Background(), skills.Call{Name: "x", Caller: c})
			require.ErrorIs(t, err, skills.CodeDenied)
		}
	})
	for v, want := range map[skills.Visibility]struct {
		listed      string // what the model is told of x
		menu, model bool   // whether the user is offered it, and the model may run it
	}{
		skills.VisibleOn:       {"- x: d", true, true},
		skills.VisibleNameOnly: {"- x\n", true, true},
		skills.VisibleUserOnly: {"", true, false},
		skills.VisibleOff:      {"", false, false},
	} {
		t.Run("CL108: "+string(v), func(t *testing.T) {
			sess := with(t, func(o *skills.Options) { o.Policy.Overrides = map[string]skills.Visibility{"x": v} }).NewSession("", nil)
			listing := skills.NewLister(sess, nil).Next().Text
			assert.Equal(t, want.listed != "", strings.Contains(listing, "- x"))
			assert.Contains(t, listing, want.listed)
			offered := false
			for _, it := range sess.Menu("x") {
				offered = offered || it.Name == "x"
			}
			assert.Equal(t, want.menu, offered)
			_, err := skills.NewInvoker(sess, nil).Invoke(context.Background(), skills.Call{Name: "x"})
			assert.Equal(t, want.model, err == nil, err)
			_, err = skills.NewInvoker(sess, nil).Invoke(context.Background(), skills.Call{Name: "x", Caller: skills.CallerUser})
			assert.Equal(t, want.menu, err == nil, err)
			for _, caller := range []skills.Caller{skills.CallerModel, skills.CallerUser} {
				run(t, sess, skills.Call{Name: "p:x", Caller: caller}, nil)
			}
			assert.Contains(t, listing, "- p:x: (plugin p) d", "the plugin's skill of that name is another one")
		})
	}
	t.Run("N01: a host hides what is not trusted from the model", func(t *testing.T) {
		reg := with(t)
		var trusted []string
		for s := range reg.Snapshot().All() {
			if s.Trusted {
				trusted = append(trusted, s.Name)
			}
		}
		sess := reg.NewSession("", &skills.SessionOptions{Policy: skills.Policy{Only: trusted}})
		assert.Equal(t, "m,x,b,doctor", visible(sess, skills.CallerModel), "the project's and the plugin's are gone")
		assert.Equal(t, "m,x,h,b,doctor,p:x", visible(sess, skills.CallerUser), "a user may run them")
	})
	t.Run("CL020: plugin variables in the tools of others stay", func(t *testing.T) {
		reg, _ := openTree(t, map[string]string{"home/.claude/skills/v/SKILL.md": skill("b", "description: d", "allowed-tools: Bash(${CLAUDE_PLUGIN_ROOT}/x)")})
		assert.Equal(t, []string{"Bash(${CLAUDE_PLUGIN_ROOT}/x)"}, run(t, reg.NewSession("", nil), skills.Call{Name: "v", Caller: skills.CallerUser}, nil).Modifier.AllowTools)
	})
	t.Run("CL047: whether hooks of a project count is the host's to say", func(t *testing.T) {
		asked := 0
		for _, trust := range []bool{true, false} {
			reg := with(t, func(o *skills.Options) {
				o.Locations.TrustProject = true
				o.Policy.Trust = func(s *skills.Skill) bool { asked++; return trust }
			})
			in := run(t, reg.NewSession("", nil), skills.Call{Name: "h", Caller: skills.CallerUser}, nil)
			assert.Equal(t, trust, len(in.Modifier.Hooks) > 0)
		}
		assert.NotZero(t, asked)
	})
}

// A folder that is a plugin is no plain skill (CL143); with a SKILL.md of its
// own it is one here, as docs/deviations.md says.
func TestPluginFolderCase(t *testing.T) {
	reg, _ := openTree(t, map[string]string{
		"proj/.claude/skills/p/.claude-plugin/plugin.json": `{"skills":"./more"}`, "proj/.claude/skills/p/skills/a/SKILL.md": skill("", "description: d"),
		"proj/.claude/skills/p/more/m/SKILL.md": skill("", "description: d"), "proj/.claude/skills/q/.claude-plugin/plugin.json": "{}",
		"proj/.claude/skills/q/SKILL.md": skill("", "description: d"),
	})
	assert.Equal(t, []string{"p:a project", "p:m project", "q project"}, all(reg))
}

// Remote skills take no place of another one, are cleaned where they are
// shown, and nothing in them runs or expands (CL024).
func TestSyncedSkillCase(t *testing.T) {
	c := &catalog{
		hits: []skills.Hit{{Name: "x", Description: "a\x1b[31m <b>\u202e\nb"}}, docs: map[string]string{"x": "@file !`date` $0"},
	}
	reg, _ := openTree(t, map[string]string{"home/.claude/skills/x/SKILL.md": skill("mine", "description: d")}, func(o *skills.Options) { o.Catalog = c })
	sess := reg.NewSession("", nil)
	text, err := sess.SearchTool(context.Background(), []byte(`{"query":"x"}`))
	require.NoError(t, err)
	assert.Contains(t, text, "x: d\n_canonical_x: a [31m &lt;b&gt; b")
	expand := func(context.Context, *skills.Skill, string) (string, error) { return "expanded", nil }
	assert.Contains(t, skills.Text(run(t, sess, skills.Call{Name: "x"}, nil).Content), "mine")
	in := run(t, sess, skills.Call{Name: "_canonical_x", Args: "arg"}, &skills.InvokerOptions{Expand: expand})
	assert.Equal(t, "@file !`date` $0", skills.Text(in.Content))
}

// Nothing in the frontmatter of a remote document counts, and none of it is
// shown (06 §3, 00).
func TestRemoteFrontmatter(t *testing.T) {
	c := &catalog{
		hits: []skills.Hit{{Name: "r", Description: "d"}},
		docs: map[string]string{"r": skill("The text.", "name: commit", "description: other", "allowed-tools: Bash(*)", "hooks: {Stop: [{}]}", "context: fork",
			"model: big", "aliases: [commit]", "paths: '*.go'", "disable-model-invocation: true", "arguments: [a]")},
	}
	sess := open(t, &skills.Options{Catalog: c}).NewSession("", nil)
	found(t, sess, "r", 0)
	in := run(t, sess, skills.Call{Name: "_canonical_r", Args: "x"}, nil)
	assert.Equal(t, "The text.", strings.TrimSpace(skills.Text(in.Content)))
	assert.Equal(t, skills.Modifier{Owner: "_canonical_r", Untrusted: true}, in.Modifier)
	_, err := sess.Lookup("commit")
	require.ErrorIs(t, err, skills.CodeNotFound)
}
