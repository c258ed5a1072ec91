package folders_test

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/seed-12b313d8/skills/internal/folders"
)

// A disk is what a test's folders hold.
type disk struct {
	mu      sync.Mutex
	holds   map[string]string
	reads   map[string]int
	asked   [][]string
	ruling  atomic.Int64
	asking  func() // called in each Ask
	reading func() // called in each Read
}

func (d *disk) options() folders.Options[string, int64] {
	return folders.Options[string, int64]{
		Ask: func(_ context.Context, rels []string) map[string]int64 {
			d.mu.Lock()
			d.asked = append(d.asked, rels)
			d.mu.Unlock()
			out := make(map[string]int64)
			for _, rel := range rels {
				out[rel] = d.ruling.Load()
			}
			if d.asking != nil {
				d.asking()
			}
			return out
		},
		Read: func(_ context.Context, rel string, was *string, ruling int64) *string {
			if d.reading != nil {
				d.reading()
			}
			d.mu.Lock()
			defer d.mu.Unlock()
			d.reads[rel]++
			s := d.holds[rel]
			if ruling != 0 {
				s = fmt.Sprint(s, " under ", ruling)
			}
			return &s
		},
		Empty: func(s *string) bool { return *s == "" },
		Same:  func(a, b *string) bool { return *a == *b },
	}
}

func newDisk(holds ...string) *disk {
	d := &disk{holds: make(map[string]string), reads: make(map[string]int)}
	for _, rel := range holds {
		d.holds[rel] = "content of " + rel
	}
	return d
}

func contents(found []folders.Found[string]) []string {
	var out []string
	for _, f := range found {
		if f.Content == nil {
			out = append(out, "nil")
			continue
		}
		out = append(out, *f.Content)
	}
	return out
}

// Each folder is read once, misses too, and asked about together (03 §3).
func TestGet(t *testing.T) {
	d := newDisk("a", "b")
	c := folders.New(d.options())
	ctx := context.Background()
	found := c.Get(ctx, []string{"b", "none", "a", "b"})
	assert.Equal(t, []string{"content of b", "", "content of a", "content of b"}, contents(found))
	assert.True(t, found[1].Fresh)
	assert.Equal(t, [][]string{{"a", "b", "none"}}, d.asked)
	found = c.Get(ctx, []string{"a", "none"})
	assert.False(t, found[0].Fresh)
	assert.Equal(t, map[string]int{"a": 1, "b": 1, "none": 1}, d.reads)
	assert.Len(t, d.asked, 1)
}

// What a cancelled call did not read is read by the next.
func TestCancelled(t *testing.T) {
	d := newDisk("a")
	c := folders.New(d.options())
	ctx, cancel := context.WithCancel(context.Background())
	d.asking = cancel
	assert.Equal(t, []string{"nil"}, contents(c.Get(ctx, []string{"a"})))
	assert.Empty(t, c.Below("."))
	d.asking = nil
	assert.Equal(t, []string{"content of a"}, contents(c.Get(context.Background(), []string{"a"})))
}

// An answer from before Expire does not count, though Expire never keeps a
// reader for good.
func TestExpire(t *testing.T) {
	d := newDisk("a")
	c := folders.New(d.options())
	times := 1
	d.asking = func() {
		if times--; times >= 0 {
			d.ruling.Add(1)
			c.Expire()
		}
	}
	assert.Equal(t, []string{"content of a under 1"}, contents(c.Get(context.Background(), []string{"a"})))
	times = 1 << 30
	assert.Len(t, contents(c.Get(context.Background(), []string{"b"})), 1)
}

func TestBelow(t *testing.T) {
	c := folders.New(newDisk().options())
	c.Get(context.Background(), []string{"a", "a/b", "ab", "c"})
	rels := func(list []*folders.Folder[string]) (out []string) {
		for _, f := range list {
			out = append(out, f.Rel())
		}
		return out
	}
	assert.Equal(t, []string{"a", "a/b"}, rels(c.Below("a")))
	assert.Equal(t, []string{"a/b", "c"}, rels(c.Below("c", "a/b", "x")))
	assert.Equal(t, []string{"a", "a/b", "ab", "c"}, rels(c.Below(".")))
	assert.Equal(t, []string{"a", "a/b", "ab", "c"}, rels(c.Below("x", ".")))
	assert.Equal(t, []string{"a", "a/b"}, rels(c.Below("a", "a/b", "a")), "each once")
	assert.Empty(t, c.Below("a/b/c", "b"))
	assert.Empty(t, c.Below())
}

