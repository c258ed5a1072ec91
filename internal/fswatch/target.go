package fswatch

import (
	"context"
	"path/filepath"
	"strings"

	"github.com/seed-12b313d8/skills/internal/readfile"
)

// A Target is one directory that an owner reads. Owners may have several.
type Target struct {
	// ID is the owner: what hints name.
	ID string
	// Root is an absolute path; it may not exist, and links may lead there.
	Root string
	// Match reports whether the content of the file at path matters, from the
	// path alone; nil means that every file does. It is called concurrently.
	Match func(path string) bool
	// List returns the directories that matter now, Root among them, in an
	// order that depends only on what is there. Where Root does not exist it
	// returns none. If List is nil, Root alone matters, and no folder in it.
	List func(ctx context.Context) []Dir
}

// A Dir is a directory that matters to a target.
type Dir struct {
	// Path is absolute; links may lead there. It may also be that of a file:
	// then the way to it is watched, and its content matters.
	Path string
	// Leaf says that folders in it do not matter.
	Leaf bool
	// Shut says that the entry itself matters, but not where it leads to.
	Shut bool
	// Files are those in it that matter, for polling and fingerprints.
	Files []File
}

// A File is one whose content matters. Name is relative to its [Dir].
type File struct {
	Name string
	ID   readfile.ID
}

const skillFile = "SKILL.md"

// A Walk says how far a target is listed.
type Walk struct {
	// Depth is the number of folder levels as package scan counts them.
	Depth int
	// Confine is a directory that links must not leave; "" lets them. A link
	// that does is watched itself, and not followed.
	Confine string
}

// Skills returns the target of a skills directory: SKILL.md in the folders of
// the given depth, none below a folder that has one (01 §5). In a folder of the
// first level without one, a plugin's manifest matters too; what the plugin
// holds is for targets of its own.
func Skills(id, root string, w Walk) Target {
	return Target{ID: id, Root: root, Match: IsSkill, List: func(ctx context.Context) []Dir {
		l := lister{ctx: ctx, match: IsSkill, depth: w.Depth, probe: skillFile, skip: func(string) bool { return false }}
		return l.list(root, w.Confine, 0)
	}}
}

// Commands returns the target of a commands directory: Markdown files in all
// folders but dot folders and node_modules (01 §5).
func Commands(id, root string, w Walk) Target {
	return Target{ID: id, Root: root, Match: IsCommand, List: func(ctx context.Context) []Dir {
		l := lister{ctx: ctx, match: IsCommand, depth: w.Depth, skip: skipped}
		return l.list(root, w.Confine, 1)
	}}
}

// OneFile returns the target of a single file, which may not exist.
func OneFile(id, path string) Target {
	return Target{ID: id, Root: path, List: func(context.Context) []Dir {
		dirs := []Dir{{Path: path, Leaf: true}}
		dir, name := filepath.Split(path)
		d, err := readfile.OpenDir(dir)
		if err != nil {
			return dirs
		}
		defer d.Close()
		if file, err := d.Stat(name); err == nil {
			dirs = append(dirs, Dir{Path: filepath.Clean(dir), Leaf: true, Files: []File{{name, file}}})
		}
		return dirs
	}}
}

// IsSkill reports whether the path is that of a SKILL.md, in any case (01 R9).
func IsSkill(path string) bool { return strings.EqualFold(filepath.Base(path), skillFile) }

// IsCommand reports whether the path is that of a Markdown file.
func IsCommand(path string) bool { return strings.EqualFold(filepath.Ext(path), ".md") }

// skipped names folders that hold no commands.
func skipped(name string) bool {
	return name == "node_modules" || name == "CVS" || strings.HasPrefix(name, ".")
}

// list returns the directories of t.
func (t *Target) list(ctx context.Context) []Dir {
	if t.List != nil {
		return t.List(ctx)
	}
	l := lister{ctx: ctx, match: t.matches, skip: func(string) bool { return true }}
	return l.list(t.Root, "", 0)
}

func (t *Target) matches(path string) bool { return t.Match == nil || t.Match(path) }
