//go:build unix

package extract_test

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/seed-12b313d8/skills/internal/extract"
)

// outside is what an attacker wants changed: a file and a folder with a file.
func outside(t *testing.T) (dir string, unchanged func()) {
	t.Helper()
	dir = parentDir(t)
	require.NoError(t, os.WriteFile(filepath.Join(dir, "victim"), []byte("v"), 0o644))
	require.NoError(t, os.Mkdir(filepath.Join(dir, "folder"), 0o755))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "folder/victim"), []byte("v"), 0o644))
	require.NoError(t, os.Mkdir(filepath.Join(dir, "empty"), 0o755))
	state := func() string {
		var b strings.Builder
		require.NoError(t, filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
			require.NoError(t, err)
			info, err := d.Info()
			require.NoError(t, err)
			text, _ := os.ReadFile(path)
			fmt.Fprintf(&b, "%s %v %q\n", path, info.Mode(), text)
			return nil
		}))
		return b.String()
	}
	before := state()
	return dir, func() { t.Helper(); assert.Equal(t, before, state(), "the victim is unchanged") }
}

// beside is what a folder next to the one in question has behind its name.
const beside = "-beside"

// assertBeside checks that a folder planted beside at is as it was.
func assertBeside(t *testing.T, at string) {
	t.Helper()
	info, err := os.Lstat(at + beside)
	if err != nil {
		return
	}
	assert.Equal(t, fs.ModeDir|0o750, info.Mode())
	assertEmpty(t, at+beside)
}

// plants are what may be put in the way.
func plants() map[string]func(t *testing.T, at, out string) {
	ln := func(target string) func(*testing.T, string, string) {
		return func(t *testing.T, at, out string) {
			require.NoError(t, os.Symlink(filepath.Join(out, target), at))
		}
	}
	return map[string]func(t *testing.T, at, out string){
		"link to a file":          ln("victim"),
		"link to nothing":         ln("new"),
		"link to a folder":        ln("folder"),
		"link to an empty folder": ln("empty"),
		"link to a folder beside": func(t *testing.T, at, _ string) {
			require.NoError(t, os.Mkdir(at+beside, 0o750))
			require.NoError(t, os.Symlink(filepath.Base(at+beside), at))
		},
		"link inside": func(t *testing.T, at, _ string) { require.NoError(t, os.Symlink(".", at)) },
		"hard link":   func(t *testing.T, at, out string) { require.NoError(t, os.Link(filepath.Join(out, "victim"), at)) },
		"file":        func(t *testing.T, at, _ string) { require.NoError(t, os.WriteFile(at, []byte("p"), 0o644)) },
		"FIFO":        func(t *testing.T, at, _ string) { require.NoError(t, syscall.Mkfifo(at, 0o644)) },
		"folder": func(t *testing.T, at, _ string) {
			require.NoError(t, os.Mkdir(at, 0o755))
			require.NoError(t, os.WriteFile(filepath.Join(at, "planted"), []byte("p"), 0o644))
		},
	}
}

// Something is planted where a file or folder is about to be made: the root
// itself, the folder of the key, folders and files in it.
func TestPlantedBefore(t *testing.T) {
	steps := trace(t, sample())
	for n, at := range steps {
		if at.op != extract.OpMkdir && at.op != extract.OpCreate {
			continue
		}
		for what, plant := range plants() {
			t.Run(fmt.Sprint(n, " ", at.op, " ", what), func(t *testing.T) {
				planted := ""
				err := withPlant(t, n, func(t *testing.T, path, out string) {
					planted = path
					plant(t, path, out)
				})
				require.ErrorIs(t, err, extract.ErrPlanted)
				var p *fs.PathError
				require.ErrorAs(t, err, &p)
				assert.Equal(t, step{at.op, planted}, step{p.Op, p.Path})
			})
		}
	}
}

