package remote

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/seed-12b313d8/skills"
	"github.com/seed-12b313d8/skills/internal/bm25"
	"github.com/seed-12b313d8/skills/internal/names"
)

// defaultHits is the number of hits when no limit is given.
const defaultHits = 10

// A Catalog finds and fetches the skills of one index over HTTP (06 §3). It is
// a [skills.Catalog], and safe for concurrent use. Close it when it is not
// needed any more.
//
// Errors of its methods are [*skills.Error]. Path is the URL without user and
// query. Their codes are
//
//   - [skills.CodeNotFound]: the index has no such slug; Names has near ones;
//   - [skills.CodeUnreadable]: index or content cannot be had, or must not be
//     used; errors.Is finds [ErrDigest], [ErrPin], [ErrRefused], [ErrTooLarge],
//     context.DeadlineExceeded, and the error of Options.Header;
//   - [skills.CodeCancelled]: the context ended, or the catalogue was closed
//     ([ErrClosed]).
type Catalog struct {
	o      Options
	places *places
	lib    *library
	life   *lifetime

	indexes flights[offer]
	texts   flights[[]byte]

	current atomic.Pointer[offer]

	mu   sync.Mutex // guards last, and that one writes current at a time
	last []skills.Issue
}

var _ skills.Catalog = (*Catalog)(nil)

// An offer is an index at one moment.
type offer struct {
	index *index
	asked bool      // the server was asked for it by this very call
	since time.Time // when the server was asked that vouched for it
	until time.Time // when to look again
	bytes string    // SHA-256 of the document
}

// New returns a catalogue for the index at a URL. If the URL has no path, the
// index is /.well-known/agent-skills/index.json; if its path ends in a slash,
// index.json is in that folder. Only https URLs are taken, and none with
// credentials in it.
//
// o may be nil and is copied. Nothing is asked of the network yet. The error is
// a [*skills.Error]: CodeInvalid for an option that makes no sense,
// CodeUnreadable for a CacheDir that cannot be used.
func New(index string, o *Options) (*Catalog, error) {
	return newCatalog(index, o, seams{})
}

// seams are for tests.
type seams struct {
	guard func(*guard)                // changes the dial check
	hook  func(op, name string) error // is told of what the cache does on disk
	now   func() time.Time
}

func newCatalog(index string, o *Options, s seams) (*Catalog, error) {
	opts, err := o.withDefaults()
	if err != nil {
		return nil, err
	}
	p, err := newPlaces(index, &opts)
	if err != nil {
		return nil, err
	}
	var kept store = newMemory(opts.CacheSize)
	if opts.CacheDir != "" {
		if kept, err = newDisk(&opts, s.hook); err != nil {
			return nil, err
		}
	}
	g := newGuard(opts.AllowLoopback)
	if s.guard != nil {
		s.guard(g)
	}
	c := &Catalog{o: opts, places: p, life: newLifetime()}
	c.lib = &library{o: &c.o, client: newClient(p, g, &c.o), store: kept, now: time.Now}
	if s.now != nil {
		c.lib.now = s.now
	}
	return c, nil
}

// Close gives up what is being fetched and closes all connections. When it
// returns no goroutine of the catalogue is left but those of host callbacks
// that do not end. It may be called again, and returns nil.
func (c *Catalog) Close() error {
	c.life.end()
	c.lib.client.transport.CloseIdleConnections()
	return nil
}

// Find returns up to limit skills, best first; a limit of 0 or less means 10
// (06 §3, §4). An exact slug comes first, then what shares most and rarest
// words in slug and description; a query without words lists the index in its
// own order. Descriptions are as the index has them: clean them before a model
// sees them.
//
// The index is fetched when there is none or its time is up. If that fails, the
// stored one is searched, and Issues says so.
func (c *Catalog) Find(ctx context.Context, query string, limit int) ([]skills.Hit, error) {
	of, err := c.offer(ctx, false)
	if err != nil {
		return nil, public("", err)
	}
	if limit <= 0 {
		limit = defaultHits
	}
	return of.index.find(query, limit), nil
}

// Get returns the SKILL.md of a slug, checked: it has the SHA-256 that a pin or
// the index names, and is UTF-8 text. Content that is stored with that SHA-256
// is not fetched again. Without a SHA-256 the server is asked as for the index.
// The caller owns the slice (06 §3).
func (c *Catalog) Get(ctx context.Context, slug string) ([]byte, error) {
	if !names.IsSlug(slug) {
		return nil, public(slug, &problem{code: skills.CodeNotFound, msg: "there is no such remote skill", hint: "use the slugs of a search"})
	}
	body, err := c.get(ctx, slug)
	if err != nil {
		return nil, public(slug, err)
	}
	return bytes.Clone(body), nil
}

// get tries once more with the server's newest index if what the present one
// says of the content proves wrong.
func (c *Catalog) get(ctx context.Context, slug string) ([]byte, error) {
	of, err := c.offer(ctx, false)
	if err != nil {
		return c.pinnedCopy(slug, err)
	}
	e, body, err := c.fetch(ctx, of, slug)
	if err == nil || of.asked || !isOutdated(err) {
		return body, err
	}
	of, again := c.offer(ctx, true)
	if again != nil {
		return nil, err
	}
	if i, ok := of.index.at[slug]; ok && of.index.entries[i] == e {
		return nil, err
	}
	_, body, err = c.fetch(ctx, of, slug)
	return body, err
}

// isOutdated reports whether an error may come from an old index.
func isOutdated(err error) bool {
	var p *problem
	return errors.As(err, &p) && (p.gone || errors.Is(err, ErrDigest) || errors.Is(err, ErrPin))
}

