package fswatch

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seed-12b313d8/skills/internal/testkit"
)

// checkTrace compares the way to path with what the system makes of it.
func checkTrace(t *testing.T, tr *tracer, path string) {
	t.Helper()
	passed := make(map[string]bool)
	tr.pass = func(dir, name string, _ node) { passed[filepath.Join(dir, name)] = true }
	end := tr.trace(path, false)
	real, err := filepath.EvalSymlinks(path)
	info, fails := os.Stat(path) // counts links as the system does
	if err != nil || fails != nil {
		require.Equal(t, missing, end.kind, path)
		require.NotEmpty(t, passed, "%s: somebody has to notice when it can be reached", path)
		return
	}
	require.Equal(t, real, end.path, path)
	require.Equal(t, info.IsDir(), end.kind == directory, path)
	require.True(t, passed[real] || filepath.Dir(real) == real, "%s: the last name is passed", path)
	for dir := range passed {
		parent, err := filepath.EvalSymlinks(filepath.Dir(dir))
		require.NoError(t, err)
		require.Equal(t, filepath.Dir(dir), parent, "%s: directories on the way are real", path)
	}
}

// A way ends where the system's own does.
func TestTrace(t *testing.T) {
	tree := map[string]string{
		"d/e/f.txt": "x", "abs/": "", "loop": "-> loop", "ping": "-> pong", "pong": "-> ping",
		"up": "-> d/../d/e", "deep/er": "-> ../d", "out": "-> ../..", "dot": "-> ./d/./e/", "file": "-> d/e/f.txt", "through": "-> d/e/f.txt/x",
		"gone": "-> d/nothing/here", "twice": "-> deep/er/e", "l0": "-> d", "top": "-> /", "over": "-> ../../../../../../../../../../../..",
	}
	for i := 1; i <= 45; i++ {
		tree[fmt.Sprint("l", i)] = fmt.Sprint("-> l", i-1)
	}
	root := testkit.Tree(t, tree)
	require.NoError(t, os.Symlink(filepath.Join(root, "deep"), filepath.Join(root, "abs/link")))
	for _, rel := range []string{
		".", "d", "d/e/f.txt", "d/e/f.txt/x", "loop", "ping", "up", "up/f.txt", "deep/er/e", "out", "dot", "dot/f.txt", "file", "through",
		"gone", "gone/x", "twice/f.txt", "abs/link/er/e/f.txt", "l9", "l39/e", "l45", "nothing/at/all", "top", "over", "over/no",
	} {
		tr := tracer{nodes: make(map[string]node), ends: make(map[string]endpoint)}
		path := filepath.Join(root, filepath.FromSlash(rel))
		checkTrace(t, &tr, path)
		checkTrace(t, &tr, path) // with what it knows from the first time
	}
}

// A link at the end is passed and not followed if the way is shut.
func TestTraceShut(t *testing.T) {
	root := testkit.Tree(t, map[string]string{"d/": "", "one": "-> d", "two": "-> one"})
	for name, want := range map[string]string{"two": "", "d": "d", "one/../d": "d"} {
		var last string
		tr := tracer{nodes: make(map[string]node), ends: make(map[string]endpoint), pass: func(_, name string, _ node) { last = name }}
		end := tr.trace(filepath.Join(root, name), true)
		require.Equal(t, filepath.Base(name), last)
		require.Equal(t, want != "", end.kind == directory, name)
		if want != "" {
			require.Equal(t, filepath.Join(root, want), end.path)
		}
	}
}

// FuzzTrace traces ways through forests of links.
func FuzzTrace(f *testing.F) {
	f.Add([]byte("dabfdcaLabcLbad"), "a/b/c")
	f.Add([]byte("LaaLbbLcc"), "a")
	f.Add([]byte("dadbLacbLbca"), "b/c/../a")
	f.Fuzz(func(t *testing.T, plan []byte, way string) {
		if len(plan) > 120 || len(way) > 60 {
			t.Skip("too large")
		}
		root := testkit.Tree(t, nil)
		name := func(b byte) string { return string('a' + b%5) }
		for ; len(plan) >= 4; plan = plan[4:] {
			path := filepath.Join(root, name(plan[1]), name(plan[2]))
			if plan[1] > 128 {
				path = filepath.Join(root, name(plan[2]))
			}
			switch plan[0] % 4 {
			case 0:
				_ = os.MkdirAll(path, 0o755)
			case 1:
				_ = os.WriteFile(path, nil, 0o644)
			case 2:
				_ = os.Symlink(filepath.Join(root, name(plan[3])), path)
			case 3:
				_ = os.Symlink("../"+name(plan[3])+"/"+name(plan[3]/5), path)
			}
		}
		tr := tracer{nodes: make(map[string]node), ends: make(map[string]endpoint)}
		path := root
		for i := range len(way) {
			path = filepath.Join(path, name(way[i]))
			if i%6 == 5 {
				path = root
			}
			checkTrace(t, &tr, path)
		}
	})
}
