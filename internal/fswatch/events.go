package fswatch

import (
	"maps"
	"path/filepath"
	"slices"

	"github.com/seed-12b313d8/skills/internal/readfile"
)

// events is a connection to an event source, and what is watched there.
type events struct {
	*worker
	source  Source
	watches map[string]watch
	paths   map[inode]string // of watches
	cost    int              // of all watches

	stop  chan struct{} // ends the reader
	ended chan struct{} // the reader has
}

// A watch is one directory that the source watches.
type watch struct {
	inode inode
	cost  int
}

// connect opens the event source.
func (w *worker) connect() error {
	source, err := w.opts.Open()
	if err != nil {
		return err
	}
	w.events = &events{
		worker: w, source: source, watches: make(map[string]watch), paths: make(map[inode]string),
		stop: make(chan struct{}), ended: make(chan struct{}),
	}
	go w.events.read()
	return nil
}

// disconnect closes the event source, if there is one, and forgets what it
// still had to say.
func (w *worker) disconnect() {
	e := w.events
	if e == nil {
		return
	}
	w.events = nil
	w.index.Store(new(index))
	e.source.Close() // its reader still reads, so this cannot get stuck
	close(e.stop)
	<-e.ended
	w.inbox.put(func(n *news) { n.failure, n.stray = nil, false })
}

// read passes on what the source says. It does nothing that could block it.
func (e *events) read() {
	defer close(e.ended)
	for {
		select {
		case ev, ok := <-e.source.Events():
			if !ok {
				e.report(errEnded)
				return
			}
			e.inbox.event(*e.index.Load(), ev)
		case err, ok := <-e.source.Errors():
			if !ok {
				e.report(errEnded)
				return
			}
			e.report(err)
		case <-e.stop:
			return
		}
	}
}

func (e *events) report(err error) {
	e.inbox.put(func(n *news) {
		switch {
		case err == nil || n.failure != nil:
		case isStray(err):
			n.stray = true
		default:
			n.failure = err
		}
	})
}

// follow traces the owners anew and watches what they need now. Watches at the
// paths in stale, or below, are on something else now. The error is a limit.
func (e *events) follow(dirty, stale map[string]bool) error {
	again := make(map[string]bool)
	for id := range dirty {
		o := e.owners[id]
		before := o.shape
		o.plan = newPlan(id, o.targets, e.look(id))
		if o.shape != before {
			again[id] = true // events so far were taken for what they meant before
		}
	}
	ix := e.publish()
	missed, err := e.sync(ix, stale)
	if err != nil || e.ctx.Err() != nil {
		return err
	}
	for dir := range missed {
		for _, p := range ix[dir] {
			again[p.owner], e.hints[p.owner] = true, true
		}
	}
	e.assess()
	e.traceLater(again)
	return nil
}

// traceLater has the owners traced in the next turn.
func (e *events) traceLater(ids map[string]bool) {
	if len(ids) == 0 {
		return
	}
	e.inbox.put(func(n *news) {
		for id := range ids {
			n.owners[id] |= traced
		}
	})
}

// publish makes the plans of all owners known to the reader. That comes before
// watches are added, so that their first events are understood.
func (e *events) publish() index {
	ix := make(index)
	for _, o := range e.owners {
		for dir, p := range o.plan {
			ix[dir] = append(ix[dir], p)
		}
	}
	e.index.Store(&ix)
	return ix
}

// assess finds the owners that events do not reach.
func (e *events) assess() {
	for _, o := range e.owners {
		o.polled = false
		for dir, p := range o.plan {
			if _, ok := e.watches[dir]; p.must && !ok {
				o.polled = true
				break
			}
		}
	}
}

// sync watches what ix wants and nothing else. It returns the directories in
// which something may have been missed.
func (e *events) sync(ix index, stale map[string]bool) (missed map[string]bool, err error) {
	missed = make(map[string]bool)
	for dir, watch := range maps.Clone(e.watches) {
		switch {
		case !ix.wants(dir):
			e.drop(dir)
		case within(dir, stale) || ix.differs(dir, watch.inode):
			e.drop(dir)
			missed[dir] = true
		}
	}
	for _, dir := range e.lacking(ix) {
		if e.ctx.Err() != nil {
			return nil, nil
		}
		if err := e.add(dir, missed); err != nil && isLimit(err) {
			return nil, err
		}
	}
	return missed, nil
}

// lacking returns the directories that ix wants and are not watched, parents
// first.
func (e *events) lacking(ix index) []string {
	var out []string
	for dir := range ix {
		if _, ok := e.watches[dir]; !ok && ix.wants(dir) {
			out = append(out, dir)
		}
	}
	slices.Sort(out)
	return out
}

// within reports whether dir or a parent is among paths.
func within(dir string, paths map[string]bool) bool {
	for len(paths) > 0 {
		up := filepath.Dir(dir)
		if paths[dir] || up == dir {
			return paths[dir]
		}
		dir = up
	}
	return false
}

// differs reports whether an owner found another directory than was watched.
func (ix index) differs(dir string, was inode) bool {
	return slices.ContainsFunc(ix[dir], func(p *place) bool { return p.inode != was })
}

// add watches dir and adds to missed what may have been missed by it. The
// system knows directories by inode, and fsnotify gives an inode the name under
// which it was added first. So one that was renamed is dropped under its old
// name first, or it would be lost together with that.
func (e *events) add(dir string, missed map[string]bool) error {
	n := nodeAt(dir)
	if n.kind != directory {
		missed[dir] = true // it went since it was traced
		return nil
	}
	if other, ok := e.paths[n.inode]; ok {
		if nodeAt(other).inode == n.inode {
			return errAlias
		}
		e.drop(other)
		missed[other] = true
	}
	cost := costOf(dir)
	if e.cost+cost > e.opts.MaxWatches {
		return ErrTooMany
	}
	if err := e.source.Add(dir); err != nil {
		if nodeAt(dir) != n {
			missed[dir] = true
		}
		return err
	}
	e.watches[dir] = watch{n.inode, cost}
	e.cost += cost
	if n.inode != (inode{}) {
		e.paths[n.inode] = dir
	}
	missed[dir] = true
	return nil
}

// costOf returns what a watch on dir uses up.
func costOf(dir string) int {
	if !perEntry {
		return 1
	}
	d, err := readfile.OpenDir(dir)
	if err != nil {
		return 1
	}
	defer d.Close()
	entries, _ := d.Entries(maxEntries)
	return 1 + len(entries)
}

// drop stops watching dir. The source may have done so already.
func (e *events) drop(dir string) {
	watch := e.watches[dir]
	_ = e.source.Remove(dir)
	delete(e.watches, dir)
	e.cost -= watch.cost
	if e.paths[watch.inode] == dir {
		delete(e.paths, watch.inode)
	}
}

func (e *events) dropAll() {
	for dir := range maps.Clone(e.watches) {
		e.drop(dir)
	}
}
