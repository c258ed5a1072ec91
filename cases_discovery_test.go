package skills_test

import (
	"context"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/seed-12b313d8/skills"
	"github.com/seed-12b313d8/skills/internal/testkit"
)

// A placeCase is a tree, and which skills are found in it.
type placeCase struct {
	reason   string
	tree     map[string]string
	change   func(*skills.Options)
	want     string // "name origin", with a comma between
	shadowed string
	issues   string // "code path"
}

func at(f func(*skills.Locations)) func(*skills.Options) {
	return func(o *skills.Options) { f(&o.Locations) }
}

func trusted(l *skills.Locations) { l.TrustProject = true }

func deep(n int) func(*skills.Options) { return func(o *skills.Options) { o.Scan.MaxDepth = n } }

// placeCases are rows of section 2c, and single issues, about the skills
// directory itself.
func placeCases() []placeCase {
	doc := skill("", "description: d")
	const home, proj = "home/.claude/skills/", "proj/.claude/skills/"
	depths := map[string]string{home + "d0/SKILL.md": doc, home + "g/d1/SKILL.md": doc, home + "g/h/d2/SKILL.md": doc}
	repo := map[string]string{".claude/skills/above/SKILL.md": doc, "proj/.git/": "", proj + "r/SKILL.md": doc, "proj/in/.claude/skills/i/SKILL.md": doc}
	plain := map[string]string{".claude/skills/above/SKILL.md": doc, proj + "r/SKILL.md": doc, "proj/in/.claude/skills/i/SKILL.md": doc}
	outer := func(more map[string]string) map[string]string {
		more[home+"outer/.claude-plugin/plugin.json"] = `{"name":"outer"}`
		return more
	}
	return []placeCase{
		{"2c, #39138, #18192, #28266: one level by default", depths, nil, "d0 user", "", "too-deep " + home + "g/d1/SKILL.md"},
		{"2c: at the limit, and one deeper", depths, deep(2), "d0 user,g:d1 user", "", "too-deep " + home + "g/h/d2/SKILL.md"},
		// Some clients load it; 01 §5 never descends below a skill.
		{"2c: a SKILL.md inside a skill", map[string]string{home + "a/SKILL.md": doc, home + "a/b/SKILL.md": doc}, deep(3), "a user", "", ""},
		{"2c, #38051: a linked folder", map[string]string{"store/x/SKILL.md": doc, home + "x": "-> ../../../store/x"}, nil, "x user", "", ""},
		{"2c, #25367: a linked root", map[string]string{"store/x/SKILL.md": doc, "home/.claude/skills": "-> ../../store"}, nil, "x user", "", ""},
		// Some clients pass over the next two; 01 R8 follows both for trusted origins.
		{"2c, #68118: a linked SKILL.md", map[string]string{"store/s.md": doc, home + "x/SKILL.md": "-> ../../../../store/s.md"}, nil, "x user", "", ""},
		{"2c: a visible link to a hidden folder", map[string]string{"home/.store/x/SKILL.md": doc, home + "x": "-> ../../.store/x"}, nil, "x user", "", ""},
		{"2c, CL112: links in circles", map[string]string{home + "a/SKILL.md": doc, home + "a/loop": "-> ..", home + "a/self": "-> self", home + "c": "-> c"}, deep(5), "a user", "", "link-loop " + home + "c"},
		{"2c: a folder and a link to it in two roots", map[string]string{home + "x/SKILL.md": doc, proj + "x": "-> ../../../home/.claude/skills/x"}, at(trusted), "x user", "", ""},
		{"2c: nothing above the repository", repo, inside("in", true), "i project,r project", "", ""},
		{"2c: without a repository, the folder alone", plain, inside("in", true), "i project", "", ""},
		{"2c: one name in the root and in a nested folder", map[string]string{proj + "x/SKILL.md": doc, "proj/in/.claude/skills/x/SKILL.md": doc}, inside("in", false), "x project", "x project", "shadowed " + proj + "x/SKILL.md"},
		{"2c: one name in the repository and the user's", map[string]string{proj + "x/SKILL.md": doc, home + "x/SKILL.md": doc}, nil, "x user", "x project", "shadowed " + proj + "x/SKILL.md"},
		// Other clients keep one; N2 compares names as written.
		{"2c: names that differ in case", map[string]string{proj + "alpha/SKILL.md": doc, proj + "Alpha/SKILL.md": doc}, nil, "Alpha project,alpha project", "", ""},
		{"2c: a manifest above", outer(map[string]string{home + "outer/skills/x/SKILL.md": doc}), nil, "outer:x user", "", ""},
		{"2c: a manifest of its own, nested", outer(map[string]string{home + "outer/skills/nested/.claude-plugin/plugin.json": `{"name":"nested"}`, home + "outer/skills/nested/skills/x/SKILL.md": doc}), nil, "nested:x user", "", ""},
		{"2c: a nested manifest that is no JSON", outer(map[string]string{home + "outer/skills/x/.claude-plugin/plugin.json": "{", home + "outer/skills/x/SKILL.md": doc}), nil, "outer:x user", "", ""},
		{"2c: a link to a plain folder", map[string]string{"store/x/SKILL.md": doc, home + "x": "-> ../../../store/x", "store/.claude-plugin/plugin.json": `{"name":"outer"}`}, nil, "x user", "", ""},
		{"2c: a SKILL.md that is a folder", map[string]string{home + "a/SKILL.md": doc, home + "b/SKILL.md/": ""}, nil, "a user", "", "not-a-regular-file " + home + "b/SKILL.md"},
		{"2c: a flat file beside the folder", map[string]string{home + "foo.md": doc, home + "foo/SKILL.md": doc}, nil, "foo user", "", "flat-file " + home + "foo.md"},
		// Other clients pass over dot folders everywhere; here they do so for commands, 01 §5, and a skills directory has none that are special.
		{"2c: dot folders and node_modules", map[string]string{
			home + ".x/SKILL.md": doc, "home/.claude/commands/.git/a.md": "a", "home/.claude/commands/node_modules/p/README.md": "b", "home/.claude/commands/c.md": "c",
		}, nil, ".x user,c legacy", "", ""},
		{"2c, CL095: ignore files filter no root", map[string]string{"proj/.git/": "", "proj/.gitignore": ".claude/\n", proj + "x/SKILL.md": doc, proj + ".gitignore": "*"}, nil, "x project", "", ""},
	}
}

