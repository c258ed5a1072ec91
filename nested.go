package skills

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"
	"sync"

	"github.com/seed-12b313d8/skills/internal/gitignore"
	"github.com/seed-12b313d8/skills/internal/readfile"
)

// maxFolders bounds how many nested folders a registry remembers. Beyond it
// the cache starts afresh; sessions load what they need again.
const maxFolders = 4096

// An IgnoreFunc says which of dirs nested discovery passes over (03 §3). dirs
// are slash paths relative to root; the result has one answer for each. An
// error counts as "all ignored" and becomes an issue.
type IgnoreFunc func(ctx context.Context, root string, dirs []string) ([]bool, error)

// A folderCache holds the nested folders of a registry: loaded once for all
// sessions, hits and misses alike. It is safe for concurrent use.
type folderCache struct {
	reg *Registry

	mu      sync.Mutex // guards what follows
	folders map[string]*folder
	ignore  *gitignore.Tree // made anew by forget
}

// A folder is one directory below the project root and the skills directories
// of its brand folders.
type folder struct {
	once   sync.Once
	skills []nestedSkill
	issues []Issue

	// The conditional skills under both names.
	bare, qualified *conditional
}

// A nestedSkill is one skill under both names it may have in a session.
type nestedSkill struct{ bare, qualified *Skill }

func (c *folderCache) init(r *Registry) {
	c.reg = r
	c.forget()
}

func (c *folderCache) forget() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.folders = make(map[string]*folder)
	c.ignore = gitignore.NewTree(c.reg.loc.Project, readIgnoreFile)
}

// maxIgnoreFile bounds one ignore file in bytes.
const maxIgnoreFile = 1 << 20

// readIgnoreFile reads one ignore file, as a plain file only.
func readIgnoreFile(path string) ([]byte, error) {
	data, _, err := readfile.WholeIn(filepath.Dir(path), filepath.Base(path), maxIgnoreFile)
	return data, err
}

// get returns the folder at rel, loaded. Callers that ask at the same time
// wait for one load.
func (c *folderCache) get(ctx context.Context, rel string) *folder {
	c.mu.Lock()
	f := c.folders[rel]
	if f == nil {
		if len(c.folders) >= maxFolders {
			clear(c.folders)
		}
		f = new(folder)
		c.folders[rel] = f
	}
	c.mu.Unlock()
	f.once.Do(func() { f.load(context.WithoutCancel(ctx), c.reg, rel) })
	return f
}

func (f *folder) load(ctx context.Context, r *Registry, rel string) {
	defer f.index(r)
	ignored, issue := r.ignores(ctx, rel)
	if issue != nil {
		f.issues = append(f.issues, *issue)
	}
	if ignored {
		return
	}
	root := r.loc.Project
	for _, brand := range r.loc.Brands {
		dir := filepath.Join(root, filepath.FromSlash(rel), brand, "skills")
		info := SourceInfo{ID: "nested:" + dir, Owner: rel, Origin: OriginProject, Trusted: r.loc.TrustProject}
		state := &sourceState{Source: newDirSource(info, dir, root, &r.opts.Scan), info: info}
		state.load(ctx)
		if state.err != nil {
			f.issues = append(f.issues, unreadableSource(state, sevError))
		}
		f.issues = append(f.issues, state.loaded.Issues...)
		for _, s := range state.loaded.Skills {
			if r.drops(s) {
				continue
			}
			q := s.Clone()
			q.Name = rel + ":" + s.Name
			f.skills = append(f.skills, nestedSkill{s, q})
		}
	}
}

func (f *folder) index(r *Registry) {
	var bare, qualified []*Skill
	for _, n := range f.skills {
		bare, qualified = append(bare, n.bare), append(qualified, n.qualified)
	}
	f.bare, f.qualified = newConditional(bare, r.globs()), newConditional(qualified, r.globs())
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
	answers, err := askIgnored(ctx, r.opts.Ignored, r.loc.Project, rel)
	if err != nil {
		return true, &Issue{
			Code: "ignore-check", Severity: sevWarning, Path: filepath.Join(r.loc.Project, filepath.FromSlash(rel)),
			Msg: "the folder was passed over: the ignore check failed: " + err.Error(), Hint: "fix or leave out Options.Ignored",
		}
	}
	return answers, nil
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

// addNested gives v the skills of the session's nested folders. Of several
// with one name the deepest takes the bare name, if nobody loaded has it; the
// others are "<dir>:<name>" (01 §7).
func (v *view) addNested(r *Registry, folders []string) {
	if !r.loc.nests() {
		return
	}
	var all []nestedSkill
	for _, rel := range folders {
		f := r.folders.get(context.Background(), rel)
		all = append(all, f.skills...)
		v.conditionals = append(v.conditionals, f.bare, f.qualified)
	}
	deepest := make(map[string]*Skill)
	for _, n := range all {
		was := deepest[n.bare.Name]
		if v.snap.index.names[n.bare.Name] == nil && (was == nil || depth(n.bare.Owner) > depth(was.Owner)) {
			deepest[n.bare.Name] = n.bare
		}
	}
	seen := make(map[string]bool)
	for _, s := range v.snap.skills {
		seen[s.RealPath] = s.RealPath != ""
	}
	for _, n := range all {
		if seen[n.bare.RealPath] {
			continue // linked from a place that is loaded already
		}
		seen[n.bare.RealPath] = n.bare.RealPath != ""
		if deepest[n.bare.Name] == n.bare {
			v.nested = append(v.nested, n.bare)
		} else {
			v.nested = append(v.nested, n.qualified)
		}
	}
	v.mergeNested(r.order)
}

func depth(rel string) int { return strings.Count(rel, "/") }
