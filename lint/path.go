package lint

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/seed-12b313d8/skills"
	"github.com/seed-12b313d8/skills/internal/readfile"
)

// Path checks what lies at path: one file, the folder of a skill, a directory
// of skills, a brand folder or plugin, or a whole project, whose brand folders
// are looked for at every level. Links are followed from one place to another
// but not while looking for brand folders; folders that .gitignore names are
// passed over.
//
// Issues have paths that begin with path, and are sorted by path and line. An
// error, always a *[skills.Error] with [skills.CodeUnreadable], means that path
// itself cannot be read, or that ctx ended; whatever is wrong below path is an
// issue, a SKILL.md that is not there too. A nil o means zero options.
func Path(ctx context.Context, path string, o *Options) ([]skills.Issue, error) {
	l := &linter{opts: o.withDefaults(), given: path}
	err := l.run(ctx)
	if err != nil {
		return nil, &skills.Error{Issue: skills.Issue{
			Code: skills.CodeUnreadable, Severity: sevError, Path: path,
			Msg: "it cannot be checked", Hint: "give a file, a skill's folder, a directory of skills or a project",
		}, Err: err}
	}
	slices.SortStableFunc(l.issues, func(a, b skills.Issue) int {
		return cmp.Or(strings.Compare(a.Path, b.Path), cmp.Compare(a.Line, b.Line))
	})
	return l.issues, nil
}

// A linter is one call of Path.
type linter struct {
	opts  Options
	given string // as the caller wrote it
	abs   string
	root  string // of the project; "" if abs is not taken for one

	mu     sync.Mutex // guards issues
	issues []skills.Issue
}

// report adds issues, their paths written as the caller's.
func (l *linter) report(issues ...skills.Issue) {
	for i := range issues {
		rel, err := filepath.Rel(l.abs, issues[i].Path)
		if err == nil {
			issues[i].Path = filepath.Join(l.given, rel)
		}
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.issues = append(l.issues, issues...)
}

func (l *linter) run(ctx context.Context) error {
	var err error
	if l.abs, err = filepath.Abs(l.given); err != nil {
		return err
	}
	info, err := os.Stat(l.abs)
	switch {
	case err != nil:
		return cause(err)
	case info.IsDir():
		return l.directory(ctx)
	default:
		return l.file(ctx)
	}
}

// file checks one file by its place: a SKILL.md, a command, or neither.
func (l *linter) file(ctx context.Context) error {
	dir, base := filepath.Split(l.abs)
	dir = filepath.Clean(dir)
	switch root := commandsAbove(dir); {
	case strings.EqualFold(base, skillFile) && !l.opts.Command:
		l.given, l.abs = filepath.Dir(l.given), dir
		return l.skill(ctx, dir)
	case isMarkdown(base) && (root != "" || l.opts.Command):
		l.given, l.abs = filepath.Dir(l.given), dir
		root = cmp.Or(root, dir)
		rel, err := filepath.Rel(root, filepath.Join(dir, base))
		if err != nil {
			return err
		}
		_, err = l.scan(ctx, single(root, rel), root, true)
		return err
	}
	return l.stray(base)
}

// stray checks a file that the loader does not read under its name.
func (l *linter) stray(base string) error {
	doc, _, err := readfile.Whole(l.abs, maxSize)
	var size *readfile.SizeError
	switch {
	case errors.As(err, &size):
		l.report(skills.Issue{
			Code: "too-large", Severity: sevError, Path: l.abs,
			Msg: size.Error(), Hint: "move text into further files, or raise MaxSize",
		})
		return nil
	case err != nil:
		return cause(err)
	}
	o := l.opts
	name := strings.TrimSuffix(base, filepath.Ext(base))
	o.Folder = cmp.Or(o.Folder, name)
	l.report(Document(doc, l.abs, &o)...)
	if !o.Command {
		l.report(skills.Issue{
			Code: codeFlatFile, Severity: sevError, Path: l.abs,
			Msg: "only a " + skillFile + " in a folder of its own is read as a skill", Hint: "move it to " + name + "/" + skillFile,
		})
	}
	return nil
}

// directory checks a folder by what is in it.
func (l *linter) directory(ctx context.Context) error {
	entries, err := os.ReadDir(l.abs)
	if err != nil {
		return cause(err)
	}
	base := filepath.Base(l.abs)
	switch {
	case l.opts.Command:
		return l.commands(ctx, l.abs)
	case has(entries, skillFile):
		return l.skill(ctx, l.abs)
	case base == commandsDir:
		return l.commands(ctx, l.abs)
	case base == skillsDir:
		return l.skills(ctx, l.abs)
	case has(entries, pluginDir):
		return l.plugin(ctx, l.abs)
	case slices.Contains(l.opts.Brands, base):
		return l.brand(ctx, l.abs)
	}
	found, err := l.project(ctx)
	switch {
	case err != nil || found:
		return err
	case has(entries, skillsDir):
		return l.brand(ctx, l.abs)
	}
	return l.skills(ctx, l.abs)
}

// The names that tell directories apart.
const (
	skillsDir   = "skills"
	commandsDir = "commands"
	pluginDir   = ".claude-plugin"
)

// has reports whether a folder has an entry of this name, in any letter case.
func has(entries []fs.DirEntry, name string) bool {
	return slices.ContainsFunc(entries, func(e fs.DirEntry) bool { return strings.EqualFold(e.Name(), name) })
}

// commandsAbove returns the nearest folder called commands that dir is or lies
// in, or "".
func commandsAbove(dir string) string {
	for ; filepath.Dir(dir) != dir; dir = filepath.Dir(dir) {
		if filepath.Base(dir) == commandsDir {
			return dir
		}
	}
	return ""
}

func isMarkdown(name string) bool { return strings.EqualFold(filepath.Ext(name), ".md") }

// cause strips the path, which the caller knows.
func cause(err error) error {
	var p *fs.PathError
	if errors.As(err, &p) {
		return p.Err
	}
	return err
}
