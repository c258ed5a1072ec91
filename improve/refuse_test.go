package improve_test

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/seed-12b313d8/skills"
	"github.com/seed-12b313d8/skills/improve"
)

// plainText is a skill without anything special.
const plainText = "---\ndescription: d\n---\nSome text.\n"

// A refusal is a proposal that Apply must not work on.
type refusal struct {
	reason string
	name   string // the skill proposed; "deploy" if ""
	files  map[string]string
	change func(t *testing.T, f *fixture, p *improve.Proposal)
	o      func(o *improve.Options)
	code   skills.Code
	cause  error
	says   string
}

// refusedSkills are not the project's, or not its files.
func refusedSkills() []refusal {
	return []refusal{
		{reason: "a user's skill", name: "mine", code: skills.CodeDenied},
		{reason: "a user's skill that says it is the project's", name: "mine", code: skills.CodeDenied, change: func(_ *testing.T, f *fixture, p *improve.Proposal) {
			p.Skill = p.Skill.Clone()
			p.Skill.Origin = skills.OriginProject
			p.Skill.Path, p.Skill.RealPath = f.path(deployPath), f.path(deployPath)
		}},
		{reason: "a user's skill under the project's source", name: "mine", code: skills.CodeDenied, change: func(t *testing.T, f *fixture, p *improve.Proposal) {
			s, err := f.sess.Lookup("deploy")
			require.NoError(t, err)
			p.Skill = &skills.Skill{Name: "mine", Source: s.Source}
		}},
		{reason: "a legacy command", name: "legacy", code: skills.CodeDenied},
		{reason: "a user's skill that lies in the project", name: "within", code: skills.CodeDenied},
		{reason: "the project's skill under another source", code: skills.CodeDenied, change: func(_ *testing.T, _ *fixture, p *improve.Proposal) {
			p.Skill = &skills.Skill{Name: "deploy", Source: "elsewhere"}
		}},
		{reason: "an additional directory's skill", name: "added", code: skills.CodeDenied, says: "not the project's"},
		{reason: "an additional directory's skill that lies in the project", name: "inner", code: skills.CodeDenied, says: "not the project's"},
		{reason: "06 §5: inside the root, whatever its origin says", name: "stray", code: skills.CodeDenied, says: "outside the project"},
		{reason: "and not in a folder whose name begins alike", name: "beside", code: skills.CodeDenied, says: "outside the project"},
	}
}

// refusedProposals make no sense, or not any more.
func refusedProposals() []refusal {
	return []refusal{
		{reason: "no skill", code: skills.CodeInvalid, change: func(_ *testing.T, _ *fixture, p *improve.Proposal) { p.Skill = nil }},
		{reason: "no updates", code: skills.CodeInvalid, change: func(_ *testing.T, _ *fixture, p *improve.Proposal) { p.Updates = nil }},
		{reason: "an update without a change", code: skills.CodeInvalid, change: func(_ *testing.T, _ *fixture, p *improve.Proposal) { p.Updates[0].Change = "\u200b" }},
		{reason: "too many updates", code: skills.CodeInvalid, change: func(_ *testing.T, _ *fixture, p *improve.Proposal) { p.Updates = make([]improve.Update, 21) }},
		{reason: "another hash", code: skills.CodeInvalid, cause: improve.ErrChanged, change: func(_ *testing.T, _ *fixture, p *improve.Proposal) { p.Hash = strings.Repeat("0", 64) }},
		{reason: "no hash", code: skills.CodeInvalid, cause: improve.ErrChanged, change: func(_ *testing.T, _ *fixture, p *improve.Proposal) { p.Hash = "" }},
		{reason: "an unknown skill", code: skills.CodeNotFound, change: func(_ *testing.T, _ *fixture, p *improve.Proposal) { p.Skill = &skills.Skill{Name: "nobody"} }},
	}
}

