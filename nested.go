package skills

import (
	"context"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/seed-12b313d8/skills/internal/fswatch"
	"github.com/seed-12b313d8/skills/internal/gitignore"
	"github.com/seed-12b313d8/skills/internal/names"
	"github.com/seed-12b313d8/skills/internal/readfile"
)

const (
	// maxFolders bounds how many nested folders a registry remembers. Beyond
	// it those are forgotten that hold nothing, and then all; sessions load
	// what they need again.
	maxFolders = 4096

	// maxWatchedFolders bounds how many folders without skills are watched, so
	// that touching many does not use up what the system allows.
	maxWatchedFolders = 1024
)

// A folderCache holds the nested folders of a registry: loaded once for all
// sessions, hits and misses alike. It is safe for concurrent use.
type folderCache struct {
	reg    *Registry
	ignore *gitignore.Tree // forgets at each reload

	mu      sync.Mutex // guards folders
	folders map[string]*folder
}

// A folder is one directory below the project root and the skills directories
// of its brand folders.
type folder struct {
	rel     string
	mu      sync.Mutex // serialises loads; guards sources
	sources []*sourceState
	content atomic.Pointer[folderContent] // nil until loaded
}

// folderContent is what a folder held when it was read. It never changes.
type folderContent struct {
	skills []nestedSkill
	issues []Issue
}

// A nestedSkill is one skill under both names it may have in a session.
type nestedSkill struct{ bare, qualified *Skill }

func (c *folderCache) init(r *Registry) {
	c.reg = r
	c.folders = make(map[string]*folder)
	c.ignore = gitignore.NewTree(r.loc.Project, readIgnoreFile)
}

// maxIgnoreFile bounds one ignore file in bytes.
const maxIgnoreFile = 1 << 20

// readIgnoreFile reads one ignore file, as a plain file only.
func readIgnoreFile(path string) ([]byte, error) {
	data, _, err := readfile.WholeIn(filepath.Dir(path), filepath.Base(path), maxIgnoreFile)
	return data, err
}

// get returns what the folders hold. Callers that ask at the same time wait
// for one load. If ctx ends first, what is not loaded by then stays so, and
// is nil.
func (c *folderCache) get(ctx context.Context, rels []string) []*folderContent {
	out := make([]*folderContent, len(rels))
	folders := make([]*folder, len(rels))
	var unknown []*folder
	for i, rel := range rels {
		f := c.folder(rel)
		if out[i] = f.content.Load(); out[i] == nil {
			folders[i] = f
			unknown = append(unknown, f)
		}
	}
	if len(unknown) == 0 {
		return out
	}
	rulings := c.ask(ctx, unknown)
	for i, f := range folders {
		if f == nil || ctx.Err() != nil {
			continue
		}
		out[i] = f.first(ctx, c.reg, rulings[f.rel])
	}
	c.reg.watcher.Follow()
	return out
}

// folder returns the folder at rel, which may not be loaded.
func (c *folderCache) folder(rel string) *folder {
	c.mu.Lock()
	defer c.mu.Unlock()
	f := c.folders[rel]
	if f == nil {
		c.makeRoom()
		f = &folder{rel: rel}
		c.folders[rel] = f
	}
	return f
}

// giveUp counts a folder as empty until the next reload.
func (c *folderCache) giveUp(rel string, err error) *folderContent {
	f := c.folder(rel)
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.content.Load() == nil {
		i := ignoreFailed(c.reg.project().Join(rel), err)
		f.content.Store(&folderContent{issues: []Issue{i}})
	}
	return f.content.Load()
}

// makeRoom forgets folders if there are too many; mu is held.
func (c *folderCache) makeRoom() {
	if len(c.folders) < maxFolders {
		return
	}
	for rel, f := range c.folders {
		if content := f.content.Load(); content != nil && len(content.skills) == 0 {
			delete(c.folders, rel)
		}
	}
	if len(c.folders) >= maxFolders {
		clear(c.folders)
	}
}

// first returns the content, and loads it if nobody has.
func (f *folder) first(ctx context.Context, r *Registry, rule ruling) *folderContent {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.content.Load() == nil {
		f.content.Store(f.load(context.WithoutCancel(ctx), r, rule))
	}
	return f.content.Load()
}

// below returns the loaded folders at or below dirs, sorted; "." stands for
// all.
func (c *folderCache) below(dirs ...string) []*folder {
	c.mu.Lock()
	defer c.mu.Unlock()
	var out []*folder
	for rel, f := range c.folders {
		if f.content.Load() != nil && slices.ContainsFunc(dirs, func(d string) bool {
			return d == "." || d == rel || strings.HasPrefix(rel, d+"/")
		}) {
			out = append(out, f)
		}
	}
	slices.SortFunc(out, func(a, b *folder) int { return strings.Compare(a.rel, b.rel) })
	return out
}

