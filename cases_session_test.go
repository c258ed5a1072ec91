package skills_test

import (
	"context"
	"fmt"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/seed-12b313d8/skills"
	"github.com/seed-12b313d8/skills/internal/testkit"
)

// The tests of this file, cases_reload_test.go and cases_discovery_test.go
// check public bug reports of other clients, each by the id of its row.

// A pathCase is one conditional skill c, beside a plain one, and what unlocks
// it. A path that begins with "@" lies below the test's folder, which holds
// the project as proj, and again through a link as link.
type pathCase struct {
	reason       string
	field        string // the line of the frontmatter
	hits, misses []string
	codes        string // of the issues
}

func pathCases() []pathCase {
	elsewhere := []string{"/etc/hosts.md", "../up.md", "", ".", "..", "@/proj", "@/proj/", "@/home/.x.md", "@/sib/a.md", "a/../../b.md"}
	if runtime.GOOS == "windows" {
		elsewhere = append(elsewhere, `Z:\other\a.md`)
	}
	letters := strings.Repeat("{0,1,2,3,4,5,6,7,8,9}", 3)
	flood := strings.Repeat("{a,b}", 20) + ".go"
	return []pathCase{
		{reason: "F02: a file that does not exist yet", field: `paths: ["**/*.ts"]`, hits: []string{"src/new.ts", "new.ts", "@/proj/src/new.ts"}, misses: []string{"src/new.tsx"}},
		{reason: "F02, #90004, #93248: any tool's path, a folder too", field: "paths: src/gen", hits: []string{"src/gen", "src/gen/", "src/gen/deep/", "src/gen/deep/x"}, misses: []string{"src", "gen"}},
		{reason: "F02: a folder that is spelled like one", field: "paths: src/gen/", hits: []string{"src/gen/", "src/gen/x", "@/proj/src/gen/"}, misses: []string{"src/gen", "src/"}},
		{reason: "F03, CL045: outside is no match and no error", field: `paths: ["*"]`, hits: []string{"a.md"}, misses: elsewhere},
		{reason: "F03: cleaned first", field: "paths: src/*.ts", hits: []string{"./src/a.ts", "src//a.ts", "src/x/../a.ts", "@/proj/./src/a.ts"}, misses: []string{"src/x/a.ts"}},
		{reason: "F04: commas inside braces do not split", field: "paths: src/**/*.{ts,tsx}, docs/*.md", hits: []string{"src/a.ts", "src/d/e.tsx", "docs/a.md"}, misses: []string{"src/a.js", "docs/x/a.md", "tsx"}},
		{reason: "F04: nested braces", field: `paths: ["{a,{b,c}}.go"]`, hits: []string{"a.go", "b.go", "c.go"}, misses: []string{"d.go", "{b.go"}},
		{reason: "F04: an unbalanced brace is literal", field: `paths: ["{a.go", "b},c.go"]`, hits: []string{"{a.go", "b},c.go"}, misses: []string{"a.go", "c.go"}, codes: "unbalanced:3,unbalanced:3"},
		{reason: "F10: the list is one, the last match wins", field: `paths: ["*.ts", "!vendor/**"]`, hits: []string{"a.ts", "src/a.ts"}, misses: []string{"vendor/a.ts", "vendor/x/a.ts"}},
		{reason: "F10: nothing but negation", field: `paths: ["!x"]`, misses: []string{"x", "y", "x/y"}, codes: "never-matches:3"},
		{reason: "CL042: a thousand patterns are expanded", field: `paths: ["` + letters + `.go"]`, hits: []string{"000.go", "417.go", "999.go"}, misses: []string{"00.go"}},
		// What the row calls the whole list's budget makes one pattern literal, not its neighbours (03 A5).
		{reason: "CL042: over the budget it is literal", field: `paths: ["` + flood + `", "*.md"]`, hits: []string{flood, "a.md"}, misses: []string{strings.Repeat("a", 20) + ".go"}, codes: "brace-budget:3"},
		{reason: "CL043, 2e: a bad pattern disturbs nothing", field: `paths: ["photos [2024/**", "[abc", "*.go"]`, hits: []string{"a.go"}, misses: []string{"photos 2024/a", "photos [2024/a", "a"}, codes: "bad-pattern:3,bad-pattern:3"},
		{reason: "CL044: text", field: "paths: '*.go'", hits: []string{"a.go"}, misses: []string{"a.md"}},
		{reason: "CL044: text with commas", field: "paths: '*.go, src/{a,b}/*'", hits: []string{"a.go", "src/a/x", "src/b/x"}, misses: []string{"src/c/x"}},
		{reason: "CL044: a list", field: "paths: ['*.go', 'src/{a,b}/*']", hits: []string{"a.go", "src/a/x", "src/b/x"}, misses: []string{"b}/x"}},
		{reason: "CL044: a list in block form", field: "paths:\n  - '*.go'\n  - '*.{md,txt}'", hits: []string{"a.go", "a.md", "a.txt"}, misses: []string{"a.ts"}},
		{reason: "2e: relative and absolute", field: "paths: 'src/*.go'", hits: []string{"src/a.go", "@/proj/src/a.go"}, misses: []string{"@/src/a.go"}},
		{reason: "2.1.198: through a link to the project", field: "paths: '**/*.ts'", hits: []string{"a.ts", "@/proj/a.ts", "@/link/a.ts"}},
	}
}

