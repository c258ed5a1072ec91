// Package nesting says which folders of a project are looked into for nested
// skills (03 §3): those above touched paths, less the ones that are ignored.
package nesting

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/seed-12b313d8/skills/internal/gitignore"
	"github.com/seed-12b313d8/skills/internal/paths"
	"github.com/seed-12b313d8/skills/internal/readfile"
)

// Above returns the folders of the touched paths and all above them, each once,
// less start and those above it, which were loaded at the start.
func Above(touches []paths.Touch, start string) []string {
	var out []string
	seen := make(map[string]bool)
	for _, t := range touches {
		rel := t.Rel
		if !t.Dir {
			rel = paths.Parent(rel)
		}
		if always(rel) {
			continue // and so is all that matters above it looked at otherwise
		}
		for dir := rel; dir != "." && dir != start && !strings.HasPrefix(start, dir+"/"); dir = paths.Parent(dir) {
			if seen[dir] {
				break // and with it all above
			}
			seen[dir] = true
			out = append(out, dir)
		}
	}
	return out
}

// always reports whether a folder is passed over whatever anybody says.
func always(rel string) bool {
	for part := range strings.SplitSeq(rel, "/") {
		if part == "node_modules" || part == ".git" {
			return true
		}
	}
	return false
}

// A Ruling is whether a folder is passed over.
type Ruling struct {
	Ignored bool
	Brands  []bool // the same of its brands' skills directories, if that is known
	Problem string // what went wrong in asking, or ""
}

// Skills returns the skills directory of a brand in a folder.
func Skills(rel, brand string) string { return rel + "/" + brand + "/skills" }

// Rule rules on the folders: node_modules and .git are passed over always, of
// the others and of the skills directories in them verdicts tells, which gets
// all in one question.
func Rule(rels, brands []string, verdicts func(dirs []string) []gitignore.Verdict) map[string]Ruling {
	out := make(map[string]Ruling, len(rels))
	var open, dirs []string
	for _, rel := range rels {
		if always(rel) {
			out[rel] = Ruling{Ignored: true}
			continue
		}
		open, dirs = append(open, rel), append(dirs, rel)
		for _, brand := range brands {
			dirs = append(dirs, Skills(rel, brand))
		}
	}
	if len(open) == 0 {
		return out
	}
	answers := verdicts(dirs)
	for i, rel := range open {
		of := answers[i*(1+len(brands)):][:1+len(brands)]
		r := Ruling{Ignored: of[0].Ignored}
		for _, v := range of {
			if r.Problem == "" {
				r.Problem = v.Problem
			}
		}
		for _, v := range of[1:] {
			r.Brands = append(r.Brands, v.Ignored)
		}
		out[rel] = r
	}
	return out
}

// Verdicts returns what a host's check says of n folders. One that fails, or
// does not answer all, counts as "all ignored".
func Verdicts(n int, check func() ([]bool, error)) []gitignore.Verdict {
	answers, err := check()
	if err == nil && len(answers) != n {
		err = fmt.Errorf("%d answers to %d questions", len(answers), n)
	}
	out := make([]gitignore.Verdict, n)
	for i := range out {
		if err != nil {
			out[i] = gitignore.Verdict{Ignored: true, Problem: "the ignore check failed: " + err.Error()}
		} else {
			out[i].Ignored = answers[i]
		}
	}
	return out
}

// maxIgnoreFile bounds one ignore file in bytes.
const maxIgnoreFile = 1 << 20

// IgnoreFiles returns what the ignore files of the project at root say. They
// are read as plain files only.
func IgnoreFiles(root string) *gitignore.Tree {
	return gitignore.NewTree(root, func(path string) ([]byte, error) {
		data, _, err := readfile.WholeIn(filepath.Dir(path), filepath.Base(path), maxIgnoreFile)
		var size *readfile.SizeError
		if errors.As(err, &size) {
			return nil, gitignore.ErrTooLarge
		}
		return data, err
	})
}
