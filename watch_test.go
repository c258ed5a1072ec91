package skills_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/seed-12b313d8/skills"
	"github.com/seed-12b313d8/skills/internal/fswatch"
	"github.com/seed-12b313d8/skills/internal/testkit"
)

// quick are times that tests can wait for.
var quick = &skills.WatchOptions{Stable: 20 * time.Millisecond, Poll: 5 * time.Millisecond, Gather: 5 * time.Millisecond}

// eventually waits until f is true, looking at each change of the registry and
// now and then.
func eventually(t *testing.T, reg *skills.Registry, f func() bool, what string, args ...any) {
	t.Helper()
	changed := make(chan struct{}, 1)
	defer reg.Subscribe(func(skills.Change) {
		select {
		case changed <- struct{}{}:
		default:
		}
	})()
	deadline := time.NewTimer(30 * time.Second)
	defer deadline.Stop()
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	for !f() {
		select {
		case <-changed:
		case <-tick.C:
		case <-deadline.C:
			t.Fatalf("not seen within 30 s: "+what, args...)
		}
	}
}

// described returns "name: description" of everything a session can see.
func described(sess *skills.Session) []string {
	var out []string
	for s := range sess.Skills(skills.CallerHost) {
		out = append(out, s.Name+": "+s.Description)
	}
	return out
}

func TestWatch(t *testing.T) {
	defer goleak.VerifyNone(t)
	root := testkit.Tree(t, map[string]string{"proj/": ""})
	ctx, stop := context.WithCancel(context.Background())
	defer stop()
	reg, err := skills.Open(ctx, &skills.Options{Locations: skills.Locations{Project: root + "/proj"}})
	require.NoError(t, err)
	changes := make(chan skills.Change, 10)
	reg.Subscribe(func(c skills.Change) { changes <- c })
	require.NoError(t, reg.Watch(ctx, nil))
	require.NoError(t, reg.Watch(ctx, quick), "a second call replaces the first")

	testkit.Write(t, root, map[string]string{"proj/.claude/skills/a/SKILL.md": skill("", "description: d")})
	select {
	case c := <-changes:
		assert.Equal(t, []string{"a"}, c.Added)
	case <-time.After(30 * time.Second):
		t.Fatal("the new skill was not seen")
	}
	require.NoError(t, reg.Close())
	require.NoError(t, reg.Close(), "Close may be called again")
	require.ErrorIs(t, reg.Watch(ctx, nil), skills.CodeInvalid, "a closed registry does not watch")
	assert.Equal(t, []string{"a project"}, all(reg), "the last snapshot stays readable")
}

