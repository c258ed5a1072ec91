package skills

import (
	"context"
	"log/slog"
	"slices"
	"strings"
	"time"

	"github.com/seed-12b313d8/skills/internal/fswatch"
	"github.com/seed-12b313d8/skills/internal/watch"
)

// WatchOptions says how [Registry.Watch] notices changes. The zero value is
// the default (03 W1).
type WatchOptions struct {
	// Stable is how long a source's files must keep their size and time before
	// they are read; default 1 s. A source that never rests is read every
	// 10 × Stable all the same.
	Stable time.Duration
	// Poll is how often they are looked at; default 500 ms.
	Poll time.Duration
	// Gather is how long sources that are ready wait for others, so that many
	// changes make one reload; default 300 ms.
	Gather time.Duration
	// Polling looks at the directories at every Poll instead of asking the
	// operating system for events, which network file systems do not give.
	Polling bool
}

// Watch keeps the snapshot and the nested folders that sessions discovered
// fresh until ctx ends or the registry is closed (03 §4). Changes since the
// last load are found too. It watches directories, and reads only files that
// changed and rest; where the system gives no events it polls, and the snapshot
// has an issue of code "watch-polling". A registry watches once: a second call
// replaces the first. A nil o means zero options. The error is [CodeInvalid] if
// the registry is closed. Watch must not be called by a [Source].
func (r *Registry) Watch(ctx context.Context, o *WatchOptions) error {
	var opts WatchOptions
	if o != nil {
		opts = *o
	}
	ok := r.watcher.Start(ctx, watch.Options{
		Stable: opts.Stable, Poll: opts.Poll, Gather: opts.Gather, Polling: opts.Polling,
		Targets: r.targets, Reload: r.reloadWatched, Degraded: r.setPolling, Open: r.openEvents,
	})
	if !ok {
		return closedError()
	}
	return nil
}

func closedError() error {
	return newError(CodeInvalid, "the registry is closed", "open a new one")
}

// targets returns all directories that matter now.
func (r *Registry) targets(ctx context.Context) []fswatch.Target {
	var sources []*sourceState
	_ = r.gate.Do(ctx, func() { sources = slices.Clone(r.sources) }) // an error means that ctx has ended
	var out []fswatch.Target
	for _, s := range sources {
		if r.loc.allows(s.info.Origin) {
			r.log.Contain("WatchSource.WatchDirs", func() { out = append(out, targetsOf(s.Source, s.info.ID)...) })
		}
	}
	return append(out, r.folders.targets()...)
}

// A targeter is a source that knows which of its files matter.
type targeter interface {
	targets(id string) []fswatch.Target
}

// targetsOf returns what to watch for a source: for those of other packages,
// the files right in their directories and each SKILL.md one level below.
func targetsOf(s Source, id string) []fswatch.Target {
	switch s := s.(type) {
	case targeter:
		return s.targets(id)
	case WatchSource:
		var out []fswatch.Target
		for _, dir := range s.WatchDirs() {
			out = append(out, fswatch.Target{ID: id, Root: dir}, fswatch.Skills(id, dir, fswatch.Walk{Depth: 1}))
		}
		return out
	}
	return nil
}

func (s *dirSource) targets(id string) []fswatch.Target {
	if !s.disk {
		return nil
	}
	walk := fswatch.Walk{Depth: s.opts.MaxDepth, Confine: s.place.Confine}
	if s.opts.Commands {
		return []fswatch.Target{fswatch.Commands(id, s.root, walk)}
	}
	out := []fswatch.Target{fswatch.Skills(id, s.root, walk)}
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, p := range s.plugins {
		out = append(out, p.targets(id)...)
	}
	return out
}

// reloadWatched reads the owners that changed and have come to rest, and
// returns those that could not be read.
func (r *Registry) reloadWatched(ctx context.Context, owners []string) (failed []string) {
	var ids, dirs []string
	for _, o := range owners {
		if dir, ok := strings.CutPrefix(o, folderOwner); ok {
			dirs = append(dirs, dir)
		} else {
			ids = append(ids, o)
		}
	}
	found := r.folders.Below(dirs...)
	_, err := r.reload(ctx, func() []*sourceState { return r.named(ids) }, found, true)
	if err != nil && ctx.Err() == nil {
		r.log.Tell(slog.LevelError, "a source cannot be read; its last good skills are kept", "error", err)
	}
	_ = r.gate.Do(ctx, func() {
		for _, s := range r.named(ids) {
			if s.err != nil {
				failed = append(failed, s.info.ID)
			}
		}
	})
	for _, f := range found {
		if f.Content().failed {
			failed = append(failed, folderOwner+f.Rel())
		}
	}
	return failed
}

// setPolling publishes why directories are polled, or that they are no more.
func (r *Registry) setPolling(ctx context.Context, err error) {
	_, _ = r.change(ctx, func() (Change, error) { // an error means that ctx has ended
		if r.polling == nil && err == nil {
			return Change{}, nil
		}
		r.polling = nil
		if err != nil {
			r.polling = []Issue{{
				Code: "watch-polling", Severity: sevWarning, Msg: "changes are looked for instead of being told by the system: " + err.Error(),
				Hint: "raise the limit of the operating system, such as fs.inotify.max_user_watches; nothing is lost meanwhile",
			}}
		}
		return r.publishLocked(nestedChange{}), nil
	})
}

// Subscribe calls f after every publish that changed anything, and contains
// panics in it. Calls come one at a time on a goroutine of their own, with no
// lock held, in order of Generation. Changes that are published while f runs
// are joined into one, so a slow f delays nobody and misses nothing (03 W7).
// The returned func ends it and may be called repeatedly; like
// [Registry.Close] it lets no further call begin, and does not wait for one
// that is under way.
func (r *Registry) Subscribe(f func(Change)) (cancel func()) { return r.hub.Subscribe(f) }
