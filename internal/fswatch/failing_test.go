package fswatch_test

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"sync"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/seed-12b313d8/skills/internal/fswatch"
	"github.com/seed-12b313d8/skills/internal/testkit"
)

// A told is one call of Degraded, at a time since the start.
type told struct {
	at  time.Duration
	err error
}

// A lab is a watcher on a real tree with fake events and fake time. It is made
// inside a bubble.
type lab struct {
	*bench
	opts  fswatch.Options
	begin time.Time

	mu     sync.Mutex // guards what follows
	told   []told
	opens  []time.Duration
	failed error // of Open
}

func newLab(t *testing.T, o fswatch.Options, files map[string]string) *lab {
	l := &lab{bench: &bench{recorder: newRecorder(), t: t, root: testkit.Tree(t, files), spy: fake()}, opts: o, begin: time.Now()}
	l.opts.Hint = l.hint
	l.opts.Degraded = func(err error) {
		l.mu.Lock()
		defer l.mu.Unlock()
		l.told = append(l.told, told{time.Since(l.begin), err})
	}
	l.opts.Open = l.open
	return l
}

func (l *lab) open() (fswatch.Source, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.opens = append(l.opens, time.Since(l.begin))
	if l.failed != nil {
		return nil, l.failed
	}
	l.spy.mu.Lock()
	refuse := l.spy.refuse
	l.spy.mu.Unlock()
	l.spy = fake()
	l.spy.fail(refuse)
	return l.spy, nil
}

// fail makes opening the source fail from now on.
func (l *lab) fail(err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.failed = err
}

func (l *lab) start() {
	l.Watcher = fswatch.New(l.opts)
	l.Set(usual(l.root))
	l.pass(0)
}

// pass lets time pass, and a little more for the worker to rest.
func (l *lab) pass(d time.Duration) {
	time.Sleep(d + 99*time.Millisecond)
	synctest.Wait()
}

// source returns the source opened last.
func (l *lab) source() *spy {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.spy
}

// send lets the source report op, if somebody listens.
func (l *lab) send(name string, op fswatch.Op) {
	s := l.source()
	select {
	case s.events <- fswatch.Event{Name: l.path(name), Op: op}:
	case <-s.ended:
	}
}

func (l *lab) complain(err error) {
	s := l.source()
	select {
	case s.errors <- err:
	case <-s.ended:
	}
}

var skillTree = map[string]string{"proj/.claude/skills/a/SKILL.md": "1", "home/.claude/skills/b/SKILL.md": "1"}

