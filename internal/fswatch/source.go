package fswatch

import (
	"errors"
	"syscall"

	"github.com/fsnotify/fsnotify"
)

// A Source delivers the events of single directories. It exists so that tests
// can lose events and reach limits. Add and Remove are called from one
// goroutine while another receives; Close ends both channels or leaves them
// silent, and is called once.
type Source interface {
	Add(dir string) error
	Remove(dir string) error
	Events() <-chan Event
	Errors() <-chan error
	Close() error
}

// An Event is what happened to the file or directory Name.
type Event = fsnotify.Event

// An Op is a set of things that happened.
type Op = fsnotify.Op

// What may have happened to a name; for a rename it is the old one.
const (
	Create = fsnotify.Create
	Write  = fsnotify.Write
	Remove = fsnotify.Remove
	Rename = fsnotify.Rename
	Chmod  = fsnotify.Chmod
)

var (
	// ErrOverflow is the error of a [Source] that has lost events.
	ErrOverflow = fsnotify.ErrEventOverflow

	// ErrTooMany says that the targets need more than [Options.MaxWatches].
	ErrTooMany = errors.New("too many directories to watch")

	errEnded = errors.New("the event source has ended")
	errAlias = errors.New("the directory is watched under another name")
)

// buffered is how many events may wait in the process for one that reads a
// map; it spares a change of goroutines for each.
const buffered = 1024

// System opens the events of the operating system.
func System() (Source, error) {
	w, err := fsnotify.NewBufferedWatcher(buffered)
	if err != nil {
		return nil, err
	}
	return systemSource{w}, nil
}

type systemSource struct{ *fsnotify.Watcher }

// Events implements [Source].
func (s systemSource) Events() <-chan Event { return s.Watcher.Events }

// Errors implements [Source].
func (s systemSource) Errors() <-chan error { return s.Watcher.Errors }

// isLimit reports whether err of Add concerns all directories, not one.
func isLimit(err error) bool {
	for _, limit := range []error{syscall.ENOSPC, syscall.EMFILE, syscall.ENFILE, syscall.ENOMEM, ErrTooMany, fsnotify.ErrClosed} {
		if errors.Is(err, limit) {
			return true
		}
	}
	return false
}

// isStray reports whether err of a Source means only that a watch ended in an
// unusual way: on Linux, a directory that was moved and then removed before
// the move was handled.
func isStray(err error) bool {
	return errors.Is(err, syscall.EINVAL) || errors.Is(err, fsnotify.ErrNonExistentWatch)
}
