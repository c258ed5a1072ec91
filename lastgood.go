package skills

import (
	"slices"

	"github.com/seed-12b313d8/skills/internal/lastgood"
)

// keepGood returns l with the last good version of each file that is broken
// now (03 W5).
func (s *sourceState) keepGood(l Loaded) Loaded {
	b := breakage(l)
	if b.Empty() {
		return l
	}
	all, kept := lastgood.Keep(s.raw.Skills, l.Skills, b, (*Skill).reading)
	l.Skills, l.Issues = all, slices.Clone(l.Issues)
	for _, was := range kept {
		l.Issues = append(l.Issues, Issue{
			Code: "kept-last-good", Severity: sevInfo, Skill: was.Name, Path: was.fileKey(),
			Msg: "the skill is kept as it was before the file broke", Hint: "mend the file, or remove it",
		})
	}
	return l
}

// breakage says which files of l are broken.
func breakage(l Loaded) *lastgood.Breakage {
	var b lastgood.Breakage
	for _, i := range l.Issues {
		if i.Severity != sevError {
			continue
		}
		switch i.Code {
		case "escapes-root", "too-deep", "too-many": // refused, not broken
		case CodeUnreadable:
			b.AddUnreadable(i.Path)
		default:
			b.AddRefused(i.Path)
		}
	}
	for _, sk := range l.Skills {
		if sk != nil && sk.blank {
			b.AddFile(sk.fileKey())
		}
	}
	return &b
}

// reading says what was read for s; a nil s is no file.
func (s *Skill) reading() lastgood.File {
	if s == nil {
		return lastgood.File{}
	}
	return lastgood.File{Key: s.fileKey(), Path: s.Path, Broken: s.Degraded || s.blank}
}
