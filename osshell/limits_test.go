package osshell_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/seed-12b313d8/skills"
	"github.com/seed-12b313d8/skills/osshell"
)

// stubborn are commands that do not end by themselves, or not soon.
var stubborn = []struct{ reason, text string }{
	{"hang", "echo hi; sleep 71"},
	{"hang of a child", "echo hi; sleep 71; true"},
	{"flood", "yes hi"},
	{"flood of a child in the background", "yes hi & wait"},
	{"several floods", "yes hi & yes hi >&2 & yes hi | cat"},
	{"flood of a child that escaped", "echo hi; setsid yes hi & wait; sleep 71"},
	{"signals are caught", "trap '' TERM INT HUP; echo hi; while :; do sleep 1; done"},
	{"stops itself", "echo hi; kill -STOP $$"},
	{"children that stop", "echo hi; sh -c 'kill -STOP $$'; sleep 71"},
	{"timeout makes a group of its own", "echo hi; timeout 71 sleep 71; true"},
	{"job control makes groups of its own", "set -m; echo hi; sleep 71 & sleep 71 & wait"},
	{"output is closed", "echo hi; exec >&- 2>&-; sleep 71"},
	{"many children", "echo hi; i=0; while [ $i -lt 40 ]; do sleep 71 & i=$((i+1)); done; wait"},
}

// The time of a command ends it with all it started (04 §4).
func TestTimeout(t *testing.T) {
	program(t, "setsid")
	for _, test := range stubborn {
		t.Run(test.reason, func(t *testing.T) {
			t.Parallel()
			sh := osshell.New(&osshell.Options{Timeout: 300 * time.Millisecond})
			began := time.Now()
			got, err := sh(t.Context(), skills.Command{Text: test.text, Dir: t.TempDir()})
			took := time.Since(began)
			require.ErrorIs(t, err, skills.CodeShellFailed)
			require.ErrorIs(t, err, context.DeadlineExceeded)
			assert.ErrorContains(t, err, "did not end within 300ms")
			assert.LessOrEqual(t, utf8.RuneCountInString(got.Output), 30_000)
			assert.Equal(t, 137, got.Exit)
			assert.Less(t, took, longEnough)
			t.Logf("%v after the deadline", took-300*time.Millisecond)
		})
	}
}

// A context that ends does the same, with its own error.
func TestCancel(t *testing.T) {
	program(t, "setsid")
	sh := osshell.New(&osshell.Options{MaxConcurrent: len(stubborn)})
	for _, test := range stubborn {
		t.Run(test.reason, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			ctx, cancel := context.WithCancelCause(t.Context())
			defer cancel(nil)
			go func() {
				waitFor(t, filepath.Join(dir, "began"))
				cancel(errors.New("the user pressed escape"))
			}()
			began := time.Now()
			got, err := sh(ctx, skills.Command{Text: "echo first; touch began\n" + test.text, Dir: dir})
			require.ErrorIs(t, err, skills.CodeCancelled)
			assert.ErrorIs(t, err, context.Canceled)
			assert.ErrorContains(t, err, "the user pressed escape")
			assert.True(t, strings.HasPrefix(got.Output, "first\n"), "%.20q: what was printed is kept", got.Output)
			assert.Less(t, time.Since(began), longEnough)
		})
	}
}

func waitFor(t *testing.T, path string) {
	for end := time.Now().Add(longEnough); time.Now().Before(end); time.Sleep(time.Millisecond) {
		if _, err := os.Stat(path); err == nil {
			return
		}
	}
	t.Errorf("%s never appeared", path)
}

// The context's own deadline is the caller's, not the command's.
func TestDeadlineOfTheCaller(t *testing.T) {
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	_, err := osshell.New(nil)(ctx, skills.Command{Text: "sleep 71"})
	require.ErrorIs(t, err, skills.CodeCancelled)
	assert.ErrorIs(t, err, context.DeadlineExceeded)
}

func TestCancelledBefore(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	dir := t.TempDir()
	_, err := osshell.New(nil)(ctx, skills.Command{Text: "touch ran", Dir: dir})
	require.ErrorIs(t, err, context.Canceled)
	assert.NoFileExists(t, filepath.Join(dir, "ran"))
}

// What a command leaves running does not hold up its result.
func TestBackground(t *testing.T) {
	program(t, "setsid")
	for text, want := range map[string]string{
		"sleep 71 & echo hi":                             "hi\n", // (shell-proc-01)
		"setsid sleep 2 & echo hi":                       "hi\n", // (shell-proc-02)
		"(trap '' HUP TERM; sleep 71) & echo hi":         "hi\n",
		"timeout 71 sleep 71 & echo hi":                  "hi\n",
		"sleep 71 >/dev/null 2>&1 & echo hi":             "hi\n",
		"{ sleep 71; echo never > never; } & echo hi":    "hi\n",
		"(sleep 71; echo x) | cat >&2 & echo hi; exit 4": "hi\n",
	} {
		began := time.Now()
		got := run(t, osshell.New(nil), skills.Command{Text: text})
		assert.Equal(t, want, got.Output, text)
		assert.Less(t, time.Since(began), longEnough, text)
	}
	got := run(t, osshell.New(nil), skills.Command{Text: "yes & sleep 0.05; exit 4"})
	assert.Equal(t, 4, got.Exit, "the exit code is the shell's")
}

