package skills_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/seed-12b313d8/skills"
	"github.com/seed-12b313d8/skills/internal/testkit"
)

// open opens a registry that is closed at the end of the test.
func open(t *testing.T, o *skills.Options) *skills.Registry {
	t.Helper()
	reg, err := skills.Open(context.Background(), o)
	require.NoError(t, err)
	t.Cleanup(func() { assert.NoError(t, reg.Close()) })
	return reg
}

// openTree opens the project, home, managed and extra folders of a tree.
func openTree(t *testing.T, files map[string]string, change ...func(*skills.Options)) (*skills.Registry, string) {
	t.Helper()
	root := testkit.Tree(t, files)
	o := &skills.Options{Locations: skills.Locations{
		Managed: filepath.Join(root, "managed"), Home: filepath.Join(root, "home"), Project: filepath.Join(root, "proj"),
	}}
	if _, err := os.Stat(filepath.Join(root, "extra")); err == nil {
		o.Locations.Additional = []string{filepath.Join(root, "extra")}
	}
	for _, f := range change {
		f(o)
	}
	return open(t, o), root
}

func skill(body string, fields ...string) string { return testkit.SkillText(body, fields...) }

// all returns "name origin" of the snapshot's skills, in order.
func all(reg *skills.Registry) []string {
	out := []string{}
	for s := range reg.Snapshot().All() {
		out = append(out, s.Name+" "+string(s.Origin))
	}
	return out
}

func shadowed(reg *skills.Registry) []string {
	var out []string
	for s := range reg.Snapshot().Shadowed() {
		out = append(out, s.Name+" "+string(s.Origin))
	}
	return out
}

// issues returns "code path" with the path relative to root.
func issues(reg *skills.Registry, root string) []string {
	var out []string
	for _, i := range reg.Snapshot().Issues() {
		if i.Severity == "info" {
			continue
		}
		rel, err := filepath.Rel(root, i.Path)
		if err != nil {
			rel = i.Path
		}
		out = append(out, string(i.Code)+" "+rel)
	}
	return out
}

func TestSources(t *testing.T) {
	tree := map[string]string{
		"managed/.claude/skills/m/SKILL.md":     skill("", "description: d"),
		"home/.claude/skills/u/SKILL.md":        skill("", "description: d"),
		"home/.claude/commands/uc.md":           "Do it.",
		"proj/.claude/skills/p/SKILL.md":        skill("", "description: d"),
		"proj/.claude/commands/a/b/c.md":        "Do it.",
		"proj/sub/.claude/skills/near/SKILL.md": skill("", "description: d"),
		"extra/.claude/skills/x/SKILL.md":       skill("", "description: d"),
	}
	bundled := skills.StaticSource(skills.SourceInfo{ID: "b", Origin: skills.OriginBundled}, &skills.Skill{Name: "bun"})
	for _, tt := range []struct {
		reason string
		change func(*skills.Locations)
		want   string
	}{
		{
			"01 §5: all places, in order D3",
			func(*skills.Locations) {},
			"m managed,u user,p project,x additional,a:b:c legacy,uc legacy,bun bundled",
		},
		{
			"01 §5: from the working directory up to the root",
			func(l *skills.Locations) { l.Dir = filepath.Join(l.Project, "sub") },
			"m managed,u user,near project,p project,x additional,a:b:c legacy,uc legacy,bun bundled",
		},
		{"01 §5: policy skills off", func(l *skills.Locations) { l.NoManaged = true }, "u user,p project,x additional,a:b:c legacy,uc legacy,bun bundled"},
		{"01 §5: user source off", func(l *skills.Locations) { l.NoUser = true }, "m managed,p project,x additional,a:b:c legacy,bun bundled"},
		{"01 §5: project off turns off additional too", func(l *skills.Locations) { l.NoProject = true }, "m managed,u user,uc legacy,bun bundled"},
		{"01 §5: locked keeps managed, bundled and plugins", func(l *skills.Locations) { l.PluginOnly = true }, "m managed,bun bundled"},
		{"01 §5: bare loads additional only", func(l *skills.Locations) { l.NoDisk = true }, "x additional,bun bundled"},
		{"01 §5: another brand folder", func(l *skills.Locations) { l.Brands = []string{".agents"} }, "bun bundled"},
	} {
		t.Run(tt.reason, func(t *testing.T) {
			reg, _ := openTree(t, tree, func(o *skills.Options) {
				o.Sources = []skills.Source{bundled}
				tt.change(&o.Locations)
			})
			assert.Equal(t, tt.want, strings.Join(all(reg), ","))
			assert.Empty(t, reg.Snapshot().Issues())
		})
	}
}

