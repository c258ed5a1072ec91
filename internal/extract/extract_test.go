package extract_test

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/fstest"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/seed-12b313d8/skills/internal/extract"
)

func TestTree(t *testing.T) {
	deep := strings.Repeat("d/", 250) + "f"
	for _, c := range []struct {
		reason string
		fsys   fs.FS
	}{
		{"05 §2: files and folders", sample()},
		{"05 §2: a skill may have no files at all", fstest.MapFS{}},
		{"05 §2: deep trees work", tree(map[string]string{deep: "x"})},
		{"05 §2: names that look odd but are local", tree(map[string]string{"..a": "1", "a b": "2", "ä/ö.md": "3", "-rf": "4", "~": "5"})},
		{"05 §2: a file of more than one write", tree(map[string]string{"big": strings.Repeat("0123456789", 250_000)})},
		{"05 §2: a folder on disk", os.DirFS("testdata")},
		{"05 §2: a file system that lists only through ReadDirFS", listOnly{sample()}},
		{"05 §2: reads of one byte at a time", &hostFS{FS: sample(), read: oneByte}},
	} {
		t.Run(c.reason, func(t *testing.T) {
			s := newStore(t, extract.Options{})
			dir, err := s.Dir(t.Context(), "verify", of(c.fsys))
			require.NoError(t, err)
			assert.True(t, filepath.IsAbs(dir))
			assert.Equal(t, "verify", filepath.Base(dir))
			assertTree(t, dir, c.fsys)
			assertModes(t, filepath.Dir(dir))
		})
	}
}

// assertModes checks root and all below it (05 §2).
func assertModes(t *testing.T, root string) {
	t.Helper()
	if runtime.GOOS == "windows" {
		return
	}
	require.NoError(t, filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		require.NoError(t, err)
		info, err := d.Info()
		require.NoError(t, err)
		want := fs.FileMode(0o600)
		if d.IsDir() {
			want = fs.ModeDir | 0o700
		}
		assert.Equal(t, want, info.Mode(), path)
		return nil
	}))
}

func TestRootIsLazyRandomAndPrivate(t *testing.T) {
	parent := parentDir(t)
	s := newStore(t, extract.Options{Parent: parent})
	assertEmpty(t, parent)
	a, err := s.Dir(t.Context(), "a", of(sample()))
	require.NoError(t, err)
	b, err := s.Dir(t.Context(), "b", of(sample()))
	require.NoError(t, err)
	assert.Equal(t, filepath.Dir(a), filepath.Dir(b), "one root for all")
	assert.Equal(t, parent, filepath.Dir(filepath.Dir(a)))
	assert.Regexp(t, regexp.MustCompile(`^skill-files-[A-Z2-7]{26}$`), filepath.Base(filepath.Dir(a)), "26 × 5 bits")
	other := newStore(t, extract.Options{})
	c, err := other.Dir(t.Context(), "a", of(sample()))
	require.NoError(t, err)
	assert.NotEqual(t, filepath.Base(filepath.Dir(a)), filepath.Base(filepath.Dir(c)))
}

func TestKeysNeverShareAFolder(t *testing.T) {
	s := newStore(t, extract.Options{})
	long := strings.Repeat("k", 5000)
	seen := make(map[string]string)
	for _, key := range []string{
		"verify", "Verify", "VERIFY", "plugin:verify", "plugin/verify", "", ".", "..", "../up", "/abs", `c:\x`, "nul", "con", "a\x00b",
		"-rf", "a b", "a\nb", "verify+2", "ä", "\xff", long, long + "k", "verify.", "aux.txt",
	} {
		dir, err := s.Dir(t.Context(), key, of(tree(map[string]string{"key": key})))
		require.NoError(t, err, "%q", key)
		name := strings.ToLower(filepath.Base(dir))
		assert.Empty(t, seen[name], "%q", key)
		seen[name] = key
		assertTree(t, dir, tree(map[string]string{"key": key}))
		assert.NotRegexp(t, windows, name)
	}
}

func TestHundredFirstCallsExtractOnce(t *testing.T) {
	s := newStore(t, extract.Options{})
	var made atomic.Int64
	start := make(chan struct{})
	files := func() (fs.FS, error) {
		made.Add(1)
		<-start
		return sample(), nil
	}
	dirs := make([]string, 100)
	var wg sync.WaitGroup
	for i := range dirs {
		wg.Go(func() {
			if i == len(dirs)-1 {
				close(start)
			}
			dir, err := s.Dir(t.Context(), "verify", files)
			if assert.NoError(t, err) {
				_, err = os.Stat(filepath.Join(dir, "scripts/lib/a.py"))
				assert.NoError(t, err, "nobody gets the directory before it is complete")
			}
			dirs[i] = dir
		})
	}
	wg.Wait()
	assert.EqualValues(t, 1, made.Load(), "05 §2: once even under concurrent calls")
	for _, dir := range dirs {
		assert.Equal(t, dirs[0], dir)
	}
	_, err := s.Dir(t.Context(), "verify", func() (fs.FS, error) { panic("not asked again") })
	require.NoError(t, err, "05 §2: success is remembered")
}

