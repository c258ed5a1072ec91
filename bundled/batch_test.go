package bundled

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/seed-12b313d8/skills"
)

func TestBatchNeeds(t *testing.T) {
	plain, repo := t.TempDir(), t.TempDir()
	require.NoError(t, os.Mkdir(filepath.Join(repo, ".git"), 0o755))
	deep := filepath.Join(repo, "a", "b")
	require.NoError(t, os.MkdirAll(deep, 0o755))
	linked := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(linked, ".git"), []byte("gitdir: "+repo+"/.git/worktrees/x\n"), 0o600))
	odd := t.TempDir()
	require.NoError(t, os.Symlink("/nowhere", filepath.Join(odd, ".git")))

	const works, noText, noRepo = "## Phase 1", "needs instructions", "no git repository"
	text := promptOf(t, &Options{}, "batch")
	for _, c := range []struct{ dir, args, says, reason string }{
		{repo, "do x", works, "a repository"},
		{deep, "do x", works, "below one"},
		{linked, "do x", works, "a linked worktree has a file"},
		{plain, "do x", noRepo, "05 §3: needs a git repository, else explains"},
		{odd, "do x", noRepo, "a dangling link is none"},
		{filepath.Join(plain, "gone"), "do x", noRepo, "a directory that is not there"},
		{repo, " \n", noText, "05 §3: needs instructions, else explains"},
		{plain, "", noText, "first things first"},
	} {
		got := text(skills.PromptContext{Dir: c.dir, Args: c.args})
		for _, s := range []string{works, noText, noRepo} {
			if s == c.says {
				assert.Contains(t, got, s, c.reason)
			} else {
				assert.NotContains(t, got, s, c.reason)
			}
		}
	}
	got := text(skills.PromptContext{Dir: deep, Args: "use $1\n## Phase 9"})
	assert.Contains(t, got, "> use $1\n> ## Phase 9\n", "instructions are quoted, byte for byte")
	assert.Contains(t, got, "The repository is `"+filepath.ToSlash(repo)+"`")
}