// Whatever ends the events: everything is hinted at once, the caller is told
// once, and what nobody reports is found by polling (03 W4, reload-02).
func TestDegraded(t *testing.T) {
	ioErr := errors.New("input/output error")
	noSpace := func(string) error { return syscall.ENOSPC }
	tests := []struct {
		name, reason string
		opts         fswatch.Options
		before       func(l *lab) // the watcher starts
		then         func(l *lab) // it has
		want         error
	}{
		{
			name: "overflow", reason: "03 W4: overflow",
			then: func(l *lab) { l.complain(fswatch.ErrOverflow) }, want: fswatch.ErrOverflow,
		},
		{
			name: "error", reason: "03 W4: watcher error",
			then: func(l *lab) { l.complain(ioErr); l.complain(ioErr); l.complain(ioErr) }, want: ioErr,
		},
		{
			name: "the events end", reason: "03 W4: watcher error",
			then: func(l *lab) { close(l.source().events) }, want: fswatch.ErrEnded,
		},
		{
			name: "the errors end", reason: "03 W4: watcher error",
			then: func(l *lab) { close(l.source().errors) }, want: fswatch.ErrEnded,
		},
		{
			name: "no more watches", reason: "03 W4: inotify limit",
			before: func(l *lab) { l.source().fail(noSpace) }, want: syscall.ENOSPC,
		},
		{
			name: "no more watches later", reason: "03 W4: inotify limit",
			then: func(l *lab) {
				l.source().fail(noSpace)
				l.mkdir("proj/.claude/skills/n")
				l.send("proj/.claude/skills/n", fswatch.Create)
			},
			want: syscall.ENOSPC,
		},
		{
			name: "no handle", reason: "03 W4: inotify limit",
			before: func(l *lab) { l.fail(syscall.EMFILE) }, want: syscall.EMFILE,
		},
		{
			name: "too many directories", reason: "M03: the count is capped",
			opts: fswatch.Options{MaxWatches: 3}, want: fswatch.ErrTooMany,
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			require.NotEmpty(t, tt.reason)
			synctest.Test(t, func(t *testing.T) {
				l := newLab(t, tt.opts, skillTree)
				if tt.before != nil {
					tt.before(l)
				}
				l.start()
				defer l.Close()
				if tt.then != nil {
					require.NoError(t, l.Degraded())
					tt.then(l)
					l.pass(0)
				}
				require.ErrorIs(t, l.Degraded(), tt.want)
				require.Len(t, l.told, 1, "told once")
				require.ErrorIs(t, l.told[0].err, tt.want)
				require.Equal(t, 1, l.all()[fswatch.Everything], "everything is hinted at once")
				assert.True(t, l.source().closed() || l.failed != nil, "the source is closed")

				before := l.all()
				if tt.then != nil {
					require.Equal(t, map[string]int{"s": 1, "u": 1, "c": 1, fswatch.Everything: 1}, before, "and nothing besides")
				}
				l.pass(5 * time.Second)
				require.Equal(t, before, l.all(), "no change, no hint")
				testkit.Write(t, l.root, map[string]string{"proj/.claude/skills/n/SKILL.md": "1"})
				l.pass(fswatch.DefaultPoll)
				require.Equal(t, before["s"]+1, l.all()["s"], "polling finds what no event told")
				require.Equal(t, before["u"], l.all()["u"])
			})
		})
	}
}

// Events are tried again after a minute, then after longer and longer pauses.
func TestRetry(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := newLab(t, fswatch.Options{Poll: time.Minute}, skillTree)
		l.fail(syscall.EMFILE)
		l.start()
		defer l.Close()
		l.pass(140 * time.Minute)
		var minutes []int
		for _, at := range l.opens {
			minutes = append(minutes, int(at/time.Minute))
		}
		assert.Equal(t, []int{0, 1, 3, 7, 15, 31, 63, 127}, minutes)
		require.Len(t, l.told, 1, "failing again is no news")

		l.fail(nil)
		l.pass(time.Hour)
		require.Len(t, l.told, 2)
		assert.NoError(t, l.told[1].err, "events are back")
		assert.NoError(t, l.Degraded())
		assert.Equal(t, 2, l.all()[fswatch.Everything], "what happened meanwhile is looked for")
		assert.Contains(t, l.source().list(l.root), "proj/.claude/skills/a", "all is watched again")

		opens, before := len(l.opens), l.all()
		l.write("proj/.claude/skills/a/SKILL.md", "2")
		l.pass(time.Minute)
		assert.Equal(t, before, l.all(), "nothing is polled any more")
		l.send("proj/.claude/skills/a/SKILL.md", fswatch.Write)
		l.pass(0)
		assert.Equal(t, before["s"]+1, l.all()["s"])

		l.complain(fswatch.ErrOverflow)
		l.pass(65 * time.Minute)
		assert.Len(t, l.opens, opens+1, "the pause stays long after a failure that came soon")
		l.pass(65 * time.Minute)
		l.complain(fswatch.ErrOverflow)
		l.pass(time.Minute)
		assert.Len(t, l.opens, opens+2, "and is short again after a good while")
		assert.NoError(t, l.Degraded())
	})
}

