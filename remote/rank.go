package remote

import (
	"strings"

	"github.com/seed-12b313d8/skills"
	"github.com/seed-12b313d8/skills/internal/bm25"
)

// find returns up to limit hits, best first. A query without words lists the
// index in its own order.
func (ix *index) find(query string, limit int) []skills.Hit {
	hits := make([]skills.Hit, 0, min(limit, len(ix.entries)))
	if strings.TrimSpace(query) == "" {
		for i := range min(limit, len(ix.entries)) {
			hits = append(hits, ix.entries[i].hit(0))
		}
		return hits
	}
	for found := ix.search().Query(query).Find(); len(hits) < limit; {
		doc, score, ok := found.Next()
		if !ok {
			break
		}
		hits = append(hits, ix.entries[doc].hit(score))
	}
	return hits
}

// search builds the searchable form once, when it is first needed (06 §4).
func (ix *index) search() *bm25.Index {
	ix.ranking.Do(func() {
		docs := make([]bm25.Doc, len(ix.entries))
		for i, e := range ix.entries {
			docs[i] = bm25.Doc{Key: [2]string{e.slug, e.description}, Names: []string{e.slug}, Text: e.description}
		}
		ix.rank.Store(bm25.Build(ix.before, docs))
		ix.before = nil
	})
	return ix.rank.Load()
}

func (e *entry) hit(score float64) skills.Hit {
	return skills.Hit{Name: e.slug, Description: e.description, Origin: skills.OriginRemote, Score: score}
}
