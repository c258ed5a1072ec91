package fswatch_test

import (
	"errors"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/seed-12b313d8/skills/internal/fswatch"
	"github.com/seed-12b313d8/skills/internal/testkit"
)

// patience is how long a test waits for what must happen.
const patience = 30 * time.Second

// A recorder counts hints.
type recorder struct {
	mu     sync.Mutex // guards what follows
	count  map[string]int
	change chan struct{} // closed at the next hint
}

func newRecorder() *recorder {
	return &recorder{count: make(map[string]int), change: make(chan struct{})}
}

func (r *recorder) hint(id string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.count[id]++
	close(r.change)
	r.change = make(chan struct{})
}

// of returns how often id or everything was hinted at.
func (r *recorder) of(id string) int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.count[id] + r.count[fswatch.Everything]
}

func (r *recorder) all() map[string]int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return maps.Clone(r.count)
}

// until waits for hints until ok.
func (r *recorder) until(t *testing.T, what string, ok func() bool) {
	t.Helper()
	timeout := time.After(patience)
	for {
		r.mu.Lock()
		change := r.change
		r.mu.Unlock()
		if ok() {
			return
		}
		select {
		case <-change:
		case <-timeout:
			require.FailNow(t, "timeout: "+what, "hints so far: %v", r.all())
		}
	}
}

// A spy is a source that knows what is watched, and fails on demand.
type spy struct {
	fswatch.Source // nil: none, only what a test sends

	events chan fswatch.Event
	errors chan error
	ended  chan struct{} // closed by Close

	mu      sync.Mutex // guards what follows
	refuse  func(dir string) error
	watched map[string]bool
	adds    map[string]int // how often each was added
	closes  bool           // Close closes the channels, as the system's source does
}

func (s *spy) Add(dir string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.refuse != nil {
		if err := s.refuse(dir); err != nil {
			return err
		}
	}
	s.adds[dir]++
	if s.Source != nil {
		if err := s.Source.Add(dir); err != nil {
			return err
		}
	}
	s.watched[dir] = true
	return nil
}

func (s *spy) Remove(dir string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.watched[dir] {
		return errors.New("never watched")
	}
	delete(s.watched, dir)
	if s.Source != nil {
		return s.Source.Remove(dir)
	}
	return nil
}

func (s *spy) Close() error {
	close(s.ended)
	if s.closes {
		close(s.events)
		close(s.errors)
	}
	if s.Source != nil {
		return s.Source.Close()
	}
	return nil
}

func (s *spy) Events() <-chan fswatch.Event {
	if s.Source != nil {
		return s.Source.Events()
	}
	return s.events
}

func (s *spy) Errors() <-chan error {
	if s.Source != nil {
		return s.Source.Errors()
	}
	return s.errors
}

// fail makes Add return what refuse does.
func (s *spy) fail(refuse func(dir string) error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.refuse = refuse
}

// list returns what is watched at or below dir, relative to it.
func (s *spy) list(dir string) []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	var out []string
	for w := range s.watched {
		if rel, err := filepath.Rel(dir, w); err == nil && filepath.IsLocal(rel) {
			out = append(out, filepath.ToSlash(rel))
		}
	}
	slices.Sort(out)
	return out
}

// added returns how often directories were added.
func (s *spy) added() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	n := 0
	for _, times := range s.adds {
		n += times
	}
	return n
}

// times returns how often dir was added.
func (s *spy) times(dir string) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.adds[dir]
}

func fake() *spy {
	return &spy{
		events: make(chan fswatch.Event), errors: make(chan error), ended: make(chan struct{}),
		watched: make(map[string]bool), adds: make(map[string]int),
	}
}

// closed reports whether nobody listens any more.
func (s *spy) closed() bool {
	select {
	case <-s.ended:
		return true
	default:
		return false
	}
}

// A bench is a watcher on a real tree with two owners, and a third by which a
// test sees how far the events have come.
type bench struct {
	*recorder
	*fswatch.Watcher
	t    *testing.T
	root string
	spy  *spy
	lost []error // what Degraded was told
}

const marker = "marker"

// watch starts a watcher on the events of the system, and returns when all
// owners of targets have been hinted at.
func watch(t *testing.T, files map[string]string, targets func(root string) []fswatch.Target) *bench {
	t.Helper()
	b := &bench{recorder: newRecorder(), t: t, root: testkit.Tree(t, files), spy: fake()}
	testkit.Write(t, b.root, map[string]string{"marker/m/SKILL.md": "0"})
	b.Watcher = fswatch.New(fswatch.Options{
		Hint:     b.hint,
		Degraded: func(err error) { b.lost = append(b.lost, err) },
		Open: func() (fswatch.Source, error) {
			system, err := fswatch.OpenSystem()
			b.spy.Source = system
			return b.spy, err
		},
	})
	t.Cleanup(b.Close)
	list := append(targets(b.root), fswatch.Skills(marker, filepath.Join(b.root, "marker"), fswatch.Walk{Depth: 1}))
	b.Set(list)
	b.until(t, "every owner is hinted at when it is watched", func() bool {
		return !slices.ContainsFunc(list, func(t fswatch.Target) bool { return b.of(t.ID) == 0 })
	})
	return b
}

// sync returns when all events so far have been dealt with.
func (b *bench) sync() {
	b.t.Helper()
	before := b.of(marker)
	b.write("marker/m/SKILL.md", time.Now().String())
	b.until(b.t, "the marker is hinted at", func() bool { return b.of(marker) > before })
}

// sees makes a change and waits for a hint at each of the owners.
func (b *bench) sees(reason string, change func(), owners ...string) {
	b.t.Helper()
	b.sync()
	before := b.all()
	change()
	for _, id := range owners {
		b.until(b.t, reason+": "+id, func() bool { return b.of(id) > before[id]+before[fswatch.Everything] })
	}
}

// ignores makes a change and expects no hint.
func (b *bench) ignores(reason string, change func(), owners ...string) {
	b.t.Helper()
	b.sync()
	before := b.all()
	change()
	b.sync()
	for _, id := range owners {
		require.Equal(b.t, before[id]+before[fswatch.Everything], b.of(id), "%s: %s", reason, id)
	}
}

func (b *bench) path(rel string) string { return filepath.Join(b.root, filepath.FromSlash(rel)) }

func (b *bench) write(rel, text string) {
	b.t.Helper()
	require.NoError(b.t, os.WriteFile(b.path(rel), []byte(text), 0o644))
}

// save writes as editors do: to another name, which then takes the place.
func (b *bench) save(rel, text string) {
	b.t.Helper()
	b.write(rel+".tmp", text)
	b.rename(rel+".tmp", rel)
}

func (b *bench) rename(from, to string) {
	b.t.Helper()
	require.NoError(b.t, os.Rename(b.path(from), b.path(to)))
}

func (b *bench) remove(rel string) {
	b.t.Helper()
	require.NoError(b.t, os.RemoveAll(b.path(rel)))
}

func (b *bench) mkdir(rel string) {
	b.t.Helper()
	require.NoError(b.t, os.MkdirAll(b.path(rel), 0o755))
}

// link makes rel a link, in place of the one that may be there.
func (b *bench) link(target, rel string) {
	b.t.Helper()
	require.NoError(b.t, os.Symlink(target, b.path(rel+".new")))
	b.rename(rel+".new", rel)
}
