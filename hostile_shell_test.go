package skills_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/seed-12b313d8/skills"
)

// fromZero is why rows that write $1 for the first word get a word more.
const fromZero = "04 §3 counts from 0, so that the row's word is $0 and $1 stands for nothing; one more word before it gives the row's own place"

// shellChecks returns the assertions of the rows whose commands run.
func shellChecks() map[string]hostileCheck {
	out := injectionChecks()
	for id, c := range processChecks() {
		out[id] = c
	}
	return out
}

// again invokes the row's skill once more.
func (h *hostile) again(args string) {
	op := h.row.Action[len(h.row.Action)-1]
	op.Args, op.ArgsB64, op.ArgsGen.Times = args, "", 0
	h.ran, h.results = nil, nil
	h.invoke(op)
}

// noPwn asserts that no command but the author's did anything: no canary lies
// below the tree or in the program's own directory.
func noPwn(t *testing.T, h *hostile) {
	t.Helper()
	assert.Empty(t, canaries(t, h.root))
	stray, err := filepath.Glob("pwn*")
	require.NoError(t, err)
	assert.Empty(t, stray)
}

// prints makes a check of the text.
func prints(want string) func(*testing.T, *hostile) {
	return func(t *testing.T, h *hostile) {
		t.Helper()
		assert.Equal(t, want, h.text(t))
		assert.Len(t, h.ran, 1)
	}
}

// refuses asserts that the call was refused before anything ran.
func (h *hostile) refuses(t *testing.T, path string, line int, placeholder string) *skills.Error {
	t.Helper()
	e := failure(t, h.outErr, skills.CodeUnsafeArgument)
	assert.Nil(t, h.out)
	assert.Empty(t, h.ran, "nothing is run")
	assert.Equal(t, h.path(path), e.Path)
	assert.Equal(t, line, e.Line)
	assert.True(t, strings.HasPrefix(e.Msg, placeholder+" was not put into a command: "), e.Msg)
	assert.NotEmpty(t, e.Hint)
	return e
}

