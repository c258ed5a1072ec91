package atomicfile_test

import (
	"crypto/sha256"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/seed-12b313d8/skills/internal/atomicfile"
)

func TestWrite(t *testing.T) {
	for _, tt := range []struct {
		reason string
		name   string
		before func(p *place) error
		want   error // nil: written
	}{
		{reason: "06 §5: a file is replaced", name: target},
		{reason: "06 §3: a new file is made", name: "skill/new"},
		{reason: "the root itself is a folder, too", name: "top"},
		{reason: "a link is replaced, not followed", name: target, before: func(p *place) error {
			return replaceBy(p, func() error { return os.Symlink("../elsewhere", p.file()) })
		}},
		{reason: "a folder is not replaced", name: "skill", want: errAny},
		{reason: "a folder that is not there is not made", name: "none/file", want: fs.ErrNotExist},
		{reason: "no folder on the way may be a link", name: "link/SKILL.md", want: atomicfile.ErrLink, before: func(p *place) error {
			return os.Symlink("skill", p.path("link"))
		}},
		{reason: "a file is no folder", name: target + "/x", want: errAny},
		{reason: "names stay inside", name: "../x", want: fs.ErrInvalid},
		{reason: "names are slash paths", name: "/x", want: fs.ErrInvalid},
		{reason: "a name is needed", name: "", want: fs.ErrInvalid},
		{reason: "the root is no file", name: ".", want: fs.ErrInvalid},
	} {
		t.Run(tt.reason, func(t *testing.T) {
			p := newPlace(t, "old")
			require.NoError(t, os.WriteFile(p.path("elsewhere"), []byte("kept"), 0o600))
			if tt.before != nil {
				require.NoError(t, tt.before(p))
			}
			err := atomicfile.Writer{}.Write(p.root, tt.name, []byte("new"), 0o604)
			assert.Equal(t, "kept", read(t, p.path("elsewhere")))
			assert.Empty(t, p.leftovers(t))
			if tt.want != nil {
				var at *fs.PathError
				require.ErrorAs(t, err, &at)
				if tt.want != errAny {
					require.ErrorIs(t, err, tt.want)
				}
				return
			}
			require.NoError(t, err)
			info, err := os.Lstat(p.path(tt.name))
			require.NoError(t, err)
			assert.Equal(t, fs.FileMode(0o604), info.Mode())
			assert.Equal(t, "new", read(t, p.path(tt.name)))
		})
	}
}

// errAny stands for an error the operating system words.
var errAny = fs.ErrClosed

func replaceBy(p *place, f func() error) error {
	if err := os.Remove(p.file()); err != nil {
		return err
	}
	return f()
}

func TestCompareAndSwap(t *testing.T) {
	for _, tt := range []struct {
		reason string
		name   string
		before func(p *place) error
		old    string // "" for what is there
		want   error  // nil: swapped
	}{
		{reason: "06 §5: it is what was read"},
		{reason: "06 §5: it is not what was read", old: "other", want: atomicfile.ErrChanged},
		{reason: "deleted", want: atomicfile.ErrChanged, before: func(p *place) error { return os.Remove(p.file()) }},
		{reason: "deleted, as the system says it", want: fs.ErrNotExist, before: func(p *place) error { return os.Remove(p.file()) }},
		{reason: "06 §5: one link", want: atomicfile.ErrLink, before: func(p *place) error { return os.Link(p.file(), p.path("second")) }},
		{reason: "06 §5: never through a link", want: atomicfile.ErrLink, before: func(p *place) error {
			if err := os.Rename(p.file(), p.path("elsewhere")); err != nil {
				return err
			}
			return os.Symlink("../elsewhere", p.file())
		}},
		{reason: "06 §5: nor a folder that is one", name: "link/SKILL.md", want: atomicfile.ErrLink, before: func(p *place) error {
			return os.Symlink("skill", p.path("link"))
		}},
		{reason: "06 §5: a regular file", name: "skill", want: atomicfile.ErrNotRegular},
		{reason: "names stay inside", name: "../x", want: fs.ErrInvalid},
		{reason: "too large to be it", want: atomicfile.ErrChanged, before: func(p *place) error {
			return os.Truncate(p.file(), atomicfile.MaxSize+1)
		}},
	} {
		t.Run(tt.reason, func(t *testing.T) {
			p := newPlace(t, "old")
			if tt.before != nil {
				require.NoError(t, tt.before(p))
			}
			name, old := tt.name, tt.old
			if name == "" {
				name = target
			}
			if old == "" {
				old = "old"
			}
			before := snapshot(t, p.dir)
			err := atomicfile.Writer{}.CompareAndSwap(p.root, name, sha256.Sum256([]byte(old)), []byte("new"))
			if tt.want != nil {
				var at *fs.PathError
				require.ErrorAs(t, err, &at)
				require.ErrorIs(t, err, tt.want)
				assert.Equal(t, before, snapshot(t, p.dir), "nothing has changed")
				return
			}
			require.NoError(t, err)
			info, err := os.Lstat(p.file())
			require.NoError(t, err)
			assert.Equal(t, fs.FileMode(0o640), info.Mode(), "the mode is kept")
			assert.Equal(t, "new", p.content(t))
			assert.Empty(t, p.leftovers(t))
		})
	}
}

// snapshot tells all of a tree but the content of large files.
func snapshot(t *testing.T, dir string) []string {
	t.Helper()
	var out []string
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		line := fmt.Sprint(path, info.Mode(), info.Size())
		if info.Mode().IsRegular() && info.Size() < 1<<20 {
			line += read(t, path)
		}
		out = append(out, line)
		return nil
	})
	require.NoError(t, err)
	return out
}

