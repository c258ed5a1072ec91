package skills_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/seed-12b313d8/skills"
	"github.com/seed-12b313d8/skills/internal/fswatch"
	"github.com/seed-12b313d8/skills/internal/testkit"
)

// Forget drops what was discovered, whatever is discovered next (03 §1).
func TestForgetThenTouch(t *testing.T) {
	reg, _ := openTree(t, map[string]string{
		"proj/a/.claude/skills/x/SKILL.md": skill("", "description: d"), "proj/b/.claude/skills/y/SKILL.md": skill("", "description: d"),
	})
	ctx := context.Background()
	sess := reg.NewSession("", nil)
	sess.Touch(ctx, "a/f")
	require.Equal(t, "x", visible(sess, skills.CallerModel))
	sess.Forget()
	assert.Empty(t, visible(sess, skills.CallerModel))
	assert.Equal(t, "y", names(sess.Touch(ctx, "b/f").Discovered))
	assert.Equal(t, "y", visible(sess, skills.CallerModel))
}

// What was removed is gone, whatever is wrong around it (03 W5).
func TestRemovedIsNotKept(t *testing.T) {
	ctx := context.Background()
	t.Run("more skills than are read", func(t *testing.T) {
		reg, root := openTree(t, map[string]string{
			"proj/.claude/skills/a/SKILL.md": skill("", "description: d"), "proj/.claude/skills/b/SKILL.md": skill("", "description: d"),
			"proj/.claude/skills/c/SKILL.md": skill("", "description: d"),
		}, func(o *skills.Options) { o.Scan.MaxFiles = 2 })
		for i := range 3 {
			testkit.Write(t, root, map[string]string{fmt.Sprintf("proj/.claude/skills/0%d/SKILL.md", i): skill("", "description: d")})
			_, err := reg.Reload(ctx)
			require.NoError(t, err)
			assert.Len(t, all(reg), 2)
		}
	})
	t.Run("a plugin that is none any more", func(t *testing.T) {
		reg, root := openTree(t, map[string]string{
			"proj/.claude/skills/plug/.claude-plugin/plugin.json": `{"name":"plug"}`,
			"proj/.claude/skills/plug/skills/q/SKILL.md":          skill("", "description: d"),
		})
		require.Equal(t, []string{"plug:q project"}, all(reg))
		require.NoError(t, os.RemoveAll(filepath.Join(root, "proj/.claude/skills/plug/.claude-plugin")))
		_, err := reg.Reload(ctx)
		require.NoError(t, err)
		assert.Empty(t, all(reg))
	})
	t.Run("beside something that is broken", func(t *testing.T) {
		reg, root := openTree(t, map[string]string{
			"proj/.claude/skills/g/b/SKILL.md": skill("", "description: d"), "proj/.claude/skills/g/c/SKILL.md": skill("", "description: d"),
		}, func(o *skills.Options) { o.Scan.MaxDepth = 2 })
		require.Equal(t, []string{"g:b project", "g:c project"}, all(reg))
		require.NoError(t, os.RemoveAll(filepath.Join(root, "proj/.claude/skills/g/b")))
		mkfifo(t, filepath.Join(root, "proj/.claude/skills/g/SKILL.md"))
		_, err := reg.Reload(ctx)
		require.NoError(t, err)
		assert.Equal(t, []string{"g:c project"}, all(reg), "c is there and cannot be reached")
	})
}

// Ignore files that cost too much are no way to stall a touch (03 §3).
func TestHostileIgnoreFiles(t *testing.T) {
	files := make(map[string]string)
	for i, dir := 0, "proj/d"; i < 25; i, dir = i+1, dir+"/d" {
		files[dir+"/.gitignore"] = strings.Repeat("q*z?\n", 10_000)
	}
	files["proj/big/.gitignore"] = strings.Repeat("x\n", 20_000)
	files["proj/big/sub/.claude/skills/s/SKILL.md"] = skill("", "description: d")
	reg, _ := openTree(t, files)
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	reg.NewSession("", nil).Touch(ctx, strings.Repeat("d/", 25)+"f")
	require.NoError(t, ctx.Err())
	act := reg.NewSession("", nil).Touch(ctx, "big/sub/f")
	assert.Empty(t, act.Discovered)
	require.NotEmpty(t, act.Issues)
	assert.Contains(t, act.Issues[0].Msg, "larger than is read")
}

// Ignore files between the root and the working directory are watched too.
func TestWatchIgnoreFileAboveDir(t *testing.T) {
	root := testkit.Tree(t, map[string]string{
		"proj/apps/.gitignore": "web/\n", "proj/apps/web/.claude/skills/n/SKILL.md": skill("", "description: d"),
	})
	reg := open(t, &skills.Options{Locations: skills.Locations{Project: root + "/proj", Dir: root + "/proj/apps"}})
	require.NoError(t, reg.Watch(context.Background(), quick))
	sess := reg.NewSession("", nil)
	require.Empty(t, sess.Touch(context.Background(), "apps/web/f").Discovered)
	require.NoError(t, os.Remove(root+"/proj/apps/.gitignore"))
	eventually(t, reg, func() bool { return names(sess.Touch(context.Background(), "apps/web/f").Discovered) == "n" }, "the folder")
}

