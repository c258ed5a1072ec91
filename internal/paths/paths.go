// Package paths places paths relative to a project root: where the root is,
// and what lies below it.
package paths

import (
	"os"
	"path/filepath"
	"strings"
)

// ProjectRoot returns the nearest ancestor of dir, or dir itself, that holds
// .git, as a folder or a file; dir if none does.
func ProjectRoot(dir string) string {
	for d := dir; ; d = filepath.Dir(d) {
		if _, err := os.Lstat(filepath.Join(d, ".git")); err == nil {
			return d
		}
		if filepath.Dir(d) == d {
			return dir
		}
	}
}

// Within reports whether path is dir or lies below it. Both are absolute, or
// both relative; links are not followed.
func Within(dir, path string) bool {
	rel, err := filepath.Rel(dir, path)
	return err == nil && (rel == "." || filepath.IsLocal(rel))
}

// A Root is a directory that paths are relative to, as somebody spells it and
// with links resolved. The zero Root holds nothing.
type Root struct{ Given, Real string }

// NewRoot resolves the links of dir, an absolute path. What cannot be resolved
// is kept as given; "" is the zero Root.
func NewRoot(dir string) Root {
	if dir == "" {
		return Root{}
	}
	real, err := filepath.EvalSymlinks(dir)
	if err != nil {
		real = dir
	}
	return Root{dir, real}
}

// No file system reaches deeper, and callers walk up folder by folder.
const (
	maxPath  = 4096 // bytes
	maxDepth = 256  // parts
)

// Rel returns path as a clean slash path below the root (03 A3). Relative
// paths are taken from the root. It reports false for what lies outside, for
// the root itself, and for what is no path.
func (r Root) Rel(path string) (string, bool) {
	if path == "" || len(path) > maxPath || r.Given == "" || strings.IndexByte(path, 0) >= 0 {
		return "", false
	}
	if !filepath.IsAbs(path) {
		path = filepath.Join(r.Given, path)
	}
	path = filepath.Clean(path)
	for _, root := range []string{r.Given, r.Real} {
		rel, err := filepath.Rel(root, path)
		if err == nil && rel != "." && filepath.IsLocal(rel) && strings.Count(rel, string(filepath.Separator)) < maxDepth {
			return filepath.ToSlash(rel), true
		}
	}
	return "", false
}

// Find is Rel, and finds absolute paths too that reach the root by links of
// other folders: of what does not exist the part that does is resolved.
func (r Root) Find(path string) (string, bool) {
	if rel, ok := r.Rel(path); ok || !filepath.IsAbs(path) || r.Given == "" || len(path) > maxPath || strings.IndexByte(path, 0) >= 0 {
		return rel, ok
	}
	path = filepath.Clean(path)
	for dir, rest := path, ""; ; dir, rest = filepath.Dir(dir), filepath.Join(filepath.Base(dir), rest) {
		if real, err := filepath.EvalSymlinks(dir); err == nil {
			return r.Rel(filepath.Join(real, rest))
		}
		if filepath.Dir(dir) == dir {
			return "", false
		}
	}
}

// Join returns the file system path of a slash path below the root.
func (r Root) Join(rel string) string { return filepath.Join(r.Given, filepath.FromSlash(rel)) }

// IsDir reports whether the slash path rel is a directory now.
func (r Root) IsDir(rel string) bool {
	info, err := os.Stat(r.Join(rel))
	return err == nil && info.IsDir()
}

// Parent returns the folder of a clean relative slash path, "." for one in the
// root.
func Parent(rel string) string {
	if i := strings.LastIndexByte(rel, '/'); i > 0 {
		return rel[:i]
	}
	return "."
}

// Below reports whether rel is a clean relative slash path below a root, as
// Rel returns them.
func Below(rel string) bool {
	if rel == "" || strings.IndexByte(rel, 0) >= 0 || filepath.Separator == '\\' && strings.Contains(rel, `\`) {
		return false
	}
	for part := range strings.SplitSeq(rel, "/") {
		if part == "" || part == "." || part == ".." {
			return false
		}
	}
	return filepath.IsLocal(filepath.FromSlash(rel))
}

// A Touch is a touched path below a root.
type Touch struct {
	Rel string // clean slash path
	Dir bool   // a directory, or spelled like one
}

// Touches returns those of the paths that [Root.Find] finds below the root.
func (r Root) Touches(list []string) []Touch {
	var out []Touch
	for _, p := range list {
		if rel, ok := r.Find(p); ok {
			out = append(out, Touch{rel, os.IsPathSeparator(p[len(p)-1]) || r.IsDir(rel)})
		}
	}
	return out
}
