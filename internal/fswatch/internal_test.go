package fswatch

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/seed-12b313d8/skills/internal/testkit"
)

// ErrEnded is reported for a source whose channels are closed.
var ErrEnded = errEnded

// OpenSystem opens the event source that is the default of [Options.Open].
func OpenSystem() (Source, error) { return System() }

// ListTarget returns the directories of t.
func ListTarget(t Target) []Dir { return t.list(context.Background()) }

// What each event means to the owners of the directory it happened in.
func TestEffects(t *testing.T) {
	at := func(rel string) string { return filepath.Join(string(filepath.Separator), filepath.FromSlash(rel)) }
	skill := []func(string) bool{IsSkill}
	ix := index{
		at("p"):                  {{owner: "s", names: map[string]bool{"skills": false}}, {owner: "t", names: map[string]bool{"text.md": true}}},
		at("p/skills"):           {{owner: "s", match: skill, names: map[string]bool{"a": false, "g": false}}},
		at("p/skills/a"):         {{owner: "s", match: skill, leaf: true}},
		at("p/skills/g"):         {{owner: "s", match: skill}, {owner: "u", match: skill, leaf: true}},
		string(os.PathSeparator): {{owner: "s", names: map[string]bool{"p": false}}, {owner: "t", names: map[string]bool{"p": false}}},
	}
	const all = hinted | traced | replaced
	tests := []struct {
		reason string
		name   string
		op     Op
		want   map[string]effect
		stale  bool
	}{
		{"03 W3: a skill written", "p/skills/a/SKILL.md", Write, map[string]effect{"s": hinted}, false},
		{"03 W3: a skill saved", "p/skills/a/SKILL.md", Create, map[string]effect{"s": hinted | traced}, false},
		{"01 R9: in any case", "p/skills/a/skill.MD", Rename, map[string]effect{"s": hinted | traced}, false},
		{"two owners", "p/skills/g/SKILL.md", Remove, map[string]effect{"s": hinted | traced, "u": hinted | traced}, false},
		{"attributes: it may be readable now", "p/skills/a/SKILL.md", Chmod, map[string]effect{"s": hinted}, false},
		{"attributes of what does not matter", "p/skills/a/ref.txt", Chmod, nil, false},
		{"attributes and content", "p/skills/a/SKILL.md", Chmod | Write, map[string]effect{"s": hinted}, false},
		{"03 W3: another file", "p/skills/a/x.md", Create | Write, nil, false},
		{"03 W3: a folder in a skill", "p/skills/a/out", Create, nil, false},
		{"03 W2: perhaps a new folder", "p/skills/n", Create, map[string]effect{"s": traced}, false},
		{"and perhaps one that was read", "p/skills/n", Remove, map[string]effect{"s": hinted | traced}, false},
		{"a file that is written", "p/skills/n", Write, nil, false},
		{"03 W3: a file in a skill goes", "p/skills/a/x.md", Remove, nil, false},
		{"only for whom it matters", "p/skills/g/n", Create, map[string]effect{"s": traced}, false},
		{"03 W2: a folder goes", "p/skills/a", Remove, map[string]effect{"s": all}, true},
		{"03 W2: a folder goes, to each owner", "p/skills/g", Rename, map[string]effect{"s": all, "u": all}, true},
		{"03 W2: another takes its place", "p/skills/a", Create, map[string]effect{"s": all}, true},
		{"03 W2: on the way", "p/skills", Create, map[string]effect{"s": all}, true},
		{"a directory's own event", "p", Rename, map[string]effect{"s": all, "t": all}, true},
		{"a directory is no content", "p/skills", Write, nil, false},
		{"03 W2: target of a link to a file", "p/text.md", Write, map[string]effect{"t": hinted}, false},
		{"03 W2: target of a link goes", "p/text.md", Remove, map[string]effect{"t": all}, true},
		{"another name on the way", "p/other", Create | Write | Remove | Rename, nil, false},
		{"an unknown directory", "q/SKILL.md", Create, nil, false},
		{"the root of all", "", Remove, map[string]effect{"s": all, "t": all}, true},
	}
	for _, tt := range tests {
		require.NotEmpty(t, tt.reason)
		b := newInbox()
		b.event(ix, Event{Name: at(tt.name), Op: tt.op})
		n := b.take()
		if tt.want == nil {
			assert.Nil(t, n.owners, tt.reason)
			continue
		}
		assert.Equal(t, tt.want, n.owners, tt.reason)
		assert.Equal(t, tt.stale, n.stale[at(tt.name)], tt.reason)
	}
}

// fsnotify joins names with "/", also below "/" itself.
func TestEventBelowTheRoot(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("paths begin with a volume here")
	}
	b := newInbox()
	b.event(index{"/": {{owner: "s", names: map[string]bool{"p": false}}}}, Event{Name: "//p", Op: Create})
	assert.True(t, b.take().stale["/p"])
}