// refusedFiles cannot be rewritten.
func refusedFiles() []refusal {
	return []refusal{
		{reason: "deleted", code: skills.CodeInvalid, cause: improve.ErrChanged, change: func(t *testing.T, f *fixture, _ *improve.Proposal) {
			require.NoError(t, os.Remove(f.path(deployPath)))
		}},
		{reason: "denied to this session", code: skills.CodeNotFound, change: func(t *testing.T, f *fixture, _ *improve.Proposal) {
			deny, err := skills.ParseRules("Skill(deploy)")
			require.NoError(t, err)
			f.sess.UpdatePolicy(func(p *skills.Policy) { p.Deny = deny })
		}},
		{reason: "read-only", code: skills.CodeDenied, change: func(t *testing.T, f *fixture, _ *improve.Proposal) {
			require.NoError(t, os.Chmod(f.path(deployPath), 0o444))
		}},
		{reason: "06 §5: a second name", code: skills.CodeDenied, change: func(t *testing.T, f *fixture, _ *improve.Proposal) {
			require.NoError(t, os.Link(f.path(deployPath), f.path("second")))
		}},
		{reason: "a link in its place by now", code: skills.CodeDenied, change: func(t *testing.T, f *fixture, _ *improve.Proposal) {
			require.NoError(t, os.Rename(f.path(deployPath), f.path("moved")))
			require.NoError(t, os.Symlink(f.path("moved"), f.path(deployPath)))
		}},
		{reason: "a linked parent by now", code: skills.CodeDenied, change: func(t *testing.T, f *fixture, _ *improve.Proposal) {
			require.NoError(t, os.Rename(f.path(".claude/skills"), f.path("moved")))
			require.NoError(t, os.Symlink("../moved", f.path(".claude/skills")))
		}},
		{reason: "a folder in its place by now", code: skills.CodeDenied, change: func(t *testing.T, f *fixture, _ *improve.Proposal) {
			require.NoError(t, os.Remove(f.path(deployPath)))
			require.NoError(t, os.Mkdir(f.path(deployPath), 0o755))
		}},
		{reason: "a link from the start", code: skills.CodeDenied, files: map[string]string{"project/.claude/skills/deploy": "-> ../../real", "project/real/SKILL.md": plainText}},
		{reason: "frontmatter that cannot be read", code: skills.CodeInvalid, files: map[string]string{"project/" + deployPath: "---\ndescription: d\n"}},
		{reason: "no UTF-8", code: skills.CodeInvalid, files: map[string]string{"project/" + deployPath: plainText + "\xff"}},
	}
}

// refusedByOptions are so by what the host says.
func refusedByOptions() []refusal {
	return []refusal{
		{reason: "too large", code: skills.CodeInvalid, o: func(o *improve.Options) { o.MaxSize = 20 }},
		{reason: "switched off", code: skills.CodeDenied, o: func(o *improve.Options) { o.Enabled = func() bool { return false } }},
		{reason: "nil Enabled is off", code: skills.CodeDenied, o: func(o *improve.Options) { o.Enabled = nil }},
		{reason: "Enabled panics", code: skills.CodeDenied, o: func(o *improve.Options) { o.Enabled = func() bool { panic("boom") } }},
	}
}

// What is not a plain SKILL.md of the project is not written, whatever the
// proposal says of it (06 §5).
func TestApplyRefuses(t *testing.T) {
	for _, tt := range slices.Concat(refusedSkills(), refusedProposals(), refusedFiles(), refusedByOptions()) {
		t.Run(tt.reason, func(t *testing.T) {
			noLeaks(t)
			f := mixedFixture(t, tt.files)
			name := tt.name
			if name == "" {
				name = "deploy"
			}
			p := f.proposal(t, name)
			if tt.change != nil {
				tt.change(t, f, &p)
			}
			o := (&host{}).options()
			if tt.o != nil {
				tt.o(o)
			}
			s := &script{}
			before := everything(t, filepath.Dir(f.root))
			err := newImprover(t, f, s.model, o).Apply(t.Context(), p)
			requireError(t, err, tt.code)
			require.ErrorContains(t, err, tt.says)
			if tt.cause != nil {
				require.ErrorIs(t, err, tt.cause)
			}
			assert.Zero(t, s.calls(), "no model is asked")
			assert.Equal(t, before, everything(t, filepath.Dir(f.root)), "nothing has changed")
		})
	}
}

// mixedFixture opens a project with a skill of each kind. Those files that are
// not given are the deploy skill.
func mixedFixture(t *testing.T, own map[string]string) *fixture {
	t.Helper()
	files := map[string]string{
		"home/.claude/skills/mine/SKILL.md":          plainText,
		"project/.claude/commands/legacy.md":         plainText,
		"project/user/within/SKILL.md":               plainText,
		"project/team/ours/SKILL.md":                 plainText,
		"project/more/.claude/skills/inner/SKILL.md": plainText,
		"additional/.claude/skills/added/SKILL.md":   plainText,
		"elsewhere/stray/SKILL.md":                   plainText,
		"project2/beside/SKILL.md":                   plainText,
		"project/.claude/skills/forked/SKILL.md":     "---\ndescription: d\ncontext: fork\n---\nSome text.\n",
	}
	if own == nil {
		own = map[string]string{"project/" + deployPath: deployText}
	}
	maps.Copy(files, own)
	f := newFixtureAt(t, files, func(top string, l *skills.Locations) {
		l.Additional = []string{filepath.Join(top, "additional"), filepath.Join(top, "project/more")}
	})
	for _, d := range []struct {
		id, dir string
		origin  skills.Origin
	}{
		{"users", "user", skills.OriginUser},
		{"team", "team", skills.OriginProject},
		{"stray", "../elsewhere", skills.OriginProject},
		{"beside", "../project2", skills.OriginProject},
	} {
		_, err := f.reg.Register(t.Context(), skills.DirSource(skills.SourceInfo{ID: d.id, Origin: d.origin}, f.path(d.dir), nil))
		require.NoError(t, err)
	}
	return f
}

