package lint

import (
	"context"
	"path/filepath"
	"strings"
	"sync"

	"github.com/seed-12b313d8/skills"
	"github.com/seed-12b313d8/skills/internal/readfile"
	"github.com/seed-12b313d8/skills/internal/scan"
)

// scan checks the files that the loader finds below root, and reports what it
// says of the rest. It returns the entries of root that either is about.
func (l *linter) scan(ctx context.Context, tree scan.Tree, root string, commands bool) (seen map[string]bool, err error) {
	s := &scanned{to: l, root: root, nested: l.nestedIn(root), commands: commands, seen: make(map[string]bool)}
	depth := maxSkillDepth
	if commands {
		depth = maxCommandDepth
	}
	problems, err := scan.Scan(ctx, tree, root, scan.Options{
		Commands: commands, MaxDepth: depth, MaxFiles: maxFiles, MaxSize: maxSize,
	}, func() func(*scan.File) { return s.visit })
	for _, p := range problems {
		s.mark(p.Path)
		i := skills.Issue{Code: skills.Code(p.Code), Severity: sevWarning, Skill: p.Name, Path: p.Path, Msg: p.Msg, Hint: p.Hint}
		if p.Error {
			i.Severity = sevError
		}
		l.report(i)
	}
	return s.seen, err
}

// A scanned is one directory on its way through scan; several goroutines use
// it.
type scanned struct {
	to       *linter
	root     string
	nested   string // see linter.nestedIn
	commands bool

	mu   sync.Mutex // guards seen
	seen map[string]bool
}

// visit checks one file. Only its beginning may have been read.
func (s *scanned) visit(f *scan.File) {
	s.mark(f.Path)
	doc := f.Head.Data
	if !f.Head.Complete {
		whole, _, err := readfile.Whole(f.Real, maxSize)
		if err != nil {
			s.to.report(skills.Issue{
				Code: skills.CodeUnreadable, Severity: sevError, Skill: f.Name, Path: f.Path,
				Msg: cause(err).Error(), Hint: "check the file and its disk",
			})
			return
		}
		doc = whole
	}
	o := s.to.opts
	o.Folder, o.Command = f.Name, s.commands
	s.to.report(check(doc, f.Path, s.nested, &o)...)
}

// mark notes the entry of the root that path leads through.
func (s *scanned) mark(path string) {
	rel, err := filepath.Rel(s.root, path)
	if err != nil {
		return
	}
	first, _, _ := strings.Cut(rel, string(filepath.Separator))
	s.mu.Lock()
	defer s.mu.Unlock()
	s.seen[first] = true
}

// A singleTree is the disk, except that its root holds one entry only. With it
// one skill or command is found by the same rules as all.
type singleTree struct {
	scan.Disk
	root, name string
}

func single(root, name string) scan.Tree { return singleTree{root: root, name: name} }

// OpenDir opens a directory, following links.
func (t singleTree) OpenDir(path string) (scan.Dir, error) {
	d, err := t.Disk.OpenDir(path)
	if err != nil || path != t.root {
		return d, err
	}
	return singleDir{d, t.name}, nil
}

type singleDir struct {
	scan.Dir
	name string
}

// Entries returns the one entry, whatever it is.
func (d singleDir) Entries(int) ([]readfile.Entry, error) {
	return []readfile.Entry{{Name: d.name, Kind: readfile.Unknown}}, nil
}
