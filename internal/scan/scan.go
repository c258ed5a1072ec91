// Package scan finds the skill files below one directory and reads the
// beginning of each (01 §5). It knows layouts, links and limits, but nothing of
// what is in the files.
package scan

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/seed-12b313d8/skills/internal/readfile"
)

// A Tree is what a scan reads: the disk, an fs.FS, or a test's faulty disk. It
// is safe for concurrent use.
type Tree interface {
	OpenDir(path string) (Dir, error)
	// Real returns path with all links resolved.
	Real(path string) (string, error)
}

// A Dir is an open directory as in package readfile, safe for concurrent use.
type Dir interface {
	Head(name string, buf []byte, limit int64, nofollow bool) (readfile.Head, error)
	Stat(name string) (readfile.ID, error)
	Entries(max int) ([]readfile.Entry, error)
	Close() error
}

// Options says what to look for. All fields but Confine and Known must be set.
type Options struct {
	// Commands reads every .md file below the root instead of the SKILL.md
	// of each folder.
	Commands bool
	// MaxDepth is the number of folder levels.
	MaxDepth int
	// MaxFiles is where the scan stops; it may deliver somewhat more.
	MaxFiles int
	// MaxSize is the largest size of a file in bytes.
	MaxSize int64
	// Confine is a directory that links must not leave; "" lets them.
	Confine string
	// Known, if set, says that the caller has this version of the file at
	// path already; then it is not read. It is called concurrently.
	Known func(path string, id readfile.ID) bool
	// Plugin, if set, is called for each folder right below the root that
	// has no SKILL.md and is a plugin (01 §5), after all files, in order of
	// names. Without it such a folder is like any other.
	Plugin func(name, path string)
}

// A File is one skill file that was found.
type File struct {
	Seq  int    // files with smaller Seq come first, then by Name
	Name string // invocation name: folders joined by ":"
	Path string // as found
	Real string // with links resolved, except in a known SKILL.md that is a link itself
	// Head is the beginning of the file, valid until the visitor returns.
	// If Known said so, Data is nil and only ID is set.
	Head readfile.Head
}

// A Problem is something found that is not, or not quite, a skill.
type Problem struct {
	Code     string
	Name     string // the skill's name, or ""
	Path     string
	Msg      string
	Hint     string
	Error    bool // a skill is missing because of it
	Truncate bool // the scan stopped early
}

const (
	skillFile = "SKILL.md"

	// maxEntries bounds one directory. It is far above MaxFiles, since most
	// entries of a crowded directory may be no skills.
	maxEntries = 200_000

	// maxProbes bounds the look for skills that lie too deep.
	maxProbes = 1_000

	// headSize is the buffer of one read: a header of the largest size that
	// is allowed, its fences, and the first lines of the body.
	headSize = 72 << 10

	// chunk is how many entries are read before the limit is checked.
	chunk = 2048
)

type scanner struct {
	Options
	tree     Tree
	dir      Dir
	root     string // as given
	real     string // of root
	confined string // real path of Confine, or ""
	visitor  func() func(*File)

	found   atomic.Int64
	full    bool      // enough files are found
	workers []*worker // made when first needed, and kept

	mu       sync.Mutex // guards what follows
	problems []Problem
	panicked error
}

// Scan reads the directory root and hands every skill file to a visitor. Each
// of the visitors that visitor makes is used by one goroutine at a time. A root
// that does not exist holds nothing. An error means that the root, or the rest
// of it, cannot be read; what is wrong with single entries is a Problem.
// Problems are sorted by path.
func Scan(ctx context.Context, t Tree, root string, o Options, visitor func() func(*File)) ([]Problem, error) {
	s := &scanner{Options: o, tree: t, root: root, visitor: visitor}
	err := s.scan(ctx)
	slices.SortFunc(s.problems, func(a, b Problem) int {
		if c := strings.Compare(a.Path, b.Path); c != 0 {
			return c
		}
		return strings.Compare(a.Code, b.Code)
	})
	return s.problems, err
}