func TestPathCases(t *testing.T) {
	for _, tt := range pathCases() {
		t.Run(tt.reason, func(t *testing.T) {
			root := testkit.Tree(t, map[string]string{
				"proj/.claude/skills/c/SKILL.md":     skill("", "description: d", tt.field),
				"proj/.claude/skills/plain/SKILL.md": skill("", "description: d"),
				"link":                               "-> proj",
			})
			reg := open(t, &skills.Options{Locations: skills.Locations{Project: filepath.Join(root, "link")}})
			assert.Equal(t, tt.codes, codesOf(reg.Snapshot().Issues()))
			touch := func(path, unlocked, seen string) {
				sess := reg.NewSession("", nil)
				if below, ok := strings.CutPrefix(path, "@"); ok {
					path = root + filepath.FromSlash(below)
				}
				act := sess.Touch(context.Background(), path)
				assert.Equal(t, unlocked, names(act.Unlocked), "touch %q", path)
				assert.Equal(t, seen, visible(sess, skills.CallerModel), "touch %q", path)
				assert.Empty(t, act.Issues, "touch %q", path)
				assert.Zero(t, sess.Touch(context.Background(), path), "2e: the second touch of %q", path)
			}
			for _, path := range tt.hits {
				touch(path, "c", "c,plain")
			}
			for _, path := range tt.misses {
				touch(path, "", "plain")
			}
		})
	}
}