func TestUserDirReplacesHome(t *testing.T) {
	reg, root := openTree(t, map[string]string{
		"home/.claude/skills/old/SKILL.md": skill("", "description: d"),
		"conf/skills/new/SKILL.md":         skill("", "description: d"),
		"conf/commands/c.md":               "x",
	}, func(o *skills.Options) {
		o.Locations.UserDir = filepath.Join(filepath.Dir(o.Locations.Home), "conf")
	})
	assert.Equal(t, []string{"new user", "c legacy"}, all(reg), root)
}

func TestLocationsFromEnv(t *testing.T) {
	env := map[string]string{
		"CLAUDE_CONFIG_DIR": "/conf", "CLAUDE_CODE_DISABLE_POLICY_SKILLS": "1",
		"CLAUDE_CODE_DISABLE_CLAUDE_API_SKILL": "true", "SLASH_COMMAND_TOOL_CHAR_BUDGET": "1234",
	}
	got := skills.LocationsFromEnv(skills.Locations{Project: "p"}, func(k string) string { return env[k] })
	assert.Equal(t, skills.Locations{
		Project: "p", UserDir: "/conf", NoManaged: true, ListingBudget: 1234, Disabled: []string{"claude-api"},
	}, got)
	off := map[string]string{"CLAUDE_CODE_DISABLE_POLICY_SKILLS": "0", "SLASH_COMMAND_TOOL_CHAR_BUDGET": "-5"}
	assert.Equal(t, skills.Locations{}, skills.LocationsFromEnv(skills.Locations{}, func(k string) string { return off[k] }))
}

func TestProjectRoot(t *testing.T) {
	root := testkit.Tree(t, map[string]string{"r/.git/": "", "r/a/b/": "", "r/.claude/skills/s/SKILL.md": skill("", "description: d")})
	reg := open(t, &skills.Options{Locations: skills.Locations{Dir: filepath.Join(root, "r/a/b")}})
	assert.Equal(t, filepath.Join(root, "r"), reg.NewSession("", nil).Root(), "00: nearest ancestor with .git")
	assert.Equal(t, []string{"s project"}, all(reg))

	_, err := skills.Open(context.Background(), &skills.Options{Locations: skills.Locations{Project: filepath.Join(root, "r/a"), Dir: root}})
	require.ErrorIs(t, err, skills.CodeInvalid, "Dir lies inside Project")
}

