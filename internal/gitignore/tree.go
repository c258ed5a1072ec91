package gitignore

import (
	"path/filepath"
	"strings"
	"sync"
)

// What a Tree remembers at most: folders and files together, and rules. Beyond
// it the caches start afresh, so that neither made-up paths nor hostile ignore
// files can fill the memory.
const (
	maxCached      = 4096
	maxCachedRules = 100_000
)

// A Tree tells which folders of a project are ignored (03 §3), safe for
// concurrent use.
//
// It follows the .gitignore files of the root and of every folder on the way
// down, and .git/info/exclude of the root, as git does: deeper files override
// shallower ones, and what lies below an ignored folder cannot be taken out
// again. An inner repository is no boundary. Folders called node_modules or
// .git are ignored whatever the files say. The user's own excludes file is not
// consulted, nor is the exclude file of a linked worktree, which lies outside
// of the project.
type Tree struct {
	root string
	read func(path string) ([]byte, error)

	mu       sync.Mutex
	age      int                 // counts Forget and overflows
	files    map[string]*program // by path; nil for a file without rules
	verdicts map[string]bool     // by folder
	rules    int                 // in all files
}

// NewTree returns the tree below a root folder. Files are read through read,
// which gets root joined with the file's path and should bound what it
// returns; a file that it cannot read holds no rules. Git does not follow
// symbolic links to ignore files, and neither should read.
func NewTree(root string, read func(path string) ([]byte, error)) *Tree {
	t := &Tree{root: root, read: read}
	t.Forget()
	return t
}

// Forget drops what the tree remembers of ignore files.
func (t *Tree) Forget() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.reset()
}

func (t *Tree) reset() {
	t.age++
	t.rules = 0
	t.files = make(map[string]*program)
	t.verdicts = make(map[string]bool)
}

// IgnoredDir reports whether a folder, or any folder above it, is ignored. The
// path is relative to the root and separated by slashes. The root itself is
// not ignored; what is no clean path below the root is, since nothing should
// be looked for there.
func (t *Tree) IgnoredDir(rel string) bool {
	if rel == "" || rel == "." {
		return false
	}
	if !valid(rel) || alwaysIgnored(rel) {
		return true
	}
	for e := (entry{}); e.next(rel); {
		if t.ignored(strings.TrimSuffix(e.path, "/")) {
			return true
		}
	}
	return false
}

// alwaysIgnored reports whether the path goes through a folder that is never
// looked into. Case-insensitive disks reach it by any letter case.
func alwaysIgnored(rel string) bool {
	for name := range strings.SplitSeq(rel, "/") {
		if strings.EqualFold(name, "node_modules") || strings.EqualFold(name, ".git") {
			return true
		}
	}
	return false
}

// ignored decides one folder whose parents are not ignored.
func (t *Tree) ignored(dir string) bool {
	t.mu.Lock()
	verdict, ok := t.verdicts[dir]
	age := t.age
	t.mu.Unlock()
	if ok {
		return verdict
	}
	verdict = t.decide(dir)
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.fits(age) {
		t.verdicts[dir] = verdict
	}
	return verdict
}

// decide asks the ignore files from the nearest to the root's, then the
// exclude file. The first that has a matching rule answers.
func (t *Tree) decide(dir string) bool {
	for base := parent(dir); ; base = parent(base) {
		rel := strings.TrimPrefix(dir[len(base):], "/")
		if r := t.file(base, ".gitignore").lastFor(rel); r != nil {
			return !r.negated
		}
		if base == "" {
			break
		}
	}
	r := t.file("", ".git/info/exclude").lastFor(dir)
	return r != nil && !r.negated
}

// parent returns the folder of a path, "" for one in the root.
func parent(path string) string { return path[:max(strings.LastIndexByte(path, '/'), 0)] }

// lastFor returns the last rule that matches a folder, whose path is relative
// to the ignore file, or nil.
func (p *program) lastFor(dir string) *rule {
	if p == nil {
		return nil
	}
	text := p.mode.text(dir) + "/"
	name := text[strings.LastIndexByte(text[:len(text)-1], '/')+1:]
	steps := purse(maxSteps)
	return p.last(entry{path: text, name: name, depth: strings.Count(text, "/")}, &steps)
}

func (p *program) size() int {
	if p == nil {
		return 0
	}
	return len(p.rules)
}

// file returns the rules of an ignore file in a folder.
func (t *Tree) file(dir, name string) *program {
	path := dir + "/" + name
	t.mu.Lock()
	p, ok := t.files[path]
	age := t.age
	t.mu.Unlock()
	if ok {
		return p
	}
	if data, err := t.read(filepath.Join(t.root, filepath.FromSlash(path))); err == nil {
		p = parseFile(data)
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.fits(age) {
		t.files[path] = p
		t.rules += p.size()
	}
	return p
}

// fits reports whether a result that was begun at the given age may still be
// remembered, and makes room for it.
func (t *Tree) fits(age int) bool {
	if t.age != age {
		return false
	}
	if len(t.files)+len(t.verdicts) >= maxCached || t.rules > maxCachedRules {
		t.reset()
	}
	return true
}
