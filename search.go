package skills

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/seed-12b313d8/skills/internal/bm25"
	"github.com/seed-12b313d8/skills/internal/guard"
	"github.com/seed-12b313d8/skills/internal/line"
	"github.com/seed-12b313d8/skills/internal/listing"
)

// A Hit is one skill that a search found.
type Hit struct {
	// Name is what the skill is called by: "_canonical_<slug>" for a remote one.
	// A Catalog gives the slug alone.
	Name string
	// Description is the skill's, as written.
	Description string
	// Origin is the skill's.
	Origin Origin
	// Score is higher for better hits, and comparable within one answer only.
	Score float64
}

// A SearchFunc puts an external engine in the place of the built-in ranking of
// local skills: full text of a database, a search server. in.Skills has what
// there is to find; it must not call in.Search. Hits of skills that the
// session's model may not call are dropped. It is called concurrently, with no
// lock held, and ends with its context.
type SearchFunc func(ctx context.Context, in *Session, query string, limit int) ([]Hit, error)

const (
	defaultHits = 10    // when no limit is given
	maxHits     = 1_000 // whatever limit is given
)

// Search returns up to limit skills that the model may call, best first (06 §4);
// a limit of 0 or less means 10, and 1,000 is the most. Local skills are ranked
// by BM25 over name, description with when-to-use, and with
// Options.SearchBodies the body. A skill whose name is the query comes first,
// and equal scores keep the order of the listing.
//
// If the registry has a Catalog it is asked too, for at most 500 skills: its
// hits are ranked among the local ones and can be called in this session from
// then on. With a Searcher they come behind its hits. If the Catalog fails, the
// local hits are returned together with the error, an [*Error] with
// [CodeUnreadable]; if the Searcher does, there are no hits, and the Catalog is
// not asked. [CodeCancelled] says that ctx has ended. Search may be called
// concurrently.
func (s *Session) Search(ctx context.Context, query string, limit int) ([]Hit, error) {
	if limit <= 0 {
		limit = defaultHits
	}
	limit = min(limit, maxHits)
	if ctx.Err() != nil {
		return nil, cancelled(ctx)
	}
	v := s.view()
	hits, err := s.searchElsewhere(ctx, v, query, limit)
	switch {
	case err != nil && ctx.Err() != nil:
		return nil, cancelled(ctx)
	case err != nil:
		return nil, err
	}
	remote, failed := s.findRemote(ctx, v, query, min(limit, maxDiscovered))
	if s.reg.opts.Searcher == nil {
		if hits, err = s.rank(ctx, v, query, limit, remote); err != nil {
			return nil, cancelled(ctx)
		}
	} else {
		for _, sk := range remote {
			hits = append(hits, sk.hit(0))
		}
		hits = hits[:min(limit, len(hits))]
	}
	s.admit(among(remote, hits), v.forgotten)
	return hits, failed
}

// searchElsewhere lets the host's engine, if there is one, find local skills.
// Of its hits only names and scores count.
func (s *Session) searchElsewhere(ctx context.Context, v *view, query string, limit int) ([]Hit, error) {
	f := s.reg.opts.Searcher
	if f == nil {
		return nil, nil
	}
	found, err := guard.Call("the Searcher", func() ([]Hit, error) { return f(ctx, s, query, limit) })
	if err != nil {
		return nil, newError(CodeUnreadable, "the search failed", "see the cause").in("Searcher").asked(query).because(err)
	}
	var hits []Hit
	seen := make(map[*Skill]bool)
	for _, h := range found {
		sk := v.registered(h.Name)
		if sk != nil && !seen[sk] && v.barrier(CallerModel, sk) == barNone {
			seen[sk] = true
			hits = append(hits, sk.hit(h.Score))
		}
	}
	return hits, nil
}

func (s *Skill) hit(score float64) Hit { return Hit{s.Name, s.Description, s.Origin, score} }

