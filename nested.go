package skills

import (
	"context"
	"maps"
	"path/filepath"
	"slices"

	"github.com/seed-12b313d8/skills/internal/changes"
	"github.com/seed-12b313d8/skills/internal/folders"
	"github.com/seed-12b313d8/skills/internal/fswatch"
	"github.com/seed-12b313d8/skills/internal/gitignore"
	"github.com/seed-12b313d8/skills/internal/names"
	"github.com/seed-12b313d8/skills/internal/nesting"
	"github.com/seed-12b313d8/skills/internal/paths"
)

// folderOwner begins the watch IDs of nested folders; no source ID does.
const folderOwner = "\x00folder:"

// A folderCache holds the nested folders of a registry.
type folderCache struct {
	*folders.Cache[folderContent, nesting.Ruling]
	reg    *Registry
	ignore *gitignore.Tree // forgets at each reload
}

// folderContent is what a folder held when it was read. It never changes.
type folderContent struct {
	sources []*sourceState // of the folder's brands; only the next reading uses them
	skills  []nestedSkill
	issues  []Issue
	failed  bool // a source could not be read
}

// A nestedSkill is one skill under both names it may have in a session.
type nestedSkill struct {
	bare, qualified *Skill
	links           int // 1 if links lead to it
}

func (c *folderCache) init(r *Registry) {
	c.reg = r
	c.ignore = nesting.IgnoreFiles(r.loc.Project)
	c.Cache = folders.New(folders.Options[folderContent, nesting.Ruling]{
		Ask: c.ask, Read: c.read,
		Empty: func(f *folderContent) bool { return len(f.skills) == 0 },
		Same:  (*folderContent).same,
	})
}

// get returns what the folders hold; nil for one that ctx ended before.
func (c *folderCache) get(ctx context.Context, rels []string) []folders.Found[folderContent] {
	found := c.Get(ctx, rels)
	for i := range found {
		if found[i].TooMany {
			found[i].Content = &folderContent{issues: []Issue{{
				Code: "too-many", Severity: sevError, Path: c.reg.project().Join(rels[i]),
				Msg: "the folder was passed over: the project has too many nested folders with skills", Hint: "put skills into fewer folders",
			}}}
		}
	}
	if slices.ContainsFunc(found, func(f folders.Found[folderContent]) bool { return f.Fresh }) {
		c.reg.watcher.Follow()
	}
	return found
}

// A nestedChange is what reading folders again has found. It is published as a
// whole or not at all.
type nestedChange struct {
	Change
	updates []folders.Update[folderContent]
}

// refresh reads the folders again and says what changed, by qualified names.
func (c *folderCache) refresh(ctx context.Context, list []*folders.Folder[folderContent], rulings map[string]nesting.Ruling) nestedChange {
	updates := c.Refresh(ctx, list, rulings)
	was, now := make(map[string][]*Skill), make(map[string][]*Skill)
	var issues []Issue
	for _, u := range updates {
		maps.Copy(was, u.Was.byName()) // qualified names belong to one folder
		maps.Copy(now, u.Now.byName())
		issues = append(issues, changes.Fresh(u.Was.issues, u.Now.issues)...)
	}
	all := nestedChange{difference(was, now), updates}
	all.Issues = issues
	return all
}

func (f *folderContent) same(o *folderContent) bool {
	return slices.Equal(f.skills, o.skills) && slices.Equal(f.issues, o.issues) && f.failed == o.failed
}

// byName returns the skills by qualified name, all of each.
func (f *folderContent) byName() map[string][]*Skill {
	out := make(map[string][]*Skill, len(f.skills))
	for _, s := range f.skills {
		out[s.qualified.Name] = append(out[s.qualified.Name], s.qualified)
	}
	return out
}

// read reads the folder at rel; a source that fails keeps its last good result.
func (c *folderCache) read(ctx context.Context, rel string, was *folderContent, ruling nesting.Ruling) *folderContent {
	out, root := new(folderContent), c.reg.project()
	if was != nil {
		out.sources = was.sources
	}
	if ruling.Problem != "" {
		out.issues = append(out.issues, ignoreFailed(root.Join(rel), ruling.Problem))
	}
	if ruling.Ignored {
		return out
	}
	if why := names.CheckFolder(rel); why != "" {
		out.issues = append(out.issues, badName(rel, root.Join(rel), 0, why))
		return out
	}
	if out.sources == nil {
		out.sources = c.open(rel)
	}
	qualified := was.qualified()
	for i, s := range out.sources {
		if i < len(ruling.Brands) && ruling.Brands[i] {
			continue
		}
		s.load(ctx)
		if s.err != nil {
			out.issues, out.failed = append(out.issues, unreadableSource(s)), true
		}
		out.issues = append(out.issues, s.loaded.Issues...)
		for _, sk := range s.loaded.Skills {
			if c.reg.drops(sk) {
				continue
			}
			q := qualified[sk]
			if q == nil {
				q = sk.Clone()
				q.Name = rel + ":" + sk.Name
			}
			n := nestedSkill{bare: sk, qualified: q}
			if at, _ := root.Rel(sk.Path); sk.RealPath != filepath.Join(root.Real, filepath.FromSlash(at)) {
				n.links = 1
			}
			out.skills = append(out.skills, n)
		}
	}
	return out
}

// qualified returns the skills under their qualified names as they were, so
// that an unchanged one stays the same pointer.
func (f *folderContent) qualified() map[*Skill]*Skill {
	if f == nil {
		return nil
	}
	out := make(map[*Skill]*Skill, len(f.skills))
	for _, s := range f.skills {
		out[s.bare] = s.qualified
	}
	return out
}

// open returns the sources of the folder at rel, one for each brand.
func (c *folderCache) open(rel string) []*sourceState {
	var out []*sourceState
	r, root := c.reg, c.reg.project()
	for _, brand := range r.loc.Brands {
		dir := nesting.Skills(rel, brand)
		info := SourceInfo{ID: "nested:" + dir, Owner: rel, Origin: OriginProject, Trusted: r.loc.TrustProject}
		src := newDirSource(info, root.Join(dir), root.Given, &r.opts.Scan)
		src.folder = rel
		out = append(out, &sourceState{Source: src, info: info})
	}
	return out
}

// targets returns the directories of nested folders to watch (03 W2), and the
// ignore files that have a say about them.
func (c *folderCache) targets() []fswatch.Target {
	found := c.Below(".")
	if len(found) == 0 {
		return nil
	}
	root := c.reg.project()
	out := []fswatch.Target{
		fswatch.OneFile(folderOwner+".", root.Join(".gitignore")),
		fswatch.OneFile(folderOwner+".", root.Join(".git/info/exclude")),
	}
	seen := map[string]bool{".": true}
	for _, f := range found {
		for dir := f.Rel(); !seen[dir]; dir = paths.Parent(dir) {
			seen[dir] = true
			out = append(out, fswatch.OneFile(folderOwner+dir, root.Join(dir+"/.gitignore")))
		}
		for _, s := range f.Content().sources {
			out = append(out, targetsOf(s.Source, folderOwner+f.Rel())...)
		}
	}
	return out
}

// nests reports whether the switches let nested discovery in.
func (l *Locations) nests() bool {
	return l.Project != "" && !l.NoProject && !l.PluginOnly && !l.NoDisk
}
