package skills

import (
	"errors"
	"io/fs"
	"os"
	"slices"
	"strings"
)

// keepGood returns l with the last good version of each file that is broken
// now: one that would load degraded, be skipped with an error, or is empty
// (03 W5). What is gone is gone, whatever else is wrong around it.
func (s *sourceState) keepGood(l Loaded) Loaded {
	b := findBreakage(l)
	if len(b.files) == 0 && len(b.folders) == 0 {
		return l
	}
	now := make(map[string]int, len(l.Skills))
	for i, sk := range l.Skills {
		if sk != nil {
			now[sk.fileKey()] = i + 1
		}
	}
	l.Skills, l.Issues = slices.Clone(l.Skills), slices.Clone(l.Issues)
	for _, was := range s.raw.Skills {
		if was == nil || was.Degraded || was.blank || !b.reaches(was) {
			continue
		}
		switch at := now[was.fileKey()]; {
		case at == 0 && was.gone():
			continue
		case at == 0:
			l.Skills = append(l.Skills, was)
		case l.Skills[at-1].Degraded, l.Skills[at-1].blank:
			l.Skills[at-1] = was
		default:
			continue
		}
		l.Issues = append(l.Issues, Issue{
			Code: "kept-last-good", Severity: sevInfo, Skill: was.Name, Path: was.fileKey(),
			Msg: "the skill is kept as it was before the file broke", Hint: "mend the file, or remove it",
		})
	}
	return l
}

// A breakage is what of a load could not be read.
type breakage struct {
	files   map[string]bool // SKILL.md or command files, and folders of skills
	folders map[string]bool // that could not be looked into at all
}

func findBreakage(l Loaded) breakage {
	b := breakage{make(map[string]bool), make(map[string]bool)}
	for _, i := range l.Issues {
		if i.Severity != sevError {
			continue
		}
		switch i.Code {
		case "escapes-root", "too-deep", "too-many": // refused, not broken
			continue
		case CodeUnreadable:
			b.folders[i.Path] = true
		}
		b.files[i.Path] = true
		if dir, ok := cutSkillFile(i.Path); ok { // whatever lies below a skill is not looked for
			b.folders[dir] = true
		}
	}
	for _, sk := range l.Skills {
		if sk != nil && sk.blank { // an editor cuts a file to nothing before it writes
			b.files[sk.fileKey()] = true
		}
	}
	return b
}

// reaches reports whether the file of was is broken, its folder is, or one above
// it that could not be looked into.
func (b *breakage) reaches(was *Skill) bool {
	path := was.fileKey()
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

// gone reports whether the file of s is not there any more. A link that leads
// nowhere is there.
func (s *Skill) gone() bool {
	if s.Path == "" {
		return false
	}
	_, err := os.Lstat(s.Path)
	if dir, ok := cutSkillFile(s.Path); ok && errors.Is(err, fs.ErrNotExist) {
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
