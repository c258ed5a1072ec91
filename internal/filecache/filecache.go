// Package filecache remembers what each file of one directory amounts to, and
// parses only those that changed since (01 R2). It does not know what that is.
package filecache

import (
	"cmp"
	"context"
	"hash/maphash"
	"slices"
	"strings"
	"sync"

	"github.com/seed-12b313d8/skills/internal/readfile"
	"github.com/seed-12b313d8/skills/internal/scan"
)

// A Parser says what files amount to. One goroutine uses it, for many files.
type Parser[T any] interface {
	// Parse returns what f amounts to. again says that this could not be found
	// out, and that the next load should try even if f is unchanged.
	Parse(f *scan.File) (v T, again bool)
	// Moved returns what f amounts to, which is unchanged and was v, but perhaps
	// reached by links that lead another way now.
	Moved(v T, f *scan.File) T
	// Same reports whether two readings of the same bytes say the same.
	Same(was, now T) bool
}

// A Cache holds what the files of one directory amount to. Loads must not
// overlap.
type Cache[T any] struct {
	seed maphash.Seed
	seen []item[T] // sorted by path: smaller than a map
}

// New returns an empty cache.
func New[T any]() *Cache[T] { return &Cache[T]{seed: maphash.MakeSeed()} }

// A version is what one version of a file amounts to.
type version[T any] struct {
	id    readfile.ID
	sum   uint64 // of what was read of it
	whole bool   // all of it was read
	value T
	seq   int
}

// same reports whether w is another reading of the same bytes.
func (v *version[T]) same(w *version[T]) bool {
	return v.sum == w.sum && (v.whole && w.whole || v.id == readfile.ID{} && w.id == readfile.ID{})
}

// Load scans the directory root and returns what its files amount to, in the
// order of the scan and at most o.MaxFiles. A file that is unchanged, or written
// again with the same bytes, keeps its value. An error leaves the cache as it
// was. o.Known is not used.
func (c *Cache[T]) Load(ctx context.Context, t scan.Tree, root string, o scan.Options, parser func() Parser[T]) ([]T, []scan.Problem, error) {
	o.Known = nil
	if len(c.seen) > 0 {
		o.Known = c.known
	}
	l := load[T]{cache: c, parser: parser}
	problems, err := scan.Scan(ctx, t, root, o, l.visitor)
	if err != nil {
		return nil, nil, err
	}
	items := l.items()
	if len(items) > o.MaxFiles {
		items = items[:o.MaxFiles]
		problems = append(problems, scan.Problem{
			Code: "too-many", Path: root, Error: true,
			Msg: "the directory holds more skills than are read", Hint: "split the directory, or raise MaxFiles",
		})
	}
	values := make([]T, len(items))
	for i := range items {
		values[i] = items[i].value
	}
	c.seen = slices.Clip(items)
	slices.SortFunc(c.seen, func(a, b item[T]) int { return strings.Compare(a.path, b.path) })
	return values, problems, nil
}

// known reports whether the file at path was parsed in this version already.
func (c *Cache[T]) known(path string, id readfile.ID) bool {
	v, ok := c.find(path)
	return ok && v.id == id && id != readfile.ID{}
}

// A load is one Load under way.
type load[T any] struct {
	cache  *Cache[T]
	parser func() Parser[T]

	mu     sync.Mutex // guards shares
	shares []*share[T]
}

// A share is what one goroutine of a load has parsed.
type share[T any] struct {
	cache  *Cache[T]
	parser Parser[T]
	files  []item[T]
}

type item[T any] struct {
	version[T]
	path string
}

// visitor returns what one goroutine of a scan hands its files to.
func (l *load[T]) visitor() func(*scan.File) {
	s := &share[T]{cache: l.cache, parser: l.parser()}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.shares = append(l.shares, s)
	return s.visit
}

func (s *share[T]) visit(f *scan.File) {
	was, seen := s.cache.find(f.Path)
	v := was
	if f.Head.Data == nil && seen && was.id == f.Head.ID {
		v.value = s.parser.Moved(was.value, f)
	} else {
		v = s.parse(f)
		if seen && v.same(&was) && s.parser.Same(was.value, v.value) {
			v.value = was.value
		}
	}
	v.seq = f.Seq
	s.files = append(s.files, item[T]{v, f.Path})
}

func (s *share[T]) parse(f *scan.File) version[T] {
	v := version[T]{id: f.Head.ID, sum: maphash.Bytes(s.cache.seed, f.Head.Data), whole: f.Head.Complete}
	var again bool
	if v.value, again = s.parser.Parse(f); again {
		v.id = readfile.ID{}
	}
	return v
}

// items puts the shares together, in scan order.
func (l *load[T]) items() []item[T] {
	n := 0
	for _, s := range l.shares {
		n += len(s.files)
	}
	items := make([]item[T], 0, n)
	for _, s := range l.shares {
		items = append(items, s.files...)
	}
	slices.SortFunc(items, func(a, b item[T]) int {
		return cmp.Or(cmp.Compare(a.seq, b.seq), strings.Compare(a.path, b.path))
	})
	return items
}

// find returns what is known of the file at path.
func (c *Cache[T]) find(path string) (v version[T], ok bool) {
	i, ok := slices.BinarySearchFunc(c.seen, path, func(it item[T], p string) int { return strings.Compare(it.path, p) })
	if !ok {
		return v, false
	}
	return c.seen[i].version, true
}