// Patterns decide what the model sees by itself, and nothing else.
func TestActivationCases(t *testing.T) {
	ctx := context.Background()
	reg, _ := openTree(t, map[string]string{
		"proj/.claude/skills/rust/SKILL.md":   skill("Rust.", "description: d", `paths: "*.rs,Cargo.toml"`),
		"proj/.claude/skills/cargo/SKILL.md":  skill("", "description: d", "paths: Cargo.toml"),
		"proj/.claude/skills/hidden/SKILL.md": skill("", "description: d", "paths: Cargo.toml", "disable-model-invocation: true"),
		"home/.claude/skills/twice/SKILL.md":  skill("", "description: the winner", "paths: '*.never'"),
		"proj/.claude/skills/twice/SKILL.md":  skill("", "description: the loser", "paths: Cargo.toml"),
	})
	denied, err := skills.ParseRules("Skill(cargo)")
	require.NoError(t, err)
	for _, tt := range []struct {
		reason string
		check  func(t *testing.T, sess *skills.Session)
	}{
		{"F01, #49835, #41721: the user may call it before, the model is not told", func(t *testing.T, sess *skills.Session) {
			assert.NotContains(t, skills.NewLister(sess, nil).Next().Text, "rust")
			assert.Equal(t, "Rust.", text(run(t, sess, skills.Call{Name: "/rust", Caller: skills.CallerUser}, nil)))
			_, err := skills.NewInvoker(sess, nil).Invoke(ctx, skills.Call{Name: "rust"})
			require.ErrorIs(t, err, skills.CodeNotInvocable)
			assert.NotContains(t, skills.NewLister(sess, nil).Next().Text, "rust", "A1: that did not unlock it")
			sess.Touch(ctx, "src/main.rs")
			assert.Contains(t, skills.NewLister(sess, nil).Next().Text, "- rust: d")
		}},
		{"F02: the touch says what became available", func(t *testing.T, sess *skills.Session) {
			assert.Equal(t, "rust", names(sess.Touch(ctx, "new.rs").Unlocked))
		}},
		{"2e: overlapping patterns", func(t *testing.T, sess *skills.Session) {
			assert.Equal(t, "cargo,rust", names(sess.Touch(ctx, "Cargo.toml").Unlocked))
			assert.Empty(t, sess.Touch(ctx, "sub/Cargo.toml", "x.rs").Unlocked, "2e: nothing new")
		}},
		{"2e: a hidden skill never unlocks", func(t *testing.T, sess *skills.Session) {
			sess.Touch(ctx, "Cargo.toml")
			assert.Equal(t, "cargo,rust", visible(sess, skills.CallerModel))
		}},
		{"2e: the pattern of a shadowed copy does not unlock the winner", func(t *testing.T, sess *skills.Session) {
			assert.Equal(t, "cargo,rust", names(sess.Touch(ctx, "Cargo.toml").Unlocked))
			assert.Equal(t, "twice", names(sess.Touch(ctx, "x.never").Unlocked))
		}},
		{"A9: nor does a denied one", func(t *testing.T, sess *skills.Session) {
			sess.UpdatePolicy(func(p *skills.Policy) { p.Deny = denied })
			assert.Equal(t, "rust", names(sess.Touch(ctx, "Cargo.toml").Unlocked))
		}},
		{"CL046: whether anybody lists, asks or answers does not matter", func(t *testing.T, sess *skills.Session) {
			child := sess.Child("sub", nil)
			assert.Equal(t, "rust", names(child.Touch(ctx, "a.rs").Unlocked))
			assert.Empty(t, visible(sess, skills.CallerModel), "03 §1: nothing leaks between sessions")
		}},
		{"F rule: activation survives reload and compaction", func(t *testing.T, sess *skills.Session) {
			sess.Touch(ctx, "a.rs")
			_, err := reg.Reload(ctx)
			require.NoError(t, err)
			sess.Reset()
			assert.Equal(t, "rust", visible(sess, skills.CallerModel))
		}},
	} {
		t.Run(tt.reason, func(t *testing.T) { tt.check(t, reg.NewSession("", nil)) })
	}
}

// A nestedCase is a project, what of it is there at the start, and what a touch
// finds in it.
type nestedCase struct {
	reason        string
	tree          map[string]string
	change        func(*skills.Options)
	touch         string // paths, with a blank between
	loaded, found string
	unlocked      string
}

// inside makes dir, below the project, the working directory. If it is alone,
// the root is the nearest repository.
func inside(dir string, alone bool) func(*skills.Options) {
	return func(o *skills.Options) {
		o.Locations.Dir = filepath.Join(o.Locations.Project, dir)
		if alone {
			o.Locations.Project = ""
		}
	}
}

func ignoring(names ...string) func(*skills.Options) {
	return func(o *skills.Options) {
		o.Ignored = func(_ context.Context, _ string, dirs []string) ([]bool, error) {
			out := make([]bool, len(dirs))
			for i, d := range dirs {
				out[i] = slices.Contains(names, d)
			}
			return out, nil
		}
	}
}

