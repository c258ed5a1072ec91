//go:build unix

package extract_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/seed-12b313d8/skills/internal/extract"
)

// Umasks, limits and users belong to a process, so that tests of them run in
// a child. It does the job named by this variable below the directory given as
// its first argument.
const childJob = "EXTRACT_TEST_JOB"

// child does a job and returns the exit code.
func child(job string) int {
	if err := jobs()[job](os.Args[1]); err != nil {
		fmt.Println(err)
		return 1
	}
	return 0
}

func jobs() map[string]func(parent string) error {
	return map[string]func(string) error{
		"umask 0":       func(p string) error { return underUmask(p, 0) },
		"umask 022":     func(p string) error { return underUmask(p, 0o022) },
		"umask 0777":    func(p string) error { return underUmask(p, 0o777) },
		"umask 0277":    func(p string) error { return underUmask(p, 0o277) },
		"read-only":     readOnly,
		"descriptors":   fewDescriptors,
		"other's":       othersParent,
		"largest files": smallFiles,
	}
}

// underUmask extracts under a umask and checks modes and contents.
func underUmask(parent string, mask int) error {
	syscall.Umask(mask)
	s := extract.NewStore(extract.Options{Parent: parent})
	dir, err := s.Dir(context.Background(), "verify", of(sample()))
	if err != nil {
		return err
	}
	files := 0
	err = filepath.WalkDir(filepath.Dir(dir), func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		files++
		info, err := d.Info()
		want := fs.FileMode(0o600)
		if d.IsDir() {
			want = fs.ModeDir | 0o700
		}
		if err == nil && info.Mode() != want {
			err = fmt.Errorf("%s has %v under umask %04o", path, info.Mode(), mask)
		}
		return err
	})
	if err == nil && files != 9 {
		err = fmt.Errorf("%d files and folders", files)
	}
	return errors.Join(err, s.Close(), isEmpty(parent))
}

// readOnly cannot write to the parent, and then can.
func readOnly(parent string) error {
	s := extract.NewStore(extract.Options{Parent: parent})
	if err := os.Chmod(parent, 0o500); err != nil {
		return err
	}
	if _, err := s.Dir(context.Background(), "verify", of(sample())); !errors.Is(err, syscall.EACCES) || !strings.Contains(err.Error(), parent) {
		return fmt.Errorf("want permission denied, got %w", err)
	}
	return succeeds(s, parent, os.Chmod(parent, 0o700))
}

// fewDescriptors runs out of descriptors at each possible place.
func fewDescriptors(parent string) error {
	s := extract.NewStore(extract.Options{Parent: parent})
	var old syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_NOFILE, &old); err != nil {
		return err
	}
	hold, err := os.Open("/dev/null")
	if err != nil {
		return err
	}
	defer hold.Close()
	failed := 0
	for more := range 40 {
		few := old
		setLimit(&few.Cur, int(hold.Fd())+1+more)
		if err := syscall.Setrlimit(syscall.RLIMIT_NOFILE, &few); err != nil {
			return err
		}
		_, err := s.Dir(context.Background(), "verify", of(sample()))
		if e := syscall.Setrlimit(syscall.RLIMIT_NOFILE, &old); e != nil {
			return e
		}
		if err == nil {
			break
		}
		failed++
		if !errors.Is(err, syscall.EMFILE) {
			return fmt.Errorf("want too many open files, got %w", err)
		}
		if err := isEmpty(parent); err != nil {
			return err
		}
	}
	if failed < 3 {
		return fmt.Errorf("only %d failures", failed)
	}
	return succeeds(s, parent, nil)
}

// setLimit sets a limit, whose type differs between systems.
func setLimit[T int64 | uint64](limit *T, n int) { *limit = T(n) }

