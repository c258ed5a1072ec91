package extract_test

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"testing/fstest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/seed-12b313d8/skills/internal/extract"
	"github.com/seed-12b313d8/skills/internal/readfile"
)

// A hostFS is a file system that misbehaves as its fields say.
type hostFS struct {
	fs.FS
	before  func(op string)                    // "open", "stat", "read", "readdir", "close"
	fail    func(op string) error              // like before
	read    func(fs.File, []byte) (int, error) // instead of Read
	stat    func(fs.FileInfo) fs.FileInfo      // what Stat says
	list    func([]fs.DirEntry) []fs.DirEntry  // what ReadDir says
	endless func(i int) fs.DirEntry            // entries without end
}

func (h *hostFS) on(op string) error {
	if h.before != nil {
		h.before(op)
	}
	if h.fail != nil {
		return h.fail(op)
	}
	return nil
}

func (h *hostFS) Open(name string) (fs.File, error) {
	if err := h.on("open"); err != nil {
		return nil, err
	}
	f, err := h.FS.Open(name)
	if err != nil {
		return nil, err
	}
	return &hostFile{File: f, h: h}, nil
}

type hostFile struct {
	fs.File
	h *hostFS
	n int
}

func (f *hostFile) Stat() (fs.FileInfo, error) {
	if err := f.h.on("stat"); err != nil {
		return nil, err
	}
	info, err := f.File.Stat()
	if err == nil && f.h.stat != nil {
		info = f.h.stat(info)
	}
	return info, err
}

func (f *hostFile) Read(p []byte) (int, error) {
	if err := f.h.on("read"); err != nil {
		return 0, err
	}
	if f.h.read != nil {
		return f.h.read(f.File, p)
	}
	return f.File.Read(p)
}

func (f *hostFile) ReadDir(n int) ([]fs.DirEntry, error) {
	if err := f.h.on("readdir"); err != nil {
		return nil, err
	}
	if f.h.endless != nil {
		f.n++
		return []fs.DirEntry{f.h.endless(f.n)}, nil
	}
	list, err := f.File.(fs.ReadDirFile).ReadDir(n)
	if f.h.list != nil {
		list = f.h.list(list)
	}
	return list, err
}

func (f *hostFile) Close() error {
	return errors.Join(f.h.on("close"), f.File.Close())
}

func oneByte(f fs.File, p []byte) (int, error) { return f.Read(p[:1]) }

// listOnly opens no folders but lists them.
type listOnly struct{ fs.FS }

func (l listOnly) Open(name string) (fs.File, error) {
	f, err := l.FS.Open(name)
	if _, ok := f.(fs.ReadDirFile); ok {
		return struct{ fs.File }{f}, err
	}
	return f, err
}

func (l listOnly) ReadDir(name string) ([]fs.DirEntry, error) { return fs.ReadDir(l.FS, name) }

// An entry has any name and type.
type entry struct {
	name string
	mode fs.FileMode
	size int64
}

func (e entry) Name() string               { return e.name }
func (e entry) IsDir() bool                { return e.mode.IsDir() }
func (e entry) Type() fs.FileMode          { return e.mode.Type() }
func (e entry) Info() (fs.FileInfo, error) { return e, nil }
func (e entry) Size() int64                { return e.size }
func (e entry) Mode() fs.FileMode          { return e.mode }
func (e entry) ModTime() time.Time         { return time.Time{} }
func (e entry) Sys() any                   { return nil }

// adding lists one more entry in every folder.
func adding(e entry) fs.FS {
	return &hostFS{FS: tree(map[string]string{"a.txt": "A"}), list: func(l []fs.DirEntry) []fs.DirEntry {
		if len(l) == 0 { // the end
			return l
		}
		return append(l, e)
	}}
}

// says makes Stat say that a file has this size and type.
func says(size int64, mode fs.FileMode) func(fs.FileInfo) fs.FileInfo {
	return func(info fs.FileInfo) fs.FileInfo { return entry{info.Name(), mode, size} }
}

