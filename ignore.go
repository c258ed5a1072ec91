package skills

import (
	"context"
	"fmt"
	"slices"
	"strings"
)

// An IgnoreFunc says which of dirs nested discovery passes over (03 §3). dirs
// are slash paths relative to root; the result has one answer for each. An
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
// always, and what the host's IgnoreFunc or the ignore files say.
func (c *folderCache) ask(ctx context.Context, rels []string) map[string]ruling {
	out := make(map[string]ruling, len(rels))
	var open []string
	for _, rel := range rels {
		if alwaysIgnored(rel) {
			out[rel] = ruling{ignored: true}
		} else {
			open = append(open, rel)
		}
	}
	switch {
	case len(open) == 0:
	case c.reg.opts.Ignored == nil:
		c.askFiles(ctx, open, out)
	default:
		c.askHost(ctx, open, out)
	}
	return out
}

// askFiles adds the answers of the project's ignore files to out.
func (c *folderCache) askFiles(ctx context.Context, rels []string, out map[string]ruling) {
	brands := c.reg.loc.Brands
	var dirs []string
	for _, rel := range rels {
		dirs = append(dirs, rel)
		for _, brand := range brands {
			dirs = append(dirs, rel+"/"+brand+"/skills")
		}
	}
	answers := c.ignore.IgnoredDirs(ctx, dirs)
	for i, rel := range rels {
		of := answers[i*(1+len(brands)):][:1+len(brands)]
		r := ruling{ignored: of[0].Ignored}
		for _, v := range of {
			if v.Problem != "" && r.issue == nil {
				r.issue = &Issue{
					Code: "ignore-check", Severity: sevWarning, Path: c.reg.project().Join(rel),
					Msg: "the folder was passed over: " + v.Problem, Hint: "shorten the ignore files, or give an Options.Ignored",
				}
			}
		}
		for _, v := range of[1:] {
			r.brands = append(r.brands, v.Ignored)
		}
		out[rel] = r
	}
}

func alwaysIgnored(rel string) bool {
	for part := range strings.SplitSeq(rel, "/") {
		if part == "node_modules" || part == ".git" {
			return true
		}
	}
	return false
}

// askHost adds the answers of the host's IgnoreFunc to out.
func (c *folderCache) askHost(ctx context.Context, dirs []string, out map[string]ruling) {
	answers, err := askContained(ctx, c.reg.opts.Ignored, c.reg.loc.Project, slices.Clone(dirs))
	for i, rel := range dirs {
		if err == nil {
			out[rel] = ruling{ignored: answers[i]}
			continue
		}
		i := ignoreFailed(c.reg.project().Join(rel), err)
		out[rel] = ruling{ignored: true, issue: &i}
	}
}

func ignoreFailed(path string, err error) Issue {
	return Issue{
		Code: "ignore-check", Severity: sevWarning, Path: path,
		Msg: "the folder was passed over: the ignore check failed: " + err.Error(), Hint: "fix or leave out Options.Ignored",
	}
}

func askContained(ctx context.Context, f IgnoreFunc, root string, dirs []string) (answers []bool, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("panic: %v", p)
		}
	}()
	answers, err = f(ctx, root, dirs)
	if err == nil && len(answers) != len(dirs) {
		err = fmt.Errorf("%d answers to %d questions", len(answers), len(dirs))
	}
	return answers, err
}