// Without events, every kind of change is found by looking, at each Poll, and
// the system is never asked for events (03 W4).
func TestPolling(t *testing.T) {
	const a = "proj/.claude/skills/a/SKILL.md"
	tests := []struct {
		reason string
		files  map[string]string
		change func(b *bench)
		hints  bool
	}{
		{"content", skillTree, func(b *bench) { b.write(a, "22") }, true},
		{"atomic save", skillTree, func(b *bench) { b.save(a, "2") }, true},
		{"removal", skillTree, func(b *bench) { b.remove(a) }, true},
		{"new folder", skillTree, func(b *bench) { b.mkdir("proj/.claude/skills/n") }, true},
		{"new skill", skillTree, func(b *bench) { b.mkdir("proj/.claude/skills/n"); b.write("proj/.claude/skills/n/Skill.md", "1") }, true},
		{"root removed", skillTree, func(b *bench) { b.remove("proj") }, true},
		{"root made", nil, func(b *bench) { b.mkdir("proj/.claude/skills") }, true},
		{"link", map[string]string{"x/a/SKILL.md": "1", "y/a/SKILL.md": "1", "proj/.claude/skills": "-> ../../x"}, func(b *bench) { b.link("../../y", "proj/.claude/skills") }, true},
		{"03 W3: another file", skillTree, func(b *bench) { b.write("proj/.claude/skills/a/x.txt", "1") }, false},
		{"03 W3: a folder in a skill", skillTree, func(b *bench) { b.mkdir("proj/.claude/skills/a/x") }, false},
		{"another owner", skillTree, func(b *bench) { b.write("home/.claude/skills/b/SKILL.md", "22") }, false},
	}
	for _, tt := range tests {
		t.Run(tt.reason, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				l := newLab(t, fswatch.Options{Polling: true, Poll: 2 * time.Second}, tt.files)
				l.start()
				defer l.Close()
				l.pass(10 * time.Second)
				require.Equal(t, map[string]int{"s": 1, "u": 1, "c": 1}, l.all(), "hinted at when they are first looked at")
				tt.change(l.bench)
				l.pass(2 * time.Second)
				want := 1
				if tt.hints {
					want = 2
				}
				assert.Equal(t, want, l.all()["s"])
				l.pass(10 * time.Second)
				assert.Equal(t, want, l.all()["s"], "once")
				assert.Empty(t, l.opens)
				assert.Empty(t, l.told, "polling was asked for")
				assert.NoError(t, l.Degraded())
			})
		})
	}
}

// What the reader of the hint at everything has found, and goes before the
// first poll, is missed.
func TestDegradedBaseline(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := newLab(t, fswatch.Options{}, skillTree)
		l.start()
		defer l.Close()
		l.mkdir("proj/.claude/skills/n") // an event that is lost
		l.complain(fswatch.ErrOverflow)
		l.pass(0)
		before := l.all()
		l.remove("proj/.claude/skills/n")
		l.pass(fswatch.DefaultPoll)
		assert.Equal(t, before["s"]+1, l.all()["s"])
	})
}

// A source that was closed says no more, even if events are tried again at
// once.
func TestRetryAtOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := newLab(t, fswatch.Options{Retry: 1}, skillTree)
		l.spy.closes = true
		l.start()
		defer l.Close()
		l.complain(fswatch.ErrOverflow)
		l.pass(time.Hour)
		assert.Len(t, l.opens, 2)
		require.Len(t, l.told, 2)
		assert.NoError(t, l.told[1].err)
	})
}