// Every way to change files is seen, with events and without (03 W2–W4).
func TestWatchSees(t *testing.T) {
	tree := map[string]string{
		"home/.claude/skills/u/SKILL.md":                       skill("", "description: user"),
		"home/.claude/commands/c.md":                           "command",
		"proj/.claude/skills/a/SKILL.md":                       skill("", "description: old"),
		"proj/apps/web/.claude/skills/n/SKILL.md":              skill("", "description: nested"),
		"proj/lib/x.go":                                        "",
		"proj/ignored/.claude/skills/i/SKILL.md":               skill("", "description: ignored"),
		"proj/.gitignore":                                      "ignored/\n",
		"pool/one/SKILL.md":                                    skill("", "description: one"),
		"pool/two/SKILL.md":                                    skill("", "description: two"),
		"proj/.claude/skills/linked":                           "-> ../../../pool/one",
		"plug/skills/p/SKILL.md":                               skill("", "description: plugin"),
		"proj/.claude/skills/inner/.claude-plugin/plugin.json": `{"name":"inner"}`,
		"proj/.claude/skills/inner/skills/q/SKILL.md":          skill("", "description: inner"),
	}
	start := []string{
		"c: command", "u: user", "a: old", "n: nested", "inner:q: inner", "linked: one", "plug:p: plugin",
	}
	rename := func(t *testing.T, from, to string) { require.NoError(t, os.Rename(from, to)) }
	tests := []struct {
		reason string
		change func(t *testing.T, root string)
		gone   string   // the line that goes
		want   []string // the lines that come
		touch  string   // after the change, if the change must be touched to be seen
	}{
		{reason: "a file written in place", change: func(t *testing.T, root string) {
			testkit.Write(t, root, map[string]string{"proj/.claude/skills/a/SKILL.md": skill("", "description: new")})
		}, gone: "a: old", want: []string{"a: new"}},
		{reason: "W2: an atomic save", change: func(t *testing.T, root string) {
			testkit.Write(t, root, map[string]string{"proj/.claude/skills/a/.SKILL.md.swp": skill("", "description: saved")})
			rename(t, root+"/proj/.claude/skills/a/.SKILL.md.swp", root+"/proj/.claude/skills/a/SKILL.md")
		}, gone: "a: old", want: []string{"a: saved"}},
		{reason: "W2: a new folder with its file at once", change: func(t *testing.T, root string) {
			testkit.Write(t, root, map[string]string{"home/.claude/skills/b/SKILL.md": skill("", "description: b")})
		}, want: []string{"b: b"}},
		{reason: "a folder renamed", change: func(t *testing.T, root string) {
			rename(t, root+"/proj/.claude/skills/a", root+"/proj/.claude/skills/z")
		}, gone: "a: old", want: []string{"z: old"}},
		{reason: "a command", change: func(t *testing.T, root string) {
			testkit.Write(t, root, map[string]string{"home/.claude/commands/sub/d.md": "deep"})
		}, want: []string{"sub:d: deep"}},
		{reason: "W2: a root that did not exist, and its parents", change: func(t *testing.T, root string) {
			testkit.Write(t, root, map[string]string{"managed/.claude/skills/m/SKILL.md": skill("", "description: m")})
		}, want: []string{"m: m"}},
		{reason: "W2: a root renamed away and made again", change: func(t *testing.T, root string) {
			rename(t, root+"/home/.claude/skills", root+"/home/.claude/old")
			testkit.Write(t, root, map[string]string{"home/.claude/skills/v/SKILL.md": skill("", "description: v")})
		}, gone: "u: user", want: []string{"v: v"}},
		{reason: "W2: a link led elsewhere", change: func(t *testing.T, root string) {
			require.NoError(t, os.Remove(root+"/proj/.claude/skills/linked"))
			require.NoError(t, os.Symlink("../../../pool/two", root+"/proj/.claude/skills/linked"))
		}, gone: "linked: one", want: []string{"linked: two"}},
		{reason: "W2: where a link leads to", change: func(t *testing.T, root string) {
			testkit.Write(t, root, map[string]string{"pool/one/SKILL.md": skill("", "description: edited")})
		}, gone: "linked: one", want: []string{"linked: edited"}},
		{reason: "a nested folder that the session discovered", change: func(t *testing.T, root string) {
			testkit.Write(t, root, map[string]string{"proj/apps/web/.claude/skills/n/SKILL.md": skill("", "description: changed")})
		}, gone: "n: nested", want: []string{"n: changed"}},
		{reason: "03 §3: a nested folder that held nothing", change: func(t *testing.T, root string) {
			testkit.Write(t, root, map[string]string{"proj/lib/.claude/skills/l/SKILL.md": skill("", "description: lib")})
		}, want: []string{"l: lib"}, touch: "lib/x.go"},
		{reason: "03 §3: an ignore file", change: func(t *testing.T, root string) {
			testkit.Write(t, root, map[string]string{"proj/.gitignore": ""})
		}, want: []string{"i: ignored"}, touch: "ignored/x"},
		{reason: "a plugin", change: func(t *testing.T, root string) {
			testkit.Write(t, root, map[string]string{"plug/commands/pc.md": "plugged"})
		}, want: []string{"plug:pc: plugged"}},
		{reason: "a plugin inside a skills directory", change: func(t *testing.T, root string) {
			testkit.Write(t, root, map[string]string{"proj/.claude/skills/inner/skills/q/SKILL.md": skill("", "description: q2")})
		}, gone: "inner:q: inner", want: []string{"inner:q: q2"}},
	}
	modes := map[string]*skills.WatchOptions{"events": quick, "polling": {Stable: quick.Stable, Poll: quick.Poll, Gather: quick.Gather, Polling: true}}
	for mode, opts := range modes {
		for _, tt := range tests {
			t.Run(mode+"/"+tt.reason, func(t *testing.T) {
				t.Parallel()
				root := testkit.Tree(t, tree)
				p, err := skills.PluginSource(skills.Plugin{Name: "plug", Root: root + "/plug"})
				require.NoError(t, err)
				reg := open(t, &skills.Options{
					Locations: skills.Locations{Managed: root + "/managed", Home: root + "/home", Project: root + "/proj", TrustProject: true},
					Sources:   []skills.Source{p},
				})
				require.NoError(t, reg.Watch(context.Background(), opts))
				sess := reg.NewSession("", nil)
				sess.Touch(context.Background(), "apps/web/x.ts", "lib/x.go", "ignored/x")
				want := slices.Clone(start)
				slices.Sort(want)
				got := func() []string {
					if tt.touch != "" {
						sess.Touch(context.Background(), tt.touch)
					}
					return slices.Sorted(slices.Values(described(sess)))
				}
				require.Equal(t, want, got(), "before")

				tt.change(t, root)
				want = slices.DeleteFunc(want, func(s string) bool { return s == tt.gone })
				want = append(want, tt.want...)
				slices.Sort(want)
				eventually(t, reg, func() bool { return slices.Equal(want, got()) }, "%s; want %q", tt.reason, want)
			})
		}
	}
}

