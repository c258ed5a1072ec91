package skills_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/seed-12b313d8/skills"
	"github.com/seed-12b313d8/skills/internal/testkit"
)

// A step is one change of a watched tree and what is described after it.
type step struct {
	change func(t *testing.T, root string)
	want   string // "name: description", with a comma between
	issue  string // that is among the issues; "" for none at all
}

// put writes a skill in place.
func put(path, description string) func(*testing.T, string) {
	return func(t *testing.T, root string) {
		testkit.Write(t, root, map[string]string{path: skill("", "description: "+description)})
	}
}

// save writes a skill as editors do: beside it, and then over it.
func save(path, description string) func(*testing.T, string) {
	return func(t *testing.T, root string) {
		put(path+"~", description)(t, root)
		require.NoError(t, os.Rename(filepath.Join(root, path+"~"), filepath.Join(root, path)))
	}
}

func drop(path string) func(*testing.T, string) {
	return func(t *testing.T, root string) { require.NoError(t, removeAll(root, path)) }
}

func TestWatchCases(t *testing.T) {
	const a, b = "proj/.claude/skills/a/SKILL.md", "proj/.claude/skills/b/SKILL.md"
	doc := skill("", "description: 1")
	for _, tt := range []struct {
		reason string
		tree   map[string]string
		steps  []step
	}{
		{"M01: an atomic save, and another", map[string]string{a: doc}, []step{{save(a, "2"), "a: 2", ""}, {save(a, "3"), "a: 3", ""}, {put(a, "4"), "a: 4", ""}}},
		{"M02: a folder with a folder in it and its file at once", map[string]string{a: doc}, []step{
			{func(t *testing.T, root string) {
				require.NoError(t, os.MkdirAll(filepath.Join(root, "proj/.claude/skills/n/deep"), 0o755))
				put("proj/.claude/skills/n/SKILL.md", "n")(t, root)
			}, "a: 1,n: n", ""},
			{save("proj/.claude/skills/n/SKILL.md", "m"), "a: 1,n: m", ""},
		}},
		{"M09: a root that is not there at the start", map[string]string{"proj/": ""}, []step{{put(a, "1"), "a: 1", ""}, {put(a, "2"), "a: 2", ""}}},
		{"M11: a half-written edit", map[string]string{a: doc, b: doc}, []step{
			{func(t *testing.T, root string) {
				testkit.Write(t, root, map[string]string{a: "---\nna", "proj/.claude/skills/c/SKILL.md": doc})
			}, "a: 1,b: 1,c: 1", "kept-last-good:0,"},
			{put(a, "2"), "a: 2,b: 1,c: 1", ""},
			{drop("proj/.claude/skills/a"), "b: 1,c: 1", ""},
		}},
		{"CL004: the working directory goes, the other roots go on", map[string]string{a: doc, "home/.claude/skills/u/SKILL.md": doc}, []step{
			{drop("proj"), "u: 1", ""}, {put("home/.claude/skills/u/SKILL.md", "2"), "u: 2", ""}, {save("home/.claude/skills/u/SKILL.md", "3"), "u: 3", ""},
		}},
		{"CL119: created, edited, deleted", map[string]string{b: doc}, []step{{put(a, "1"), "a: 1,b: 1", ""}, {put(a, "2"), "a: 2,b: 1", ""}, {drop("proj/.claude/skills/a"), "b: 1", ""}}},
	} {
		t.Run(tt.reason, func(t *testing.T) {
			t.Parallel()
			reg, root := openTree(t, tt.tree)
			require.NoError(t, reg.Watch(context.Background(), quick))
			sess := reg.NewSession("", nil)
			for i, st := range tt.steps {
				st.change(t, root)
				eventually(t, reg, func() bool { return st.want == strings.Join(described(sess), ",") }, "step %d: want %s", i+1, st.want)
				if st.issue != "" {
					assert.Contains(t, codesOf(reg.Snapshot().Issues()), st.issue)
					continue
				}
				assert.Empty(t, reg.Snapshot().Issues(), "CL004: nothing to complain about, step %d", i+1)
			}
		})
	}
}

