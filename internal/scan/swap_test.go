package scan_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/seed-12b313d8/skills/internal/scan"
	"github.com/seed-12b313d8/skills/internal/testkit"
)

// A swapTree is the disk, on which somebody swaps a folder for a link between
// the check of a path and its opening.
type swapTree struct {
	scan.Disk
	swap func(real string)
}

func (s swapTree) Real(path string) (string, error) {
	real, err := s.Disk.Real(path)
	s.swap(real)
	return real, err
}

// What a link leads to is opened through the confines, so that nothing swapped
// after the check leads out (01 R8).
func TestSwapAfterCheck(t *testing.T) {
	for reason, victim := range map[string]string{
		"the folder of the linked file": "proj/real",
		"the root itself":               "proj/.claude/skills",
	} {
		t.Run(reason, func(t *testing.T) {
			root := testkit.Tree(t, map[string]string{
				"proj/.claude/skills/x/SKILL.md": "-> ../../../real/SKILL.md",
				"proj/real/SKILL.md":             "inside",
				"outside/SKILL.md":               "TOPSECRET",
				"outside/x/SKILL.md":             "TOPSECRET",
			})
			path := filepath.Join(root, victim)
			swapped := false
			tree := swapTree{swap: func(real string) {
				if !swapped && strings.HasPrefix(real, path) {
					swapped = true
					require.NoError(t, os.Rename(path, path+".old"))
					require.NoError(t, os.Symlink(filepath.Join(root, "outside"), path))
				}
			}}
			var seen []string
			_, _ = scan.Scan(context.Background(), tree, filepath.Join(root, "proj/.claude/skills"),
				scan.Options{MaxDepth: 1, MaxFiles: 10, MaxSize: 1 << 20, Confine: filepath.Join(root, "proj")},
				func() func(*scan.File) { return func(f *scan.File) { seen = append(seen, string(f.Head.Data)) } })
			assert.True(t, swapped)
			assert.NotContains(t, seen, "TOPSECRET")
		})
	}
}
