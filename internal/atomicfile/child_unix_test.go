//go:build unix

package atomicfile_test

import (
	"bufio"
	"fmt"
	"io/fs"
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

	"github.com/seed-12b313d8/skills/internal/atomicfile"
)

// childJob names the environment variable that makes this test binary a child
// which writes: "write" or "swap", the root, and the operation before which it
// kills itself, or -1 to go on until somebody else does.
const childJob = "ATOMICFILE_TEST_CHILD"

func TestMain(m *testing.M) {
	if job := os.Getenv(childJob); job != "" {
		child(strings.SplitN(job, " ", 3))
		return
	}
	os.Exit(m.Run())
}

// The two contents that children write in turn.
func versionA() string { return strings.Repeat("version a\n", 20_000) }
func versionB() string { return strings.Repeat("the other version\n", 9_000) }

func child(job []string) {
	root, err := os.OpenRoot(job[2])
	if err != nil {
		panic(err)
	}
	deadly, err := strconv.Atoi(job[1])
	if err != nil {
		panic(err)
	}
	w := atomicfile.Writer{Hook: func(string, string) error {
		if deadly == 0 {
			if err := syscall.Kill(os.Getpid(), syscall.SIGKILL); err != nil {
				panic(err)
			}
			select {}
		}
		deadly--
		return nil
	}}
	p := &place{dir: job[2], root: root}
	fmt.Println("ready")
	for a, b := versionA(), versionB(); ; a, b = b, a {
		if job[0] == "write" {
			err = w.Write(root, target, []byte(b), 0o640)
		} else {
			err = swap(w, p, a, b)
		}
		if err != nil {
			panic(err)
		}
	}
}

// startChild returns a child that has begun to write.
func startChild(t *testing.T, job string, deadly int, dir string) *exec.Cmd {
	t.Helper()
	self, err := os.Executable()
	require.NoError(t, err)
	cmd := exec.Command(self, "-test.run=^$")
	cmd.Env = append(os.Environ(), fmt.Sprintf("%s=%s %d %s", childJob, job, deadly, dir))
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	line, err := bufio.NewReader(out).ReadString('\n')
	require.NoError(t, err)
	require.Equal(t, "ready\n", line)
	return cmd
}

// A process that is killed, whenever it is, leaves the old bytes or the new
// ones, and the next one goes on from there (06 §3, §5).
func TestKill(t *testing.T) {
	runs := 200
	if testing.Short() {
		runs = 40
	}
	for _, job := range []string{"write", "swap"} {
		rnd := rand.New(rand.NewPCG(5, 6))
		p := newPlace(t, versionA())
		seen := make(map[string]int)
		for n := range runs {
			deadly := -1
			if n%2 == 0 {
				deadly = n / 2 % 60 // some three writes
			}
			p.reset(t, versionA())
			cmd := startChild(t, job, deadly, p.dir)
			if deadly < 0 {
				time.Sleep(time.Duration(rnd.IntN(6_000)) * time.Microsecond) // not waiting for anything: the moment is random
				_ = cmd.Process.Kill()
			}
			_ = cmd.Wait() // says that it was killed
			is := p.content(t)
			require.True(t, is == versionA() || is == versionB(), "%s, killed before operation %d: %d bytes", job, deadly, len(is))
			seen[is]++
			info, err := os.Stat(p.file())
			require.NoError(t, err)
			require.Equal(t, fs.FileMode(0o640), info.Mode())
			age(t, p)
			require.NoError(t, swap(atomicfile.Writer{}, p, is, "next"), "what is left is in nobody's way")
			require.Equal(t, "next", p.content(t))
			require.Empty(t, p.leftovers(t), "%s: the next one cleans up", job)
		}
		assert.Len(t, seen, 2, "kills came before and after")
		t.Logf("%s: %d runs, %d with the first version", job, runs, seen[versionA()])
	}
}

// age makes what was left behind two hours older.
func age(t *testing.T, p *place) {
	t.Helper()
	for _, path := range p.leftovers(t) {
		parts := strings.Split(filepath.Base(path), "-")
		sec, err := strconv.ParseInt(parts[2], 16, 64)
		require.NoError(t, err)
		parts[2] = strconv.FormatInt(sec-7_200, 16)
		require.NoError(t, os.Rename(path, filepath.Join(filepath.Dir(path), strings.Join(parts, "-"))))
	}
}

// The mode is exact whatever the umask is.
func TestUmask(t *testing.T) {
	for _, mask := range []int{0, 0o022, 0o077, 0o277, 0o777} {
		for _, perm := range []fs.FileMode{0o400, 0o600, 0o644, 0o666, 0o777} {
			p := newPlace(t, "old")
			require.NoError(t, os.Chmod(p.file(), perm))
			was := syscall.Umask(mask)
			err1 := atomicfile.Writer{}.Write(p.root, "skill/other", []byte("x"), perm)
			err2 := swap(atomicfile.Writer{}, p, "old", "new")
			syscall.Umask(was)
			require.NoError(t, err1)
			require.NoError(t, err2)
			for _, name := range []string{"skill/other", target} {
				info, err := os.Stat(p.path(name))
				require.NoError(t, err)
				assert.Equal(t, perm, info.Mode(), "umask %o: %s", mask, name)
			}
		}
	}
}

// Somebody else's file stays somebody else's.
func TestOwner(t *testing.T) {
	if os.Getuid() != 0 {
		t.Skip("only root can give files away")
	}
	p := newPlace(t, "old")
	require.NoError(t, os.Chown(p.file(), 12345, 54321))
	require.NoError(t, swap(atomicfile.Writer{}, p, "old", "new"))
	info, err := os.Stat(p.file())
	require.NoError(t, err)
	st := info.Sys().(*syscall.Stat_t)
	assert.Equal(t, []uint32{12345, 54321}, []uint32{st.Uid, st.Gid})
}