// smallFiles may not write more than 10,000 bytes to a file.
func smallFiles(parent string) error {
	s := extract.NewStore(extract.Options{Parent: parent})
	var old syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_FSIZE, &old); err != nil {
		return err
	}
	few := old
	few.Cur = 10_000
	if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &few); err != nil {
		return err
	}
	_, err := s.Dir(context.Background(), "verify", of(tree(map[string]string{"a": "x", "b": strings.Repeat("x", 20_000)})))
	if !errors.Is(err, syscall.EFBIG) {
		return fmt.Errorf("want file too large, got %w", err)
	}
	return succeeds(s, parent, errors.Join(isEmpty(parent), syscall.Setrlimit(syscall.RLIMIT_FSIZE, &old)))
}

// othersParent is a directory of another user, sticky or not.
func othersParent(parent string) error {
	for _, mode := range []fs.FileMode{0o755, fs.ModeSticky | 0o777} {
		if err := os.Chmod(parent, mode); err != nil {
			return err
		}
		if err := os.Chown(parent, nobody, nobody); err != nil {
			return err
		}
		s := extract.NewStore(extract.Options{Parent: parent})
		_, err := s.Dir(context.Background(), "verify", of(sample()))
		if !errors.Is(err, extract.ErrParent) {
			return fmt.Errorf("want it refused, got %w", err)
		}
		if err := errors.Join(s.Close(), isEmpty(parent)); err != nil {
			return err
		}
	}
	return nil
}

// succeeds checks that an extraction works now and leaves nothing.
func succeeds(s *extract.Store, parent string, err error) error {
	if err != nil {
		return err
	}
	dir, err := s.Dir(context.Background(), "verify", of(sample()))
	if err == nil {
		_, err = os.Stat(filepath.Join(dir, "scripts/lib/a.py"))
	}
	return errors.Join(err, s.Close(), isEmpty(parent))
}

func isEmpty(dir string) error {
	list, err := os.ReadDir(dir)
	if err == nil && len(list) > 0 {
		err = fmt.Errorf("left behind: %v", list)
	}
	return err
}

// nobody is a user without rights.
const nobody = 65534

func TestInChild(t *testing.T) {
	for _, job := range []string{"umask 0", "umask 022", "umask 0277", "umask 0777", "descriptors", "largest files"} {
		t.Run(job, func(t *testing.T) { run(t, job, false) })
	}
	for _, job := range []string{"umask 0", "umask 022", "umask 0277", "umask 0777", "descriptors", "read-only"} {
		t.Run(job+" without rights", func(t *testing.T) { run(t, job, true) })
	}
	t.Run("other's parent", func(t *testing.T) {
		if os.Getuid() != 0 {
			t.Skip("only root can give directories away; TestJudge covers the rule")
		}
		run(t, "other's", false)
	})
}

// run does a job in a child. Without rights it is not root's.
func run(t *testing.T, job string, weak bool) {
	t.Helper()
	box, err := os.MkdirTemp("", "extract-test-")
	require.NoError(t, err)
	defer os.RemoveAll(box)
	parent := filepath.Join(box, "parent")
	require.NoError(t, os.Mkdir(parent, 0o700))
	self := filepath.Join(box, "test.exe")
	copyExecutable(t, self)
	cmd := exec.Command(self, parent)
	cmd.Dir = box
	cmd.Env = append(os.Environ(), childJob+"="+job)
	if weak && os.Getuid() == 0 {
		// The box stays root's, as /tmp is.
		require.NoError(t, os.Chmod(box, 0o755))
		require.NoError(t, os.Chown(parent, nobody, nobody))
		cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: nobody, Gid: nobody}}
	}
	out, err := cmd.CombinedOutput()
	assert.NoError(t, err, "%s", out)
}

// copyExecutable copies this test to where any user can run it.
func copyExecutable(t *testing.T, to string) {
	t.Helper()
	self, err := os.Executable()
	require.NoError(t, err)
	from, err := os.Open(self)
	require.NoError(t, err)
	defer from.Close()
	f, err := os.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o755)
	require.NoError(t, err)
	_, err = io.Copy(f, from)
	require.NoError(t, err)
	require.NoError(t, f.Close())
	require.NoError(t, os.Chmod(to, 0o755))
}
