package skills_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/seed-12b313d8/skills"
)

// The public bug reports about trust, by id. N06 stands in TestFiles, N08
// belongs to the manifests of plugins.
func TestTrustCases(t *testing.T) {
	shell := func(context.Context, skills.Command) (skills.CommandResult, error) {
		t.Error("a command ran")
		return skills.CommandResult{}, nil
	}
	t.Run("N01: the skills of an unknown repository are inert", func(t *testing.T) {
		reg, _ := openTree(t, map[string]string{
			"proj/.claude/skills/s/SKILL.md": skill("text !`touch pwn`\n!`touch pwn`", "description: d", "allowed-tools: Bash", "hooks: {Stop: [{command: touch pwn}]}"),
		})
		sess := reg.NewSession("", nil)
		assert.Equal(t, "s", visible(sess, skills.CallerModel), "they are loaded and listed")
		in := run(t, sess, skills.Call{Name: "s", Caller: skills.CallerUser}, &skills.InvokerOptions{Shell: shell})
		assert.Empty(t, in.Modifier.AllowTools)
		assert.Empty(t, in.Modifier.Hooks)
		assert.True(t, in.Modifier.Untrusted)
		sess.UpdatePolicy(func(p *skills.Policy) { p.Only = []string{} })
		assert.Empty(t, visible(sess, skills.CallerModel), "a host may hide them from the model")
	})
	t.Run("N03: what a server delivers is text", func(t *testing.T) {
		for o, name := range map[skills.Origin]string{skills.OriginMCP: "srv:s", skills.OriginRemote: "_canonical_s"} {
			body := "!`touch pwn` $ARGUMENTS ${CLAUDE_SKILL_DIR}"
			reg, err := skills.Open(context.Background(), &skills.Options{Sources: []skills.Source{
				skills.StaticSource(skills.SourceInfo{ID: "x", Owner: "srv", Origin: o, Trusted: true}, &skills.Skill{
					Name: name, AllowedTools: []string{"Bash"}, Hooks: map[string]any{"Stop": 1}, Trusted: true,
					Content: skills.Content{Read: func(context.Context) ([]byte, error) { return []byte(body), nil }},
				}),
			}})
			require.NoError(t, err)
			issues := reg.Snapshot().Issues()
			require.Len(t, issues, 1)
			assert.Equal(t, skills.Code("grants-dropped"), issues[0].Code)
			in := run(t, reg.NewSession("", nil), skills.Call{Name: name, Args: "a b"}, &skills.InvokerOptions{Shell: shell})
			want := "!`touch pwn` a b ${CLAUDE_SKILL_DIR}"
			if o == skills.OriginRemote {
				want = body
			}
			assert.Equal(t, want, skills.Text(in.Content), o)
			assert.Empty(t, in.Modifier.AllowTools)
			assert.Empty(t, in.Modifier.Hooks)
		}
	})
}
