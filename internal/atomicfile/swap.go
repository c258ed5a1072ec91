package atomicfile

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"time"
)

// A swap is one CompareAndSwap.
//
// Its one rule is that it removes nothing but files that hold the old or the
// new bytes and that nobody has open for writing. From the exchange on, the
// name may hold anything that others put there, and so may the swap's own
// name, since others may have the file open that is under it.
type swap struct {
	dir      dir
	base     string
	old, new [sha256.Size]byte
	kept     traits // of the old file
	temp     temp   // the new file; after the exchange the name of the old one
}

// run does it all.
func (s *swap) run(data []byte) error {
	defer s.dir.lock()()
	if err := s.look(); err != nil {
		return err
	}
	t, err := s.dir.temp(data, s.kept)
	if err != nil {
		return err
	}
	s.temp = t
	s.temp.name = swapName(time.Now(), s.old[:], s.new[:])
	if err := s.dir.rename(t.name, s.temp.name); err != nil {
		return s.dir.discard(t.name, err)
	}
	switch err := s.dir.exchange(s.temp.name, s.base); {
	case err == nil:
		return s.settle()
	case errors.Is(err, fs.ErrNotExist):
		return s.dir.discard(s.temp.name, s.dir.gone(s.base))
	case unsupported(err):
		return s.replace()
	default:
		return s.dir.discard(s.temp.name, err)
	}
}

// How often and how far apart lock tries.
const (
	lockTries = 100
	lockPause = 10 * time.Millisecond
)

// errBusy says that somebody else has the lock.
var errBusy = errors.New("locked by somebody else")

// lock keeps the swaps in one folder apart, of all processes, and returns what
// ends that. It is a courtesy: without it two swaps would take each other's
// file for somebody's work and leave it lying. So who does not get it in a
// second goes on.
func (d dir) lock() (unlock func()) {
	var f *os.File
	for range lockTries {
		err := d.on(OpLock, "", func() (err error) {
			if f == nil {
				if f, err = d.root.Open("."); err != nil {
					return err
				}
			}
			return tryLock(f)
		})
		if !errors.Is(err, errBusy) {
			break
		}
		time.Sleep(lockPause)
	}
	return func() {
		if f != nil {
			f.Close()
		}
	}
}

// look checks the file before anything is made, and notes what is to be kept.
func (s *swap) look() error {
	f, err := s.dir.openFile(s.base)
	if errors.Is(err, fs.ErrNotExist) {
		return s.dir.gone(s.base)
	}
	if err != nil {
		return err
	}
	defer f.close()
	if err := f.sole(); err != nil {
		return err
	}
	s.kept = f.traits()
	return s.matches(f, s.old)
}

// gone returns the error for a file that is not there any more.
func (d dir) gone(name string) error {
	return d.pathError(OpOpen, name, fmt.Errorf("%w: it is not there: %w", ErrChanged, fs.ErrNotExist))
}

// matches returns an [ErrChanged] unless f has that sum.
func (s *swap) matches(f *file, want [sha256.Size]byte) error {
	sum, err := f.sum()
	switch {
	case errors.Is(err, ErrTooLarge):
		return s.dir.pathError(OpRead, s.base, changed("it is larger"))
	case err != nil:
		return err
	case sum != want:
		return s.dir.pathError(OpRead, s.base, changed("it has other bytes"))
	}
	return nil
}

// settle looks at what the exchange has brought out. If that is the old file
// it goes, otherwise it comes back.
func (s *swap) settle() error {
	f, err := s.examine(s.temp.name, s.old)
	if err == nil {
		err = s.dir.sync() // which takes a while: who was about to open the old file has done so
		if err == nil {
			err = s.relabel(f.still())
		}
		if err == nil {
			_ = s.dir.discard(s.temp.name, nil) // or the next writer does
		}
		f.close()
	}
	if err != nil {
		return s.undo(err)
	}
	return nil
}

// examine opens the file name and checks that it is a sole regular file of
// these bytes, with the traits kept, that nobody is writing to. The lease
// lasts until it is closed.
func (s *swap) examine(name string, want [sha256.Size]byte) (*file, error) {
	f, err := s.dir.openFile(name)
	if err != nil {
		return nil, s.relabel(err)
	}
	if err = f.lease(); err == nil {
		err = s.matches(f, want)
	}
	if err == nil && f.traits() != s.kept {
		err = changed("its mode or owner is another")
	}
	if err == nil {
		err = f.still()
	}
	if err != nil {
		f.close()
		return nil, s.relabel(err)
	}
	return f, nil
}

// relabel makes err one about the file that was to be replaced, and what is
// wrong with its kind a change, since it was right at first.
func (s *swap) relabel(err error) error {
	if err == nil {
		return nil
	}
	if errors.Is(err, ErrLink) || errors.Is(err, ErrNotRegular) || errors.Is(err, fs.ErrNotExist) {
		err = changed("it was replaced by something else")
	}
	return s.dir.pathError(OpExchange, s.base, err)
}

// How often and how far apart undo tries to find the new file in its place.
// It is not there if others have put theirs there, who may be swapping too.
const (
	undoTries = 8
	undoPause = 2 * time.Millisecond
)

// undo puts back what the exchange brought out, because of cause, which it
// returns. What others have put in place since then stays.
func (s *swap) undo(cause error) error {
	for try := range undoTries {
		if try > 0 {
			time.Sleep(undoPause)
		}
		now, err := s.dir.lstat(s.base)
		if errors.Is(err, fs.ErrNotExist) {
			break
		}
		if err != nil || !os.SameFile(now, s.temp.info) {
			continue
		}
		if err := s.dir.exchange(s.temp.name, s.base); err != nil {
			continue
		}
		if s.removeIf(s.new) {
			_ = s.dir.sync() // the cause is the error to tell of
			return cause
		}
		_ = s.dir.exchange(s.temp.name, s.base) // the new file has become somebody's: it is the latest
	}
	if s.removeIf(s.old) {
		return cause
	}
	return fmt.Errorf("%w; what it was before is kept as %s", cause, s.dir.path(s.temp.name))
}

// removeIf removes the file under the swap's own name if it has these bytes
// and nobody is writing to it.
func (s *swap) removeIf(sum [sha256.Size]byte) bool {
	f, err := s.dir.openFile(s.temp.name)
	if err != nil {
		return errors.Is(err, fs.ErrNotExist)
	}
	defer f.close()
	if f.lease() != nil || s.matches(f, sum) != nil || f.leased && !leaseHolds(f.f) {
		return false
	}
	_ = s.dir.discard(s.temp.name, nil) // or the next writer does
	return true
}

// replace is the way without an exchange: a last look, then a rename.
func (s *swap) replace() error {
	f, err := s.examine(s.base, s.old)
	if err != nil {
		return s.dir.discard(s.temp.name, err)
	}
	if closeFirst {
		f.close()
	} else {
		defer f.close()
	}
	if err := s.dir.rename(s.temp.name, s.base); err != nil {
		return s.dir.discard(s.temp.name, err)
	}
	return s.dir.sync()
}
