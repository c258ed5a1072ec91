package skills_test

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"testing"
	"testing/fstest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/seed-12b313d8/skills"
	"github.com/seed-12b313d8/skills/internal/testkit"
)

// A source that is registered again has its new origin and trust at once, even
// if it cannot be read and its last good skills are kept.
func TestRegisterAgainWithdrawsTrust(t *testing.T) {
	ran := 0
	shell := func(context.Context, skills.Command) (skills.CommandResult, error) {
		ran++
		return skills.CommandResult{Output: "ran"}, nil
	}
	good := &skills.Skill{Name: "s", AllowedTools: []string{"Bash"}, Content: skills.Content{Read: func(context.Context) ([]byte, error) { return []byte("!`id`"), nil }}}
	for reason, info := range map[string]skills.SourceInfo{
		"trust withdrawn": {ID: "a", Origin: skills.OriginProject},
		"another origin":  {ID: "a", Origin: skills.OriginMCP},
	} {
		reg := open(t, &skills.Options{Sources: []skills.Source{skills.StaticSource(skills.SourceInfo{ID: "a", Origin: skills.OriginProject, Trusted: true}, good)}})
		_, err := reg.Register(context.Background(), skills.SourceFunc(info, func(context.Context) (skills.Loaded, error) { return skills.Loaded{}, errors.New("gone") }))
		require.ErrorIs(t, err, skills.CodeUnreadable, reason)
		sess := reg.NewSession("", nil)
		s, err := sess.Lookup("s")
		require.NoError(t, err, "W6: it is kept")
		assert.False(t, s.Trusted, reason)
		assert.Equal(t, info.Origin, s.Origin, reason)
		_, err = skills.NewInvoker(sess, &skills.InvokerOptions{Shell: shell}).Invoke(context.Background(), skills.Call{Name: "s", Caller: skills.CallerUser})
		require.NoError(t, err)
		assert.Zero(t, ran, reason)
	}
}

// Registering the same thing again changes nothing.
func TestRegisterAgainKeepsPointers(t *testing.T) {
	src := func() skills.Source {
		return skills.StaticSource(skills.SourceInfo{ID: "a", Origin: skills.OriginProject}, fixedSkill())
	}
	one := src()
	reg := open(t, &skills.Options{Sources: []skills.Source{one}})
	c, err := reg.Register(context.Background(), one)
	require.NoError(t, err)
	assert.Empty(t, c.Changed)
}

func fixedSkill() *skills.Skill { return &skills.Skill{Name: "fixed", Description: "d"} }

// Each value of a skill has its own files, whatever the collector does with the
// memory of the ones before (05 §2).
func TestFilesOfNewValues(t *testing.T) {
	reg := open(t, &skills.Options{TempDir: realTemp(t)})
	sess := reg.NewSession("", nil)
	for i := range 100 {
		want := fmt.Sprint("version ", i)
		_, err := reg.Register(context.Background(), skills.StaticSource(skills.SourceInfo{ID: "b", Origin: skills.OriginBundled}, &skills.Skill{
			Name: "f", Content: skills.Content{
				Files: func() (fs.FS, error) { return fstest.MapFS{"v.txt": {Data: []byte(want)}}, nil },
				Read:  func(context.Context) ([]byte, error) { return []byte("text"), nil },
			},
		}))
		require.NoError(t, err)
		in := run(t, sess, skills.Call{Name: "f"}, nil)
		var dir string
		_, err = fmt.Sscanf(skills.Text(in.Content), "Base directory for this skill: %s", &dir)
		require.NoError(t, err)
		got, err := os.ReadFile(filepath.Join(dir, "v.txt"))
		require.NoError(t, err)
		require.Equal(t, want, string(got))
		runtime.GC()
	}
}

func realTemp(t *testing.T) string {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	require.NoError(t, err)
	return dir
}