// Touching a file, or writing the same into it, changes nothing and tells
// nobody.
func TestNoEchoCase(t *testing.T) {
	ctx := context.Background()
	const path = "proj/.claude/skills/a/SKILL.md"
	doc := skill("", "description: d")
	reg, root := openTree(t, map[string]string{path: doc})
	file := filepath.Join(root, path)
	rewrite := func() { // not through an empty file
		f, err := os.OpenFile(file, os.O_WRONLY, 0)
		require.NoError(t, err)
		_, err = f.WriteString(doc)
		require.NoError(t, err)
		require.NoError(t, f.Close())
	}
	before := reg.Snapshot()
	for reason, act := range map[string]func(){
		"M12: touched":             func() { require.NoError(t, os.Chtimes(file, time.Now(), time.Unix(1e9, 0))) },
		"M12: the same bytes":      rewrite,
		"M12: the same bytes over": func() { save(path, "d")(t, root) },
	} {
		act()
		change, err := reg.Reload(ctx)
		require.NoError(t, err)
		assert.Equal(t, skills.Change{Generation: before.Generation()}, change, reason)
		assert.Same(t, before, reg.Snapshot(), reason)
	}

	told := make(chan skills.Change, 100)
	reg.Subscribe(func(c skills.Change) { told <- c })
	require.NoError(t, reg.Watch(ctx, quick))
	require.NoError(t, os.Chmod(file, 0o600))
	require.NoError(t, os.Chtimes(file, time.Now(), time.Unix(2e9, 0)))
	rewrite()
	save(path, "d")(t, root)
	save("proj/.claude/skills/a/other.md", "d")(t, root)
	require.NoError(t, os.Mkdir(filepath.Join(root, "proj/.claude/skills/last"), 0o755))
	save("proj/.claude/skills/last/SKILL.md", "d")(t, root)
	eventually(t, reg, func() bool { return len(all(reg)) == 2 }, "the skill written last")
	assert.Equal(t, skills.Change{Added: []string{"last"}, Generation: before.Generation() + 1}, <-told, "M12: nothing else is told")
	assert.Empty(t, told)
}

// A change that is seen while the session goes on is there for the user and the
// model alike, and only what changed is told.
func TestChangeReachesBothCases(t *testing.T) {
	tree := make(map[string]string)
	for i := range 9 {
		tree[fmt.Sprintf("proj/.claude/skills/s%d/SKILL.md", i)] = skill("", fmt.Sprint("description: old ", i))
	}
	reg, root := openTree(t, tree)
	require.NoError(t, reg.Watch(context.Background(), quick))
	sess := reg.NewSession("", nil)
	l := skills.NewLister(sess, nil)
	l.Commit(l.Next())
	put("proj/.claude/skills/s4/SKILL.md", "edited")(t, root)
	eventually(t, reg, func() bool { return l.Next().Text != "" }, "the edit")
	next := l.Next()
	require.Len(t, next.Report.Entries, 1, "CL049: the one that changed")
	assert.Equal(t, "s4", next.Report.Entries[0].Name)
	assert.Contains(t, next.Text, "- s4: edited")
	assert.NotContains(t, next.Text, "old")
	assert.Equal(t, "edited", sess.Menu("s4")[0].Description, "CL048: the user's menu too")
	l.Commit(next)
	put("proj/.claude/skills/new/SKILL.md", "new")(t, root)
	eventually(t, reg, func() bool { return len(sess.Menu("new")) == 1 }, "CL048: a new skill in the user's menu")
	assert.Contains(t, l.Next().Text, "- new: new", "CL048: and in the model's listing")
}

