package scan

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/seed-12b313d8/skills/internal/readfile"
)

// flatFiles reports Markdown files that lie beside the skill folders.
func (s *scanner) flatFiles(entries []readfile.Entry) {
	for _, e := range entries {
		if e.Kind == readfile.File && isMarkdown(e.Name) {
			s.flatFile(e.Name)
		}
	}
}

func (s *scanner) flatFile(file string) {
	name := strings.TrimSuffix(file, filepath.Ext(file))
	s.report(Problem{
		Code: "flat-file", Name: name, Path: s.join(file), Error: true,
		Msg: "a skill needs a folder of its own", Hint: "move it to " + s.join(name+"/"+skillFile),
	})
}

// A folder may hold a skill, or further folders.
type folder struct {
	seq  int    // of the root's entry it lies in
	rel  string // path below the root
	link bool   // it is a link, or lies below one
	real string // where links lead to, once that is known; otherwise ""
}

// place is where to open f.
func (s *scanner) place(f folder) string {
	if f.real != "" {
		return f.real
	}
	return s.join(f.rel)
}

// A folderWalk looks for skills level by level. What one level leaves for the
// next is put in order before it is taken up, so that the result does not
// depend on which goroutine was faster.
type folderWalk struct {
	*scanner
	depth int             // of the level being looked at, from 1
	seen  map[string]bool // real folders that links led to

	mu     sync.Mutex // guards what follows
	below  []folder   // in folders without a skill: the next level
	linked []folder   // links to folders without a SKILL.md
	lost   []folder   // folders without a skill that the scan ends at

	plugins []folder // folders that are plugins
}

// folders looks for skills in the entries of the root and below them, as deep
// as the options allow (01 §5).
func (s *scanner) folders(ctx context.Context, entries []readfile.Entry) error {
	w := folderWalk{scanner: s, seen: map[string]bool{s.real: true}}
	level := subfolders(nil, folder{}, entries)
	for w.depth = 1; len(level) > 0; w.depth++ {
		if err := each(ctx, s, level, w.probe); err != nil {
			return err
		}
		if err := each(ctx, s, w.unseen(), w.list); err != nil {
			return err
		}
		slices.SortFunc(w.below, byPlace)
		level, w.below = w.below, nil
	}
	w.tooDeep(ctx)
	w.reportPlugins()
	return ctx.Err()
}

// subfolders appends to list what may be a folder among the entries of f.
func subfolders(list []folder, f folder, entries []readfile.Entry) []folder {
	for i, e := range entries {
		if e.Kind == readfile.File || e.Kind == readfile.Other {
			continue
		}
		sub := folder{seq: i, rel: e.Name, link: f.link || e.Kind == readfile.Symlink}
		if f.rel != "" {
			sub.seq, sub.rel = f.seq, f.rel+string(filepath.Separator)+e.Name
		}
		list = append(list, sub)
	}
	return list
}

func byPlace(a, b folder) int {
	return cmp.Or(cmp.Compare(a.seq, b.seq), strings.Compare(a.rel, b.rel))
}

// probe looks for a SKILL.md in f.
func (fw *folderWalk) probe(w *worker, _ int, f folder) {
	path := w.root + string(filepath.Separator) + f.rel + string(filepath.Separator) + skillFile
	if f.link {
		fw.follow(w, f, path)
		return
	}
	switch err := w.read(f.seq, path[len(w.root)+1:], path); {
	case err == nil:
	case errors.Is(err, readfile.ErrSymlink):
		fw.follow(w, f, path)
	case errors.Is(err, fs.ErrNotExist):
		fw.list(w, 0, f)
	case isNotDir(err):
		// an entry of unknown kind that is no folder
	default:
		w.unreadable(path, err)
	}
}

// follow reads a SKILL.md that a link leads to: the folder's, or the file's.
func (fw *folderWalk) follow(w *worker, f folder, path string) {
	real, err := w.tree.Real(path)
	if err == nil && !w.outside(real) {
		w.readLinked(f.seq, path, real)
		return
	}
	at := w.join(f.rel)
	realFolder, folderErr := w.tree.Real(at)
	switch {
	case folderErr != nil:
		w.dangling(at, folderErr)
	case w.outside(realFolder):
		w.escapes(at, realFolder, w.nameOf(path))
	case err == nil:
		w.escapes(path, real, w.nameOf(path))
	case errors.Is(err, fs.ErrNotExist):
		f.real = realFolder
		fw.mu.Lock()
		fw.linked = append(fw.linked, f)
		fw.mu.Unlock()
	case isNotDir(err) && w.isFile(realFolder):
		if fw.depth == 1 && isMarkdown(f.rel) {
			w.flatFile(f.rel)
		}
	default:
		w.dangling(path, err)
	}
}

// isFile reports whether the path leads to something that is no directory.
func (s *scanner) isFile(path string) bool {
	d, err := s.tree.OpenDir(path)
	if err != nil {
		return isNotDir(err)
	}
	d.Close()
	return false
}

// unseen returns the folders that links led to since it was last called, each
// real one once in all: links can neither lead in circles nor multiply work.
func (fw *folderWalk) unseen() []folder {
	list := fw.linked
	fw.linked = nil
	slices.SortFunc(list, byPlace)
	return slices.DeleteFunc(list, func(f folder) bool {
		was := fw.seen[f.real]
		fw.seen[f.real] = true
		return was
	})
}

