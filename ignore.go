package skills

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/seed-12b313d8/skills/internal/gitignore"
)

// An IgnoreFunc says which of dirs nested discovery passes over (03 §3). dirs
// are slash paths relative to root, of folders and of skills directories in
// them, which may not exist; the result has one answer for each. An
// error counts as "all ignored" and becomes an issue. It is called with no lock
// held and should end when ctx does. Package osshell has one that asks git.
type IgnoreFunc func(ctx context.Context, root string, dirs []string) ([]bool, error)

// A ruling is whether a folder is passed over, and what went wrong in asking.
type ruling struct {
	ignored bool
	brands  []bool // the same of its brands' skills directories, if that is known
	issue   *Issue
}

// ask finds out which of the folders are passed over: node_modules and .git
// always, and what the host's IgnoreFunc or the ignore files say of them or of
// the skills directories in them.
func (c *folderCache) ask(ctx context.Context, rels []string) map[string]ruling {
	brands := c.reg.loc.Brands
	out := make(map[string]ruling, len(rels))
	var open, dirs []string
	for _, rel := range rels {
		if alwaysIgnored(rel) {
			out[rel] = ruling{ignored: true}
			continue
		}
		open, dirs = append(open, rel), append(dirs, rel)
		for _, brand := range brands {
			dirs = append(dirs, rel+"/"+brand+"/skills")
		}
	}
	if len(open) == 0 {
		return out
	}
	answers := c.verdicts(ctx, dirs)
	for i, rel := range open {
		of := answers[i*(1+len(brands)):][:1+len(brands)]
		r := ruling{ignored: of[0].Ignored}
		for _, v := range of {
			if v.Problem != "" && r.issue == nil {
				i := ignoreFailed(c.reg.project().Join(rel), v.Problem)
				r.issue = &i
			}
		}
		for _, v := range of[1:] {
			r.brands = append(r.brands, v.Ignored)
		}
		out[rel] = r
	}
	return out
}

func alwaysIgnored(rel string) bool {
	for part := range strings.SplitSeq(rel, "/") {
		if part == "node_modules" || part == ".git" {
			return true
		}
	}
	return false
}

// verdicts asks the host's IgnoreFunc, or the ignore files of the project.
func (c *folderCache) verdicts(ctx context.Context, dirs []string) []gitignore.Verdict {
	if c.reg.opts.Ignored == nil {
		return c.ignore.IgnoredDirs(ctx, dirs)
	}
	out := make([]gitignore.Verdict, len(dirs))
	answers, err := guarded("Options.Ignored", func() ([]bool, error) {
		return c.reg.opts.Ignored(ctx, c.reg.loc.Project, slices.Clone(dirs))
	})
	if err == nil && len(answers) != len(dirs) {
		err = fmt.Errorf("%d answers to %d questions", len(answers), len(dirs))
	}
	for i := range dirs {
		if err != nil {
			out[i] = gitignore.Verdict{Ignored: true, Problem: "the ignore check failed: " + err.Error()}
		} else {
			out[i].Ignored = answers[i]
		}
	}
	return out
}

func ignoreFailed(path, why string) Issue {
	return Issue{
		Code: "ignore-check", Severity: sevWarning, Path: path,
		Msg: "the folder was passed over: " + why, Hint: "shorten the ignore files, or mend or leave out Options.Ignored",
	}
}