// A change of a nested skill has a generation and a name (API).
func TestWatchTellsOfNested(t *testing.T) {
	reg, root := openTree(t, map[string]string{
		"proj/.claude/skills/n/SKILL.md":          skill("", "description: root"),
		"proj/apps/web/.claude/skills/n/SKILL.md": skill("", "description: old"),
	})
	sess := reg.NewSession("", nil)
	sess.Touch(context.Background(), "apps/web/x")
	before := reg.Snapshot()
	changes := make(chan skills.Change, 10)
	reg.Subscribe(func(c skills.Change) { changes <- c })
	require.NoError(t, reg.Watch(context.Background(), quick))
	testkit.Write(t, root, map[string]string{"proj/apps/web/.claude/skills/n/SKILL.md": skill("", "description: new")})
	c := <-changes
	assert.Equal(t, skills.Change{Changed: []string{"apps/web:n"}, Generation: before.Generation() + 1}, c)
	assert.Equal(t, c.Generation, reg.Snapshot().Generation())
	assert.Equal(t, slices.Collect(before.All()), slices.Collect(reg.Snapshot().All()), "what is not nested is the same")
	assert.Equal(t, []string{"apps/web:n: new", "n: root"}, slices.Sorted(slices.Values(described(sess))))
}

// What matters to no skill causes no reload (03 W3).
func TestWatchIgnoresOtherFiles(t *testing.T) {
	reg, root := openTree(t, map[string]string{"proj/.claude/skills/a/SKILL.md": skill("", "description: a")})
	loads := make(chan struct{}, 100)
	src := watchable{skills.SourceFunc(skills.SourceInfo{ID: "x", Origin: skills.OriginBundled}, func(context.Context) (skills.Loaded, error) {
		loads <- struct{}{}
		return skills.Loaded{}, nil
	}), filepath.Join(root, "proj/.claude/skills/a/data")}
	_, err := reg.Register(context.Background(), src)
	require.NoError(t, err)
	<-loads
	require.NoError(t, reg.Watch(context.Background(), quick))
	<-loads // what changed before the watch began

	var files []string
	for i := range 1000 {
		files = append(files, fmt.Sprintf("proj/.claude/skills/a/many/%d/f%d.md", i%10, i))
	}
	for _, f := range files {
		testkit.Write(t, root, map[string]string{f: "x"})
	}
	testkit.Write(t, root, map[string]string{"proj/.claude/skills/b/SKILL.md": skill("", "description: b")})
	eventually(t, reg, func() bool { return slices.Contains(all(reg), "b project") }, "the skill written last")
	assert.Empty(t, loads)
}

// An edit that breaks a file keeps its last good version until it is mended or
// removed (03 W5).
func TestWatchKeepsLastGood(t *testing.T) {
	reg, root := openTree(t, map[string]string{"proj/.claude/skills/a/SKILL.md": skill("", "description: good")})
	require.NoError(t, reg.Watch(context.Background(), quick))
	sess := reg.NewSession("", nil)
	path := filepath.Join(root, "proj/.claude/skills/a/SKILL.md")
	kept := func() bool {
		return slices.ContainsFunc(reg.Snapshot().Issues(), func(i skills.Issue) bool { return i.Code == "kept-last-good" && i.Path == path })
	}
	testkit.Write(t, root, map[string]string{"proj/.claude/skills/a/SKILL.md": "---\ndescription: broken\nno fence"})
	eventually(t, reg, kept, "the broken file")
	assert.Equal(t, []string{"a: good"}, described(sess))
	testkit.Write(t, root, map[string]string{"proj/.claude/skills/a/SKILL.md": skill("", "description: mended")})
	eventually(t, reg, func() bool { return slices.Equal([]string{"a: mended"}, described(sess)) }, "the mended file")
	assert.False(t, kept())
	testkit.Write(t, root, map[string]string{"proj/.claude/skills/a/SKILL.md": "---\ndescription: broken\nno fence"})
	eventually(t, reg, kept, "the broken file")
	require.NoError(t, os.Remove(path))
	eventually(t, reg, func() bool { return len(described(sess)) == 0 }, "the removed file")
}

