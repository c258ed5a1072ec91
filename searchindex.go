package skills

import (
	"context"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/seed-12b313d8/skills/internal/bm25"
	"github.com/seed-12b313d8/skills/internal/gate"
	"github.com/seed-12b313d8/skills/internal/line"
	"github.com/seed-12b313d8/skills/internal/names"
)

const (
	// maxBody is how much of a body is searched, in bytes.
	maxBody = 64 << 10
	// maxBodies bounds reading the bodies of all skills, which may lie behind a
	// host's Content.Read; those that took longer are read for the next snapshot.
	maxBodies = 30 * time.Second
	// bodyReaders is how many bodies are read at a time.
	bodyReaders = 8
)

// A searchable is what a search needs of a list of skills that does not change:
// made by whoever searches first, with its context. If that ends, the bodies it
// has read are there for the next one.
type searchable[T any] struct {
	gate  gate.Gate
	made  atomic.Pointer[T]
	texts map[*Skill]string // bodies, until made
}

func newSearchable[T any]() *searchable[T] {
	return &searchable[T]{gate: gate.New(), texts: make(map[*Skill]string)}
}

// get returns what was made, or makes it.
func (s *searchable[T]) get(ctx context.Context, make func(texts map[*Skill]string) (*T, error)) (*T, error) {
	if made := s.made.Load(); made != nil {
		return made, nil
	}
	var err error
	ended := s.gate.Do(ctx, func() {
		if s.made.Load() != nil {
			return
		}
		var made *T
		if made, err = make(s.texts); err == nil {
			s.texts = nil
			s.made.Store(made)
		}
	})
	if ended != nil {
		err = ended
	}
	return s.made.Load(), err
}

// searchIndex returns the index of a snapshot's skills. It takes over what the
// one made last knows of skills that did not change.
func (r *Registry) searchIndex(ctx context.Context, snap *Snapshot) (*bm25.Index, error) {
	return snap.search.get(ctx, func(texts map[*Skill]string) (*bm25.Index, error) {
		docs := make([]bm25.Doc, len(snap.skills))
		for i, s := range snap.skills {
			docs[i] = s.searchDoc()
		}
		prev := r.searched.Load()
		if r.opts.SearchBodies {
			if err := addBodies(ctx, docs, bm25.Fresh(prev, docs), texts); err != nil {
				return nil, err
			}
		}
		x := bm25.Build(prev, docs)
		r.searched.Store(x)
		return x, nil
	})
}

// nearby returns the nested skills as documents. They are in no index: one for
// each session's folders would cost more than it gains.
func (r *Registry) nearby(ctx context.Context, o *overlay) ([]*bm25.Loose, error) {
	if len(o.nested) == 0 {
		return nil, nil
	}
	list, err := o.search.get(ctx, func(texts map[*Skill]string) (*[]*bm25.Loose, error) {
		docs, all := make([]bm25.Doc, len(o.nested)), make([]int, len(o.nested))
		for i, s := range o.nested {
			docs[i], all[i] = s.searchDoc(), i
		}
		if r.opts.SearchBodies {
			if err := addBodies(ctx, docs, all, texts); err != nil {
				return nil, err
			}
		}
		out := make([]*bm25.Loose, len(docs))
		for i, d := range docs {
			out[i] = bm25.Read(d)
		}
		return &out, nil
	})
	if err != nil {
		return nil, err
	}
	return *list, nil
}

// searchDoc returns what a search looks at but for the body. The skill itself
// is the key: one that did not change is not read again.
func (s *Skill) searchDoc() bm25.Doc {
	d := bm25.Doc{
		Key: s, Names: append([]string{s.Name, s.bare(), s.DisplayName}, s.Aliases...),
		Text: s.Description + "\n" + s.WhenToUse,
	}
	if slug, ok := strings.CutPrefix(s.Name, names.Reserved); ok {
		d.Names = append(d.Names, slug)
	}
	return d
}

// addBodies gives the documents at the given places their bodies, which it
// keeps in texts. A body that cannot be read is not found, and tried again for
// the next snapshot; the skill's invocation says why. The error is that of ctx.
func addBodies(ctx context.Context, docs []bm25.Doc, places []int, texts map[*Skill]string) error {
	var todo []*Skill
	for _, at := range places {
		s := docs[at].Key.(*Skill)
		if _, ok := texts[s]; !ok && s.Content.Prompt == nil && s.Origin != OriginMCP { // whose server is not asked before somebody needs it
			todo = append(todo, s)
		}
	}
	readBodies(ctx, todo, texts)
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	missing := make(map[*Skill]bool)
	for _, s := range todo {
		_, ok := texts[s]
		missing[s] = !ok
	}
	for _, at := range places {
		s := docs[at].Key.(*Skill)
		if missing[s] {
			docs[at].Key = nil
		} else if text, ok := texts[s]; ok {
			docs[at].Body = func() string { return text }
		}
	}
	return nil
}

// readBodies reads the beginnings of bodies into texts, a few at a time.
func readBodies(ctx context.Context, list []*Skill, texts map[*Skill]string) {
	ctx, cancel := context.WithTimeout(ctx, maxBodies)
	defer cancel()
	var mu sync.Mutex // guards texts
	var next atomic.Int64
	var wg sync.WaitGroup
	for range min(bodyReaders, len(list)) {
		wg.Go(func() {
			for ctx.Err() == nil {
				at := int(next.Add(1)) - 1
				if at >= len(list) {
					return
				}
				text, err := list[at].Body(ctx)
				if err != nil {
					continue
				}
				mu.Lock()
				texts[list[at]] = line.Head(text, maxBody)
				mu.Unlock()
			}
		})
	}
	wg.Wait()
}