// A nested skills directory that is ignored itself is passed over (03 §3).
func TestIgnoredSkillsDirectory(t *testing.T) {
	reg, _ := openTree(t, map[string]string{
		"proj/.gitignore": ".claude/\n", "proj/.claude/skills/r/SKILL.md": skill("", "description: d"),
		"proj/a/.claude/skills/n/SKILL.md": skill("", "description: d"),
	})
	assert.Empty(t, reg.NewSession("", nil).Touch(context.Background(), "a/f").Discovered)
	assert.Equal(t, []string{"r project"}, all(reg), "only discovery filters")
}

// A load that fails while watching is tried again without another event (03 W6).
func TestWatchTriesAgain(t *testing.T) {
	root := testkit.Tree(t, map[string]string{"dir/": ""})
	var loads atomic.Int32
	src := watchable{skills.SourceFunc(skills.SourceInfo{ID: "x", Origin: skills.OriginUser}, func(context.Context) (skills.Loaded, error) {
		if loads.Add(1) == 2 {
			return skills.Loaded{}, errors.New("too many open files")
		}
		return skills.Loaded{Skills: []*skills.Skill{{Name: "s"}}}, nil
	}), root + "/dir"}
	reg := open(t, &skills.Options{Sources: []skills.Source{src}})
	require.NoError(t, reg.Watch(context.Background(), quick))
	eventually(t, reg, func() bool { return loads.Load() >= 3 && len(reg.Snapshot().Issues()) == 0 }, "the load after the one that failed")
}

// Two files of one qualified name under two brands: what the session shows
// changes, so that is told (03 §4).
func TestChangeBehindATwin(t *testing.T) {
	reg, root := openTree(t, map[string]string{
		"proj/.claude/skills/deploy/SKILL.md":     skill("", "description: root"),
		"proj/web/.claude/skills/deploy":          "-> ../../../.claude/skills/deploy",
		"proj/web/.agents/skills/deploy/SKILL.md": skill("", "description: old"),
	}, func(o *skills.Options) { o.Locations.Brands = []string{".claude", ".agents"} })
	sess := reg.NewSession("", nil)
	sess.Touch(context.Background(), "web/f")
	require.Contains(t, described(sess), "web:deploy: old")
	testkit.Write(t, root, map[string]string{"proj/web/.agents/skills/deploy/SKILL.md": skill("", "description: new")})
	c, err := reg.Reload(context.Background())
	require.NoError(t, err)
	assert.Equal(t, []string{"web:deploy"}, c.Changed)
	assert.Contains(t, described(sess), "web:deploy: new")
}

// A reload that is cancelled changes nothing: no folder, and no error of a
// source that was not at fault (03 W6).
func TestCancelledReload(t *testing.T) {
	var cancel context.CancelFunc
	loaded := skills.Loaded{Skills: []*skills.Skill{{Name: "s"}}}
	slow := skills.SourceFunc(skills.SourceInfo{ID: "slow", Origin: skills.OriginUser}, func(ctx context.Context) (skills.Loaded, error) {
		if cancel != nil {
			cancel()
			return skills.Loaded{}, ctx.Err()
		}
		return loaded, nil
	})
	reg, root := openTree(t, map[string]string{"proj/a/.claude/skills/n/SKILL.md": skill("", "description: old")}, func(o *skills.Options) { o.Sources = []skills.Source{slow} })
	sess := reg.NewSession("", nil)
	sess.Touch(context.Background(), "a/f")
	testkit.Write(t, root, map[string]string{"proj/a/.claude/skills/n/SKILL.md": skill("", "description: new")})
	var ctx context.Context
	ctx, cancel = context.WithCancel(context.Background())
	_, err := reg.Reload(ctx)
	require.ErrorIs(t, err, skills.CodeCancelled)
	cancel = nil
	fresh := reg.NewSession("", nil)
	fresh.Touch(context.Background(), "a/f")
	assert.Equal(t, described(sess), described(fresh), "all sessions see the same")
	assert.False(t, reg.Unregister(context.Background(), "nothing").Generation > 1, "and nothing is left to publish")
	c, err := reg.Reload(context.Background())
	require.NoError(t, err)
	assert.Equal(t, []string{"a:n"}, c.Changed)
}

