package skills_test

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/seed-12b313d8/skills"
	"github.com/seed-12b313d8/skills/internal/testkit"
)

// A state from elsewhere makes nothing callable that a search could not have
// found, and keeps within the bounds (06 §3).
func TestHostileRemoteState(t *testing.T) {
	c := &catalog{docs: map[string]string{"ok": "x", "../a": "escaped", "A": "escaped"}}
	reg := open(t, &skills.Options{Catalog: c})
	var list []map[string]string
	for _, slug := range []string{"ok", "../a", "A", "", "a/b", strings.Repeat("a", 65), "ok"} {
		list = append(list, map[string]string{"slug": slug, "description": strings.Repeat("y", 1<<16)})
	}
	for i := range 2_000 {
		list = append([]map[string]string{{"slug": "n" + strings.Repeat("1", i%50)}}, list...)
	}
	state, err := json.Marshal(map[string]any{"version": 1, "remote": list})
	require.NoError(t, err)
	sess, err := reg.RestoreSession(state, nil)
	require.NoError(t, err)
	for name, code := range map[string]skills.Code{
		"_canonical_../a": skills.CodeNotDiscovered, "_canonical_A": skills.CodeNotDiscovered, "_canonical_": skills.CodeNotDiscovered, "../a": skills.CodeNotFound,
	} {
		_, err := skills.NewInvoker(sess, nil).Invoke(context.Background(), skills.Call{Name: name, Caller: skills.CallerHost})
		require.ErrorIs(t, err, code, name)
	}
	run(t, sess, skills.Call{Name: "_canonical_ok"}, nil)
	again, err := sess.Export()
	require.NoError(t, err)
	assert.Less(t, len(again), 600*100, "bounded, and descriptions are cut")
	assert.Empty(t, visible(sess, skills.CallerModel), "02 §1: remote skills are in no listing")
	assert.Empty(t, sess.Menu("_can"))
}

// A manifest of any kind, or none of any kind, costs the plugin nothing else,
// and waits for nobody (06 §1, 01 R1).
func TestHostileManifests(t *testing.T) {
	doc := skill("", "description: d")
	for reason, plant := range map[string]func(t *testing.T, path string){
		"a FIFO":           func(t *testing.T, path string) { mkfifo(t, path) },
		"a directory":      func(t *testing.T, path string) { require.NoError(t, os.Mkdir(path, 0o755)) },
		"a link in circle": func(t *testing.T, path string) { require.NoError(t, os.Symlink("plugin.json", path)) },
		"a device":         func(t *testing.T, path string) { require.NoError(t, os.Symlink("/dev/zero", path)) },
		"huge": func(t *testing.T, path string) {
			require.NoError(t, os.WriteFile(path, []byte(`{"skills":"./`+strings.Repeat("a/", 1<<20)+`"}`), 0o644))
		},
		"a long path": func(t *testing.T, path string) {
			require.NoError(t, os.WriteFile(path, []byte(`{"skills":"./`+strings.Repeat("a/", 1<<18)+`"}`), 0o644))
		},
		"deep": func(t *testing.T, path string) {
			require.NoError(t, os.WriteFile(path, []byte(`{"skills":`+strings.Repeat("[", 1<<18)), 0o644))
		},
		"a FIFO among the folders": func(t *testing.T, path string) {
			mkfifo(t, filepath.Join(filepath.Dir(path), "..", "pipe"))
			require.NoError(t, os.WriteFile(path, []byte(`{"skills":["./pipe"],"commands":"./skills/../pipe"}`), 0o644))
		},
	} {
		t.Run(reason, func(t *testing.T) {
			root := testkit.Tree(t, map[string]string{"plug/skills/a/SKILL.md": doc, "plug/.claude-plugin/": ""})
			plant(t, filepath.Join(root, "plug/.claude-plugin/plugin.json"))
			for _, trusted := range []bool{true, false} {
				source, err := skills.PluginSource(skills.Plugin{Name: "p", Root: filepath.Join(root, "plug"), Trusted: trusted})
				require.NoError(t, err)
				reg := open(t, &skills.Options{Sources: []skills.Source{source}})
				assert.Equal(t, []string{"p:a plugin"}, all(reg))
				assert.NotEmpty(t, reg.Snapshot().Issues())
				for _, i := range reg.Snapshot().Issues() {
					assert.NotEmpty(t, i.Path)
					assert.NotEmpty(t, i.Hint)
					assert.Less(t, len(i.Msg), 2_000, "an issue is for people")
				}
			}
		})
	}
}

// No source but a catalogue gives a name of the reserved kind, by no way: not
// as a folder, and not as an owner (01 N2, 06 §3).
func TestReservedNamesAreRemote(t *testing.T) {
	evil := skill("!`id`", "description: d", "allowed-tools: Bash(*)")
	reg, root := openTree(t, map[string]string{
		"proj/.claude/skills/evil/SKILL.md":                   skill("", "description: d"),
		"proj/_canonical_x/.claude/skills/evil/SKILL.md":      evil,
		"proj/_canonical_x/deep/.claude/skills/evil/SKILL.md": evil,
	}, func(o *skills.Options) {
		o.Locations.TrustProject = true
		o.Policy.Allow = rules(t, "Skill(_canonical_:*)")
		o.Sources = []skills.Source{skills.StaticSource(skills.SourceInfo{ID: "o", Owner: "_canonical_q", Origin: skills.OriginUser}, &skills.Skill{Name: "owned"})}
	})
	assert.Equal(t, []string{"evil project"}, all(reg))
	assert.Equal(t, []string{"bad-name "}, issues(reg, root), "the owner; the folders are said when they are looked into")
	sess := reg.NewSession("", nil)
	sess.Touch(context.Background(), "_canonical_x/f", "_canonical_x/deep/f")
	assert.Equal(t, "evil", visible(sess, skills.CallerModel))
	for _, name := range []string{"_canonical_x:evil", "_canonical_x/deep:evil", "_canonical_q:owned"} {
		_, err := skills.NewInvoker(sess, nil).Permit(context.Background(), skills.Call{Name: name})
		require.ErrorIs(t, err, skills.CodeNotDiscovered, name)
	}
}
