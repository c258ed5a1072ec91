package osshell_test

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/seed-12b313d8/skills"
	"github.com/seed-12b313d8/skills/osshell"
)

// longEnough is for what should take a moment, on a machine of any load.
const longEnough = 20 * time.Second

// program returns where a program is, or skips the test.
func program(t testing.TB, name string) string {
	t.Helper()
	path, err := exec.LookPath(name)
	if err != nil {
		t.Skipf("%s is not installed; what it would do was not tested", name)
	}
	path, err = filepath.Abs(path)
	require.NoError(t, err)
	return path
}

// binDir makes a directory in which the programs of links are found under
// their names.
func binDir(t testing.TB, links map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, target := range links {
		require.NoError(t, os.Symlink(target, filepath.Join(dir, name)))
	}
	return dir
}

// run runs a command that must not fail to run.
func run(t testing.TB, sh skills.Shell, c skills.Command) skills.CommandResult {
	t.Helper()
	if c.Dir == "" {
		c.Dir = t.TempDir()
	}
	r, err := sh(context.Background(), c)
	require.NoError(t, err, c.Text)
	return r
}

// fixed is an Environ of its own.
func fixed(pairs ...string) func() []string { return func() []string { return pairs } }

// withPath returns options whose commands find programs in dirs only.
func withPath(dirs string, env ...string) *osshell.Options {
	return &osshell.Options{Environ: fixed("PATH=" + dirs), Env: env}
}
