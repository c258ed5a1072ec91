package skills_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/seed-12b313d8/skills"
	"github.com/seed-12b313d8/skills/internal/testkit"
)

// openPlugin registers the plugin "p" with its root at plug/ of the tree.
func openPlugin(t *testing.T, files map[string]string, trusted bool) (*skills.Registry, string) {
	t.Helper()
	root := testkit.Tree(t, files)
	source, err := skills.PluginSource(skills.Plugin{Name: "p", Root: filepath.Join(root, "plug"), Trusted: trusted})
	require.NoError(t, err)
	return open(t, &skills.Options{Sources: []skills.Source{source}}), root
}

// Manifests of plugins (06 §1; bugs.md N08; peers.md CL032–CL037).
func TestPluginManifest(t *testing.T) {
	doc := skill("", "description: d")
	const manifest = "plug/.claude-plugin/plugin.json"
	const bad = "bad-manifest " + manifest
	for _, c := range []struct {
		reason, manifest string
		tree             map[string]string
		want, issues     string
		hint             string // of the first issue
	}{
		{reason: "no manifest: the usual folders", want: "p:a,p:c,p:sub:d"},
		{reason: "a manifest that says nothing", manifest: `{"name":"other"}`, want: "p:a,p:c,p:sub:d"},
		{reason: "CL035: skills adds to the usual folder", manifest: `{"skills":"./more"}`, want: "p:a,p:c,p:m,p:n,p:sub:d"},
		{reason: "a path to one skill", manifest: `{"skills":["./more/n"]}`, want: "p:a,p:c,p:n,p:sub:d"},
		{reason: "one file by two paths is one skill", manifest: `{"skills":["./more/n","./more","./skills"]}`, want: "p:a,p:c,p:m,p:n,p:sub:d"},
		{reason: "commands replaces the usual folder", manifest: `{"commands":"./other"}`, want: "p:a,p:o"},
		{reason: "commands by file", manifest: `{"commands":["./commands/c.md"]}`, want: "p:a,p:c"},
		{reason: "N08, CL032, CL033: the root", manifest: `{"skills":["./"]}`, tree: map[string]string{"plug/top/SKILL.md": doc}, want: "p:a,p:c,p:sub:d,p:top", issues: "too-deep plug/more/m/SKILL.md"},
		{reason: "N08: cleaned before it is judged", manifest: `{"skills":"skills/.."}`, tree: map[string]string{"plug/top/SKILL.md": doc}, want: "p:a,p:c,p:sub:d,p:top", issues: "too-deep plug/more/m/SKILL.md"},
		{
			reason: "CL037: the root is a skill, with the name of its frontmatter", manifest: `{"skills":["."]}`,
			tree: map[string]string{"plug/SKILL.md": skill("", "name: steady", "description: d")}, want: "p:a,p:c,p:steady,p:sub:d",
		},
		{
			reason: "CL033: outside", manifest: `{"skills":["../store","./more"]}`, want: "p:a,p:c,p:m,p:n,p:sub:d",
			issues: bad, hint: "inside the plugin",
		},
		{
			reason: "CL033: a link that leads out", manifest: `{"skills":["./out"]}`, tree: map[string]string{"plug/out": "-> ../store"},
			want: "p:a,p:c,p:sub:d", issues: bad, hint: "correct the path",
		},
		{
			reason: "a link that stays in", manifest: `{"skills":["./in"]}`, tree: map[string]string{"plug/in": "-> more"}, want: "p:a,p:c,p:m,p:n,p:sub:d",
		},
		{
			reason: "CL034: a file, with the folder to name instead", manifest: `{"skills":["./more/m/SKILL.md"]}`,
			want: "p:a,p:c,p:sub:d", issues: bad, hint: `"./more/m"`,
		},
		{reason: "a command of another kind", manifest: `{"commands":["./commands/c.txt"]}`, tree: map[string]string{"plug/commands/c.txt": "x"}, want: "p:a", issues: bad},
		{reason: "what is not there", manifest: `{"skills":["./gone"]}`, want: "p:a,p:c,p:sub:d", issues: bad, hint: "correct the path"},
		{reason: "no JSON: the usual folders", manifest: "{", want: "p:a,p:c,p:sub:d", issues: bad, hint: "write one"},
		{reason: "a manifest that is a link out", tree: map[string]string{manifest: "-> ../../store/plugin.json"}, want: "p:a,p:c,p:sub:d", issues: bad},
	} {
		t.Run(c.reason, func(t *testing.T) {
			files := map[string]string{
				"plug/skills/a/SKILL.md": doc, "plug/commands/c.md": "c", "plug/commands/sub/d.md": "d", "plug/other/o.md": "o",
				"plug/more/m/SKILL.md": doc, "plug/more/n/SKILL.md": doc, "store/s/SKILL.md": doc, "store/plugin.json": `{"skills":"./more"}`,
			}
			if c.manifest != "" {
				files[manifest] = c.manifest
			}
			for name, text := range c.tree {
				files[name] = text
			}
			for _, trusted := range []bool{false, true} {
				reg, root := openPlugin(t, files, trusted)
				assert.Equal(t, c.want, strings.ReplaceAll(strings.Join(all(reg), ","), " plugin", ""))
				assert.Equal(t, c.issues, strings.Join(issues(reg, root), ","))
				for i := range min(1, len(reg.Snapshot().Issues())) {
					assert.Contains(t, reg.Snapshot().Issues()[i].Hint, c.hint)
				}
				first := reg.Snapshot()
				_, err := reg.Reload(context.Background())
				require.NoError(t, err)
				assert.Same(t, first, reg.Snapshot(), "03 W3: nothing changed")
			}
		})
	}
}