func TestRefused(t *testing.T) {
	small := extract.Options{MaxFiles: 10, MaxFile: 100, MaxTotal: 250}
	text := strings.Repeat("x", 100)
	many := func(n int) fs.FS {
		m := make(fstest.MapFS)
		for i := range n {
			m[fmt.Sprint(i)] = &fstest.MapFile{}
		}
		return m
	}
	onDisk := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(onDisk, "a"), nil, 0o600))
	require.NoError(t, os.Symlink("/etc/passwd", filepath.Join(onDisk, "l")))
	endless := func(f fs.File, p []byte) (int, error) { return len(p), nil }
	for _, c := range []struct {
		reason string
		fsys   fs.FS
		want   error // nil if it is fine
		name   string
	}{
		{"as many files as may be", many(10), nil, ""},
		{"one file more", many(11), readfile.ErrTooMany, "9"},
		{"folders count", tree(map[string]string{"1/2/3/4/5/6/7/8/9/10/11": "x"}), readfile.ErrTooMany, "1/2/3/4/5/6/7/8/9/10/11"},
		{"folders without end", &hostFS{FS: sample(), list: func([]fs.DirEntry) []fs.DirEntry { return []fs.DirEntry{entry{"none", fs.ModeDir, 0}} }}, fs.ErrNotExist, "none/none"},
		{"a list without end", &hostFS{FS: sample(), endless: func(i int) fs.DirEntry { return entry{fmt.Sprint(i), 0, 0} }}, readfile.ErrTooMany, ""},
		{"as large as may be", tree(map[string]string{"a": text, "b": text, "c": text[:50]}), nil, ""},
		{"one file too large", tree(map[string]string{"a": text + "x"}), readfile.ErrTooLarge, "a"},
		{"all files too large", tree(map[string]string{"a": text, "b": text, "c": text[:51]}), readfile.ErrTooLarge, "c"},
		{"Stat says less than is read", &hostFS{FS: tree(map[string]string{"a": text + "x"}), stat: says(1, 0)}, readfile.ErrTooLarge, "a"},
		{"Stat says less and there is no end", &hostFS{FS: tree(map[string]string{"a": "x"}), stat: says(1, 0), read: endless}, readfile.ErrTooLarge, "a"},
		{"Stat says more", &hostFS{FS: tree(map[string]string{"a": "x"}), stat: says(1<<40, 0)}, readfile.ErrTooLarge, "a"},
		{"Stat says less than nothing", &hostFS{FS: tree(map[string]string{"a": "x"}), stat: says(-1, 0)}, nil, ""},
		{"a link", fstest.MapFS{"l": {Data: []byte("a"), Mode: fs.ModeSymlink}}, readfile.ErrNotRegular, "l"},
		{"a link on disk", os.DirFS(onDisk), readfile.ErrNotRegular, "l"},
		{"a FIFO", fstest.MapFS{"d/p": {Mode: fs.ModeNamedPipe}}, readfile.ErrNotRegular, "d/p"},
		{"a device", fstest.MapFS{"p": {Mode: fs.ModeDevice}}, readfile.ErrNotRegular, "p"},
		{"irregular", fstest.MapFS{"p": {Mode: fs.ModeIrregular}}, readfile.ErrNotRegular, "p"},
		{"Stat says that it is a link after all", &hostFS{FS: tree(map[string]string{"a": "x"}), stat: says(1, fs.ModeSymlink)}, readfile.ErrNotRegular, "a"},
		{"a listed name that leads out", adding(entry{"../x", 0, 0}), extract.ErrName, "../x"},
		{"listed twice", adding(entry{"a.txt", 0, 0}), extract.ErrName, "a.txt"},
		{"listed, not there", adding(entry{"gone", 0, 0}), fs.ErrNotExist, "gone"},
		{"no progress", &hostFS{FS: tree(map[string]string{"a": "x"}), read: func(fs.File, []byte) (int, error) { return 0, nil }}, io.ErrNoProgress, "a"},
		{"no progress of a list", &hostFS{FS: sample(), list: func([]fs.DirEntry) []fs.DirEntry { return nil }}, io.ErrNoProgress, "."},
		{"Read returns too much", &hostFS{FS: tree(map[string]string{"a": "x"}), read: func(_ fs.File, p []byte) (int, error) { return 1 << 30, nil }}, extract.ErrPanic, ""},
		{"Read returns less than nothing", &hostFS{FS: tree(map[string]string{"a": "x"}), read: func(_ fs.File, p []byte) (int, error) { return -1, nil }}, extract.ErrPanic, ""},
		{"no file system", nil, extract.ErrNoFiles, ""},
		{"a nil pointer", (*hostFS)(nil), extract.ErrPanic, ""},
	} {
		t.Run(c.reason, func(t *testing.T) {
			o := small
			o.Parent = parentDir(t)
			writes := 0
			o.Hook = func(string, string) error { writes++; return nil }
			s := newStore(t, o)
			dir, err := s.Dir(t.Context(), "verify", of(c.fsys))
			if c.want == nil {
				require.NoError(t, err)
				assert.DirExists(t, dir)
				return
			}
			require.ErrorIs(t, err, c.want)
			assert.Zero(t, writes, "refused before anything is written")
			assertEmpty(t, o.Parent)
			assertNames(t, err, c.name)
		})
	}
}

