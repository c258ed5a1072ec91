package manifest_test

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/seed-12b313d8/skills/internal/manifest"
	"github.com/seed-12b313d8/skills/internal/testkit"
)

func TestRead(t *testing.T) {
	root := testkit.Tree(t, map[string]string{
		"p/" + manifest.Path: `{"skills":["./more","./gone","./file.md","./out"],"commands":["./cmd","./one.md","./x.txt"]}`,
		"p/more/SKILL.md":    "x", "p/file.md": "x", "p/cmd/a.md": "x", "p/one.md": "x", "p/x.txt": "x", "else/SKILL.md": "x",
	})
	require.NoError(t, os.Symlink("../else", filepath.Join(root, "p/out")))
	c := manifest.Read(filepath.Join(root, "p"), os.ReadFile)
	assert.Empty(t, c.Problems)
	assert.True(t, c.ReplacesCommands, "whatever becomes of the paths")
	tests := []struct {
		reason string
		part   manifest.Part
		rel    string
		isDir  bool
		msg    string
	}{
		{"06 §1: a folder of skills", c.Skills[0], "more", true, ""},
		{"nothing there", c.Skills[1], "gone", false, "leads nowhere"},
		{"a file is no folder", c.Skills[2], "file.md", false, "is a file"},
		{"06 §1: a link that leads out", c.Skills[3], "out", false, "leads nowhere"},
		{"a folder of commands", c.Commands[0], "cmd", true, ""},
		{"a command", c.Commands[1], "one.md", false, ""},
		{"no command", c.Commands[2], "x.txt", false, "no .md file"},
	}
	for _, tt := range tests {
		assert.Equal(t, tt.rel, tt.part.Rel, tt.reason)
		assert.Equal(t, tt.isDir, tt.part.IsDir, tt.reason)
		if tt.msg == "" {
			assert.Nil(t, tt.part.Problem, tt.reason)
			continue
		}
		require.NotNil(t, tt.part.Problem, tt.reason)
		assert.Contains(t, tt.part.Problem.Msg, tt.msg, tt.reason)
		assert.NotEmpty(t, tt.part.Problem.Hint, tt.reason)
		assert.NotEmpty(t, tt.part.Problem.Field, "B2: "+tt.reason)
		assert.Equal(t, 1, tt.part.Problem.Line, "B2: "+tt.reason)
	}
}

func TestReadManifest(t *testing.T) {
	root := testkit.Tree(t, map[string]string{
		"none/x": "", "bad/" + manifest.Path: "[]", "leads/.claude-plugin/x": "", "away/" + manifest.Path: `{"skills":"./a"}`,
	})
	require.NoError(t, os.Symlink(filepath.Join(root, "away", manifest.Path), filepath.Join(root, "leads", manifest.Path)))
	unread := func(string) ([]byte, error) { return nil, errors.New("disk on fire") }
	assert.Equal(t, manifest.Contents{}, manifest.Read(filepath.Join(root, "none"), unread), "a plugin need not have one")
	assert.Equal(t, manifest.Contents{}, manifest.Read(filepath.Join(root, "gone"), unread))
	for _, tt := range []struct {
		plugin, msg string
		read        func(string) ([]byte, error)
	}{
		{"bad", "no JSON object", os.ReadFile},
		{"leads", "cannot be read", os.ReadFile},
		{"away", "disk on fire", unread},
	} {
		c := manifest.Read(filepath.Join(root, tt.plugin), tt.read)
		require.Len(t, c.Problems, 1, tt.plugin)
		assert.Contains(t, c.Problems[0].Msg, tt.msg)
		assert.Empty(t, c.Skills)
	}
}
