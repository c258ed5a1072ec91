package fswatch_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/seed-12b313d8/skills/internal/fswatch"
	"github.com/seed-12b313d8/skills/internal/testkit"
)

// A reader notes, at each hint, the fingerprint of the owner: what somebody who
// reads it then would see.
type reader struct {
	*recorder
	fingerprint func(ctx context.Context, id string) uint64

	mu   sync.Mutex // guards seen
	seen map[string]uint64
}

func (r *reader) hint(id string) {
	ids := []string{id}
	if id == fswatch.Everything {
		ids = soakOwners
	}
	for _, id := range ids {
		print := r.fingerprint(context.Background(), id)
		r.mu.Lock()
		r.seen[id] = print
		r.mu.Unlock()
	}
	r.recorder.hint(id)
}

// upToDate reports whether nothing of id was changed since it was last read.
func (r *reader) upToDate(id string) bool {
	print := r.fingerprint(context.Background(), id)
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.seen[id] == print
}

var soakOwners = []string{"s", "u", "c"}

// After 2,000 random changes on a real file system every owner was hinted at
// after its last change, and what is watched then is what a new watcher would
// watch; so every later change is seen as well (07 B7).
func TestSoak(t *testing.T) {
	seeds, changes := 3, 2000
	if testing.Short() {
		seeds, changes = 1, 300
	}
	for seed := range seeds {
		t.Run(fmt.Sprint("seed ", seed), func(t *testing.T) { soak(t, uint64(seed), changes) })
	}
}

func soak(t *testing.T, seed uint64, changes int) {
	root := testkit.Tree(t, map[string]string{"proj/.claude/skills/a/SKILL.md": "1", "home/.claude/skills/b/SKILL.md": "1", "proj/.claude/commands/x.md": "1"})
	watcher, seen, system := soakWatcher(t, root)
	m := mischief{t: t, rng: rand.New(rand.NewPCG(seed, 42)), root: root}
	for i := range changes {
		m.change(i)
		if m.rng.IntN(200) == 0 { // let the watcher catch up now and then
			soakSettles(t, seen)
		}
	}
	soakSettles(t, seen)

	fresh, freshSeen, freshSystem := soakWatcher(t, root)
	soakSettles(t, freshSeen)
	fresh.Close()
	assert.Equal(t, freshSystem.list(root), system.list(root), "what is watched after all that")
	for _, path := range m.matches() {
		f, err := os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0)
		require.NoError(t, err)
		_, err = f.WriteString("more")
		require.NoError(t, err)
		require.NoError(t, f.Close())
		soakSettles(t, seen)
	}
	assert.NoError(t, watcher.Degraded(), "events served throughout")
	watcher.Close()
}

func soakWatcher(t *testing.T, root string) (*fswatch.Watcher, *reader, *spy) {
	t.Helper()
	system, err := fswatch.OpenSystem()
	require.NoError(t, err)
	source := fake()
	source.Source = system
	r := &reader{recorder: newRecorder(), seen: make(map[string]uint64)}
	started := make(chan struct{})
	w := fswatch.New(fswatch.Options{
		Hint: func(id string) { <-started; r.hint(id) },
		Open: func() (fswatch.Source, error) { return source, nil },
	})
	t.Cleanup(w.Close)
	r.fingerprint = w.Fingerprint
	close(started)
	w.Set(usual(root))
	r.until(t, "every owner is hinted at when it is watched", func() bool {
		return !slices.ContainsFunc(soakOwners, func(id string) bool { return r.of(id) == 0 })
	})
	return w, r, source
}

func soakSettles(t *testing.T, r *reader) {
	t.Helper()
	for _, id := range soakOwners {
		r.until(t, id+" is hinted at after its last change", func() bool { return r.upToDate(id) })
	}
}

// mischief changes a tree at random.
type mischief struct {
	t    *testing.T
	rng  *rand.Rand
	root string
}

func (m *mischief) pick(list ...string) string { return list[m.rng.IntN(len(list))] }

// place returns a path in or near a root: an ancestor, a folder, or a file.
func (m *mischief) place() string {
	dirs := []string{
		"proj", "proj/.claude", "proj/.claude/skills", "proj/.claude/commands", "home/.claude", "home/.claude/skills", "aside", "aside/pool",
	}
	p := dirs[m.rng.IntN(len(dirs))]
	for m.rng.IntN(3) > 0 && strings.Count(p, "/") < 5 {
		p += "/" + m.pick("a", "b", "c", "group")
	}
	if m.rng.IntN(2) == 0 {
		p += "/" + m.pick("SKILL.md", "x.md", "other.txt", "skill.md")
	}
	return filepath.Join(m.root, filepath.FromSlash(p))
}

// change does one thing. Most of what it cannot do is part of the mischief.
func (m *mischief) change(i int) {
	a, b := m.place(), m.place()
	switch m.rng.IntN(12) {
	case 0, 1, 2:
		m.write(a, fmt.Sprint(i))
	case 3, 4:
		_ = os.WriteFile(a+".tmp", []byte(fmt.Sprint(i)), 0o644)
		_ = os.Rename(a+".tmp", a)
	case 5:
		_ = os.MkdirAll(a, 0o755)
	case 6:
		_ = os.RemoveAll(a)
	case 7, 8:
		_ = os.Rename(a, b)
	case 9: // a moved directory that goes at once
		_ = os.Rename(a, filepath.Join(m.root, "grave"))
		_ = os.RemoveAll(filepath.Join(m.root, "grave"))
	case 10:
		_ = os.Symlink(b, a)
	case 11: // swap
		t := filepath.Join(m.root, "swap")
		_ = os.Rename(a, t)
		_ = os.Rename(b, a)
		_ = os.Rename(t, b)
	}
}

func (m *mischief) write(path, text string) {
	_ = os.MkdirAll(filepath.Dir(path), 0o755)
	_ = os.WriteFile(path, []byte(text), 0o644)
}

// matches returns the files that matter to somebody in the end.
func (m *mischief) matches() []string {
	var out []string
	for _, target := range usual(m.root) {
		for _, d := range target.List(context.Background()) {
			for _, f := range d.Files {
				out = append(out, filepath.Join(d.Path, f.Name))
			}
		}
	}
	return out
}
