package lint

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/seed-12b313d8/skills"
)

// nestedIn returns the folder, relative to the project's root, in which a
// directory of skills is a nested one: "" for the root's own, and where the
// root is not known.
func (l *linter) nestedIn(dir string) string {
	brand := filepath.Dir(dir)
	if filepath.Base(dir) != skillsDir || !slices.Contains(l.opts.Brands, filepath.Base(brand)) {
		return ""
	}
	folder := filepath.Dir(brand)
	root := cmp.Or(rootOf(folder), l.root)
	rel, err := filepath.Rel(root, folder)
	if root == "" || err != nil || rel == "." {
		return ""
	}
	return filepath.ToSlash(rel)
}

// rootOf returns the nearest folder at or above dir that holds .git, or "".
func rootOf(dir string) string {
	for {
		if _, err := os.Lstat(filepath.Join(dir, ".git")); err == nil {
			return dir
		}
		up := filepath.Dir(dir)
		if up == dir {
			return ""
		}
		dir = up
	}
}

// fromRoot reports a pattern of a nested skill that looks as if it were
// relative to the skill's folder: all are relative to the project's root (03
// A6).
func (f *file) fromRoot(i skills.Issue) {
	at := slices.IndexFunc(f.skill.Paths, func(p string) bool { return leadsElsewhere(p, f.nested) })
	if f.nested == "" || at < 0 {
		return
	}
	pattern := f.skill.Paths[at]
	i.Code, i.Severity = codePathsFromRoot, sevInfo
	i.Msg = fmt.Sprintf("the pattern %q leads out of %s/: patterns are relative to the project's root, those of nested skills too", clip(pattern), f.nested)
	i.Hint = fmt.Sprintf("write %s if the files of this folder are meant", clip(f.nested+"/"+strings.TrimPrefix(pattern, "/")))
	f.report(i)
}

// leadsElsewhere reports whether an anchored pattern begins with other folders
// than those of folder. If in doubt, it does not.
func leadsElsewhere(pattern, folder string) bool {
	if strings.HasPrefix(pattern, "!") || !strings.Contains(strings.TrimSuffix(pattern, "/"), "/") {
		return false
	}
	segments := strings.Split(strings.TrimPrefix(pattern, "/"), "/")
	for n, want := range strings.Split(folder, "/") {
		switch {
		case n == len(segments) || strings.ContainsAny(segments[n], `*?[]{}\`):
			return false
		case !strings.EqualFold(segments[n], want):
			return true
		}
	}
	return false
}