// rank merges what the snapshot's index finds with the skills outside of it,
// which are scored by the same statistics.
func (s *Session) rank(ctx context.Context, v *view, query string, limit int, remote []*Skill) ([]Hit, error) {
	x, err := s.reg.searchIndex(ctx, v.snap)
	if err != nil {
		return nil, err
	}
	near, err := s.reg.nearby(ctx, v.overlay)
	if err != nil {
		return nil, err
	}
	q := x.Query(query)
	var more []Hit
	for i, sk := range v.nested {
		if score := q.Score(near[i]); score > 0 && v.barrier(CallerModel, sk) == barNone {
			more = append(more, sk.hit(score))
		}
	}
	for _, sk := range remote { // as its catalogue knows better, without a word of the query too
		more = append(more, sk.hit(q.Score(bm25.Read(sk.searchDoc()))))
	}
	slices.SortStableFunc(more, func(a, b Hit) int { return cmp.Compare(b.Score, a.Score) })
	return v.merge(q.Find(), more, limit), nil
}

// merge takes the best of what was found in the snapshot and of what is
// outside, sorted.
func (v *view) merge(found *bm25.Hits, more []Hit, limit int) []Hit {
	hits := make([]Hit, 0, min(limit, len(v.all)+len(more)))
	at, score, ok := found.Next()
	for len(hits) < limit {
		switch {
		case ok && (len(more) == 0 || score >= more[0].Score):
			if sk := v.snap.skills[at]; v.barrier(CallerModel, sk) == barNone {
				hits = append(hits, sk.hit(score))
			}
			at, score, ok = found.Next()
		case len(more) > 0:
			hits, more = append(hits, more[0]), more[1:]
		default:
			return hits
		}
	}
	return hits
}

// among returns the skills that are among hits, in the order of hits.
func among(list []*Skill, hits []Hit) []*Skill {
	byName := make(map[string]*Skill, len(list))
	for _, s := range list {
		byName[s.Name] = s
	}
	var out []*Skill
	for _, h := range hits {
		if s := byName[h.Name]; s != nil {
			out = append(out, s)
		}
	}
	return out
}

// SearchTool answers a raw call of the search tool: it decodes input, searches
// and returns one clean "name: description" line for each hit, remote skills
// among them, which the model may call from then on.
func (s *Session) SearchTool(ctx context.Context, input []byte) (string, error) {
	var in struct {
		Query string          `json:"query"`
		Limit json.RawMessage `json:"limit"`
	}
	if err := json.Unmarshal(input, &in); err != nil {
		return "", invalidCall("the input is no JSON object with a query", `send {"query": "a few words", "limit": 5}`, input, err)
	}
	if strings.TrimSpace(in.Query) == "" {
		return "", invalidCall("the input lacks a query", `send {"query": "a few words", "limit": 5}`, input, nil)
	}
	limit, ok := wholeNumber(in.Limit)
	if !ok {
		return "", invalidCall("the limit is no whole number", `send {"query": "a few words", "limit": 5}`, input, nil)
	}
	hits, err := s.Search(ctx, in.Query, limit)
	switch {
	case len(hits) == 0 && err != nil:
		return "", err
	case len(hits) == 0:
		return "No skill matches.", nil
	}
	var b strings.Builder
	for _, h := range hits {
		o := line.Options{Reserved: listing.ReservedTags(), EscapeAngles: h.Origin.foreign()}
		fmt.Fprintf(&b, "%s: %s\n", line.Clean(h.Name, o), line.Cut(line.Clean(h.Description, o), defaultEntryCap))
	}
	if err != nil {
		b.WriteString("(The catalogue of remote skills did not answer; there may be more.)\n")
	}
	return strings.TrimSuffix(b.String(), "\n"), nil
}

// wholeNumber reads a number as models write it: 5, 5.0 or "5". Nothing is 0.
func wholeNumber(raw json.RawMessage) (int, bool) {
	text := strings.Trim(string(raw), `" `)
	if text == "" || text == "null" {
		return 0, true
	}
	f, err := strconv.ParseFloat(text, 64)
	return int(max(-1, min(f, maxHits))), err == nil && f == math.Trunc(f)
}

func invalidCall(msg, hint string, input []byte, err error) error {
	return newError(CodeInvalid, msg, hint).asked(string(input)).because(err)
}
