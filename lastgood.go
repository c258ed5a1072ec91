package skills

import (
	"slices"
	"strings"
)

// keepGood returns l with the last good version of each file that is broken
// now: one that would load degraded, be skipped with an error, or is empty
// (03 W5).
func (s *sourceState) keepGood(l Loaded) Loaded {
	broken := make(map[string]bool)
	for _, i := range l.Issues {
		if i.Severity == sevError && i.Code != "escapes-root" {
			broken[i.Path] = true
			if dir, ok := cutSkillFile(i.Path); ok {
				broken[dir] = true
			}
		}
	}
	for _, sk := range l.Skills {
		if sk != nil && sk.blank { // an editor cuts a file to nothing before it writes
			broken[sk.fileKey()] = true
		}
	}
	if len(broken) == 0 {
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
		if was == nil || was.Degraded || was.blank || was.fileKey() == "" {
			continue
		}
		if !onBrokenPath(was.fileKey(), broken) {
			continue
		}
		switch at := now[was.fileKey()]; {
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

// onBrokenPath reports whether path or a folder above it is broken.
func onBrokenPath(path string, broken map[string]bool) bool {
	for path != "" {
		if broken[path] {
			return true
		}
		path = path[:max(0, strings.LastIndexAny(path, `/\`))]
	}
	return false
}

// cutSkillFile returns the folder of a SKILL.md in any letter case.
func cutSkillFile(path string) (dir string, ok bool) {
	n := len(path) - len(skillFile) - 1
	if n < 0 || !strings.EqualFold(path[n+1:], skillFile) {
		return "", false
	}
	return path[:n], true
}