// At most MaxConcurrent commands run at once, and no fewer (04 §4).
func TestConcurrency(t *testing.T) {
	for _, limit := range []int{1, 2, 4} {
		sh := osshell.New(&osshell.Options{MaxConcurrent: limit})
		if limit == 4 {
			sh = osshell.New(nil)
		}
		dir := t.TempDir()
		// Each waits until as many run as may, or all others are done.
		text := fmt.Sprintf(`: > run.$$; : > started.$$
while set -- run.*; n=$#; set -- started.*; [ $n -lt %d ] && [ $# -lt 12 ]; do sleep 0.01; done
set -- run.*; echo $#; sleep 0.02; rm run.$$`, limit)
		counts := make([]string, 12)
		var wg sync.WaitGroup
		for i := range counts {
			wg.Go(func() {
				r, err := sh(t.Context(), skills.Command{Text: text, Dir: dir})
				assert.NoError(t, err)
				counts[i] = strings.TrimSpace(r.Output)
			})
		}
		wg.Wait()
		most := 0
		for _, count := range counts {
			n, err := strconv.Atoi(count)
			require.NoError(t, err)
			most = max(most, n)
		}
		assert.Equal(t, limit, most)
	}
}

// Who waits for a slot ends with the context, and has run nothing.
func TestWaitingEnds(t *testing.T) {
	sh := osshell.New(&osshell.Options{MaxConcurrent: 1})
	dir := t.TempDir()
	first, end := context.WithCancel(t.Context())
	done := make(chan error)
	go func() {
		_, err := sh(first, skills.Command{Text: "touch began; sleep 71", Dir: dir})
		done <- err
	}()
	waitFor(t, filepath.Join(dir, "began"))
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
	defer cancel()
	_, err := sh(ctx, skills.Command{Text: "touch ran", Dir: dir})
	require.ErrorIs(t, err, skills.CodeCancelled)
	assert.NoFileExists(t, filepath.Join(dir, "ran"))
	end()
	require.ErrorIs(t, <-done, context.Canceled)
	assert.Equal(t, "free\n", run(t, sh, skills.Command{Text: "echo free"}).Output, "the slot is free again")
}

func TestOutputLimit(t *testing.T) {
	for _, test := range []struct {
		reason, text string
		limit        int
		want         string
		exit         int
	}{
		{"up to the limit nothing is cut", "printf %0150d 0", 150, strings.Repeat("0", 150), 0},
		{"(04 §4) the note says how much was cut", "printf %0151d 0", 150, strings.Repeat("0", 90) + "\n[61 characters were cut here]\n", 0},
		{"(04 §4) the end of a failing command is kept", "printf %0151d 7; exit 3", 150, strings.Repeat("0", 75) + "\n[61 characters were cut here]\n" + strings.Repeat("0", 14) + "7", 3},
		{"limits below 100 are 100", "printf %0100d 0", 1, strings.Repeat("0", 100), 0},
		{"even with a cut", "printf %0101d 0", 1, strings.Repeat("0", 40) + "\n[61 characters were cut here]\n", 0},
		{"characters are code points", `i=0; while [ $i -lt 151 ]; do printf '\303\244'; i=$((i+1)); done`, 150, strings.Repeat("ä", 90) + "\n[61 characters were cut here]\n", 0},
		{"what is removed does not count", `i=0; while [ $i -lt 150 ]; do printf '\033[1m\000a'; i=$((i+1)); done`, 150, strings.Repeat("a", 150), 0},
		{"below zero is the default", "printf %030000d 0", -1, strings.Repeat("0", 30_000), 0},
	} {
		got := run(t, osshell.New(&osshell.Options{MaxOutput: test.limit}), skills.Command{Text: test.text})
		assert.Equal(t, test.exit, got.Exit, test.reason)
		assert.Equal(t, test.want, got.Output, test.reason)
	}
}

// A flood costs time but no memory: 200 MB of output, less than 4 MB of
// allocations (04 §4).
func TestFloodMemory(t *testing.T) {
	sh := osshell.New(nil)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	got := run(t, sh, skills.Command{Text: "yes 0123456789 | head -c 200000000; yes '\033[1mä' | head -c 2000000"})
	runtime.ReadMemStats(&after)
	assert.LessOrEqual(t, utf8.RuneCountInString(got.Output), 30_000)
	assert.Contains(t, got.Output[len(got.Output)-60:], "characters were cut here]")
	assert.Less(t, after.TotalAlloc-before.TotalAlloc, uint64(4<<20))
	t.Logf("%d KB allocated", (after.TotalAlloc-before.TotalAlloc)>>10)
}