func (s *scanner) scan(ctx context.Context) error {
	var err error
	if s.real, err = s.tree.Real(s.root); err != nil {
		d, openErr := s.tree.OpenDir(s.root)
		if openErr != nil {
			return s.noRoot(openErr)
		}
		d.Close()
		return err // it is there, and yet it is not
	}
	if s.Confine != "" {
		if s.confined, err = s.tree.Real(s.Confine); err != nil {
			return err
		}
		if s.outside(s.real) {
			s.escapes(s.root, s.real, "")
			return nil
		}
	}
	dir, err := s.openReal(s.real)
	if err != nil {
		return s.noRoot(err)
	}
	defer dir.Close()
	s.dir = dir
	entries, err := dir.Entries(maxEntries)
	if errors.Is(err, readfile.ErrTooMany) {
		s.truncated(s.root, "the directory has more entries than are read")
		err = nil
	}
	if s.Commands {
		return errors.Join(err, s.commands(ctx, entries))
	}
	s.flatFiles(entries)
	return errors.Join(err, s.folders(ctx, entries))
}

// A confinedTree is a [Tree] that can open a directory in a way that does not
// leave another one, even if links are swapped meanwhile.
type confinedTree interface {
	OpenDirIn(root, name string) (Dir, error)
}

// openReal opens the directory at a path without links, which was found to lie
// inside the confines.
func (s *scanner) openReal(real string) (Dir, error) {
	t, ok := s.tree.(confinedTree)
	if s.confined == "" || !ok {
		return s.tree.OpenDir(real)
	}
	rel, err := filepath.Rel(s.confined, real)
	if err != nil {
		return nil, err
	}
	return t.OpenDirIn(s.confined, rel)
}

// noRoot says what an unopenable root means: nothing if it is not there.
func (s *scanner) noRoot(err error) error {
	switch {
	case errors.Is(err, fs.ErrNotExist):
		s.danglingRoot(err)
		return nil
	case isNotDir(err):
		s.rootIsFile()
		return nil
	}
	return err
}

// danglingRoot reports a root that is there as a link and leads to nothing.
func (s *scanner) danglingRoot(cause error) {
	d, err := s.tree.OpenDir(filepath.Dir(s.root))
	if err != nil {
		return
	}
	defer d.Close()
	if _, err = d.Head(filepath.Base(s.root), nil, s.MaxSize, true); errors.Is(err, readfile.ErrSymlink) {
		s.dangling(s.root, cause)
	}
}

// rootIsFile reports a root that is a file: where links are not supported, git
// leaves a text file with the link's target (01 R10).
func (s *scanner) rootIsFile() {
	d, err := s.tree.OpenDir(filepath.Dir(s.root))
	if err != nil {
		return // some parent is a file: there is no root
	}
	defer d.Close()
	h, err := d.Head(filepath.Base(s.root), make([]byte, maxLinkText), s.MaxSize, false)
	if err == nil && h.Complete && s.linkText(filepath.Dir(s.root), h.Data) != "" {
		s.report(unmaterialised(s.root, "", h.Data))
		return
	}
	s.report(Problem{
		Code: "not-a-directory", Path: s.root, Error: true,
		Msg: "a directory was expected here, and this is a file", Hint: "put a directory here, or remove the file",
	})
}

// each calls f for all items, in parallel and in chunks, until enough files
// are found or ctx ends.
func each[T any](ctx context.Context, s *scanner, items []T, f func(*worker, int, T)) error {
	workers := s.team(len(items))
	for start := 0; start < len(items) && !s.full; start += chunk {
		if s.full = start > 0 && s.found.Load() >= int64(s.MaxFiles); s.full {
			s.truncated(s.root, "the directory holds more skills than are read")
			return nil
		}
		var next atomic.Int64
		part := items[start:min(start+chunk, len(items))]
		run := func(w *worker) {
			defer s.recovered()
			for ctx.Err() == nil {
				n := int(next.Add(1)) - 1
				if n >= len(part) {
					return
				}
				f(w, start+n, part[n])
			}
		}
		var wg sync.WaitGroup
		for _, w := range workers[1:] {
			wg.Go(func() { run(w) })
		}
		run(workers[0])
		wg.Wait()
		if s.panicked != nil {
			return s.panicked
		}
	}
	return ctx.Err()
}

// recovered keeps a panic of a Tree or visitor as the error of the scan.
func (s *scanner) recovered() {
	if p := recover(); p != nil {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.panicked = fmt.Errorf("panic while reading: %v", p)
	}
}