// withPlant extracts with something planted before the n-th operation, checks
// what always holds, and returns the error.
func withPlant(t *testing.T, n int, plant func(t *testing.T, path, out string)) error {
	t.Helper()
	out, unchanged := outside(t)
	parent := parentDir(t)
	fds := openFiles(t)
	count, planted := 0, ""
	s := extract.NewStore(extract.Options{Parent: parent, Hook: func(_, path string) error {
		if count++; count == n+1 {
			planted = path
			plant(t, path, out)
		}
		return nil
	}})
	_, failed := s.Dir(t.Context(), "verify", of(sample()))
	unchanged()
	if failed != nil {
		_, err := os.Lstat(planted)
		assert.NoError(t, err, "what was found is not removed")
		dir, err := s.Dir(t.Context(), "verify", of(sample()))
		require.NoError(t, err, "the next call does not stumble again")
		assertTree(t, dir, sample())
		unchanged()
	}
	assertBeside(t, planted)
	first := s.Close()
	unchanged()
	if first != nil {
		// What has taken the place of a root is not removed either.
		require.ErrorIs(t, first, extract.ErrPlanted)
		require.NoError(t, os.RemoveAll(planted))
		require.NoError(t, s.Close())
	}
	if filepath.Dir(planted) == parent { // what is planted beside roots is not ours
		require.NoError(t, os.RemoveAll(planted))
		require.NoError(t, os.RemoveAll(planted+beside))
	}
	assertEmpty(t, parent)
	assert.Equal(t, fds, openFiles(t))
	return failed
}

// After each operation the thing it is about is swapped for something else. A
// swap of what is still to be opened is found out; in no case is anything
// written through it, or removed.
func TestSwapped(t *testing.T) {
	steps := trace(t, sample())
	swaps, found := 0, 0
	for n, at := range steps {
		if !strings.Contains(at.path, "skill-files-") || at.op == extract.OpMkdir || at.op == extract.OpCreate {
			continue
		}
		// What lstat or the first opening of a folder looks at is compared;
		// later swaps change nothing for open handles.
		opening := at.op == extract.OpLstat || at.op == extract.OpOpen && steps[n-1].op == extract.OpLstat
		for what, plant := range plants() {
			if !opening && what != "folder" && what != "link to a folder" && what != "link to a file" {
				continue
			}
			t.Run(fmt.Sprint(n, " ", at.op, " ", what), func(t *testing.T) {
				swaps++
				err := withSwap(t, n, plant)
				if opening {
					require.ErrorIs(t, err, extract.ErrPlanted)
				}
				if err != nil {
					found++
				}
			})
		}
	}
	t.Logf("%d swaps, %d made the extraction fail", swaps, found)
}

func withSwap(t *testing.T, n int, plant func(t *testing.T, path, out string)) error {
	t.Helper()
	out, unchanged := outside(t)
	parent, aside := parentDir(t), parentDir(t)
	fds := openFiles(t)
	count, swapped := 0, ""
	s := extract.NewStore(extract.Options{Parent: parent, Hook: func(_, path string) error {
		if count++; count == n+1 {
			swapped = path
			require.NoError(t, os.Rename(path, filepath.Join(aside, "moved")))
			plant(t, path, out)
		}
		return nil
	}})
	_, failed := s.Dir(t.Context(), "verify", of(sample()))
	unchanged()
	_, err := os.Lstat(swapped)
	assert.NoError(t, err, "what was put there is not removed")
	if text, err := os.ReadFile(filepath.Join(swapped, "planted")); err == nil {
		assert.Equal(t, "p", string(text))
	}
	assertBeside(t, swapped)
	err = s.Close()
	if filepath.Dir(swapped) == parent {
		assert.ErrorContains(t, err, swapped)
		_, err = os.Lstat(swapped)
		assert.NoError(t, err, "what is in the place of the root is not ours to remove")
		require.NoError(t, os.RemoveAll(swapped))
		require.NoError(t, os.RemoveAll(swapped+beside))
		err = s.Close()
	}
	require.NoError(t, err)
	unchanged()
	assertEmpty(t, parent)
	assert.Equal(t, fds, openFiles(t))
	return failed
}

