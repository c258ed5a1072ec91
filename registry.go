package skills

import (
	"context"
	"fmt"
	"hash/maphash"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"unicode"

	"github.com/seed-12b313d8/skills/internal/bm25"
	"github.com/seed-12b313d8/skills/internal/changes"
	"github.com/seed-12b313d8/skills/internal/extract"
	"github.com/seed-12b313d8/skills/internal/folders"
	"github.com/seed-12b313d8/skills/internal/fswatch"
	"github.com/seed-12b313d8/skills/internal/gate"
	"github.com/seed-12b313d8/skills/internal/guard"
	"github.com/seed-12b313d8/skills/internal/nesting"
	"github.com/seed-12b313d8/skills/internal/notify"
	"github.com/seed-12b313d8/skills/internal/paths"
	"github.com/seed-12b313d8/skills/internal/pool"
	"github.com/seed-12b313d8/skills/internal/sent"
	"github.com/seed-12b313d8/skills/internal/unlock"
	"github.com/seed-12b313d8/skills/internal/watch"
)

// A Registry holds the current [Snapshot] of one workspace's skills and is
// shared by all of its conversations. It is safe for concurrent use, keeps no
// reference to its sessions, and runs goroutines only while it watches, tells
// subscribers, or extracts files.
type Registry struct {
	opts  Options   // fixed at creation
	loc   Locations // resolved
	order ranks
	log   guard.Log

	cur atomic.Pointer[Snapshot]

	gate    gate.Gate // serialises loads and publishes; guards what follows
	sources []*sourceState
	polling []Issue // why watching polls

	seed     maphash.Seed // of the overlays' keys; what follows is shared by sessions
	unlocks  *unlock.Pool
	overlays pool.Pool[overlayKey, overlay]
	sents    *sent.Pool

	root  atomic.Pointer[paths.Root] // see project
	files *extract.Store             // of skills that are not on disk

	searched atomic.Pointer[bm25.Index] // what was built last, for what it can spare the next

	fileKeys extract.Keys[*Skill] // conversations were told what they lead to, so that stays until Close
	hub      *notify.Hub[Change]
	watcher  watch.Slot
	folders  folderCache

	openEvents func() (fswatch.Source, error) // of tests; nil is the system's
}

// Options configures a [Registry]. The zero value is usable and finds nothing.
type Options struct {
	// Locations places the disk sources.
	Locations Locations
	// Scan says how the disk sources read their directories; Commands in it
	// has no effect.
	Scan ScanOptions
	// Sources are read besides the disk sources. Among sources of one origin
	// the earlier wins.
	Sources []Source
	// Order is the precedence of origins, highest first; default
	// managed, user, project, additional, legacy, bundled, plugin, mcp, remote.
	// Origins it leaves out come last, in default order.
	Order []Origin
	// SkipDegraded leaves degraded skills out instead of keeping them for the
	// user (01 §4).
	SkipDegraded bool
	// Policy is the floor below every session's policy: managed rules. No
	// session can weaken it.
	Policy Policy
	// CaseSensitivePaths makes paths patterns tell letter case apart (03 A11).
	CaseSensitivePaths bool
	// RootOnlyStar makes a paths pattern without a slash match in the project
	// root only (03 A8). Default is gitignore's reading.
	RootOnlyStar bool
	// Ignored decides which folders nested discovery passes over; default are
	// node_modules, .git and what the ignore files of the project say.
	Ignored IgnoreFunc
	// SearchBodies makes a search look into bodies too. They are read once, 64
	// KiB of each, by the first search after a load, which waits for it as long
	// as its context lets it, and 30 s at most; those of MCP skills and those
	// that a Content.Prompt makes are not.
	SearchBodies bool
	// Searcher replaces the built-in ranking of local skills.
	Searcher SearchFunc
	// Catalog finds and fetches remote skills; nil means there are none.
	Catalog Catalog
	// Logger receives every new issue; nil discards them.
	Logger *slog.Logger
	// TempDir is where the files of skills that are not on disk are extracted
	// (05 §2): a directory of this user, or one like /tmp; default the
	// system's. What is extracted goes away with Close.
	TempDir string
	// Observe is called after each invocation, with no lock held. A panic in
	// it is contained.
	Observe func(Record)
}

