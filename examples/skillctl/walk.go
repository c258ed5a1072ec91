package main

import (
	"context"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/seed-12b313d8/skills"
)

// maxWalk is how many files and folders of a project are looked at.
const maxWalk = 100_000

// A walk goes through the files of a project in the order of their names. It
// enters no .git, no node_modules and no link to a folder.
type walk struct {
	limit int               // how many files and folders to look at
	visit func(path string) // called with each file, as a slash path below the root
	seen  int               // how many it has looked at
	cut   bool              // whether there were more
	gone  []skills.Issue    // of folders that cannot be read
}

// run walks below root. The error is that of root itself, or of ctx.
func (w *walk) run(ctx context.Context, root string) error {
	real, err := filepath.EvalSymlinks(root)
	if err != nil {
		return err
	}
	return filepath.WalkDir(real, func(path string, d fs.DirEntry, err error) error {
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case err != nil && path == real:
			return err
		case err != nil:
			w.gone = append(w.gone, unreadable(path, err))
			return nil
		case path == real:
			return nil
		}
		return w.entry(real, path, d)
	})
}

// entry looks at one file or folder.
func (w *walk) entry(root, path string, d fs.DirEntry) error {
	if w.seen == w.limit {
		w.cut = true
		return fs.SkipAll
	}
	w.seen++
	switch {
	case d.IsDir() && (d.Name() == ".git" || d.Name() == "node_modules"):
		return fs.SkipDir
	case !isFile(path, d):
		return nil
	}
	rel, err := filepath.Rel(root, path)
	if err != nil {
		return err
	}
	w.visit(filepath.ToSlash(rel))
	return nil
}

// isFile reports whether the entry is a file or a link to one.
func isFile(path string, d fs.DirEntry) bool {
	mode := d.Type()
	if mode&fs.ModeSymlink != 0 {
		info, err := os.Stat(path)
		if err != nil {
			return false
		}
		mode = info.Mode()
	}
	return mode.IsRegular()
}

func unreadable(path string, err error) skills.Issue {
	return skills.Issue{
		Code: skills.CodeUnreadable, Severity: "warning", Path: path,
		Msg: "the folder cannot be read and was passed over: " + err.Error(), Hint: "check that it may be read",
	}
}
