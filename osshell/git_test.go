package osshell_test

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/seed-12b313d8/skills"
	"github.com/seed-12b313d8/skills/internal/gitignore"
	"github.com/seed-12b313d8/skills/osshell"
)

// repo makes a repository with files; a name that ends in "/" is a folder.
func repo(t testing.TB, files map[string]string) string {
	t.Helper()
	root := t.TempDir()
	git(t, root, "init", "-q")
	for name, text := range files {
		path := filepath.Join(root, name)
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
		if strings.HasSuffix(name, "/") {
			require.NoError(t, os.MkdirAll(path, 0o755))
			continue
		}
		require.NoError(t, os.WriteFile(path, []byte(text), 0o755))
	}
	return root
}

func git(t testing.TB, dir string, args ...string) string {
	t.Helper()
	cmd := exec.Command(program(t, "git"), args...)
	cmd.Dir, cmd.Env = dir, append(os.Environ(), "GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_CONFIG_NOSYSTEM=1")
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, "git %v: %s", args, out)
	return string(out)
}

// checker asks git with the configuration of nobody.
func checker(t testing.TB, change ...func(*osshell.GitOptions)) skills.IgnoreFunc {
	program(t, "git")
	o := &osshell.GitOptions{Environ: fixed("PATH="+os.Getenv("PATH"), "HOME="+t.TempDir())}
	for _, f := range change {
		f(o)
	}
	return osshell.GitIgnored(o)
}

var ignoreTree = map[string]string{
	".gitignore":          "build/\n*.tmp\n!keep.tmp\n/only-here\n",
	".git/info/exclude":   "private/\n",
	"apps/web/.gitignore": "dist/\n!build/\n",
	"build/x/":            "", "apps/build/": "", "apps/web/build/": "", "apps/web/dist/": "", "dist/": "",
	"only-here/": "", "apps/only-here/": "", "a.tmp/b/": "", "keep.tmp/": "", "private/deep/": "",
	"ä ö/": "", ":!magic/": "", "*/": "", "-x/": "", "new\nline/": "",
}

func TestGitIgnored(t *testing.T) {
	root := repo(t, ignoreTree)
	rows := []struct {
		reason, dir string
		want        bool
	}{
		{"(03 §3) dir/ matches the folder", "build", true},
		{"and what is below", "build/x", true},
		{"at any depth", "apps/build", true},
		{"a nested file negates", "apps/web/build", false},
		{"a nested file adds", "apps/web/dist", true},
		{"but for its own folder only", "dist", false},
		{"anchored patterns", "only-here", true},
		{"anchored patterns match nowhere else", "apps/only-here", false},
		{"patterns without a slash at the end", "a.tmp/b", true},
		{"negation in the same file", "keep.tmp", false},
		{"(03 §3) .git/info/exclude", "private/deep", true},
		{"folders that do not exist yet", "later/build", true},
		{"or are not ignored", "later/apps", false},
		{"the root is never ignored", ".", false},
		{"names git could take for something else: blanks", "ä ö", false},
		{"pathspec magic", ":!magic", false},
		{"a glob", "*", false},
		{"an option", "-x", false},
		{"a line end", "new\nline", false},
		{"the same once more", "build", true},
	}
	dirs := make([]string, len(rows))
	for i, r := range rows {
		dirs[i] = r.dir
	}
	ignored := checker(t)
	all, err := ignored(t.Context(), root, dirs)
	require.NoError(t, err)
	for i, r := range rows {
		assert.Equal(t, r.want, all[i], "%s: %q", r.reason, r.dir)
		one, err := ignored(t.Context(), root, []string{r.dir})
		require.NoError(t, err, r.reason)
		assert.Equal(t, []bool{r.want}, one, "alone: %s: %q", r.reason, r.dir)
	}
	none, err := ignored(t.Context(), root, nil)
	require.NoError(t, err)
	assert.Empty(t, none)
}

// The built-in check gives the same answers.
func TestGitIgnoredAgreesWithTheBuiltIn(t *testing.T) {
	root := repo(t, ignoreTree)
	tree := gitignore.NewTree(root, os.ReadFile)
	var dirs []string
	for name := range ignoreTree {
		if strings.HasPrefix(name, ".git/") {
			continue // always passed over by the registry, before anybody is asked
		}
		for _, extra := range []string{"", "/build", "/x.tmp", "/q"} {
			dirs = append(dirs, strings.TrimSuffix(name, "/")+extra)
		}
	}
	got, err := checker(t)(t.Context(), root, dirs)
	require.NoError(t, err)
	for i, dir := range dirs {
		assert.Equal(t, tree.IgnoredDir(dir), got[i], dir)
	}
}

