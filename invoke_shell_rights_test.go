//go:build unix

package skills_test

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/seed-12b313d8/skills"
	"github.com/seed-12b313d8/skills/internal/testkit"
)

const (
	untrustedMarker = "[shell command not run: the skill is not trusted]"
	degradedMarker  = "[shell command not run: the skill's frontmatter could not be read]"
	ranMarker       = "RAN"
)

// matrixTree holds one skill of each place, each with the same command.
func matrixTree() map[string]string {
	const body = "!`cmd`\n"
	files := map[string]string{
		"home/.claude/skills/degraded/SKILL.md": "---\n%$ [ { nothing\n---\n" + body,
		"home/.claude/commands/mycmd.md":        body,
		"proj/.claude/commands/projcmd.md":      body,
		"proj/apps/web/main.go":                 "",
		"proj/.git/":                            "",
	}
	for name, dir := range map[string]string{
		"managed": "managed/.claude/skills", "user": "home/.claude/skills", "additional": "extra/.claude/skills", "project": "proj/.claude/skills",
		"nested": "proj/apps/web/.claude/skills", "plug": "plug/skills", "safeplug": "safeplug/skills",
	} {
		files[dir+"/"+name+"/SKILL.md"] = skill(body, "description: d")
	}
	return files
}

// matrixSession opens the tree with a source of every origin.
func matrixSession(t *testing.T, trustProject bool, policy skills.Policy) *skills.Session {
	t.Helper()
	reg, root := openTree(t, matrixTree(), func(o *skills.Options) {
		o.Locations.TrustProject = trustProject
		base := strings.TrimSuffix(o.Locations.Home, "home")
		plug, err := skills.PluginSource(skills.Plugin{Name: "p", Root: base + "plug"})
		require.NoError(t, err)
		safe, err := skills.PluginSource(skills.Plugin{Name: "q", Root: base + "safeplug", Trusted: true})
		require.NoError(t, err)
		o.Sources = []skills.Source{plug, safe}
		for _, info := range []skills.SourceInfo{
			{ID: "b", Origin: skills.OriginBundled},
			{ID: "m", Owner: "srv", Origin: skills.OriginMCP},
			{ID: "r", Origin: skills.OriginRemote},
			{ID: "m2", Owner: "liar", Origin: skills.OriginMCP, Trusted: true},
			{ID: "r2", Origin: skills.OriginRemote, Trusted: true},
		} {
			name := map[string]string{"b": "bundled", "m": "srv:mcp", "r": "_canonical_remote", "m2": "liar:mcp", "r2": "_canonical_liar"}[info.ID]
			o.Sources = append(o.Sources, skills.StaticSource(info, &skills.Skill{Name: name, Trusted: true, Content: skills.Content{
				Read: func(context.Context) ([]byte, error) { return []byte("!`cmd`\n"), nil },
			}}))
		}
	})
	sess := reg.NewSession("", &skills.SessionOptions{Policy: policy})
	sess.Touch(context.Background(), root+"/proj/apps/web/main.go")
	return sess
}

