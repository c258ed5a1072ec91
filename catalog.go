package skills

import (
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/seed-12b313d8/skills/internal/guard"
	"github.com/seed-12b313d8/skills/internal/line"
	"github.com/seed-12b313d8/skills/internal/names"
)

// A Catalog finds and fetches remote skills (06 §3). A session's search asks
// it, and makes what it found callable as "_canonical_<slug>" in that session.
// Such skills are inert text: nothing in them is replaced, run or granted.
//
// Implementations are safe for concurrent use and end with their context.
// Package remote has the stock one.
type Catalog interface {
	// Find returns up to limit skills for query, best first. Their names are
	// slugs: up to 64 of a-z, 0-9 and "-", the first no "-". Hits with other
	// names are dropped; Origin and Score are not looked at.
	Find(ctx context.Context, query string, limit int) ([]Hit, error)
	// Get returns the SKILL.md of one slug, which is copied. More than 1 MiB
	// counts as an error, as does a slug that it does not have.
	Get(ctx context.Context, slug string) ([]byte, error)
}

const (
	// maxDiscovered is the number of remote skills a session remembers; older
	// ones must be searched for again.
	maxDiscovered = 500
	// maxRemoteText is the length of a remote description that is kept, in
	// characters.
	maxRemoteText = 1_024

	defaultMaxSize = 1 << 20 // of one file, in bytes

	catalogID = "catalog" // SourceInfo.ID of what a Catalog gives
)

// A discovery is a remote skill that a session's search found, as exported.
type discovery struct {
	Slug        string `json:"slug"`
	Description string `json:"description,omitempty"`
}

// remoteSkill returns the skill of one hit, or nil if its slug is none.
func (r *Registry) remoteSkill(d discovery) *Skill {
	if !names.IsSlug(d.Slug) {
		return nil
	}
	info := SourceInfo{ID: catalogID, Origin: OriginRemote}
	return info.clamp(&Skill{
		Name: names.Reserved + d.Slug, Description: line.Cut(d.Description, maxRemoteText), Layout: layoutSkill,
		Content: Content{Read: func(ctx context.Context) ([]byte, error) { return r.fetch(ctx, d.Slug) }},
	})
}

// fetch gets a remote skill; limits hold whatever the catalogue does.
func (r *Registry) fetch(ctx context.Context, slug string) ([]byte, error) {
	if r.opts.Catalog == nil {
		return nil, errors.New("this program has no catalogue of remote skills")
	}
	doc, err := r.opts.Catalog.Get(ctx, slug)
	if err == nil && len(doc) > defaultMaxSize {
		err = errors.New("the catalogue gave more than 1 MiB")
	}
	return doc, err
}

// findRemote asks the catalogue, and returns what may be called of the answer.
func (s *Session) findRemote(ctx context.Context, v *view, query string, limit int) ([]*Skill, error) {
	c := s.reg.opts.Catalog
	if c == nil {
		return nil, nil
	}
	hits, err := guard.Call("Catalog.Find", func() ([]Hit, error) { return c.Find(ctx, query, limit) })
	if err != nil {
		e := newError(CodeUnreadable, "the catalogue of remote skills did not answer", "see the cause; local skills are found all the same")
		return nil, e.in("Catalog").asked(query).because(err)
	}
	var out []*Skill
	seen := make(map[string]bool)
	for _, h := range hits[:min(limit, len(hits))] {
		sk := s.reg.remoteSkill(discovery{h.Name, h.Description})
		if sk != nil && !seen[sk.Name] && v.registered(sk.Name) == nil && v.barrier(CallerModel, sk) == barNone {
			seen[sk.Name] = true
			out = append(out, sk)
		}
	}
	return out, nil
}

// admit makes remote skills callable in this session, unless it has been told to
// forget since. Found are the best ones first, and they are the last to go.
func (s *Session) admit(found []*Skill, forgotten uint64) {
	if len(found) == 0 {
		return
	}
	anew := make(map[string]bool, len(found))
	for _, sk := range found {
		anew[sk.Name] = true
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.forgotten != forgotten {
		return
	}
	known := slices.DeleteFunc(slices.Clone(s.remote), func(o *Skill) bool { return anew[o.Name] })
	for _, sk := range slices.Backward(found) {
		known = append(known, sk)
	}
	s.remote = known[max(0, len(known)-maxDiscovered):]
}

// discovered returns the remote skill of that name, or nil.
func (v *view) discovered(name string) *Skill {
	if !strings.HasPrefix(name, names.Reserved) {
		return nil
	}
	for _, s := range v.remote {
		if s.Name == name {
			return s
		}
	}
	return nil
}

// exported returns what Export writes of the remote skills.
func exported(remote []*Skill) []discovery {
	out := make([]discovery, len(remote))
	for i, s := range remote {
		out[i] = discovery{strings.TrimPrefix(s.Name, names.Reserved), s.Description}
	}
	return out
}

// restored is the reverse of exported.
func (r *Registry) restored(list []discovery) []*Skill {
	var out []*Skill
	for _, d := range list[max(0, len(list)-maxDiscovered):] {
		if sk := r.remoteSkill(d); sk != nil {
			out = append(out, sk)
		}
	}
	return out
}

func notDiscovered(name, input string) *Error {
	e := newError(CodeNotDiscovered, "this remote skill was not found by a search of this session", "search for it first")
	e.Skill = name
	return e.asked(input)
}