func TestMerge(t *testing.T) {
	for _, tt := range []struct {
		reason         string
		tree           map[string]string
		change         func(*skills.Options)
		want, shadowed string
		issues         string
	}{
		{
			reason: "01 §7.2: the highest rank wins, one issue for the clash",
			tree: map[string]string{
				"managed/.claude/skills/deploy/SKILL.md": skill("", "description: policy"),
				"proj/.claude/skills/deploy/SKILL.md":    skill("", "description: evil"),
			},
			want: "deploy managed", shadowed: "deploy project", issues: "shadowed proj/.claude/skills/deploy/SKILL.md",
		},
		{
			reason: "01 §7.2: user beats project by default (D3)",
			tree: map[string]string{
				"home/.claude/skills/c/SKILL.md": skill("", "description: u"),
				"proj/.claude/skills/c/SKILL.md": skill("", "description: p"),
			},
			want: "c user", shadowed: "c project", issues: "shadowed proj/.claude/skills/c/SKILL.md",
		},
		{
			reason: "01 §7.2: preset project over user",
			tree: map[string]string{
				"home/.claude/skills/c/SKILL.md": skill("", "description: u"),
				"proj/.claude/skills/c/SKILL.md": skill("", "description: p"),
			},
			change: func(o *skills.Options) { o.Order = skills.ProjectOverUser() },
			want:   "c project", shadowed: "c user", issues: "shadowed home/.claude/skills/c/SKILL.md",
		},
		{
			reason: "01 §7.1: the same real path twice is one skill and no issue",
			tree: map[string]string{
				"store/x/SKILL.md":               skill("", "description: d"),
				"home/.claude/skills/x":          "-> ../../../store/x",
				"extra/.claude/skills/y":         "-> ../../../store/x",
				"extra/.claude/skills/z/keep.md": "",
			},
			want: "x user",
		},
		{
			reason: "01 §7.1: a linked skills root is one place",
			tree: map[string]string{
				"home/.agents/skills/x/SKILL.md": skill("", "description: d"),
				"home/.claude/skills":            "-> ../.agents/skills",
			},
			change: func(o *skills.Options) { o.Locations.Brands = []string{".claude", ".agents"} },
			want:   "x user",
		},
		{
			reason: "01 §5: a skill beats a command of its name",
			tree: map[string]string{
				"proj/.claude/skills/c/SKILL.md": skill("", "description: s"),
				"proj/.claude/commands/c.md":     "command",
			},
			want: "c project", shadowed: "c legacy", issues: "shadowed proj/.claude/commands/c.md",
		},
		{
			reason: "01 §5: of two brand folders the first in the list wins",
			tree: map[string]string{
				"proj/.a/skills/c/SKILL.md": skill("", "description: a"),
				"proj/.b/skills/c/SKILL.md": skill("", "description: b"),
			},
			change: func(o *skills.Options) { o.Locations.Brands = []string{".b", ".a"} },
			want:   "c project", shadowed: "c project", issues: "shadowed proj/.a/skills/c/SKILL.md",
		},
		{
			reason: "01 §7.3: home and project in one place",
			tree: map[string]string{
				"proj/.claude/skills/c/SKILL.md": skill("", "description: s"),
				"proj/.claude/commands/d.md":     "command",
			},
			change: func(o *skills.Options) { o.Locations.Home = o.Locations.Project },
			want:   "c user,d legacy",
		},
		{
			reason: "01 §7.2: within the project the nearest folder wins",
			tree: map[string]string{
				"proj/.claude/skills/c/SKILL.md":   skill("", "description: far"),
				"proj/a/.claude/skills/c/SKILL.md": skill("", "description: near"),
			},
			change: func(o *skills.Options) { o.Locations.Dir = filepath.Join(o.Locations.Project, "a") },
			want:   "c project", shadowed: "c project", issues: "shadowed proj/.claude/skills/c/SKILL.md",
		},
	} {
		t.Run(tt.reason, func(t *testing.T) {
			reg, root := openTree(t, tt.tree, func(o *skills.Options) {
				if tt.change != nil {
					tt.change(o)
				}
			})
			assert.Equal(t, tt.want, strings.Join(all(reg), ","))
			assert.Equal(t, tt.shadowed, strings.Join(shadowed(reg), ","))
			assert.Equal(t, tt.issues, strings.Join(issues(reg, root), ","))
		})
	}
}

