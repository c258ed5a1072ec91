//go:build unix

package improve_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
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
	"github.com/seed-12b313d8/skills/improve"
)

// An edit of the user, and whether the file is then as the user left it.
type edit struct {
	name string
	do   func(path string) error
	ok   func(path string) bool
}

const work = "---\ndescription: Mine\n---\nThe user's own words.\n"

func is(path, text string) bool {
	data, err := os.ReadFile(path)
	return err == nil && string(data) == text
}

func isWork(path string) bool { return is(path, work) }

func userEdits() []edit {
	return []edit{
		{"overwrite", func(path string) error { return os.WriteFile(path, []byte(work), 0o644) }, isWork},
		{"rename over", func(path string) error {
			return errors.Join(os.WriteFile(path+".new", []byte(work), 0o644), os.Rename(path+".new", path))
		}, isWork},
		{"delete", os.Remove, func(path string) bool {
			_, err := os.Lstat(path)
			return errors.Is(err, os.ErrNotExist)
		}},
		{"link", func(path string) error {
			return errors.Join(os.WriteFile(path+".real", []byte(work), 0o644), os.Remove(path), os.Symlink(path+".real", path))
		}, func(path string) bool {
			to, err := os.Readlink(path)
			return err == nil && to == path+".real" && is(to, work)
		}},
		{"second name", func(path string) error { return os.Link(path, path+".link") }, func(path string) bool {
			a, err1 := os.Stat(path)
			b, err2 := os.Stat(path + ".link")
			return err1 == nil && err2 == nil && os.SameFile(a, b)
		}},
		{"append", func(path string) error {
			f, err := os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0)
			if err == nil {
				_, err = f.WriteString("The user's line.\n")
				err = errors.Join(err, f.Close())
			}
			return err
		}, func(path string) bool {
			data, err := os.ReadFile(path)
			return err == nil && strings.HasSuffix(string(data), "The user's line.\n")
		}},
		{"read-only", func(path string) error { return os.Chmod(path, 0o444) }, func(path string) bool {
			info, err := os.Stat(path)
			return err == nil && info.Mode() == 0o444
		}},
	}
}

// Whatever the user does to the file, at whatever step, also while the model
// thinks: it is not lost (06 §5).
func TestUserEdits(t *testing.T) {
	f := newFixture(t, nil)
	path := f.path(deployPath)
	o := (&host{}).options()
	s := &script{}
	i := newImprover(t, f, s.model, o)
	count, at := 0, -2
	var e edit
	step := func() {
		if count == at {
			require.NoError(t, e.do(path))
		}
		count++
	}
	improve.SetHook(i, func(string, string) error { step(); return nil })
	s.before = step
	reset := func() {
		count = 0
		for _, suffix := range []string{"", ".new", ".real", ".link"} {
			_ = os.Remove(path + suffix) // perhaps not there
		}
		require.NoError(t, os.WriteFile(path, []byte(deployText), 0o644))
	}
	reset()
	p := f.proposal(t, "deploy")
	require.NoError(t, i.Apply(t.Context(), p))
	steps, done := count, 0
	for at = range steps {
		for _, e = range userEdits() {
			reset()
			err := i.Apply(t.Context(), p)
			done++
			require.True(t, e.ok(path), "%s before step %d of %d was lost; Apply said %v", e.name, at, steps, err)
			require.Empty(t, f.leftovers(t), "%s before step %d", e.name, at)
			if err != nil {
				var se *skills.Error
				require.ErrorAs(t, err, &se)
				require.Contains(t, []skills.Code{skills.CodeInvalid, skills.CodeDenied}, se.Code, "%v", err)
			}
		}
	}
	t.Logf("%d edits at %d steps", done, steps)
	assert.Greater(t, done, 150)
}

// Every operation on disk fails: the file has the old bytes or the new ones,
// the error is typed, and the next Apply is right (07 B5).
func TestFaults(t *testing.T) {
	f := newFixture(t, nil)
	path := f.path(deployPath)
	i := newImprover(t, f, (&script{}).model, (&host{}).options())
	count, at := 0, -1
	var fault error
	improve.SetHook(i, func(string, string) error {
		count++
		if count-1 == at {
			return fault
		}
		return nil
	})
	p := f.proposal(t, "deploy")
	require.NoError(t, i.Apply(t.Context(), p))
	updated := f.read(t, deployPath)
	steps, injected := count, 0
	for n := range steps {
		for _, fault = range []error{syscall.ENOENT, syscall.EACCES, syscall.EIO, syscall.ENOSPC, syscall.EMFILE} {
			require.NoError(t, os.WriteFile(path, []byte(deployText), 0o644))
			count, at = 0, n
			injected++
			err := i.Apply(t.Context(), p)
			if err == nil {
				require.Equal(t, updated, f.read(t, deployPath))
			} else {
				e := requireError(t, err, err.(*skills.Error).Code)
				require.Equal(t, path, e.Path)
				require.Equal(t, deployText, f.read(t, deployPath), "%v before step %d: %v", fault, n, err)
				require.True(t, errors.Is(err, fault) || errors.Is(err, improve.ErrChanged), "%v before step %d: %v", fault, n, err)
			}
			require.Empty(t, f.leftovers(t))
			require.NoError(t, os.WriteFile(path, []byte(deployText), 0o644))
			at = -1
			require.NoError(t, i.Apply(t.Context(), p))
			require.Equal(t, updated, f.read(t, deployPath))
		}
	}
	t.Logf("%d faults injected", injected)
	assert.Greater(t, injected, 100)
}