// Without events the registry polls and says so (03 W4).
func TestWatchDegrades(t *testing.T) {
	reg, root := openTree(t, map[string]string{"proj/": ""})
	reg.OpenEvents(func() (fswatch.Source, error) { return nil, errors.New("no more handles") })
	require.NoError(t, reg.Watch(context.Background(), quick))
	polling := func() bool {
		return slices.ContainsFunc(reg.Snapshot().Issues(), func(i skills.Issue) bool { return i.Code == "watch-polling" })
	}
	eventually(t, reg, polling, "the issue")
	testkit.Write(t, root, map[string]string{"proj/.claude/skills/a/SKILL.md": skill("", "description: a")})
	eventually(t, reg, func() bool { return len(all(reg)) == 1 }, "the new skill")
	assert.True(t, polling())
}

// A source that fails does not hold up the others (03 W6).
func TestWatchFailingSource(t *testing.T) {
	root := testkit.Tree(t, map[string]string{"proj/": "", "bad/": ""})
	fail := false
	bad := watchable{skills.SourceFunc(skills.SourceInfo{ID: "bad", Origin: skills.OriginManaged}, func(context.Context) (skills.Loaded, error) {
		if fail {
			return skills.Loaded{}, errors.New("gone")
		}
		fail = true
		return skills.Loaded{Skills: []*skills.Skill{{Name: "m"}}}, nil
	}), root + "/bad"}
	reg := open(t, &skills.Options{Locations: skills.Locations{Project: root + "/proj"}, Sources: []skills.Source{bad}})
	require.NoError(t, reg.Watch(context.Background(), quick))
	testkit.Write(t, root, map[string]string{"proj/.claude/skills/a/SKILL.md": skill("", "description: a"), "bad/x": "1"})
	eventually(t, reg, func() bool {
		return slices.Equal([]string{"m managed", "a project"}, all(reg)) && len(reg.Snapshot().Issues()) == 1
	}, "the project's skill and the issue")
}

// Subscribers that block delay nobody, and may close the registry (03 W7).
func TestBlockedSubscriber(t *testing.T) {
	defer goleak.VerifyNone(t)
	reg, root := openTree(t, map[string]string{"proj/": ""})
	hold, closed := make(chan struct{}), make(chan struct{})
	reg.Subscribe(func(skills.Change) { <-hold })
	reg.Subscribe(func(skills.Change) { <-hold; assert.NoError(t, reg.Close()); close(closed) })
	require.NoError(t, reg.Watch(context.Background(), quick))
	for i := range 20 {
		testkit.Write(t, root, map[string]string{fmt.Sprintf("proj/.claude/skills/s%d/SKILL.md", i): skill("", "description: d")})
	}
	eventually(t, reg, func() bool { return len(all(reg)) == 20 }, "all skills")
	close(hold)
	<-closed
}

// Opening leaves nothing behind (07 B9).
func TestOpenLeavesNothing(t *testing.T) {
	defer goleak.VerifyNone(t)
	before := handles(t)
	root := testkit.Tree(t, map[string]string{"proj/.claude/skills/a/SKILL.md": skill("", "description: d")})
	for i := range 1000 {
		reg, err := skills.Open(context.Background(), &skills.Options{Locations: skills.Locations{Project: root + "/proj"}})
		require.NoError(t, err)
		if i%4 > 0 {
			require.NoError(t, reg.Watch(context.Background(), &skills.WatchOptions{Polling: i%4 == 1}))
		}
		require.NoError(t, reg.Close())
	}
	assert.LessOrEqual(t, handles(t), before)
}

// handles counts the open files of this process; 0 where the system does not
// tell.
func handles(t *testing.T) int {
	t.Helper()
	if _, err := os.Stat("/proc/self/fd"); err != nil {
		t.Log("this system does not tell open files; only goroutines are checked")
		return 0
	}
	list, err := os.ReadDir("/proc/self/fd")
	require.NoError(t, err)
	return len(list)
}