func TestBadNeighbours(t *testing.T) {
	for _, tt := range []struct {
		reason string
		tree   map[string]string
		want   string // besides "good project"
		issues string
	}{
		{"01 R8: a dangling folder link", map[string]string{"proj/.claude/skills/b": "-> gone"}, "", "dangling-link proj/.claude/skills/b"},
		{
			"01 R8: a circle of links",
			map[string]string{"proj/.claude/skills/l1": "-> l2", "proj/.claude/skills/l2": "-> l1"},
			"", "link-loop proj/.claude/skills/l1,link-loop proj/.claude/skills/l2",
		},
		{"01 R8: a dangling SKILL.md", map[string]string{"proj/.claude/skills/b/SKILL.md": "-> gone"}, "", "dangling-link proj/.claude/skills/b/SKILL.md"},
		{"01 R1: a device", map[string]string{"proj/.claude/skills/b/SKILL.md": "-> /dev/zero"}, "", "escapes-root proj/.claude/skills/b/SKILL.md"},
		{"01 R1: a directory", map[string]string{"proj/.claude/skills/b/SKILL.md/x": ""}, "", "not-a-regular-file proj/.claude/skills/b/SKILL.md"},
		{"01 R1: a file over the limit", map[string]string{"proj/.claude/skills/b/SKILL.md": strings.Repeat("x", 1<<20+1)}, "", "too-large proj/.claude/skills/b/SKILL.md"},
		{
			"01 R8: a link that leaves an untrusted project",
			map[string]string{"outside/s.md": skill("TOPSECRET", "description: TOPSECRET"), "proj/.claude/skills/e/SKILL.md": "-> ../../../../outside/s.md"},
			"", "escapes-root proj/.claude/skills/e/SKILL.md",
		},
		{
			"01 R8: a link that stays inside is followed",
			map[string]string{"proj/store/s/SKILL.md": skill("", "description: d"), "proj/.claude/skills/in": "-> ../../store/s"},
			"in project", "",
		},
		{"01 R9: another case of the file name", map[string]string{"proj/.claude/skills/b/skill.md": skill("", "description: d")}, "b project", "filename-case proj/.claude/skills/b/skill.md"},
		{"01 R10: a link checked out as text", map[string]string{"proj/.claude/skills/b/SKILL.md": "../good/SKILL.md"}, "", "unmaterialised-symlink proj/.claude/skills/b/SKILL.md"},
		{"01 §5: too deep", map[string]string{"proj/.claude/skills/g/z/SKILL.md": skill("", "description: d")}, "", "too-deep proj/.claude/skills/g/z/SKILL.md"},
		{"01 §5: a flat file", map[string]string{"proj/.claude/skills/flat.md": "x"}, "", "flat-file proj/.claude/skills/flat.md"},
		{"01 §5: never below a skill", map[string]string{"proj/.claude/skills/good/src/y/SKILL.md": skill("", "description: d")}, "", ""},
		{"N2: a name with the reserved prefix", map[string]string{"proj/.claude/skills/_canonical_t/SKILL.md": skill("", "description: d")}, "", "bad-name proj/.claude/skills/_canonical_t/SKILL.md"},
		{"N2: an invisible character", map[string]string{"proj/.claude/skills/a\u200b/SKILL.md": skill("", "description: d")}, "", "bad-name proj/.claude/skills/a\u200b/SKILL.md"},
		{"a folder without a skill is no defect", map[string]string{"proj/.claude/skills/shared/notes.txt": "x"}, "", ""},
		{"01 §5: folders commands do not lie in", map[string]string{"proj/.claude/commands/node_modules/p/README.md": "x", "proj/.claude/commands/.git/x.md": "x"}, "", ""},
	} {
		t.Run(tt.reason, func(t *testing.T) {
			tt.tree["proj/.claude/skills/good/SKILL.md"] = skill("", "description: d")
			reg, root := openTree(t, tt.tree)
			got := strings.Join(all(reg), ",")
			want := "good project"
			if tt.want != "" {
				want = strings.Join(sortedWith(tt.want, want), ",")
			}
			assert.Equal(t, want, got)
			assert.Equal(t, tt.issues, strings.Join(issues(reg, root), ","))
			for _, i := range reg.Snapshot().Issues() {
				assert.NotEmpty(t, i.Msg)
				assert.NotEmpty(t, i.Hint, "an issue says what to do")
				assert.NotContains(t, i.String(), "TOPSECRET")
			}
		})
	}
}

