package skillstest_test

import (
	"context"
	"errors"
	"path/filepath"
	"sync/atomic"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/seed-12b313d8/skills"
	"github.com/seed-12b313d8/skills/internal/testkit"
	"github.com/seed-12b313d8/skills/skillstest"
)

func TestOurSources(t *testing.T) {
	root := testkit.Tree(t, map[string]string{
		"skills/a/SKILL.md":  testkit.SkillText("A.", "description: d"),
		"commands/b/c.md":    "B.",
		"skills/cr/SKILL.md": "---\r\ndescription: d\r\n---\r\nBody\r\n",
	})
	info := skills.SourceInfo{ID: "x", Origin: skills.OriginUser}
	require.NoError(t, skillstest.TestSource(skills.DirSource(info, filepath.Join(root, "skills"), nil), "a", "cr"))
	require.NoError(t, skillstest.TestSource(skills.DirSource(info, filepath.Join(root, "commands"), &skills.ScanOptions{Commands: true}), "b:c"))
	require.NoError(t, skillstest.TestSource(skills.DirSource(info, filepath.Join(root, "gone"), nil)))
	plugin, err := skills.PluginSource(skills.Plugin{Name: "p", Root: root})
	require.NoError(t, err)
	require.NoError(t, skillstest.TestSource(plugin, "p:a", "p:b:c"))
	require.NoError(t, skillstest.TestSource(skills.StaticSource(info, &skills.Skill{
		Name: "s", Content: skills.Content{Read: func(context.Context) ([]byte, error) { return nil, nil }},
	}), "s"))
	fsys := fstest.MapFS{"a/SKILL.md": {Data: []byte(testkit.SkillText("A.", "description: d"))}}
	require.NoError(t, skillstest.TestSource(skills.FSSource(info, fsys, nil), "a"))
}

// Each broken rule is seen.
func TestBrokenSources(t *testing.T) {
	info := skills.SourceInfo{ID: "x", Origin: skills.OriginUser}
	read := skills.Content{Read: func(context.Context) ([]byte, error) { return nil, nil }}
	var loads atomic.Int64
	for want, src := range map[string]skills.Source{
		"has no ID":                 skills.StaticSource(skills.SourceInfo{}),
		`no skill called "wanted"`:  skills.StaticSource(info, &skills.Skill{Name: "other", Content: read}),
		"is nil":                    skills.StaticSource(info, nil),
		"has no name":               skills.StaticSource(info, &skills.Skill{Content: read}),
		`two skills are called "d"`: skills.StaticSource(info, &skills.Skill{Name: "d", Content: read}, &skills.Skill{Name: "d", Content: read}),
		"cannot be read":            skills.StaticSource(info, &skills.Skill{Name: "s"}),
		"the first load failed":     skills.SourceFunc(info, func(context.Context) (skills.Loaded, error) { return skills.Loaded{}, errors.New("no") }),
		"another pointer": skills.SourceFunc(info, func(context.Context) (skills.Loaded, error) {
			return skills.Loaded{Skills: []*skills.Skill{{Name: "s", Content: read}}}, nil
		}),
		"besides its error": skills.SourceFunc(info, func(ctx context.Context) (skills.Loaded, error) {
			return skills.Loaded{Skills: []*skills.Skill{{Name: "s", Content: read}}}, ctx.Err()
		}),
		"lacks code": skills.SourceFunc(info, func(context.Context) (skills.Loaded, error) {
			return skills.Loaded{Issues: []skills.Issue{{}}}, nil
		}),
		"2 skills, the first 1": skills.SourceFunc(info, func(context.Context) (skills.Loaded, error) {
			s := []*skills.Skill{{Name: "a", Content: read}, {Name: "b", Content: read}}
			return skills.Loaded{Skills: s[:min(loads.Add(1), 2)]}, nil
		}),
		"bad-name": nil,
	} {
		if src == nil {
			src, want = skills.StaticSource(info, &skills.Skill{Name: "a/b", Content: read}), "the name cannot be used"
		}
		err := skillstest.TestSource(src, "wanted")
		assert.ErrorContains(t, err, want)
	}
}
