package atomicfile_test

import (
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/seed-12b313d8/skills/internal/atomicfile"
)

// An interleaving is a swap and edits before some of its operations.
type interleaving struct {
	old, data string
	at        []int // of the operations, ascending
	edits     []edit
}

// run does it and returns the error of the swap. Edits that the swap did not
// live to see are dropped.
func (i *interleaving) run(t *testing.T, p *place, w atomicfile.Writer) error {
	t.Helper()
	p.reset(t, i.old)
	count, done := 0, 0
	var later []func() error
	err := swap(atomicfile.Writer{Hook: func(op, name string) error {
		for k, at := range i.at {
			if at != count {
				continue
			}
			done++
			f, err := i.edits[k].do(p, i.work(k))
			if k == len(i.edits)-1 {
				require.NoError(t, err) // the first of two may have left nothing to edit
			}
			if f != nil {
				later = append(later, f)
			}
		}
		count++
		if w.Hook != nil {
			return w.Hook(op, name)
		}
		return nil
	}}, p, i.old, i.data)
	for _, f := range later {
		require.NoError(t, f())
	}
	i.at, i.edits = i.at[:done], i.edits[:done]
	return err
}

// done runs i and checks it.
func (i *interleaving) done(t *testing.T, p *place, w atomicfile.Writer) bool {
	t.Helper()
	return i.check(t, p, i.run(t, p, w))
}

func (i *interleaving) work(k int) string { return fmt.Sprintf("<work %d>", k) }

func (i *interleaving) String() string {
	var b strings.Builder
	for k, e := range i.edits {
		fmt.Fprintf(&b, "%s before operation %d; ", e.name, i.at[k])
	}
	return b.String()
}

// check checks the outcome for the last edit.
func (i *interleaving) check(t *testing.T, p *place, err error) bool {
	t.Helper()
	last := len(i.edits) - 1
	if last < 0 {
		return true
	}
	e := i.edits[last]
	if !assert.True(t, e.ok(t, p, i.work(last), i.old, i.data), "%v(%s): lost or torn; the swap said %v", i, e.reason, err) {
		return false
	}
	refused := errors.Is(err, atomicfile.ErrChanged) || errors.Is(err, atomicfile.ErrLink) || errors.Is(err, atomicfile.ErrNotRegular)
	if !assert.True(t, err == nil || refused, "%v: %v", i, err) {
		return false
	}
	if len(i.edits) > 1 {
		return true
	}
	return assert.Empty(t, p.leftovers(t), i.String())
}

// sizes are files of one page and of many.
func sizes() []*interleaving {
	return []*interleaving{
		{old: "old", data: "new text"},
		{old: strings.Repeat("old\n", 3_000), data: "n"},
		{old: "o", data: strings.Repeat("new\n", 30_000)},
	}
}

// steps returns how many operations a swap has that nobody disturbs.
func steps(t *testing.T, p *place, w atomicfile.Writer) []string {
	t.Helper()
	var out []string
	p.reset(t, "old")
	require.NoError(t, swap(atomicfile.Writer{Hook: func(op, name string) error {
		out = append(out, op+" "+filepath.Base(name))
		if w.Hook != nil {
			return w.Hook(op, name)
		}
		return nil
	}}, p, "old", "new"))
	return out
}

// An edit at any moment of a swap is not lost, and the file is never torn
// (06 §5).
func TestInterleave(t *testing.T) {
	p := newPlace(t, "")
	fds, n := openFiles(t), 0
	for at := range steps(t, p, atomicfile.Writer{}) {
		for _, e := range edits() {
			for _, i := range sizes() {
				i.at, i.edits = []int{at}, []edit{e}
				n++
				if !i.done(t, p, atomicfile.Writer{}) {
					return
				}
			}
		}
	}
	assert.Equal(t, fds, openFiles(t))
	t.Logf("%d interleavings", n)
	assert.Greater(t, n, 1000)
}