// refresh reads the folders again and says what changed, by qualified names.
func (c *folderCache) refresh(ctx context.Context, folders []*folder, rulings map[string]ruling) Change {
	var all Change
	for _, f := range folders {
		if ctx.Err() != nil {
			break
		}
		all = all.then(f.refresh(ctx, c.reg, rulings[f.rel]))
	}
	return all
}

func (f *folder) refresh(ctx context.Context, r *Registry, rule ruling) Change {
	f.mu.Lock()
	defer f.mu.Unlock()
	was := f.content.Load()
	now := f.load(ctx, r, rule)
	if ctx.Err() != nil {
		return Change{}
	}
	f.content.Store(now)
	c := difference(was.byName(), now.byName())
	c.Issues = newIssues(was.issues, now.issues)
	return c
}

// byName returns the skills by qualified name.
func (c *folderContent) byName() map[string]*Skill {
	out := make(map[string]*Skill, len(c.skills))
	for _, s := range c.skills {
		if out[s.qualified.Name] == nil { // an earlier brand wins
			out[s.qualified.Name] = s.qualified
		}
	}
	return out
}

// load reads the folder; a source that fails keeps its last good result.
func (f *folder) load(ctx context.Context, r *Registry, rule ruling) *folderContent {
	out := new(folderContent)
	if rule.issue != nil {
		out.issues = append(out.issues, *rule.issue)
	}
	if rule.ignored {
		return out
	}
	if why := names.CheckFolder(f.rel); why != "" {
		out.issues = append(out.issues, badName(f.rel, r.project().Join(f.rel), 0, why))
		return out
	}
	if f.sources == nil {
		f.open(r)
	}
	qualified := f.qualified()
	for _, s := range f.sources {
		s.load(ctx)
		if s.err != nil {
			out.issues = append(out.issues, unreadableSource(s))
		}
		out.issues = append(out.issues, s.loaded.Issues...)
		for _, sk := range s.loaded.Skills {
			if r.drops(sk) {
				continue
			}
			q := qualified[sk]
			if q == nil {
				q = sk.Clone()
				q.Name = f.rel + ":" + sk.Name
			}
			out.skills = append(out.skills, nestedSkill{sk, q})
		}
	}
	return out
}

// qualified returns the skills under their qualified names as they were, so
// that an unchanged one stays the same pointer.
func (f *folder) qualified() map[*Skill]*Skill {
	was := f.content.Load()
	if was == nil {
		return nil
	}
	out := make(map[*Skill]*Skill, len(was.skills))
	for _, s := range was.skills {
		out[s.bare] = s.qualified
	}
	return out
}

func (f *folder) open(r *Registry) {
	root := r.project()
	for _, brand := range r.loc.Brands {
		rel := f.rel + "/" + brand + "/skills"
		info := SourceInfo{ID: "nested:" + rel, Owner: f.rel, Origin: OriginProject, Trusted: r.loc.TrustProject}
		src := newDirSource(info, root.Join(rel), root.Given, &r.opts.Scan)
		f.sources = append(f.sources, &sourceState{Source: src, info: info})
	}
}

// targets returns the directories of nested folders to watch (03 W2), and
// where ignore files would lie.
func (c *folderCache) targets() []fswatch.Target {
	folders := c.below(".")
	if len(folders) == 0 {
		return nil
	}
	root := c.reg.project()
	out := []fswatch.Target{
		{ID: folderOwner + ".", Root: root.Given, Match: isIgnoreFile},
		{ID: folderOwner + ".", Root: root.Join(".git/info"), Match: isIgnoreFile},
	}
	empty := 0
	for _, f := range folders {
		if len(f.content.Load().skills) == 0 {
			if empty++; empty > maxWatchedFolders {
				continue
			}
		}
		id := folderOwner + f.rel
		out = append(out, fswatch.Target{ID: id, Root: root.Join(f.rel), Match: isIgnoreFile})
		f.mu.Lock()
		for _, s := range f.sources {
			out = append(out, targetsOf(s.Source, id)...)
		}
		f.mu.Unlock()
	}
	return out
}

// isIgnoreFile reports whether the path is that of an ignore file of git.
func isIgnoreFile(path string) bool {
	base := filepath.Base(path)
	return base == ".gitignore" || base == "exclude"
}

// nests reports whether the switches let nested discovery in.
func (l *Locations) nests() bool {
	return l.Project != "" && !l.NoProject && !l.PluginOnly && !l.NoDisk
}
