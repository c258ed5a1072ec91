package skills

import (
	"context"
	"slices"

	"github.com/seed-12b313d8/skills/internal/gitignore"
	"github.com/seed-12b313d8/skills/internal/guard"
	"github.com/seed-12b313d8/skills/internal/nesting"
)

// An IgnoreFunc says which of dirs nested discovery passes over (03 §3). dirs
// are slash paths relative to root, of folders and of skills directories in
// them, which may not exist; the result has one answer for each. An
// error counts as "all ignored" and becomes an issue. It is called with no lock
// held and should end when ctx does. Package osshell has one that asks git.
type IgnoreFunc func(ctx context.Context, root string, dirs []string) ([]bool, error)

// ask finds out which of the folders are passed over, by the host's IgnoreFunc
// or the ignore files of the project.
func (c *folderCache) ask(ctx context.Context, rels []string) map[string]nesting.Ruling {
	return nesting.Rule(rels, c.reg.loc.Brands, func(dirs []string) []gitignore.Verdict {
		f := c.reg.opts.Ignored
		if f == nil {
			return c.ignore.IgnoredDirs(ctx, dirs)
		}
		return nesting.Verdicts(len(dirs), func() ([]bool, error) {
			return guard.Call("Options.Ignored", func() ([]bool, error) { return f(ctx, c.reg.loc.Project, slices.Clone(dirs)) })
		})
	})
}

func ignoreFailed(path, why string) Issue {
	return Issue{
		Code: "ignore-check", Severity: sevWarning, Path: path,
		Msg: "the folder was passed over: " + why, Hint: "shorten the ignore files, or mend or leave out Options.Ignored",
	}
}