// One directory that cannot be watched turns only its owner to polling, until
// it can.
func TestOneDirectoryRefused(t *testing.T) {
	tests := []struct {
		reason string
		dir    string
		change func(b *bench)
		polled bool
	}{
		{"03 W2: a skill folder", "proj/.claude/skills/a", func(b *bench) { b.write("proj/.claude/skills/a/SKILL.md", "22") }, true},
		{"03 W2: the nearest ancestor", "home/.claude", func(b *bench) { b.mkdir("home/.claude/skills") }, true},
		{"03 W2: where a link is", "links", func(b *bench) { b.mkdir("pool2/n"); b.link("../pool2", "links/skills") }, true},
		{"a directory on the way to one that is watched", "proj", func(b *bench) { b.write("proj/.claude/skills/a/SKILL.md", "22") }, false},
	}
	for _, tt := range tests {
		t.Run(tt.reason, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				l := newLab(t, fswatch.Options{}, map[string]string{
					"proj/.claude/skills/a/SKILL.md": "1", "home/.claude/": "", "pool/": "", "links/skills": "-> ../pool", "other/": "",
				})
				refused := l.path(tt.dir)
				l.spy.fail(func(dir string) error {
					if dir == refused {
						return syscall.EACCES
					}
					return nil
				})
				l.Watcher = fswatch.New(l.opts)
				defer l.Close()
				l.Set([]fswatch.Target{
					fswatch.Skills("o", l.path("proj/.claude/skills"), fswatch.Walk{Depth: 1}),
					fswatch.Skills("o", l.path("home/.claude/skills"), fswatch.Walk{Depth: 1}),
					fswatch.Skills("o", l.path("links/skills"), fswatch.Walk{Depth: 1}),
					fswatch.Skills("x", l.path("other"), fswatch.Walk{Depth: 1}),
				})
				l.pass(10 * time.Second)
				before := l.all()
				tt.change(l.bench)
				l.mkdir("other/n")
				l.pass(fswatch.DefaultPoll)
				assert.Equal(t, tt.polled, l.of("o") > before["o"])
				assert.Equal(t, before["x"], l.of("x"), "this one is not polled")
				assert.NoError(t, l.Degraded())

				l.source().fail(nil)
				before = l.all()
				l.send("proj/.claude/skills/none", fswatch.Create)
				l.pass(time.Second)
				assert.Contains(t, l.source().list(l.root), tt.dir)
				assert.Greater(t, l.of("o"), before["o"], "hinted at, for what happened before the watch existed")
				before = l.all()
				l.mkdir("proj/.claude/skills/m")
				l.pass(time.Minute)
				assert.Equal(t, before, l.all(), "no longer polled")
				assert.Empty(t, l.told)
			})
		})
	}
}

// What happens before the watch on a directory exists is found after it does.
func TestChangeBeforeWatch(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := newLab(t, fswatch.Options{}, skillTree)
		l.spy.fail(func(dir string) error {
			if dir == l.path("proj/.claude/skills/a") {
				l.write("proj/.claude/skills/a/SKILL.md", "22")
			}
			return nil
		})
		l.start()
		defer l.Close()
		l.pass(time.Second)
		assert.Equal(t, map[string]int{"s": 2, "u": 1, "c": 1}, l.all())
	})
}

// A directory that was replaced without an event is watched anew as soon as
// its owner is traced; and watches that come and go do not add up.
func TestReplacedUnseen(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := newLab(t, fswatch.Options{}, skillTree)
		l.start()
		watched := len(l.source().list("/"))
		l.Close()

		l = newLab(t, fswatch.Options{MaxWatches: watched}, skillTree)
		l.start()
		defer l.Close()
		const dir = "proj/.claude/skills/a"
		for i := range 20 {
			l.mkdir("aside/a")
			l.rename(dir, fmt.Sprint("aside/", i))
			l.rename("aside/a", dir)
			adds := l.source().times(l.path(dir))
			l.send("proj/.claude/skills/none", fswatch.Create)
			l.pass(time.Second)
			require.Equal(t, adds+1, l.source().times(l.path(dir)))
			require.NoError(t, l.Degraded())
		}
	})
}

// A stray error of the source costs a round of tracing, no more.
func TestStrayError(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := newLab(t, fswatch.Options{}, skillTree)
		l.start()
		defer l.Close()
		watched, adds, before := l.source().list("/"), l.source().added(), l.all()
		l.complain(fmt.Errorf("inotify: %w", syscall.EINVAL))
		l.pass(0)
		assert.NoError(t, l.Degraded())
		assert.Equal(t, watched, l.source().list("/"))
		assert.Equal(t, adds+len(watched), l.source().added(), "all watches are made anew")
		for id, n := range before {
			assert.Equal(t, n+1, l.all()[id], id)
		}
	})
}