// What Reload and Register report.
func TestReloadReportCases(t *testing.T) {
	ctx := context.Background()
	reg, root := openTree(t, map[string]string{
		"proj/.claude/skills/a/SKILL.md": skill("", "description: d"), "proj/.claude/skills/b/SKILL.md": skill("", "description: d"),
		"v1/skills/x/SKILL.md": skill("", "description: 1"), "v1/skills/y/SKILL.md": skill("", "description: 1"),
		"v2/skills/x/SKILL.md": skill("", "description: 2"), "v2/skills/z/SKILL.md": skill("", "description: 2"),
	})
	drop("proj/.claude/skills/a")(t, root)
	put("proj/.claude/skills/b/SKILL.md", "e")(t, root)
	put("proj/.claude/skills/c/SKILL.md", "d")(t, root)
	change, err := reg.Reload(ctx)
	require.NoError(t, err)
	assert.Equal(t, skills.Change{Added: []string{"c"}, Changed: []string{"b"}, Removed: []string{"a"}, Generation: 2}, change, "CL120")
	assert.Len(t, all(reg), 2, "CL120: the total is that of the snapshot")

	plugin := func(version string) skills.Source {
		src, err := skills.PluginSource(skills.Plugin{Name: "plug", Root: filepath.Join(root, version)})
		require.NoError(t, err)
		return src
	}
	_, err = reg.Register(ctx, plugin("v1"))
	require.NoError(t, err)
	change, err = reg.Register(ctx, plugin("v2"))
	require.NoError(t, err)
	assert.Equal(t, skills.Change{
		Added: []string{"plug:z"}, Changed: []string{"plug:x"}, Removed: []string{"plug:y"}, Generation: 4,
	}, change, "CL121: replaced in one publish")
}

// A loadCounter is a directory that can be watched and counts how often it is
// read.
type loadCounter struct {
	skills.Source
	loads *atomic.Int64
}

func (c loadCounter) Load(ctx context.Context) (skills.Loaded, error) {
	c.loads.Add(1)
	return c.Source.Load(ctx)
}

func counted(dir string) (skills.Source, *atomic.Int64) {
	src := skills.DirSource(skills.SourceInfo{ID: "counted", Origin: skills.OriginUser}, dir, nil)
	loads := new(atomic.Int64)
	return watchable{loadCounter{src, loads}, dir}, loads
}

// sized returns less for a short run.
func sized(full, short int) int {
	if testing.Short() {
		return short
	}
	return full
}

// Many files that change at once are few reloads and one change for whoever did
// not listen meanwhile (03 W7).
func TestManyChangesCases(t *testing.T) {
	n := sized(2000, 500)
	tree := make(map[string]string)
	for i := range n {
		tree[fmt.Sprintf("s%04d/SKILL.md", i)] = skill("", "description: old")
	}
	dir := testkit.Tree(t, tree)
	src, loads := counted(dir)
	reg := open(t, &skills.Options{Sources: []skills.Source{src}})
	hold, done := make(chan struct{}), make(chan struct{})
	var calls int
	changed := make(map[string]bool)
	reg.Subscribe(func(c skills.Change) {
		<-hold
		calls++
		for _, name := range c.Changed {
			changed[name] = true
		}
		if len(changed) == n {
			close(done)
		}
	})
	start, before := time.Now(), loads.Load()
	require.NoError(t, reg.Watch(context.Background(), &skills.WatchOptions{Stable: quick.Stable, Poll: quick.Poll}))
	for name := range tree {
		tree[name] = skill("", "description: new")
	}
	testkit.Write(t, dir, tree)
	eventually(t, reg, func() bool {
		for s := range reg.Snapshot().All() {
			if s.Description != "new" {
				return false
			}
		}
		return true
	}, "M04, CL117: all %d changes", n)
	rescans, most := loads.Load()-before, int64(time.Since(start)/(300*time.Millisecond))+2
	assert.LessOrEqual(t, rescans, most, "M04, CL117")
	close(hold)
	select {
	case <-done:
		assert.LessOrEqual(t, calls, 2, "M04: the one under way, and one for all that followed")
	case <-time.After(30 * time.Second):
		t.Fatal("M04: the subscriber was not told of everything")
	}
}

