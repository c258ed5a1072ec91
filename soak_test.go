package skills_test

import (
	"context"
	"fmt"
	"math/rand/v2"
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
	"go.uber.org/goleak"

	"github.com/seed-12b313d8/skills"
	"github.com/seed-12b313d8/skills/internal/fswatch"
	"github.com/seed-12b313d8/skills/internal/testkit"
)

// A vandal changes skill trees at random in every way people and programs do.
type vandal struct {
	t    *testing.T
	rng  *rand.Rand
	root string
	n    int // counts contents, so that each is different
}

// places are the skills directories that a vandal works in. Some do not exist
// at first, others are links.
var places = []string{"home/.claude/skills", "proj/.claude/skills", "proj/apps/web/.claude/skills", "proj/lib/.claude/skills", "pool"}

func (v *vandal) path(parts ...string) string {
	return filepath.Join(append([]string{v.root}, parts...)...)
}

// try ignores an error: what a random operation works on may not be there.
func (v *vandal) try(error) {}

func (v *vandal) text() string {
	v.n++
	return skill("body "+strings.Repeat("x", v.rng.IntN(50)), fmt.Sprintf("description: version %d", v.n))
}

func (v *vandal) act() {
	place := v.path(places[v.rng.IntN(len(places))])
	dir := filepath.Join(place, fmt.Sprint("s", v.rng.IntN(6)))
	file := filepath.Join(dir, "SKILL.md")
	switch v.rng.IntN(14) {
	case 0, 1, 2: // written in place
		v.try(os.MkdirAll(dir, 0o755))
		v.try(os.WriteFile(file, []byte(v.text()), 0o644))
	case 3, 4: // saved by renaming
		v.try(os.WriteFile(file+".tmp", []byte(v.text()), 0o644))
		v.try(os.Rename(file+".tmp", file))
	case 5: // cut, then written
		v.try(os.WriteFile(file, nil, 0o644))
		v.try(os.WriteFile(file, []byte(v.text()), 0o644))
	case 6:
		v.try(os.Remove(file))
	case 7:
		v.try(os.RemoveAll(dir))
	case 8:
		v.try(os.Rename(dir, filepath.Join(place, fmt.Sprint("s", v.rng.IntN(6)))))
	case 9: // a directory replaced
		v.try(os.Rename(place, v.path("trash", fmt.Sprint(v.n))))
		v.n++
		if v.rng.IntN(2) == 0 {
			v.try(os.MkdirAll(dir, 0o755))
			v.try(os.WriteFile(file, []byte(v.text()), 0o644))
		}
	case 10: // a folder that is a link, or leads elsewhere now
		v.try(os.Remove(dir))
		v.try(os.Symlink(v.path("pool", fmt.Sprint("s", v.rng.IntN(6))), dir))
	case 11: // a command
		v.try(os.MkdirAll(v.path("home/.claude/commands/sub"), 0o755))
		v.try(os.WriteFile(v.path("home/.claude/commands/sub", fmt.Sprint("c", v.rng.IntN(3), ".md")), []byte(v.text()), 0o644))
	case 12: // what matters to nobody
		v.try(os.MkdirAll(filepath.Join(dir, "data"), 0o755))
		v.try(os.WriteFile(filepath.Join(dir, "data", fmt.Sprint(v.rng.IntN(9))), []byte("x"), 0o644))
	case 13: // broken
		v.try(os.WriteFile(file, []byte("---\ndescription: broken\nno fence"), 0o644))
	}
}

// mend repairs what is broken, so that the last good version is what is there.
func (v *vandal) mend() {
	v.t.Helper()
	require.NoError(v.t, filepath.WalkDir(v.root, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() || filepath.Base(path) != "SKILL.md" {
			return err
		}
		if text, err := os.ReadFile(path); err == nil && strings.Contains(string(text), "no fence") {
			return os.WriteFile(path, []byte(v.text()), 0o644)
		}
		return nil
	}))
}

// lossy is an event source that forgets events and says so only sometimes
// later, as a system does whose queue has overflown.
type lossy struct {
	fswatch.Source
	events chan fswatch.Event
	errors chan error
	stop   chan struct{}
	ended  sync.WaitGroup
}

func openLossy() (fswatch.Source, error) {
	s, err := fswatch.System()
	if err != nil {
		return nil, err
	}
	l := &lossy{Source: s, events: make(chan fswatch.Event), errors: make(chan error), stop: make(chan struct{})}
	l.ended.Go(l.run)
	return l, nil
}