func nestedCases() []nestedCase {
	doc := skill("", "description: d")
	packages := map[string]string{"proj/pk/a/.claude/skills/x/SKILL.md": doc, "proj/pk/b/.claude/skills/y/SKILL.md": doc}
	modules := map[string]string{"proj/node_modules/p/.claude/skills/x/SKILL.md": doc, "proj/pk/node_modules/p/.claude/skills/y/SKILL.md": doc}
	ignored := func(file, line string) map[string]string {
		return map[string]string{"proj/pk/gen/.claude/skills/x/SKILL.md": doc, "proj/pk/.claude/skills/y/SKILL.md": doc, file: line}
	}
	child := map[string]string{
		".claude/skills/above/SKILL.md": doc, "proj/.git/": "", "proj/.claude/skills/r/SKILL.md": doc,
		"proj/child/.git/": "", "proj/child/.claude/skills/c/SKILL.md": doc, "proj/child/src/.claude/skills/s/SKILL.md": doc,
	}
	switches := map[string]string{
		"proj/.claude/skills/p/SKILL.md": skill("", "description: d", "paths: '*'"), "proj/pk/.claude/skills/n/SKILL.md": doc,
		"home/.claude/skills/u/SKILL.md": skill("", "description: d", "paths: '*'"), "managed/.claude/skills/m/SKILL.md": doc,
	}
	return []nestedCase{
		{"F07: each package", packages, nil, "pk/a/f pk/b/f", "", "x,y", ""},
		{"F07: every folder between the file and the root", map[string]string{
			"proj/a/.claude/skills/x/SKILL.md": doc, "proj/a/b/c/.claude/skills/y/SKILL.md": doc, "proj/a/b/c/d/e/": "",
		}, nil, "a/b/c/d/e/f", "", "x,y", ""},
		{"F07: started inside one", packages, inside("pk/a", false), "pk/a/f pk/b/f", "x", "y", ""},
		{"F08, CL094: node_modules", modules, nil, "node_modules/p/i.js pk/node_modules/p/i.js", "", "", ""},
		{"F08, CL094: node_modules, whatever the host says", modules, ignoring(), "node_modules/p/i.js pk/node_modules/p/i.js", "", "", ""},
		{"F08, CL094: the root's ignore file", ignored("proj/.gitignore", "gen/\n"), nil, "pk/gen/f", "", "y", ""},
		{"F08, CL094: an ignore file on the way", ignored("proj/pk/.gitignore", "/gen\n"), nil, "pk/gen/f", "", "y", ""},
		{"F08, CL094: the repository's own list", ignored("proj/.git/info/exclude", "gen\n"), nil, "pk/gen/f", "", "y", ""},
		{"F08: the host's predicate", ignored("proj/x", ""), ignoring("pk/gen"), "pk/gen/f", "", "y", ""},
		{"CL095: only discovery filters", map[string]string{"proj/.gitignore": ".claude\n", "proj/.claude/skills/x/SKILL.md": doc, "proj/.claude/commands/y.md": "y"}, nil, "f", "x,y", "", ""},
		{"F12: from the start to the root, and not above", child, inside("child", false), "child/f", "c,r", "", ""},
		{"F12: an inner repository is no boundary for a touch", child, nil, "child/src/f", "r", "c,s", ""},
		{"F12: unless it is the root", child, inside("child", true), "src/f f", "c", "s", ""},
		{"CL096, 2.1.211: everything on", switches, nil, "pk/f", "m,u,p", "n", "u,p"},
		{"CL096, 2.1.211: the project's switch", switches, func(o *skills.Options) { o.Locations.NoProject = true }, "pk/f", "m,u", "", "u"},
		{"CL096: locked", switches, func(o *skills.Options) { o.Locations.PluginOnly = true }, "pk/f", "m", "", ""},
		{"CL096: bare", switches, func(o *skills.Options) { o.Locations.NoDisk = true }, "pk/f", "", "", ""},
		// The row says one skill. So it is here while it is one file; a copy of its own is a nested skill like any other (03 §3).
		{"CL098: one skill, reached through a folder as well", map[string]string{"proj/.claude/skills/x/SKILL.md": doc, "proj/wt/.claude": "-> ../.claude", "proj/wt/.git": "gitdir: x"}, nil, "wt/f", "x", "", ""},
	}
}

