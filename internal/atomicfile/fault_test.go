package atomicfile_test

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"syscall"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/seed-12b313d8/skills/internal/atomicfile"
)

// ops returns the operations of f when all goes well.
func ops(f func(atomicfile.Writer)) []string {
	var out []string
	f(atomicfile.Writer{Hook: func(op, _ string) error {
		out = append(out, op)
		return nil
	}})
	return out
}

// faults returns what an operation can fail with (07 B5).
func faults(op string) []error {
	list := []error{syscall.ENOENT, syscall.EACCES, syscall.EIO, syscall.ENOSPC, syscall.EMFILE}
	if op == atomicfile.OpWrite {
		list = append(list, io.ErrShortWrite)
	}
	return list
}

// failing returns a Writer whose n-th operation fails, and with lasting all
// that follow it too.
func failing(n int, fault error, lasting bool) atomicfile.Writer {
	count := 0
	return atomicfile.Writer{Hook: func(op, _ string) error {
		count++
		if count-1 < n || count-1 > n && !lasting {
			return nil
		}
		if fault == io.ErrShortWrite && op != atomicfile.OpWrite {
			return syscall.EIO
		}
		return fault
	}}
}

// Every operation fails once, or for good from then on: the file has the old
// bytes or the new ones, and after one failure nothing is left beside it.
func TestFaults(t *testing.T) {
	p := newPlace(t, "")
	jobs := map[string]func(atomicfile.Writer) error{
		"write": func(w atomicfile.Writer) error { return w.Write(p.root, target, []byte("new"), 0o600) },
		"swap":  func(w atomicfile.Writer) error { return swap(w, p, "old", "new") },
		"swap without exchange": func(w atomicfile.Writer) error {
			return swap(without(w, atomicfile.OpExchange), p, "old", "new")
		},
	}
	injected, fds := 0, openFiles(t)
	for name, job := range jobs {
		p.reset(t, "old")
		steps := ops(func(w atomicfile.Writer) { require.NoError(t, job(w)) })
		for n, op := range steps {
			for _, fault := range faults(op) {
				for _, lasting := range []bool{false, true} {
					injected++
					p.reset(t, "old")
					err := job(failing(n, fault, lasting))
					what := fmt.Sprintf("%s: %d %s %v %v: %v", name, n, op, fault, lasting, err)
					checkFault(t, p, what, op, fault, lasting, err)
					p.reset(t, "old")
					require.NoError(t, job(atomicfile.Writer{}), "the next one is right")
					require.Equal(t, "new", p.content(t), what)
				}
			}
		}
	}
	assert.Equal(t, fds, openFiles(t), "07 B9")
	t.Logf("%d faults injected", injected)
	assert.GreaterOrEqual(t, injected, 500)
}

// without returns w for a system that lacks op.
func without(w atomicfile.Writer, op string) atomicfile.Writer {
	return atomicfile.Writer{Hook: func(o, name string) error {
		if o == op {
			return errors.ErrUnsupported
		}
		if w.Hook == nil {
			return nil
		}
		return w.Hook(o, name)
	}}
}

func checkFault(t *testing.T, p *place, what, op string, fault error, lasting bool, err error) {
	t.Helper()
	if err == nil {
		quiet := []string{atomicfile.OpReadDir, atomicfile.OpRemove, atomicfile.OpLock}
		require.Contains(t, quiet, op, what)
		require.Equal(t, "new", p.content(t), what)
		require.True(t, lasting || len(p.leftovers(t)) == 0, what)
		return
	}
	var at *fs.PathError
	require.ErrorAs(t, err, &at, what)
	require.ErrorContains(t, err, p.dir, what)
	if !lasting {
		require.True(t, errors.Is(err, fault) || errors.Is(err, atomicfile.ErrChanged), what)
		require.Empty(t, p.leftovers(t), what)
	}
	if op == atomicfile.OpSyncDir || lasting {
		require.Contains(t, []string{"old", "new"}, p.content(t), what)
	} else {
		require.Equal(t, "old", p.content(t), what)
	}
}

// Whatever fails after somebody has changed the file, what they wrote is in
// place, or beside it and named in the error.
func TestFaultsWithEdit(t *testing.T) {
	p := newPlace(t, "")
	injected := 0
	p.reset(t, "old")
	clean := ops(func(w atomicfile.Writer) { require.NoError(t, swap(w, p, "old", "new")) })
	exchange := slices.Index(clean, atomicfile.OpExchange)
	for edit := exchange - 3; edit <= exchange; edit++ {
		for n := edit; n < len(clean)+20; n++ {
			for _, fault := range []error{syscall.EIO, syscall.EACCES, syscall.ENOENT} {
				for _, lasting := range []bool{false, true} {
					if lasting && fault == syscall.ENOENT {
						continue // who says that all is gone is believed
					}
					injected++
					p.reset(t, "old")
					bad := failing(n, fault, lasting)
					count := 0
					err := swap(atomicfile.Writer{Hook: func(op, name string) error {
						if count == edit {
							require.NoError(t, os.WriteFile(p.file(), []byte("work"), 0))
						}
						count++
						return bad.Hook(op, name)
					}}, p, "old", "new")
					require.Error(t, err)
					if p.content(t) == "work" {
						continue
					}
					left := p.leftovers(t)
					found := slices.IndexFunc(left, func(path string) bool { return read(t, path) == "work" })
					require.GreaterOrEqual(t, found, 0, "lost: edit at %d, %v at %d", edit, fault, n)
					require.ErrorContains(t, err, filepath.Base(left[found]))
				}
			}
		}
	}
	t.Logf("%d faults injected", injected)
	assert.Greater(t, injected, 300)
}
