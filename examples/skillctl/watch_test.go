package main

import (
	"bufio"
	"context"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/seed-12b313d8/skills"
	"github.com/seed-12b313d8/skills/internal/testkit"
)

// quick are times that tests can wait for.
var quick = skills.WatchOptions{Stable: 20 * time.Millisecond, Poll: 5 * time.Millisecond, Gather: 5 * time.Millisecond}

// A watching is a skillctl watch under way.
type watching struct {
	t         *testing.T
	root      string
	lines     <-chan string
	errs      <-chan string
	out       *io.PipeReader
	interrupt func()
	code      <-chan int
}

// startWatch runs skillctl watch in a project of root.
func startWatch(t *testing.T, root string, args ...string) *watching {
	t.Helper()
	return startWatchIn(t, root, filepath.Join(root, "proj"), filepath.Join(root, "home"), args...)
}

// startWatchIn runs skillctl watch in a project; root holds it.
func startWatchIn(t *testing.T, root, project, home string, args ...string) *watching {
	t.Helper()
	args = append([]string{"watch", "--project", project, "--home", home}, args...)
	ctx, cancel := context.WithCancel(context.Background())
	t.Cleanup(cancel)
	out, stdout := io.Pipe()
	errs, stderr := io.Pipe()
	code := make(chan int, 1)
	go func() {
		a := &app{times: quick}
		code <- a.main(ctx, args, stdout, stderr)
		stdout.Close()
		stderr.Close()
	}()
	return &watching{t, root, linesOf(out), linesOf(errs), out, cancel, code}
}

func linesOf(r io.Reader) <-chan string {
	lines := make(chan string, 100)
	go func() {
		defer close(lines)
		for s := bufio.NewScanner(r); s.Scan(); {
			lines <- s.Text()
		}
	}()
	return lines
}

// receive returns the next value, which comes soon or never.
func receive[T any](t *testing.T, c <-chan T) T {
	t.Helper()
	select {
	case v := <-c:
		return v
	case <-time.After(30 * time.Second):
		t.Fatal("nothing came within 30 s")
		panic("unreachable")
	}
}

// put makes a skill, or another version of it, appear in one step.
func (w *watching) put(place string, fields ...string) {
	w.t.Helper()
	w.putText(place, testkit.SkillText("Body.", fields...))
}

func (w *watching) putText(place, text string) {
	w.t.Helper()
	testkit.Write(w.t, w.root, map[string]string{"draft/SKILL.md": text})
	to := filepath.Join(w.root, filepath.FromSlash(place))
	if _, err := os.Stat(to); err == nil {
		require.NoError(w.t, os.Rename(filepath.Join(w.root, "draft", "SKILL.md"), filepath.Join(to, "SKILL.md")))
		return
	}
	require.NoError(w.t, os.Rename(filepath.Join(w.root, "draft"), to))
}

// drop makes a skill go in one step.
func (w *watching) drop(place string) {
	w.t.Helper()
	require.NoError(w.t, os.Rename(filepath.Join(w.root, filepath.FromSlash(place)), filepath.Join(w.t.TempDir(), "gone")))
}

// end interrupts the watch, which is how it ends.
func (w *watching) end() {
	w.t.Helper()
	w.interrupt()
	assert.Equal(w.t, exitOK, receive(w.t, w.code))
	for line := range w.lines {
		assert.Fail(w.t, "a line too many", line)
	}
	for line := range w.errs {
		assert.Fail(w.t, "a line too many on standard error", line)
	}
}

func watchTree(t *testing.T) string {
	return testkit.Tree(t, map[string]string{
		"home/":                              "",
		"proj/.claude/skills/a/SKILL.md":     testkit.SkillText("Body.", "description: old"),
		"proj/web/.claude/skills/n/SKILL.md": testkit.SkillText("Body.", "description: nested"),
	})
}

// change decodes a line, which holds one object, and drops its generation.
func change(t *testing.T, line string) map[string]any {
	t.Helper()
	var v map[string]any
	require.NoError(t, json.Unmarshal([]byte(line), &v), line)
	assert.IsType(t, 0.0, v["generation"])
	delete(v, "generation")
	return v
}

