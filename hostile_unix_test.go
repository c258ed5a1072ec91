//go:build unix

package skills_test

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/seed-12b313d8/skills"
)

func mkfifo(t *testing.T, path string) {
	t.Helper()
	require.NoError(t, syscall.Mkfifo(path, 0o644))
}

// unprivilegedRoot names the tree that a copy of this program loads as a user
// without rights, see [TestMain].
const unprivilegedRoot = "SKILLS_TEST_UNPRIVILEGED_ROOT"

// nobody is a user and group that own nothing.
const nobody = 65534

// TestMain is the test program; or, started by one of its tests as another
// user, the program that loads a tree and prints what it found.
func TestMain(m *testing.M) {
	if root := os.Getenv(unprivilegedRoot); root != "" {
		if err := json.NewEncoder(os.Stdout).Encode(loadAsNobody(root)); err != nil {
			os.Exit(1)
		}
		return
	}
	m.Run()
}

// An unprivileged is what a user without rights found.
type unprivileged struct {
	UID     int
	Skills  []string
	Issues  []skills.Issue
	Listing string
	Err     string // of Open
	Managed string // code of the error of an Open whose managed root is closed
}

func loadAsNobody(root string) unprivileged {
	u := unprivileged{UID: os.Getuid()}
	reg, err := skills.Open(context.Background(), &skills.Options{Locations: skills.Locations{Project: filepath.Join(root, "proj")}})
	if err != nil {
		u.Err = err.Error()
		return u
	}
	u.Skills, u.Issues = all(reg), reg.Snapshot().Issues()
	u.Listing = skills.NewLister(reg.NewSession("s1", nil), &skills.ListerOptions{ContextWindow: 200_000}).Next().Text
	_, err = skills.Open(context.Background(), &skills.Options{Locations: skills.Locations{Managed: filepath.Join(root, "closed")}})
	var e *skills.Error
	if errors.As(err, &e) {
		u.Managed = string(e.Code)
	}
	return u
}

// runUnprivileged loads h's tree as a user whom file modes bind.
func runUnprivileged(t *testing.T, h *hostile) unprivileged {
	t.Helper()
	closed := h.path("closed/.claude/skills")
	require.NoError(t, os.MkdirAll(closed, 0o755))
	require.NoError(t, os.Chmod(closed, 0))
	t.Cleanup(func() { assert.NoError(t, os.Chmod(closed, 0o755)) })
	if os.Getuid() != 0 {
		return loadAsNobody(h.root)
	}
	// Others must be able to reach the tree and the program.
	program := filepath.Join(h.root, "program")
	copyFile(t, program)
	for dir := h.root; dir != os.TempDir() && dir != filepath.Dir(dir); dir = filepath.Dir(dir) {
		if info, err := os.Stat(dir); err == nil && info.Mode().Perm()&0o005 != 0o005 {
			require.NoError(t, os.Chmod(dir, 0o755))
		}
	}
	cmd := exec.Command(program)
	cmd.Env = append(os.Environ(), unprivilegedRoot+"="+h.root)
	cmd.Dir = h.root
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: nobody, Gid: nobody}}
	var stderr strings.Builder
	cmd.Stderr = &stderr
	text, err := cmd.Output()
	if err != nil && strings.Contains(err.Error(), "not permitted") {
		t.Skipf("this system lets root not become another user: %v", err)
	}
	require.NoError(t, err, stderr.String())
	var u unprivileged
	require.NoError(t, json.Unmarshal(text, &u), string(text))
	require.Equal(t, nobody, u.UID)
	return u
}

func copyFile(t *testing.T, to string) {
	t.Helper()
	self, err := os.Executable()
	require.NoError(t, err)
	in, err := os.Open(self)
	require.NoError(t, err)
	defer in.Close()
	out, err := os.OpenFile(to, os.O_CREATE|os.O_WRONLY, 0o755)
	require.NoError(t, err)
	_, err = io.Copy(out, in)
	require.NoError(t, err)
	require.NoError(t, out.Close())
}
