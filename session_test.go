package skills_test

import (
	"context"
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/seed-12b313d8/skills"
	"github.com/seed-12b313d8/skills/internal/testkit"
)

func names(list []*skills.Skill) string {
	var out []string
	for _, s := range list {
		out = append(out, s.Name)
	}
	return strings.Join(out, ",")
}

func visible(sess *skills.Session, c skills.Caller) string {
	var out []string
	for s := range sess.Skills(c) {
		out = append(out, s.Name)
	}
	return strings.Join(out, ",")
}

func TestTouchUnlocks(t *testing.T) {
	reg, root := openTree(t, map[string]string{
		"proj/.claude/skills/ts/SKILL.md":     skill("", "description: d", "paths: src/**/*.{ts,tsx}, docs/*.md"),
		"proj/.claude/skills/neg/SKILL.md":    skill("", "description: d", "paths: ['*.ts', '!vendor/**']"),
		"proj/.claude/skills/hidden/SKILL.md": skill("", "description: d", "paths: '*.ts'", "disable-model-invocation: true"),
		"proj/.claude/skills/plain/SKILL.md":  skill("", "description: d"),
		"link":                                "-> proj",
	})
	proj := filepath.Join(root, "proj")
	for _, tt := range []struct{ path, want, reason string }{
		{"src/new.ts", "neg,ts", "A2: a file that does not exist yet"},
		{"./src/./a.ts", "neg,ts", "A3: cleaned"},
		{filepath.Join(proj, "src/a.tsx"), "ts", "A3: absolute"},
		{filepath.Join(root, "link", "src/a.tsx"), "ts", "A3: another way to the root"},
		{"docs/x.md", "ts", "A5: commas inside braces do not split"},
		{"vendor/a.ts", "", "A4: last match wins; F10"},
		{"/etc/hosts", "", "A3: outside"},
		{"../up.md", "", "A3: outside"},
		{"", "", "A3: empty"},
		{".", "", "A3: the root itself"},
		{proj, "", "A3: the root itself"},
		{"src/a\x00.ts", "", "no path"},
	} {
		sess := reg.NewSession("", nil)
		act := sess.Touch(context.Background(), tt.path)
		assert.Equal(t, tt.want, names(act.Unlocked), tt.reason)
		assert.Empty(t, act.Issues)
		assert.Empty(t, names(sess.Touch(context.Background(), tt.path).Unlocked), "A2: a second touch gives nothing new")
		want := "plain"
		if tt.want != "" {
			want = strings.Replace(tt.want+",plain", "ts,plain", "plain,ts", 1)
		}
		assert.Equal(t, want, visible(sess, skills.CallerModel), tt.reason)
	}
}

func TestSymlinkedProject(t *testing.T) {
	root := testkit.Tree(t, map[string]string{
		"real/.claude/skills/ts/SKILL.md": skill("", "description: d", "paths: '*.ts'"),
		"link":                            "-> real",
	})
	reg := open(t, &skills.Options{Locations: skills.Locations{Project: filepath.Join(root, "link")}})
	for _, dir := range []string{"link", "real"} {
		act := reg.NewSession("", nil).Touch(context.Background(), filepath.Join(root, dir, "a.ts"))
		assert.Equal(t, "ts", names(act.Unlocked), "A3: both spellings match; CL 2.1.198")
	}
}