// An answer about ignored folders from before a reload does not outlive it.
func TestRulingExpires(t *testing.T) {
	var reg *skills.Registry
	var calls int
	f := func(ctx context.Context, _ string, dirs []string) ([]bool, error) {
		calls++
		if calls == 1 {
			_, err := reg.Reload(ctx) // the rules change here
			assert.NoError(t, err)
			return make([]bool, len(dirs)), nil
		}
		return []bool{true, true}, nil
	}
	reg, _ = openTree(t, map[string]string{"proj/a/.claude/skills/n/SKILL.md": skill("", "description: d")}, func(o *skills.Options) { o.Ignored = f })
	assert.Empty(t, reg.NewSession("", nil).Touch(context.Background(), "a/f").Discovered)
	assert.Equal(t, 2, calls)
}

// An IgnoreFunc that edits its argument changes no answer.
func TestIgnoreFuncEdits(t *testing.T) {
	reg, _ := openTree(t, map[string]string{"proj/vendor/.claude/skills/n/SKILL.md": skill("", "description: d")}, func(o *skills.Options) {
		o.Ignored = func(_ context.Context, _ string, dirs []string) ([]bool, error) {
			for i := range dirs {
				dirs[i] += "/"
			}
			return slices.Repeat([]bool{true}, len(dirs)), nil
		}
	})
	assert.Empty(t, reg.NewSession("", nil).Touch(context.Background(), "vendor/f").Discovered)
}

// hostile is a host's source whose WatchDirs misbehaves.
type hostileDirs struct {
	skills.Source
	dirs func() []string
}

func (h hostileDirs) WatchDirs() []string { return h.dirs() }

// Functions of the host that panic or call back are contained while watching,
// with no lock held (07 B11).
func TestWatchContainsTheHost(t *testing.T) {
	root := testkit.Tree(t, map[string]string{"proj/": ""})
	var reg *skills.Registry
	empty := func(id string) skills.Source {
		return skills.StaticSource(skills.SourceInfo{ID: id, Origin: skills.OriginUser})
	}
	reg, err := skills.Open(context.Background(), &skills.Options{
		Locations: skills.Locations{Project: root + "/proj"},
		Sources: []skills.Source{
			hostileDirs{empty("panics"), func() []string { panic("boom") }},
			hostileDirs{empty("reloads"), func() []string { _, _ = reg.Reload(context.Background(), "panics"); return nil }},
		},
		Logger: slog.New(panicking{slog.DiscardHandler}),
	})
	require.NoError(t, err)
	reg.Subscribe(func(skills.Change) { panic("boom") })
	require.NoError(t, reg.Watch(context.Background(), quick))
	testkit.Write(t, root, map[string]string{"proj/.claude/skills/a/SKILL.md": skill("", "description: a")})
	eventually(t, reg, func() bool { return len(all(reg)) == 1 }, "the skill")
	require.NoError(t, reg.Close())
}

// panicking is a logger's handler that panics.
type panicking struct{ slog.Handler }

func (panicking) Enabled(context.Context, slog.Level) bool  { return true }
func (panicking) Handle(context.Context, slog.Record) error { panic("boom") }

// Whoever is told of a change owns what it is told.
func TestChangesAreTheirOwn(t *testing.T) {
	reg := open(t, nil)
	seen := make(chan skills.Change)
	for range 2 {
		reg.Subscribe(func(c skills.Change) { c.Added[0] += "x"; seen <- c })
	}
	c, err := reg.Register(context.Background(), skills.StaticSource(skills.SourceInfo{ID: "s", Origin: skills.OriginUser}, &skills.Skill{Name: "a"}))
	require.NoError(t, err)
	assert.Equal(t, []string{"ax"}, (<-seen).Added)
	assert.Equal(t, []string{"ax"}, (<-seen).Added)
	assert.Equal(t, []string{"a"}, c.Added)
}

// The issue about polling goes when another watch has events.
func TestPollingIssueEnds(t *testing.T) {
	reg, _ := openTree(t, map[string]string{"proj/": ""})
	reg.OpenEvents(func() (fswatch.Source, error) { return nil, errors.New("no more handles") })
	require.NoError(t, reg.Watch(context.Background(), quick))
	eventually(t, reg, func() bool { return len(reg.Snapshot().Issues()) == 1 }, "the issue")
	reg.OpenEvents(nil)
	require.NoError(t, reg.Watch(context.Background(), quick))
	eventually(t, reg, func() bool { return len(reg.Snapshot().Issues()) == 0 }, "its end")
}

// A link inside the project that leads to a folder which is discovered too does
// not take its skills over.
func TestFolderByTwoWays(t *testing.T) {
	reg, _ := openTree(t, map[string]string{
		"proj/apps/.claude/skills/c/SKILL.md": skill("", "description: d", "paths: '*.go'"), "proj/apps/loop": "-> .",
	})
	sess := reg.NewSession("", nil)
	sess.Touch(context.Background(), "apps/f.go")
	require.Equal(t, "c", visible(sess, skills.CallerModel))
	sess.Touch(context.Background(), "apps/loop/readme.txt")
	assert.Equal(t, "c", visible(sess, skills.CallerModel), "03 A1: for the rest of the session")
}