// The trust matrix (00), its column about shell, row by row.
func TestShellTrustMatrix(t *testing.T) {
	const literal = "!`cmd`"
	for _, tt := range []struct {
		reason, name, untrusted, trusted string // without and with TrustProject
	}{
		{"00: managed", "managed", ranMarker, ranMarker},
		{"00: user", "user", ranMarker, ranMarker},
		{"00: user commands", "mycmd", ranMarker, ranMarker},
		{"00: bundled", "bundled", ranMarker, ranMarker},
		{"00: additional", "additional", ranMarker, ranMarker},
		{"00: project, default and trusted", "project", untrustedMarker, ranMarker},
		{"00: nested, default and trusted", "nested", untrustedMarker, ranMarker},
		{"00: project commands, default and trusted", "projcmd", untrustedMarker, ranMarker},
		{"00: plugin, not marked", "p:plug", untrustedMarker, untrustedMarker},
		{"00: plugin, marked", "q:safeplug", ranMarker, ranMarker},
		{"00: mcp is literal text", "srv:mcp", literal, literal},
		{"00: mcp, whatever its source says", "liar:mcp", literal, literal},
		{"00: remote is literal text", "_canonical_remote", literal, literal},
		{"00: remote, whatever its source says", "_canonical_liar", literal, literal},
		{"00: degraded, of a trusted origin", "degraded", degradedMarker, degradedMarker},
	} {
		for trust, want := range map[bool]string{false: tt.untrusted, true: tt.trusted} {
			shell := says(ranMarker)
			sess := matrixSession(t, trust, skills.Policy{})
			yes := func(context.Context, *skills.Permit) (bool, error) { return true, nil }
			in := run(t, sess, skills.Call{Name: tt.name, Caller: skills.CallerUser}, &skills.InvokerOptions{Shell: shell.run, Confirm: yes})
			assert.Equal(t, want, strings.TrimSpace(text(in)), tt.reason)
			assert.Equal(t, want == ranMarker, len(shell.texts()) == 1, tt.reason)
			told := false
			for _, i := range in.Issues {
				told = told || i.Code == "shell-disabled" && i.Path != "" && i.Hint == ""
			}
			assert.Equal(t, want == untrustedMarker || want == degradedMarker, told, "%s: the outcome says so", tt.reason)

			in = run(t, sess, skills.Call{Name: tt.name, Caller: skills.CallerHost}, &skills.InvokerOptions{})
			assert.NotContains(t, text(in), ranMarker)
			if want == ranMarker {
				assert.Contains(t, text(in), "[shell command not run: this program runs no commands]", "04 §4: only if the host gave a Shell")
			}
		}
	}
}

// Policy.Trust can only take trust away, and neither rules, consent nor a yes
// give any (04 §5: confirmation never enables shell).
func TestShellPolicyTrust(t *testing.T) {
	for _, tt := range []struct {
		reason, name, want string
		trust              func(*skills.Skill) bool
	}{
		{"00: takes it from a user's skill", "user", untrustedMarker, func(s *skills.Skill) bool { return s.Name != "user" }},
		{"00: takes it from a managed one", "managed", untrustedMarker, func(*skills.Skill) bool { return false }},
		{"00: of one only", "managed", ranMarker, func(s *skills.Skill) bool { return s.Name != "user" }},
		{"00: gives none to a project's", "project", untrustedMarker, func(*skills.Skill) bool { return true }},
		{"00: gives none to a degraded one", "degraded", degradedMarker, func(*skills.Skill) bool { return true }},
		{"B11: a panic counts as false", "user", untrustedMarker, func(*skills.Skill) bool { panic("boom") }},
	} {
		shell := says(ranMarker)
		sess := matrixSession(t, false, skills.Policy{Trust: tt.trust, Allow: parseRules(t, "Skill")})
		inv := skills.NewInvoker(sess, &skills.InvokerOptions{Shell: shell.run})
		p, err := inv.Permit(context.Background(), skills.Call{Name: tt.name, Caller: skills.CallerUser})
		require.NoError(t, err, tt.reason)
		for _, p := range []*skills.Permit{p, p.Approve()} {
			out, err := inv.Render(context.Background(), p)
			require.NoError(t, err, tt.reason)
			assert.Equal(t, tt.want, strings.TrimSpace(text(out.(*skills.Inline))), tt.reason)
		}
		assert.Equal(t, tt.want == ranMarker, len(shell.texts()) > 0, tt.reason)
	}
}

// A skill that cannot run its commands may still be invoked without a question
// (04 §5), and its arguments are appended if they went nowhere (04 §3).
func TestShellMarkerIsNoReasonToAsk(t *testing.T) {
	sess := matrixSession(t, false, skills.Policy{})
	shell := says(ranMarker)
	in := run(t, sess, skills.Call{Name: "project", Args: "x", Caller: skills.CallerModel}, &skills.InvokerOptions{Shell: shell.run})
	assert.Equal(t, untrustedMarker+"\n\nARGUMENTS: x", text(in))

	reg, _ := openTree(t, map[string]string{"proj/.claude/skills/s/SKILL.md": skill("!`a $ARGUMENTS`\n!`b`", "description: d")})
	in = run(t, reg.NewSession("", nil), skills.Call{Name: "s", Args: "$(id)"}, &skills.InvokerOptions{Shell: shell.run})
	assert.Equal(t, untrustedMarker+"\n"+untrustedMarker+"\n\nARGUMENTS: $(id)", text(in), "not run, so not replaced")
	require.Len(t, in.Issues, 1)
	assert.Contains(t, in.Issues[0].Msg, "2 shell commands")
	assert.Empty(t, shell.texts())
}