func (l *lossy) run() {
	for n := 1; ; n++ {
		select {
		case ev, ok := <-l.Source.Events():
			if !ok {
				return
			}
			if n%40 > 20 {
				continue // lost
			}
			l.send(ev, n%40 == 0)
		case err, ok := <-l.Source.Errors():
			if !ok {
				return
			}
			select {
			case l.errors <- err:
			case <-l.stop:
			}
		case <-l.stop:
			return
		}
	}
}

func (l *lossy) send(ev fswatch.Event, overflow bool) {
	select {
	case l.events <- ev:
	case <-l.stop:
	}
	if overflow {
		select {
		case l.errors <- fswatch.ErrOverflow:
		case <-l.stop:
		}
	}
}

func (l *lossy) Events() <-chan fswatch.Event { return l.events }
func (l *lossy) Errors() <-chan error         { return l.errors }
func (l *lossy) overflow() {
	select {
	case l.errors <- fswatch.ErrOverflow:
	case <-l.stop:
	}
}

func (l *lossy) Close() error {
	close(l.stop)
	err := l.Source.Close()
	l.ended.Wait()
	return err
}

// After thousands of random changes on a real file system the registry holds
// what a fresh load finds, with events, with lost events, and without any (07
// B7; 03 W2–W7).
func TestWatchSoak(t *testing.T) {
	changes := 800
	if testing.Short() {
		changes = 150
	}
	modes := []struct {
		name string
		opts skills.WatchOptions
		open func() (fswatch.Source, error)
	}{
		{"events", *quick, nil},
		{"overflow", *quick, openLossy},
		{"polling", skills.WatchOptions{Stable: quick.Stable, Poll: quick.Poll, Gather: quick.Gather, Polling: true}, nil},
	}
	for i, mode := range modes {
		t.Run(mode.name, func(t *testing.T) {
			defer goleak.VerifyNone(t)
			var current atomic.Pointer[lossy]
			open := mode.open
			if open != nil {
				open = func() (fswatch.Source, error) {
					s, err := mode.open()
					if err == nil {
						current.Store(s.(*lossy))
					}
					return s, err
				}
			}
			watchSoak(t, uint64(i), changes, mode.opts, open, func() {
				if l := current.Load(); l != nil {
					l.overflow() // the system says so when it has lost something
				}
			})
		})
	}
}

func watchSoak(t *testing.T, seed uint64, changes int, opts skills.WatchOptions, open func() (fswatch.Source, error), last func()) {
	root := testkit.Tree(t, map[string]string{"proj/apps/web/x": "", "proj/lib/x": "", "trash/": "", "pool/": ""})
	load := func() (*skills.Registry, *skills.Session) {
		reg, err := skills.Open(context.Background(), &skills.Options{
			Locations: skills.Locations{Home: root + "/home", Project: root + "/proj", TrustProject: true},
		})
		require.NoError(t, err)
		sess := reg.NewSession("", nil)
		sess.Touch(context.Background(), "apps/web/x", "lib/x")
		return reg, sess
	}
	reg, sess := load()
	defer reg.Close()
	reg.OpenEvents(open)
	hold := make(chan struct{})
	defer reg.Subscribe(func(skills.Change) { <-hold })() // 03 W7: one that does not read
	defer close(hold)
	require.NoError(t, reg.Watch(context.Background(), &opts))

	v := &vandal{t: t, rng: rand.New(rand.NewPCG(seed, 7)), root: root}
	for range changes {
		if v.act(); v.rng.IntN(20) == 0 {
			time.Sleep(time.Duration(v.rng.IntN(30)) * time.Millisecond) // let some of it settle
		}
	}
	v.mend()
	last()

	fresh, freshSess := load()
	defer fresh.Close()
	assert.NotEmpty(t, described(freshSess), "the soak leaves something to compare")
	same := func() bool {
		sess.Touch(context.Background(), "apps/web/x", "lib/x")
		return slices.Equal(described(freshSess), described(sess)) && slices.Equal(locations(freshSess), locations(sess))
	}
	defer func() {
		if t.Failed() {
			t.Logf("fresh: %q\nwatched: %q", described(freshSess), described(sess))
		}
	}()
	eventually(t, reg, same, "what a fresh load finds")
}

func locations(sess *skills.Session) []string {
	var out []string
	for s := range sess.Skills(skills.CallerHost) {
		out = append(out, s.RealPath)
	}
	return out
}