// A directory that goes while a watch is added, and comes again, and goes.
func TestAddRaces(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := newLab(t, fswatch.Options{}, skillTree)
		dir := "proj/.claude/skills/a"
		tries := 0
		l.source().fail(func(d string) error {
			if d != l.path(dir) || tries > 30 {
				return nil
			}
			tries++
			if tries%2 == 0 {
				l.remove(dir)
				l.mkdir(dir + "2") // another inode
				l.rename(dir+"2", dir)
				return nil
			}
			l.remove(dir)
			defer l.mkdir(dir)
			return syscall.ENOENT
		})
		l.start()
		defer l.Close()
		l.pass(time.Second)
		assert.NoError(t, l.Degraded())
		assert.Contains(t, l.source().list(l.root), dir)
		before := l.of("s")
		l.write(dir+"/SKILL.md", "1")
		l.send(dir+"/SKILL.md", fswatch.Create)
		l.pass(0)
		assert.Equal(t, before+1, l.of("s"))
	})
}

// What happens after an owner was listed, and before the reader of events knows
// what was found, is not lost: here a folder that matters only since its parent
// is no skill any more.
func TestChangeWhileTraced(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := newLab(t, fswatch.Options{}, skillTree)
		target := usual(l.root)[0]
		list, meanwhile := target.List, make(chan func(), 1)
		target.List = func(ctx context.Context) []fswatch.Dir {
			dirs := list(ctx)
			select {
			case f := <-meanwhile:
				f()
			default:
			}
			return dirs
		}
		l.Watcher = fswatch.New(l.opts)
		defer l.Close()
		l.Set([]fswatch.Target{target})
		l.pass(time.Second)

		meanwhile <- func() {
			l.mkdir("proj/.claude/skills/a/sub")
			l.send("proj/.claude/skills/a/sub", fswatch.Create)
		}
		l.remove("proj/.claude/skills/a/SKILL.md")
		l.send("proj/.claude/skills/a/SKILL.md", fswatch.Remove)
		l.pass(time.Second)
		assert.Empty(t, meanwhile)
		assert.Contains(t, l.source().list(l.root), "proj/.claude/skills/a/sub")
	})
}

// While Hint does not return, nothing is blocked, and hints do not pile up
// (03 W7, CL117).
func TestSlowReceiver(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := newLab(t, fswatch.Options{}, skillTree)
		release, calls := make(chan struct{}), 0
		l.opts.Hint = func(string) { calls++; <-release }
		l.start()
		before := time.Now()
		for i := range 2000 {
			op := fswatch.Write
			if i%3 == 0 {
				op = fswatch.Create
			}
			l.send("proj/.claude/skills/a/SKILL.md", op)
			l.Set(usual(l.root))
			_ = l.Fingerprint(context.Background(), "s")
		}
		assert.Zero(t, time.Since(before), "nobody waited")
		assert.Equal(t, 1, calls)
		close(release)
		l.pass(time.Second)
		assert.LessOrEqual(t, calls, 3+3, "one hint a source is left of all that")
		l.Close()
	})
}

// Close waits for a callback under way, may be repeated, and then all is quiet.
func TestClose(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := newLab(t, fswatch.Options{}, skillTree)
		l.start()
		for range 3 {
			go l.Close()
		}
		l.Close()
		assert.True(t, l.source().closed())
		before := l.all()
		l.Set(nil)
		l.Set(usual(l.root))
		l.pass(time.Hour)
		assert.Equal(t, before, l.all())
		assert.NoError(t, l.Degraded())
	})
}