// Preload reads the frontmatter again, as an invocation does (04 §7).
func TestPreloadSeesEdits(t *testing.T) {
	reg, root := openTree(t, map[string]string{"home/.claude/skills/s/SKILL.md": skill("old", "description: d")})
	testkit.Write(t, root, map[string]string{"home/.claude/skills/s/SKILL.md": skill("new", "description: d", "disable-model-invocation: true")})
	blocks, issues := skills.NewInvoker(reg.NewSession("", nil), nil).Preload(context.Background(), "s")
	assert.Empty(t, blocks)
	assert.Len(t, issues, 1)
}

// One error value that several callbacks return stays as it is.
func TestSharedCallbackError(t *testing.T) {
	shared := &skills.Error{Issue: skills.Issue{Code: skills.CodePrompt, Msg: "no"}}
	prompt := func(context.Context, skills.PromptContext) ([]skills.Block, error) { return nil, shared }
	var told []string
	reg := open(t, &skills.Options{
		Observe: func(r skills.Record) { told = append(told, r.Skill) },
		Sources: []skills.Source{skills.StaticSource(skills.SourceInfo{ID: "b", Origin: skills.OriginBundled},
			&skills.Skill{Name: "a", Content: skills.Content{Prompt: prompt}}, &skills.Skill{Name: "b", Content: skills.Content{Prompt: prompt}})},
	})
	for _, name := range []string{"a", "b"} {
		_, err := skills.NewInvoker(reg.NewSession("", nil), nil).Invoke(context.Background(), skills.Call{Name: name})
		require.ErrorIs(t, err, skills.CodePrompt)
	}
	assert.Equal(t, []string{"a", "b"}, told)
}

// A host's function that ends with its context was cancelled, and did not fail.
func TestCancelledCallbacks(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	wait := func() error { cancel(); <-ctx.Done(); return ctx.Err() }
	reg := open(t, &skills.Options{Sources: []skills.Source{skills.StaticSource(skills.SourceInfo{ID: "b", Origin: skills.OriginBundled},
		&skills.Skill{Name: "p", Content: skills.Content{Prompt: func(context.Context, skills.PromptContext) ([]skills.Block, error) { return nil, wait() }}},
		&skills.Skill{Name: "c", AllowedTools: []string{"Read"}, Content: skills.Content{Read: func(context.Context) ([]byte, error) { return []byte("x"), nil }}},
	)}})
	inv := skills.NewInvoker(reg.NewSession("", nil), &skills.InvokerOptions{Confirm: func(context.Context, *skills.Permit) (bool, error) { return false, wait() }})
	for _, name := range []string{"p", "c"} {
		ctx, cancel = context.WithTimeout(context.Background(), time.Minute)
		defer cancel()
		_, err := inv.Invoke(ctx, skills.Call{Name: name})
		require.ErrorIs(t, err, skills.CodeCancelled, name)
	}
}

// A note about nested skills is not written into blocks that a host shares.
func TestVariantNoteLeavesBlocks(t *testing.T) {
	shared := make([]skills.Block, 1, 8)
	shared[0].Text = "shared"
	reg, _ := openTree(t, map[string]string{"proj/a/.claude/skills/s/SKILL.md": skill("", "description: d")}, func(o *skills.Options) {
		o.Sources = []skills.Source{skills.StaticSource(skills.SourceInfo{ID: "b", Origin: skills.OriginUser}, &skills.Skill{
			Name: "s", Content: skills.Content{Prompt: func(context.Context, skills.PromptContext) ([]skills.Block, error) { return shared, nil }},
		})}
	})
	sess := reg.NewSession("", nil)
	sess.Touch(context.Background(), "a/f")
	require.Len(t, run(t, sess, skills.Call{Name: "s"}, nil).Content, 2)
	assert.Empty(t, shared[:2][1].Text)
}

