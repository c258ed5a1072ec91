package fswatch

import (
	"context"
	"hash/maphash"
)

// A survey is what one look at the targets of an owner found.
type survey struct {
	dirs  [][]Dir // of each target
	shape uint64  // which directories and files matter
	print uint64  // the same, and the status of the files
}

// survey lists the directories of each target, and sums up what they hold.
func (w *Watcher) survey(ctx context.Context, targets []Target) survey {
	s := survey{dirs: make([][]Dir, len(targets))}
	var shape, print maphash.Hash
	shape.SetSeed(w.seed)
	print.SetSeed(w.seed)
	for i := range targets {
		s.dirs[i] = targets[i].list(ctx)
		maphash.WriteComparable(&shape, len(s.dirs[i]))
		for _, d := range s.dirs[i] {
			maphash.WriteComparable(&shape, dirShape{d.Path, d.Leaf, d.Shut, len(d.Files)})
			for _, f := range d.Files {
				maphash.WriteComparable(&shape, f.Name)
				maphash.WriteComparable(&print, f.ID)
			}
		}
	}
	s.shape = shape.Sum64()
	maphash.WriteComparable(&print, s.shape)
	s.print = print.Sum64()
	return s
}

type dirShape struct {
	path       string
	leaf, shut bool
	files      int
}
