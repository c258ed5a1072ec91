package bundled

import (
	"context"
	"os"
	"path/filepath"
	"strings"

	"github.com/seed-12b313d8/skills"
)

// batchPrompt makes the text of batch, which without instructions or outside a
// git repository only says what is missing (05 §3).
func batchPrompt(t text, _ Host) prompt {
	return func(ctx context.Context, p skills.PromptContext) ([]skills.Block, error) {
		root, err := await(ctx, "looking for a git repository", func() string { return repository(p.Dir) })
		if err != nil {
			return nil, err
		}
		slots := map[string]string{"instructions": quote(p.Args), "repository": clean(root), "dir": clean(orHere(p.Dir))}
		switch {
		case strings.TrimSpace(p.Args) == "":
			return one(t.fill("no-instructions", slots))
		case root == "":
			return one(t.fill("no-repository", slots))
		}
		return one(t.fill("", slots))
	}
}

// maxUp bounds walks from a directory to its parents.
const maxUp = 64

// repository returns the nearest directory from dir upward that holds a .git:
// a folder, or the file of a linked worktree or submodule. No process is
// started. An empty dir is the process's own. It returns "" if there is none.
func repository(dir string) string {
	for d := range upward(dir) {
		fi, err := os.Lstat(filepath.Join(d, ".git"))
		if err == nil && (fi.IsDir() || fi.Mode().IsRegular()) {
			return d
		}
	}
	return ""
}

// upward yields dir and its parents.
func upward(dir string) func(yield func(string) bool) {
	return func(yield func(string) bool) {
		dir, err := filepath.Abs(orHere(dir))
		for range maxUp {
			if err != nil || !yield(dir) {
				return
			}
			parent := filepath.Dir(dir)
			if parent == dir {
				return
			}
			dir = parent
		}
	}
}

func orHere(dir string) string {
	if dir == "" {
		return "."
	}
	return dir
}