// The last of two edits is in place; if the one before it was not replaced by
// it, that is beside it.
func TestInterleaveTwo(t *testing.T) {
	p := newPlace(t, "")
	total := len(steps(t, p, atomicfile.Writer{})) + 8 // of undoing it
	rnd := rand.New(rand.NewPCG(1, 2))
	var whole []edit
	for _, e := range edits() {
		if e.whole {
			whole = append(whole, e)
		}
	}
	all := edits()
	for n := range 1000 {
		a, b := rnd.IntN(total), rnd.IntN(total)
		i := sizes()[n%3]
		i.at = []int{min(a, b), max(a, b)}
		i.edits = []edit{all[rnd.IntN(len(all))], whole[rnd.IntN(len(whole))]}
		if i.edits[0].name == "move folder" || i.edits[0].name == "delete" || i.edits[0].name == "folder" || i.edits[0].name == "move" {
			i.edits[0] = named("overwrite") // what cannot be edited afterwards
		}
		if i.edits[0].held {
			continue // both write at their own time; see TestInterleaveHeld
		}
		if err := i.run(t, p, atomicfile.Writer{}); !i.check(t, p, err) {
			return
		}
	}
}

// A slow writer's file that is replaced by somebody else is kept.
func TestInterleaveHeld(t *testing.T) {
	p := newPlace(t, "")
	list := steps(t, p, atomicfile.Writer{})
	slow, over := named("slow overwrite"), named("rename over")
	kept := 0
	for at := range list {
		for next := at; next < len(list); next++ {
			i := sizes()[0]
			i.at, i.edits = []int{at, next}, []edit{slow, over}
			err := i.run(t, p, atomicfile.Writer{})
			if !i.check(t, p, err) {
				return
			}
			for _, path := range p.leftovers(t) {
				kept++
				assert.Equal(t, i.work(0), read(t, path))
				assert.ErrorContains(t, err, filepath.Base(path))
			}
		}
	}
	assert.Positive(t, kept)
}

// Without leases only writers that are slow can be overlooked.
func TestInterleaveNoLease(t *testing.T) {
	p := newPlace(t, "")
	w := without(atomicfile.Writer{}, atomicfile.OpLease)
	for at := range steps(t, p, w) {
		for _, e := range edits() {
			i := sizes()[0]
			if i.at, i.edits = []int{at}, []edit{e}; !e.held && !i.done(t, p, w) {
				return
			}
		}
	}
}

// Without an exchange everything before the last look is safe.
func TestInterleaveNoExchange(t *testing.T) {
	p := newPlace(t, "")
	w := without(atomicfile.Writer{}, atomicfile.OpExchange)
	list := steps(t, p, w)
	look := 0 // the last one
	for at, op := range list {
		if op == "lstat SKILL.md" {
			look = at
		}
	}
	require.Greater(t, look, len(list)/2)
	for at := range list[:look+1] {
		for _, e := range edits() {
			i := sizes()[0]
			if i.at, i.edits = []int{at}, []edit{e}; !i.done(t, p, w) {
				return
			}
		}
	}
}

// Edits that come when they come.
func TestHammerEdits(t *testing.T) {
	p := newPlace(t, "")
	rnd := rand.New(rand.NewPCG(3, 4))
	all := edits()
	for n := range 300 {
		e := all[rnd.IntN(len(all))]
		if e.name == "move folder" || e.name == "reader" || e.name == "same bytes" {
			continue // not one call, or nothing that could be lost
		}
		i := sizes()[n%3]
		i.edits = []edit{e}
		p.reset(t, i.old)
		swapped := make(chan error, 1)
		spin := rnd.IntN(200_000)
		go func() {
			for range spin { // any moment will do
				_ = spin
			}
			swapped <- swap(atomicfile.Writer{}, p, i.old, i.data)
		}()
		var later func() error
		for later == nil {
			var err error
			if later, err = e.do(p, i.work(0)); err == nil && later == nil {
				later = func() error { return nil }
			}
			require.True(t, err == nil || errors.Is(err, fs.ErrNotExist), "%v", err)
		}
		err := <-swapped
		require.NoError(t, later())
		i.at = []int{-1}
		if !i.check(t, p, err) {
			return
		}
	}
}

// A FIFO in the place of the file keeps nobody waiting.
func TestFIFO(t *testing.T) {
	p := newPlace(t, "old")
	for at := range steps(t, p, atomicfile.Writer{}) {
		e := edit{name: "fifo", reason: "07 B11: nothing hangs", do: now(func(p *place, _ string) error {
			return replaceBy(p, func() error { return syscall.Mkfifo(p.file(), 0o600) })
		}), ok: func(t *testing.T, p *place, _, _, _ string) bool {
			info, err := os.Lstat(p.file())
			return err == nil && info.Mode()&fs.ModeNamedPipe != 0
		}}
		i := sizes()[0]
		i.at, i.edits = []int{at}, []edit{e}
		if !i.done(t, p, atomicfile.Writer{}) {
			return
		}
	}
}
