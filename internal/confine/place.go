package confine

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"path/filepath"
	"slices"
	"time"

	"github.com/seed-12b313d8/skills/internal/readfile"
)

// A Place is how files that were found once are read again.
type Place struct {
	// Confine is a directory that nothing may lead out of, whatever was swapped
	// since the files were found; "" lets links lead anywhere.
	Confine string
	// MaxSize is the largest size of a file in bytes.
	MaxSize int64
}

// Read returns the whole file at the real path.
func (p *Place) Read(real string) ([]byte, readfile.ID, error) {
	if p.Confine == "" {
		return readfile.Whole(real, p.MaxSize)
	}
	root, err := filepath.EvalSymlinks(p.Confine)
	if err != nil {
		return nil, readfile.ID{}, err
	}
	rel, err := filepath.Rel(root, real)
	if err != nil {
		return nil, readfile.ID{}, err
	}
	return readfile.WholeIn(root, rel, p.MaxSize)
}

// How long ReadWritten waits for a file that was just cut to nothing.
const (
	writePause    = 20 * time.Millisecond
	writePatience = 200 * time.Millisecond
)

// ReadWritten is Read for a file that held something when it was found. If it
// is empty now it is probably being written, and gets a moment.
func (p *Place) ReadWritten(ctx context.Context, real string) ([]byte, error) {
	for waited := time.Duration(0); ; waited += writePause {
		doc, _, err := p.Read(real)
		if err != nil || len(bytes.TrimSpace(doc)) > 0 {
			return doc, err
		}
		if waited >= writePatience {
			return nil, errors.New("it is empty, and was not when it was loaded")
		}
		select {
		case <-time.After(writePause):
		case <-ctx.Done():
			return nil, context.Cause(ctx)
		}
	}
}

// Folder returns the folder dir, whose real path is real, as [FS] does. It is
// reached through Confine, so that it cannot be swapped for another. A nil p
// does not confine it.
func (p *Place) Folder(dir, real string, maxSize int64) fs.FS {
	if p == nil || p.Confine == "" {
		return FS(dir, maxSize)
	}
	root, err := filepath.EvalSymlinks(p.Confine)
	if err != nil {
		root = p.Confine
	}
	rel, err := filepath.Rel(root, real)
	if err != nil {
		rel = ".." // refused at every Open
	}
	return FSIn(root, rel, maxSize)
}

// List returns the paths of the plain files of fsys, sorted, at most limit of
// them; more says that there are others. What cannot be read is not there; the
// error is that of the root.
func List(fsys fs.FS, limit int) (paths []string, more bool, err error) {
	err = fs.WalkDir(fsys, ".", func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil && path == ".":
			return err
		case err != nil, !d.Type().IsRegular():
			return nil
		case len(paths) == limit:
			more = true
			return fs.SkipAll
		}
		paths = append(paths, path)
		return nil
	})
	if err != nil {
		return nil, false, err
	}
	slices.Sort(paths) // a walk puts "a/b" before "a.txt"
	return paths, more, nil
}
