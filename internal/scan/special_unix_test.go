//go:build unix

package scan_test

import (
	"path/filepath"
	"syscall"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/seed-12b313d8/skills/internal/scan"
	"github.com/seed-12b313d8/skills/internal/testkit"
)

// A FIFO, a socket or a device is never waited for and never read.
func TestSpecialFiles(t *testing.T) {
	root := testkit.Tree(t, map[string]string{
		"s/a/": "", "s/b/": "", "s/good/SKILL.md": md, "c/good.md": md,
	})
	for _, name := range []string{"s/a/SKILL.md", "s/b/skill.md", "s/pipe", "c/x.md", "c/pipe"} {
		require.NoError(t, syscall.Mkfifo(filepath.Join(root, name), 0o644))
	}
	got := run(t, scan.Disk{}, filepath.Join(root, "s"), skillOptions())
	require.NoError(t, got.Err)
	assert.Equal(t, "good", got.names())
	assert.Equal(t, "not-a-regular-file a/SKILL.md,filename-case b/skill.md,not-a-regular-file b/skill.md", got.problems(filepath.Join(root, "s")))

	got = run(t, scan.Disk{}, filepath.Join(root, "c"), commandOptions())
	require.NoError(t, got.Err)
	assert.Equal(t, "good", got.names())
	assert.Equal(t, "not-a-regular-file x.md", got.problems(filepath.Join(root, "c")))
}
