package skills

import (
	"bytes"
	"context"
	"io/fs"
	"path/filepath"
	"reflect"
	"sync"

	"github.com/seed-12b313d8/skills/internal/confine"
	"github.com/seed-12b313d8/skills/internal/filecache"
	"github.com/seed-12b313d8/skills/internal/header"
	"github.com/seed-12b313d8/skills/internal/names"
	"github.com/seed-12b313d8/skills/internal/scan"
)

// A dirSource reads one skills or commands directory. Only the header of each
// file is read (01 R2), and only of files that changed since the last load.
type dirSource struct {
	info  SourceInfo
	tree  scan.Tree
	root  string
	opts  ScanOptions
	disk  bool
	place *confine.Place // nil for an fs.FS

	folder string // the nested folder it belongs to, or ""

	mu      sync.Mutex // serialises loads; guards what follows
	files   *filecache.Cache[parsed]
	plugins map[string]*pluginSource // folders that are plugins, by path
}

// A parsed file is what one version of it amounts to.
type parsed struct {
	skill  *Skill // nil if it was refused
	issues []Issue
}

func newDirSource(i SourceInfo, dir, bounds string, o *ScanOptions) *dirSource {
	if abs, err := filepath.Abs(dir); err == nil {
		dir = abs
	}
	s := &dirSource{info: i, tree: scan.Disk{}, root: dir, opts: o.withDefaults(), disk: true, files: filecache.New[parsed]()}
	s.place = &confine.Place{MaxSize: int64(s.opts.MaxSize)}
	if !i.trusts() {
		s.place.Confine = bounds
	}
	return s
}

func newFSSource(i SourceInfo, fsys fs.FS, o *ScanOptions) *dirSource {
	return &dirSource{info: i, tree: scan.FS(fsys), root: ".", opts: o.withDefaults(), files: filecache.New[parsed]()}
}

// Info implements [Source].
func (s *dirSource) Info() SourceInfo { return s.info }

// WatchDirs implements [WatchSource].
func (s *dirSource) WatchDirs() []string {
	if !s.disk {
		return nil
	}
	return []string{s.root}
}

// Load implements [Source].
func (s *dirSource) Load(ctx context.Context) (Loaded, error) {
	seen := make(visited)
	seen.directory(s)
	return s.load(ctx, seen)
}

// visited are the directories that one load has looked into, by real path and
// what was looked for: links between plugins lead to each only once.
type visited map[string]bool

// directory reports whether s is looked into for the first time.
func (v visited) directory(s *dirSource) bool {
	if s.opts.Commands {
		return v.first("commands", s.root)
	}
	return v.first("skills", s.root)
}

// first reports whether what is at path is looked into for the first time.
func (v visited) first(kind, path string) bool {
	if real, err := filepath.EvalSymlinks(path); err == nil {
		path = real
	}
	key := kind + ":" + path
	was := v[key]
	v[key] = true
	return !was
}

// load is Load, but for the directories that were visited.
func (s *dirSource) load(ctx context.Context, seen visited) (Loaded, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	opts := scan.Options{
		Commands: s.opts.Commands, MaxDepth: s.opts.MaxDepth, MaxFiles: s.opts.MaxFiles, MaxSize: int64(s.opts.MaxSize),
	}
	if s.place != nil {
		opts.Confine = s.place.Confine
	}
	var found []*pluginSource
	if s.disk && !s.opts.Commands {
		opts.Plugin = func(name, path string) { found = append(found, s.plugin(name, path)) }
	}
	files, problems, err := s.files.Load(ctx, s.tree, s.root, opts, func() filecache.Parser[parsed] { return &dirParser{dirSource: s} })
	if err != nil {
		return Loaded{}, err
	}
	out := Loaded{Skills: make([]*Skill, 0, len(files))}
	for _, f := range files {
		if f.skill != nil {
			out.Skills = append(out.Skills, f.skill)
		}
		out.Issues = append(out.Issues, f.issues...)
	}
	for _, p := range problems {
		out.Issues = append(out.Issues, scanIssue(p))
	}
	s.loadPlugins(ctx, found, seen, &out)
	return out, ctx.Err()
}

// plugin returns the source of a folder in this directory that is a plugin. It
// keeps the origin and trust of the directory: a project cannot promote itself
// (01 §5).
func (s *dirSource) plugin(name, path string) *pluginSource {
	if p := s.plugins[path]; p != nil {
		return p
	}
	info := s.info
	info.Owner = names.Normalize(name)
	p := newPluginSource(info, path, s.place.Confine, "")
	p.folder, p.skills.folder, p.commands.folder = s.folder, s.folder, s.folder
	return p
}

