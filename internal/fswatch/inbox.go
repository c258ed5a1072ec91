package fswatch

import (
	"path/filepath"
	"sync"
)

// An inbox is what waits for the worker. It is safe for concurrent use, takes
// whatever comes without blocking, and grows with the number of owners and
// watched names only, not with that of events.
type inbox struct {
	signal chan struct{} // one slot: there is something

	mu   sync.Mutex // guards what follows
	news news
}

// News is what has come in since the worker last looked.
type news struct {
	targets map[string][]Target // by owner, if set
	set     bool                // targets were set
	owners  map[string]effect
	stale   map[string]bool // paths whose watches are on something else now
	stray   bool            // a watch may have been lost
	failure error           // of the source
}

func newInbox() *inbox { return &inbox{signal: make(chan struct{}, 1)} }

// put lets change add to the news.
func (b *inbox) put(change func(*news)) {
	b.mu.Lock()
	if b.news.owners == nil {
		b.news.owners, b.news.stale = make(map[string]effect), make(map[string]bool)
	}
	change(&b.news)
	b.mu.Unlock()
	select {
	case b.signal <- struct{}{}:
	default:
	}
}

// take returns the news and leaves none.
func (b *inbox) take() news {
	b.mu.Lock()
	defer b.mu.Unlock()
	n := b.news
	b.news = news{}
	return n
}

// event adds what ev means to the owners in ix. Most events mean nothing.
func (b *inbox) event(ix index, ev Event) {
	op := opsOf(ev)
	if !op.moved && !op.written {
		return // attributes only
	}
	path := filepath.Clean(ev.Name)
	var hits []hit
	base := filepath.Base(path)
	for _, p := range ix[filepath.Dir(path)] {
		if e := p.effect(path, base, op); e != 0 {
			hits = append(hits, hit{p.owner, e})
		}
	}
	if op.gone {
		for _, p := range ix[path] {
			hits = append(hits, hit{p.owner, hinted | traced | replaced})
		}
	}
	if len(hits) == 0 {
		return
	}
	b.put(func(n *news) {
		for _, h := range hits {
			n.owners[h.owner] |= h.effect
			if h.effect&replaced != 0 {
				n.stale[path] = true
			}
		}
	})
}

type hit struct {
	owner  string
	effect effect
}