func TestRead(t *testing.T) {
	p := newPlace(t, "12345")
	data, err := atomicfile.Writer{}.Read(p.root, target, 5)
	require.NoError(t, err)
	assert.Equal(t, "12345", string(data))

	_, err = atomicfile.Writer{}.Read(p.root, target, 4)
	require.ErrorIs(t, err, atomicfile.ErrTooLarge)
	_, err = atomicfile.Writer{}.Read(p.root, "skill", 5)
	require.ErrorIs(t, err, atomicfile.ErrNotRegular)
	_, err = atomicfile.Writer{}.Read(p.root, "skill/none", 5)
	require.ErrorIs(t, err, fs.ErrNotExist)
	require.ErrorContains(t, err, p.path("skill/none"))

	require.NoError(t, os.Symlink("SKILL.md", p.path("skill/link")))
	_, err = atomicfile.Writer{}.Read(p.root, "skill/link", 5)
	require.ErrorIs(t, err, atomicfile.ErrLink)
	require.NoError(t, os.Link(p.file(), p.path("second")))
	_, err = atomicfile.Writer{}.Read(p.root, target, 5)
	require.ErrorIs(t, err, atomicfile.ErrLink, "it could not be replaced")
}

// What killed writers left goes, and nothing else.
func TestSweep(t *testing.T) {
	p := newPlace(t, "old")
	long, now := time.Now().Add(-2*time.Hour).Unix(), time.Now().Unix()
	random := strings.Repeat("A", 26)
	sum := func(s string) string { return fmt.Sprintf("%x", sha256.Sum256([]byte(s)))[:32] }
	tmp := func(sec int64) string { return fmt.Sprintf(".skills-tmp-%x-%s", sec, random) }
	swapped := func(sec int64, old, data string) string {
		return fmt.Sprintf(".skills-swap-%x-%s-%s-%s", sec, sum(old), sum(data), random)
	}
	for _, tt := range []struct {
		reason, name, content string
		gone                  bool
	}{
		{"older than an hour", tmp(long), "half a fi", true},
		{"perhaps still being written", tmp(now), "half a fi", false},
		{"a swap's with the old bytes", swapped(long, "x", "y"), "x", true},
		{"a swap's with the new bytes", swapped(long, "x1", "y1"), "y1", true},
		{"a swap's that somebody has written to", swapped(long, "x2", "y2"), "work of a person", false},
		{"a swap under way", swapped(now, "x3", "y3"), "x3", false},
		{"no such name", ".skills-tmp-" + random, "a", false},
		{"no such name", ".skills-tmp-zz-" + random, "a", false},
		{"no such name", fmt.Sprintf(".skills-tmp-%x-short", long), "a", false},
		{"no such name", fmt.Sprintf(".skills-swap-%x-%s-%s-%s", long, "zz", "yy", random), "a", false},
		{"somebody else's", "notes.tmp", "a", false},
	} {
		require.NoError(t, os.WriteFile(p.path("skill/"+tt.name), []byte(tt.content), 0o600))
		require.NoError(t, atomicfile.Writer{}.Write(p.root, "skill/other", nil, 0o600))
		got := read(t, p.path("skill/"+tt.name))
		if tt.gone {
			assert.Equal(t, absent, got, "%s: %s", tt.reason, tt.name)
		} else {
			assert.Equal(t, tt.content, got, "%s: %s", tt.reason, tt.name)
		}
	}
	dir := p.path("skill/" + fmt.Sprintf(".skills-tmp-%x-%s", long-1, random))
	require.NoError(t, os.Mkdir(dir, 0o700))
	require.NoError(t, swap(atomicfile.Writer{}, p, "old", "new"))
	assert.DirExists(t, dir)
}

// One writer removes a bounded number; the rest is for the next.
func TestSweepIsBounded(t *testing.T) {
	p := newPlace(t, "old")
	for i := range 150 {
		name := fmt.Sprintf("skill/.skills-tmp-%x-%026d", time.Now().Add(-2*time.Hour).Unix(), i)
		require.NoError(t, os.WriteFile(p.path(name), nil, 0o600))
	}
	for _, want := range []int{86, 22, 0} {
		require.NoError(t, atomicfile.Writer{}.Write(p.root, target, nil, 0o600))
		assert.Len(t, p.leftovers(t), want)
	}
}

// Readers never see a part of a file, nor miss it; one of many swaps wins.
func TestHammer(t *testing.T) {
	a, b := strings.Repeat("a", 300_000), strings.Repeat("b", 200_000)
	p := newPlace(t, a)
	stop := make(chan struct{})
	var readers, writers sync.WaitGroup
	for range 2 {
		readers.Go(func() {
			for {
				select {
				case <-stop:
					return
				default:
				}
				if data, err := os.ReadFile(p.file()); err != nil || string(data) != a && string(data) != b {
					t.Errorf("torn: %d bytes, %v", len(data), err)
					return
				}
			}
		})
	}
	var mu sync.Mutex
	won := 0
	for i := range 4 {
		writers.Go(func() {
			for range 30 {
				from, to := a, b
				if i%2 == 0 {
					from, to = b, a
				}
				err := swap(atomicfile.Writer{}, p, from, to)
				if err == nil {
					mu.Lock()
					won++
					mu.Unlock()
				} else if !assert.ErrorIs(t, err, atomicfile.ErrChanged) {
					return
				}
			}
		})
	}
	writers.Wait()
	close(stop)
	readers.Wait()
	assert.Positive(t, won)
	assert.Empty(t, p.leftovers(t))
	assert.Contains(t, []string{a, b}, p.content(t))
}