// everything returns all files below dir with what they say.
func everything(t *testing.T, dir string) map[string]string {
	t.Helper()
	out := make(map[string]string)
	require.NoError(t, filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err != nil {
			return err
		}
		out[path] = d.Type().String()
		if d.Type().IsRegular() {
			data, err := os.ReadFile(path)
			out[path] += string(data)
			return err
		}
		return nil
	}))
	return out
}

// What is a file of the project is rewritten, however it runs and however the
// project was opened (06 §5).
func TestApplyTakes(t *testing.T) {
	plain := strings.TrimSuffix(plainText, "\n")
	for _, tt := range []struct {
		reason, name string
		change       func(p *improve.Proposal)
		path, want   string
	}{
		{reason: "the project's", name: "deploy", path: deployPath, want: addLine(strings.TrimSuffix(deployText, "\n"))},
		{reason: "a skill that runs in a sub-agent", name: "forked", path: ".claude/skills/forked/SKILL.md", want: addLine("---\ndescription: d\ncontext: fork\n---\nSome text.")},
		{reason: "a source of the host inside the root", name: "ours", path: "team/ours/SKILL.md", want: addLine(plain)},
		{reason: "a path in the proposal leads nowhere", name: "ours", path: "team/ours/SKILL.md", want: addLine(plain), change: func(p *improve.Proposal) {
			p.Skill = &skills.Skill{Name: p.Skill.Name, Source: p.Skill.Source, Path: "/etc/passwd", RealPath: "../../x", Dir: "/"}
		}},
		{reason: "updates without a change are left out", name: "ours", path: "team/ours/SKILL.md", want: addLine(plain), change: func(p *improve.Proposal) {
			p.Updates = slices.Insert(p.Updates, 0, improve.Update{Section: "blank", Change: "\u200b"})
		}},
	} {
		t.Run(tt.reason, func(t *testing.T) {
			f, s := mixedFixture(t, nil), &script{}
			p := f.proposal(t, tt.name)
			if tt.change != nil {
				tt.change(&p)
			}
			require.NoError(t, newImprover(t, f, s.model, (&host{}).options()).Apply(t.Context(), p))
			assert.Equal(t, tt.want+"\n", f.read(t, tt.path))
			assert.Equal(t, 1, strings.Count(s.last(), "\nChange: "))
			assert.NotContains(t, s.last(), "Section: blank")
		})
	}
}

// A project that was opened through a link is the folder it leads to: its
// skills are found, proposed and rewritten, and the link stays.
func TestProjectThroughLink(t *testing.T) {
	for _, below := range []bool{false, true} {
		f := newFixtureAt(t, map[string]string{"project/" + deployPath: deployText, "link": "-> project", "up/project": "-> ../project"}, func(top string, l *skills.Locations) {
			l.Project = filepath.Join(top, "link")
			if below {
				l.Project = filepath.Join(top, "up", "project")
			}
			f0, err := filepath.EvalSymlinks(l.Project)
			require.NoError(t, err)
			require.NotEqual(t, f0, l.Project)
		})
		require.Equal(t, f.root, f.sess.Root())
		f.invoke(t, "deploy")
		h, s := &host{}, &script{}
		i := newImprover(t, f, s.model, h.options())
		i.Observe(talk(5))
		wait(t, i)
		require.Empty(t, h.errs)
		require.Len(t, h.proposals, 1)
		require.NoError(t, i.Apply(t.Context(), h.proposals[0]))
		assert.Contains(t, f.read(t, deployPath), "Run the tests first")
		info, err := os.Lstat(filepath.Join(filepath.Dir(f.root), "link"))
		require.NoError(t, err)
		assert.NotZero(t, info.Mode()&os.ModeSymlink)
	}
}
