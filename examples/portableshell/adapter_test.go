//go:build unix

package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/seed-12b313d8/skills"
	"github.com/seed-12b313d8/skills/skillstest"
)

// posix are the programs that the conformance test and some rows below use.
var posix = map[string]Program{"cat": Cat, "grep": Grep, "head": Head, "sleep": sleep, "touch": touch, "yes": yes}

func sleep(ctx context.Context, p *Process) int {
	n, _ := strconv.Atoi(p.Args[1])
	select {
	case <-time.After(time.Duration(n) * time.Second):
		return 0
	case <-ctx.Done():
		return 1
	}
}

func touch(_ context.Context, p *Process) int {
	f, err := p.Open(p.Args[1], os.O_CREATE|os.O_WRONLY, 0o644)
	if err != nil {
		fmt.Fprintln(p.Stderr, err)
		return 1
	}
	_ = f.Close()
	return 0
}

func yes(ctx context.Context, p *Process) int {
	line := strings.Join(p.Args[1:], " ") + "\n"
	for ctx.Err() == nil {
		if _, err := fmt.Fprint(p.Stdout, line); err != nil {
			return 1
		}
	}
	return 1
}

func TestConformance(t *testing.T) {
	require.NoError(t, skillstest.TestShell(New(&Options{Programs: posix})))
}

// The same with real programs, as far as there are any.
func TestConformanceOfBinaries(t *testing.T) {
	programs := make(map[string]Program)
	for name := range posix {
		path, err := exec.LookPath(name)
		if err != nil {
			t.Skipf("%s is not installed; real programs were not tested", name)
		}
		programs[name] = Binary(path)
	}
	require.NoError(t, skillstest.TestShell(New(&Options{Programs: programs})))
}

// project returns a directory with a link out of it, a pipe, and the folder of
// a skill elsewhere.
func project(t *testing.T) (root string, s *skills.Skill) {
	t.Helper()
	dir := t.TempDir()
	root = filepath.Join(dir, "project")
	own := filepath.Join(dir, "skill")
	for name, text := range map[string]string{
		"project/a.txt": "in a\n", "project/sub/b.txt": "in b\n", "project/lib.sh": "greet() { echo hi; }\n",
		"project/deep.sh": strings.Repeat("(", 1<<20), "secret": "s3cr3t\n", "skill/own.txt": "of the skill\n",
	} {
		path := filepath.Join(dir, filepath.FromSlash(name))
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
		require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
	}
	require.NoError(t, os.Symlink("../secret", filepath.Join(root, "link")))
	require.NoError(t, os.Symlink("..", filepath.Join(root, "up")))
	require.NoError(t, os.Symlink("../secret", filepath.Join(root, "sh-interp-link")))
	require.NoError(t, syscall.Mkfifo(filepath.Join(root, "pipe"), 0o600))
	return root, &skills.Skill{Name: "s", Path: filepath.Join(own, "SKILL.md"), Dir: own}
}

func TestCommands(t *testing.T) {
	t.Setenv("HOST_SECRET", "s3cr3t")
	root, s := project(t)
	sh := New(&Options{Root: root, Programs: posix, MaxOutput: 400})
	for _, test := range []struct {
		reason, text, want string
		exit               int
	}{
		{"files of the project", "cat a.txt sub/b.txt; cat < " + root + "/a.txt", "in a\nin b\nin a\n", 0},
		{"they may be written", "echo new > sub/new; cat sub/new", "new\n", 0},
		{"patterns find them", "echo *.txt s*/*.txt", "a.txt sub/b.txt\n", 0},
		{"no pattern finds others", "echo ../s* /etc/pass*", "../s* /etc/pass*\n", 0},
		{"cd", "cd sub && cat b.txt && cd .. && cat a.txt", "in b\nin a\n", 0},
		{"cd leads nowhere else", "cd .. || cd up || cd /etc || pwd", "*" + root + "\n", 0},
		{"no path leads out", "cat < ../secret", "*outside of the project\n", 1},
		{"nor does a link", "cat < link; cat < up/secret", "*path escapes from parent\n", 1},
		{"nor in a program", "cat link ../secret", "*outside of the project\n", 1},
		{"nor a redirection", "echo x > ../secret", "*outside of the project\n", 1},
		{"nor a link that is named like the interpreter's own pipes", "cat < sh-interp-link", "*path escapes from parent\n", 1},
		{"nor such a file where temporary files are", "echo x > " + os.TempDir() + "/sh-interp-x", "*outside of the project\n", 1},
		{"tests see as much", "[ -e ../secret ] || [ -r link ] || [[ -f up/secret ]] || echo nothing", "nothing\n", 0},
		{"the skill's folder may be read", "cat " + s.Dir + "/own.txt", "of the skill\n", 0},
		{"and not written", "echo x > " + s.Dir + "/own.txt", "*may only be read\n", 1},
		{"a pipe in the project holds nobody up", "cat < pipe", "*neither a file nor a directory\n", 1},
		{"nothing goes nowhere", "echo x > /dev/null; cat < /dev/null; echo y 2>/dev/null", "y\n", 0},
		{"a script of the project", ". lib.sh; greet", "hi\n", 0},
		{"a missing program is a result", "rm -rf .; echo $?", "rm: not among the programs that may be run here\n127\n", 0},
		{"also by its path", "/bin/sh -c id", "/bin/sh: not among the programs that may be run here\n", 127},
		{"also through builtins", "command id || exec id", "*id: not among the programs that may be run here\n", 127},
		{"a program's exit code", "grep nothing a.txt", "", 1},
		{"(04 §4) nothing of the host's environment", "echo \"<$HOST_SECRET$PATH$HOME$TMPDIR>\"; echo ~", "<>\n~\n", 0},
		{"a syntax error is the shell's result", "if", "*must be followed by a statement list\n", 2},
		{"the output is bounded", "yes 0123456789 | head -c 1000", strings.Repeat("0123456789\n", 40)[:400] + "\n[600 bytes were cut here]\n", 0},
		{"and no character is cut in two", "echo -n xx; for i in {1..200}; do echo -n €; done", "xx" + strings.Repeat("€", 132) + "\n[204 bytes were cut here]\n", 0},
		{"what is no text is repaired", `printf '\xff'`, "\uFFFD", 0},
		{"no process substitution", "cat <(echo x); echo after", "*after\n", 0},
	} {
		got, err := sh(t.Context(), skills.Command{Text: test.text, Dir: root, Skill: s})
		require.NoError(t, err, test.reason)
		assert.Equal(t, test.exit, got.Exit, "%s: %q: %s", test.reason, test.text, got.Output)
		if tail, open := strings.CutPrefix(test.want, "*"); open {
			assert.True(t, strings.HasSuffix(got.Output, tail), "%s: %q", test.reason, got.Output)
		} else {
			assert.Equal(t, test.want, got.Output, test.reason)
		}
		assert.NotContains(t, got.Output, "s3cr3t", test.reason)
	}
	secret, err := os.ReadFile(filepath.Join(root, "..", "secret"))
	require.NoError(t, err)
	assert.Equal(t, "s3cr3t\n", string(secret))
}
