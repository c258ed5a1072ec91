package skills

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/seed-12b313d8/skills/internal/line"
	"github.com/seed-12b313d8/skills/internal/listing"
)

// A Hit is one skill that a search found.
type Hit struct {
	// Name is the skill's name; from a Catalog, its slug.
	Name string
	// Description is the skill's, as written.
	Description string
	// Origin is the skill's.
	Origin Origin
	// Score is higher for better hits, and comparable within one answer only.
	Score float64
}

// A SearchFunc replaces the built-in search by an external engine. in.Skills
// has what there is to find; it must not call in.Search. Hits of skills that
// the session's model may not call are dropped.
type SearchFunc func(ctx context.Context, in *Session, query string, limit int) ([]Hit, error)

// A Catalog finds and fetches remote skills (06 §3). Implementations are safe
// for concurrent use.
type Catalog interface {
	// Find returns up to limit skills for query. Their names are slugs.
	Find(ctx context.Context, query string, limit int) ([]Hit, error)
	// Get returns the SKILL.md of one slug.
	Get(ctx context.Context, slug string) ([]byte, error)
}

// defaultHits is the number of hits when no limit is given.
const defaultHits = 10

// Search returns up to limit skills that the model may call, best first; a
// limit of 0 or less means 10. An exact name comes first, then the number of
// query words found in name, description and when-to-use, then listing order.
func (s *Session) Search(ctx context.Context, query string, limit int) ([]Hit, error) {
	if limit <= 0 {
		limit = defaultHits
	}
	v := s.view()
	if f := s.reg.opts.Searcher; f != nil {
		hits, err := guarded("the Searcher", func() ([]Hit, error) { return f(ctx, s, query, limit) })
		if err != nil {
			return nil, &Error{Issue: Issue{
				Code: CodeUnreadable, Severity: sevError, Field: "Searcher",
				Msg: "the search failed", Hint: "see the cause",
			}, Input: query, Err: err}
		}
		hits = slices.DeleteFunc(slices.Clone(hits), func(h Hit) bool {
			sk := v.exact(h.Name)
			return sk == nil || v.barrier(CallerModel, sk) != barNone
		})
		return hits[:min(limit, len(hits))], nil
	}
	var hits []Hit
	words := strings.Fields(strings.ToLower(query))
	for _, sk := range v.all {
		if v.barrier(CallerModel, sk) != barNone {
			continue
		}
		if score := wordScore(sk, query, words); score > 0 {
			hits = append(hits, Hit{sk.Name, sk.Description, sk.Origin, score})
		}
	}
	slices.SortStableFunc(hits, func(a, b Hit) int { return cmp.Compare(b.Score, a.Score) })
	return hits[:min(limit, len(hits))], nil
}

func wordScore(s *Skill, query string, words []string) float64 {
	name := strings.ToLower(s.Name)
	if name == strings.ToLower(strings.TrimSpace(query)) {
		return float64(4 * (len(words) + 1))
	}
	text := strings.ToLower(s.Description + " " + s.WhenToUse)
	var score float64
	for _, w := range words {
		if strings.Contains(name, w) {
			score += 3
		}
		if strings.Contains(text, w) {
			score += 2
		}
	}
	return score
}

// SearchTool answers a raw call of the search tool: it decodes input, searches
// and returns one clean "name: description" line for each hit.
func (s *Session) SearchTool(ctx context.Context, input []byte) (string, error) {
	var in struct {
		Query string `json:"query"`
		Limit int    `json:"limit"`
	}
	if err := json.Unmarshal(input, &in); err != nil {
		return "", invalidCall("the input is no JSON object with a query", `send {"query": "a few words", "limit": 5}`, input, err)
	}
	if strings.TrimSpace(in.Query) == "" {
		return "", invalidCall("the input lacks a query", `send {"query": "a few words", "limit": 5}`, input, nil)
	}
	hits, err := s.Search(ctx, in.Query, in.Limit)
	if err != nil {
		return "", err
	}
	if len(hits) == 0 {
		return "No skill matches.", nil
	}
	var b strings.Builder
	for _, h := range hits {
		o := line.Options{Reserved: listing.ReservedTags(), EscapeAngles: h.Origin == OriginMCP || h.Origin == OriginRemote}
		fmt.Fprintf(&b, "%s: %s\n", line.Clean(h.Name, o), line.Cut(line.Clean(h.Description, o), defaultEntryCap))
	}
	return strings.TrimSuffix(b.String(), "\n"), nil
}

func invalidCall(msg, hint string, input []byte, err error) error {
	return &Error{Issue: Issue{Code: CodeInvalid, Severity: sevError, Msg: msg, Hint: hint}, Input: string(input), Err: err}
}
