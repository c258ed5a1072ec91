//go:build unix

package shellspan

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// A place is a folder to run commands in.
type place struct {
	dir   string // working directory, empty before each run
	skill string // the skill's folder
	home  string
}

func newPlace(t testing.TB) place {
	t.Helper()
	root := t.TempDir()
	p := place{dir: filepath.Join(root, "work"), skill: filepath.Join(root, "skill"), home: filepath.Join(root, "home")}
	for _, d := range []string{p.dir, p.skill, p.home} {
		require.NoError(t, os.Mkdir(d, 0o755))
	}
	script := "printf '[%s]' \"$@\"\n"
	require.NoError(t, os.WriteFile(filepath.Join(p.skill, "run.sh"), []byte(script), 0o755))
	return p
}

// run runs text in shell and returns its output, and whether the canary was
// made. The working directory is empty again afterwards.
func (p place) run(t testing.TB, shell, text string, env []string) (output string, executed bool) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), timeout)
	defer cancel()
	name, option, posix := strings.Cut(shell, " ")
	args := []string{"-c", text}
	if posix {
		args = append([]string{option}, args...)
	}
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Dir = p.dir
	cmd.Env = append([]string{"PATH=" + os.Getenv("PATH"), "HOME=" + p.home, "LC_ALL=C.UTF-8", "TERM=dumb", "http_proxy=http://127.0.0.1:1", "https_proxy=http://127.0.0.1:1"}, env...)
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
	cmd.WaitDelay = time.Second
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	_ = cmd.Run()
	return out.String(), p.clear(t)
}

// timeout ends commands that serve or wait. It fails no test.
const timeout = 5 * time.Second

// clear empties the folders, and reports whether the canary was in the working
// directory.
func (p place) clear(t testing.TB) (executed bool) {
	t.Helper()
	names, err := os.ReadDir(p.dir)
	require.NoError(t, err)
	for _, n := range names {
		executed = executed || n.Name() == canary || n.Name() == canary+".d" && n.IsDir()
		require.NoError(t, os.RemoveAll(filepath.Join(p.dir, n.Name())))
	}
	for dir, keep := range map[string]string{p.skill: "run.sh", p.home: ""} {
		names, err := os.ReadDir(dir)
		require.NoError(t, err)
		for _, n := range names {
			if n.Name() != keep {
				require.NoError(t, os.RemoveAll(filepath.Join(dir, n.Name())))
			}
		}
	}
	return executed
}

// shellsOf returns the shells a template is run in. A bash that is called sh
// runs what is written for POSIX.
func shellsOf(tm testTemplate) map[string]Dialect {
	if tm.Shell == "bash" {
		return map[string]Dialect{"bash": Bash, "bash --posix": POSIX}
	}
	return map[string]Dialect{"bash": Bash, "dash": POSIX, "bash --posix": POSIX}
}

func requireShells(t testing.TB) {
	t.Helper()
	for _, sh := range []string{"bash", "dash"} {
		_, err := exec.LookPath(sh)
		require.NoError(t, err, "bash and dash have to be installed for these tests")
	}
}
