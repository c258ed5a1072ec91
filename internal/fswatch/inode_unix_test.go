//go:build unix

package fswatch_test

import (
	"maps"
	"os"
	"slices"
	"syscall"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/assert"

	"github.com/seed-12b313d8/skills/internal/fswatch"
)

// A kernel knows directories by inode, and by the name under which each was
// added first, as fsnotify on inotify does.
type kernel struct {
	*spy
	names map[uint64]string
}

func (k *kernel) Add(dir string) error {
	info, err := os.Stat(dir)
	if err != nil {
		return err
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	if ino := info.Sys().(*syscall.Stat_t).Ino; k.names[ino] == "" {
		k.names[ino] = dir
	}
	return nil
}

func (k *kernel) Remove(dir string) error {
	k.mu.Lock()
	defer k.mu.Unlock()
	maps.DeleteFunc(k.names, func(_ uint64, name string) bool { return name == dir })
	return nil
}

// A directory that is watched under its old name when it is found under the
// new one is not lost when the old name goes.
func TestInodeRenamed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := newLab(t, fswatch.Options{}, skillTree)
		k := &kernel{spy: fake(), names: make(map[uint64]string)}
		l.spy = k.spy
		l.opts.Open = func() (fswatch.Source, error) { return k, nil }
		targets := usual(l.root)
		l.Watcher = fswatch.New(l.opts)
		defer l.Close()
		l.Set(targets[:1])
		l.pass(0)
		l.rename("proj/.claude/skills/a", "home/.claude/skills/a")
		l.Set(targets) // the new owner is traced before the events arrive
		l.pass(0)
		l.send("proj/.claude/skills/a", fswatch.Rename)
		l.pass(0)
		k.mu.Lock()
		defer k.mu.Unlock()
		names := slices.Collect(maps.Values(k.names))
		assert.Contains(t, names, l.path("home/.claude/skills/a"))
		assert.NotContains(t, names, l.path("proj/.claude/skills/a"))
	})
}
