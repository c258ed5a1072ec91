package lint

import (
	"context"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/seed-12b313d8/skills/internal/testkit"
)

// A nested skill's patterns are those of the project's root (03 A6).
func TestPathsFromRoot(t *testing.T) {
	const nested = "apps/web/.claude/skills/n/SKILL.md"
	found := []string{nested + " paths-from-root:4"}
	for _, tt := range []struct {
		reason, file, paths, lint string
		want                      []string
	}{
		{"A6: anchored, as if to its own folder", nested, "src/**", ".", found},
		{"with a slash in front", nested, "/src/**", ".", found},
		{"another folder beside it", nested, "apps/api/**", ".", found},
		{"one of several", nested, "'*.go, src/*.go'", ".", found},
		{"the root is known by its .git", nested, "src/**", "apps/web/.claude/skills/n", []string{"apps/web/.claude/skills/n/SKILL.md paths-from-root:4"}},

		{"it begins with its folder", nested, "apps/web/src/**", ".", nil},
		{"in another letter case, which is folded", nested, "Apps/Web/src/**", ".", nil},
		{"it is its folder", nested, "/apps/web", ".", nil},
		{"not anchored", nested, "'*.go'", ".", nil},
		{"a folder anywhere", nested, "src/", ".", nil},
		{"any depth", nested, "'**/src/*.go'", ".", nil},
		{"a wildcard may stand for it", nested, "apps/*/src/**", ".", nil},
		{"braces may hold it", nested, "'{apps,libs}/web/**'", ".", nil},
		{"what is taken away is no matter", nested, "['*.go', '!src/gen/**']", ".", nil},
		{"the root's own skills", ".claude/skills/n/SKILL.md", "src/**", ".", nil},
		{"a command has no paths", "apps/web/.claude/commands/n.md", "src/**", ".", []string{"apps/web/.claude/commands/n.md field-ignored:4"}},
		{"a directory of skills without a brand folder", "apps/skills/n/SKILL.md", "src/**", "apps/skills", nil},
	} {
		t.Run(tt.reason, func(t *testing.T) {
			reasoned(t, tt.reason)
			root := t.TempDir()
			testkit.Write(t, root, map[string]string{
				".git/": "", tt.file: testkit.SkillText("Body.\n", "description: d", "license: x", "paths: "+tt.paths),
			})
			issues, err := Path(context.Background(), filepath.Join(root, tt.lint), nil)
			require.NoError(t, err)
			assert.Equal(t, tt.want, paths(t, root, issues))
		})
	}
}

// Without .git the project that is checked is the root; of a part of one
// nothing is known.
func TestPathsFromRootWithoutGit(t *testing.T) {
	root := t.TempDir()
	if rootOf(root) != "" {
		t.Skip("the temporary folder lies in a repository")
	}
	testkit.Write(t, root, map[string]string{
		"apps/web/.claude/skills/n/SKILL.md": testkit.SkillText("Body.\n", "description: d", "paths: src/**"),
	})
	for lint, want := range map[string]int{".": 1, "apps": 1, "apps/web": 0, "apps/web/.claude": 0} {
		issues, err := Path(context.Background(), filepath.Join(root, lint), nil)
		require.NoError(t, err)
		assert.Len(t, issues, want, lint)
	}
}