// AllowCommand sees every command as it will run, before any does.
func TestAllowCommand(t *testing.T) {
	const body = "!`one`\n!`two $0`\n!`three`"
	cause := errors.New("not today")
	for _, tt := range []struct {
		reason string
		allow  func(c skills.Command) error
		code   skills.Code // "" if all run
		line   int
	}{
		{"04 §4: allowed", func(skills.Command) error { return nil }, "", 0},
		{"04 §4: the first is refused", func(c skills.Command) error { return failOn(c, "one", cause) }, skills.CodeDenied, 4},
		{"04 §4: the last is refused, nothing has run", func(c skills.Command) error { return failOn(c, "three", cause) }, skills.CodeDenied, 6},
		{"B11: a panic refuses", func(c skills.Command) error { panic("boom") }, skills.CodeDenied, 4},
	} {
		t.Run(tt.reason, func(t *testing.T) {
			shell := says("")
			var asked []skills.Command
			_, err := invokeBody(t, body, "v w", skills.InvokerOptions{Shell: shell.run, AllowCommand: func(_ context.Context, c skills.Command) error {
				assert.Empty(t, shell.texts(), "nothing runs before all are allowed")
				asked = append(asked, c)
				err := tt.allow(c)
				if len(c.Env) > 0 {
					c.Env[0] = "SKILL_ARG_0=changed"
				}
				return err
			}})
			if tt.code != "" {
				e := failure(t, err, tt.code)
				assert.Equal(t, tt.line, e.Line)
				assert.True(t, strings.HasSuffix(e.Path, "SKILL.md"))
				assert.Empty(t, shell.texts())
				assert.NotContains(t, e.ForModel(), "not today", "a model is told no causes")
				return
			}
			require.NoError(t, err)
			require.Len(t, asked, 3)
			assert.Equal(t, "one", asked[0].Text)
			assert.Equal(t, `two "${SKILL_ARG_0}"`, asked[1].Text)
			assert.Equal(t, "bash", asked[1].Shell)
			assert.Equal(t, "s", asked[1].Skill.Name)
			assert.ElementsMatch(t, []string{asked[0].Text, asked[1].Text, asked[2].Text}, shell.texts())
			for _, c := range shell.commands {
				assert.NotContains(t, c.Env, "SKILL_ARG_0=changed", "what the hook does to its copy changes nothing")
			}
		})
	}
	sess := matrixSession(t, false, skills.Policy{})
	for _, name := range []string{"project", "srv:mcp", "degraded"} {
		run(t, sess, skills.Call{Name: name, Caller: skills.CallerUser}, &skills.InvokerOptions{Shell: says("").run, AllowCommand: func(context.Context, skills.Command) error {
			t.Errorf("%s: asked about a command that cannot run", name)
			return nil
		}})
	}
}

func failOn(c skills.Command, text string, err error) error {
	if c.Text == text {
		return err
	}
	return nil
}

