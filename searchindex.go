package skills

import (
	"context"
	"strings"
	"sync"

	"github.com/seed-12b313d8/skills/internal/bm25"
	"github.com/seed-12b313d8/skills/internal/line"
	"github.com/seed-12b313d8/skills/internal/names"
)

// maxBody is how much of a body is searched, in bytes.
const maxBody = 64 << 10

// newSearch returns the index of a snapshot's skills, made when first asked
// for, with the work of the one before it for skills that did not change.
func (r *Registry) newSearch(list []*Skill) func() *bm25.Index {
	return sync.OnceValue(func() *bm25.Index {
		body := r.searchBody
		if !r.opts.SearchBodies {
			body = nil
		}
		docs := make([]bm25.Doc, len(list))
		for i, s := range list {
			docs[i] = s.searchDoc(body)
		}
		x := bm25.Build(r.searched.Load(), docs)
		r.searched.Store(x)
		return x
	})
}

// searchDoc returns what a search looks at. The skill itself is the key: one
// that did not change is not read again.
func (s *Skill) searchDoc(body func(*Skill) string) bm25.Doc {
	d := bm25.Doc{
		Key: s, Names: append([]string{s.Name, s.bare(), s.DisplayName}, s.Aliases...),
		Text: s.Description + "\n" + s.WhenToUse,
	}
	if slug, ok := strings.CutPrefix(s.Name, names.Reserved); ok {
		d.Names = append(d.Names, slug)
	}
	if body != nil && s.Content.Prompt == nil && s.Origin != OriginMCP { // whose server is not asked before somebody needs it
		d.Body = func() string { return body(s) }
	}
	return d
}

// searchBody reads the beginning of a body. A skill whose body cannot be read
// is not found by it; its invocation says why.
func (r *Registry) searchBody(s *Skill) string {
	ctx, cancel := context.WithTimeout(context.Background(), maxAsk)
	defer cancel()
	text, err := s.Body(ctx)
	if err != nil {
		return ""
	}
	return line.Head(text, maxBody)
}