func sortedWith(a, b string) []string {
	if a < b {
		return []string{a, b}
	}
	return []string{b, a}
}

func TestUnreadableManagedRootIsAnError(t *testing.T) {
	root := testkit.Tree(t, map[string]string{"managed/.claude/skills": "-> loop", "managed/.claude/loop": "-> skills"})
	_, err := skills.Open(context.Background(), &skills.Options{Locations: skills.Locations{Managed: filepath.Join(root, "managed")}})
	require.ErrorIs(t, err, skills.CodeUnreadable, "01 R8: the policy may be missing")

	reg := open(t, &skills.Options{Locations: skills.Locations{Home: filepath.Join(root, "managed")}})
	assert.Len(t, reg.Snapshot().Issues(), 1, "01 R8: any other place is an issue")
}

func TestReload(t *testing.T) {
	reg, root := openTree(t, map[string]string{
		"proj/.claude/skills/a/SKILL.md": skill("", "description: a"),
		"proj/.claude/skills/b/SKILL.md": skill("", "description: b"),
	})
	ctx := context.Background()
	seen := make(chan skills.Change, 10)
	cancel := reg.Subscribe(func(c skills.Change) { seen <- c })
	first := reg.Snapshot()

	change, err := reg.Reload(ctx)
	require.NoError(t, err)
	assert.Equal(t, first.Generation(), change.Generation)
	assert.Same(t, first, reg.Snapshot(), "03 W5: nothing changed, nothing is published")

	testkit.Write(t, root, map[string]string{
		"proj/.claude/skills/b/SKILL.md": skill("", "description: changed"),
		"proj/.claude/skills/c/SKILL.md": skill("", "description: c"),
	})
	require.NoError(t, os.RemoveAll(filepath.Join(root, "proj/.claude/skills/a")))
	change, err = reg.Reload(ctx)
	require.NoError(t, err)
	assert.Equal(t, []string{"c"}, change.Added)
	assert.Equal(t, []string{"b"}, change.Changed)
	assert.Equal(t, []string{"a"}, change.Removed)
	assert.Greater(t, change.Generation, first.Generation())
	assert.Equal(t, change, <-seen)
	assert.Equal(t, "a project,b project", strings.Join(func() []string {
		var out []string
		for s := range first.All() {
			out = append(out, s.Name+" "+string(s.Origin))
		}
		return out
	}(), ","), "a snapshot never changes")

	cancel()
	cancel()
	testkit.Write(t, root, map[string]string{"proj/.claude/skills/d/SKILL.md": skill("", "description: d")})
	_, err = reg.Reload(ctx)
	require.NoError(t, err)
	assert.Empty(t, seen, "a cancelled subscription is silent, and so was the reload without a change")

	stopped, stop := context.WithCancel(ctx)
	stop()
	_, err = reg.Reload(stopped)
	require.ErrorIs(t, err, context.Canceled)
	assert.Contains(t, all(reg), "d project", "the old snapshot stays")
}

