// Package folders remembers what the folders of a project hold: read once for
// all who ask, hits and misses alike (03 §3). What a folder holds, and what
// says whether it is looked into, is the caller's.
package folders

import (
	"context"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
)

const (
	// MaxFull bounds how many folders that hold something are remembered.
	MaxFull = 4096

	// MaxEmpty bounds how many are remembered that hold nothing. Beyond it all
	// of these are forgotten; whoever asks for one reads it again.
	MaxEmpty = 1024
)

// Options says how folders are read. C is what one holds, which never changes;
// R is what Ask answers. All functions may be called concurrently.
type Options[C, R any] struct {
	// Ask rules on folders before they are read. It is called with no lock
	// held, for several at once. What it says after ctx ended does not count.
	Ask func(ctx context.Context, rels []string) map[string]R
	// Read returns what a folder holds. was is what it held before, or nil.
	// Calls for one folder do not overlap.
	Read func(ctx context.Context, rel string, was *C, ruling R) *C
	// Empty reports whether that is nothing.
	Empty func(*C) bool
	// Same reports whether a folder that was read again has not changed.
	Same func(was, now *C) bool
}

// A Cache holds folders by slash path relative to the project root. It is safe
// for concurrent use.
type Cache[C, R any] struct {
	opts  Options[C, R]
	epoch atomic.Uint64 // counts calls of Expire

	mu      sync.Mutex // guards folders
	folders map[string]*Folder[C]
}

// A Folder is one that was read.
type Folder[C any] struct {
	rel     string
	gate    chan struct{}     // one slot: serialises reading
	content atomic.Pointer[C] // nil until read
}

// enter waits until nobody reads the folder, or reports false once ctx has
// ended.
func (f *Folder[C]) enter(ctx context.Context) bool {
	select {
	case f.gate <- struct{}{}:
		return true
	case <-ctx.Done():
		return false
	}
}

func (f *Folder[C]) leave() { <-f.gate }

// Rel returns the path of the folder.
func (f *Folder[C]) Rel() string { return f.rel }

// Content returns what the folder holds.
func (f *Folder[C]) Content() *C { return f.content.Load() }

// New returns an empty cache.
func New[C, R any](o Options[C, R]) *Cache[C, R] {
	return &Cache[C, R]{opts: o, folders: make(map[string]*Folder[C])}
}

// Found is what Get returns of one folder.
type Found[C any] struct {
	Content *C   // nil if ctx ended before it was known, or TooMany
	Fresh   bool // it was read for this call
	TooMany bool // there are too many folders to remember another
}

// Get returns what the folders hold. Callers that ask at the same time wait
// for one reading, each until its own ctx ends; a reading that has begun goes
// on to its end, since others may wait for it.
func (c *Cache[C, R]) Get(ctx context.Context, rels []string) []Found[C] {
	out := make([]Found[C], len(rels))
	todo := make(map[int]*Folder[C])
	for i, rel := range rels {
		f := c.folder(rel)
		if f == nil {
			out[i].TooMany = true
		} else if out[i].Content = f.Content(); out[i].Content == nil {
			todo[i] = f
		}
	}
	for tries := 0; len(todo) > 0 && ctx.Err() == nil; tries++ {
		c.read(ctx, todo, out, tries < 3)
	}
	return out
}

// read reads the folders in todo and takes out those that are done; with strict
// none is if rulings have expired meanwhile.
func (c *Cache[C, R]) read(ctx context.Context, todo map[int]*Folder[C], out []Found[C], strict bool) {
	epoch := c.epoch.Load()
	var rels []string
	for _, f := range todo {
		rels = append(rels, f.rel)
	}
	slices.Sort(rels)
	rulings := c.opts.Ask(ctx, slices.Compact(rels))
	current := func() bool { return !strict || c.epoch.Load() == epoch }
	for i, f := range todo {
		if ctx.Err() != nil {
			return
		}
		if content, fresh := c.first(ctx, f, rulings[f.rel], current); content != nil {
			out[i] = Found[C]{Content: content, Fresh: fresh}
			delete(todo, i)
		}
	}
}