func TestNestedCases(t *testing.T) {
	for _, tt := range nestedCases() {
		t.Run(tt.reason, func(t *testing.T) {
			var change []func(*skills.Options)
			if tt.change != nil {
				change = append(change, tt.change)
			}
			reg, _ := openTree(t, tt.tree, change...)
			sess := reg.NewSession("", nil)
			assert.Equal(t, tt.loaded, visible(sess, skills.CallerUser))
			act := sess.Touch(context.Background(), strings.Fields(tt.touch)...)
			assert.Equal(t, tt.found, names(act.Discovered))
			assert.Empty(t, act.Issues)
			assert.Equal(t, tt.unlocked, names(act.Unlocked), "CL096: patterns work for what is loaded")
			assert.Equal(t, tt.loaded, visible(reg.NewSession("", nil), skills.CallerUser), "CL093: what is found belongs to the session")
		})
	}
}

// What a session found stays found, is told, and travels.
func TestNestedLifeCases(t *testing.T) {
	ctx := context.Background()
	tree := map[string]string{
		"home/.claude/skills/u/SKILL.md":               skill("", "description: user"),
		"proj/.claude/skills/deploy/SKILL.md":          skill("Root.", "description: root"),
		"proj/.claude/skills/go/SKILL.md":              skill("", "description: c", "paths: '*.go'"),
		"proj/apps/web/.claude/skills/deploy/SKILL.md": skill("Web.", "description: web"),
		"plug/skills/p/SKILL.md":                       skill("", "description: plugin"),
	}
	root := testkit.Tree(t, tree)
	plugin, err := skills.PluginSource(skills.Plugin{Name: "plug", Root: filepath.Join(root, "plug")})
	require.NoError(t, err)
	opts := &skills.Options{
		Locations: skills.Locations{Home: filepath.Join(root, "home"), Project: filepath.Join(root, "proj")}, Sources: []skills.Source{plugin},
	}
	reg := open(t, opts)
	sess := reg.NewSession("s", nil)
	const everything = "u,apps/web:deploy,deploy,go,plug:p"
	assert.Equal(t, "apps/web:deploy", names(sess.Touch(ctx, "apps/web/x.go").Discovered), "CL092: a clash")
	l := skills.NewLister(sess, nil)
	assert.Contains(t, l.Next().Text, "- apps/web:deploy: (in apps/web/) web", "CL092: the listing says where it belongs")
	// The row wants the name relative to the working directory; 03 §3 makes it relative to the root.
	assert.Equal(t, "Web.", text(run(t, sess, skills.Call{Name: "apps/web:deploy"}, nil)), "CL092")
	in := run(t, sess, skills.Call{Name: "deploy"}, nil)
	assert.True(t, strings.HasPrefix(text(in), "Root."), "CL092: both are reachable")
	assert.Contains(t, text(in), "- apps/web:deploy", "CL092: the bare name tells of the variants")
	l.Commit(l.Next())

	_, err = reg.Reload(ctx)
	require.NoError(t, err)
	assert.Equal(t, everything, visible(sess, skills.CallerModel), "CL093: kept for the session")
	child := sess.Child("sub", nil)
	assert.Equal(t, everything, visible(child, skills.CallerModel), "CL087: a sub-agent has user, project and plugin skills")
	for _, name := range strings.Split(everything, ",") {
		assert.Contains(t, skills.NewLister(child, nil).Next().Text, "- "+name+":", "CL087: and has been told of none")
	}
	assert.Empty(t, l.Next().Text, "CL087: the parent's own record is untouched")

	state, err := sess.Export()
	require.NoError(t, err)
	resumed, err := open(t, opts).RestoreSession(state, nil)
	require.NoError(t, err)
	assert.Equal(t, everything, visible(resumed, skills.CallerModel), "CL122: a fresh registry and a restored session")
	assert.Empty(t, skills.NewLister(resumed, nil).Next().Text, "CL122: nothing is told twice")
}

