// Package extract puts the reference files of skills that are not on disk into
// a private directory, so that a model can open them by path (05 §2).
//
// An extraction has two halves. First all of the file system is read into
// memory: every name is checked before any content is read, sizes are bounded
// whatever Stat says, and links, devices and the like are refused. All code of
// the host runs in this half, contained: it may panic, end its goroutine, or
// hang. Then the tree is written, with nothing but calls of the operating
// system. So nothing is written of a tree that is not right as a whole.
//
// The private directory, the root, is made at the first extraction that gets
// to writing. It has a random name of 130 bits below a parent that was
// verified, and goes away with [Store.Close]. Everything below it is reached
// through open directories, never by path, so that a link put in the way leads
// nowhere. Where something else turns up at a place that should be new, the
// extraction fails with [ErrPlanted], and what was found is neither written to
// nor removed.
//
// Errors about a file or directory wrap an [*fs.PathError], which holds the
// name within the file system of the skill, or the path on disk. Its Err is an
// error of this package, [readfile.ErrNotRegular], [readfile.ErrTooMany], a
// [*readfile.SizeError], or what the operating system or the host said.
//
// A process that is killed leaves its root behind for the system's cleaning of
// temporary files.
package extract

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"sync"
	"time"
)

// Defaults of [Options] (05 §2).
const (
	DefaultMaxFiles = 1_000
	DefaultMaxFile  = 10 << 20
	DefaultMaxTotal = 50 << 20
	DefaultTimeout  = time.Minute
)

// Options say where a [Store] puts files, and how much of them. The zero value
// consists of defaults.
type Options struct {
	// Parent is the directory below which the root is made; "" means
	// os.TempDir(). It must be a real directory, not a link, owned by this
	// user or by root, and sticky if others may write to it. The same goes
	// for the directories it is in, except that links among them are
	// followed once and stay as they were then. Only Unix systems tell
	// owners; permissions beyond the usual bits are not looked at.
	Parent string
	// MaxFiles is the highest number of files and folders of one key, 0
	// for DefaultMaxFiles.
	MaxFiles int
	// MaxFile is the highest size of one file in bytes, 0 for
	// DefaultMaxFile.
	MaxFile int64
	// MaxTotal is the highest size of all files of one key in bytes, 0
	// for DefaultMaxTotal. As much may be held in memory meanwhile.
	MaxTotal int64
	// Timeout is how long one extraction may take, 0 for DefaultTimeout.
	Timeout time.Duration
	// Hook is called before each operation on disk, if not nil. An error it
	// returns is that operation's outcome. It is for tests of failures.
	Hook Hook
}

// A Hook is told of an operation on the file or directory at path, as an
// absolute path. op is one of the Op constants. For OpWrite, io.ErrShortWrite
// makes the write stop halfway; OpClose closes in any case. A Hook may be
// called concurrently.
type Hook func(op, path string) error

// The operations a [Hook] is told of.
const (
	OpLstat     = "lstat"
	OpOpen      = "open"
	OpStat      = "stat"
	OpReadDir   = "readdir"
	OpMkdir     = "mkdir"
	OpChmod     = "chmod"
	OpCreate    = "create"
	OpWrite     = "write"
	OpClose     = "close"
	OpRemove    = "remove"
	OpRemoveAll = "removeall"
)

// withDefaults fills in what is not set.
func (o Options) withDefaults() Options {
	if o.Parent == "" {
		o.Parent = os.TempDir()
	}
	if o.MaxFiles <= 0 {
		o.MaxFiles = DefaultMaxFiles
	}
	if o.MaxFile <= 0 {
		o.MaxFile = DefaultMaxFile
	}
	if o.MaxTotal <= 0 {
		o.MaxTotal = DefaultMaxTotal
	}
	if o.Timeout <= 0 {
		o.Timeout = DefaultTimeout
	}
	if o.Hook == nil {
		o.Hook = func(string, string) error { return nil }
	}
	return o
}