func injectionChecks() map[string]hostileCheck {
	dir := func(name string) string { return "proj/.claude/skills/" + name + "/SKILL.md" }
	return map[string]hostileCheck{
		"arg-shell-01": {must: prints("Log:\nx\"; touch pwn-1; \"\n"), mustNot: noPwn},
		"arg-shell-02": {
			note: fromZero + "; it has 19 bytes",
			must: func(t *testing.T, h *hostile) {
				prints("\n\nARGUMENTS: $(touch${IFS}pwn-2)")(t, h)
				h.again("zero $(touch${IFS}pwn-2)")
				prints("$(touch${IFS}pwn-2)\n")(t, h)
			},
			mustNot: noPwn,
		},
		"arg-shell-03": {must: prints("it's; touch pwn-3 #'\n"), mustNot: noPwn},
		"arg-shell-07": {
			note: fromZero,
			must: func(t *testing.T, h *hostile) {
				prints("start\n\nARGUMENTS: \"a\ntouch pwn-7\"")(t, h)
				h.again("zero \"a\ntouch pwn-7\"")
				prints("start a\ntouch pwn-7\n")(t, h)
			},
			mustNot: noPwn,
		},
		"arg-shell-08": {
			must: func(t *testing.T, h *hostile) {
				h.refuses(t, dir("here"), 6, "$ARGUMENTS")
				h.again("ok\nEOF2")
				prints("ok\nEOF2\n")(t, h)
			},
			mustNot: noPwn,
		},
		"arg-shell-09": {
			note: fromZero + "; the row's own argument is two words",
			must: func(t *testing.T, h *hostile) {
				assert.Contains(t, h.refuses(t, dir("math"), 5, "$1").Msg, "whole number")
				h.again("zero 'a[$(touch pwn-9)]'")
				h.refuses(t, dir("math"), 5, "$1")
				h.again("zero 41")
				prints("42\n")(t, h)
				h.again("41")
				prints("1\n\nARGUMENTS: 41")(t, h) // no word is 0
			},
			mustNot: noPwn,
		},
		"arg-shell-10": {
			must: func(t *testing.T, h *hostile) {
				assert.Contains(t, h.refuses(t, dir("run"), 4, "$ARGUMENTS").Msg, "command")
			},
			mustNot: func(t *testing.T, h *hostile) {
				noPwn(t, h)
				h.splice = true
				h.again("touch pwn-10")
				require.NoError(t, h.outErr)
				assert.Equal(t, []string{h.path("proj/pwn-10")}, canaries(t, h.root), "the host switched that on by name")
			},
		},
		"arg-shell-11": {
			note: fromZero,
			must: func(t *testing.T, h *hostile) {
				prints("\n\nARGUMENTS: ';touch pwn-11'")(t, h)
				h.again("zero ';touch pwn-11'")
				h.refuses(t, dir("ev"), 4, "$1")
				h.again("zero plain")
				prints("plain\n")(t, h)
			},
			mustNot: noPwn,
		},
		"arg-shell-12": {
			note: fromZero + "; a value that no command takes is none of the shell's business",
			must: func(t *testing.T, h *hostile) {
				prints("\n\nARGUMENTS: a\x00b")(t, h)
				h.again("zero a\x00b")
				assert.Contains(t, h.refuses(t, dir("nul"), 4, "$1").Msg, "NUL")
			},
			mustNot: func(t *testing.T, h *hostile) { assert.Empty(t, h.results, "no process started") },
		},
		"arg-shell-13": {
			must: func(t *testing.T, h *hostile) {
				e := h.refuses(t, dir("big"), 4, "$ARGUMENTS")
				assert.Contains(t, e.Msg, "200000")
				assert.Contains(t, e.Msg, "100000")
				h.again(strings.Repeat("x", 100_000))
				assert.Equal(t, "100000", strings.TrimSpace(h.text(t)))
			},
			mustNot: func(t *testing.T, h *hostile) { assert.NotContains(t, h.text(t), "too long") },
		},
		"arg-shell-14": {
			must: func(t *testing.T, h *hostile) { assert.Equal(t, "SKILL.md\n", h.text(t)) },
			mustNot: func(t *testing.T, h *hostile) {
				for _, c := range canaries(t, h.root) {
					assert.Contains(t, filepath.Base(c), "';", "only the folder itself is called that")
				}
			},
		},
		"arg-shell-15": {must: prints("$(touch pwn-15)\n"), mustNot: noPwn},
		"arg-shell-16": {must: prints("`touch pwn-16a` ';touch pwn-16b;'\n"), mustNot: noPwn},
		"shell-src-04": {
			note: "the grant asks first (04 §5), so somebody says yes",
			own: func(_ *testing.T, h *hostile) {
				h.confirm = func(context.Context, *skills.Permit) (bool, error) { return true, nil }
				for _, op := range h.row.Action {
					h.do(op)
				}
			},
			must: func(t *testing.T, h *hostile) {
				e := failure(t, h.outErr, skills.CodeDenied)
				assert.Contains(t, e.Msg, "the rule Bash denies")
				assert.Equal(t, 5, e.Line)
			},
			mustNot: noCanary,
		},
	}
}

func processChecks() map[string]hostileCheck {
	return map[string]hostileCheck{
		"shell-out-01": {must: prints("$ARGUMENTS !`touch pwn-o1`\nEnd $1\n\nARGUMENTS: v"), mustNot: noPwn},
		"shell-out-02": floodCheck(),
		"shell-proc-01": {
			must: func(t *testing.T, h *hostile) {
				prints("hi\n")(t, h)
				allEnd(t, h.path("proj"))
			},
			mustNot: func(t *testing.T, h *hostile) {
				assert.Zero(t, h.results[0].Exit, "the command ended by itself and not at its deadline")
			},
		},
		"shell-proc-02": escapeCheck(),
		"shell-proc-03": {
			must: prints("end\ntty=1\n"),
			mustNot: func(t *testing.T, h *hostile) {
				require.Len(t, h.results, 1)
				assert.Zero(t, h.results[0].Exit, "the command ended by itself and not at its deadline")
			},
		},
		"shell-env-01": {
			must: func(t *testing.T, h *hostile) {
				require.NotEmpty(t, h.text(t))
				for pair := range strings.Lines(h.results[0].Output) {
					name, _, ok := strings.Cut(pair, "=")
					assert.True(t, !ok || allowListed(name), "%s is not on the list of 04 §4", name)
				}
				assert.Contains(t, h.results[0].Output, "TERM=dumb\n")
			},
			mustNot: func(t *testing.T, h *hostile) {
				require.Equal(t, "s3cr3t-value", os.Getenv("MY_API_TOKEN"), "the row has set it")
				for _, place := range []string{h.text(t), h.log.String()} {
					assert.NotContains(t, place, "s3cr3t-value")
					assert.NotContains(t, place, "AWS_SECRET")
				}
				require.Len(t, h.events, 1)
				assert.NotContains(t, fmt.Sprintf("%+v", h.events[0]), "s3cr3t-value")
				h.again("")
				require.NoError(t, h.outErr)
			},
		},
	}
}

