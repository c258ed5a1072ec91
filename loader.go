package skills

import (
	"bytes"
	"cmp"
	"context"
	"hash/maphash"
	"io/fs"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"sync"

	"github.com/seed-12b313d8/skills/internal/header"
	"github.com/seed-12b313d8/skills/internal/names"
	"github.com/seed-12b313d8/skills/internal/readfile"
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
	place *place // nil for an fs.FS

	folder string // the nested folder it belongs to, or ""
	seed   maphash.Seed

	mu      sync.Mutex // serialises loads; guards what follows
	seen    map[string]parsed
	plugins map[string]*pluginSource // folders that are plugins, by path
}

// A parsed file is what one version of it amounts to.
type parsed struct {
	id     readfile.ID
	sum    uint64 // of what was read of it
	whole  bool   // all of it was read
	skill  *Skill // nil if it was refused
	issues []Issue
	seq    int
}

func newDirSource(i SourceInfo, dir, confine string, o *ScanOptions) *dirSource {
	if abs, err := filepath.Abs(dir); err == nil {
		dir = abs
	}
	s := &dirSource{info: i, tree: scan.Disk{}, root: dir, opts: o.withDefaults(), disk: true, seed: maphash.MakeSeed()}
	s.place = &place{maxSize: int64(s.opts.MaxSize)}
	if !i.trusts() {
		s.place.confine = confine
	}
	return s
}

func newFSSource(i SourceInfo, fsys fs.FS, o *ScanOptions) *dirSource {
	return &dirSource{info: i, tree: scan.FS(fsys), root: ".", opts: o.withDefaults(), seed: maphash.MakeSeed()}
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
	s.mu.Lock()
	defer s.mu.Unlock()
	l := load{source: s}
	opts := scan.Options{
		Commands: s.opts.Commands, MaxDepth: s.opts.MaxDepth, MaxFiles: s.opts.MaxFiles, MaxSize: int64(s.opts.MaxSize),
	}
	if s.place != nil {
		opts.Confine = s.place.confine
	}
	if len(s.seen) > 0 {
		opts.Known = s.known
	}
	var found []*pluginSource
	if s.disk && !s.opts.Commands {
		opts.Plugin = func(name, path string) { found = append(found, s.plugin(name, path)) }
	}
	problems, err := scan.Scan(ctx, s.tree, s.root, opts, l.visitor)
	if err != nil {
		return Loaded{}, err
	}
	out := l.result(problems)
	s.loadPlugins(ctx, found, &out)
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
	p := newPluginSource(info, path, s.place.confine, "")
	p.folder, p.skills.folder, p.commands.folder = s.folder, s.folder, s.folder
	return p
}

func (s *dirSource) loadPlugins(ctx context.Context, found []*pluginSource, out *Loaded) {
	s.plugins = make(map[string]*pluginSource, len(found))
	for _, p := range found {
		if why := names.Check(p.info.Owner); why != "" {
			out.Issues = append(out.Issues, badName(p.info.Owner, p.root, 0, why))
			continue
		}
		s.plugins[p.root] = p
		l, err := p.Load(ctx)
		if err != nil {
			out.Issues = append(out.Issues, unreadableFile(p.info.Owner, p.root, err))
			continue
		}
		out.Skills, out.Issues = append(out.Skills, l.Skills...), append(out.Issues, l.Issues...)
	}
}

// known reports whether the file at path was parsed in this version already.
func (s *dirSource) known(path string, id readfile.ID) bool {
	p, ok := s.seen[path]
	return ok && p.id == id && id != readfile.ID{}
}

// A load is one Load under way.
type load struct {
	source *dirSource

	mu     sync.Mutex // guards shares
	shares []*share
}

// A share is what one goroutine of a load has parsed.
type share struct {
	source *dirSource
	parser header.Parser
	files  []parsed
	paths  []string
}

// visitor returns what one goroutine of a scan hands its files to.
func (l *load) visitor() func(*scan.File) {
	sh := &share{source: l.source}
	l.mu.Lock()
	l.shares = append(l.shares, sh)
	l.mu.Unlock()
	return sh.visit
}

