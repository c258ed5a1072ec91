package skills

import (
	"context"
	"strings"

	"github.com/seed-12b313d8/skills/internal/gitignore"
	"github.com/seed-12b313d8/skills/internal/paths"
)

// An Activation is what a [Session.Touch] changed.
type Activation struct {
	// Unlocked are the conditional skills that a touched path has matched for
	// the first time.
	Unlocked []*Skill
	// Discovered are the skills of nested folders that became available.
	Discovered []*Skill
	// Issues tell what is wrong with the folders that were looked into.
	Issues []Issue
}

// Touch tells the session that the work touches paths: existing or future
// files or directories, absolute or relative to the project root, from any
// tool, before or after the operation (03 §2). It discovers the skills of
// nested folders, unlocks the conditional skills whose patterns match, and
// returns what became available; a second touch of a path returns nothing new.
// Paths outside the root match nothing and are no error.
func (s *Session) Touch(ctx context.Context, paths ...string) Activation {
	var act Activation
	var rels []string
	for _, p := range paths {
		if rel, ok := s.reg.project().Rel(p); ok {
			rels = append(rels, rel)
		}
	}
	if len(rels) == 0 {
		return act
	}
	found := s.discover(ctx, rels, &act)
	v := s.view()
	matched := v.matching(rels)
	for _, sk := range v.all() {
		unlocks := matched[sk] && v.locked(sk) && v.unlockable(sk)
		if unlocks {
			act.Unlocked = append(act.Unlocked, sk)
		}
		if found[sk.Source] && (unlocks || v.barrier(CallerModel, sk) == barNone) {
			act.Discovered = append(act.Discovered, sk)
		}
	}
	s.unlock(act.Unlocked)
	return act
}

// matching returns the conditional skills of v whose patterns match one of rels.
func (v *view) matching(rels []string) map[*Skill]bool {
	out := make(map[*Skill]bool)
	for _, c := range append([]*conditional{v.snap.conditional()}, v.conditionals...) {
		for _, rel := range rels {
			c.index.Match(rel, func(i int) { out[c.skills[i]] = true })
		}
	}
	return out
}

// conditional holds the skills with patterns of a snapshot or a folder, and
// finds those that a path matches without asking each (A10).
type conditional struct {
	skills []*Skill
	index  *gitignore.Index
}

func newConditional(skills []*Skill, o gitignore.Options) *conditional {
	c := new(conditional)
	var lists []*gitignore.List
	for _, s := range skills {
		if len(s.Paths) > 0 {
			c.skills = append(c.skills, s)
			lists = append(lists, gitignore.Compile(s.Paths, o))
		}
	}
	c.index = gitignore.NewIndex(lists)
	return c
}

// unlockable reports whether nothing but its lock hides s from the model (A9).
func (v *view) unlockable(s *Skill) bool {
	u := *v
	u.unlocked = map[unlock]struct{}{{s.Name, s.Source}: {}}
	return u.barrier(CallerModel, s) == barNone
}

func (s *Session) unlock(skills []*Skill) {
	if len(skills) == 0 {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, sk := range skills {
		s.markUnlocked(unlock{sk.Name, sk.Source})
	}
	s.version++
}

// discover looks for skills directories from the folder of each touched path
// up to the root (03 §3) and returns the IDs of the sources it found.
func (s *Session) discover(ctx context.Context, rels []string, act *Activation) map[string]bool {
	if !s.reg.loc.nests() {
		return nil
	}
	found := make(map[string]bool)
	for _, dir := range s.unchecked(rels) {
		f := s.reg.folders.get(ctx, dir)
		act.Issues = append(act.Issues, f.issues...)
		if len(f.skills) == 0 {
			continue
		}
		for _, n := range f.skills {
			found[n.bare.Source] = true
		}
		s.mu.Lock()
		s.folders = append(s.folders, dir)
		s.version++
		s.mu.Unlock()
	}
	return found
}

// unchecked returns the folders above rels that the session has not looked
// into, and marks them. The root and the folders between it and the working
// directory were loaded at the start.
func (s *Session) unchecked(rels []string) []string {
	start, _ := s.reg.project().Rel(s.reg.loc.Dir)
	s.mu.Lock()
	defer s.mu.Unlock()
	var out []string
	for _, rel := range rels {
		if !s.reg.project().IsDir(rel) {
			rel = paths.Parent(rel)
		}
		for dir := rel; dir != "."; dir = paths.Parent(dir) {
			if dir == start || strings.HasPrefix(start, dir+"/") {
				break
			}
			if s.markChecked(dir) {
				out = append(out, dir)
			}
		}
	}
	return out
}
