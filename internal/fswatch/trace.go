package fswatch

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// maxLinks bounds the links on one way, as the kernel does.
const maxLinks = 40

// An inode tells directories apart that have one path at different times. The
// zero inode means unknown.
type inode struct{ dev, ino uint64 }

// A node is what one name on a way is.
type node struct {
	kind   nodeKind
	target string // of a link
	inode  inode  // of a directory
}

type nodeKind uint8

const (
	missing nodeKind = iota
	directory
	file
	link
)

// nodeAt returns the node at path.
func nodeAt(path string) node {
	info, err := os.Lstat(path)
	switch {
	case err != nil:
		return node{}
	case info.IsDir():
		return node{kind: directory, inode: inodeOf(info)}
	case info.Mode()&fs.ModeSymlink != 0:
		target, err := os.Readlink(path)
		if err != nil {
			return node{}
		}
		return node{kind: link, target: target}
	case info.Mode()&fs.ModeIrregular != 0: // a mount point on Windows
		if info, err = os.Stat(path); err == nil && info.IsDir() {
			return node{kind: directory, inode: inodeOf(info)}
		}
	}
	return node{kind: file}
}

// A tracer follows ways name by name as the system does, and tells what it
// passes.
type tracer struct {
	nodes map[string]node     // looked at before
	ends  map[string]endpoint // of ways to directories traced before
	pass  func(dir, name string, n node)
}

// An endpoint is where a way ends: at a directory or file, with links
// resolved, or short of it.
type endpoint struct {
	path string
	node
}

// trace follows the way to path. If shut, a link at its very end is passed and
// not followed.
func (t *tracer) trace(path string, shut bool) endpoint {
	path = filepath.Clean(path)
	w := way{tracer: t, shut: shut}
	if end, ok := t.ends[filepath.Dir(path)]; ok && end.path != path {
		w.at, w.names = end, []string{filepath.Base(path)}
	} else {
		w.restart(path)
	}
	end := w.follow()
	if end.kind == directory {
		t.ends[path] = end
	}
	return end
}

// A way is one being traced.
type way struct {
	*tracer
	at    endpoint
	names []string // still to pass
	links int
	shut  bool
}

// restart begins at the root of path, an absolute path.
func (w *way) restart(path string) {
	volume := filepath.VolumeName(path)
	top := volume + string(filepath.Separator)
	w.at = endpoint{top, w.node(top)}
	w.names = append(split(path[len(volume):]), w.names...)
}

func split(path string) []string {
	return strings.FieldsFunc(path, func(r rune) bool { return r < 0x80 && os.IsPathSeparator(uint8(r)) })
}

func (w *way) follow() endpoint {
	for len(w.names) > 0 {
		name := w.names[0]
		w.names = w.names[1:]
		if !w.step(name) {
			return endpoint{path: w.at.path}
		}
	}
	return w.at
}

// step goes on to name and reports whether it could.
func (w *way) step(name string) bool {
	switch name {
	case ".":
		return true
	case "..":
		up := filepath.Dir(w.at.path)
		w.at = endpoint{up, w.node(up)}
		return true
	}
	path := filepath.Join(w.at.path, name)
	n := w.node(path)
	w.pass(w.at.path, name, n)
	switch last := len(w.names) == 0; {
	case n.kind == directory, n.kind == file && last:
		w.at = endpoint{path, n}
		return true
	case n.kind == link && !(last && w.shut):
		return w.enter(n.target)
	}
	return false
}

// enter goes on to the target of a link at the current place.
func (w *way) enter(target string) bool {
	if w.links++; w.links > maxLinks {
		return false
	}
	if filepath.IsAbs(target) {
		w.restart(target)
		return true
	}
	w.names = append(split(target), w.names...)
	return true
}

func (t *tracer) node(path string) node {
	n, ok := t.nodes[path]
	if !ok {
		n = nodeAt(path)
		t.nodes[path] = n
	}
	return n
}