// A folder that may not be written to.
func TestReadOnlyFolder(t *testing.T) {
	if os.Getuid() == 0 {
		t.Skip("root may write everywhere; TestFaults covers the error")
	}
	f := newFixture(t, nil)
	folder := filepath.Dir(f.path(deployPath))
	require.NoError(t, os.Chmod(folder, 0o555))
	defer func() { require.NoError(t, os.Chmod(folder, 0o755)) }()
	i := newImprover(t, f, (&script{}).model, (&host{}).options())
	requireError(t, i.Apply(t.Context(), f.proposal(t, "deploy")), skills.CodeUnreadable)
	assert.Equal(t, deployText, f.read(t, deployPath))
}

// childJob names the environment variable that makes this test binary a child
// which applies one proposal to the project it names, and kills itself before
// an operation on disk, or waits to be killed.
const childJob = "IMPROVE_TEST_CHILD"

func TestMain(m *testing.M) {
	if job := os.Getenv(childJob); job != "" {
		n, root, _ := strings.Cut(job, " ")
		deadly, err := strconv.Atoi(n)
		if err != nil {
			panic(err)
		}
		child(deadly, root)
		return
	}
	os.Exit(m.Run())
}

// child puts a line into the skill and takes it out again, over and over.
func child(deadly int, root string) {
	ctx := context.Background()
	reg, err := skills.Open(ctx, &skills.Options{Locations: skills.Locations{Project: root}})
	if err != nil {
		panic(err)
	}
	f := &fixture{root: root, reg: reg, sess: reg.NewSession("", nil)}
	i := improve.New(f.sess, (&script{edit: func(old string) string {
		if cut, ok := strings.CutSuffix(old, "\n3. Run the tests first"); ok {
			return cut
		}
		return addLine(old)
	}}).model, &improve.Options{Enabled: yes})
	improve.SetHook(i, func(string, string) error {
		if deadly == 0 {
			if err := syscall.Kill(os.Getpid(), syscall.SIGKILL); err != nil {
				panic(err)
			}
			select {}
		}
		deadly--
		return nil
	})
	fmt.Println("ready")
	for {
		p, err := f.propose("deploy")
		if err == nil {
			err = i.Apply(ctx, p)
		}
		if err != nil {
			panic(err)
		}
	}
}

// A program that is killed while it applies leaves the old text or the new.
func TestKill(t *testing.T) {
	f := newFixture(t, nil)
	updated := addLine(strings.TrimSuffix(deployText, "\n")) + "\n"
	self, err := os.Executable()
	require.NoError(t, err)
	rnd := rand.New(rand.NewPCG(7, 8))
	seen := make(map[string]int)
	for n := range 80 {
		require.NoError(t, os.RemoveAll(filepath.Dir(f.path(deployPath))))
		require.NoError(t, os.MkdirAll(filepath.Dir(f.path(deployPath)), 0o755))
		require.NoError(t, os.WriteFile(f.path(deployPath), []byte(deployText), 0o644))
		deadly := -1
		if n%2 == 0 {
			deadly = n / 2 * 2
		}
		cmd := exec.Command(self, "-test.run=^$")
		cmd.Stderr = os.Stderr
		cmd.Env = append(os.Environ(), fmt.Sprintf("%s=%d %s", childJob, deadly, f.root))
		out, err := cmd.StdoutPipe()
		require.NoError(t, err)
		require.NoError(t, cmd.Start())
		line, err := bufio.NewReader(out).ReadString('\n')
		require.NoError(t, err)
		require.Equal(t, "ready\n", line)
		if deadly < 0 {
			time.Sleep(time.Duration(rnd.IntN(8_000)) * time.Microsecond) // not waiting for anything: the moment is random
			_ = cmd.Process.Kill()
		}
		_ = cmd.Wait() // says that it was killed
		text := f.read(t, deployPath)
		require.True(t, text == deployText || text == updated, "torn: %q", text)
		seen[text]++
	}
	assert.Len(t, seen, 2, "kills came before and after")
	i := newImprover(t, f, (&script{edit: func(old string) string { return old + "\nMore." }}).model, (&host{}).options())
	require.NoError(t, i.Apply(t.Context(), f.proposal(t, "deploy")), "what is left is in nobody's way")
}
