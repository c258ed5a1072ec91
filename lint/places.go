package lint

import (
	"context"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/seed-12b313d8/skills"
	"github.com/seed-12b313d8/skills/internal/gitignore"
	"github.com/seed-12b313d8/skills/internal/readfile"
	"github.com/seed-12b313d8/skills/internal/scan"
)

// The bounds of a check. The first four are what the loader does by default.
const (
	maxSize         = 1 << 20
	maxFiles        = 10_000
	maxSkillDepth   = 1
	maxCommandDepth = 8

	maxFolders    = 20_000  // looked through for brand folders
	maxIgnoreFile = 1 << 20 // bytes
)

// skill checks the folder of one skill.
func (l *linter) skill(ctx context.Context, dir string) error {
	root, name := filepath.Split(dir)
	root = filepath.Clean(root)
	seen, err := l.scan(ctx, single(root, name), root, false)
	if err == nil && len(seen) == 0 {
		l.missing(dir, sevError)
	}
	return err
}

// skills checks a directory of skill folders. One in which there is no skill
// at all is taken for the folder of a skill, unless its name says otherwise.
func (l *linter) skills(ctx context.Context, dir string) error {
	seen, err := l.scan(ctx, scan.Disk{}, dir, false)
	if err != nil {
		return err
	}
	entries, err := os.ReadDir(dir)
	if len(seen) == 0 && filepath.Base(dir) != skillsDir {
		if !has(entries, ".git") { // a project without any skill is none of a skill
			l.missing(dir, sevError)
		}
		return err
	}
	for _, e := range entries {
		path := filepath.Join(dir, e.Name())
		if isDir(path) && !seen[e.Name()] && !passedOver(e.Name()) && !isPlugin(path) {
			l.missing(path, sevWarning)
		}
	}
	return err
}

// commands checks a directory of command files.
func (l *linter) commands(ctx context.Context, dir string) error {
	_, err := l.scan(ctx, scan.Disk{}, dir, true)
	return err
}

// brand checks a brand folder or a plugin: the skills and commands in it.
func (l *linter) brand(ctx context.Context, dir string) error {
	if isDir(filepath.Join(dir, skillsDir)) {
		if err := l.skills(ctx, filepath.Join(dir, skillsDir)); err != nil {
			return err
		}
	}
	if isDir(filepath.Join(dir, commandsDir)) {
		return l.commands(ctx, filepath.Join(dir, commandsDir))
	}
	return nil
}

// project checks the brand folders of a tree and reports whether it found one.
func (l *linter) project(ctx context.Context) (found bool, err error) {
	l.root = l.abs
	ignore := gitignore.NewTree(l.abs, readIgnoreFile)
	folders := 0
	err = filepath.WalkDir(l.abs, func(path string, e fs.DirEntry, err error) error {
		if err != nil || !e.IsDir() {
			return nil // what cannot be listed is no place of skills
		}
		rel, err := filepath.Rel(l.abs, path)
		if err != nil {
			return err
		}
		if folders++; folders > maxFolders {
			return fs.SkipAll
		}
		if rel != "." && (passedOver(e.Name()) || ignore.IgnoredDir(filepath.ToSlash(rel))) {
			return fs.SkipDir
		}
		for _, brand := range l.opts.Brands {
			if dir := filepath.Join(path, brand); isDir(dir) {
				found = true
				if err := l.brand(ctx, dir); err != nil {
					return err
				}
			}
		}
		return ctx.Err()
	})
	return found, err
}

// passedOver names what neither skills nor projects lie in.
func passedOver(name string) bool { return name == "node_modules" || strings.HasPrefix(name, ".") }

func isPlugin(dir string) bool { return isDir(filepath.Join(dir, pluginDir)) }

func isDir(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

// readIgnoreFile reads one ignore file, as a plain file only.
func readIgnoreFile(path string) ([]byte, error) {
	data, _, err := readfile.WholeIn(filepath.Dir(path), filepath.Base(path), maxIgnoreFile)
	return data, err
}

// missing reports a folder without a SKILL.md. The open format has no such
// folders; the loader passes them over.
func (l *linter) missing(dir, severity string) {
	if l.opts.Strict {
		severity = sevError
	}
	l.report(skills.Issue{
		Code: codeMissingFile, Severity: severity, Skill: filepath.Base(dir), Path: dir,
		Msg: "the folder holds no " + skillFile, Hint: "add one, or move the folder out of the directory of skills",
	})
}
