package fswatch

import (
	"context"
	"os"
	"path/filepath"

	"github.com/seed-12b313d8/skills/internal/paths"
	"github.com/seed-12b313d8/skills/internal/readfile"
)

const (
	// maxEntries bounds the entries of one directory, as a scan does.
	maxEntries = 200_000

	// maxDirs bounds the directories of one target. It lies far above what
	// can be watched; polling goes as far.
	maxDirs = 50_000
)

// A lister lists the directories of one target.
type lister struct {
	ctx   context.Context
	match func(path string) bool
	skip  func(name string) bool
	depth int    // levels of folders
	probe string // if set: a folder with a match is a leaf, and mostly it is this name

	confine string // with links resolved, or ""
	seen    map[string]bool
	dirs    []Dir
}

// list lists root, which is at the given level.
func (l *lister) list(root, confine string, level int) []Dir {
	l.seen = make(map[string]bool)
	real, err := filepath.EvalSymlinks(root)
	if err != nil {
		return nil
	}
	if confine != "" {
		if l.confine, err = filepath.EvalSymlinks(confine); err != nil {
			l.confine = confine
		}
		if l.outside(real) {
			return []Dir{{Path: root, Shut: true}}
		}
	}
	l.visit([]folder{{Dir: Dir{Path: root}, real: real}}, level)
	return l.dirs
}

func (l *lister) outside(real string) bool { return l.confine != "" && !paths.Within(l.confine, real) }

// visit lists the folders, and what is below them level by level, each real one
// once, where it is nearest to the root: links can neither lead in circles nor
// multiply work.
func (l *lister) visit(folders []folder, level int) {
	for ; len(folders) > 0; level++ {
		var below []folder
		for _, f := range folders {
			if l.ctx.Err() != nil || len(l.dirs) >= maxDirs {
				return
			}
			if f.Shut || f.Files != nil || l.seen[f.real] {
				f.Leaf = true // or else the folders in it count where it was seen
				l.dirs = append(l.dirs, f.Dir)
				continue
			}
			l.seen[f.real] = f.real != ""
			below = append(below, l.folder(f, level)...)
		}
		folders = below
	}
}

// folder lists one folder, and returns those in it.
func (l *lister) folder(f folder, level int) []folder {
	c := contents{lister: l, real: f.real, dir: Dir{Path: f.Path, Leaf: level >= l.depth}}
	c.read()
	skill := l.probe != "" && level > 0 && len(c.dir.Files) > 0
	c.dir.Leaf = c.dir.Leaf || skill
	l.dirs = append(append(l.dirs, c.dir), c.links...)
	if l.probe != "" && level == 1 && !skill {
		l.manifest(f.Path)
	}
	if skill {
		return nil
	}
	return c.folders
}

// manifest adds the file that makes a plugin of the folder at path, be it there
// or not (06 §1).
func (l *lister) manifest(path string) {
	const name = "plugin.json"
	path = filepath.Join(path, ".claude-plugin")
	l.dirs = append(l.dirs, Dir{Path: filepath.Join(path, name), Leaf: true})
	d, err := readfile.OpenDir(path)
	if err != nil {
		return
	}
	defer d.Close()
	if id, err := d.Stat(name); err == nil {
		l.dirs = append(l.dirs, Dir{Path: path, Leaf: true, Files: []File{{name, id}}})
	}
}

// contents is what one folder holds.
type contents struct {
	*lister
	real    string
	dir     Dir
	links   []Dir // to files that matter
	folders []folder
}

// A folder is one in another folder. If it has files, it was listed already.
type folder struct {
	Dir
	real string // with links resolved; "" if they lead nowhere
}

func (c *contents) read() {
	d, err := readfile.OpenDir(c.dir.Path)
	if err != nil {
		return
	}
	defer d.Close()
	entries, _ := d.Entries(maxEntries) // what cannot be read does not matter
	for _, e := range entries {
		path := c.dir.Path + string(filepath.Separator) + e.Name
		matters := false
		switch e.Kind {
		case readfile.File:
			matters = c.match(path)
		case readfile.Directory:
			if c.enters(e.Name) {
				c.folders = append(c.folders, folder{Dir: c.sound(d, path, e.Name), real: c.real + string(filepath.Separator) + e.Name})
			}
		case readfile.Symlink, readfile.Unknown:
			matters = c.follow(path, e.Name)
		}
		if matters {
			id, _ := d.Stat(e.Name)
			c.dir.Files = append(c.dir.Files, File{e.Name, id})
		}
	}
}

// enters reports whether a folder called name matters.
func (c *contents) enters(name string) bool { return !c.dir.Leaf && !c.skip(name) }

// sound returns the folder called name, with its files if it has one with the
// usual name: then it need not be listed, however much is in it.
func (c *contents) sound(d *readfile.Dir, path, name string) Dir {
	dir := Dir{Path: path}
	if c.probe == "" {
		return dir
	}
	file := string(filepath.Separator) + c.probe
	if info, err := os.Lstat(path + file); err != nil || !info.Mode().IsRegular() {
		return dir // a link is for read to follow
	}
	if id, err := d.Stat(name + file); err == nil {
		dir.Leaf, dir.Files = true, []File{{c.probe, id}}
	}
	return dir
}

// follow deals with a link, and reports whether it leads to a file that
// matters. A link that leads nowhere yet may lead to a file or a folder later.
func (c *contents) follow(path, name string) bool {
	matters, folders := c.match(path), c.enters(name)
	if !matters && !folders {
		return false
	}
	way := Dir{Path: path, Leaf: true}
	real, err := filepath.EvalSymlinks(path)
	if err == nil {
		way.Shut = c.outside(real)
	}
	info, err := os.Stat(path)
	isFile := err == nil && !info.IsDir()
	byName := matters && c.probe == "" // a command is one by its name
	if matters && (isFile || byName || err != nil) {
		c.links = append(c.links, way)
	}
	if folders && !isFile && !byName {
		c.folders = append(c.folders, folder{Dir: way, real: real})
	}
	return matters && isFile && info.Mode().IsRegular() && !way.Shut
}