// team returns the workers for n items, at least one.
func (s *scanner) team(n int) []*worker {
	size := max(1, min(runtime.GOMAXPROCS(0), 8, n/8))
	for len(s.workers) < size {
		s.workers = append(s.workers, s.newWorker())
	}
	return s.workers[:size]
}

// A worker is what one goroutine at a time needs to read files.
type worker struct {
	*scanner
	buf   []byte
	visit func(*File)
	file  File // handed to visit; one for all
}

func (s *scanner) newWorker() *worker {
	return &worker{scanner: s, buf: make([]byte, headSize), visit: s.visitor()}
}

// read reads name, relative to the root, and visits it. The error is of the
// file itself; ErrSymlink means that the way to it leads through a link.
func (w *worker) read(seq int, name, path string) error {
	if w.Known != nil {
		if id, err := w.dir.Stat(name); err == nil && w.Known(path, id) {
			w.emit(seq, path, "", readfile.Head{ID: id})
			return nil
		}
	}
	h, err := w.dir.Head(name, w.buf, w.MaxSize, true)
	if err != nil {
		return err
	}
	w.emit(seq, path, "", h)
	return nil
}

// listed reads a file that a directory lists. e.Name is relative to the root;
// e is a link if any part of the way to it is.
func (w *worker) listed(seq int, e readfile.Entry) {
	path := w.root + string(filepath.Separator) + e.Name
	err := readfile.ErrSymlink
	if e.Kind != readfile.Symlink {
		err = w.read(seq, e.Name, path)
	}
	switch {
	case err == nil:
	case errors.Is(err, readfile.ErrSymlink):
		w.throughLink(seq, path)
	default:
		w.unreadable(path, err)
	}
}

func (w *worker) throughLink(seq int, path string) {
	real, err := w.tree.Real(path)
	if err != nil {
		w.dangling(path, err)
		return
	}
	w.readLinked(seq, path, real)
}

// readLinked reads the file at real, to which links at path lead.
func (w *worker) readLinked(seq int, path, real string) {
	if w.outside(real) {
		w.escapes(path, real, w.nameOf(path))
		return
	}
	d, err := w.openReal(filepath.Dir(real))
	if err != nil {
		w.unreadable(path, err)
		return
	}
	defer d.Close()
	base := filepath.Base(real)
	if w.Known != nil {
		if id, err := d.Stat(base); err == nil && w.Known(path, id) {
			w.emit(seq, path, real, readfile.Head{ID: id})
			return
		}
	}
	h, err := d.Head(base, w.buf, w.MaxSize, true)
	if err != nil {
		w.unreadable(path, err)
		return
	}
	w.emit(seq, path, real, h)
}

// emit visits the file at path. An empty real means that no link but the root
// itself leads to it.
func (w *worker) emit(seq int, path, real string, h readfile.Head) {
	name := w.nameOf(path)
	if h.Complete && len(h.Data) <= maxLinkText && w.linkText(filepath.Dir(path), h.Data) != "" {
		w.report(unmaterialised(path, name, h.Data))
		return
	}
	if real == "" {
		real = path
		if w.real != w.root {
			real = w.real + path[len(w.root):]
		}
	}
	w.found.Add(1)
	w.file = File{Seq: seq, Name: name, Path: path, Real: real, Head: h}
	w.visit(&w.file)
}

// nameOf returns the invocation name of the file at path: the folders below
// the root joined by ":", for commands with the file's own name.
func (s *scanner) nameOf(path string) string {
	rel := strings.TrimPrefix(path[len(s.root):], string(filepath.Separator))
	rel = strings.TrimPrefix(rel, "/")
	if s.Commands {
		rel = rel[:len(rel)-len(filepath.Ext(rel))]
	} else {
		rel = filepath.Dir(rel)
	}
	if strings.ContainsAny(rel, `/\`) {
		return strings.ReplaceAll(filepath.ToSlash(rel), "/", ":")
	}
	return rel
}

func (s *scanner) join(rel string) string {
	return s.root + string(filepath.Separator) + filepath.FromSlash(rel)
}

// outside reports whether links must not lead to the real path.
func (s *scanner) outside(real string) bool {
	return s.confined != "" && !inside(s.confined, real)
}

// inside reports whether path is dir or below it; both are real.
func inside(dir, path string) bool {
	rel, err := filepath.Rel(dir, path)
	return err == nil && filepath.IsLocal(rel)
}