// An event that does not matter costs no memory, however many come (03 W3).
func TestEventAllocatesNothing(t *testing.T) {
	b, ix, ev := flood(t)
	assert.Zero(t, testing.AllocsPerRun(1000, func() { b.event(ix, ev) }))
	for i := range 10_000 {
		b.event(ix, Event{Name: filepath.Join(filepath.Dir(ev.Name), fmt.Sprint(i), "SKILL.md"), Op: Create})
		b.event(ix, Event{Name: filepath.Join(filepath.Dir(ev.Name), "SKILL.md"), Op: Create})
		b.event(ix, Event{Name: filepath.Dir(ev.Name), Op: Rename})
	}
	n := b.take()
	assert.Len(t, n.owners, 1)
	assert.Len(t, n.stale, 1)
}

func BenchmarkIrrelevantEvent(b *testing.B) {
	box, ix, ev := flood(b)
	b.ReportAllocs()
	for b.Loop() {
		box.event(ix, ev)
	}
}

func flood(tb testing.TB) (*inbox, index, Event) {
	tb.Helper()
	dir := filepath.Join(tb.TempDir(), "skills", "a")
	ix := index{dir: {{owner: "s", match: []func(string) bool{IsSkill}, leaf: true, names: map[string]bool{}}}}
	return newInbox(), ix, Event{Name: filepath.Join(dir, "object-0001.o"), Op: Create}
}

// What a thousand skills cost: one look at all files, and one tracing of all
// ways.
func BenchmarkThousandSkills(b *testing.B) {
	ctx := context.Background()
	target := Skills("s", testkit.BenchSkills(b, b.TempDir(), 1000), Walk{Depth: 1})
	w := New(Options{Polling: true})
	defer w.Close()
	b.Run("survey", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			w.survey(ctx, []Target{target})
		}
	})
	b.Run("plan", func(b *testing.B) {
		dirs := w.survey(ctx, []Target{target}).dirs
		b.ReportAllocs()
		for b.Loop() {
			newPlan("s", []Target{target}, dirs)
		}
	})
}

func TestWithin(t *testing.T) {
	for dir, want := range map[string]bool{"/a/b": true, "/a/b/c/d": true, "/a": false, "/a/bc": false, "/": false} {
		assert.Equal(t, want, within(filepath.FromSlash(dir), map[string]bool{filepath.FromSlash("/a/b"): true}), dir)
	}
	assert.True(t, within("/x/y", map[string]bool{"/": true}))
	assert.False(t, within("/a/b", nil))
}

// An inode that two names lead to is watched under the first only.
func TestInodeShared(t *testing.T) {
	dir := testkit.Tree(t, map[string]string{"a/": ""})
	w := newWorker(New(Options{Polling: true}))
	defer w.Close()
	e := &events{worker: w, source: silent{}, watches: make(map[string]watch), paths: make(map[inode]string)}
	n := nodeAt(dir)
	if n.inode == (inode{}) {
		t.Skip("there are no inodes here")
	}
	missed := make(map[string]bool)
	require.NoError(t, e.add(dir, missed))
	err := e.add(dir+string(filepath.Separator)+".", missed)
	assert.ErrorIs(t, err, errAlias)
	assert.False(t, isLimit(err), "it turns one owner to polling, not all")
}

type silent struct{}

func (silent) Add(string) error     { return nil }
func (silent) Remove(string) error  { return errors.New("not watched") }
func (silent) Events() <-chan Event { return nil }
func (silent) Errors() <-chan error { return nil }
func (silent) Close() error         { return nil }

func TestDefaults(t *testing.T) {
	o := Options{Poll: -1, Retry: -1, MaxWatches: -1}.withDefaults()
	assert.Equal(t, DefaultPoll, o.Poll)
	assert.Equal(t, time.Minute, o.Retry)
	assert.Equal(t, defaultMaxWatches, o.MaxWatches)
	o.Hint("")
	o.Degraded(nil)
	assert.NotNil(t, o.Open)
}

// The targets of an owner are found without a look at those of others.
func TestTargetsByOwner(t *testing.T) {
	w := New(Options{Polling: true})
	defer w.Close()
	dir := t.TempDir()
	targets := []Target{{ID: "a", Root: dir}, {ID: "b", Root: dir}, {ID: "a", Root: filepath.Join(dir, "x")}}
	w.Set(targets)
	targets[0].ID = "c" // Set keeps a copy
	assert.Len(t, w.targets, 3)
	assert.Len(t, w.byOwner, 2)
	assert.Len(t, w.byOwner["a"], 2)
	w.Set(nil)
	assert.Empty(t, w.byOwner)
}

// What one fingerprint costs beside five thousand other owners.
func BenchmarkFingerprintOfOne(b *testing.B) {
	w := New(Options{Polling: true})
	defer w.Close()
	targets := make([]Target, 5000)
	for i := range targets {
		targets[i] = Target{ID: fmt.Sprint(i), Root: "/", List: func(context.Context) []Dir { return nil }}
	}
	w.Set(targets)
	for b.Loop() {
		w.Fingerprint(context.Background(), "4999")
	}
}
