package remote

import (
	"context"
	"fmt"
	"net/url"
	"sync"
	"time"
)

// offline is how long a server that could not be reached is not asked again if
// there is a stored copy, so that not every call waits for the timeout.
const offline = 30 * time.Second

// A wanted document is one to get from the store or from its server.
type wanted struct {
	url    *url.URL
	accept string
	limit  int64
	option string // that sets limit
	digest string // of the content, hex; "" if not known
	force  bool   // ask the server, whatever is stored
	check  func(body []byte) *problem
}

// A document is a checked body.
type document struct {
	body  []byte
	rec   *record
	asked bool      // the server was asked for it now
	stale *problem  // why a stored copy stands in, or nil
	until time.Time // when to look again
}

// A library gets documents. It is safe for concurrent use.
type library struct {
	o      *Options
	client *client
	store  store
	now    func() time.Time

	saving sync.Mutex // guards that one answer is kept at a time

	mu   sync.Mutex           // guards down
	down map[string]time.Time // by key: when to ask a server again
}

// get returns what is wanted: stored content the server vouched for lately or
// that has the right SHA-256, otherwise the server's answer, and if it cannot
// be reached what is stored. A problem leaves the store as it is.
func (l *library) get(ctx context.Context, w *wanted) (*document, *problem) {
	if w.digest != "" {
		return l.byDigest(ctx, w)
	}
	key := keyOf(l.o.Tenant, w.url.String())
	old := l.stored(key, w)
	if old != nil && !w.force && (old.rec.freshAt(l.now()) || l.isDown(key, old)) {
		return old, nil
	}
	r, asked := request{url: w.url, accept: w.accept, limit: w.limit, option: w.option}, l.now()
	if old != nil && old.rec.ETag+old.rec.Modified != "" {
		r.since = old.rec
	}
	a, p := l.client.get(ctx, r)
	if p == nil && a.unchanged {
		return l.confirmed(key, w, old, a, asked), nil
	}
	if p == nil {
		p = l.checked(w, a.body)
	}
	if p == nil {
		return l.fresh(key, w, a, asked), nil
	}
	if old == nil || p.lasting || !l.mayStandIn(old) {
		return nil, p
	}
	return l.standIn(key, w, old, p), nil
}

// byDigest is for content that is known: whoever has it may give it.
func (l *library) byDigest(ctx context.Context, w *wanted) (*document, *problem) {
	if body, ok := l.store.blob(w.digest); ok && int64(len(body)) <= w.limit && w.check(body) == nil {
		return &document{body: body}, nil
	}
	a, p := l.client.get(ctx, request{url: w.url, accept: w.accept, limit: w.limit, option: w.option})
	if p != nil {
		return nil, p
	}
	if digestOf(a.body) != w.digest {
		return nil, (&problem{
			msg: "the SKILL.md is not the one the catalogue names: its SHA-256 differs", lasting: true,
			hint: "do not use it; tell who runs the catalogue", err: fmt.Errorf("%w: got %s, want %s", ErrDigest, digestOf(a.body), w.digest),
		}).at(w.url)
	}
	if p := l.checked(w, a.body); p != nil {
		return nil, p
	}
	if !a.policy.noStore {
		l.kept(w, l.store.save("", nil, a.body))
	}
	return &document{body: a.body, asked: true}, nil
}

// stored returns what is in the store, if it is what is wanted.
func (l *library) stored(key string, w *wanted) *document {
	rec, body, ok := l.store.load(key)
	if !ok || int64(len(body)) > w.limit || w.check(body) != nil {
		return nil
	}
	return &document{body: body, rec: rec, until: rec.Time.Add(rec.Fresh)}
}

func (l *library) checked(w *wanted, body []byte) *problem {
	if p := w.check(body); p != nil {
		return p.at(w.url)
	}
	return nil
}

// confirmed is for an old document that the server says is still the same.
func (l *library) confirmed(key string, w *wanted, old *document, a *answer, asked time.Time) *document {
	rec := *old.rec
	rec.Time = asked
	if a.policy.stated {
		rec.Fresh = a.policy.fresh
	}
	if a.etag != "" {
		rec.ETag = a.etag
	}
	if a.modified != "" {
		rec.Modified = a.modified
	}
	return l.answered(key, w, &document{body: old.body, rec: &rec}, a.policy)
}

// fresh is for a new document.
func (l *library) fresh(key string, w *wanted, a *answer, asked time.Time) *document {
	rec := &record{ETag: a.etag, Modified: a.modified, Time: asked, Fresh: max(l.o.MaxAge, 0), Digest: digestOf(a.body)}
	if a.policy.stated {
		rec.Fresh = a.policy.fresh
	}
	return l.answered(key, w, &document{body: a.body, rec: rec}, a.policy)
}

// answered keeps a document that the server has vouched for, if it allows that.
func (l *library) answered(key string, w *wanted, d *document, p policy) *document {
	l.up(key)
	d.asked = true
	if !p.noStore {
		d.until = d.rec.Time.Add(d.rec.Fresh)
	}
	l.kept(w, l.keep(key, d, p.noStore))
	return d
}

// keep stores a document, or drops what is stored of it. An answer that was
// asked for later, but came sooner, stays.
func (l *library) keep(key string, d *document, drop bool) error {
	l.saving.Lock()
	defer l.saving.Unlock()
	if there, _, ok := l.store.load(key); ok && there.Time.After(d.rec.Time) && !there.Time.After(l.now()) {
		return nil
	}
	if drop {
		return l.store.forget(key)
	}
	return l.store.save(key, d.rec, d.body)
}

// mayStandIn reports whether a stored document is young enough to be used in
// place of an answer.
func (l *library) mayStandIn(old *document) bool {
	return l.o.MaxStale > 0 && l.now().Sub(old.rec.Time) <= l.o.MaxStale
}

func (l *library) standIn(key string, w *wanted, old *document, p *problem) *document {
	l.o.Logger.Warn("remote skills: a stored copy stands in for the server",
		"url", clean(w.url), "stored", old.rec.Time, "reason", p.msg, "cause", p.err)
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.down == nil || len(l.down) >= 1000 {
		l.down = make(map[string]time.Time)
	}
	l.down[key] = l.now().Add(offline)
	old.stale, old.until, old.asked = p, l.down[key], true
	return old
}

// isDown reports whether the server failed a moment ago and old may stand in.
func (l *library) isDown(key string, old *document) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	now := l.now()
	until, ok := l.down[key]
	ok = ok && now.Before(until) && until.Sub(now) <= offline && l.mayStandIn(old)
	if ok {
		old.until = until
	}
	return ok
}

func (l *library) up(key string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	delete(l.down, key)
}

// kept logs that the store failed. The document is good without it.
func (l *library) kept(w *wanted, err error) {
	if err != nil {
		l.o.Logger.Warn("remote skills: the cache failed", "url", clean(w.url), "cause", err)
	}
}