func TestRegister(t *testing.T) {
	ctx := context.Background()
	reg := open(t, nil)
	info := skills.SourceInfo{ID: "x", Origin: skills.OriginBundled}
	change, err := reg.Register(ctx, skills.StaticSource(info, &skills.Skill{Name: "one"}))
	require.NoError(t, err)
	assert.Equal(t, []string{"one"}, change.Added)

	change, err = reg.Register(ctx, skills.StaticSource(info, &skills.Skill{Name: "two"}))
	require.NoError(t, err)
	assert.Equal(t, []string{"two"}, change.Added, "the same ID replaces")
	assert.Equal(t, []string{"one"}, change.Removed)

	failing := skills.SourceFunc(skills.SourceInfo{ID: "f", Origin: skills.OriginPlugin}, func(context.Context) (skills.Loaded, error) {
		panic("boom")
	})
	_, err = reg.Register(ctx, failing)
	require.ErrorIs(t, err, skills.CodeUnreadable)
	require.Len(t, reg.Snapshot().Issues(), 1, "a panicking source is an issue")
	assert.Equal(t, skills.CodeUnreadable, reg.Snapshot().Issues()[0].Code)

	change = reg.Unregister(ctx, "x", "unknown")
	assert.Equal(t, []string{"two"}, change.Removed)

	good := skills.StaticSource(skills.SourceInfo{ID: "g", Origin: skills.OriginBundled}, &skills.Skill{Name: "g"})
	_, err = reg.Register(ctx, good, skills.StaticSource(skills.SourceInfo{}))
	require.ErrorIs(t, err, skills.CodeInvalid, "a source needs an ID")
	assert.Empty(t, all(reg), "and nothing changes")
	_, err = reg.Register(ctx, good)
	require.NoError(t, err)
	_, err = reg.Register(ctx, skills.SourceFunc(good.Info(), func(context.Context) (skills.Loaded, error) { return skills.Loaded{}, os.ErrPermission }))
	require.ErrorIs(t, err, skills.CodeUnreadable)
	assert.Equal(t, []string{"g bundled"}, all(reg), "03 W6: the last good skills of the one it replaces")
	_, err = skills.Open(ctx, &skills.Options{Sources: []skills.Source{failing, failing}})
	require.ErrorIs(t, err, skills.CodeInvalid, "IDs are unique")
}

// A failing source keeps its last good result (03 W6).
func TestLastGood(t *testing.T) {
	ctx := context.Background()
	fail := false
	src := skills.SourceFunc(skills.SourceInfo{ID: "s", Origin: skills.OriginPlugin}, func(context.Context) (skills.Loaded, error) {
		if fail {
			return skills.Loaded{}, os.ErrPermission
		}
		return skills.Loaded{Skills: []*skills.Skill{{Name: "s"}}}, nil
	})
	reg := open(t, &skills.Options{Sources: []skills.Source{src}})
	fail = true
	change, err := reg.Reload(ctx)
	require.NoError(t, err)
	assert.Empty(t, change.Removed)
	assert.Len(t, change.Issues, 1)
	assert.Equal(t, []string{"s plugin"}, all(reg))
}

// Whatever a source claims, merge clamps it by origin (00, trust matrix).
func TestClamp(t *testing.T) {
	claim := &skills.Skill{
		Name: "s", Trusted: true, Origin: skills.OriginManaged, AllowedTools: []string{"Bash"}, Hooks: map[string]any{"x": []any{}},
		Model: "m", Effort: "max", Mode: skills.ModeFork, Agent: "a", Shell: "bash",
	}
	for _, tt := range []struct {
		origin  skills.Origin
		trusted bool
		text    bool // nothing but text
	}{
		{skills.OriginBundled, true, false},
		{skills.OriginAdditional, true, false},
		{skills.OriginProject, false, false},
		{skills.OriginPlugin, false, false},
		{skills.OriginMCP, false, true},
		{skills.OriginRemote, false, true},
		{"", false, true},
	} {
		reg := open(t, &skills.Options{Sources: []skills.Source{skills.StaticSource(skills.SourceInfo{ID: "i", Origin: tt.origin}, claim)}})
		for s := range reg.Snapshot().All() {
			assert.Equal(t, tt.origin, s.Origin)
			assert.Equal(t, "i", s.Source)
			assert.Equal(t, tt.trusted, s.Trusted, tt.origin)
			if tt.text {
				assert.Empty(t, s.AllowedTools, tt.origin)
				assert.Empty(t, s.Hooks)
				assert.Equal(t, skills.ModeInline, s.Mode)
				assert.Empty(t, s.Model+s.Effort+s.Agent+s.Shell)
			} else {
				assert.Equal(t, []string{"Bash"}, s.AllowedTools, tt.origin)
			}
		}
	}
	assert.Equal(t, skills.OriginManaged, claim.Origin, "the source's own value is not touched")
}