// A sourceState is one source with its last good result.
type sourceState struct {
	Source
	info    SourceInfo
	loaded  Loaded // what raw amounts to
	raw     Loaded // of the source, with last good versions
	err     error  // of the last load
	stamped map[*Skill]*Skill
}

// Open reads all sources and returns a Registry. A nil o means zero Options;
// o is copied. A place that cannot be read is an issue of the snapshot, except
// a managed one: then the policy may be missing and Open returns an error.
func Open(ctx context.Context, o *Options) (*Registry, error) {
	r := &Registry{gate: gate.New(), seed: maphash.MakeSeed(), unlocks: unlock.NewPool(), sents: sent.NewPool()}
	if o != nil {
		r.opts = *o
	}
	r.opts.Sources = slices.Clone(r.opts.Sources)
	r.opts.Policy = r.opts.Policy.clone()
	r.order = rankOrigins(r.opts.Order)
	r.log = guard.NewLog(r.opts.Logger)
	var err error
	if r.loc, err = r.opts.Locations.resolve(); err != nil {
		return nil, err
	}
	r.hub = notify.New(Change.then, func(f func(Change), c Change) {
		if !c.empty() || len(c.Issues) > 0 { // joined changes may come to nothing
			r.log.Contain("Subscribe", func() { f(c.clone()) })
		}
	})
	r.files = extract.NewStore(extract.Options{Parent: r.opts.TempDir})
	r.folders.init(r)
	r.cur.Store(r.newSnapshot(0, merged{}))
	if r.sources, err = newStates(append(r.loc.sources(&r.opts.Scan), r.opts.Sources...)); err != nil {
		return nil, err
	}
	if _, err := r.Reload(ctx); err != nil {
		return nil, err
	}
	return r, nil
}

// project returns Locations.Project, with links as they led at the last reload.
func (r *Registry) project() paths.Root {
	if root := r.root.Load(); root != nil {
		return *root
	}
	root := paths.NewRoot(r.loc.Project)
	r.root.CompareAndSwap(nil, &root)
	return *r.root.Load()
}

// newStates returns the states of sources that have nothing loaded. Each must
// have an ID of its own.
func newStates(list []Source) ([]*sourceState, error) {
	states := make([]*sourceState, len(list))
	for i, s := range list {
		var info SourceInfo
		if s != nil {
			info = s.Info()
		}
		if !goodSourceID(info.ID) || slices.ContainsFunc(states[:i], func(t *sourceState) bool { return t.info.ID == info.ID }) {
			return nil, badSourceID(info.ID)
		}
		states[i] = &sourceState{Source: s, info: info}
	}
	return states, nil
}

func (r *Registry) find(id string) int {
	return slices.IndexFunc(r.sources, func(s *sourceState) bool { return s.info.ID == id })
}

// Snapshot returns the current snapshot. It never blocks and never returns nil.
func (r *Registry) Snapshot() *Snapshot { return r.cur.Load() }

// Close stops watching, waits until everything the registry started has ended,
// removes what was extracted of skills that are not on disk, and ends all
// subscriptions; a function given to Subscribe that runs at the moment is not
// waited for, so it may call Close too. The last snapshot stays readable and
// sessions go on with it; Reload, Register and Watch fail with [CodeInvalid].
// Close may be called repeatedly, but not by a Source, an IgnoreFunc or a Logger
// that the registry calls: it would wait for itself.
func (r *Registry) Close() error {
	r.hub.Close()
	r.watcher.Close()
	if err := r.files.Close(); err != nil {
		return newError(CodeUnreadable, "the extracted files of skills could not be removed", "see the cause; Close tries again").because(err)
	}
	return nil
}

// Register adds sources, or replaces those of the same ID in place, loads them
// and publishes once. A source that cannot be read is registered all the same,
// with the last good skills of the one it replaces; the error is of the first
// such source, and [CodeUnreadable]. If an ID is empty or given twice the error
// is [CodeInvalid], and nothing changes.
func (r *Registry) Register(ctx context.Context, s ...Source) (Change, error) {
	return r.change(ctx, func() (Change, error) { return r.registerLocked(ctx, s) })
}