// A link is as ignored as git says of the link itself, and so is all behind it.
func TestGitIgnoredLinks(t *testing.T) {
	root := repo(t, map[string]string{".gitignore": "ignored-link\nlink-as-folder/\n", "real/sub/": ""})
	for _, name := range []string{"link", "ignored-link", "link-as-folder"} {
		require.NoError(t, os.Symlink("real", filepath.Join(root, name)))
	}
	dirs := []string{"link", "link/sub", "ignored-link", "ignored-link/sub", "link-as-folder/sub", "real/sub"}
	got, err := checker(t)(t.Context(), root, dirs)
	require.NoError(t, err)
	assert.Equal(t, []bool{false, false, true, true, false, false}, got)
}

func TestGitIgnoredManyAtOnce(t *testing.T) {
	root := repo(t, map[string]string{".gitignore": "odd-*\n"})
	dirs := make([]string, 20_000) // more than a pipe holds, both ways
	for i := range dirs {
		dirs[i] = fmt.Sprintf("%s-%05d/%s", []string{"even", "odd"}[i%2], i, strings.Repeat("d", 40))
	}
	got, err := checker(t)(t.Context(), root, dirs)
	require.NoError(t, err)
	for i, g := range got {
		require.Equal(t, i%2 == 1, g, dirs[i])
	}
}

func TestGitIgnoredConcurrently(t *testing.T) {
	root := repo(t, map[string]string{".gitignore": "build/\n"})
	ignored := checker(t)
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			got, err := ignored(t.Context(), root, []string{"build", "src"})
			assert.NoError(t, err)
			assert.Equal(t, []bool{true, false}, got)
		})
	}
	wg.Wait()
}

// Nothing that a repository's own configuration names is run (03 §3).
func TestHostileRepository(t *testing.T) {
	root := repo(t, map[string]string{".gitignore": "build/\n", "build/": "", "apps/build/": "", "file": "x"})
	git(t, root, "add", ".gitignore", "file")
	git(t, root, "-c", "user.name=a", "-c", "user.email=a@example.org", "commit", "-q", "-m", "m")
	canary := filepath.Join(t.TempDir(), "canary")
	script := filepath.Join(t.TempDir(), "script")
	require.NoError(t, os.WriteFile(script, []byte("#!/bin/sh\necho ran >> '"+canary+"'\n"), 0o755))
	hooks := t.TempDir()
	for _, hook := range []string{"post-index-change", "fsmonitor-watchman", "post-checkout", "reference-transaction"} {
		require.NoError(t, os.Symlink(script, filepath.Join(hooks, hook)))
	}
	for _, key := range []string{
		"core.fsmonitor", "core.pager", "pager.check-ignore", "alias.check-ignore", "core.sshCommand", "core.askPass", "core.editor",
		"core.gitProxy", "credential.helper", "diff.external", "gpg.program", "filter.x.process", "filter.x.smudge", "trace2.eventTarget",
		"uploadpack.packObjectsHook", "core.alternateRefsCommand", "sequence.editor", "remote.origin.uploadpack",
	} {
		value := script
		if strings.HasPrefix(key, "alias.") {
			value = "!" + script
		}
		git(t, root, "config", key, value)
	}
	git(t, root, "config", "core.hooksPath", hooks)
	git(t, root, "config", "remote.origin.url", "ext::"+script)
	git(t, root, "config", "remote.origin.promisor", "true")
	git(t, root, "config", "protocol.allow", "always")
	git(t, root, "config", "core.untrackedCache", "true")
	require.NoError(t, os.WriteFile(filepath.Join(root, ".gitattributes"), []byte("* filter=x\n"), 0o600))
	more := filepath.Join(t.TempDir(), "more")
	require.NoError(t, os.WriteFile(more, []byte("[core]\n\tfsmonitor = "+script+"\n"), 0o600))
	git(t, root, "config", "include.path", more)
	if _, err := os.Stat(canary); err == nil {
		require.NoError(t, os.Remove(canary)) // git config may already have run it
	}

	got, err := checker(t)(t.Context(), root, []string{"build", "apps/build", "apps"})
	require.NoError(t, err)
	assert.Equal(t, []bool{true, true, false}, got)
	assert.NoFileExists(t, canary)

	status := exec.Command(program(t, "git"), "status")
	status.Dir = root
	_ = status.Run() // whether it succeeds after that does not matter
	assert.FileExists(t, canary, "the trap works: git does run the script where nobody forbids it")
}