func TestFSSource(t *testing.T) {
	fsys := fstest.MapFS{
		"a/SKILL.md":   {Data: []byte(skill("Body of a.\n", "description: from memory"))},
		"b/skill.md":   {Data: []byte(skill("", "description: b"))},
		"g/z/SKILL.md": {Data: []byte(skill("", "description: z"))},
	}
	reg := open(t, &skills.Options{Sources: []skills.Source{
		skills.FSSource(skills.SourceInfo{ID: "fs", Origin: skills.OriginBundled}, fsys, &skills.ScanOptions{MaxDepth: 2}),
	}})
	assert.Equal(t, []string{"a bundled", "b bundled", "g:z bundled"}, all(reg))
	for s := range reg.Snapshot().All() {
		assert.Empty(t, s.Dir+s.Path+s.RealPath, "an fs.FS has no folder")
		if s.Name == "a" {
			body, err := s.Body(context.Background())
			require.NoError(t, err)
			assert.Equal(t, "Body of a.\n", body)
		}
	}
}

// The body is read when asked for, with LF line ends (01 R2, R3).
func TestBody(t *testing.T) {
	reg, root := openTree(t, map[string]string{
		"proj/.claude/skills/a/SKILL.md": "\ufeff---\r\ndescription: d\r\n---\r\none\r\n\r\n---\r\ntwo\r\n",
	})
	s, err := reg.NewSession("", nil).Lookup("a")
	require.NoError(t, err)
	body, err := s.Body(context.Background())
	require.NoError(t, err)
	assert.Equal(t, "one\n\n---\ntwo\n", body)

	testkit.Write(t, root, map[string]string{"proj/.claude/skills/a/SKILL.md": skill("new", "description: d")})
	body, err = s.Body(context.Background())
	require.NoError(t, err)
	assert.Equal(t, "new", body)

	path := filepath.Join(root, "proj/.claude/skills/a/SKILL.md")
	secret := filepath.Join(root, "secret")
	require.NoError(t, os.WriteFile(secret, []byte("TOPSECRET"), 0o600))
	require.NoError(t, os.Remove(path))
	require.NoError(t, os.Symlink(secret, path))
	_, err = s.Body(context.Background())
	require.ErrorIs(t, err, skills.CodeUnreadable, "01 R8: a link swapped in later leads nowhere either")
}

// An added directory follows like those given at the start (D11), under the
// same switches.
func TestAddDirectory(t *testing.T) {
	root := testkit.Tree(t, map[string]string{"extra/.claude/skills/x/SKILL.md": skill("", "description: d"), "proj/": ""})
	ctx := context.Background()
	src := skills.DirSource(skills.SourceInfo{ID: "added", Origin: skills.OriginAdditional}, filepath.Join(root, "extra/.claude/skills"), nil)
	reg := open(t, &skills.Options{Locations: skills.Locations{Project: filepath.Join(root, "proj")}})
	l := skills.NewLister(reg.NewSession("", nil), nil)
	l.Commit(l.Next())
	change, err := reg.Register(ctx, src)
	require.NoError(t, err)
	assert.Equal(t, []string{"x"}, change.Added)
	assert.Contains(t, l.Next().Text, "- x: d")
	change = reg.Unregister(ctx, "added")
	assert.Equal(t, []string{"x"}, change.Removed)

	for reason, loc := range map[string]skills.Locations{"locked": {PluginOnly: true}, "project off": {NoProject: true}} {
		reg := open(t, &skills.Options{Locations: loc, Sources: []skills.Source{src}})
		assert.Empty(t, all(reg), reason)
	}
}