// A Store extracts trees of files, each of them once (05 §2). It is safe for
// concurrent use.
type Store struct {
	o   Options
	ctx context.Context // of all extractions; ends with Close
	end context.CancelCauseFunc

	runs sync.WaitGroup // extractions under way
	mu   sync.Mutex     // guards calls, and the adding to runs
	// calls holds what is under way or was successful, by key.
	calls map[string]*call

	disk sync.Mutex // guards what follows and all writing to disk
	root *root      // nil while there is none
	lost []*root    // roots that could not be removed
}

// A call is one extraction that callers may wait for.
type call struct {
	done chan struct{} // closed when dir and err are set
	dir  string
	err  error
}

// NewStore returns a Store. It does not touch the disk.
func NewStore(o Options) *Store {
	s := &Store{o: o.withDefaults(), calls: make(map[string]*call)}
	s.ctx, s.end = context.WithCancelCause(context.Background())
	return s
}

// Dir returns the absolute path of a directory that holds the files of key. If
// there is none it is made from files, once for all concurrent calls with that
// key. Success is remembered; after a failure, or when the directory has
// vanished, the next call tries again (05 §2).
//
// The key stands for the content: who replaces the files of a skill uses
// another key. Files have mode 0600 and folders 0700 whatever the umask is, so
// that nothing in them is executable; a script is run through its interpreter.
//
// ctx only ends the waiting of this caller, with its cause. The extraction goes
// on for the others, until it is done or fails with [ErrTimeout] or, because of
// Close, [ErrClosed]. files and the file system it returns are called from
// another goroutine, one at a time for a key. They must not call Dir with that
// key.
func (s *Store) Dir(ctx context.Context, key string, files func() (fs.FS, error)) (string, error) {
	for {
		c, old, err := s.call(ctx, key, files)
		if err == nil {
			err = c.wait(ctx)
		}
		switch {
		case err != nil:
			return "", fmt.Errorf("extracting the files of %q: %w", key, err)
		case old && vanished(c.dir):
			s.forget(key, c)
		default:
			return c.dir, nil
		}
	}
}

// call returns the call for key, and whether it was there already.
func (s *Store) call(ctx context.Context, key string, files func() (fs.FS, error)) (c *call, old bool, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.ctx.Err() != nil {
		return nil, false, ErrClosed
	}
	if c, old = s.calls[key]; old {
		return c, true, nil
	}
	if ctx.Err() != nil {
		return nil, false, context.Cause(ctx)
	}
	c = &call{done: make(chan struct{})}
	s.calls[key] = c
	s.runs.Go(func() { s.run(key, c, files) })
	return c, false, nil
}

// forget makes the next caller start anew.
func (s *Store) forget(key string, c *call) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.calls[key] == c {
		delete(s.calls, key)
	}
}

// wait returns the outcome of c, or why ctx ended before.
func (c *call) wait(ctx context.Context) error {
	select {
	case <-c.done:
		return c.err
	default:
	}
	select {
	case <-c.done:
		return c.err
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// run extracts. The host's code does not run on this goroutine, so run ends
// soon after s.ctx does.
func (s *Store) run(key string, c *call, files func() (fs.FS, error)) {
	ctx, cancel := context.WithTimeoutCause(s.ctx, s.o.Timeout, ErrTimeout)
	defer cancel()
	tree, err := s.collect(ctx, files)
	if err == nil {
		c.dir, err = s.write(ctx, folderName(key), tree)
	}
	if c.err = err; err != nil {
		s.forget(key, c)
	}
	close(c.done)
}

// vanished reports whether dir is no longer there. Some systems clean their
// directory of temporary files by age.
func vanished(dir string) bool {
	_, err := os.Lstat(dir)
	return os.IsNotExist(err)
}

// Close makes extractions under way fail, waits until nothing more is written,
// and removes the root with all in it (05 §2). It does not wait for code of
// hosts. It may be called repeatedly; where removing failed the next call tries
// again.
func (s *Store) Close() error {
	s.mu.Lock()
	s.end(ErrClosed)
	s.mu.Unlock()
	s.runs.Wait()
	return s.removeRoots()
}