// allowListed reports whether a command may have the variable: 04 §4, and what
// shells set themselves.
func allowListed(name string) bool {
	switch name {
	case "PATH", "HOME", "USER", "LANG", "TMPDIR", "TERM", "PWD", "OLDPWD", "SHLVL", "_":
		return true
	}
	return strings.HasPrefix(name, "LC_") || strings.HasPrefix(name, "SKILL_") || strings.HasPrefix(name, "CLAUDE_")
}

// floodCheck is about a command that prints without end.
func floodCheck() hostileCheck {
	var allocated uint64
	return hostileCheck{
		own: func(_ *testing.T, h *hostile) {
			h.session("")
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			for _, op := range h.row.Action {
				if op.Op == "invoke" {
					h.do(op)
				}
			}
			runtime.ReadMemStats(&after)
			allocated = after.TotalAlloc - before.TotalAlloc
		},
		must: func(t *testing.T, h *hostile) {
			e := failure(t, h.outErr, skills.CodeShellFailed)
			require.ErrorIs(t, e, context.DeadlineExceeded, "a timeout")
			assert.Contains(t, e.Msg, "within 1s")
			assert.Contains(t, e.Msg, "0123456789", "what it printed last")
			require.Len(t, h.results, 1)
			assert.LessOrEqual(t, len([]rune(h.results[0].Output)), 30_000, "the stated cap")
			assert.Contains(t, h.results[0].Output, "characters", "the note of how much was cut")
			assert.Less(t, allocated, uint64(8<<20))
		},
		mustNot: func(t *testing.T, h *hostile) { allEnd(t, h.path("proj")) },
	}
}

// escapeCheck is about a child that leaves the command's session and holds its
// output open.
func escapeCheck() hostileCheck {
	var files, routines int
	var took time.Duration
	return hostileCheck{
		own: func(t *testing.T, h *hostile) {
			h.session("")
			files, routines = openFiles(), runtime.NumGoroutine()
			start := time.Now()
			for _, op := range h.row.Action {
				if op.Op == "invoke" {
					h.do(op)
				}
			}
			took = time.Since(start)
		},
		must: func(t *testing.T, h *hostile) {
			alive := len(livingIn(t, h.path("proj"))) > 0
			prints("hi\n")(t, h)
			assert.True(t, alive || took < 3*time.Second, "the call returned before the child ended")
		},
		mustNot: func(t *testing.T, h *hostile) {
			allEnd(t, h.path("proj"))
			assert.Eventually(t, func() bool { return openFiles() <= files }, hangs, 10*time.Millisecond, "a file handle is left")
			// Eventually has a goroutine of its own.
			assert.Eventually(t, func() bool { return runtime.NumGoroutine() <= routines+1 }, hangs, 10*time.Millisecond, "a goroutine is left")
		},
	}
}

// openFiles returns how many files this process has open, 0 where the system
// does not tell.
func openFiles() int {
	entries, err := os.ReadDir("/proc/self/fd")
	if err != nil {
		return 0
	}
	return len(entries)
}

// allEnd asserts that the processes of a working directory end by themselves or
// have been killed: a process may still be seen for a moment after that. The
// commands of the tests that must not survive would last for longer.
func allEnd(t *testing.T, dir string) {
	t.Helper()
	assert.Eventually(t, func() bool { return len(livingIn(t, dir)) == 0 }, 30*time.Second, 5*time.Millisecond, "a process is left")
}

// livingIn returns the commands of the processes that have not ended and whose
// working directory is dir, where the system has a /proc to tell. Zombies have
// ended, whoever has to reap them.
func livingIn(t *testing.T, dir string) []string {
	t.Helper()
	entries, err := os.ReadDir("/proc")
	if err != nil {
		t.Logf("no /proc: what is left of commands was not looked at: %v", err)
		return nil
	}
	var out []string
	for _, e := range entries {
		if cwd, err := os.Readlink("/proc/" + e.Name() + "/cwd"); err != nil || cwd != dir {
			continue // no process, of somebody else, ended, or elsewhere
		}
		stat, err := os.ReadFile("/proc/" + e.Name() + "/stat")
		if err != nil {
			continue // it has just ended
		}
		if _, state, _ := strings.Cut(string(stat), ") "); !strings.HasPrefix(state, "Z") && !strings.HasPrefix(state, "X") {
			out = append(out, string(stat))
		}
	}
	return out
}
