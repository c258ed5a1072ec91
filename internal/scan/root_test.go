package scan_test

import (
	"context"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/seed-12b313d8/skills/internal/scan"
	"github.com/seed-12b313d8/skills/internal/testkit"
)

// What becomes of a root that is no plain directory is the same for skills and
// for commands.
func TestRoot(t *testing.T) {
	for _, tt := range []struct {
		reason   string
		tree     map[string]string
		root     string
		problems string
		fails    bool
	}{
		{reason: "R8: a root that is missing is normal", tree: map[string]string{"x": ""}, root: "root"},
		{reason: "R8: so is one in a missing folder", tree: map[string]string{"x": ""}, root: "no/such/root"},
		{reason: "R8: and one below a file", tree: map[string]string{"x": "text"}, root: "x/root"},
		{reason: "R8: a root that is a dangling link is not", tree: map[string]string{"root": "-> gone"}, root: "root", problems: "dangling-link ."},
		{reason: "R8: a root that is a link to itself cannot be read", tree: map[string]string{"root": "-> root"}, root: "root", fails: true},
		{reason: "R10: a root that is a link's text", tree: map[string]string{"root": "other/skills\n", "other/skills/x/SKILL.md": md}, root: "root", problems: "unmaterialised-symlink ."},
		{reason: "R10: a root that is some other file", tree: map[string]string{"root": "text"}, root: "root", problems: "not-a-directory ."},
		{reason: "R10: text that leads nowhere", tree: map[string]string{"root": "../gone/skills"}, root: "root", problems: "not-a-directory ."},
		{reason: "R10: a link to a file", tree: map[string]string{"f": "text", "root": "-> f"}, root: "root", problems: "not-a-directory ."},
	} {
		t.Run(tt.reason, func(t *testing.T) {
			requireReason(t, tt.reason)
			root := filepath.Join(testkit.Tree(t, tt.tree), tt.root)
			for _, o := range []scan.Options{skillOptions(), commandOptions()} {
				got := run(t, scan.Disk{}, root, o)
				assert.Equal(t, tt.fails, got.Err != nil, "%v", got.Err)
				assert.Empty(t, got.Files)
				assert.Equal(t, tt.problems, got.problems(root))
			}
		})
	}
}

func TestConfinesMustExist(t *testing.T) {
	root := testkit.Tree(t, map[string]string{"root/x/SKILL.md": md})
	o := skillOptions()
	o.Confine = filepath.Join(root, "gone")
	got := run(t, scan.Disk{}, filepath.Join(root, "root"), o)
	require.Error(t, got.Err, "R8: without confines nothing can be confined")
	assert.Empty(t, got.Files)
}

// A scan that is cancelled, before or while it runs, ends with the context's
// error.
func TestCancel(t *testing.T) {
	root := testkit.Tree(t, map[string]string{"a/SKILL.md": md, "b/SKILL.md": md, "g/h/SKILL.md": md, "x.md": md, "d/y.md": md})
	for _, o := range []scan.Options{skillOptions(), commandOptions()} {
		ctx, cancel := context.WithCancel(context.Background())
		cancel()
		got := runContext(ctx, t, scan.Disk{}, root, o, nil)
		require.ErrorIs(t, got.Err, context.Canceled)
		assert.Empty(t, got.Files)

		ctx, cancel = context.WithCancel(context.Background())
		got = runContext(ctx, t, scan.Disk{}, root, o, cancel)
		require.ErrorIs(t, got.Err, context.Canceled, "the first file cancels")
	}
}