// Plugins inside nested folders belong to their folder (03 §3).
func TestNestedPlugin(t *testing.T) {
	reg, _ := openTree(t, map[string]string{
		"proj/.claude/skills/office/.claude-plugin/plugin.json":          `{"name":"office"}`,
		"proj/.claude/skills/office/skills/pdf/SKILL.md":                 skill("", "description: root"),
		"proj/apps/web/.claude/skills/office/.claude-plugin/plugin.json": `{"name":"office"}`,
		"proj/apps/web/.claude/skills/office/skills/pdf/SKILL.md":        skill("", "description: nested", "paths: '*.go'"),
	})
	ctx := context.Background()
	sess := reg.NewSession("", nil)
	act := sess.Touch(ctx, "apps/web/x.go")
	assert.Equal(t, "apps/web:office:pdf", names(act.Discovered))
	assert.Contains(t, sess.Explain("apps/web:office:pdf").Activation, "found in apps/web/")
	assert.Equal(t, "apps/web:office:pdf,office:pdf", visible(sess, skills.CallerModel))
	state, err := sess.Export()
	require.NoError(t, err)
	_, err = reg.Unregister(ctx, "project:.claude/skills"), error(nil)
	require.NoError(t, err)
	back, err := reg.RestoreSession(state, nil)
	require.NoError(t, err)
	assert.Equal(t, "office:pdf", visible(back, skills.CallerModel), "03 A1: unlocked by whatever name it goes")
}

// What was approved counts for a typed call too.
func TestApprovedTypedCall(t *testing.T) {
	reg, _ := openTree(t, map[string]string{"proj/.claude/skills/s/SKILL.md": skill("", "description: d", "allowed-tools: Bash")})
	inv := skills.NewInvoker(reg.NewSession("", nil), nil)
	p, err := inv.Permit(context.Background(), skills.Call{Name: "s", Caller: skills.CallerUser})
	require.NoError(t, err)
	out, err := inv.Invoke(context.Background(), skills.Call{Name: "s", Caller: skills.CallerUser, Approved: p.Hash})
	require.NoError(t, err)
	assert.Equal(t, []string{"Bash"}, out.(*skills.Inline).Modifier.AllowTools)
}

// Odd numbers have no odd results.
func TestOddBudgets(t *testing.T) {
	reg := static(t, skills.OriginUser, &skills.Skill{Name: "a", Description: "d"})
	for _, o := range []skills.ListerOptions{
		{ContextWindow: 200_000, Fraction: math.NaN()},
		{ContextWindow: 200_000, CharsPerToken: math.Inf(1)},
		{ContextWindow: math.MaxInt},
		{Budget: math.MaxInt},
		{ContextWindow: 200_000, Fraction: -1},
		{EntryCap: math.MaxInt, MinDescription: math.MaxInt},
	} {
		n := skills.NewLister(reg.NewSession("", nil), &o).Next()
		assert.Contains(t, n.Text, "- a: d", "%+v", o)
		assert.Positive(t, n.Report.Budget)
		assert.Zero(t, n.Report.Over)
	}
	assert.NotPanics(t, func() {
		var e skills.Explanation
		e.Winner = &skills.Skill{Name: "x"}
		_ = e.String()
		_, err := e.MarshalJSON()
		assert.NoError(t, err)
	})
}

// Among candidates of which the caller may invoke none there is nothing to
// choose.
func TestAmbiguityOfHidden(t *testing.T) {
	hidden := func(name string) *skills.Skill {
		return &skills.Skill{Name: name, Aliases: []string{"z"}, DisableModelInvocation: true}
	}
	sess := static(t, skills.OriginUser, hidden("a"), hidden("b")).NewSession("", nil)
	_, err := skills.NewInvoker(sess, nil).Invoke(context.Background(), skills.Call{Name: "z"})
	require.ErrorIs(t, err, skills.CodeNotFound)
	_, err = sess.Lookup("z")
	require.ErrorIs(t, err, skills.CodeAmbiguous)
}