// A manifest cannot make a plugin unstable, nor multiply the work or what there
// is to read of it (06 §1, 03 W3).
func TestPluginPathsThatMeet(t *testing.T) {
	doc := skill("", "description: d")
	bad := "---\nhooks: {\n---\n"
	links := map[string]string{"plug/big/b/SKILL.md": bad, "plug/big/c/d/SKILL.md": doc}
	var paths []string
	for i := range 200 {
		links[fmt.Sprint("plug/l", i)] = "-> big"
		paths = append(paths, fmt.Sprintf("%q", fmt.Sprint("./l", i)))
	}
	for _, c := range []struct {
		reason, manifest string
		tree             map[string]string
		want             string
		issues           int
	}{
		{"one folder as skills and as commands", `{"skills":"./x","commands":"./x"}`, map[string]string{"plug/x/a/SKILL.md": doc, "plug/x/c.md": "c"}, "p:a,p:c", 1},
		{"one file as a skill and as a command", `{"skills":["./a"],"commands":["./a/SKILL.md"]}`, map[string]string{"plug/a/SKILL.md": doc}, "p:a", 0},
		{"200 links to one folder", `{"skills":[` + strings.Join(paths, ",") + `]}`, links, "p:b", 6},
		{"the usual folders again", `{"skills":["./skills","./skills/a"],"commands":"./commands"}`, map[string]string{"plug/skills/a/SKILL.md": doc, "plug/commands/c.md": "c"}, "p:a,p:c", 1},
	} {
		t.Run(c.reason, func(t *testing.T) {
			c.tree["plug/.claude-plugin/plugin.json"] = c.manifest
			reg, _ := openPlugin(t, c.tree, true)
			assert.Equal(t, c.want, strings.ReplaceAll(strings.Join(all(reg), ","), " plugin", ""))
			assert.LessOrEqual(t, len(reg.Snapshot().Issues()), c.issues)
			first := reg.Snapshot()
			for range 2 {
				_, err := reg.Reload(context.Background())
				require.NoError(t, err)
				assert.Same(t, first, reg.Snapshot(), "nothing changed")
			}
		})
	}
}

// Plugins that lead to each other are each loaded once (01 §5, 01 R8).
func TestPluginsThatLeadToEachOther(t *testing.T) {
	doc := skill("", "description: d")
	tree := map[string]string{"proj/.claude/skills/self/.claude-plugin/plugin.json": "{}", "proj/.claude/skills/self/skills/self": "-> ..", "proj/.claude/skills/self/skills/s/SKILL.md": doc}
	for i := range 20 {
		p := fmt.Sprint("proj/.claude/skills/p", i)
		tree[p+"/.claude-plugin/plugin.json"] = "{}"
		tree[fmt.Sprint(p, "/skills/s", i, "/SKILL.md")] = doc
		for j := range 20 {
			tree[fmt.Sprint(p, "/skills/p", j)] = fmt.Sprint("-> ../../p", j)
		}
	}
	for _, trust := range []bool{false, true} {
		reg, _ := openTree(t, tree, func(o *skills.Options) { o.Locations.TrustProject = trust })
		assert.Len(t, all(reg), 21)
		first := reg.Snapshot()
		_, err := reg.Reload(context.Background())
		require.NoError(t, err)
		assert.Same(t, first, reg.Snapshot())
	}
}