func (s *dirSource) loadPlugins(ctx context.Context, found []*pluginSource, seen visited, out *Loaded) {
	s.plugins = make(map[string]*pluginSource, len(found))
	for _, p := range found {
		if why := names.Check(p.info.Owner); why != "" {
			out.Issues = append(out.Issues, badName(p.info.Owner, p.root, 0, why))
			continue
		}
		if !seen.first("plugin", p.root) {
			continue // its skills are there, under the name they were found by first
		}
		s.plugins[p.root] = p
		l, err := p.load(ctx, seen)
		if err != nil {
			out.Issues = append(out.Issues, unreadableFile(p.info.Owner, p.root, err))
			continue
		}
		out.Skills, out.Issues = append(out.Skills, l.Skills...), append(out.Issues, l.Issues...)
	}
}

// A dirParser is the [filecache.Parser] of a dirSource.
type dirParser struct {
	*dirSource
	header header.Parser
}

// Moved implements [filecache.Parser].
func (p *dirParser) Moved(v parsed, f *scan.File) parsed {
	if v.skill == nil || !p.disk || v.skill.RealPath == f.Real {
		return v
	}
	real, err := p.tree.Real(f.Path)
	if err != nil || real == v.skill.RealPath {
		return v
	}
	v.skill = v.skill.Clone()
	v.skill.RealPath = real
	return v
}

// Same implements [filecache.Parser].
func (p *dirParser) Same(was, now parsed) bool {
	return reflect.DeepEqual(was.issues, now.issues) &&
		(was.skill == nil) == (now.skill == nil) && (was.skill == nil || was.skill.RealPath == now.skill.RealPath)
}

// Parse implements [filecache.Parser].
func (p *dirParser) Parse(f *scan.File) (v parsed, again bool) {
	if why := names.CheckQualified(f.Name); why != "" {
		v.issues = []Issue{badName(f.Name, f.Path, 0, why)}
		return v, false
	}
	layout := layoutSkill
	if p.opts.Commands {
		layout = layoutCommand
	}
	o := ParseOptions{Name: names.Normalize(f.Name), Path: f.Path, Layout: layout, Source: p.info, NumericEffort: p.opts.NumericEffort}
	var needsBody bool
	v.skill, v.issues, needsBody = parseHead(&p.header, f.Head.Data, f.Head.Complete, o)
	if needsBody && !f.Head.Complete { // the first read did not reach the end of its description
		doc, err := p.read(f.Path, f.Real)
		if err != nil {
			return parsed{issues: []Issue{unreadableFile(o.Name, f.Path, err)}}, true
		}
		v.skill, v.issues, _ = parseHead(&p.header, doc, true, o)
	}
	v.skill.blank = f.Head.Complete && len(bytes.TrimSpace(f.Head.Data)) == 0
	p.locate(v.skill, f)
	return v, false
}

func unreadableFile(name, path string, err error) Issue {
	return Issue{
		Code: CodeUnreadable, Severity: sevError, Skill: name, Path: path,
		Msg: "the file cannot be read: " + err.Error(), Hint: "check the file and its disk",
	}
}

// firstRead is the first buffer for a whole file of an fs.FS, in bytes.
const firstRead = 256 << 10

// read returns the whole file, within the limits of the source.
func (s *dirSource) read(path, real string) ([]byte, error) {
	switch {
	case !s.disk:
		dir, err := s.tree.OpenDir(filepath.Dir(path))
		if err != nil {
			return nil, err
		}
		defer dir.Close()
		for size := firstRead; ; size *= 4 { // a buffer by what is there, not by what is allowed
			h, err := dir.Head(filepath.Base(path), make([]byte, size), int64(s.opts.MaxSize), false)
			if err != nil || h.Complete || size > s.opts.MaxSize {
				return h.Data, err
			}
		}
	default:
		doc, _, err := s.place.Read(real)
		return doc, err
	}
}

// locate stamps where the skill lies.
func (s *dirSource) locate(sk *Skill, f *scan.File) {
	if !s.disk {
		path := f.Path
		sk.Path, sk.file = "", path
		sk.Content.Read = func(context.Context) ([]byte, error) { return s.read(path, path) }
		return
	}
	sk.place, sk.folder = s.place, s.folder
	sk.Path, sk.RealPath = f.Path, f.Real
	sk.Dir = filepath.Dir(f.Path)
}

func scanIssue(p scan.Problem) Issue {
	i := Issue{Code: Code(p.Code), Severity: sevWarning, Skill: p.Name, Path: p.Path, Msg: p.Msg, Hint: p.Hint}
	if p.Error {
		i.Severity = sevError
	}
	return i
}