func TestFirstCallerCancelled(t *testing.T) {
	s := newStore(t, extract.Options{})
	asked, release := make(chan struct{}), make(chan struct{})
	files := func() (fs.FS, error) {
		close(asked)
		<-release
		return sample(), nil
	}
	why := errors.New("turn aborted")
	ctx, cancel := context.WithCancelCause(t.Context())
	first := make(chan error, 1)
	go func() {
		_, err := s.Dir(ctx, "verify", files)
		first <- err
	}()
	<-asked
	second := make(chan error, 1)
	go func() {
		dir, err := s.Dir(t.Context(), "verify", nil)
		if err == nil {
			assertTree(t, dir, sample())
		}
		second <- err
	}()
	cancel(why)
	require.ErrorIs(t, <-first, why, "05 §2: only its own waiting ends")
	close(release)
	require.NoError(t, <-second, "05 §2: the extraction runs on its own context")

	_, err := s.Dir(ctx, "verify", nil)
	require.NoError(t, err, "what is there needs no waiting")
	_, err = s.Dir(ctx, "other", func() (fs.FS, error) { panic("started for a caller that left") })
	require.ErrorIs(t, err, why)
}

func TestFailureIsNotRemembered(t *testing.T) {
	parent := parentDir(t)
	s := newStore(t, extract.Options{Parent: parent})
	boom := errors.New("boom")
	for range 3 {
		_, err := s.Dir(t.Context(), "verify", func() (fs.FS, error) { return nil, boom })
		require.ErrorIs(t, err, boom)
		assertEmpty(t, parent)
	}
	dir, err := s.Dir(t.Context(), "verify", of(sample()))
	require.NoError(t, err, "05 §2: the next call tries again")
	assertTree(t, dir, sample())
}

func TestClose(t *testing.T) {
	parent := parentDir(t)
	s := extract.NewStore(extract.Options{Parent: parent})
	dir, err := s.Dir(t.Context(), "verify", of(sample()))
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(filepath.Join(dir, "made-by-a-script"), nil, 0o400))
	require.NoError(t, os.MkdirAll(filepath.Join(dir, "__pycache__/x"), 0o700))
	require.NoError(t, s.Close())
	assertEmpty(t, parent)
	require.NoError(t, s.Close(), "idempotent")
	for _, key := range []string{"verify", "other"} {
		_, err = s.Dir(t.Context(), key, of(sample()))
		require.ErrorIs(t, err, extract.ErrClosed)
	}
	assertEmpty(t, parent)
	require.NoError(t, extract.NewStore(extract.Options{Parent: "/nonexistent"}).Close(), "an unused store has nothing to remove")
}

// Close at each operation of an extraction either lets it end or makes it fail.
func TestCloseDuringExtraction(t *testing.T) {
	total := len(trace(t, sample()))
	failed := 0
	for n := range total {
		parent := parentDir(t)
		closed := make(chan error, 1)
		var s *extract.Store
		count := 0
		s = extract.NewStore(extract.Options{Parent: parent, Hook: func(string, string) error {
			if count++; count == n+1 {
				started := make(chan struct{})
				go func() {
					close(started)
					closed <- s.Close()
				}()
				<-started
				runtime.Gosched()
			}
			return nil
		}})
		_, err := s.Dir(t.Context(), "verify", of(sample()))
		if err != nil {
			require.ErrorIs(t, err, extract.ErrClosed)
			failed++
		}
		require.NoError(t, <-closed)
		assertEmpty(t, parent)
	}
	t.Logf("%d of %d extractions ended by Close", failed, total)
}

// Neither callers nor Close wait for a file system that hangs.
func TestHostHangs(t *testing.T) {
	for _, at := range []string{"files", "open", "read", "readdir", "stat"} {
		t.Run(at, func(t *testing.T) {
			parent := parentDir(t)
			s := extract.NewStore(extract.Options{Parent: parent})
			hung, release := make(chan struct{}), make(chan struct{})
			defer close(release)
			hang := sync.OnceFunc(func() { close(hung); <-release })
			result := make(chan error, 1)
			go func() {
				_, err := s.Dir(context.Background(), "verify", func() (fs.FS, error) {
					if at == "files" {
						hang()
					}
					return &hostFS{FS: sample(), before: func(op string) {
						if op == at {
							hang()
						}
					}}, nil
				})
				result <- err
			}()
			<-hung
			require.NoError(t, s.Close())
			require.ErrorIs(t, <-result, extract.ErrClosed)
			assertEmpty(t, parent)
		})
	}
}