// originCases are about which places are read.
func originCases() []placeCase {
	doc := skill("", "description: d")
	every := map[string]string{
		"managed/.claude/skills/m/SKILL.md": doc, "home/.claude/skills/u/SKILL.md": doc, "home/.claude/commands/uc.md": "c",
		"proj/.claude/skills/p/SKILL.md": doc, "proj/.claude/commands/pc.md": "c", "extra/.claude/skills/x/SKILL.md": doc,
	}
	worktree := map[string]string{
		"proj/.git/": "", "proj/.claude/skills/a/SKILL.md": doc, "proj/wt/.git": "gitdir: ../.git/worktrees/wt", "proj/wt/.claude/skills/a/SKILL.md": doc,
	}
	return []placeCase{
		{"CL097, CL133: everything on", every, nil, "m managed,u user,p project,x additional,pc legacy,uc legacy", "", ""},
		{"CL097: managed off", every, at(func(l *skills.Locations) { l.NoManaged = true }), "u user,p project,x additional,pc legacy,uc legacy", "", ""},
		{"CL097: user off", every, at(func(l *skills.Locations) { l.NoUser = true }), "m managed,p project,x additional,pc legacy", "", ""},
		{"CL097: project off", every, at(func(l *skills.Locations) { l.NoProject = true }), "m managed,u user,uc legacy", "", ""},
		{"CL097: locked", every, at(func(l *skills.Locations) { l.PluginOnly = true }), "m managed", "", ""},
		{"CL103: bare, added directories stay", every, at(func(l *skills.Locations) { l.NoDisk = true }), "x additional", "", ""},
		{"CL097: the project alone", every, at(func(l *skills.Locations) { l.NoManaged, l.NoUser, l.Additional = true, true, nil }), "p project,pc legacy", "", ""},
		{"CL098: started in a worktree inside its repository", worktree, inside("wt", true), "a project", "", ""},
		// With the outer repository as the root both are read, and the nearest wins (01 §7.2).
		{"CL098: the same, with the repository as the root", worktree, inside("wt", false), "a project", "a project", "shadowed proj/.claude/skills/a/SKILL.md"},
		{
			"CL101: of added directories the first wins",
			map[string]string{"one/.claude/skills/x/SKILL.md": doc, "two/.claude/skills/x/SKILL.md": doc, "two/.claude/skills/y/SKILL.md": doc},
			at(func(l *skills.Locations) { l.Additional = []string{l.Home + "/../one", l.Home + "/../two"} }), "x additional,y additional", "x additional", "shadowed two/.claude/skills/x/SKILL.md",
		},
		{"CL102: settings in a file add no directory", map[string]string{
			"proj/.claude/settings.json": `{"permissions":{"additionalDirectories":["../other"]}}`, "other/.claude/skills/x/SKILL.md": doc,
		}, nil, "", "", ""},
		{"CL110: the user's brand folder is a link to the project's", map[string]string{"home/.claude": "-> ../proj/.claude", "proj/.claude/skills/a/SKILL.md": doc, "proj/.claude/commands/c.md": "c"}, nil, "a user,c legacy", "", ""},
		{"CL113: home and project in one place", map[string]string{"home/.claude/skills/a/SKILL.md": doc, "home/.claude/commands/c.md": "c"}, at(func(l *skills.Locations) { l.Project = l.Home }), "a user,c legacy", "", ""},
		{"CL114: several plugins", map[string]string{"home/.claude/skills/a/SKILL.md": doc, "p/skills/x/SKILL.md": doc, "q/skills/x/SKILL.md": doc}, func(o *skills.Options) {
			for _, name := range []string{"p", "q"} {
				src, err := skills.PluginSource(skills.Plugin{Name: name, Root: o.Locations.Home + "/../" + name})
				if err == nil {
					o.Sources = append(o.Sources, src)
				}
			}
		}, "a user,p:x plugin,q:x plugin", "", ""},
	}
}

