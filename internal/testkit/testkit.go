// Package testkit is what the tests of this module share: file trees, shared
// data, golden files.
package testkit

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Tree writes files below a new temporary directory and returns it, with links
// resolved. Keys are slash paths. A value that begins with "-> " makes a link;
// a key that ends in "/" an empty folder.
func Tree(tb testing.TB, files map[string]string) string {
	tb.Helper()
	root, err := filepath.EvalSymlinks(tb.TempDir())
	if err != nil {
		tb.Fatal(err)
	}
	Write(tb, root, files)
	return root
}

// Write is [Tree] for a directory that exists.
func Write(tb testing.TB, root string, files map[string]string) {
	tb.Helper()
	for name, text := range files {
		path := filepath.Join(root, filepath.FromSlash(name))
		dir := filepath.Dir(path)
		if strings.HasSuffix(name, "/") {
			dir = path
		}
		if err := os.MkdirAll(dir, 0o755); err != nil {
			tb.Fatal(err)
		}
		if dir == path {
			continue
		}
		err := error(nil)
		if target, ok := strings.CutPrefix(text, "-> "); ok {
			err = os.Symlink(target, path)
		} else {
			err = os.WriteFile(path, []byte(text), 0o644)
		}
		if err != nil {
			tb.Fatal(err)
		}
	}
}

// SkillText returns the text of a SKILL.md. fields are frontmatter lines.
func SkillText(body string, fields ...string) string {
	return "---\n" + strings.Join(fields, "\n") + "\n---\n" + body
}

// Shared returns the folder of data that is too large or too foreign to be
// part of the module: $env, or ../shared/name beside the repository. Without
// it the test is skipped, and says so.
func Shared(tb testing.TB, env, name string) string {
	tb.Helper()
	dirs := []string{os.Getenv(env)}
	if root, err := moduleRoot(); err == nil {
		dirs = append(dirs, filepath.Join(root, "..", "shared", name))
	}
	for _, dir := range dirs {
		if dir == "" {
			continue
		}
		if _, err := os.Stat(dir); err == nil {
			return dir
		}
	}
	tb.Skipf("no %s: set %s to the folder that holds it", name, env)
	return ""
}

// moduleRoot returns the nearest folder upwards that holds a go.mod.
func moduleRoot() (string, error) {
	dir, err := os.Getwd()
	for ; err == nil; dir = filepath.Dir(dir) {
		if _, e := os.Stat(filepath.Join(dir, "go.mod")); e == nil {
			return dir, nil
		}
		if dir == filepath.Dir(dir) {
			break
		}
	}
	return "", fmt.Errorf("no go.mod above the working directory: %w", err)
}

// BenchSkills writes n skill folders as the performance bars of the module
// describe them: a SKILL.md with six fields and a body of 4 KB, and two
// resource files. It returns the skills directory.
func BenchSkills(tb testing.TB, root string, n int) string {
	tb.Helper()
	dir := filepath.Join(root, ".claude", "skills")
	body := strings.Repeat("This line stands for the instructions of a skill, as they usually are.\n", 57)
	for i := range n {
		name := fmt.Sprintf("skill-%05d", i)
		text := SkillText(body,
			"name: "+name,
			"description: "+fmt.Sprintf("Does the work of number %d and ", i)+strings.Repeat("tells apart one task from another ", 5),
			"when_to_use: When somebody asks for the task of this number",
			"allowed-tools: Read, Grep",
			"argument-hint: a file",
			"model: inherit",
		)
		Write(tb, filepath.Join(dir, name), map[string]string{"SKILL.md": text, "reference.md": body, "scripts/run.sh": "#!/bin/sh\n"})
	}
	return dir
}