// Deny rules about the shell's tool stop commands, whoever calls.
func TestShellDenyRules(t *testing.T) {
	for _, tt := range []struct {
		reason, rule, body, args string
		fields                   []string
		denied                   bool
	}{
		{"L06: all of the tool", "Bash", "!`touch x`", "", []string{"allowed-tools: Bash(touch:*)"}, true},
		{"04 §5: all of the tool", "Bash(*)", "!`touch x`", "", nil, true},
		{"04 §5: folded case", "bash", "!`touch x`", "", nil, true},
		{"04 §5: a prefix", "Bash(rm:*)", "!`rm -rf x`", "", nil, true},
		{"04 §5: words", "Bash(rm *)", "!`rm -rf x`", "", nil, true},
		{"04 §5: a word that only begins so", "Bash(rm *)", "!`rmdir x`", "", nil, false},
		{"04 §5: another command", "Bash(rm:*)", "!`ls`", "", nil, false},
		{"04 §5: an argument is no command", "Bash(rm:*)", "!`echo rm x`", "", nil, false},
		{"13.2 2.1.98: compound commands", "Bash(rm:*)", "!`cd / && rm -rf x`", "", nil, true},
		{"13.2 2.1.98: behind a semicolon", "Bash(rm:*)", "!`ls;rm x`", "", nil, true},
		{"13.2 2.1.98: in a substitution", "Bash(rm:*)", "!`echo $(rm x)`", "", nil, true},
		{"13.2 2.1.98: in a block", "Bash(rm:*)", "```!\nls\n  rm x\n```", "", nil, true},
		{"13.2 2.1.98: white space", "Bash(git push:*)", "!`git    push`", "", nil, true},
		{"04 §5: quotes do not hide", "Bash(rm:*)", "!`\"rm\" x`", "", nil, true},
		{"04 §5: a value does not hide", "Bash(git push --force:*)", "!`git push $ARGUMENTS`", "--force origin", nil, true},
		{"04 §5: nor does a quoted one", "Bash(git push --force:*)", "!`git push \"$0\"`", "--force", nil, true},
		{"04 §4: a value is no command of its own", "Bash(rm:*)", "!`git log --grep $0`", "'fix; rm old code'", nil, false},
		{"04 §5: another tool", "PowerShell", "!`ls`", "", nil, false},
		{"04 §5: PowerShell", "PowerShell", "!`ls`", "", []string{"shell: powershell"}, true},
		{"04 §5: PowerShell is not Bash", "Bash", "!`ls`", "", []string{"shell: powershell"}, false},
		{"04 §5: rules about skills are none about commands", "Skill(ls)", "!`ls`", "", nil, false},
	} {
		shell := says("")
		sess, _ := shellSkill(t, "!`first`\n"+tt.body, tt.fields...)
		sess.UpdatePolicy(func(p *skills.Policy) { p.Deny = parseRules(t, tt.rule) })
		asked := 0
		inv := skills.NewInvoker(sess, &skills.InvokerOptions{Shell: shell.run, AllowCommand: func(context.Context, skills.Command) error { asked++; return nil }})
		_, err := inv.Invoke(context.Background(), skills.Call{Name: "s", Args: tt.args, Caller: skills.CallerUser})
		if !tt.denied {
			require.NoError(t, err, tt.reason)
			assert.Len(t, shell.texts(), 2, tt.reason)
			continue
		}
		e := failure(t, err, skills.CodeDenied)
		assert.Contains(t, e.Msg, "the rule "+tt.rule, tt.reason)
		assert.NotContains(t, e.Msg, "--force origin", tt.reason)
		assert.Empty(t, shell.texts(), "%s: nothing runs", tt.reason)
		assert.LessOrEqual(t, asked, 1, "%s: nobody is asked about it", tt.reason)
	}
}

// Without the shell being wanted no command is looked at: deny rules about it
// do not bar a skill whose commands cannot run.
func TestShellDenyWithoutShell(t *testing.T) {
	sess := matrixSession(t, false, skills.Policy{Deny: parseRules(t, "Bash")})
	in := run(t, sess, skills.Call{Name: "project"}, &skills.InvokerOptions{Shell: says(ranMarker).run})
	assert.Contains(t, text(in), untrustedMarker)
}

