package corpus

import (
	"context"
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/seed-12b313d8/skills/internal/testkit"
)

func TestLoad(t *testing.T) {
	use := "## When to use\n- Somebody wants it done\n"
	dir := testkit.Tree(t, map[string]string{
		"1.md":              testkit.SkillText(use, "name: Code Review!", "description: One"),
		"2.md":              testkit.SkillText(use, "name: code-review", "description: Two"),
		"3.md":              testkit.SkillText(use, "name: code-review", "description: Two"),
		"4.md":              testkit.SkillText(use+"- Somebody asks for the fourth thing\n", "description: For whoever asks for the fourth thing; somebody wants it done"),
		"5.md":              testkit.SkillText(use, "name: user", "description: Mine", "disable-model-invocation: true"),
		"6.md":              testkit.SkillText(use, "name: waits", "description: Waits", "paths: x/**"),
		"7.md":              "\ufeff" + testkit.SkillText(use, "name: marked", "description: With a mark"),
		"8.md":              "---\nname: broken\n - [\n",
		"README.md":         "# About\n" + use,
		"deep/SKILL.md":     testkit.SkillText(use, "name: other", "description: In a folder"),
		"deep/more.md":      testkit.SkillText(use, "name: none", "description: Of the skill"),
		"none/README.md":    "x",
		"none/1/a/SKILL.md": testkit.SkillText(use, "description: Far below"),
		"none/below.md":     testkit.SkillText(use, "description: Not directly in it"),
		"folder.md/x.txt":   "x",
	})
	c, err := Load(context.Background(), dir)
	require.NoError(t, err)
	var got []string
	for _, d := range c.Docs {
		got = append(got, fmt.Sprintf("%s %d", d.Skill.Name, len(d.Queries)))
	}
	assert.Equal(t, []string{
		"4 1",             // no name: that of the file; one item is said in the description
		"a 1",             // at any depth
		"code-review 1",   // of its label
		"code-review-2 1", // another skill of that name; its copy does not count
		"deep 1",          // the folder's name
		"marked 1",
	}, got)
	assert.Equal(t, 10, c.Files)
}
