package bundled_test

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seed-12b313d8/skills"
	"github.com/seed-12b313d8/skills/bundled"
)

// all returns options with every gate open.
func all(h bundled.Host) *bundled.Options {
	return &bundled.Options{
		Host: h,
		Features: []string{
			bundled.FeatureInternal, bundled.FeatureMemory, bundled.FeatureMemoryConsolidation, bundled.FeatureReviewArtifact,
			bundled.FeatureTriggers, bundled.FeatureRemoteTriggers, bundled.FeatureAPIGuide, bundled.FeatureSkillGenerator,
		},
		Checks: map[string]func() bool{bundled.CheckBrowser: func() bool { return true }},
	}
}

// acme is a host that shares no name and no place with the defaults.
func acme() bundled.Host {
	return bundled.Host{
		Product: "Acme Pilot", LogPath: "/var/log/acme/session.log", Model: "acme-model-7",
		Tools: map[string]string{
			bundled.ToolAskUser: "ask_person", bundled.ToolSubAgent: "spawn_helper", bundled.ToolShell: "run_command",
			bundled.ToolRead: "view_file", bundled.ToolEdit: "patch_file", bundled.ToolWrite: "put_file",
			bundled.ToolSkill: "load_recipe", bundled.ToolPlanMode: "begin_plan", bundled.ToolExitPlanMode: "show_plan",
			bundled.ToolWorktree: "fork_tree", bundled.ToolBrowser: "web_pilot", bundled.ToolSchedule: "every",
			bundled.ToolUnschedule: "never", bundled.ToolRemoteSchedule: "cloud_jobs",
		},
		Paths: map[string]string{
			bundled.PathUserSettings: "~/.acme/conf.json", bundled.PathProjectSettings: ".acme/conf.json",
			bundled.PathLocalSettings: ".acme/conf.mine.json", bundled.PathKeybindings: "~/.acme/keys.json",
			bundled.PathUserSkills: "~/.acme/recipes", bundled.PathProjectSkills: ".acme/recipes",
			bundled.PathProjectMemory: "ACME.md", bundled.PathLocalMemory: "ACME.mine.md", bundled.PathUserMemory: "~/.acme/ACME.md",
			bundled.PathAutoMemory: "~/.acme/notes", bundled.PathTeamMemory: "~/.acme/notes/team", bundled.PathTranscripts: "~/.acme/history",
		},
	}
}

// without is a host that has no tool and no place at all.
func without() bundled.Host {
	h := acme()
	for k := range h.Tools {
		h.Tools[k] = "-"
	}
	for k := range h.Paths {
		h.Paths[k] = "-"
	}
	h.LogPath, h.Model = "", ""
	return h
}

// load returns the skills of o, and fails on issues.
func load(tb testing.TB, o *bundled.Options) []*skills.Skill {
	tb.Helper()
	l, err := bundled.Source(o).Load(tb.Context())
	require.NoError(tb, err)
	require.Empty(tb, l.Issues)
	return l.Skills
}

func names(list []*skills.Skill) []string {
	var out []string
	for _, s := range list {
		out = append(out, s.Name)
	}
	return out
}

// open returns a session over the bundled skills, working in dir.
func open(tb testing.TB, o *bundled.Options, dir string, more ...skills.Source) *skills.Session {
	tb.Helper()
	reg, err := skills.Open(tb.Context(), &skills.Options{
		Locations: skills.Locations{NoDisk: true},
		Sources:   append([]skills.Source{bundled.Source(o)}, more...),
	})
	require.NoError(tb, err)
	tb.Cleanup(func() { reg.Close() })
	return reg.NewSession("s", &skills.SessionOptions{Dir: dir})
}

// invoke runs a skill the way a host does and returns its text.
func invoke(tb testing.TB, s *skills.Session, c skills.Call) string {
	tb.Helper()
	if c.Caller == "" {
		c.Caller = skills.CallerUser
	}
	out, err := skills.NewInvoker(s, nil).Invoke(context.Background(), c)
	require.NoError(tb, err, "%s %q", c.Name, c.Args)
	in, ok := out.(*skills.Inline)
	require.True(tb, ok, "05 §3: %s is inline", c.Name)
	require.Empty(tb, in.Issues, c.Name)
	require.NotEmpty(tb, in.Content, c.Name)
	return skills.Text(in.Content)
}

func find(tb testing.TB, list []*skills.Skill, name string) *skills.Skill {
	tb.Helper()
	i := slices.IndexFunc(list, func(s *skills.Skill) bool { return s.Name == name })
	require.GreaterOrEqual(tb, i, 0, name)
	return list[i]
}

// repository returns a directory with a .git in it.
func repository(tb testing.TB) string {
	tb.Helper()
	dir := tb.TempDir()
	require.NoError(tb, os.Mkdir(filepath.Join(dir, ".git"), 0o755))
	return dir
}

// countingShell counts what it is asked to run.
func countingShell(n *int) skills.Shell {
	return func(context.Context, skills.Command) (skills.CommandResult, error) {
		*n++
		return skills.CommandResult{}, nil
	}
}