// Updates are visible once they are applied, and found again if they are not.
func TestRefresh(t *testing.T) {
	d := newDisk("a", "b")
	c := folders.New(d.options())
	ctx := context.Background()
	c.Get(ctx, []string{"a", "b"})
	refresh := func() []folders.Update[string] {
		list := c.Below(".")
		return c.Refresh(ctx, list, c.Ask(ctx, list))
	}
	assert.Empty(t, refresh())
	d.holds["a"] = "new"
	for range 2 {
		updates := refresh()
		require.Len(t, updates, 1)
		assert.Equal(t, "content of a", *updates[0].Was)
		assert.Equal(t, "new", *updates[0].Now)
		assert.Equal(t, []string{"content of a"}, contents(c.Get(ctx, []string{"a"})))
	}
	for _, u := range refresh() {
		u.Apply()
	}
	assert.Equal(t, []string{"new"}, contents(c.Get(ctx, []string{"a"})))
	assert.Empty(t, refresh())
	assert.Nil(t, c.Ask(ctx, nil))
}

// Neither made-up nor real folders fill the memory; full ones are never
// forgotten.
func TestBounds(t *testing.T) {
	d := newDisk()
	for i := range folders.MaxFull + 10 {
		d.holds[fmt.Sprint("full", i)] = "x"
	}
	c := folders.New(d.options())
	ctx := context.Background()
	for i := range 3 * folders.MaxEmpty {
		c.Get(ctx, []string{fmt.Sprint("full", i%10), fmt.Sprint("empty", i)})
	}
	assert.LessOrEqual(t, len(c.Below(".")), folders.MaxEmpty+10)
	assert.Equal(t, 1, d.reads["full0"])
	full := 0
	for i := range folders.MaxFull + 10 {
		if !c.Get(ctx, []string{fmt.Sprint("full", i)})[0].TooMany {
			full++
		}
	}
	assert.Equal(t, folders.MaxFull, full)
	assert.True(t, c.Get(ctx, []string{"new"})[0].TooMany)
	assert.False(t, c.Get(ctx, []string{"full0"})[0].TooMany)
}

// Many ask at the same time, and one reads.
func TestHammer(t *testing.T) {
	d := newDisk("a", "b")
	c := folders.New(d.options())
	var wg sync.WaitGroup
	for range 50 {
		wg.Go(func() {
			assert.Equal(t, []string{"content of b", "content of a"}, contents(c.Get(context.Background(), []string{"b", "a"})))
			list := c.Below(".")
			slices.Reverse(list)
			assert.Empty(t, c.Refresh(context.Background(), nil, nil))
		})
	}
	wg.Wait()
	assert.Equal(t, map[string]int{"a": 1, "b": 1}, d.reads)
}

// Who waits for another's reading waits no longer than ctx lasts; the reading
// goes on (03 §3).
func TestWaitEnds(t *testing.T) {
	tests := []struct {
		reason string
		ask    func(ctx context.Context, c *folders.Cache[string, int64])
	}{
		{"to read", func(ctx context.Context, c *folders.Cache[string, int64]) {
			assert.Equal(t, []string{"nil"}, contents(c.Get(ctx, []string{"a"})))
		}},
		{"to refresh", func(ctx context.Context, c *folders.Cache[string, int64]) {
			assert.Empty(t, c.Refresh(ctx, c.Below("known"), nil))
		}},
	}
	for _, tt := range tests {
		t.Run(tt.reason, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) { testWaitEnds(t, tt.ask) })
		})
	}
}

func testWaitEnds(t *testing.T, ask func(ctx context.Context, c *folders.Cache[string, int64])) {
	d := newDisk("a", "known")
	c := folders.New(d.options())
	c.Get(context.Background(), []string{"known"})
	hold := make(chan struct{})
	d.reading = func() { <-hold }
	var readers sync.WaitGroup
	readers.Go(func() {
		assert.Equal(t, []string{"content of a"}, contents(c.Get(context.Background(), []string{"a"})))
	})
	readers.Go(func() { c.Refresh(context.Background(), c.Below("known"), nil) })
	synctest.Wait() // both read
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		ask(ctx, c)
	}()
	synctest.Wait() // it waits
	cancel()
	<-ended
	close(hold)
	readers.Wait()
	assert.Equal(t, 1, d.reads["a"])
}

func BenchmarkBelow(b *testing.B) {
	d := newDisk()
	var rels []string
	for i := range folders.MaxFull {
		rels = append(rels, fmt.Sprintf("apps/part%d/web", i))
		d.holds[rels[i]] = "x"
	}
	c := folders.New(d.options())
	c.Get(context.Background(), rels)
	for b.Loop() {
		c.Below(rels...)
	}
}