// A miss is remembered until a reload or a watch says otherwise.
func TestNestedMissCase(t *testing.T) {
	ctx := context.Background()
	reg, root := openTree(t, map[string]string{"proj/lib/x": ""})
	sess := reg.NewSession("", nil)
	assert.Empty(t, sess.Touch(ctx, "lib/x").Discovered)
	testkit.Write(t, root, map[string]string{"proj/lib/.claude/skills/z/SKILL.md": skill("", "description: d")})
	assert.Empty(t, sess.Touch(ctx, "lib/x").Discovered, "F07: each folder is checked once")
	_, err := reg.Reload(ctx)
	require.NoError(t, err)
	assert.Equal(t, "z", names(sess.Touch(ctx, "lib/x").Discovered), "F07: checked again after a reload")

	require.NoError(t, reg.Watch(ctx, quick))
	sess.Touch(ctx, "late/x")
	testkit.Write(t, root, map[string]string{"proj/late/.claude/skills/w/SKILL.md": skill("", "description: d")})
	eventually(t, reg, func() bool { return names(sess.Touch(ctx, "late/x").Discovered) == "w" }, "F07: and after a watched change")
}

// What was invoked is history after a compaction, and nobody else's.
func TestContextLifeCases(t *testing.T) {
	ctx := context.Background()
	runs, observed := 0, 0
	again := func(context.Context, skills.PromptContext) ([]skills.Block, error) {
		runs++
		return []skills.Block{{Text: fmt.Sprint("output ", runs)}}, nil
	}
	reg, _ := openTree(t, map[string]string{
		"home/.claude/skills/s/SKILL.md": skill("Do $ARGUMENTS.\n\n!`now`\n", "description: d", "hooks: {Stop: [{command: x}]}"),
		"home/.claude/skills/t/SKILL.md": skill("Text for $ARGUMENTS.", "description: d"),
		"home/.claude/skills/c/SKILL.md": skill("", "description: d", "paths: '*.go'"),
	}, func(o *skills.Options) {
		o.Observe = func(skills.Record) { observed++ }
		o.Sources = []skills.Source{skills.StaticSource(skills.SourceInfo{ID: "b", Origin: skills.OriginBundled}, &skills.Skill{Name: "b", Content: skills.Content{Prompt: again}})}
	})
	shell := &skills.InvokerOptions{Shell: func(context.Context, skills.Command) (skills.CommandResult, error) {
		runs++
		return skills.CommandResult{Output: fmt.Sprint("output ", runs)}, nil
	}}
	typed := func(name, args string) skills.Call {
		return skills.Call{Name: name, Args: args, Caller: skills.CallerUser}
	}
	retain := &skills.SessionOptions{Retain: true}
	for _, tt := range []struct {
		reason string
		check  func(t *testing.T, sess *skills.Session)
	}{
		{"CL002, CL003: re-attaching is no invocation", func(t *testing.T, sess *skills.Session) {
			run(t, sess, typed("s", "pull $0"), shell)
			said := fmt.Sprint("output ", runs)
			run(t, sess, typed("b", ""), nil)
			before := []int{runs, observed, len(sess.Records())}
			sess.Reset()
			blocks := sess.Reattach(0, 0)
			require.Len(t, blocks, 2)
			assert.Contains(t, blocks[0].Text, fmt.Sprint("output ", runs), "CL003: what it said then")
			assert.Contains(t, blocks[1].Text, said, "CL003: what the shell said then")
			assert.Contains(t, blocks[1].Text, "Do pull $0.", "CL003: not substituted again")
			assert.Contains(t, blocks[1].Text, "its arguments belong to that time. Do not carry it out again", "CL002")
			assert.Equal(t, before, []int{runs, observed, len(sess.Records())}, "CL003: nothing is run, no event, no record")
		}},
		{"CL023: one invocation, one set of messages", func(t *testing.T, sess *skills.Session) {
			l := skills.NewLister(sess, nil)
			l.Commit(l.Next())
			assert.Len(t, run(t, sess, typed("t", "x"), nil).Content, 1)
			assert.Empty(t, l.Next().Text)
		}},
		{"CL086: a sub-agent's invocations stay its own", func(t *testing.T, sess *skills.Session) {
			child := sess.Child("sub", nil)
			run(t, child, typed("t", "x"), nil)
			assert.Empty(t, sess.Records())
			assert.Empty(t, sess.Reattach(0, 0))
			require.Len(t, child.Records(), 1)
			assert.Equal(t, "sub", child.Records()[0].Session)
		}},
		{"CL090: the same bytes again are marked", func(t *testing.T, sess *skills.Session) {
			assert.False(t, run(t, sess, typed("t", "x"), nil).AlreadyLoaded)
			assert.True(t, run(t, sess, typed("t", "x"), nil).AlreadyLoaded)
			other := run(t, sess, typed("t", "y"), nil)
			assert.False(t, other.AlreadyLoaded, "other arguments")
			assert.Equal(t, "Text for y.", text(other))
			run(t, sess, typed("b", ""), nil)
			assert.False(t, run(t, sess, typed("b", ""), nil).AlreadyLoaded, "other output")
			run(t, sess, typed("s", "x"), shell)
			assert.False(t, run(t, sess, typed("s", "x"), shell).AlreadyLoaded, "other output of the shell")
		}},
		// The row leaves open what becomes of activation: Reset keeps it, Forget does not (03 §1).
		{"CL091: clear", func(t *testing.T, sess *skills.Session) {
			l := skills.NewLister(sess, nil)
			sess.Touch(ctx, "a.go")
			l.Commit(l.Next())
			run(t, sess, typed("t", "x"), nil)
			sess.Reset()
			assert.Contains(t, l.Next().Text, "- c: d")
			assert.Contains(t, l.Next().Text, "- t: d")
			assert.False(t, run(t, sess, typed("t", "x"), nil).AlreadyLoaded)
			sess.Forget()
			assert.NotContains(t, l.Next().Text, "- c: d")
			assert.Empty(t, sess.Records())
			assert.Empty(t, sess.Reattach(0, 0))
		}},
		{"CL139: what the host did not put into the context comes again", func(t *testing.T, sess *skills.Session) {
			l := skills.NewLister(sess, nil)
			first := l.Next().Text
			run(t, sess, typed("t", "x"), nil)
			assert.NotEmpty(t, first)
			assert.Equal(t, first, l.Next().Text)
		}},
	} {
		t.Run(tt.reason, func(t *testing.T) { tt.check(t, reg.NewSession("main", retain)) })
	}
}