func TestWatchJSON(t *testing.T) {
	defer goleak.VerifyNone(t)
	none := []any{}
	for _, tt := range []struct {
		reason, first string
		args          []string
	}{
		{"by events", `{"watching":1}`, nil},
		{"03 W4: by polling", `{"watching":1}`, []string{"--polling"}},
		{"03 W2: with a nested folder", `{"watching":2}`, []string{"--touch", "web/x"}},
	} {
		t.Run(tt.reason, func(t *testing.T) {
			require.NotEmpty(t, tt.reason)
			w := startWatch(t, watchTree(t), append(tt.args, "--json")...)
			require.Equal(t, tt.first, receive(t, w.lines))
			w.put("proj/.claude/skills/b", "description: b")
			assert.Equal(t, map[string]any{"added": []any{"b"}, "changed": none, "removed": none, "issues": none}, change(t, receive(t, w.lines)))
			w.put("proj/.claude/skills/a", "description: new")
			assert.Equal(t, map[string]any{"added": none, "changed": []any{"a"}, "removed": none, "issues": none}, change(t, receive(t, w.lines)))
			w.drop("proj/.claude/skills/b")
			assert.Equal(t, map[string]any{"added": none, "changed": none, "removed": []any{"b"}, "issues": none}, change(t, receive(t, w.lines)))
			if strings.Contains(tt.first, "2") {
				w.put("proj/web/.claude/skills/n", "description: new")
				assert.Equal(t, []any{"web:n"}, change(t, receive(t, w.lines))["changed"])
			}
			w.put("proj/.claude/skills/c", "description: c", "effort: 9000")
			v := change(t, receive(t, w.lines))
			assert.Equal(t, []any{"c"}, v["added"])
			require.Len(t, v["issues"], 1)
			assert.Len(t, v["issues"].([]any)[0], 8, "an issue has the fields it has in list")
			w.end()
		})
	}
}

func TestWatchText(t *testing.T) {
	defer goleak.VerifyNone(t)
	w := startWatch(t, watchTree(t))
	require.Equal(t, "watching 1 skill", receive(t, w.errs))
	w.put("proj/.claude/skills/b", "description: b", "effort: 9000")
	assert.Equal(t, "+ b", receive(t, w.lines))
	path := filepath.Join(w.root, "proj", ".claude", "skills", "b", "SKILL.md")
	assert.Regexp(t, `^! warning \[bad-field\] `+regexp.QuoteMeta(path)+`:3: effort: `, receive(t, w.lines))
	w.put("proj/.claude/skills/a", "description: new")
	assert.Equal(t, "~ a", receive(t, w.lines))
	w.putText("proj/.claude/skills/a", "---\nno end\n")
	assert.Regexp(t, `^! error \[unclosed-frontmatter\] `, receive(t, w.lines), "03 W5: a broken edit changes no name")
	assert.Regexp(t, `^! info \[kept-last-good\] `, receive(t, w.lines))
	w.drop("proj/.claude/skills/a")
	assert.Equal(t, "- a", receive(t, w.lines))
	w.end()
}

// A watch that nobody reads any more ends, though nobody interrupts it.
func TestWatchUnread(t *testing.T) {
	defer goleak.VerifyNone(t)
	for _, args := range [][]string{nil, {"--json"}} {
		w := startWatch(t, watchTree(t), args...)
		first := w.errs
		if len(args) > 0 {
			first = w.lines
		}
		require.Contains(t, receive(t, first), "watching")
		require.NoError(t, w.out.Close())
		w.put("proj/.claude/skills/b", "description: b")
		assert.Equal(t, exitFailed, receive(t, w.code))
	}
}

func TestWatchFails(t *testing.T) {
	out, _, code := ctl(t, "watch", "--json", "--project", filepath.Join(t.TempDir(), "gone"))
	assert.Equal(t, exitFailed, code)
	assert.Equal(t, 1, strings.Count(out, "\n"), "an error is one line, too")
	var v map[string]map[string]string
	require.NoError(t, json.Unmarshal([]byte(out), &v))
	assert.Equal(t, "io", v["error"]["code"])

	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	assert.Equal(t, exitOK, run(ctx, []string{"watch", "--project", t.TempDir(), "--home", t.TempDir()}, io.Discard, io.Discard), "interrupted before it began")
}