// change runs f while no other load runs, and tells of what f changed.
func (r *Registry) change(ctx context.Context, f func() (Change, error)) (c Change, err error) {
	ended := r.gate.Do(ctx, func() {
		if c, err = f(); !c.empty() || len(c.Issues) > 0 {
			r.hub.Tell(c) // inside the gate, for the order; it only takes note
		}
	})
	if ended != nil {
		return Change{}, cancelled(ctx)
	}
	r.watcher.Follow()
	r.logIssues(c.Issues)
	return c, err
}

func (r *Registry) registerLocked(ctx context.Context, s []Source) (Change, error) {
	if r.watcher.Closed() {
		return Change{}, closedError()
	}
	states, err := newStates(s)
	if err != nil {
		return Change{}, err
	}
	for _, st := range states {
		if at := r.find(st.info.ID); at >= 0 {
			st.succeed(r.sources[at])
		}
	}
	r.loadAll(ctx, states)
	if ctx.Err() != nil {
		return Change{}, cancelled(ctx)
	}
	for _, st := range states {
		if at := r.find(st.info.ID); at >= 0 {
			r.sources[at] = st
		} else {
			r.sources = append(r.sources, st)
		}
	}
	return r.publishLocked(nestedChange{}), firstFailure(states, false)
}

// succeed takes over what another source of the ID holds, for the case that s
// cannot be read. Origin and trust are those of s at once.
func (s *sourceState) succeed(old *sourceState) {
	if old.info == s.info {
		s.stamped = old.stamped // unchanged skills stay the same pointers
	}
	s.raw = old.raw
	s.stamp(old.raw)
}

// firstFailure returns the error of the first source that could not be read;
// with managedOnly, of the first managed one.
func firstFailure(states []*sourceState, managedOnly bool) error {
	for _, s := range states {
		if s.err != nil && (!managedOnly || s.info.Origin == OriginManaged) {
			return &Error{Issue: unreadableSource(s), Err: s.err}
		}
	}
	return nil
}

func cancelled(ctx context.Context) error {
	return newError(CodeCancelled, "cancelled", callAgain).because(context.Cause(ctx))
}

// goodSourceID reports whether id can name a source: it is not empty and holds
// no control character.
func goodSourceID(id string) bool {
	return id != "" && strings.IndexFunc(id, unicode.IsControl) < 0
}

func badSourceID(id string) error {
	msg := fmt.Sprintf("a source is nil, or its ID %q is empty, used twice or not printable", id)
	return newError(CodeInvalid, msg, "give each source an ID of its own").in("SourceInfo.ID")
}

// Unregister removes sources and publishes once. Unknown IDs are ignored. It
// waits for a load that is under way, even if ctx ends: what is unregistered
// is gone when Unregister returns.
func (r *Registry) Unregister(ctx context.Context, ids ...string) Change {
	change, _ := r.change(context.WithoutCancel(ctx), func() (Change, error) {
		r.sources = slices.DeleteFunc(r.sources, func(s *sourceState) bool { return slices.Contains(ids, s.info.ID) })
		return r.publishLocked(nestedChange{}), nil
	})
	return change
}

// Reload reads the sources of the given IDs again, or everything, nested
// folders too, and publishes if anything changed. A source that fails keeps
// its last good result and gets an issue. Reload returns an error if ctx ends,
// or if a managed source cannot be read; the old snapshot then stays.
func (r *Registry) Reload(ctx context.Context, ids ...string) (Change, error) {
	if len(ids) > 0 {
		return r.reload(ctx, func() []*sourceState { return r.named(ids) }, nil, false)
	}
	return r.reload(ctx, func() []*sourceState { return r.sources }, r.folders.Below("."), false)
}

// named returns the sources of the given IDs; the gate is held.
func (r *Registry) named(ids []string) []*sourceState {
	var out []*sourceState
	for _, id := range ids {
		if at := r.find(id); at >= 0 && !slices.Contains(out, r.sources[at]) {
			out = append(out, r.sources[at])
		}
	}
	return out
}