func TestPlaceCases(t *testing.T) {
	for _, tt := range append(placeCases(), originCases()...) {
		t.Run(tt.reason, func(t *testing.T) {
			var change []func(*skills.Options)
			if tt.change != nil {
				change = append(change, tt.change)
			}
			reg, root := openTree(t, tt.tree, change...)
			for _, when := range []string{"opened", "reloaded"} {
				assert.Equal(t, tt.want, strings.Join(all(reg), ","), when)
				assert.Equal(t, tt.shadowed, strings.Join(shadowed(reg), ","), when)
				assert.Equal(t, tt.issues, strings.Join(issues(reg, root), ","), when)
				_, err := reg.Reload(context.Background())
				require.NoError(t, err)
			}
		})
	}
}

// One inode under two paths is two skills.
func TestHardLinkCase(t *testing.T) {
	root := testkit.Tree(t, map[string]string{"home/.claude/skills/one/SKILL.md": skill("", "description: d"), "home/.claude/skills/two/": ""})
	require.NoError(t, os.Link(root+"/home/.claude/skills/one/SKILL.md", root+"/home/.claude/skills/two/SKILL.md"))
	reg := open(t, &skills.Options{Locations: skills.Locations{Home: root + "/home"}})
	assert.Equal(t, []string{"one user", "two user"}, all(reg), "CL109: identity is the real path")
	assert.Empty(t, reg.Snapshot().Issues())
}

// Directories are taken from where the process is when the registry opens.
func TestWorkingDirectoryCases(t *testing.T) {
	doc := skill("", "description: d")
	root := testkit.Tree(t, map[string]string{
		"main/.git/": "", "main/.claude/skills/m/SKILL.md": doc, "wt/.git": "gitdir: ../main/.git/worktrees/wt", "wt/.claude/skills/w/SKILL.md": doc,
		"extra/.claude/skills/x/SKILL.md": doc,
	})
	t.Chdir(filepath.Join(root, "main"))
	before := open(t, &skills.Options{Locations: skills.Locations{Dir: "."}})
	t.Chdir(filepath.Join(root, "wt"))
	after := open(t, &skills.Options{Locations: skills.Locations{Dir: "."}})
	assert.Equal(t, []string{"w project"}, all(after), "CL100: a change of directory before the load counts")
	_, err := before.Reload(context.Background())
	require.NoError(t, err)
	assert.Equal(t, []string{"m project"}, all(before), "CL100: and later ones do not")

	// Another client takes them from the project root; the host gives them here, so they are its own. A "~" is for shells to expand.
	reg := open(t, &skills.Options{Locations: skills.Locations{Dir: ".", Additional: []string{"../extra", "../extra/", "./../extra", "../gone", "~/gone"}}})
	assert.Equal(t, []string{"w project", "x additional"}, all(reg), "2c: relative, with a slash at the end, again, missing")
	assert.Empty(t, reg.Snapshot().Issues())
}

