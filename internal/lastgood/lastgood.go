// Package lastgood keeps what was read of a file while the file is broken (03
// W5): one that cannot be read, would be refused, or is empty, since editors cut
// a file before they write it. What is gone is gone, whatever else is wrong
// around it.
package lastgood

import (
	"errors"
	"io/fs"
	"os"
	"slices"
	"strings"
)

const skillFile = "SKILL.md"

// A Breakage is what of a place could not be read. The zero Breakage is
// nothing.
type Breakage struct {
	files   map[string]bool // SKILL.md or command files, and folders of skills
	folders map[string]bool // that could not be looked into at all
}

// AddFile adds a broken file, or a folder of one skill.
func (b *Breakage) AddFile(path string) {
	if b.files == nil {
		b.files, b.folders = make(map[string]bool), make(map[string]bool)
	}
	b.files[path] = true
}

// AddRefused is AddFile for one that was passed over: whatever lies below the
// folder of a skill is not looked for then.
func (b *Breakage) AddRefused(path string) {
	b.AddFile(path)
	if dir, ok := cutSkillFile(path); ok {
		b.folders[dir] = true
	}
}

// AddUnreadable is AddRefused for what may be a folder too, which then was not
// looked into.
func (b *Breakage) AddUnreadable(path string) {
	b.AddRefused(path)
	b.folders[path] = true
}

// Empty reports whether nothing is broken.
func (b *Breakage) Empty() bool { return len(b.files) == 0 }

// Reaches reports whether the file at path is broken, its folder is, or one
// above it that could not be looked into.
func (b *Breakage) Reaches(path string) bool {
	if path == "" {
		return false
	}
	if b.files[path] {
		return true
	}
	if dir, ok := cutSkillFile(path); ok && (b.files[dir] || b.files[dir+path[len(dir):len(dir)+1]+skillFile]) {
		return true
	}
	for path != "" {
		if b.folders[path] {
			return true
		}
		path = path[:max(0, strings.LastIndexAny(path, `/\`))]
	}
	return false
}

// A File says of what was read where it is, and whether it is broken itself.
type File struct {
	Key    string // as breakages name it; "" is no file
	Path   string // on disk, or ""
	Broken bool
}

// Keep returns now, what a place holds, with those of was, what it held, whose
// files are broken: in the places of the broken ones, or at the end. kept are
// these. Neither slice is changed.
func Keep[T any](was, now []T, b *Breakage, file func(T) File) (all, kept []T) {
	at := make(map[string]int, len(now))
	for i, v := range now {
		at[file(v).Key] = i
	}
	all = slices.Clone(now)
	for _, v := range was {
		f := file(v)
		if f.Broken || !b.Reaches(f.Key) {
			continue
		}
		i, there := at[f.Key]
		switch {
		case !there && gone(f.Path), there && !file(all[i]).Broken:
			continue
		case there:
			all[i] = v
		default:
			all = append(all, v)
		}
		kept = append(kept, v)
	}
	return all, kept
}

// gone reports whether there is no file at path any more. A link that leads
// nowhere is there.
func gone(path string) bool {
	if path == "" {
		return false
	}
	_, err := os.Lstat(path)
	if dir, ok := cutSkillFile(path); ok && errors.Is(err, fs.ErrNotExist) {
		info, linkErr := os.Lstat(dir) // skills/x may be a link that leads nowhere
		return linkErr != nil || info.Mode()&fs.ModeSymlink == 0
	}
	return errors.Is(err, fs.ErrNotExist)
}

// cutSkillFile returns the folder of a SKILL.md in any letter case.
func cutSkillFile(path string) (dir string, ok bool) {
	n := len(path) - len(skillFile) - 1
	if n < 0 || !strings.EqualFold(path[n+1:], skillFile) {
		return "", false
	}
	return path[:n], true
}
