package bundled_test

import (
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// script runs a verification script the way the skill says, and returns its
// exit code and what it printed.
func script(t *testing.T, interpreter, name string, args ...string) (int, string) {
	t.Helper()
	path, err := exec.LookPath(interpreter)
	if err != nil {
		t.Skipf("%s is not installed", interpreter)
	}
	file, err := filepath.Abs(filepath.Join("files", "verify", "scripts", name))
	require.NoError(t, err)
	cmd := exec.CommandContext(t.Context(), path, append([]string{file}, args...)...)
	cmd.Dir = t.TempDir()
	out, err := cmd.CombinedOutput()
	if err != nil {
		require.IsType(t, &exec.ExitError{}, err)
	}
	return cmd.ProcessState.ExitCode(), string(out)
}

func read(t *testing.T, path string) string {
	t.Helper()
	b, err := os.ReadFile(path)
	require.NoError(t, err)
	return string(b)
}

func TestCapture(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "evi dence")
	code, _ := script(t, "bash", "capture.sh", dir, "a", "--", "sh", "-c", "echo out; echo 'e r' >&2; cat; exit 3")
	assert.Equal(t, 3, code, "the exit code of the command; it gets no input")
	assert.Equal(t, "out\n", read(t, dir+"/a.stdout"))
	assert.Equal(t, "e r\n", read(t, dir+"/a.stderr"))
	assert.Contains(t, read(t, dir+"/a.meta"), "exit 3\n")
	assert.Contains(t, read(t, dir+"/a.command"), "sh -c ")

	code, _ = script(t, "bash", "capture.sh", dir, "b", "-t", "1", "--", "sh", "-c", "sleep 60; echo late")
	assert.Equal(t, 124, code, "a command that hangs is ended, with its children")
	assert.Contains(t, read(t, dir+"/b.meta"), "exit 124\n")
	assert.NoFileExists(t, dir+"/b.expired")

	for _, args := range [][]string{{}, {dir}, {dir, "../x", "--", "true"}, {dir, "x", "-t", "soon", "--", "true"}, {dir, "x", "true", "y"}, {dir, "x", "-t", "1", "--"}} {
		code, out := script(t, "bash", "capture.sh", args...)
		assert.Equal(t, 2, code, "wrong usage: %q", args)
		assert.Contains(t, out, "capture.sh DIR NAME")
	}
}

func TestWaitFor(t *testing.T) {
	broken := false
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if broken = !broken; broken {
			w.WriteHeader(http.StatusServiceUnavailable) // the first answer of a server that is starting
			return
		}
		w.WriteHeader(http.StatusNotFound)
	}))
	defer srv.Close()
	code, out := script(t, "python3", "wait_for.py", srv.URL, "--interval", "0.01")
	assert.Equal(t, 0, code, "ready with the first answer below 500: %s", out)
	assert.Contains(t, out, "status 404")
	code, out = script(t, "python3", "wait_for.py", srv.URL, "--status", "200", "--timeout", "0.1")
	assert.Equal(t, 1, code, "the status that was asked for: %s", out)
	code, _ = script(t, "python3", "wait_for.py", "tcp://"+strings.TrimPrefix(srv.URL, "http://"))
	assert.Equal(t, 0, code)

	file := filepath.Join(t.TempDir(), "ready file")
	code, _ = script(t, "python3", "wait_for.py", "file://"+file, "--timeout", "0")
	assert.Equal(t, 1, code)
	require.NoError(t, os.WriteFile(file, []byte("x"), 0o600))
	code, _ = script(t, "python3", "wait_for.py", "file://"+file)
	assert.Equal(t, 0, code)

	gone := exec.CommandContext(t.Context(), "true")
	require.NoError(t, gone.Run())
	code, out = script(t, "python3", "wait_for.py", "file://"+file+".never", "--pid", strconv.Itoa(gone.Process.Pid))
	assert.Equal(t, 3, code, "it does not wait for a process that has gone: %s", out)
	code, _ = script(t, "python3", "wait_for.py", "ftp://x")
	assert.Equal(t, 2, code)
}

func TestDrivePTY(t *testing.T) {
	dir := t.TempDir()
	steps := func(s string) string {
		path := filepath.Join(dir, "steps.txt")
		require.NoError(t, os.WriteFile(path, []byte(s), 0o600))
		return path
	}
	const program = `printf '\033[31mName:\033[0m '; read n; echo "Hello, $n"; [ -t 0 ] && echo terminal; exit 4`
	log := filepath.Join(dir, "log.txt")
	code, out := script(t, "python3", "drive_pty.py", steps("# a comment\nexpect Name:\nsend Ada\nkey enter\nexpect Hello, Ada\nexpect terminal\nabsent Traceback\nexit 4\n"),
		"--timeout", "60", "--log", log, "--", "sh", "-c", program)
	assert.Equal(t, 0, code, out)
	assert.Contains(t, read(t, log), "Name: Ada\nHello, Ada\nterminal\n", "without escapes")

	for _, c := range []struct{ steps, says, timeout, reason string }{
		{"expect Nothing like it\n", "was not shown", "1", "an expectation that is not met"},
		{"expect Name:\nkey enter\nexit 0\n", "the exit code is 4, not 0", "60", "another exit code"},
		{"expect Name:\nkey hyper\n", "no key 'hyper'", "60", "an unknown key"},
		{"dance\n", "no step 'dance'", "60", "an unknown step"},
		{"expect Name:\nkey ctrl+c\nexpect Hello\n", "ended before it showed", "60", "interrupted"},
	} {
		code, out := script(t, "python3", "drive_pty.py", steps(c.steps), "--timeout", c.timeout, "--", "sh", "-c", program)
		assert.Equal(t, 1, code, c.reason)
		assert.Contains(t, out, c.says, c.reason)
	}
	code, _ = script(t, "python3", "drive_pty.py", steps(""))
	assert.Equal(t, 2, code, "no command")
}
