package skills

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/seed-12b313d8/skills/internal/bm25"
	"github.com/seed-12b313d8/skills/internal/paths"
	"github.com/seed-12b313d8/skills/internal/pool"
	"github.com/seed-12b313d8/skills/internal/prefix"
)

// An overlay is a snapshot with the nested skills of one session's folders. It
// never changes; it is made again when any part of its key moves.
type overlay struct {
	snap    *Snapshot
	folders []string // of the session, sorted
	partial bool     // some folders could not be read in time

	gated        bool     // some skill has a gate
	all          []*Skill // in listing order
	nested       []*Skill
	index        index // of nested, under bare and qualified names
	conditionals []*conditional
	completions  func() *prefix.Index[*Skill] // made when first asked for
	search       *searchable[[]*bm25.Loose]   // of nested
	issues       []Issue                      // of the folders
}

// maxAsk bounds what the host's IgnoreFunc may take where no caller's context
// does: folders of a restored session are loaded by whatever needs them first.
const maxAsk = 10 * time.Second

// An overlayKey names an overlay. Sessions with the same folders share one.
type overlayKey struct {
	snap    *Snapshot
	folders uint64 // hash of their names
}

// overlay returns the session's overlay, from the cache if it still holds.
func (s *Session) overlay() *overlay {
	snap := s.reg.Snapshot()
	s.mu.Lock()
	o, folders, rev := s.over, s.folders, s.foldersRev
	s.mu.Unlock()
	if o != nil && o.snap == snap {
		return o
	}
	o = s.reg.sharedOverlay(snap, slices.Sorted(slices.Values(folders)))
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.foldersRev == rev {
		s.over = o
	}
	return o
}

// sharedOverlay returns the overlay of the given folders, sorted, which other
// sessions may hold too.
func (r *Registry) sharedOverlay(snap *Snapshot, folders []string) *overlay {
	var partial *overlay
	same := func(o *overlay) bool { return slices.Equal(o.folders, folders) }
	o := r.overlays.Get(overlayKey{snap, pool.Sum(r.seed, folders)}, same, func() *overlay {
		o := r.newOverlay(snap, folders)
		if o.partial {
			partial = o // what one session could not wait for is not for others
			return nil
		}
		return o
	})
	if o == nil {
		return partial
	}
	return o
}

func (r *Registry) newOverlay(snap *Snapshot, folders []string) *overlay {
	o := &overlay{
		snap: snap, folders: folders,
		all: snap.skills, search: newSearchable[[]*bm25.Loose](), conditionals: []*conditional{snap.conditional()},
	}
	o.completions = sync.OnceValue(func() *prefix.Index[*Skill] { return prefix.New(o.all, (*Skill).typed) })
	o.gated = slices.ContainsFunc(snap.skills, func(s *Skill) bool { return s.Content.Enabled != nil })
	if len(folders) == 0 || !r.loc.nests() {
		return o
	}
	ctx, cancel := context.WithTimeout(context.Background(), maxAsk)
	defer cancel()
	var found []nestedSkill
	for i, f := range r.folders.get(ctx, folders) {
		if f.Content == nil {
			o.partial = true
			o.issues = append(o.issues, ignoreFailed(r.project().Join(folders[i]), "the ignore check took too long"))
			continue
		}
		found = append(found, f.Content.skills...)
		o.issues = append(o.issues, f.Content.issues...)
	}
	o.pick(found)
	o.conditionals = append(o.conditionals, r.newConditional(o.nested))
	o.all = slices.Concat(snap.skills, o.nested)
	r.sortSkills(o.all)
	return o
}

// pick settles the names of nested skills. The deepest takes a bare name that
// nobody loaded has; the others are "<dir>:<name>" (01 §7). Of several ways to
// one file the one without links counts, whatever else is found later.
func (o *overlay) pick(found []nestedSkill) {
	slices.SortStableFunc(found, func(a, b nestedSkill) int {
		return cmp.Or(
			cmp.Compare(a.links, b.links),
			-cmp.Compare(strings.Count(a.bare.folder, "/"), strings.Count(b.bare.folder, "/")),
			strings.Compare(a.bare.folder, b.bare.folder), // brands keep their order within one
		)
	})
	files, taken := make(paths.Set), make(map[string]*Skill)
	for _, s := range o.snap.skills {
		files.Add(s.RealPath)
		taken[s.Name] = s
	}
	for _, n := range found {
		if files.Add(n.bare.RealPath) {
			continue // a link to what is loaded already
		}
		s := n.bare
		if taken[s.Name] != nil {
			s = n.qualified
		}
		if winner := taken[n.qualified.Name]; winner != nil {
			o.issues = append(o.issues, shadowedIssue(s, winner))
			continue
		}
		taken[s.Name], taken[n.qualified.Name] = s, s
		o.nested = append(o.nested, s)
	}
	o.index = newIndex(o.nested, nil)
}
