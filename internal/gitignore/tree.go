package gitignore

import (
	"context"
	"errors"
	"path/filepath"
	"strings"
	"sync"
)

// What a Tree remembers at most, and what one question may cost: neither
// made-up paths nor hostile ignore files fill the memory or take long. Beyond
// the bounds of a question folders count as ignored.
const (
	maxCached      = 4096
	maxCachedRules = 100_000
	maxAskedRules  = 400_000   // held at a time
	maxAskedSteps  = 4_000_000 // rules looked at
)

// ErrTooLarge is what a Tree's read function returns, perhaps wrapped, for an
// ignore file that is too large to be read.
var ErrTooLarge = errors.New("the ignore file is too large")

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
//
// Where an ignore file is too large, or all together cost too much, the folders
// they are about count as ignored.
type Tree struct {
	root string
	read func(path string) ([]byte, error)

	mu       sync.Mutex
	age      int                 // counts Forget
	files    map[string]*program // by path; nil for a file without rules
	verdicts map[string]Verdict  // by folder
	rules    int                 // in all files
}

// A Verdict is the answer for one folder. Problem says why it is no honest
// answer, and is "" mostly.
type Verdict struct {
	Ignored bool
	Problem string
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

// Forget drops what the tree remembers.
func (t *Tree) Forget() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.age++
	t.rules = 0
	t.files = make(map[string]*program)
	t.verdicts = make(map[string]Verdict)
}

// IgnoredDir reports whether a folder, or any folder above it, is ignored. The
// path is relative to the root and separated by slashes. The root itself is
// not ignored; what is no clean path below the root is, since nothing should
// be looked for there.
func (t *Tree) IgnoredDir(rel string) bool {
	return t.IgnoredDirs(context.Background(), []string{rel})[0].Ignored
}

// IgnoredDirs is IgnoredDir for several folders at once, which then share the
// bounds of one question. When ctx ends the rest counts as ignored.
func (t *Tree) IgnoredDirs(ctx context.Context, rels []string) []Verdict {
	q := inquiry{Tree: t, ctx: ctx, held: make(map[string]*program), steps: maxAskedSteps}
	out := make([]Verdict, len(rels))
	for i, rel := range rels {
		out[i] = q.ask(rel)
	}
	return out
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

// An inquiry is what answering holds while it lasts.
type inquiry struct {
	*Tree
	ctx   context.Context
	held  map[string]*program // ignore files, whatever the Tree remembers
	rules int                 // in held
	steps int                 // rules that may still be looked at
}

func (q *inquiry) ask(rel string) Verdict {
	if rel == "" || rel == "." {
		return Verdict{}
	}
	if !valid(rel) || alwaysIgnored(rel) {
		return Verdict{Ignored: true}
	}
	for e := (entry{}); e.next(rel); {
		if v := q.verdict(strings.TrimSuffix(e.path, "/")); v.Ignored {
			return v
		}
	}
	return Verdict{}
}

// verdict decides one folder whose parents are not ignored.
func (q *inquiry) verdict(dir string) Verdict {
	q.mu.Lock()
	v, ok := q.verdicts[dir]
	age := q.age
	q.mu.Unlock()
	if ok {
		return v
	}
	v = q.decide(dir)
	if q.exhausted() != "" {
		return v // another question may get further
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.age == age {
		if len(q.verdicts) >= maxCached {
			clear(q.verdicts)
		}
		q.verdicts[dir] = v
	}
	return v
}

// exhausted says which bound of the question is exceeded, "" for none.
func (q *inquiry) exhausted() string {
	switch {
	case q.ctx.Err() != nil:
		return "there was no time to read the ignore files: " + q.ctx.Err().Error()
	case q.steps < 0 || q.rules > maxAskedRules:
		return "the ignore files above it hold more rules than are looked at"
	}
	return ""
}

// decide asks the ignore files from the nearest to the root's, then the
// exclude file. The first that has a matching rule answers.
func (q *inquiry) decide(dir string) Verdict {
	for base := parent(dir); ; base = parent(base) {
		rel := strings.TrimPrefix(dir[len(base):], "/")
		if v, ok := q.consult(base, ".gitignore", rel); ok {
			return v
		}
		if base == "" {
			break
		}
	}
	v, _ := q.consult("", ".git/info/exclude", dir)
	return v
}

// consult asks one file about dir, a path relative to its folder.
func (q *inquiry) consult(base, name, dir string) (v Verdict, ok bool) {
	p := q.file(base, name)
	if problem := q.exhausted(); problem != "" {
		return Verdict{true, problem}, true
	}
	if p != nil && p.cut {
		return Verdict{true, strings.TrimPrefix(base+"/"+name, "/") + " is larger than is read"}, true
	}
	q.steps -= p.size()
	if r := p.lastFor(dir); r != nil {
		return Verdict{Ignored: !r.negated}, true
	}
	return Verdict{}, false
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
func (q *inquiry) file(dir, name string) *program {
	path := dir + "/" + name
	if p, ok := q.held[path]; ok {
		return p
	}
	q.mu.Lock()
	p, ok := q.files[path]
	age := q.age
	q.mu.Unlock()
	if !ok {
		p = q.load(path)
		q.remember(path, p, age)
	}
	q.held[path] = p
	q.rules += p.size()
	return p
}

func (t *Tree) load(path string) *program {
	data, err := t.read(filepath.Join(t.root, filepath.FromSlash(path)))
	switch {
	case errors.Is(err, ErrTooLarge):
		return &program{mode: octets, scope: oneEntry, cut: true}
	case err != nil:
		return nil
	}
	return parseFile(data)
}

// remember keeps a file that was read at the given age, if there is room.
func (t *Tree) remember(path string, p *program, age int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.age != age {
		return
	}
	if len(t.files) >= maxCached || t.rules+p.size() > maxCachedRules {
		clear(t.files)
		t.rules = 0
	}
	t.files[path] = p
	t.rules += p.size()
}
