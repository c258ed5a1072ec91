package osshell_test

import (
	"bytes"
	"context"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/seed-12b313d8/skills"
	"github.com/seed-12b313d8/skills/osshell"
)

// mark is set in the environment of the commands of this test only.
const mark = "SKILL_LEAK_TEST=1"

// alive returns the command lines of the living processes that carry the mark,
// wherever they have gone.
func alive(t *testing.T) []string {
	var out []string
	for _, pid := range numbers(t) {
		env, _ := os.ReadFile("/proc/" + pid + "/environ") // gone or not ours: empty
		if bytes.Contains(env, []byte(mark)) {
			line, _ := os.ReadFile("/proc/" + pid + "/cmdline")
			out = append(out, pid+" "+strings.ReplaceAll(string(line), "\x00", " "))
		}
	}
	return out
}

// children returns the numbers of this process's children, dead ones too.
func children(t *testing.T) []string {
	var out []string
	for _, pid := range numbers(t) {
		stat, _ := os.ReadFile("/proc/" + pid + "/stat")
		if f := bytes.Fields(stat[bytes.LastIndexByte(stat, ')')+1:]); len(f) > 1 && string(f[1]) == strconv.Itoa(os.Getpid()) {
			out = append(out, pid)
		}
	}
	return out
}

func numbers(t *testing.T) []string {
	entries, err := os.ReadDir("/proc")
	require.NoError(t, err)
	var out []string
	for _, e := range entries {
		if _, err := strconv.Atoi(e.Name()); err == nil {
			out = append(out, e.Name())
		}
	}
	return out
}

func descriptors(t *testing.T) int {
	entries, err := os.ReadDir("/proc/self/fd")
	require.NoError(t, err)
	return len(entries)
}

// leftSession reports whether a line of alive is a command that left its
// session on purpose.
func leftSession(line string) bool {
	_, command, _ := strings.Cut(line, " ")
	return strings.HasPrefix(command, "sleep 1 ") || strings.HasPrefix(command, "setsid ") || strings.Contains(command, "flood")
}

// until waits until list is empty; hanging commands would be in it for longer.
func until(t *testing.T, list func() []string) {
	for end := time.Now().Add(longEnough); ; time.Sleep(10 * time.Millisecond) {
		left := list()
		if len(left) == 0 {
			return
		}
		require.True(t, time.Now().Before(end), "still alive: %v", left)
	}
}

// Two hundred commands of the worst kinds leave nothing: no goroutine, no
// descriptor, no process, no file (07 B9).
func TestLeaks(t *testing.T) {
	program(t, "setsid")
	require.Equal(t, "ok\n", run(t, osshell.New(nil), skills.Command{Text: "echo ok"}).Output) // what the runtime opens once
	before, goroutines := descriptors(t), goleak.IgnoreCurrent()
	temp, dir := t.TempDir(), t.TempDir()
	t.Setenv("TMPDIR", temp)

	const runs = 200
	texts := []string{
		"echo fine", "exit 7", "sleep 71 & echo hi", "setsid sleep 1 & echo hi", "setsid sleep 1 >/dev/null 2>&1 & echo hi",
		"timeout 71 sleep 71 >/dev/null 2>&1 & echo hi", "set -m; sleep 71 >/dev/null 2>&1 & sleep 71 & echo hi",
		"setsid sh -c 'i=0; while [ $i -lt 20000 ]; do echo flood; i=$((i+1)); done' & echo hi", "kill -9 $$", "no-such-program",
	}
	for _, s := range stubborn {
		if !strings.Contains(s.text, "setsid") { // floods end on their own, since nobody reads them
			texts = append(texts, s.text)
		}
	}
	sh := osshell.New(&osshell.Options{Timeout: 200 * time.Millisecond, Env: []string{mark}})
	var wg sync.WaitGroup
	for i := range runs {
		wg.Go(func() {
			ctx := context.Background()
			if i%3 == 0 { // ends while it waits, starts, runs, or never
				var cancel context.CancelFunc
				ctx, cancel = context.WithTimeout(ctx, time.Duration(i)*20*time.Millisecond)
				defer cancel()
			}
			_, _ = sh(ctx, skills.Command{Text: texts[i%len(texts)], Dir: dir})
		})
	}
	wg.Wait()

	assert.Empty(t, children(t), "children")
	escaped := alive(t)
	until(t, func() []string { return slices.DeleteFunc(alive(t), leftSession) }) // what is killed may take a moment to die
	until(t, func() []string { return alive(t) })                                 // what escaped ends by itself
	assert.NoError(t, goleak.Find(goroutines))
	assert.Equal(t, before, descriptors(t), "descriptors")
	for _, d := range []string{temp, dir} {
		left, err := os.ReadDir(d)
		require.NoError(t, err)
		assert.Empty(t, left, "files")
	}
	t.Logf("%d commands; %d processes had left their session and ended by themselves, or were still dying", runs, len(escaped))
}

// The same for the ignore check, with repositories that hang and others.
func TestGitLeaks(t *testing.T) {
	good, fifo := repo(t, nil), repo(t, nil)
	git(t, good, "status")
	require.NoError(t, syscall.Mkfifo(fifo+"/.gitignore", 0o600))
	before, goroutines := descriptors(t), goleak.IgnoreCurrent()
	ignored := checker(t, func(o *osshell.GitOptions) { o.Timeout = 50 * time.Millisecond })
	for i := range 40 {
		ctx, cancel := context.WithTimeout(t.Context(), time.Duration(1+i)*5*time.Millisecond)
		_, _ = ignored(ctx, []string{good, fifo}[i%2], []string{"x", "build"})
		cancel()
	}
	assert.Empty(t, children(t), "children")
	assert.NoError(t, goleak.Find(goroutines))
	assert.Equal(t, before, descriptors(t), "descriptors")
}
