package skills

import (
	"context"
	"fmt"
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
	issue   *Issue
}

// ask finds out which of the folders are passed over: node_modules and .git
// always, and what the host's IgnoreFunc or the ignore files say.
func (c *folderCache) ask(ctx context.Context, folders []*folder) map[string]ruling {
	if len(folders) == 0 {
		return nil
	}
	out := make(map[string]ruling, len(folders))
	var open []string
	for _, f := range folders {
		switch {
		case alwaysIgnored(f.rel):
			out[f.rel] = ruling{ignored: true}
		case c.reg.opts.Ignored == nil:
			out[f.rel] = ruling{ignored: c.ignore.IgnoredDir(f.rel)}
		default:
			open = append(open, f.rel)
		}
	}
	if len(open) > 0 {
		c.askHost(ctx, open, out)
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

// askHost adds the answers of the host's IgnoreFunc to out.
func (c *folderCache) askHost(ctx context.Context, dirs []string, out map[string]ruling) {
	answers, err := askContained(ctx, c.reg.opts.Ignored, c.reg.loc.Project, dirs)
	for i, rel := range dirs {
		if err == nil {
			out[rel] = ruling{ignored: answers[i]}
			continue
		}
		i := ignoreFailed(c.reg.project().Join(rel), err)
		out[rel] = ruling{true, &i}
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