// first returns the content, and reads it if nobody has; nil if the ruling is
// not current any more, or ctx ended before another reader was done.
func (c *Cache[C, R]) first(ctx context.Context, f *Folder[C], ruling R, current func() bool) (content *C, fresh bool) {
	if !f.enter(ctx) {
		return nil, false
	}
	defer f.leave()
	if content := f.Content(); content != nil {
		return content, false
	}
	content = c.opts.Read(context.WithoutCancel(ctx), f.rel, nil, ruling)
	if !current() {
		return nil, false
	}
	f.content.Store(content)
	return content, true
}

// folder returns the folder at rel, which may not be read, or nil if there are
// too many.
func (c *Cache[C, R]) folder(rel string) *Folder[C] {
	c.mu.Lock()
	defer c.mu.Unlock()
	f := c.folders[rel]
	if f != nil {
		return f
	}
	if len(c.folders) >= MaxEmpty && !c.makeRoom() {
		return nil
	}
	f = &Folder[C]{rel: rel, gate: make(chan struct{}, 1)}
	c.folders[rel] = f
	return f
}

// makeRoom forgets the empty folders if there are too many, and reports whether
// there is room for another one; mu is held.
func (c *Cache[C, R]) makeRoom() bool {
	full := 0
	for _, f := range c.folders {
		if content := f.Content(); content != nil && !c.opts.Empty(content) {
			full++
		}
	}
	if full >= MaxFull {
		return false
	}
	if len(c.folders)-full < MaxEmpty {
		return true
	}
	for rel, f := range c.folders {
		if content := f.Content(); content != nil && c.opts.Empty(content) {
			delete(c.folders, rel)
		}
	}
	return true
}

// Below returns the folders that were read at or below dirs, sorted by path;
// "." stands for all.
func (c *Cache[C, R]) Below(dirs ...string) []*Folder[C] {
	at := make(map[string]bool, len(dirs))
	for _, d := range dirs {
		at[d] = true
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	var out []*Folder[C]
	for rel, f := range c.folders {
		if f.Content() != nil && (at["."] || within(rel, at)) {
			out = append(out, f)
		}
	}
	slices.SortFunc(out, func(a, b *Folder[C]) int { return strings.Compare(a.rel, b.rel) })
	return out
}

// within reports whether rel or a folder above it is in dirs.
func within(rel string, dirs map[string]bool) bool {
	for !dirs[rel] {
		i := strings.LastIndexByte(rel, '/')
		if i < 0 {
			return false
		}
		rel = rel[:i]
	}
	return true
}

// Expire says that rulings may change: what is being read meanwhile is ruled
// on again.
// It returns the new epoch.
func (c *Cache[C, R]) Expire() uint64 { return c.epoch.Add(1) }

// Epoch returns how often rulings have expired.
func (c *Cache[C, R]) Epoch() uint64 { return c.epoch.Load() }

// Ask rules on folders that are to be refreshed.
func (c *Cache[C, R]) Ask(ctx context.Context, folders []*Folder[C]) map[string]R {
	if len(folders) == 0 {
		return nil
	}
	rels := make([]string, len(folders))
	for i, f := range folders {
		rels[i] = f.rel
	}
	return c.opts.Ask(ctx, rels)
}

// An Update is a folder that has changed. Others see it once it is applied.
type Update[C any] struct {
	*Folder[C]
	Was, Now *C
}

// Apply makes the update visible.
func (u Update[C]) Apply() { u.content.Store(u.Now) }

// Refresh reads the folders again and returns those that changed. Once ctx has
// ended the result is incomplete, and what is not applied will be found again.
func (c *Cache[C, R]) Refresh(ctx context.Context, folders []*Folder[C], rulings map[string]R) []Update[C] {
	var out []Update[C]
	for _, f := range folders {
		if ctx.Err() != nil || !f.enter(ctx) {
			break
		}
		was, now := c.again(ctx, f, rulings[f.rel])
		if !c.opts.Same(was, now) {
			out = append(out, Update[C]{f, was, now})
		}
	}
	return out
}

// again reads a folder that the caller has entered, and leaves it.
func (c *Cache[C, R]) again(ctx context.Context, f *Folder[C], ruling R) (was, now *C) {
	defer f.leave()
	was = f.Content()
	return was, c.opts.Read(ctx, f.rel, was, ruling)
}