func TestDiscovery(t *testing.T) {
	tree := map[string]string{
		"proj/.git/":                                       "",
		"proj/.claude/skills/deploy/SKILL.md":              skill("", "description: root"),
		"proj/apps/web/.claude/skills/deploy/SKILL.md":     skill("web body", "description: web"),
		"proj/apps/web/.claude/skills/lint/SKILL.md":       skill("", "description: shallow"),
		"proj/apps/web/deep/.claude/skills/lint/SKILL.md":  skill("", "description: deep"),
		"proj/apps/web/.claude/skills/cond/SKILL.md":       skill("", "description: c", "paths: '*.tsx'"),
		"proj/.gitignore":                                  "build/\n",
		"proj/build/x/.claude/skills/evil/SKILL.md":        skill("", "description: evil"),
		"proj/node_modules/p/.claude/skills/evil/SKILL.md": skill("", "description: evil"),
		"proj/apps/web/deep/src/a.go":                      "",
		"proj/other/.claude/skills/elsewhere/SKILL.md":     skill("", "description: o"),
		"proj/linked": "-> ../outside",
		"outside/.claude/skills/escaped/SKILL.md":             skill("", "description: TOPSECRET"),
		"proj/apps/web/.claude/skills/bad\u200bname/SKILL.md": skill("", "description: x"),
	}
	reg, _ := openTree(t, tree)
	ctx := context.Background()
	sess := reg.NewSession("", nil)
	act := sess.Touch(ctx, "apps/web/deep/src/a.go")
	assert.Equal(t, "apps/web:deploy,apps/web:lint,lint", names(act.Discovered), "03 §3: clashes are qualified, the deeper takes the bare name")
	require.Len(t, act.Issues, 1)
	assert.Equal(t, skills.Code("bad-name"), act.Issues[0].Code)
	assert.Empty(t, sess.Touch(ctx, "apps/web/deep/src/b.go").Discovered)

	s, err := sess.Lookup("lint")
	require.NoError(t, err)
	assert.Equal(t, "deep", s.Description)
	s, err = sess.Lookup("apps/web/deep:lint")
	require.NoError(t, err)
	assert.Equal(t, "deep", s.Description, "both stay reachable qualified")
	in := run(t, sess, skills.Call{Name: "apps/web:deploy"}, nil)
	assert.Contains(t, skills.Text(in.Content), "web body", "CL092")
	s, err = sess.Lookup("deploy")
	require.NoError(t, err)
	assert.Equal(t, "root", s.Description, "the loaded skill keeps the bare name")

	act = sess.Touch(ctx, "apps/web/x.tsx")
	assert.Equal(t, "cond", names(act.Unlocked))
	for _, path := range []string{"build/x/a.js", "node_modules/p/i.js", "linked/a.go"} {
		act = reg.NewSession("", nil).Touch(ctx, path)
		assert.Empty(t, act.Discovered, path)
	}
	assert.Equal(t, "deploy", visible(reg.NewSession("", nil), skills.CallerModel), "discovery belongs to the session that touched")

	fresh := reg.NewSession("", nil)
	act = fresh.Touch(ctx, "apps/web/x.tsx")
	assert.Equal(t, "apps/web:deploy,cond,lint", names(act.Discovered), "the touch that finds a conditional skill counts")

	for reason, change := range map[string]func(*skills.Locations){
		"project off": func(l *skills.Locations) { l.NoProject = true },
		"locked":      func(l *skills.Locations) { l.PluginOnly = true },
		"bare":        func(l *skills.Locations) { l.NoDisk = true },
	} {
		reg, _ := openTree(t, tree, func(o *skills.Options) { change(&o.Locations) })
		assert.Empty(t, reg.NewSession("", nil).Touch(ctx, "other/a.go").Discovered, "CL096: %s", reason)
	}
}

func TestIgnoreFunc(t *testing.T) {
	tree := map[string]string{"proj/a/.claude/skills/x/SKILL.md": skill("", "description: d")}
	for reason, f := range map[string]skills.IgnoreFunc{
		"ignored": func(_ context.Context, _ string, dirs []string) ([]bool, error) {
			return slices.Repeat([]bool{true}, len(dirs)), nil
		},
		"failing": func(context.Context, string, []string) ([]bool, error) { return nil, fmt.Errorf("no") },
		"panics":  func(context.Context, string, []string) ([]bool, error) { panic("boom") },
	} {
		reg, _ := openTree(t, tree, func(o *skills.Options) { o.Ignored = f })
		act := reg.NewSession("", nil).Touch(context.Background(), "a/f.go")
		assert.Empty(t, act.Discovered, reason)
		assert.Equal(t, reason != "ignored", len(act.Issues) == 1, reason)
	}
}

func TestExportRestore(t *testing.T) {
	reg, _ := openTree(t, map[string]string{
		"proj/.claude/skills/a/SKILL.md":     skill("b", "description: d"),
		"proj/.claude/skills/c/SKILL.md":     skill("b", "description: d", "paths: '*.go'"),
		"proj/sub/.claude/skills/n/SKILL.md": skill("b", "description: d"),
	})
	ctx := context.Background()
	sess := reg.NewSession("s1", nil)
	sess.Touch(ctx, "sub/x.go")
	lister := skills.NewLister(sess, nil)
	lister.Commit(lister.Next())
	run(t, sess, skills.Call{Name: "a"}, nil)
	state, err := sess.Export()
	require.NoError(t, err)

	back, err := reg.RestoreSession(state, nil)
	require.NoError(t, err)
	assert.Equal(t, "a,c,n", visible(back, skills.CallerModel), "unlocked and discovered travel")
	assert.Empty(t, skills.NewLister(back, nil).Next().Text, "H01: nothing is told again")
	assert.Len(t, back.Records(), 1)
	again, err := back.Export()
	require.NoError(t, err)
	assert.JSONEq(t, string(state), string(again))

	for _, bad := range []string{"", "null", "[]", `{"version":99}`, `{"version":"1"}`} {
		_, err := reg.RestoreSession([]byte(bad), nil)
		require.ErrorIs(t, err, skills.CodeInvalid, bad)
	}
	evil, err := reg.RestoreSession([]byte(`{"version":1,"folders":["../x","/etc","a/../b","","."]}`), nil)
	require.NoError(t, err)
	assert.Equal(t, "a", visible(evil, skills.CallerModel), "folders outside the root are dropped")
}