// Directories added while the program runs are like those given at the start.
func TestAddedDirectoryCases(t *testing.T) {
	ctx := context.Background()
	reg, root := openTree(t, map[string]string{"proj/": "", "extra/.claude/skills/x/SKILL.md": skill("", "description: 1"), "late/.claude/skills/y/SKILL.md": skill("", "description: 1")})
	require.NoError(t, reg.Watch(ctx, quick))
	sess := reg.NewSession("", nil)
	l := skills.NewLister(sess, nil)
	l.Commit(l.Next())
	add := func(id, dir string) skills.Source {
		return skills.DirSource(skills.SourceInfo{ID: id, Origin: skills.OriginAdditional}, filepath.Join(root, dir, ".claude/skills"), nil)
	}
	_, err := reg.Register(ctx, add("late", "late"), add("again", "extra"))
	require.NoError(t, err)
	assert.Equal(t, []string{"x additional", "y additional"}, all(reg), "CL102: as if given at the start, and once")
	assert.Contains(t, l.Next().Text, "- y: 1", "2.1.219: announced")
	assert.NotContains(t, l.Next().Text, "- x: 1")
	for _, dir := range []string{"extra", "late"} {
		put(dir+"/.claude/skills/"+dir+"/SKILL.md", "live")(t, root)
	}
	want := []string{"extra additional", "late additional", "x additional", "y additional"}
	eventually(t, reg, func() bool { return assert.ObjectsAreEqual(want, all(reg)) }, "CL101: live reload of both")
	change := reg.Unregister(ctx, "again", "late")
	assert.Equal(t, []string{"late", "y"}, change.Removed)
	assert.Equal(t, []string{"extra additional", "x additional"}, all(reg), "2.1.98: what else gave the directory keeps it")
}

// A file that cannot be opened takes nothing else with it.
func TestUnreadableSiblingCase(t *testing.T) {
	rec := &recorder{deny: "b/SKILL.md", tree: fstest.MapFS{
		"a/SKILL.md": {Data: []byte(skill("", "description: d"))}, "b/SKILL.md": {Data: []byte(skill("", "description: d"))},
	}}
	reg := openRecorder(t, rec)
	assert.Equal(t, []string{"a user"}, all(reg), "2c: the others load")
	require.Len(t, reg.Snapshot().Issues(), 1)
	assert.Equal(t, skills.CodeUnreadable, reg.Snapshot().Issues()[0].Code, "2c: with a warning")
}

// What began as separate features is one system.
func TestOriginsSmokeCase(t *testing.T) {
	reg, root := openTree(t, map[string]string{
		"home/.claude/commands/front/end.md": "Component $0.", "proj/.claude/skills/s/SKILL.md": skill("Skill.", "description: d"), "plug/skills/p/SKILL.md": skill("Plugin.", "description: d"),
	})
	plugin, err := skills.PluginSource(skills.Plugin{Name: "plug", Root: filepath.Join(root, "plug")})
	require.NoError(t, err)
	_, err = reg.Register(context.Background(), plugin)
	require.NoError(t, err)
	sess := reg.NewSession("", nil)
	for typed, want := range map[string]string{"/front:end x": "Component x.", "/s": "Skill.", "/plug:p": "Plugin."} {
		calls, err := sess.ParseCommand(typed)
		require.NoError(t, err)
		require.Len(t, calls, 1)
		assert.Equal(t, want, text(run(t, sess, calls[0], nil)), "CL133: typed")
	}
	call, err := skills.ParseToolCall([]byte(`{"skill":"front:end","args":"y"}`))
	require.NoError(t, err)
	assert.Equal(t, "Component y.", text(run(t, sess, call, nil)), "CL133: by the tool")
}

// A recorder is an fs.FS that counts what is opened, and what is open at once.
// It has no method but Open, so nothing passes it by.
type recorder struct {
	tree fstest.MapFS
	deny string // cannot be opened

	mu        sync.Mutex // guards what follows
	opened    map[string]int
	now, most int
}

func (r *recorder) Open(name string) (fs.File, error) {
	if name == r.deny {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrPermission}
	}
	f, err := r.tree.Open(name)
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.opened == nil {
		r.opened = make(map[string]int)
	}
	r.opened[name]++
	if err != nil {
		return nil, err
	}
	r.now++
	r.most = max(r.most, r.now)
	return recordedFile{f, r}, nil
}

