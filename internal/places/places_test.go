package places_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/seed-12b313d8/skills/internal/places"
)

func TestResolve(t *testing.T) {
	top := t.TempDir()
	require.NoError(t, os.MkdirAll(filepath.Join(top, "p/.git"), 0o755))
	require.NoError(t, os.MkdirAll(filepath.Join(top, "p/a/b"), 0o755))
	require.NoError(t, os.Symlink("p", filepath.Join(top, "link")))
	at := func(rel string) string { return filepath.Join(top, rel) }
	tests := []struct {
		reason       string
		in           places.Roots
		project, dir string
		path, field  string
	}{
		{reason: "nothing is nothing"},
		{reason: "01 §5: the folder with .git", in: places.Roots{Dir: at("p/a/b")}, project: at("p"), dir: at("p/a/b")},
		{reason: "01 §5: the root alone", in: places.Roots{Project: at("p")}, project: at("p"), dir: at("p")},
		{reason: "through a link, spelled like the root", in: places.Roots{Project: at("link"), Dir: at("p/a")}, project: at("link"), dir: at("link/a")},
		{reason: "the root through a link", in: places.Roots{Project: at("link"), Dir: at("p")}, project: at("link"), dir: at("link")},
		{reason: "outside", in: places.Roots{Project: at("p/a"), Dir: at("p")}, path: at("p")},
		{reason: "a brand that leads out", in: places.Roots{Project: at("p"), Brands: []string{"../x"}}, field: "Brands"},
	}
	for _, tt := range tests {
		got, problem := tt.in.Resolve()
		if tt.path != "" || tt.field != "" {
			require.NotNil(t, problem, tt.reason)
			assert.Equal(t, tt.path, problem.Path, tt.reason)
			assert.Equal(t, tt.field, problem.Field, tt.reason)
			continue
		}
		require.Nil(t, problem, tt.reason)
		assert.Equal(t, tt.project, got.Project, tt.reason)
		assert.Equal(t, tt.dir, got.Dir, tt.reason)
		assert.Equal(t, []string{".claude"}, got.Brands, tt.reason)
	}
	given := places.Roots{Additional: []string{"rel"}}
	got, problem := given.Resolve()
	require.Nil(t, problem)
	assert.True(t, filepath.IsAbs(got.Additional[0]))
	assert.Equal(t, "rel", given.Additional[0], "the host's slice is its own")
}

func TestList(t *testing.T) {
	all := func(places.Place) bool { return true }
	full := places.Roots{Managed: "/m", Home: "/h", Project: "/p", Dir: "/p/a", Additional: []string{"/x", "/x"}, Brands: []string{".c", ".d"}}
	tests := []struct {
		reason string
		roots  places.Roots
		keep   func(places.Place) bool
		want   []string
	}{
		{"nothing is nowhere", places.Roots{Brands: []string{".c"}}, all, nil},
		{"01 §5: by origin, nearest first, brands in order, each once", full, all, []string{
			"managed:.c/skills", "managed:.d/skills",
			"user:.c/skills", "user:.d/skills", "legacy:user:.c/commands", "legacy:user:.d/commands",
			"project:a/.c/skills", "project:a/.d/skills", "legacy:a/.c/commands", "legacy:a/.d/commands",
			"project:.c/skills", "project:.d/skills", "legacy:.c/commands", "legacy:.d/commands",
			"additional:/x/.c/skills", "additional:/x/.d/skills",
		}},
		{"the user's own folder has no brands", places.Roots{Home: "/h", UserDir: "/u", Brands: []string{".c"}}, all, []string{"user:skills", "legacy:user:commands"}},
		{"a home that is the project: two places with IDs of their own; a merge counts each file once", places.Roots{Home: "/p", Project: "/p", Dir: "/p", Brands: []string{".c"}}, all, []string{"user:.c/skills", "legacy:user:.c/commands", "project:.c/skills", "legacy:.c/commands"}},
		{
			"what is not kept hides nothing",
			places.Roots{Home: "/p", Project: "/p", Dir: "/p", Brands: []string{".c"}},
			func(p places.Place) bool { return p.Of != places.User },
			[]string{"project:.c/skills", "legacy:.c/commands"},
		},
	}
	for _, tt := range tests {
		var got []string
		for _, p := range tt.roots.List(tt.keep) {
			got = append(got, p.ID)
			assert.True(t, filepath.IsAbs(p.Dir), tt.reason)
			assert.Equal(t, p.Kind == places.Legacy, filepath.Base(p.Dir) == "commands", tt.reason)
		}
		assert.Equal(t, tt.want, got, tt.reason)
	}
}