// Variables of the host that steer git do not reach it.
func TestGitEnvironment(t *testing.T) {
	root := repo(t, map[string]string{".gitignore": "build/\n"})
	other := repo(t, nil)
	trace := filepath.Join(t.TempDir(), "trace")
	ignored := checker(t, func(o *osshell.GitOptions) {
		home := t.TempDir()
		o.Environ = fixed("PATH="+os.Getenv("PATH"), "HOME="+home, "GIT_DIR="+filepath.Join(other, ".git"), "GIT_WORK_TREE="+other,
			"GIT_TRACE="+trace, "GIT_CONFIG_COUNT=1", "GIT_CONFIG_KEY_0=core.bare", "GIT_CONFIG_VALUE_0=true", "GIT_CEILING_DIRECTORIES=/",
			"LC_ALL=de_DE.UTF-8", "LANGUAGE=de")
	})
	got, err := ignored(t.Context(), root, []string{"build", "src"})
	require.NoError(t, err)
	assert.Equal(t, []bool{true, false}, got)
	assert.NoFileExists(t, trace)
}

// The user's own excludes count, as with git.
func TestGitUserExcludes(t *testing.T) {
	home := t.TempDir()
	excludes := filepath.Join(home, "excludes")
	require.NoError(t, os.WriteFile(excludes, []byte("mine/\n"), 0o600))
	require.NoError(t, os.WriteFile(filepath.Join(home, ".gitconfig"), []byte("[core]\n\texcludesFile = "+excludes+"\n"), 0o600))
	ignored := checker(t, func(o *osshell.GitOptions) { o.Environ = fixed("PATH="+os.Getenv("PATH"), "HOME="+home) })
	got, err := ignored(t.Context(), repo(t, nil), []string{"mine", "yours"})
	require.NoError(t, err)
	assert.Equal(t, []bool{true, false}, got)
}

// Without a repository nothing is ignored.
func TestGitNoRepository(t *testing.T) {
	root := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(root, ".gitignore"), []byte("build/\n"), 0o600))
	got, err := checker(t)(t.Context(), root, []string{"build", "src"})
	require.NoError(t, err)
	assert.Equal(t, []bool{false, false}, got)
}

func TestGitErrors(t *testing.T) {
	good := repo(t, nil)
	bare := filepath.Join(good, "bare")
	git(t, good, "init", "-q", "--bare", bare)
	broken := repo(t, map[string]string{".git/config": "[core\n"})
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	for _, test := range []struct {
		reason string
		ctx    context.Context
		root   string
		dir    string
		change func(*osshell.GitOptions)
		code   skills.Code
		want   string
	}{
		{"a way out of the root", t.Context(), good, "../x", nil, skills.CodeInvalid, `"../x"`},
		{"an absolute path", t.Context(), good, "/x", nil, skills.CodeInvalid, `"/x"`},
		{"nothing", t.Context(), good, "", nil, skills.CodeInvalid, `""`},
		{"NUL, which would be two questions", t.Context(), good, "a\x00b", nil, skills.CodeInvalid, "slash path"},
		{"the context ended", ended, good, "x", nil, skills.CodeCancelled, "context canceled"},
		{"a bare repository in the tree", t.Context(), bare, "x", nil, skills.CodeUnreadable, "bare repository"},
		{"broken configuration", t.Context(), broken, "x", nil, skills.CodeUnreadable, "bad config"},
		{"no root", t.Context(), filepath.Join(good, "gone"), "x", nil, skills.CodeUnreadable, "could not be started"},
		{"no git", t.Context(), good, "x", func(o *osshell.GitOptions) { o.Environ = fixed("PATH=" + good) }, skills.CodeUnreadable, "no git"},
		{"a git that is not there", t.Context(), good, "x", func(o *osshell.GitOptions) { o.Git = good + "/git" }, skills.CodeUnreadable, "could not be started"},
	} {
		var change []func(*osshell.GitOptions)
		if test.change != nil {
			change = append(change, test.change)
		}
		got, err := checker(t, change...)(test.ctx, test.root, []string{"ok", test.dir})
		assert.ErrorIs(t, err, test.code, test.reason)
		assert.ErrorContains(t, err, test.want, test.reason)
		assert.ErrorContains(t, err, test.root, test.reason)
		assert.Nil(t, got, test.reason)
	}
}

// An ignore file that never ends does not hold up anybody.
func TestGitTimeout(t *testing.T) {
	root := repo(t, nil)
	mkfifo := exec.Command(program(t, "mkfifo"), filepath.Join(root, ".gitignore"))
	require.NoError(t, mkfifo.Run())
	ignored := checker(t, func(o *osshell.GitOptions) { o.Timeout = 200 * time.Millisecond })
	began := time.Now()
	_, err := ignored(t.Context(), root, []string{"x"})
	require.ErrorIs(t, err, context.DeadlineExceeded)
	require.ErrorIs(t, err, skills.CodeUnreadable)
	assert.Less(t, time.Since(began), longEnough)

	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	_, err = checker(t)(ctx, root, []string{"x"})
	require.ErrorIs(t, err, skills.CodeCancelled)
	assert.ErrorIs(t, err, context.DeadlineExceeded)
}
