package fswatch_test

import (
	"os"
	"path/filepath"
	"runtime"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/seed-12b313d8/skills/internal/fswatch"
	"github.com/seed-12b313d8/skills/internal/testkit"
)

// After a thousand watchers, closed at whatever moment, nothing is left of them
// (07 B9).
func TestNothingLeft(t *testing.T) {
	rounds := 1000
	if testing.Short() {
		rounds = 50
	}
	root := testkit.Tree(t, skillTree)
	before := handles(t)
	for i := range rounds {
		hinted := make(chan string, 100)
		w := fswatch.New(fswatch.Options{Polling: i%5 == 4, Hint: func(id string) {
			select {
			case hinted <- id:
			default:
			}
		}})
		if i%3 > 0 {
			w.Set(usual(root))
		}
		if i%3 == 2 {
			<-hinted
			require.NoError(t, os.WriteFile(filepath.Join(root, "proj/.claude/skills/a/SKILL.md"), nil, 0o644))
		}
		w.Close()
	}
	goleak.VerifyNone(t)
	assert.Equal(t, before, handles(t), "open handles")
}

// handles counts the open file descriptors of the process.
func handles(t *testing.T) int {
	t.Helper()
	if runtime.GOOS != "linux" {
		return 0
	}
	list, err := os.ReadDir("/proc/self/fd")
	require.NoError(t, err)
	return len(list)
}

// Callbacks may use the watcher, and come one at a time.
func TestCallbacksReenter(t *testing.T) {
	root := testkit.Tree(t, skillTree)
	r := newRecorder()
	running := make(chan struct{}, 1)
	alone := func(f func()) {
		select {
		case running <- struct{}{}:
		default:
			t.Error("two callbacks at a time")
			return
		}
		f()
		<-running
	}
	started := make(chan struct{})
	var w *fswatch.Watcher
	w = fswatch.New(fswatch.Options{
		Hint: func(id string) {
			<-started
			alone(func() {
				w.Set(usual(root))
				_ = w.Fingerprint(t.Context(), id)
				_ = w.Degraded()
				r.hint(id)
			})
		},
		Degraded: func(error) { <-started; alone(func() { w.Set(usual(root)) }) },
		Open: func() (fswatch.Source, error) {
			s := fake()
			s.errors = make(chan error, 1)
			s.errors <- fswatch.ErrOverflow
			return s, nil
		},
		Poll: time.Millisecond, Retry: 20 * time.Millisecond,
	})
	close(started)
	w.Set(usual(root))
	r.until(t, "everything is hinted at, when events fail and when they are back", func() bool { return r.all()[fswatch.Everything] > 6 })
	w.Close()
}