// Names within a plugin (01 §5, N1).
func TestPluginNames(t *testing.T) {
	reg, root := openPlugin(t, map[string]string{
		"plug/skills/x/SKILL.md": skill("", "description: the skill"), "plug/commands/x.md": "the command",
		"plug/skills/folder/SKILL.md": skill("", "name: hello", "description: d"), "plug/skills/hello/SKILL.md": skill("", "description: d"),
		"plug/skills/one/SKILL.md": skill("", "name: dup", "description: d"), "plug/skills/two/SKILL.md": skill("", "name: dup", "description: d"),
		"plug/skills/only/SKILL.md": skill("", "name: other", "description: d"),
	}, false)
	assert.Equal(t, "p:folder,p:hello,p:one,p:other,p:two,p:x", strings.ReplaceAll(strings.Join(all(reg), ","), " plugin", ""), "what two claim, none gets")
	assert.Equal(t, []string{"shadowed plug/commands/x.md"}, issues(reg, root), "01 §5: a skill beats a command")
}

// What a Plugin must be (06 §1).
func TestPluginValues(t *testing.T) {
	for reason, p := range map[string]skills.Plugin{
		"no name": {Root: "x"}, "a colon": {Name: "a:b", Root: "x"}, "a slash": {Name: "a/b", Root: "x"},
		"the reserved prefix": {Name: "_canonical_a", Root: "x"}, "no root": {Name: "a"},
	} {
		_, err := skills.PluginSource(p)
		require.ErrorIs(t, err, skills.CodeInvalid, reason)
	}
}

// A plugin of one skill: the SKILL.md at its root (06 §1, CL036).
func TestPluginOfOneSkill(t *testing.T) {
	reg, _ := openPlugin(t, map[string]string{"plug/SKILL.md": skill("x", "description: d")}, false)
	assert.Equal(t, []string{"p:plug plugin"}, all(reg), "N1: by its folder")
	reg, _ = openPlugin(t, map[string]string{"plug/SKILL.md": skill("x", "description: d"), "plug/skills/a/SKILL.md": skill("", "description: d")}, false)
	assert.Equal(t, []string{"p:a plugin"}, all(reg), "alone only")
	reg, root := openPlugin(t, map[string]string{"plug/SKILL.md": skill("x", "description: d"), "plug/commands/c.md": "c"}, false)
	assert.Equal(t, []string{"p:c plugin"}, all(reg), "alone only")
	assert.Equal(t, []string{"root-skill plug/SKILL.md"}, issues(reg, root), "and nothing is passed over in silence")
}

// What a plugin's skills ask for holds as everywhere (06 §1, CL082, CL136).
func TestPluginFields(t *testing.T) {
	reg, _ := openPlugin(t, map[string]string{
		"plug/skills/f/SKILL.md": skill("Do it in ${CLAUDE_PLUGIN_ROOT}.", "description: d", "context: fork", "agent: Explore", "hooks: {Stop: [{}]}"),
	}, true)
	in, err := skills.NewInvoker(reg.NewSession("", nil), nil).Invoke(context.Background(), skills.Call{Name: "f", Caller: skills.CallerUser})
	require.NoError(t, err)
	fork, ok := in.(*skills.Fork)
	require.True(t, ok)
	assert.Equal(t, "Explore", fork.Agent)
	assert.NotEmpty(t, fork.Modifier.Hooks)
}

// Everything that a manifest names is watched, and so is the manifest
// (03 W1, 06 §1).
func TestPluginWatch(t *testing.T) {
	doc := skill("", "description: d")
	reg, root := openPlugin(t, map[string]string{
		"plug/.claude-plugin/plugin.json": `{"skills":["./more","./one"],"commands":"./cmd/c.md"}`,
		"plug/more/m/SKILL.md":            doc, "plug/one/SKILL.md": doc, "plug/cmd/c.md": "c", "plug/late/l/SKILL.md": doc,
	}, false)
	require.NoError(t, reg.Watch(context.Background(), quick))
	write := func(rel, text string) {
		path := filepath.Join(root, "plug", rel)
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
		require.NoError(t, os.WriteFile(path, []byte(text), 0o644))
	}
	describe := func(name string) func() bool {
		return func() bool {
			s, err := reg.NewSession("", nil).Lookup(name)
			return err == nil && s.Description == "changed"
		}
	}
	for name, rel := range map[string]string{"p:m": "more/m/SKILL.md", "p:one": "one/SKILL.md", "p:c": "cmd/c.md"} {
		write(rel, skill("", "description: changed"))
		eventually(t, reg, describe(name), name)
	}
	write(".claude-plugin/plugin.json", `{"skills":"./late"}`)
	eventually(t, reg, func() bool { return strings.Join(all(reg), ",") == "p:l plugin" }, "the manifest")
	write("late/l/SKILL.md", skill("", "description: changed"))
	eventually(t, reg, describe("p:l"), "what the manifest names since")
}
