package readfile_test

import (
	"errors"
	"os"
	"path/filepath"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"

	"github.com/seed-12b313d8/skills/internal/readfile"
)

// TestHammerSwap reads x/SKILL.md while x is swapped all the time for a link that
// leads out of the root. It ends when both states have been met often.
func TestHammerSwap(t *testing.T) {
	top := t.TempDir()
	root := filepath.Join(top, "proj")
	write(t, filepath.Join(root, "x", "SKILL.md"), "inside")
	write(t, filepath.Join(top, "outside", "SKILL.md"), "secret")
	symlink(t, "../outside", filepath.Join(root, "other"))

	var stop atomic.Bool
	swapped := make(chan error)
	go func() {
		for !stop.Load() {
			x, other := filepath.Join(root, "x"), filepath.Join(root, "other")
			if err := unix.Renameat2(unix.AT_FDCWD, x, unix.AT_FDCWD, other, unix.RENAME_EXCHANGE); err != nil {
				swapped <- err
				return
			}
		}
		swapped <- nil
	}()
	defer func() {
		stop.Store(true)
		require.NoError(t, <-swapped)
	}()

	const often = 100
	d := openDir(t, root)
	buf := make([]byte, 64)
	for inside, refused := 0, 0; inside < often || refused < often; {
		data, _, err := readfile.WholeIn(root, "x/SKILL.md", limit)
		h, headErr := d.Head("x/SKILL.md", buf, limit, true)
		for _, got := range []struct {
			data string
			err  error
		}{{string(data), err}, {string(h.Data), headErr}} {
			switch {
			case got.err == nil:
				require.Equal(t, "inside", got.data)
				inside++
			case errors.Is(got.err, readfile.ErrEscapes), errors.Is(got.err, readfile.ErrSymlink):
				refused++
			default: // between two looks at what is no longer there
				require.ErrorIs(t, got.err, unix.ENOTDIR)
			}
		}
	}
}

// TestHammerGrowing reads a file that never stops growing: it is read up to some
// length or refused, and never beyond the limit.
func TestHammerGrowing(t *testing.T) {
	path := filepath.Join(t.TempDir(), "f")
	write(t, path, "")
	var stop atomic.Bool
	grown := make(chan error)
	go func() {
		f, err := os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0)
		for err == nil && !stop.Load() {
			_, err = f.WriteString("y")
		}
		grown <- errors.Join(err, f.Close())
	}()
	defer func() {
		stop.Store(true)
		require.NoError(t, <-grown)
	}()

	d := openDir(t, filepath.Dir(path))
	buf := make([]byte, 2*limit)
	for {
		h, err := d.Head("f", buf, limit, true)
		require.LessOrEqual(t, len(h.Data), limit)
		data, _, wholeErr := readfile.Whole(path, limit)
		require.LessOrEqual(t, len(data), limit)
		if err != nil && wholeErr != nil {
			require.ErrorIs(t, err, readfile.ErrTooLarge)
			require.ErrorIs(t, wholeErr, readfile.ErrTooLarge)
			return
		}
	}
}