// reload reads what which returns and the given nested folders, and publishes.
// If it is lenient, a managed source that fails does not hold up the others:
// like them it keeps its last good result.
func (r *Registry) reload(ctx context.Context, which func() []*sourceState, nested []*folders.Folder[folderContent], lenient bool) (Change, error) {
	for tries := 0; ; tries++ {
		root := paths.NewRoot(r.loc.Project)
		r.root.Store(&root)
		r.folders.ignore.Forget()
		epoch := r.folders.Expire()
		rulings := r.folders.Ask(ctx, nested) // may call the host, so no lock is held
		stale := false
		c, err := r.change(ctx, func() (Change, error) {
			if stale = len(nested) > 0 && tries < 3 && r.folders.Epoch() != epoch; stale {
				return Change{}, nil // another reload began meanwhile, and perhaps ended
			}
			return r.reloadLocked(ctx, which(), nested, rulings, lenient)
		})
		if !stale {
			return c, err
		}
	}
}

// reloadLocked is reload once the folders are ruled on.
func (r *Registry) reloadLocked(ctx context.Context, todo []*sourceState, nested []*folders.Folder[folderContent], rulings map[string]nesting.Ruling, lenient bool) (Change, error) {
	if r.watcher.Closed() {
		return Change{}, closedError()
	}
	r.loadAll(ctx, todo)
	moved := r.folders.refresh(ctx, nested, rulings)
	if ctx.Err() != nil {
		return Change{}, cancelled(ctx)
	}
	err := firstFailure(todo, true)
	if err != nil && !lenient {
		return Change{}, err
	}
	return r.publishLocked(moved), err
}

// loadAll loads the sources in parallel; each keeps its last good result.
func (r *Registry) loadAll(ctx context.Context, todo []*sourceState) {
	var wg sync.WaitGroup
	for i, s := range todo {
		if !r.loc.allows(s.info.Origin) {
			s.loaded, s.err = Loaded{}, nil
			continue
		}
		if i == len(todo)-1 { // the last one needs no goroutine of its own
			s.load(ctx)
			continue
		}
		wg.Go(func() { s.load(ctx) })
	}
	wg.Wait()
}

func (s *sourceState) load(ctx context.Context) {
	l, err := loadContained(ctx, s.Source)
	if ctx.Err() != nil {
		return // whatever came of it, nobody waits for it
	}
	if s.err = err; err != nil {
		return
	}
	s.stamp(l)
}

func unreadableSource(s *sourceState) Issue {
	return Issue{
		Code: CodeUnreadable, Severity: sevError, Path: s.info.ID,
		Msg:  "the source cannot be read: " + s.err.Error(),
		Hint: "its last good skills, if any, are kept; check that the place exists and may be read",
	}
}

// publishLocked merges what the sources hold and swaps the snapshot, unless
// nothing changed. A change of nested folders alone gets a new snapshot too, so
// that Generation grows and sessions notice.
func (r *Registry) publishLocked(nested nestedChange) Change {
	old := r.cur.Load()
	m := r.merge()
	change, next := compare(old, m), old
	if old.Generation() == 0 || !change.empty() || !slices.Equal(old.issues, m.issues) || !slices.Equal(old.shadowed, m.shadowed) {
		next = r.newSnapshot(old.Generation()+1, m)
		change.Issues = changes.Fresh(old.issues, m.issues)
	} else if len(nested.updates) > 0 {
		next = old.again()
	}
	change.Generation = next.Generation()
	for _, u := range nested.updates {
		u.Apply()
	}
	r.cur.Store(next)
	return change.then(nested.Change)
}

// logIssues hands issues to the host's logger; no lock may be held.
func (r *Registry) logIssues(issues []Issue) {
	for _, i := range issues {
		level := slog.LevelInfo
		switch i.Severity {
		case sevError:
			level = slog.LevelError
		case sevWarning:
			level = slog.LevelWarn
		}
		r.log.Tell(level, i.Msg, "code", string(i.Code), "path", i.Path, "line", i.Line, "skill", i.Skill)
	}
}
