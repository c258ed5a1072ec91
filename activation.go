package skills

import (
	"context"
	"os"
	"slices"
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
	touches := s.reg.touches(paths)
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

// A touch is a touched path below the project root.
type touch struct {
	rel string // clean slash path
	dir bool   // a directory, or spelled like one
}

func (r *Registry) touches(paths []string) []touch {
	root := r.project()
	var out []touch
	for _, p := range paths {
		if rel, ok := root.Find(p); ok {
			out = append(out, touch{rel, os.IsPathSeparator(p[len(p)-1]) || root.IsDir(rel)})
		}
	}
	return out
}

// unlockMatching unlocks the skills that one of the touches matches and nothing but
// their lock hides from the model (A9), and returns them in listing order.
func (s *Session) unlockMatching(v *view, touches []touch) []*Skill {
	var out []*Skill
	seen := make(map[*Skill]bool)
	for _, c := range v.conditionals {
		unlock := func(i int) {
			if sk := c.skills[i]; !seen[sk] {
				seen[sk] = true
				if v.locked(sk) && v.unlockable(sk) {
					out = append(out, sk)
				}
			}
		}
		for _, p := range touches {
			if p.dir {
				c.index.MatchDir(p.rel, unlock)
			} else {
				c.index.Match(p.rel, unlock)
			}
		}
	}
	if len(out) == 0 {
		return nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	had := s.unlocked
	out = slices.DeleteFunc(out, func(sk *Skill) bool { return had.has(sk.unlock()) }) // another touch was faster
	if len(out) == 0 {
		return nil
	}
	list := slices.Clone(had.all())
	for _, sk := range out {
		list = append(list, sk.unlock())
	}
	s.unlocked = s.reg.shareUnlocks(list)
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

// conditional holds the skills with patterns of a snapshot or an overlay, and
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

// globs returns how patterns are read.
func (r *Registry) globs() gitignore.Options {
	return gitignore.Options{CaseSensitive: r.opts.CaseSensitivePaths, RootOnlyStar: r.opts.RootOnlyStar}
}

// discover looks for skills directories from the folder of each touched path
// up to the root (03 §3) and returns the folders that are new to the session.
func (s *Session) discover(ctx context.Context, touches []touch, act *Activation) map[string]bool {
	if !s.reg.loc.nests() {
		return nil
	}
	s.retryPartial()
	dirs := s.reg.foldersAbove(touches)
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

// foldersAbove returns the folders of the paths and all above them, each once,
// less those that were loaded at the start: the working directory's.
func (r *Registry) foldersAbove(touches []touch) []string {
	start, _ := r.project().Rel(r.loc.Dir)
	var out []string
	seen := make(map[string]bool)
	for _, t := range touches {
		rel := t.rel
		if !t.dir {
			rel = paths.Parent(rel)
		}
		if alwaysIgnored(rel) {
			continue // and so is all that matters above it looked at otherwise
		}
		for dir := rel; dir != "." && dir != start && !strings.HasPrefix(start, dir+"/"); dir = paths.Parent(dir) {
			if seen[dir] {
				break // and with it all above
			}
			seen[dir] = true
			out = append(out, dir)
		}
	}
	return out
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
