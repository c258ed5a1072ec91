package skills

import (
	"cmp"
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/seed-12b313d8/skills/internal/gitignore"
	"github.com/seed-12b313d8/skills/internal/names"
	"github.com/seed-12b313d8/skills/internal/paths"
	"github.com/seed-12b313d8/skills/internal/readfile"
)

// maxFolders bounds how many nested folders a registry remembers. Beyond it
// the cache starts afresh; sessions load what they need again.
const maxFolders = 4096

// An IgnoreFunc says which of dirs nested discovery passes over (03 §3). dirs
// are slash paths relative to root; the result has one answer for each. An
// error counts as "all ignored" and becomes an issue. It must not use the
// registry or a session of it.
type IgnoreFunc func(ctx context.Context, root string, dirs []string) ([]bool, error)

// A folderCache holds the nested folders of a registry: loaded once for all
// sessions, hits and misses alike. It is safe for concurrent use.
type folderCache struct {
	reg        *Registry
	generation atomic.Uint64 // grows when what a folder holds changes

	mu      sync.Mutex // guards what follows
	folders map[string]*folder
	ignore  *gitignore.Tree // made anew by refresh
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

// get returns what the folder at rel holds. Callers that ask at the same time
// wait for one load.
func (c *folderCache) get(ctx context.Context, rel string) *folderContent {
	c.mu.Lock()
	f := c.folders[rel]
	if f == nil {
		if len(c.folders) >= maxFolders {
			clear(c.folders)
		}
		f = &folder{rel: rel}
		c.folders[rel] = f
	}
	c.mu.Unlock()
	if content := f.content.Load(); content != nil {
		return content
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.content.Load() == nil {
		f.content.Store(f.load(context.WithoutCancel(ctx), c.reg))
	}
	return f.content.Load()
}

// refresh reads all folders again that were loaded, and the ignore files.
func (c *folderCache) refresh(ctx context.Context) {
	c.mu.Lock()
	c.ignore = gitignore.NewTree(c.reg.loc.Project, readIgnoreFile)
	var todo []*folder
	for _, f := range c.folders {
		todo = append(todo, f)
	}
	c.mu.Unlock()
	for _, f := range todo {
		f.refresh(ctx, c)
	}
}

func (f *folder) refresh(ctx context.Context, c *folderCache) {
	f.mu.Lock()
	defer f.mu.Unlock()
	was := f.content.Load()
	if was == nil || ctx.Err() != nil {
		return
	}
	now := f.load(ctx, c.reg)
	if ctx.Err() == nil && !now.equal(was) {
		f.content.Store(now)
		c.generation.Add(1)
	}
}

func (a *folderContent) equal(b *folderContent) bool {
	return slices.EqualFunc(a.skills, b.skills, func(x, y nestedSkill) bool { return x.bare == y.bare }) &&
		slices.Equal(a.issues, b.issues)
}

// load reads the folder; a source that fails keeps its last good result.
func (f *folder) load(ctx context.Context, r *Registry) *folderContent {
	out := new(folderContent)
	if why := names.CheckFolder(f.rel); why != "" {
		out.issues = append(out.issues, badName(f.rel, r.project().Join(f.rel), 0, why))
		return out
	}
	ignored, issue := r.ignores(ctx, f.rel)
	if issue != nil {
		out.issues = append(out.issues, *issue)
	}
	if ignored {
		return out
	}
	if f.sources == nil {
		f.open(r)
	}
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
			q := sk.Clone()
			q.Name = f.rel + ":" + sk.Name
			out.skills = append(out.skills, nestedSkill{sk, q})
		}
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

// ignores asks the host's IgnoreFunc, or the ignore files of the project.
func (r *Registry) ignores(ctx context.Context, rel string) (bool, *Issue) {
	for part := range strings.SplitSeq(rel, "/") {
		if part == "node_modules" || part == ".git" {
			return true, nil
		}
	}
	if r.opts.Ignored == nil {
		return r.folders.tree().IgnoredDir(rel), nil
	}
	answer, err := askIgnored(ctx, r.opts.Ignored, r.loc.Project, rel)
	if err != nil {
		return true, &Issue{
			Code: "ignore-check", Severity: sevWarning, Path: r.project().Join(rel),
			Msg: "the folder was passed over: the ignore check failed: " + err.Error(), Hint: "fix or leave out Options.Ignored",
		}
	}
	return answer, nil
}

func askIgnored(ctx context.Context, f IgnoreFunc, root, rel string) (ignored bool, err error) {
	defer func() {
		if p := recover(); p != nil {
			ignored, err = true, fmt.Errorf("panic: %v", p)
		}
	}()
	answers, err := f(ctx, root, []string{rel})
	if err == nil && len(answers) != 1 {
		err = fmt.Errorf("%d answers to 1 question", len(answers))
	}
	if err != nil {
		return true, err
	}
	return answers[0], nil
}

func (c *folderCache) tree() *gitignore.Tree {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.ignore
}

// globs returns how patterns are read.
func (r *Registry) globs() gitignore.Options {
	return gitignore.Options{CaseSensitive: r.opts.CaseSensitivePaths, RootOnlyStar: r.opts.RootOnlyStar}
}

// nests reports whether the switches let nested discovery in.
func (l *Locations) nests() bool {
	return l.Project != "" && !l.NoProject && !l.PluginOnly && !l.NoDisk
}

// An overlay is a snapshot with the nested skills of one session's folders. It
// never changes; it is made again when any part of its key moves.
type overlay struct {
	snap       *Snapshot
	generation uint64 // of the folder cache
	folders    int    // of the session; their list only grows

	all          []*Skill // in listing order
	nested       []*Skill
	index        index // of nested, under bare and qualified names
	conditionals []*conditional
	issues       []Issue // of the folders
}

// overlay returns the session's overlay, from the cache if it still holds.
func (s *Session) overlay() *overlay {
	snap, generation := s.reg.Snapshot(), s.reg.folders.generation.Load()
	s.mu.Lock()
	o, folders := s.over, s.folders
	s.mu.Unlock()
	if o != nil && o.snap == snap && o.generation == generation && o.folders == len(folders) {
		return o
	}
	o = s.reg.newOverlay(snap, generation, folders)
	s.mu.Lock()
	s.over = o
	s.mu.Unlock()
	return o
}

func (r *Registry) newOverlay(snap *Snapshot, generation uint64, folders []string) *overlay {
	o := &overlay{
		snap: snap, generation: generation, folders: len(folders),
		all: snap.skills, conditionals: []*conditional{snap.conditional()},
	}
	if len(folders) == 0 || !r.loc.nests() {
		return o
	}
	var found []nestedSkill
	for _, rel := range folders {
		f := r.folders.get(context.Background(), rel)
		found = append(found, f.skills...)
		o.issues = append(o.issues, f.issues...)
	}
	o.pick(found)
	o.conditionals = append(o.conditionals, newConditional(o.nested, r.globs()))
	o.all = slices.Concat(snap.skills, o.nested)
	r.sortSkills(o.all)
	return o
}

// pick settles the names of nested skills. The deepest takes a bare name that
// nobody loaded has; the others are "<dir>:<name>" (01 §7).
func (o *overlay) pick(found []nestedSkill) {
	slices.SortStableFunc(found, func(a, b nestedSkill) int {
		return cmp.Or(
			-cmp.Compare(strings.Count(a.bare.Owner, "/"), strings.Count(b.bare.Owner, "/")),
			strings.Compare(a.bare.Owner, b.bare.Owner), // brands keep their order within one
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