// Set does nothing for what is the same, and what it must for the rest.
func TestSet(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := newLab(t, fswatch.Options{}, skillTree)
		l.start()
		defer l.Close()
		watched, adds, before := l.source().list(l.root), l.source().added(), l.all()
		for range 10 {
			l.Set(usual(l.root))
			l.pass(0)
		}
		assert.Equal(t, adds, l.source().added())
		assert.Equal(t, before, l.all())

		less := usual(l.root)[:1]
		l.Set(append(less, fswatch.Target{ID: "n", Root: l.path("home"), Match: fswatch.IsSkill}))
		l.pass(0)
		assert.NotContains(t, l.source().list(l.root), "home/.claude")
		assert.Contains(t, l.source().list(l.root), "home")
		assert.Equal(t, map[string]int{"s": 1, "u": 1, "c": 1, "n": 1}, l.all(), "only the new one is hinted at")
		l.send("home/SKILL.md", fswatch.Create)
		l.send("home/x.md", fswatch.Create)
		l.pass(0)
		assert.Equal(t, 2, l.all()["n"])

		other := usual(l.root)
		other[0].Root = l.path("home/.claude/skills") // an ID with another root
		l.Set(other)
		l.pass(0)
		assert.Equal(t, 2, l.all()["s"])
		l.Set(usual(l.root))
		l.pass(0)
		assert.Equal(t, watched, l.source().list(l.root))
		l.Set(nil)
		l.pass(0)
		assert.Empty(t, l.source().list("/"))
	})
}

// An owner may have several targets; a fingerprint covers them all, and
// nothing that does not matter.
func TestFingerprint(t *testing.T) {
	ctx := context.Background()
	root := testkit.Tree(t, map[string]string{"p/skills/a/SKILL.md": "1", "p/commands/x.md": "1", "p/SKILL.md": "1", "q/SKILL.md": "1"})
	b := &bench{t: t, root: root}
	w := fswatch.New(fswatch.Options{Polling: true})
	defer w.Close()
	w.Set([]fswatch.Target{
		{ID: "p", Root: b.path("p"), Match: fswatch.IsSkill},
		fswatch.Skills("p", b.path("p/skills"), fswatch.Walk{Depth: 1}),
		fswatch.Commands("p", b.path("p/commands"), fswatch.Walk{Depth: 8}),
		{ID: "q", Root: b.path("q")},
	})
	prints := map[uint64]string{}
	for _, change := range []struct {
		what string
		do   func()
	}{
		{"nothing", func() {}},
		{"the skill", func() { b.save("p/skills/a/SKILL.md", "2") }},
		{"the command", func() { b.save("p/commands/x.md", "2") }},
		{"the root", func() { b.save("p/SKILL.md", "2") }},
		{"a new folder", func() { b.mkdir("p/commands/y") }},
	} {
		change.do()
		print := w.Fingerprint(ctx, "p")
		require.NotContains(t, prints, print, change.what)
		prints[print] = change.what
		require.Equal(t, print, w.Fingerprint(ctx, "p"))
	}
	p, q, all := w.Fingerprint(ctx, "p"), w.Fingerprint(ctx, "q"), w.Fingerprint(ctx, fswatch.Everything)
	b.write("p/skills/a/other", "1")
	b.write("p/notes.md", "1")
	assert.Equal(t, p, w.Fingerprint(ctx, "p"))
	b.write("q/any", "1")
	assert.NotEqual(t, q, w.Fingerprint(ctx, "q"), "without Match every file matters")
	assert.NotEqual(t, all, w.Fingerprint(ctx, fswatch.Everything))
	assert.Equal(t, p, w.Fingerprint(ctx, "p"))
	assert.Equal(t, w.Fingerprint(ctx, "unknown"), w.Fingerprint(ctx, "unheard of"))
}

// A relative root is taken from the working directory.
func TestRelativeRoot(t *testing.T) {
	t.Chdir(testkit.Tree(t, map[string]string{"skills/a/SKILL.md": "1"}))
	w := fswatch.New(fswatch.Options{Polling: true})
	defer w.Close()
	abs, err := filepath.Abs("skills")
	require.NoError(t, err)
	w.Set([]fswatch.Target{{ID: "abs", Root: abs}, {ID: "rel", Root: "skills"}})
	assert.Equal(t, w.Fingerprint(context.Background(), "abs"), w.Fingerprint(context.Background(), "rel"))
}
