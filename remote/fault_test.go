package remote

import (
	"bytes"
	"fmt"
	"io"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/seed-12b313d8/skills/internal/atomicfile"
)

// A saboteur makes the n-th operation on disk fail, and with lasting all that
// follow.
type saboteur struct {
	mu      sync.Mutex // guards what follows
	n       int
	lasting bool
	fault   error // nil for none
	ops     []string
}

func (b *saboteur) hook(op, _ string) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.ops = append(b.ops, op)
	at := len(b.ops) - 1
	if b.fault == nil || at < b.n || at > b.n && !b.lasting {
		return nil
	}
	if b.fault == io.ErrShortWrite && op != atomicfile.OpWrite {
		return syscall.EIO
	}
	return b.fault
}

// A scene is what a host does with a cache, from a state of it.
type scene struct {
	name    string
	prepare func(d *disk) error
	run     func(d *disk) error
}

func scenes() []scene {
	key := keyOf("", "u")
	put := func(n int) func(d *disk) error {
		return func(d *disk) error {
			body := version(n)
			return d.save(key, &record{ETag: fmt.Sprint(n), Time: time.Now(), Digest: digestOf(body)}, body)
		}
	}
	both := func(d *disk) error {
		d.load(key)
		return put(2)(d)
	}
	full := func(d *disk) error {
		d.limit, d.written = 10, -1
		return put(2)(d)
	}
	forget := func(d *disk) error { return d.forget(key) }
	return []scene{
		{"first", func(*disk) error { return nil }, put(2)},
		{"replace", put(1), both},
		{"evict", put(1), full},
		{"forget", put(1), forget},
	}
}

// 07 B5: every operation of the cache on disk × each error × once or for good.
// The cache is then in the old state, the new one, or empty, never in another;
// its error is given; the next clean run is right.
func TestFaults(t *testing.T) {
	injected := 0
	for _, sc := range scenes() {
		trace := &saboteur{}
		d := newTestDisk(t, t.TempDir(), nil)
		require.NoError(t, sc.prepare(d))
		d.hook = trace.hook
		require.NoError(t, sc.run(d))
		for n, op := range trace.ops {
			faults := []error{syscall.ENOENT, syscall.EACCES, syscall.EIO, syscall.ENOSPC, syscall.EMFILE}
			if op == atomicfile.OpWrite {
				faults = append(faults, io.ErrShortWrite)
			}
			for _, fault := range faults {
				for _, lasting := range []bool{false, true} {
					injected++
					oneFault(t, sc, &saboteur{n: n, fault: fault, lasting: lasting}, fmt.Sprintf("%s: %d %s %v %v", sc.name, n, op, fault, lasting))
				}
			}
		}
	}
	t.Logf("%d faults injected", injected)
	assert.GreaterOrEqual(t, injected, 300)
}

func oneFault(t *testing.T, sc scene, b *saboteur, name string) {
	t.Helper()
	dir := t.TempDir()
	d := newTestDisk(t, dir, nil)
	require.NoError(t, sc.prepare(d))
	limit := d.limit
	d.hook = b.hook
	err := sc.run(d)
	d.hook, d.limit = nil, limit
	if rec, body, ok := d.load(keyOf("", "u")); ok {
		assert.Equal(t, string(version(int(rec.ETag[0]-'0'))), string(body), name)
	} else if sc.name == "replace" {
		t.Errorf("%s: what was there is lost", name)
	}
	if gone := b.fault == syscall.ENOENT && b.ops[b.n] == atomicfile.OpRemove; b.lasting && !gone {
		assert.Error(t, err, name)
	}
	require.NoError(t, sc.run(d), name)
	if sc.name != "forget" {
		rec, body, ok := d.load(keyOf("", "u"))
		require.True(t, ok, name)
		assert.Equal(t, "2", rec.ETag, name)
		assert.True(t, bytes.Equal(version(2), body), name)
	}
}

// Through the whole catalogue a failing disk changes no answer.
func TestFaultsOfACatalogue(t *testing.T) {
	s := newSite(t)
	s.index(s.skill("a", "text"))
	trace := &saboteur{}
	run := func(dir string, hook func(string, string) error) *Catalog {
		c := s.catalog(t, Options{CacheDir: dir}, func(s *seams) { s.hook = hook })
		return c
	}
	c := run(t.TempDir(), trace.hook)
	made := len(trace.ops)
	require.Equal(t, "text", get(t, c, "a"))
	for n := range len(trace.ops) - made {
		for _, fault := range []error{syscall.EIO, syscall.ENOSPC} {
			for _, lasting := range []bool{false, true} {
				dir, b := t.TempDir(), &saboteur{n: made + n, fault: fault, lasting: lasting}
				c := run(dir, b.hook)
				assert.Equal(t, "text", get(t, c, "a"), "operation %d: %v", n, fault)
				assert.Equal(t, []string{"a"}, slugs(t, c, ""))
				assert.Equal(t, "text", get(t, run(dir, nil), "a"))
			}
		}
	}
}