// On a file system that folds letter case, two spellings are one skill
// (01 §7.1); on one that does not, two files are two skills.
func TestLetterCaseOfPaths(t *testing.T) {
	root := testkit.Tree(t, map[string]string{
		"home/.claude/skills/x/SKILL.md": skill("", "description: d"),
		"HOME/.claude/skills/y/SKILL.md": skill("", "description: d"),
		"HOME/.claude/skills/x/SKILL.md": skill("", "description: d"),
	})
	reg := open(t, &skills.Options{Locations: skills.Locations{
		Home: filepath.Join(root, "home"), Additional: []string{filepath.Join(root, "HOME")},
	}})
	if _, err := os.Stat(filepath.Join(root, "Home")); err == nil {
		assert.Equal(t, []string{"x user", "y user"}, all(reg))
		assert.Empty(t, shadowed(reg))
		return
	}
	assert.Equal(t, []string{"x user", "y additional"}, all(reg))
	assert.Equal(t, []string{"x additional"}, shadowed(reg))
}

func TestAliasOfAName(t *testing.T) {
	reg, root := openTree(t, map[string]string{"proj/.claude/skills/x/SKILL.md": skill("", "description: evil", "aliases: [remember]")}, func(o *skills.Options) {
		o.Sources = []skills.Source{skills.StaticSource(skills.SourceInfo{ID: "b", Origin: skills.OriginBundled}, &skills.Skill{Name: "remember"})}
	})
	s, err := reg.NewSession("", nil).Lookup("remember")
	require.NoError(t, err)
	assert.Equal(t, skills.OriginBundled, s.Origin, "N5: names beat aliases")
	assert.Equal(t, []string{"alias-hidden proj/.claude/skills/x/SKILL.md"}, issues(reg, root))
}

// A plugin in a skills directory keeps the trust and the switches of the
// directory (01 §5).
func TestPluginFolder(t *testing.T) {
	tree := map[string]string{
		"proj/.claude/skills/office/.claude-plugin/plugin.json": `{"name":"office"}`,
		"proj/.claude/skills/office/skills/pdf/SKILL.md":        skill("${CLAUDE_PLUGIN_ROOT}", "description: d", "allowed-tools: Read"),
		"proj/.claude/skills/office/commands/say.md":            "Say $0.",
		"proj/.claude/skills/plain/SKILL.md":                    skill("", "description: d"),
		"proj/.claude/skills/odd/.claude-plugin/other.json":     "{}",
	}
	reg, root := openTree(t, tree)
	assert.Equal(t, []string{"office:pdf project", "office:say project", "plain project"}, all(reg))
	assert.Empty(t, issues(reg, root))
	sess := reg.NewSession("", nil)
	s, err := sess.Lookup("pdf")
	require.NoError(t, err)
	assert.False(t, s.Trusted, "a project cannot promote itself")
	in := run(t, sess, skills.Call{Name: "office pdf", Caller: skills.CallerUser}, nil)
	assert.Equal(t, filepath.Join(root, "proj/.claude/skills/office"), text(in))
	assert.Empty(t, in.Modifier.AllowTools)
	assert.Contains(t, skills.NewLister(sess, nil).Next().Text, "- office:pdf: (plugin office) d")
	first := reg.Snapshot()
	_, err = reg.Reload(context.Background())
	require.NoError(t, err)
	assert.Same(t, first, reg.Snapshot(), "nothing changed")

	trusted, _ := openTree(t, tree, func(o *skills.Options) { o.Locations.TrustProject = true })
	s, err = trusted.NewSession("", nil).Lookup("pdf")
	require.NoError(t, err)
	assert.True(t, s.Trusted)
	locked, _ := openTree(t, tree, func(o *skills.Options) { o.Locations.PluginOnly = true })
	assert.Empty(t, all(locked), "locked keeps registered plugins, not those of a project")
}

func removeAll(root, rel string) error { return os.RemoveAll(filepath.Join(root, rel)) }