// pinnedCopy is for when no index can be had: a pin alone vouches for content.
func (c *Catalog) pinnedCopy(slug string, err error) ([]byte, error) {
	var p *problem
	if pin := c.o.Pins[slug]; pin != "" && errors.As(err, &p) && !p.lasting {
		if body, ok := c.lib.store.blob(pin); ok && checkText(body) == nil {
			return body, nil
		}
	}
	return nil, err
}

// fetch gets the content of an entry.
func (c *Catalog) fetch(ctx context.Context, of *offer, slug string) (entry, []byte, error) {
	i, ok := of.index.at[slug]
	if !ok {
		return entry{}, nil, &problem{
			code: skills.CodeNotFound, url: clean(c.places.index), msg: "the catalogue has no such skill",
			hint: "search it for what it has", names: names.Near(slug, of.index.slugs(), 3),
		}
	}
	e := of.index.entries[i]
	w, p := c.want(e)
	if p != nil {
		return e, nil, p
	}
	body, err := c.texts.do(ctx, c.life, w.digest+" "+e.url, func(ctx context.Context) ([]byte, error) {
		d, p := c.lib.get(ctx, w)
		if p != nil {
			return nil, p
		}
		return d.body, nil
	})
	return e, body, err
}

// want says what the content of an entry must be.
func (c *Catalog) want(e entry) (*wanted, *problem) {
	u, p := e.place()
	if p != nil {
		return nil, p
	}
	pin := c.o.Pins[e.slug]
	if pin != "" && e.digest != "" && pin != e.digest {
		return nil, &problem{
			url: clean(c.places.index), msg: "the catalogue offers other content than the host has pinned", lasting: true,
			hint: "look at the change, then set the new pin", err: fmt.Errorf("%w: offered %s, pinned %s", ErrPin, e.digest, pin),
		}
	}
	w := &wanted{url: u, accept: textTypes, limit: c.o.MaxSize, option: "MaxSize", digest: pin, check: checkText}
	if pin == "" {
		w.digest = e.digest
	}
	if w.digest == "" {
		w.check = func(body []byte) *problem {
			if p := checkText(body); p != nil {
				return p
			}
			return checkPage(body)
		}
	}
	return w, nil
}

// offer returns the present index, from memory as long as its time lasts.
func (c *Catalog) offer(ctx context.Context, force bool) (*offer, error) {
	if ctx.Err() != nil {
		return nil, cancelled(ctx)
	}
	if c.life.ctx.Err() != nil {
		return nil, closed()
	}
	if of := c.current.Load(); of != nil && !force && c.isTimely(of) {
		return of, nil
	}
	of, err := c.indexes.do(ctx, c.life, fmt.Sprint(force), func(ctx context.Context) (offer, error) { return c.refresh(ctx, force) })
	if err != nil {
		return nil, err
	}
	return &of, nil
}

// isTimely reports whether an offer's time is not up. A clock that was put back
// makes it look again; that of an offer which stands in, if it was put back far.
func (c *Catalog) isTimely(of *offer) bool {
	now := c.lib.now()
	left := of.until.Sub(now)
	return left > 0 && left <= max(maxFresh, c.o.MaxAge) && !now.Before(of.since)
}

// refresh reads the index from the store or the server.
func (c *Catalog) refresh(ctx context.Context, force bool) (offer, error) {
	before := c.current.Load()
	parsed := make(map[string]*index, 2)
	var rank *bm25.Index
	if before != nil {
		parsed[before.bytes] = before.index
		rank = before.index.rank.Load()
	}
	w := &wanted{url: c.places.index, accept: indexTypes, limit: c.o.MaxIndexSize, option: "MaxIndexSize", force: force}
	w.check = func(body []byte) *problem {
		digest := digestOf(body)
		if parsed[digest] != nil {
			return nil
		}
		ix, p := newIndex(body, c.places, rank)
		if p == nil {
			parsed[digest] = ix
		}
		return p
	}
	d, p := c.lib.get(ctx, w)
	if p != nil {
		return offer{}, p
	}
	digest := digestOf(d.body)
	of := offer{index: parsed[digest], since: d.rec.Time, until: d.until, bytes: digest}
	if now := c.install(of, before, d.stale); now != nil {
		return *now, nil
	}
	of.asked = d.asked
	return of, nil
}

// install makes an offer the present one in place of the one before. But if
// another has taken that place meanwhile, and the server was asked for it later,
// it stays and is returned. An offer that may not be kept has no time left, so
// the next call asks again.
func (c *Catalog) install(of offer, before *offer, stale *problem) (later *offer) {
	issues := of.index.issues
	if stale != nil {
		issues = append(slices.Clip(issues), skills.Issue{
			Code: codeStale, Severity: severityWarning, Path: clean(c.places.index),
			Msg: "a stored index stands in for the server: " + stale.msg, Hint: stale.hint,
		})
	}
	if before == nil || before.index != of.index {
		for _, i := range of.index.issues {
			c.o.Logger.Info("remote skills: "+i.Msg, "url", i.Path, "skill", i.Skill)
		}
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if now := c.current.Load(); now != before && now.since.After(of.since) {
		return now
	}
	c.last = issues
	c.current.Store(&of)
	return nil
}

// Issues returns what is wrong with the index last read: entries that were left
// out, each with its reason, and whether a stored copy stands in for the server
// (code "remote-stale"; the others have "remote-entry"). The caller owns the
// slice. Up to 100 entries are told one by one.
func (c *Catalog) Issues() []skills.Issue {
	c.mu.Lock()
	defer c.mu.Unlock()
	return slices.Clone(c.last)
}
