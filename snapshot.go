package skills

import (
	"iter"
	"slices"
	"sync"

	"github.com/seed-12b313d8/skills/internal/bm25"
)

// A Snapshot is the merged set of skills at one moment. It never changes and
// may be shared between goroutines.
type Snapshot struct {
	generation       uint64
	skills, shadowed []*Skill
	issues           []Issue
	index            index
	conditional      func() *conditional // made when first asked for
	search           *searchable[bm25.Index]
}

func (r *Registry) newSnapshot(generation uint64, m merged) *Snapshot {
	return &Snapshot{
		generation: generation,
		skills:     m.skills,
		shadowed:   m.shadowed,
		issues:     m.issues,
		index:      newIndex(m.skills, m.shadowed),

		conditional: sync.OnceValue(func() *conditional { return r.newConditional(m.skills) }),
		search:      newSearchable[bm25.Index](),
	}
}

// again returns the same content under the next generation.
func (s *Snapshot) again() *Snapshot {
	c := *s
	c.generation++
	return &c
}

// Generation grows with every snapshot the registry publishes, also where only
// nested folders changed.
func (s *Snapshot) Generation() uint64 { return s.generation }

// All returns the skills that won, by origin rank, then name, then path.
func (s *Snapshot) All() iter.Seq[*Skill] { return slices.Values(s.skills) }

// Shadowed returns the skills that another one of the same name hides, highest
// rank first.
func (s *Snapshot) Shadowed() iter.Seq[*Skill] { return slices.Values(s.shadowed) }

// Issues returns what is wrong with the sources and files of s. The caller
// owns the slice.
func (s *Snapshot) Issues() []Issue { return slices.Clone(s.issues) }