func TestParents(t *testing.T) {
	base := parentDir(t)
	mk := func(name string, mode fs.FileMode) string {
		path := filepath.Join(base, name)
		require.NoError(t, os.MkdirAll(path, 0o700))
		require.NoError(t, os.Chmod(path, mode))
		return path
	}
	link := func(target, name string) string {
		path := filepath.Join(base, name)
		require.NoError(t, os.Symlink(target, path))
		return path
	}
	file := filepath.Join(base, "file")
	require.NoError(t, os.WriteFile(file, nil, 0o600))
	fifo := filepath.Join(base, "fifo")
	require.NoError(t, syscall.Mkfifo(fifo, 0o600))
	private := mk("private", 0o700)
	mk("private/in", 0o700)
	open := mk("open", 0o777)
	inOpen := mk("open/in", 0o700)
	for _, c := range []struct {
		reason, path string
		want         error // nil if it is good
	}{
		{"05 §2: ours and private", private, nil},
		{"05 §2: readable by others", mk("public", 0o755), nil},
		{"05 §2: others write, but sticky", mk("sticky", fs.ModeSticky|0o777), nil},
		{"05 §2: a link on the way is followed once", link(private, "way") + "/in", nil},
		{"05 §2: not tidy, but the same", private + "/in/..//./", nil},
		{"05 §2: others write", open, extract.ErrParent},
		{"05 §2: the group writes", mk("group", 0o770), extract.ErrParent},
		{"05 §2: others may rename a folder on the way", inOpen, extract.ErrParent},
		{"05 §2: a link", link(private, "link"), extract.ErrParent},
		{"05 §2: a link, whatever follows it", link(private, "link2") + "/.", extract.ErrParent},
		{"05 §2: a link to nothing", link(base+"/none", "dangling"), extract.ErrParent},
		{"05 §2: a file", file, extract.ErrParent},
		{"05 §2: a FIFO is not waited for", fifo, extract.ErrParent},
		{"not there", filepath.Join(base, "gone"), fs.ErrNotExist},
		{"not there, nor its parent", filepath.Join(base, "gone/gone"), fs.ErrNotExist},
	} {
		t.Run(c.reason, func(t *testing.T) {
			before, _ := os.ReadDir(c.path)
			s := extract.NewStore(extract.Options{Parent: c.path})
			dir, err := s.Dir(t.Context(), "verify", of(sample()))
			if c.want == nil {
				require.NoError(t, err)
				real, err := filepath.EvalSymlinks(dir)
				require.NoError(t, err)
				assert.Equal(t, real, dir, "no link is left in the path")
			} else {
				require.ErrorIs(t, err, c.want)
				assert.ErrorContains(t, err, base)
			}
			require.NoError(t, s.Close())
			after, _ := os.ReadDir(c.path)
			assert.Equal(t, names(before), names(after))
		})
	}
}

func names(list []fs.DirEntry) []string {
	var out []string
	for _, e := range list {
		out = append(out, e.Name())
	}
	return slices.Sorted(slices.Values(out))
}

// The default parent is the system's, unless that cannot be trusted.
func TestDefaultParent(t *testing.T) {
	want := parentDir(t)
	t.Setenv("TMPDIR", want)
	s := newStore(t, extract.Options{Parent: ""})
	dir, err := s.Dir(t.Context(), "verify", of(sample()))
	require.NoError(t, err)
	assert.NotEmpty(t, dir)

	own := extract.NewStore(extract.Options{})
	dir, err = own.Dir(t.Context(), "verify", of(sample()))
	require.NoError(t, err)
	assert.Equal(t, want, filepath.Dir(filepath.Dir(dir)))
	require.NoError(t, own.Close())
	assertEmpty(t, want)
}

// The parent is swapped between being looked at and being opened.
func TestParentSwapped(t *testing.T) {
	out, unchanged := outside(t)
	for what, swap := range map[string]func(path string) error{
		"link":   func(path string) error { return os.Symlink(filepath.Join(out, "folder"), path) },
		"folder": func(path string) error { return os.Mkdir(path, 0o700) },
		"FIFO":   func(path string) error { return syscall.Mkfifo(path, 0o600) },
	} {
		t.Run(what, func(t *testing.T) {
			base := parentDir(t)
			parent := filepath.Join(base, "parent")
			require.NoError(t, os.Mkdir(parent, 0o700))
			s := extract.NewStore(extract.Options{Parent: parent, Hook: func(op, path string) error {
				if op == extract.OpOpen && path == parent {
					if _, err := os.Lstat(base + "/moved"); err != nil {
						require.NoError(t, os.Rename(parent, base+"/moved"))
						require.NoError(t, swap(parent))
					}
				}
				return nil
			}})
			_, err := s.Dir(t.Context(), "verify", of(sample()))
			require.Error(t, err)
			assert.ErrorContains(t, err, parent)
			if what != "FIFO" {
				require.ErrorIs(t, err, extract.ErrParent)
			}
			unchanged()
			require.NoError(t, s.Close())
			assertEmpty(t, base+"/moved")
		})
	}
}