func TestResetForgetChild(t *testing.T) {
	reg, _ := openTree(t, map[string]string{
		"proj/.claude/skills/a/SKILL.md": skill("b", "description: d"),
		"proj/.claude/skills/c/SKILL.md": skill("b", "description: d", "paths: '*.go'"),
	})
	sess := reg.NewSession("", nil)
	sess.Touch(context.Background(), "x.go")
	l := skills.NewLister(sess, nil)
	l.Commit(l.Next())
	require.Empty(t, l.Next().Text)

	child := sess.Child("sub", nil)
	assert.Equal(t, "a,c", visible(child, skills.CallerModel), "H11: unlocked too")
	assert.Contains(t, skills.NewLister(child, nil).Next().Text, "- a: d", "02 §3: nothing sent")

	sess.Reset()
	assert.Contains(t, l.Next().Text, "- c: d", "H02: full again, H10: unlocked stays")
	sess.Forget()
	assert.NotContains(t, l.Next().Text, "- c: d")
	assert.Contains(t, l.Next().Text, "- a: d")
}

func TestUpdatePolicy(t *testing.T) {
	reg := static(t, skills.OriginProject, &skills.Skill{Name: "a"})
	sess := reg.NewSession("", nil)
	var wg sync.WaitGroup
	for i := range 50 {
		wg.Go(func() {
			r, err := skills.ParseRules(fmt.Sprintf("Skill(x%d)", i))
			assert.NoError(t, err)
			sess.UpdatePolicy(func(p *skills.Policy) { p.Deny = append(p.Deny, r...) })
		})
	}
	wg.Wait()
	sess.UpdatePolicy(func(p *skills.Policy) {
		assert.Len(t, p.Deny, 50, "no update is lost")
		_, err := sess.Lookup("a")
		assert.NoError(t, err, "f may use the session")
	})
}

func TestMenu(t *testing.T) {
	reg, _ := openTree(t, map[string]string{
		"proj/.claude/skills/alpha/SKILL.md":  skill("b", "description: d", "aliases: [zed]"),
		"proj/.claude/skills/albert/SKILL.md": skill("b", "description: d", "paths: '*.go'"),
		"proj/.claude/skills/al/SKILL.md":     skill("b", "description: d", "disable-model-invocation: true"),
		"proj/.claude/skills/alien/SKILL.md":  skill("b", "description: d", "user-invocable: false"),
	})
	sess := reg.NewSession("", nil)
	menu := func(prefix string) string {
		var out []string
		for _, m := range sess.Menu(prefix) {
			name := m.Name
			if m.Locked {
				name += "*"
			}
			out = append(out, name)
		}
		return strings.Join(out, ",")
	}
	assert.Equal(t, "al,albert*,alpha", menu("al"), "02 §5: exact first, locked marked, hidden left out")
	assert.Equal(t, "alpha", menu("/ZE"), "02 §5: aliases complete too")
	run(t, sess, skills.Call{Name: "alpha", Caller: skills.CallerUser}, nil)
	assert.Equal(t, "al,alpha,albert*", menu("al"), "02 §5: then what was used")
	assert.Empty(t, menu("nope"))
}

func TestSearchTool(t *testing.T) {
	reg, _ := openTree(t, map[string]string{
		"proj/.claude/skills/pdf/SKILL.md":    skill("b", "description: Reads and fills forms"),
		"proj/.claude/skills/forms/SKILL.md":  skill("b", "description: Web forms"),
		"proj/.claude/skills/hidden/SKILL.md": skill("b", "description: forms", "disable-model-invocation: true"),
	})
	sess := reg.NewSession("", nil)
	hits, err := sess.Search(context.Background(), "forms", 0)
	require.NoError(t, err)
	require.Len(t, hits, 2)
	out, err := sess.SearchTool(context.Background(), []byte(`{"query":"fills","limit":5}`))
	require.NoError(t, err)
	assert.Equal(t, "pdf: Reads and fills forms", out)
	_, err = sess.SearchTool(context.Background(), []byte(`[]`))
	require.ErrorIs(t, err, skills.CodeInvalid)
	out, err = sess.SearchTool(context.Background(), []byte(`{"query":"zzz"}`))
	require.NoError(t, err)
	assert.Equal(t, "No skill matches.", out)
}