// assertNames checks that err says which file is wrong.
func assertNames(t *testing.T, err error, name string) {
	t.Helper()
	if name == "" {
		return
	}
	var at *fs.PathError
	require.ErrorAs(t, err, &at)
	assert.Equal(t, name, at.Path)
	assert.Contains(t, err.Error(), name)
	assert.Contains(t, err.Error(), `"verify"`)
}

// Whatever the host's code does, it is an error, and nothing is on disk.
func TestHostFails(t *testing.T) {
	ways := map[string]func(){
		"panic":   func() { panic("host") },
		"runtime": func() { _ = (*hostFS)(nil).FS },
		"goexit":  runtime.Goexit,
		"nasty":   func() { panic(nasty{}) },
		"nil any": func() { panic(nil) },
	}
	for name, way := range ways {
		for _, at := range []string{"files", "open", "stat", "read", "readdir", "close"} {
			t.Run(name+"/"+at, func(t *testing.T) {
				parent := parentDir(t)
				s := newStore(t, extract.Options{Parent: parent})
				armed := true
				_, err := s.Dir(t.Context(), "verify", func() (fs.FS, error) {
					if at == "files" {
						way()
					}
					return &hostFS{FS: sample(), before: func(op string) {
						if op == at && armed {
							armed = false // once, since close is deferred
							way()
						}
					}}, nil
				})
				require.ErrorIs(t, err, extract.ErrPanic)
				assertEmpty(t, parent)
				_, err = s.Dir(t.Context(), "verify", nil)
				require.ErrorIs(t, err, extract.ErrNoFiles)
				dir, err := s.Dir(t.Context(), "verify", of(sample()))
				require.NoError(t, err)
				assertTree(t, dir, sample())
			})
		}
	}
}

// nasty panics while its panic is reported.
type nasty struct{}

func (nasty) Error() string { panic("again") }

// Each call of the host's file system fails once (07 B5).
func TestHostFaults(t *testing.T) {
	injected := 0
	for _, op := range []string{"open", "stat", "read", "readdir"} {
		for _, fault := range []error{fs.ErrNotExist, fs.ErrPermission, syscall.EIO, syscall.EMFILE, io.ErrUnexpectedEOF} {
			for nth := 1; ; nth++ {
				parent := parentDir(t)
				s := extract.NewStore(extract.Options{Parent: parent})
				left := nth
				_, err := s.Dir(t.Context(), "verify", of(&hostFS{FS: sample(), fail: func(o string) error {
					if o == op {
						left--
					}
					if o == op && left == 0 {
						return &fs.PathError{Op: o, Path: "inner", Err: fault}
					}
					return nil
				}}))
				if left > 0 { // it has fewer calls
					require.NoError(t, err)
					require.NoError(t, s.Close())
					break
				}
				injected++
				require.ErrorIs(t, err, fault)
				assert.NotContains(t, err.Error(), "inner", "one path is enough")
				assertEmpty(t, parent)
				dir, err := s.Dir(t.Context(), "verify", of(sample()))
				require.NoError(t, err)
				assertTree(t, dir, sample())
				require.NoError(t, s.Close())
				assertEmpty(t, parent)
			}
		}
	}
	t.Logf("%d faults injected", injected)
	assert.Greater(t, injected, 50)
}