// list deals with a folder in which no SKILL.md could be opened: there may be
// one that came later, another spelling of the name, or further folders.
func (fw *folderWalk) list(w *worker, _ int, f folder) {
	entries := w.entries(w.place(f))
	if e, ok := skillAmong(entries); ok {
		rel := f.rel + string(filepath.Separator) + e.Name
		if e.Name != skillFile {
			w.otherCase(rel)
		}
		if e.Name = rel; f.link {
			e.Kind = readfile.Symlink
		}
		w.listed(f.seq, e)
		return
	}
	isPlugin := w.Plugin != nil && fw.depth == 1 && slices.ContainsFunc(entries, isManifestFolder) && w.hasManifest(w.place(f))
	fw.mu.Lock()
	defer fw.mu.Unlock()
	switch {
	case isPlugin:
		fw.plugins = append(fw.plugins, f)
	case fw.depth < w.MaxDepth:
		fw.below = subfolders(fw.below, f, entries)
	case slices.ContainsFunc(entries, isDirectory):
		fw.lost = append(fw.lost, f)
	}
}

// manifestFolder is where a plugin has its plugin.json.
const manifestFolder = ".claude-plugin"

func isManifestFolder(e readfile.Entry) bool { return e.Name == manifestFolder }

// hasManifest reports whether the folder at path holds a plugin's manifest.
func (s *scanner) hasManifest(path string) bool {
	return slices.ContainsFunc(s.peek(filepath.Join(path, manifestFolder)), func(e readfile.Entry) bool { return e.Name == "plugin.json" })
}

// reportPlugins hands the plugin folders to the caller.
func (fw *folderWalk) reportPlugins() {
	slices.SortFunc(fw.plugins, byPlace)
	for _, f := range fw.plugins {
		fw.Plugin(f.rel, fw.join(f.rel))
	}
}

func isDirectory(e readfile.Entry) bool { return e.Kind == readfile.Directory }

// skillAmong returns the entry called SKILL.md, or else the first that is in
// another case (01 R9).
func skillAmong(entries []readfile.Entry) (readfile.Entry, bool) {
	i := slices.IndexFunc(entries, func(e readfile.Entry) bool { return e.Name == skillFile })
	if i < 0 {
		i = slices.IndexFunc(entries, isSkillFile)
	}
	if i < 0 {
		return readfile.Entry{}, false
	}
	return entries[i], true
}

func isSkillFile(e readfile.Entry) bool { return strings.EqualFold(e.Name, skillFile) }

// otherCase reports skill.md, Skill.md and the like (01 R9).
func (w *worker) otherCase(rel string) {
	path := w.join(rel)
	w.report(Problem{
		Code: "filename-case", Name: w.nameOf(path), Path: path,
		Msg: "the file is called " + filepath.Base(rel), Hint: "rename it to " + skillFile + "; some programs read only that",
	})
}

// entries returns the entries of a folder. One that cannot be read is reported
// and counts as empty.
func (s *scanner) entries(path string) []readfile.Entry {
	d, err := s.tree.OpenDir(path)
	if err != nil {
		if !isNotDir(err) {
			s.unreadable(path, err)
		}
		return nil
	}
	defer d.Close()
	entries, err := d.Entries(maxEntries)
	if err != nil {
		s.unreadable(path, err)
	}
	return entries
}

// maxBelow is how many levels below the scan are searched for lost skills.
const maxBelow = 3

// tooDeep reports skills that lie deeper than the scan goes (01 §5), one for
// each folder that it ends at. It looks into a bounded number of folders.
func (fw *folderWalk) tooDeep(ctx context.Context) {
	slices.SortFunc(fw.lost, byPlace)
	probes := maxProbes
	for _, f := range fw.lost[:min(len(fw.lost), maxProbes)] {
		if probes <= 0 || ctx.Err() != nil {
			return
		}
		fw.deeper(f.rel, fw.place(f), maxBelow, &probes)
	}
}

// deeper looks for a skill in the folders of the one at path, called rel, and
// below them.
func (s *scanner) deeper(rel, path string, levels int, probes *int) (found bool) {
	entries := s.peek(path)
	if i := slices.IndexFunc(entries, func(e readfile.Entry) bool { return e.Kind == readfile.File && isSkillFile(e) }); i >= 0 {
		at := s.join(rel + "/" + entries[i].Name)
		s.report(Problem{
			Code: "too-deep", Name: s.nameOf(at), Path: at, Error: true,
			Msg: "the skill lies deeper than skills are looked for", Hint: "move its folder up, or raise MaxDepth",
		})
		return true
	}
	for _, e := range entries {
		if levels == 0 || !isDirectory(e) || strings.HasPrefix(e.Name, ".") || e.Name == "node_modules" {
			continue
		}
		if *probes--; *probes < 0 {
			return false
		}
		if s.deeper(rel+"/"+e.Name, path+string(filepath.Separator)+e.Name, levels-1, probes) {
			return true
		}
	}
	return false
}

// peek returns the entries of a folder that is none of the scan's: what keeps
// it from being read is no defect.
func (s *scanner) peek(path string) []readfile.Entry {
	d, err := s.tree.OpenDir(path)
	if err != nil {
		return nil
	}
	defer d.Close()
	entries, _ := d.Entries(maxEntries)
	return entries
}