func TestExplain(t *testing.T) {
	reg, root := openTree(t, map[string]string{
		"home/.claude/skills/c/SKILL.md": skill("", "description: u", "paths: '*.go'"),
		"proj/.claude/skills/c/SKILL.md": skill("", "description: p"),
	})
	sess := reg.NewSession("", nil)
	e := sess.Explain("c")
	require.NotNil(t, e.Winner)
	assert.Equal(t, skills.OriginUser, e.Winner.Origin)
	assert.Len(t, e.Others, 1)
	assert.Equal(t, []string{"it is locked until a file matching *.go is touched"}, e.Hidden[skills.CallerModel])
	assert.Empty(t, e.Hidden[skills.CallerUser])
	assert.Equal(t, "not sent", e.Listing)
	require.Len(t, e.Issues, 1)
	assert.Equal(t, skills.Code("shadowed"), e.Issues[0].Code)
	assert.Contains(t, e.String(), filepath.Join(root, "proj"))
	assert.Equal(t, "by its name; user skills of rank 2 come first", e.Why)
	assert.Empty(t, e.Limits)
	text, err := json.Marshal(e)
	require.NoError(t, err)
	assert.JSONEq(t, `{"name":"c","why":"by its name; user skills of rank 2 come first","listing":"not sent","activation":"locked until a file is touched that matches *.go","limits":[],
		"winner":{"name":"c","origin":"user","rank":2,"source":"user:.claude/skills","path":"`+root+`/home/.claude/skills/c/SKILL.md","trusted":true,"degraded":false},
		"others":[{"name":"c","origin":"project","rank":3,"source":"project:.claude/skills","path":"`+root+`/proj/.claude/skills/c/SKILL.md","trusted":false,"degraded":false}],
		"hidden":{"model":["it is locked until a file matching *.go is touched"],"nested":["it is locked until a file matching *.go is touched"],"path":["it is locked until a file matching *.go is touched"]},
		"issues":[{"code":"shadowed","severity":"warning","skill":"c","path":"`+root+`/proj/.claude/skills/c/SKILL.md","line":0,"field":"",
			"message":"shadowed by the user skill of the same name at `+root+`/home/.claude/skills/c/SKILL.md","hint":"rename one of them, or change the order of precedence"}]}`, string(text))

	sess.Touch(context.Background(), "a.go")
	l := skills.NewLister(sess, nil)
	l.Commit(l.Next())
	assert.Equal(t, "full", sess.Explain("c").Listing)
	e = sess.Explain("nope")
	assert.Nil(t, e.Winner)
	require.NotEmpty(t, e.Issues)
	assert.Equal(t, skills.CodeNotFound, e.Issues[0].Code)
}

// Many sessions work on one registry while it reloads.
func TestHammerSessions(t *testing.T) {
	p, n := 8, 200
	if testing.Short() {
		p, n = 4, 30
	}
	tree := map[string]string{"proj/sub/.claude/skills/nested/SKILL.md": skill("b", "description: d")}
	for i := range 20 {
		tree[fmt.Sprintf("proj/.claude/skills/s%02d/SKILL.md", i)] = skill("Body $0.", "description: d", "paths: '*.go'")
	}
	reg, root := openTree(t, tree)
	ctx := context.Background()
	var wg sync.WaitGroup
	for g := range p {
		wg.Go(func() {
			sess := reg.NewSession(fmt.Sprint(g), nil)
			l := skills.NewLister(sess, nil)
			for i := range n {
				sess.Touch(ctx, "sub/x.go")
				l.Commit(l.Next())
				_, err := skills.NewInvoker(sess, nil).Invoke(ctx, skills.Call{Name: fmt.Sprintf("s%02d", i%20), Args: "x"})
				assert.NoError(t, err)
				sess.Explain("s00")
				sess.Menu("s")
				_, _ = sess.Export()
				if g == 0 && i%10 == 0 {
					testkit.Write(t, root, map[string]string{"proj/.claude/skills/extra/SKILL.md": skill("b", fmt.Sprintf("description: %d", i))})
					_, err := reg.Reload(ctx)
					assert.NoError(t, err)
				}
				if i%17 == 0 {
					sess.Reset()
				}
			}
		})
	}
	wg.Wait()
}