// Bodies are read when they are needed and kept by nobody.
func TestBodiesNotKeptCases(t *testing.T) {
	const n, size, bar = 20, 128 << 10, 1 << 20
	body := strings.Repeat("0123456789abcdef", size/16)
	tree := map[string]string{"home/.claude/skills/one/SKILL.md": skill("$0"+body, "description: d")}
	for i := range n {
		tree[fmt.Sprintf("home/.claude/skills/s%d/SKILL.md", i)] = skill(body, "description: d")
	}
	root := testkit.Tree(t, tree)
	clear(tree)
	before := retained()
	reg := open(t, &skills.Options{Locations: skills.Locations{Home: filepath.Join(root, "home")}})
	assert.Len(t, all(reg), n+1)
	assert.Less(t, int64(retained())-int64(before), int64(bar), "CL115: %d bodies of %d bytes were loaded", n, size)

	sess := reg.NewSession("", nil)
	before = retained()
	for i := range n {
		run(t, sess, skills.Call{Name: "one", Args: fmt.Sprint(i)}, nil)
	}
	assert.Less(t, int64(retained())-int64(before), int64(bar), "CL145: %d bodies of %d bytes were handed out", n, size)
	assert.Nil(t, sess.Reattach(0, 0), "CL145: only Retain keeps them")
	runtime.KeepAlive(reg)
}