// A listing without room for anything is told once (02 §3).
func TestNoRoomIsToldOnce(t *testing.T) {
	reg := static(t, skills.OriginUser, &skills.Skill{Name: strings.Repeat("n", 60)})
	sess := reg.NewSession("", nil)
	l := skills.NewLister(sess, &skills.ListerOptions{Budget: 55, HardBudget: true})
	n := l.Next()
	assert.Contains(t, n.Text, "1 more skills are not listed")
	assert.Equal(t, n.Text, l.Next().Text, "until it is committed")
	l.Commit(n)
	assert.Empty(t, l.Next().Text)
	wide := skills.NewLister(sess, nil)
	wide.Commit(n)
	assert.Contains(t, wide.Next().Text, "nnn", "with more room it is listed, whoever commits")
	other := reg.NewSession("", nil)
	skills.NewLister(other, &skills.ListerOptions{Budget: 55, HardBudget: true}).Commit(n)
	assert.NotEmpty(t, skills.NewLister(other, &skills.ListerOptions{Budget: 55, HardBudget: true}).Next().Text, "another conversation was told nothing")
	sess.Reset()
	assert.NotEmpty(t, l.Next().Text)
}

// Odd states and names cost neither time nor skills.
func TestOddStates(t *testing.T) {
	files := map[string]string{`proj/a\b/.claude/skills/n/SKILL.md`: skill("", "description: d")}
	if os.PathSeparator == '\\' {
		files = map[string]string{"proj/a/.claude/skills/n/SKILL.md": skill("", "description: d")}
	}
	reg, _ := openTree(t, files)
	sess := reg.NewSession("", nil)
	sess.Touch(context.Background(), `a\b/f`)
	if os.PathSeparator == '\\' {
		sess.Touch(context.Background(), "a/f")
	}
	require.Len(t, described(sess), 1)
	state, err := sess.Export()
	require.NoError(t, err)
	back, err := reg.RestoreSession(state, nil)
	require.NoError(t, err)
	assert.Equal(t, described(sess), described(back))

	var folders, records []string
	for i := range 20_000 {
		folders, records = append(folders, fmt.Sprintf("%q", fmt.Sprint("f", i))), append(records, "{}")
	}
	back, err = reg.RestoreSession([]byte(`{"version":1,"folders":[`+strings.Join(folders, ",")+`],"records":[`+strings.Join(records, ",")+`]}`), nil)
	require.NoError(t, err)
	assert.Len(t, back.Records(), 500)

	_, err = reg.Register(context.Background(), skills.StaticSource(skills.SourceInfo{ID: "\x00folder:x", Origin: skills.OriginUser}))
	require.ErrorIs(t, err, skills.CodeInvalid)
}

// A project root that is a link follows where the link leads (03 A3).
func TestRootLedElsewhere(t *testing.T) {
	root := testkit.Tree(t, map[string]string{
		"one/.claude/skills/s/SKILL.md": skill("", "description: d", "paths: '*.go'"),
		"two/.claude/skills/s/SKILL.md": skill("", "description: d", "paths: '*.go'"), "proj": "-> one",
	})
	reg := open(t, &skills.Options{Locations: skills.Locations{Project: root + "/proj"}})
	require.NoError(t, os.Remove(root+"/proj"))
	require.NoError(t, os.Symlink("two", root+"/proj"))
	_, err := reg.Reload(context.Background())
	require.NoError(t, err)
	sess := reg.NewSession("", nil)
	assert.Equal(t, root+"/two", sess.Root())
	assert.Equal(t, "s", names(sess.Touch(context.Background(), root+"/two/x.go").Unlocked))
}

// A folder that only had issues is discovered when it has a skill.
func TestFolderWithIssuesFirst(t *testing.T) {
	reg, root := openTree(t, map[string]string{"proj/a/.claude/skills/n/SKILL.md": "-> nowhere"})
	sess := reg.NewSession("", nil)
	act := sess.Touch(context.Background(), "a/f")
	require.Empty(t, act.Discovered)
	require.Len(t, act.Issues, 1)
	assert.Empty(t, sess.Touch(context.Background(), "a/f").Issues, "told once")
	require.NoError(t, os.Remove(root+"/proj/a/.claude/skills/n/SKILL.md"))
	testkit.Write(t, root, map[string]string{"proj/a/.claude/skills/n/SKILL.md": skill("", "description: d")})
	_, err := reg.Reload(context.Background())
	require.NoError(t, err)
	assert.Equal(t, "n", names(sess.Touch(context.Background(), "a/f").Discovered))
}