func (r *recorder) total() (n int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, times := range r.opened {
		n += times
	}
	return n
}

type recordedFile struct {
	fs.File
	in *recorder
}

func (f recordedFile) ReadDir(n int) ([]fs.DirEntry, error) {
	return f.File.(fs.ReadDirFile).ReadDir(n)
}

func (f recordedFile) Close() error {
	f.in.mu.Lock()
	f.in.now--
	f.in.mu.Unlock()
	return f.File.Close()
}

// openRecorder opens a registry of the tree as a source of the user.
func openRecorder(t *testing.T, rec *recorder, change ...func(*skills.Options)) *skills.Registry {
	t.Helper()
	o := &skills.Options{Sources: []skills.Source{skills.FSSource(skills.SourceInfo{ID: "rec", Origin: skills.OriginUser}, rec, nil)}}
	for _, f := range change {
		f(o)
	}
	return open(t, o)
}

// Loading opens each SKILL.md once and no resource, some at a time.
func TestOnePassCase(t *testing.T) {
	n, rec := sized(1000, 200), &recorder{tree: make(fstest.MapFS)}
	for i := range n {
		rec.tree[fmt.Sprintf("s%d/SKILL.md", i)] = &fstest.MapFile{Data: []byte(skill("Body.", "description: d"))}
		for f := range 20 {
			rec.tree[fmt.Sprintf("s%d/references/f%d.md", i, f)] = &fstest.MapFile{Data: []byte("x")}
		}
	}
	reg := openRecorder(t, rec)
	require.Len(t, all(reg), n)
	assert.LessOrEqual(t, rec.opened["."], 3, "M13: one pass over the root, which is looked at twice before")
	for name, times := range rec.opened {
		assert.NotContains(t, name, "references", "M13: resources are not opened")
		if strings.HasSuffix(name, "SKILL.md") {
			assert.Equal(t, 1, times, "M13: %s is read once", name)
		}
	}
	assert.Zero(t, rec.now, "everything is closed")
	assert.LessOrEqual(t, rec.most, 20, "M13: not all at once")
}

// Listings open nothing, and one broken version is one issue.
func TestOneDiagnosticCase(t *testing.T) {
	var log strings.Builder
	rec := &recorder{tree: fstest.MapFS{
		"bad/SKILL.md":  {Data: []byte("---\ndescription: d\nx: [y\n---\n")},
		"good/SKILL.md": {Data: []byte(skill("", "description: d"))},
	}}
	reg := openRecorder(t, rec, func(o *skills.Options) { o.Logger = slog.New(slog.NewTextHandler(&log, nil)) })
	issue := func(line int, times int, reason string) {
		t.Helper()
		assert.Equal(t, fmt.Sprintf("invalid-yaml:%[1]d,yaml-recovered:%[1]d", line), codesOf(reg.Snapshot().Issues()), reason)
		assert.Equal(t, times, strings.Count(log.String(), "code=invalid-yaml"), reason)
	}
	issue(3, 1, "M14: one issue")
	opened := rec.total()
	for range 10 {
		sess := reg.NewSession("", nil)
		assert.Contains(t, skills.NewLister(sess, nil).Next().Text, "- good: d")
		_, err := sess.Lookup("bad")
		require.NoError(t, err)
		sess.Menu("")
		sess.Explain("bad")
	}
	assert.Equal(t, opened, rec.total(), "M14: no file is opened for a listing")
	issue(3, 1, "M14: nor is the issue repeated")
	for range 10 {
		_, err := reg.Reload(context.Background())
		require.NoError(t, err)
	}
	issue(3, 1, "M14: nor by reloads")
	rec.tree["good/SKILL.md"] = &fstest.MapFile{Data: []byte(skill("", "description: e"))}
	change, err := reg.Reload(context.Background())
	require.NoError(t, err)
	assert.Equal(t, skills.Change{Changed: []string{"good"}, Generation: 2}, change, "M14: nor by a change of another skill")
	issue(3, 1, "M14: nor by a change of another skill")
	rec.tree["bad/SKILL.md"] = &fstest.MapFile{Data: []byte("---\ndescription: d\n\nx: [y\n---\n")}
	_, err = reg.Reload(context.Background())
	require.NoError(t, err)
	issue(4, 2, "M14: another version has its own")
}
