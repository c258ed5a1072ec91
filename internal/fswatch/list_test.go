package fswatch_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/seed-12b313d8/skills/internal/fswatch"
	"github.com/seed-12b313d8/skills/internal/scan"
	"github.com/seed-12b313d8/skills/internal/testkit"
)

func TestList(t *testing.T) {
	tests := []struct {
		name, reason string
		files        map[string]string
		list         func(root string) fswatch.Target
		want         string
	}{
		{
			name: "skills", reason: "01 §5: folders of one level; their contents do not matter",
			files: map[string]string{"a/SKILL.md": "", "a/sub/SKILL.md": "", "b/x.txt": "", "b/c/SKILL.md": "", "f.md": ""},
			list:  func(root string) fswatch.Target { return fswatch.Skills("", root, fswatch.Walk{Depth: 1}) },
			want:  "., a leaf [SKILL.md], b leaf, b/.claude-plugin/plugin.json leaf",
		},
		{
			name: "deeper skills", reason: "01 §5: never into a folder that is a skill",
			files: map[string]string{"a/SKILL.md": "", "a/sub/SKILL.md": "", "b/x.txt": "", "b/c/skill.md": "", "b/d/e/SKILL.md": ""},
			list:  func(root string) fswatch.Target { return fswatch.Skills("", root, fswatch.Walk{Depth: 2}) },
			want:  "., a leaf [SKILL.md], b, b/.claude-plugin/plugin.json leaf, b/c leaf [skill.md], b/d leaf",
		},
		{
			name: "commands", reason: "01 §5: all folders but dot folders and packages",
			files: map[string]string{"a.md": "", "b/c.MD": "", "b/d/e.md": "", ".x/y.md": "", "node_modules/z.md": "", "b/n.txt": ""},
			list:  func(root string) fswatch.Target { return fswatch.Commands("", root, fswatch.Walk{Depth: 2}) },
			want:  ". [a.md], b leaf [c.MD]",
		},
		{
			name: "root only", reason: "06 §1: a plugin may be one SKILL.md",
			files: map[string]string{"SKILL.md": "", "a/SKILL.md": "", "x": ""},
			list:  func(root string) fswatch.Target { return fswatch.Target{Root: root, Match: fswatch.IsSkill} },
			want:  ". leaf [SKILL.md]",
		},
		{
			name: "links", reason: "03 W2: the way to what links lead to",
			files: map[string]string{"pool/SKILL.md": "", "a": "-> pool", "b/SKILL.md": "-> ../pool/SKILL.md", "c": "-> nowhere", "d/SKILL.md": "-> nowhere"},
			list:  func(root string) fswatch.Target { return fswatch.Skills("", root, fswatch.Walk{Depth: 1}) },
			want:  "., a leaf [SKILL.md], b leaf [SKILL.md], b/SKILL.md leaf, c leaf, c/.claude-plugin/plugin.json leaf, d leaf, d/.claude-plugin/plugin.json leaf, d/SKILL.md leaf, pool leaf [SKILL.md]",
		},
		{
			name: "circles", reason: "links can neither lead in circles nor multiply work",
			files: map[string]string{"a/x.md": "", "a/up": "-> ..", "a/me": "-> .", "a/b/back": "-> ../../a"},
			list:  func(root string) fswatch.Target { return fswatch.Commands("", root, fswatch.Walk{Depth: 8}) },
			want:  "., a [x.md], a/b, a/b/back leaf, a/me leaf, a/up leaf",
		},
		{
			name: "confined", reason: "01 R8: what leaves the confinement is not followed",
			files: map[string]string{"a": "-> ../../out", "b/SKILL.md": "-> ../../../out/SKILL.md", "c/SKILL.md": "", "../../out/SKILL.md": ""},
			list: func(root string) fswatch.Target {
				return fswatch.Skills("", root, fswatch.Walk{Depth: 1, Confine: filepath.Dir(root)})
			},
			want: "., a leaf shut, b leaf, b/.claude-plugin/plugin.json leaf, b/SKILL.md leaf shut, c leaf [SKILL.md]",
		},
		{
			name: "plugin", reason: "06 §1: a manifest makes a plugin of a folder",
			files: map[string]string{"p/.claude-plugin/plugin.json": "{}", "p/skills/a/SKILL.md": "", "g/p/.claude-plugin/plugin.json": ""},
			list:  func(root string) fswatch.Target { return fswatch.Skills("", root, fswatch.Walk{Depth: 1}) },
			want:  "., g leaf, g/.claude-plugin/plugin.json leaf, p leaf, p/.claude-plugin leaf [plugin.json], p/.claude-plugin/plugin.json leaf",
		},
		{
			name: "missing", reason: "03 W2: there is nothing yet",
			list: func(root string) fswatch.Target { return fswatch.Skills("", root+"/no", fswatch.Walk{Depth: 1}) },
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			require.NotEmpty(t, tt.reason)
			root := filepath.Join(testkit.Tree(t, map[string]string{"in/root/": ""}), "in", "root")
			testkit.Write(t, root, tt.files)
			assert.Equal(t, tt.want, describe(root, tt.list(root)), tt.reason)
		})
	}
}