func TestTimeout(t *testing.T) {
	parent := parentDir(t)
	synctest.Test(t, func(t *testing.T) {
		s := extract.NewStore(extract.Options{Parent: parent})
		release := make(chan struct{})
		start := time.Now()
		_, err := s.Dir(context.Background(), "verify", func() (fs.FS, error) { <-release; return sample(), nil })
		require.ErrorIs(t, err, extract.ErrTimeout)
		assert.Equal(t, time.Minute, time.Since(start), "nothing hangs")
		close(release)
		synctest.Wait()
		assertEmpty(t, parent)
		dir, err := s.Dir(context.Background(), "verify", of(sample()))
		require.NoError(t, err)
		assertTree(t, dir, sample())
		require.NoError(t, s.Close())
	})
}

// Systems that clean temporary files by age remove what is in use.
func TestVanished(t *testing.T) {
	for _, c := range []struct {
		reason string
		lost   func(dir string) string
	}{
		{"the folder of one key", func(dir string) string { return dir }},
		{"the root", filepath.Dir},
	} {
		t.Run(c.reason, func(t *testing.T) {
			fds := openFiles(t)
			s := newStore(t, extract.Options{})
			dir, err := s.Dir(t.Context(), "verify", of(sample()))
			require.NoError(t, err)
			require.NoError(t, os.RemoveAll(c.lost(dir)))
			var made atomic.Int64
			var wg sync.WaitGroup
			for range 50 {
				wg.Go(func() {
					dir, err := s.Dir(t.Context(), "verify", func() (fs.FS, error) { made.Add(1); return sample(), nil })
					if assert.NoError(t, err) {
						assert.FileExists(t, filepath.Join(dir, "guide.md"))
					}
				})
			}
			wg.Wait()
			assert.EqualValues(t, 1, made.Load())
			require.NoError(t, s.Close())
			assert.Equal(t, fds, openFiles(t))
		})
	}
}

// The host may close the store, and ask for other keys, from its own code.
func TestReentry(t *testing.T) {
	s := newStore(t, extract.Options{})
	_, err := s.Dir(t.Context(), "outer", func() (fs.FS, error) {
		dir, err := s.Dir(context.Background(), "inner", of(sample()))
		return os.DirFS(dir), err
	})
	require.NoError(t, err)
	_, err = s.Dir(t.Context(), "closer", func() (fs.FS, error) { return sample(), s.Close() })
	require.ErrorIs(t, err, extract.ErrClosed)
}

func TestHammer(t *testing.T) {
	rounds := 40
	if testing.Short() {
		rounds = 10
	}
	for range rounds {
		parent := parentDir(t)
		s := extract.NewStore(extract.Options{Parent: parent})
		var wg sync.WaitGroup
		var good atomic.Int64
		for i := range 32 {
			wg.Go(func() {
				ctx, cancel := context.WithCancel(context.Background())
				defer cancel()
				for j := range 20 {
					key := fmt.Sprint("key-", (i+j)%7)
					if i%8 == 0 && j == 10 {
						cancel()
					}
					dir, err := s.Dir(ctx, key, of(hammerFS(key, i+j)))
					switch {
					case err == nil:
						good.Add(1)
						text, err := os.ReadFile(filepath.Join(dir, "key"))
						if err == nil { // else it was closed meanwhile
							assert.Equal(t, key, string(text))
						}
					case !errors.Is(err, extract.ErrClosed) && !errors.Is(err, context.Canceled) && !errors.Is(err, extract.ErrPanic):
						t.Errorf("unexpected: %v", err)
					}
					if i == 31 && j == 19 {
						assert.NoError(t, s.Close())
					}
				}
			})
		}
		wg.Wait()
		assert.NoError(t, s.Close())
		assertEmpty(t, parent)
		assert.Positive(t, good.Load())
	}
}

// hammerFS is sometimes one that panics.
func hammerFS(key string, n int) fs.FS {
	fsys := tree(map[string]string{"key": key, "sub/f": "x"})
	if n%5 != 0 {
		return fsys
	}
	return &hostFS{FS: fsys, before: func(string) { panic("hammer") }}
}
