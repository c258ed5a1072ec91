package skills

import (
	"context"
	"slices"
	"strings"

	"github.com/seed-12b313d8/skills/internal/gitignore"
	"github.com/seed-12b313d8/skills/internal/nesting"
	"github.com/seed-12b313d8/skills/internal/paths"
	"github.com/seed-12b313d8/skills/internal/unlock"
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
	touches := s.reg.project().Touches(paths)
	if len(touches) == 0 {
		return act
	}
	found := s.discover(ctx, touches, &act)
	v := s.view()
	act.Unlocked = s.unlockMatching(v, touches)
	if len(found) > 0 {
		v = s.view() // with what was just unlocked
		for _, sk := range v.nested {
			if found[sk.folder] && v.barrier(CallerModel, sk) == barNone {
				act.Discovered = append(act.Discovered, sk)
			}
		}
	}
	s.reg.sortSkills(act.Discovered)
	s.reg.logIssues(act.Issues)
	return act
}

// unlockMatching unlocks the skills that one of the touches matches and nothing
// but their lock hides from the model (A9), and returns them in listing order.
func (s *Session) unlockMatching(v *view, touches []paths.Touch) []*Skill {
	var out []*Skill
	seen := make(map[*Skill]bool)
	for _, c := range v.conditionals {
		c.Find(touches, func(sk *Skill) {
			if !seen[sk] {
				seen[sk] = true
				if v.locked(sk) && v.unlockable(sk) {
					out = append(out, sk)
				}
			}
		})
	}
	if len(out) == 0 {
		return nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	had := s.unlocked
	out = slices.DeleteFunc(out, func(sk *Skill) bool { return had.Has(sk.unlock()) }) // another touch was faster
	if len(out) == 0 {
		return nil
	}
	keys := make([]unlock.Key, len(out))
	for i, sk := range out {
		keys[i] = sk.unlock()
	}
	s.unlocked = s.reg.unlocks.With(had, keys...)
	s.rev++
	s.reg.sortSkills(out)
	return out
}

// unlockable reports whether nothing but its lock hides s from the model (A9).
func (v *view) unlockable(s *Skill) bool {
	bars := v.bars(CallerModel) &^ (1 << barLocked)
	for b := barGate; b <= barLocked; b++ {
		if bars&(1<<b) != 0 && v.holds(b, s) {
			return false
		}
	}
	return true
}

// unlock returns the key under which s is unlocked. It is the same whether s
// goes by its bare or its qualified name.
func (s *Skill) unlock() unlock.Key {
	return unlock.Key{Name: strings.TrimPrefix(strings.TrimPrefix(s.Name, s.folder+":"), s.Owner+":"), Source: s.Source}
}

// A conditional finds the skills with patterns that a path matches.
type conditional = gitignore.Finder[*Skill]

func (r *Registry) newConditional(list []*Skill) *conditional {
	o := gitignore.Options{CaseSensitive: r.opts.CaseSensitivePaths, RootOnlyStar: r.opts.RootOnlyStar}
	return gitignore.NewFinder(list, func(s *Skill) []string { return s.Paths }, o)
}

// discover looks for skills directories from the folder of each touched path
// up to the root (03 §3) and returns the folders that are new to the session.
func (s *Session) discover(ctx context.Context, touches []paths.Touch, act *Activation) map[string]bool {
	if !s.reg.loc.nests() {
		return nil
	}
	s.retryPartial()
	start, _ := s.reg.project().Rel(s.reg.loc.Dir)
	dirs := nesting.Above(touches, start)
	var found map[string]bool
	for i, f := range s.reg.folders.get(ctx, dirs) {
		if f.Content == nil {
			continue
		}
		isNew := len(f.Content.skills) > 0 && s.addFolder(dirs[i])
		if isNew {
			if found == nil {
				found = make(map[string]bool)
			}
			found[dirs[i]] = true
		}
		if isNew || f.Fresh {
			act.Issues = append(act.Issues, f.Content.issues...)
		}
	}
	return found
}

// retryPartial forgets an overlay that lacks what could not be read in time.
func (s *Session) retryPartial() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.over != nil && s.over.partial {
		s.over = nil
		s.rev++
	}
}

// addFolder adds a folder to those the session has discovered.
func (s *Session) addFolder(dir string) (isNew bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if slices.Contains(s.folders, dir) {
		return false
	}
	s.folders = append(slices.Clip(s.folders), dir)
	s.over = nil
	s.foldersRev++
	s.rev++
	return true
}