func (sh *share) visit(f *scan.File) {
	s := sh.source
	was, seen := s.seen[f.Path]
	var p parsed
	switch {
	case f.Head.Data == nil && seen && was.id == f.Head.ID:
		p = was
		p.skill = s.moved(p.skill, f)
	default:
		p = sh.parse(f)
		if seen && was.same(p) {
			p.skill, p.issues = was.skill, was.issues // touched, or written again with the same bytes
		}
	}
	p.seq = f.Seq
	sh.files = append(sh.files, p)
	sh.paths = append(sh.paths, f.Path)
}

// moved returns the skill of a file that is the same as before, but perhaps
// reached by links that lead another way now.
func (s *dirSource) moved(sk *Skill, f *scan.File) *Skill {
	if sk == nil || !s.disk || sk.RealPath == f.Real {
		return sk
	}
	real, err := s.tree.Real(f.Path)
	if err != nil || real == sk.RealPath {
		return sk
	}
	sk = sk.Clone()
	sk.RealPath = real
	return sk
}

// same reports whether q is another reading of the same content.
func (p parsed) same(q parsed) bool {
	return p.sum == q.sum && (p.whole && q.whole || p.id == readfile.ID{} && q.id == readfile.ID{}) && reflect.DeepEqual(p.issues, q.issues) &&
		(p.skill == nil) == (q.skill == nil) && (p.skill == nil || p.skill.RealPath == q.skill.RealPath)
}

func (sh *share) parse(f *scan.File) parsed {
	s := sh.source
	p := parsed{id: f.Head.ID, sum: maphash.Bytes(s.seed, f.Head.Data), whole: f.Head.Complete}
	if why := names.CheckQualified(f.Name); why != "" {
		p.issues = []Issue{badName(f.Name, f.Path, 0, why)}
		return p
	}
	layout := layoutSkill
	if s.opts.Commands {
		layout = layoutCommand
	}
	o := ParseOptions{Name: names.Normalize(f.Name), Path: f.Path, Layout: layout, Source: s.info, NumericEffort: s.opts.NumericEffort}
	var needsBody bool
	p.skill, p.issues, needsBody = parseHead(&sh.parser, f.Head.Data, f.Head.Complete, o)
	if needsBody && !f.Head.Complete { // the first read did not reach the end of its description
		p.id, p.whole = readfile.ID{}, false // if that fails, the next load tries again
		doc, err := s.read(f.Path, f.Real)
		if err != nil {
			p.skill, p.issues = nil, []Issue{unreadableFile(o.Name, f.Path, err)}
			return p
		}
		p.skill, p.issues, _ = parseHead(&sh.parser, doc, true, o)
		p.id = f.Head.ID
	}
	p.skill.blank = f.Head.Complete && len(bytes.TrimSpace(f.Head.Data)) == 0
	s.locate(p.skill, f)
	return p
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
		doc, _, err := s.place.read(real)
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

// result puts the shares together: in scan order, within the limit.
func (l *load) result(problems []scan.Problem) Loaded {
	type item struct {
		parsed
		path string
	}
	var items []item
	for _, sh := range l.shares {
		for i, p := range sh.files {
			items = append(items, item{p, sh.paths[i]})
		}
	}
	slices.SortFunc(items, func(a, b item) int {
		return cmp.Or(cmp.Compare(a.seq, b.seq), strings.Compare(a.path, b.path))
	})
	s := l.source
	if len(items) > s.opts.MaxFiles {
		items = items[:s.opts.MaxFiles]
		problems = append(problems, tooMany(s.root))
	}
	out := Loaded{Skills: make([]*Skill, 0, len(items))}
	s.seen = make(map[string]parsed, len(items))
	for _, it := range items {
		s.seen[it.path] = it.parsed
		if it.skill != nil {
			out.Skills = append(out.Skills, it.skill)
		}
		out.Issues = append(out.Issues, it.issues...)
	}
	for _, p := range problems {
		out.Issues = append(out.Issues, scanIssue(p))
	}
	return out
}

func tooMany(root string) scan.Problem {
	return scan.Problem{Code: "too-many", Path: root, Error: true, Msg: "the directory holds more skills than are read", Hint: "split the directory, or raise MaxFiles"}
}

func scanIssue(p scan.Problem) Issue {
	i := Issue{Code: Code(p.Code), Severity: sevWarning, Skill: p.Name, Path: p.Path, Msg: p.Msg, Hint: p.Hint}
	if p.Error {
		i.Severity = sevError
	}
	return i
}