// inotifyWatches counts the directories this process watches.
func inotifyWatches(t *testing.T) int {
	t.Helper()
	list, err := os.ReadDir("/proc/self/fd")
	if err != nil {
		t.Skipf("this system does not tell what is watched: %v", err)
	}
	n := 0
	for _, fd := range list {
		if to, err := os.Readlink("/proc/self/fd/" + fd.Name()); err != nil || to != "anon_inode:inotify" {
			continue
		}
		info, err := os.ReadFile("/proc/self/fdinfo/" + fd.Name())
		require.NoError(t, err)
		n += strings.Count(string(info), "inotify wd:")
	}
	return n
}

// A skill folder full of other files needs no watches for them, and what
// happens to them is nobody's business (03 W3).
func TestBoundedWatchesCases(t *testing.T) {
	const files = 5 // in each folder
	folders := sized(2000, 100)
	clutter := func(dir string) {
		for i := range folders {
			d := filepath.Join(dir, fmt.Sprintf("d%d/e%d", i%50, i))
			require.NoError(t, os.MkdirAll(d, 0o755))
			for f := range files {
				require.NoError(t, os.WriteFile(filepath.Join(d, fmt.Sprintf("f%d.js", f)), nil, 0o644))
			}
		}
	}
	root := testkit.Tree(t, map[string]string{"home/.claude/skills/m/SKILL.md": skill("", "description: 0"), "counted/a/SKILL.md": skill("", "description: d")})
	clutter(root + "/counted/a/node_modules")
	src, loads := counted(root + "/counted")
	reg := open(t, &skills.Options{Locations: skills.Locations{Home: root + "/home"}, Sources: []skills.Source{src}})
	before := inotifyWatches(t)
	const roots, list = 3, 2 // home's skills and commands, counted; a and m
	ancestors := strings.Count(root+"/home/.claude", "/")
	require.NoError(t, reg.Watch(context.Background(), quick))
	edited := func(description, reason string) {
		put("home/.claude/skills/m/SKILL.md", description)(t, root)
		eventually(t, reg, func() bool {
			assert.LessOrEqual(t, inotifyWatches(t)-before, roots+list+ancestors, reason)
			return slices.Contains(described(reg.NewSession("", nil)), "m: "+description)
		}, reason)
		assert.Greater(t, inotifyWatches(t), before, "events are watched for")
	}
	edited("1", "M03: watches beside files that were there")
	eventually(t, reg, func() bool { return loads.Load() == 2 }, "what changed before the watch began")
	clutter(root + "/counted/a/build")
	edited("2", "M03, CL118: watches beside files that came")
	assert.EqualValues(t, 2, loads.Load(), "M03, CL118: %d other files cause no reload", files*folders)
}

// Readers see a whole old or a whole new set.
func TestWholeSetsCase(t *testing.T) {
	const n, readers, reloaders = 200, 4, 2
	rounds := sized(200, 12)
	var version atomic.Int64
	src := skills.SourceFunc(skills.SourceInfo{ID: "v", Origin: skills.OriginUser}, func(context.Context) (skills.Loaded, error) {
		v := fmt.Sprint(version.Add(1))
		out := make([]*skills.Skill, n)
		for i := range out {
			out[i] = &skills.Skill{Name: fmt.Sprint("s", i), Description: v}
		}
		return skills.Loaded{Skills: out}, nil
	})
	reg := open(t, &skills.Options{Sources: []skills.Source{src}})
	var done atomic.Bool
	var reading, loading sync.WaitGroup
	for range readers {
		reading.Go(func() {
			sess := reg.NewSession("", nil)
			for !done.Load() {
				seen, versions := 0, make(map[string]bool)
				for s := range sess.Skills(skills.CallerModel) {
					seen++
					versions[s.Description] = true
				}
				assert.Equal(t, n, seen, "M06")
				assert.Len(t, versions, 1, "M06")
			}
		})
	}
	for range reloaders {
		loading.Go(func() {
			for range rounds {
				_, err := reg.Reload(context.Background())
				assert.NoError(t, err)
			}
		})
	}
	loading.Wait()
	done.Store(true)
	reading.Wait()
	assert.EqualValues(t, 1+reloaders*rounds, version.Load())
}