func describe(root string, target fswatch.Target) string {
	var out []string
	for _, d := range fswatch.ListTarget(target) {
		rel, _ := filepath.Rel(root, d.Path)
		text := filepath.ToSlash(rel)
		if d.Leaf {
			text += " leaf"
		}
		if d.Shut {
			text += " shut"
		}
		var names []string
		for _, f := range d.Files {
			names = append(names, f.Name)
		}
		if names != nil {
			text += fmt.Sprint(" ", names)
		}
		out = append(out, text)
	}
	slices.Sort(out)
	return strings.Join(out, ", ")
}

// What a scan reads is watched, whatever the tree looks like. Without links, it
// is nothing else.
func TestListAgreesWithScan(t *testing.T) {
	trees := 300
	if testing.Short() {
		trees = 40
	}
	for seed := range trees {
		rng := rand.New(rand.NewPCG(3, uint64(seed)))
		links := seed%3 > 0
		root := randomTree(t, rng, links)
		w := fswatch.Walk{Depth: 1 + rng.IntN(4)}
		if rng.IntN(2) == 0 {
			w.Confine = filepath.Join(root, "in")
		}
		dir := filepath.Join(root, "in", "root")
		skills, commands := fswatch.ListTarget(fswatch.Skills("", dir, w)), fswatch.ListTarget(fswatch.Commands("", dir, w))
		readSkills, readCommands := scanned(t, dir, false, w), scanned(t, dir, true, w)
		require.Subset(t, realPaths(t, skills), readSkills, "skills, seed %d, %+v", seed, w)
		require.Subset(t, realPaths(t, commands), readCommands, "commands, seed %d, %+v", seed, w)
		if !links {
			require.ElementsMatch(t, readSkills, realPaths(t, skillsIn(dir, skills)), "skills, seed %d, %+v", seed, w)
			require.ElementsMatch(t, readCommands, realPaths(t, commands), "commands, seed %d, %+v", seed, w)
		}
	}
}

func randomTree(t *testing.T, rng *rand.Rand, links bool) string {
	root := testkit.Tree(t, map[string]string{"in/root/": "", "out/": ""})
	dirs := []string{"in", "in/root", "in/root", "out"}
	pick := func(list []string) string { return list[rng.IntN(len(list))] }
	for range 5 + rng.IntN(30) {
		path := pick(dirs) + "/" + pick([]string{"a", "b", "c", ".d"})
		kind := rng.IntN(4)
		if kind == 3 && !links {
			kind = 2
		}
		switch kind {
		case 0, 1:
			if os.Mkdir(filepath.Join(root, path), 0o755) == nil {
				dirs = append(dirs, path)
			}
		case 2:
			path = pick(dirs) + "/" + pick([]string{"SKILL.md", "skill.md", "x.md", "y.txt"})
			_ = os.WriteFile(filepath.Join(root, path), []byte("text that is no link"), 0o644)
		case 3:
			if rng.IntN(2) == 0 {
				path = pick(dirs) + "/" + pick([]string{"SKILL.md", "x.md"})
			}
			to := pick(dirs)
			if rng.IntN(2) == 0 {
				to += "/" + pick([]string{"SKILL.md", "x.md", "a"})
			}
			_ = os.Symlink(filepath.Join(root, to), filepath.Join(root, path))
		}
	}
	return root
}

// scanned returns the real paths of what a scan reads.
func scanned(t *testing.T, dir string, commands bool, w fswatch.Walk) []string {
	var mu sync.Mutex
	var out []string
	o := scan.Options{Commands: commands, MaxDepth: w.Depth, MaxFiles: 1000, MaxSize: 1000, Confine: w.Confine}
	_, err := scan.Scan(context.Background(), scan.Disk{}, dir, o, func() func(*scan.File) {
		return func(f *scan.File) {
			mu.Lock()
			defer mu.Unlock()
			out = append(out, f.Real)
		}
	})
	require.NoError(t, err)
	slices.Sort(out)
	return slices.Compact(out)
}

// skillsIn leaves out what a scan of skills passes over or only complains of:
// files in the root, and any beside a SKILL.md, though that cannot be read.
func skillsIn(root string, dirs []fswatch.Dir) []fswatch.Dir {
	dirs = slices.DeleteFunc(dirs, func(d fswatch.Dir) bool { return d.Path == root })
	for i, d := range dirs {
		if _, err := os.Lstat(filepath.Join(d.Path, "SKILL.md")); err == nil {
			dirs[i].Files = slices.DeleteFunc(d.Files, func(f fswatch.File) bool { return f.Name != "SKILL.md" })
		} else if len(d.Files) > 1 {
			dirs[i].Files = d.Files[:1]
		}
	}
	return dirs
}

func realPaths(t *testing.T, dirs []fswatch.Dir) []string {
	var out []string
	for _, d := range dirs {
		for _, f := range d.Files {
			if f.Name == "plugin.json" {
				continue
			}
			real, err := filepath.EvalSymlinks(filepath.Join(d.Path, f.Name))
			require.NoError(t, err)
			out = append(out, real)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}