// Commands run at invocation only: not on load, listing, search, explain,
// permit, preload, reattach, export or reload (04 §4).
func TestShellOnlyAtInvocation(t *testing.T) {
	ctx := context.Background()
	shell := says("OUT")
	reg, root := openTree(t, map[string]string{"home/.claude/skills/s/SKILL.md": skill("x !`cmd`", "description: d")})
	sess := reg.NewSession("", &skills.SessionOptions{Retain: true})
	inv := skills.NewInvoker(sess, &skills.InvokerOptions{Shell: shell.run, AllowCommand: func(context.Context, skills.Command) error { return nil }})
	everythingElse := func() {
		_ = skills.NewLister(sess, &skills.ListerOptions{ContextWindow: 200_000}).Next()
		_ = sess.Explain("s")
		sess.Touch(ctx, root+"/proj/a.go")
		_, err := inv.Permit(ctx, skills.Call{Name: "s"})
		require.NoError(t, err)
		blocks, issues := inv.Preload(ctx, "s")
		require.Len(t, blocks, 1)
		assert.Contains(t, blocks[0].Text, "x [shell command not run: the skill is only shown]")
		assert.Equal(t, []skills.Code{"shell-disabled"}, []skills.Code{issues[0].Code})
		_, err = sess.Export()
		require.NoError(t, err)
		testkit.Write(t, root, map[string]string{"home/.claude/skills/s/SKILL.md": skill("x !`cmd` y", "description: e")})
		_, err = reg.Reload(ctx)
		require.NoError(t, err)
	}
	everythingElse()
	assert.Empty(t, shell.texts())
	run(t, sess, skills.Call{Name: "s"}, &skills.InvokerOptions{Shell: shell.run})
	require.Len(t, shell.texts(), 1)
	everythingElse()
	blocks := sess.Reattach(0, 0)
	require.Len(t, blocks, 1)
	assert.Contains(t, blocks[0].Text, "x OUT y", "CL003: what it printed then")
	assert.Len(t, shell.texts(), 1, "CL003: and it is not run again")
}

// Neither records, events nor logs hold argument values, whatever fails.
func TestShellKeepsArgumentsOut(t *testing.T) {
	const secret = "s3cr3t-value"
	for reason, body := range map[string]string{
		"04 §6: it works": "!`echo $0`", "04 §6: it fails": "!`echo $0; exit 3`", "04 §6: it is refused": "!`$0`", "04 §6: it is denied": "!`denied $0`",
	} {
		var log bytes.Buffer
		var seen []skills.Record
		reg, _ := openTree(t, map[string]string{"home/.claude/skills/s/SKILL.md": skill(body, "description: d"), "proj/": ""}, func(o *skills.Options) {
			o.Logger = slog.New(slog.NewTextHandler(&log, &slog.HandlerOptions{Level: slog.LevelDebug}))
			o.Observe = func(r skills.Record) { seen = append(seen, r) }
			o.Policy = skills.Policy{Deny: parseRules(t, "Bash(denied:*)")}
		})
		sess := reg.NewSession("id", nil)
		for _, inline := range []bool{false, true} {
			inv := skills.NewInvoker(sess, &skills.InvokerOptions{Shell: bash(t).run, Inline: inline})
			_, err := inv.Invoke(context.Background(), skills.Call{Name: "s", Args: secret, Caller: skills.CallerUser})
			var e *skills.Error
			if errors.As(err, &e) && e.Code != skills.CodeShellFailed {
				assert.NotContains(t, err.Error(), secret, reason)
			}
		}
		require.Len(t, seen, 2, reason)
		for _, r := range seen {
			assert.Equal(t, "s", r.Skill, reason)
			assert.Equal(t, skills.OriginUser, r.Origin, reason)
			assert.Equal(t, skills.CallerUser, r.Caller, reason)
			state := strings.Join([]string{r.Session, r.Skill, r.Source, r.Hash, r.Kind, r.Owner}, " ")
			assert.NotContains(t, state, secret, reason)
		}
		assert.NotContains(t, log.String(), secret, reason)
		want := map[string][]string{
			"04 §6: it works": {"inline", "inline"}, "04 §6: it fails": {"shell-failed", "inline"},
			"04 §6: it is refused": {"unsafe-argument", "unsafe-argument"}, "04 §6: it is denied": {"denied", "denied"},
		}[reason]
		assert.Equal(t, want, []string{seen[0].Kind, seen[1].Kind}, reason)
	}
}
