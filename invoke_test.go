package skills_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/seed-12b313d8/skills"
	"github.com/seed-12b313d8/skills/internal/testkit"
)

// userSkill opens a registry with one trusted skill s of the user.
func userSkill(t *testing.T, body string, fields ...string) (*skills.Session, string) {
	t.Helper()
	reg, root := openTree(t, map[string]string{"home/.claude/skills/s/SKILL.md": skill(body, append([]string{"description: d"}, fields...)...)})
	return reg.NewSession("sess-1", nil), root
}

func run(t *testing.T, sess *skills.Session, c skills.Call, o *skills.InvokerOptions) *skills.Inline {
	t.Helper()
	out, err := skills.NewInvoker(sess, o).Invoke(context.Background(), c)
	require.NoError(t, err)
	return out.(*skills.Inline)
}

// text returns the content without the base directory line.
func text(in *skills.Inline) string {
	s := skills.Text(in.Content)
	if _, rest, ok := strings.Cut(s, "\n\n"); ok && strings.HasPrefix(s, "Base directory for this skill: ") {
		return rest
	}
	return s
}

func TestSubstitution(t *testing.T) {
	for _, tt := range []struct {
		reason, body, args, want string
		fields                   []string
	}{
		{reason: "I01: 0-based, everywhere, unmatched stays", body: "a $0 b $1 c $2 d $1.42B", args: "X Y", want: "a X b Y c $2 d Y.42B"},
		{reason: "I02: unmatched stays and the arguments are appended", body: "x $1 y", args: "only", want: "x $1 y\n\nARGUMENTS: only"},
		{reason: "I04: one pass", body: "P: $ARGUMENTS", args: "$1 ${CLAUDE_SKILL_DIR} $ARGUMENTS", want: "P: $1 ${CLAUDE_SKILL_DIR} $ARGUMENTS"},
		{reason: "04 §2: inserted text is no shell command", body: "T: $ARGUMENTS", args: "!`touch pwn`", want: "T: !`touch pwn`"},
		{reason: "I10: appended without a placeholder", body: "Hi", args: "x y", want: "Hi\n\nARGUMENTS: x y"},
		{reason: "I10: not appended with one", body: "Hi $ARGUMENTS", args: "x y", want: "Hi x y"},
		{reason: "I10: nothing to append", body: "Hi", want: "Hi"},
		{reason: "I12: declared but missing is empty, undeclared stays", body: "[$t][$u]", fields: []string{"arguments: [t]"}, want: "[][$u]"},
		{reason: "04 §3: a variable is no argument", body: "${CLAUDE_SESSION_ID}", args: "x", want: "sess-1\n\nARGUMENTS: x"},
		{reason: "04 §3: unknown variables stay", body: "${HOME} ${CLAUDE_NOPE}", want: "${HOME} ${CLAUDE_NOPE}"},
		{reason: "04 §3: no plugin, no plugin variables", body: "${CLAUDE_PLUGIN_ROOT}", want: "${CLAUDE_PLUGIN_ROOT}"},
		{reason: "CL013: escapes", body: `\$1.00 \$foo \\$0`, args: "v", want: `$1.00 \$foo \\v`},
		{reason: "CL016: byte for byte", body: "<$ARGUMENTS>", args: "a  \"b\"\té &<>", want: "<a  \"b\"\té &<>>"},
		{reason: "kimi row", body: "zero=$0 one=$1 second=$ARGUMENTS[1] flag=$flag", args: `-m "fix login"`, fields: []string{"arguments: flag message"}, want: "zero=-m one=fix login second=fix login flag=-m"},
	} {
		t.Run(tt.reason, func(t *testing.T) {
			sess, _ := userSkill(t, tt.body, tt.fields...)
			in := run(t, sess, skills.Call{Name: "s", Args: tt.args, Caller: skills.CallerUser}, nil)
			assert.Equal(t, tt.want, text(in))
			assert.Empty(t, in.Issues)
		})
	}
}

func TestVariables(t *testing.T) {
	sess, root := userSkill(t, "${CLAUDE_SKILL_DIR}|${CLAUDE_PROJECT_DIR}|${CLAUDE_EFFORT}", "allowed-tools: Bash(${CLAUDE_SKILL_DIR}/run.sh *)")
	dir := filepath.Join(root, "home/.claude/skills/s")
	in := run(t, sess, skills.Call{Name: "s", Caller: skills.CallerUser, Settings: skills.Settings{Effort: "low"}}, nil)
	assert.Equal(t, dir+"|"+filepath.Join(root, "proj")+"|low", text(in))
	assert.Equal(t, []string{"Bash(" + dir + "/run.sh *)"}, in.Modifier.AllowTools, "CL019")
	assert.Equal(t, "Base directory for this skill: "+dir+"\n\n", skills.Text(in.Content)[:len(dir)+len("Base directory for this skill: \n\n")])

	in = run(t, sess, skills.Call{Name: "s", Caller: skills.CallerUser}, &skills.InvokerOptions{Variables: []string{"MY_"}})
	assert.Contains(t, text(in), "${CLAUDE_SKILL_DIR}", "the prefix is an option")
	assert.Contains(t, text(in), "${CLAUDE_EFFORT}")
}

func TestShellMarker(t *testing.T) {
	reg, root := openTree(t, map[string]string{
		"proj/.claude/skills/p/SKILL.md": skill("x\n!`touch "+"pwn`\ny", "description: d"),
		"home/.claude/skills/u/SKILL.md": skill("!`touch pwn`", "description: d"),
	})
	sess := reg.NewSession("", nil)
	for name, want := range map[string]string{"p": "the skill is not trusted", "u": "this program runs no commands"} {
		in := run(t, sess, skills.Call{Name: name, Caller: skills.CallerModel}, nil)
		assert.Contains(t, skills.Text(in.Content), "[shell command not run: "+want+"]")
		require.Len(t, in.Issues, 1)
		assert.Equal(t, skills.Code("shell-disabled"), in.Issues[0].Code)
	}
	_, err := os.Stat(filepath.Join(root, "pwn"))
	require.ErrorIs(t, err, os.ErrNotExist)
}

// MCP and remote text is literal: no commands, no variables (00).
func TestForeignText(t *testing.T) {
	doc := []byte("!`touch pwn` $0 ${CLAUDE_SESSION_ID}")
	read := func(context.Context) ([]byte, error) { return doc, nil }
	reg := open(t, &skills.Options{Sources: []skills.Source{
		skills.StaticSource(skills.SourceInfo{ID: "m", Owner: "srv", Origin: skills.OriginMCP}, &skills.Skill{Name: "srv:m", Content: skills.Content{Read: read}}),
		skills.StaticSource(skills.SourceInfo{ID: "r", Origin: skills.OriginRemote}, &skills.Skill{Name: "_canonical_r", Content: skills.Content{Read: read}}),
	}})
	sess := reg.NewSession("id", nil)
	in := run(t, sess, skills.Call{Name: "srv:m", Args: "one"}, nil)
	assert.Equal(t, "!`touch pwn` one ${CLAUDE_SESSION_ID}", skills.Text(in.Content))
	in = run(t, sess, skills.Call{Name: "_canonical_r", Args: "abc"}, nil)
	assert.Equal(t, string(doc), skills.Text(in.Content))
}

func TestCallers(t *testing.T) {
	reg, root := openTree(t, map[string]string{
		"home/.claude/skills/plain/SKILL.md":    skill("b", "description: d"),
		"home/.claude/skills/useronly/SKILL.md": skill("b", "description: d", "disable-model-invocation: true"),
		"home/.claude/skills/modelly/SKILL.md":  skill("b", "description: d", "user-invocable: no"),
		"home/.claude/skills/cond/SKILL.md":     skill("b", "description: d", "paths: '*.go'"),
		"home/.claude/skills/broken/SKILL.md":   "---\ndescription: d\nno end\n",
		"home/.claude/skills/off/SKILL.md":      skill("b", "description: d"),
		"home/.claude/skills/mine/SKILL.md":     skill("b", "description: d"),
		"home/.claude/skills/denied/SKILL.md":   skill("b", "description: d"),
	})
	deny, err := skills.ParseRules("Skill(denied)")
	require.NoError(t, err)
	sess := reg.NewSession("", &skills.SessionOptions{Policy: skills.Policy{
		Deny:      deny,
		Overrides: map[string]skills.Visibility{"off": skills.VisibleOff, "mine": skills.VisibleUserOnly},
	}})
	const ok, no, denied = skills.Code(""), skills.CodeNotInvocable, skills.CodeDenied
	for _, tt := range []struct {
		skill             string
		user, model, host skills.Code
		reason            string
	}{
		{"plain", ok, ok, ok, "04 §1: everybody"},
		{"useronly", ok, no, ok, "04 §1: disable-model-invocation; K01"},
		{"modelly", no, ok, ok, "04 §1: user-invocable: false"},
		{"cond", ok, no, ok, "03 A1: locked for the model only"},
		{"broken", ok, no, ok, "D4: degraded is for the user"},
		{"off", no, no, ok, "04 §1: override off; a host is never stopped by flags"},
		{"mine", ok, no, ok, "04 §1: override user-only"},
		{"denied", denied, denied, denied, "04 §5.1: a denial stops everybody; L01"},
	} {
		for caller, want := range map[skills.Caller]skills.Code{
			skills.CallerUser: tt.user, skills.CallerModel: tt.model, "": tt.model, skills.CallerPath: tt.model,
			skills.CallerNested: tt.model, skills.CallerHost: tt.host,
		} {
			_, err := skills.NewInvoker(sess, nil).Invoke(context.Background(), skills.Call{Name: tt.skill, Caller: caller})
			if want == ok {
				assert.NoError(t, err, "%s by %q: %s", tt.skill, caller, tt.reason)
				continue
			}
			require.ErrorIs(t, err, want, "%s by %q: %s", tt.skill, caller, tt.reason)
			var e *skills.Error
			require.ErrorAs(t, err, &e)
			assert.NotContains(t, e.ForModel(), root, "a model is told no paths")
		}
	}
	_, err = skills.NewInvoker(sess, nil).Invoke(context.Background(), skills.Call{Name: "useronly"})
	var e *skills.Error
	require.ErrorAs(t, err, &e)
	assert.Contains(t, e.ForModel(), "Ask the user to run /useronly; do not imitate its workflow", "CL028")
}

func TestLookup(t *testing.T) {
	read := skills.Content{Read: func(context.Context) ([]byte, error) { return nil, nil }}
	reg, _ := openTree(t, map[string]string{
		"home/.claude/skills/ship/SKILL.md":        skill("", "description: d", "name: Ship It", "aliases: [release, pdf2]"),
		"home/.claude/skills/ship-notes/SKILL.md":  skill("", "description: d"),
		"home/.claude/skills/one/SKILL.md":         skill("", "description: d", "name: dup"),
		"home/.claude/skills/two/SKILL.md":         skill("", "description: d", "name: dup"),
		"home/.claude/skills/review/SKILL.md":      skill("", "description: d"),
		"home/.claude/skills/re\u0301d/SKILL.md":   skill("", "description: d"),
		"home/.claude/commands/front/component.md": "c",
	}, func(o *skills.Options) {
		o.Sources = []skills.Source{
			skills.StaticSource(skills.SourceInfo{ID: "b", Origin: skills.OriginBundled}, &skills.Skill{Name: "review", Aliases: []string{"check"}, Content: read}),
			skills.StaticSource(skills.SourceInfo{ID: "p", Owner: "office", Origin: skills.OriginPlugin}, &skills.Skill{Name: "office:pdf", Content: read}, &skills.Skill{Name: "office:x", Content: read}),
			skills.StaticSource(skills.SourceInfo{ID: "q", Owner: "lab", Origin: skills.OriginPlugin}, &skills.Skill{Name: "lab:x", Content: read}),
		}
	})
	sess := reg.NewSession("", nil)
	for _, tt := range []struct {
		in, want, reason string
		code             skills.Code
		names            []string
	}{
		{in: "ship", want: "ship user", reason: "exact; E13: a prefix of another name"},
		{in: "/ship", want: "ship user", reason: "N4: a leading slash is dropped"},
		{in: "release", want: "ship user", reason: "N4: alias"},
		{in: "Ship It", want: "ship user", reason: "N4: display name"},
		{in: "pdf", want: "office:pdf plugin", reason: "N4: unique bare tail; E10"},
		{in: "office pdf", want: "office:pdf plugin", reason: "N4: space form"},
		{in: "component", want: "front:component legacy", reason: "01 §5: bare command while unambiguous"},
		{in: "r\u00e9d", want: "r\u00e9d user", reason: "N2: names compare after NFC"},
		{in: "review", want: "review user", reason: "01 §7: user beats bundled"},
		{in: "check", want: "review bundled", reason: "N5: the alias of a shadowed bundled skill; CL010"},
		{in: "bundled:review", want: "review bundled", reason: "E09"},
		{in: "x", code: skills.CodeAmbiguous, names: []string{"lab:x", "office:x"}, reason: "N4: two tails"},
		{in: "dup", code: skills.CodeAmbiguous, names: []string{"one", "two"}, reason: "E08"},
		{in: "shp", code: skills.CodeNotFound, names: []string{"ship"}, reason: "N4: near names, never run"},
		{in: "../../etc", code: skills.CodeNotFound, reason: "N3: a name is no path"},
		{in: "", code: skills.CodeNotFound, reason: "nothing asked for"},
	} {
		s, err := sess.Lookup(tt.in)
		if tt.code == "" {
			require.NoError(t, err, tt.reason)
			assert.Equal(t, tt.want, s.Name+" "+string(s.Origin), tt.reason)
			continue
		}
		require.ErrorIs(t, err, tt.code, tt.reason)
		var e *skills.Error
		require.ErrorAs(t, err, &e)
		assert.Equal(t, tt.names, e.Names, tt.reason)
	}
	_, err := skills.NewInvoker(sess, nil).Invoke(context.Background(), skills.Call{Name: "nope", Args: "--all now"})
	var e *skills.Error
	require.ErrorAs(t, err, &e)
	assert.Equal(t, "nope --all now", e.Input, "CL008: the input is kept")
}

func TestParseCommand(t *testing.T) {
	reg, _ := openTree(t, map[string]string{
		"home/.claude/skills/a/SKILL.md":    skill("", "description: d"),
		"home/.claude/skills/b/SKILL.md":    skill("", "description: d"),
		"home/.claude/skills/f/SKILL.md":    skill("", "description: d", "context: fork"),
		"home/.claude/skills/hid/SKILL.md":  skill("", "description: d", "user-invocable: false"),
		"home/.claude/skills/my x/SKILL.md": skill("", "description: d"),
	}, func(o *skills.Options) {
		o.Sources = []skills.Source{skills.StaticSource(skills.SourceInfo{ID: "p", Owner: "office", Origin: skills.OriginPlugin}, &skills.Skill{Name: "office:pdf"})}
	})
	sess := reg.NewSession("", nil)
	for _, tt := range []struct{ in, want, reason string }{
		{"/a", "a()", "name alone"},
		{"/a   ", "a()", "CL009: trailing blanks"},
		{"/a l1\nl2", "a(l1\nl2)", "I06: inner newlines stay"},
		{"/a\nl1\nl2", "a(l1\nl2)", "I06: a newline ends the name"},
		{"/a\tl1", "a(l1)", "I06: so does a tab"},
		{"/a\r\nl1", "a(l1)", "CL009"},
		{"/a x  y ", "a(x  y )", "byte-exact"},
		{"/a \n\n    indented: yaml", "a(\n\n    indented: yaml)", "byte-exact"},
		{"/a   /b  text", "a( text) b( text)", "CL040: blanks between stacked names"},
		{" /a x", "a(x)", "blanks before the command"},
		{"/office pdf in.pdf", "office:pdf(in.pdf)", "CL127: the longest known name"},
		{"/my x y", "my x(y)", "a name with a blank"},
		{"/a /b text", "a(text) b(text)", "CL040: stacked"},
		{"/a /b /a /b /a /b /a rest", "a(/a rest) b(/a rest) a(/a rest) b(/a rest) a(/a rest) b(/a rest)", "CL040: the first and five more"},
		{"/f /a x", "f(/a x)", "CL039: a fork takes the rest"},
		{"/a /f x", "a(/f x)", "CL039: the stack ends before a fork"},
		{"/a /hid x", "a(/hid x)", "04 §1: only what the user may invoke"},
		{"/a /nope x", "a(/nope x)", "04 §1: stops at any other token"},
	} {
		calls, err := sess.ParseCommand(tt.in)
		require.NoError(t, err, tt.reason)
		var got []string
		for _, c := range calls {
			assert.Equal(t, skills.CallerUser, c.Caller)
			got = append(got, c.Name+"("+c.Args+")")
		}
		assert.Equal(t, tt.want, strings.Join(got, " "), tt.reason)
	}
	_, err := sess.ParseCommand("hello")
	require.ErrorIs(t, err, skills.CodeInvalid)
	for _, text := range []string{"/", "//a", "/ a"} {
		_, err = sess.ParseCommand(text)
		require.ErrorIs(t, err, skills.CodeNotFound, text)
	}
	_, err = sess.ParseCommand("/nope do it")
	require.ErrorIs(t, err, skills.CodeNotFound)
	var e *skills.Error
	require.ErrorAs(t, err, &e)
	assert.Equal(t, "/nope do it", e.Input, "CL008")
}

func TestFork(t *testing.T) {
	reg, _ := openTree(t, map[string]string{
		"home/.claude/skills/f/SKILL.md":     skill("Work on $ARGUMENTS.", "description: d", "context: fork", "agent: Explore", "model: haiku", "effort: high", "hooks:\n  Stop:\n    - once: true"),
		"home/.claude/skills/g/SKILL.md":     skill("Go.", "description: d", "context: fork", "background: yes"),
		"home/.claude/skills/empty/SKILL.md": skill("", "description: Say hello", "context: fork"),
	})
	sess := reg.NewSession("main", nil)
	inv := skills.NewInvoker(sess, nil)
	ctx := context.Background()
	for _, caller := range []skills.Caller{skills.CallerUser, skills.CallerHost} {
		out, err := inv.Invoke(ctx, skills.Call{Name: "f", Args: "it", Caller: caller})
		if caller == skills.CallerHost {
			require.ErrorIs(t, err, skills.CodeNeedsPermission, "hooks are not safe")
			continue
		}
		require.NoError(t, err)
		f := out.(*skills.Fork)
		assert.Contains(t, skills.Text(f.Prompt), "Work on it.")
		assert.Equal(t, "Explore", f.Agent, "K03")
		assert.Equal(t, "haiku", f.Modifier.Model)
		assert.Equal(t, "high", f.Modifier.Effort)
		assert.Equal(t, map[string]any{"Stop": []any{map[string]any{"once": true}}}, f.Modifier.Hooks, "K07, K09")
		assert.False(t, f.Background, "D10: foreground by default")
		assert.Contains(t, skills.Text(f.Result("All good.")), "All good.")

		sub := sess.Child("sub", f)
		_, err = skills.NewInvoker(sub, nil).Invoke(ctx, skills.Call{Name: "f", Caller: skills.CallerUser})
		require.ErrorIs(t, err, skills.CodeRecursion, "CL080: a fork that invokes itself")
		out, err = skills.NewInvoker(sub, nil).Invoke(ctx, skills.Call{Name: "g", Caller: skills.CallerNested})
		require.NoError(t, err)
		g := out.(*skills.Fork)
		assert.Len(t, g.Lineage, 2)
		assert.True(t, g.Background)
		assert.Equal(t, "general-purpose", g.Agent)
		_, err = skills.NewInvoker(sub, &skills.InvokerOptions{MaxDepth: 1}).Invoke(ctx, skills.Call{Name: "g"})
		require.ErrorIs(t, err, skills.CodeRecursion, "04 §1: nesting depth")
		assert.Len(t, sess.Records(), 1, "sub-agents keep their own records")
	}
	out, err := inv.Invoke(ctx, skills.Call{Name: "empty"})
	require.NoError(t, err)
	assert.NotEmpty(t, strings.TrimSpace(skills.Text(out.(*skills.Fork).Prompt)), "K04: never empty")
}

func TestPermit(t *testing.T) {
	ctx := context.Background()
	reg, root := openTree(t, map[string]string{"home/.claude/skills/s/SKILL.md": skill("first", "description: d", "allowed-tools: Bash(git add *), Read, *, AskUser")})
	sess := reg.NewSession("", &skills.SessionOptions{Policy: skills.Policy{NeverGrant: []string{"AskUser"}}})
	inv := skills.NewInvoker(sess, nil)
	p, err := inv.Permit(ctx, skills.Call{Name: "s"})
	require.NoError(t, err)
	assert.True(t, p.Ask)
	assert.Equal(t, []string{"it sets allowed-tools"}, p.Reasons)
	assert.Equal(t, []string{"Skill(s)", "Skill(s:*)"}, p.Suggest)
	_, err = inv.Render(ctx, p)
	require.ErrorIs(t, err, skills.CodeNeedsPermission)
	p.Ask = false
	_, err = inv.Render(ctx, p)
	require.ErrorIs(t, err, skills.CodeNeedsPermission, "an exported field does not change what runs")

	testkit.Write(t, root, map[string]string{"home/.claude/skills/s/SKILL.md": skill("second", "description: d")})
	_, err = reg.Reload(ctx)
	require.NoError(t, err)
	out, err := inv.Render(ctx, p.Approve())
	require.NoError(t, err)
	in := out.(*skills.Inline)
	assert.Equal(t, "first", text(in), "04 §5: what was approved is what runs")
	assert.Equal(t, []string{"Bash(git add *)", "Read"}, in.Modifier.AllowTools, "* and never-grantable tools are dropped")
	assert.Len(t, in.Issues, 2)

	_, err = inv.Render(ctx, &skills.Permit{})
	require.ErrorIs(t, err, skills.CodeInvalid, "a permit of the host's own making")
}

func TestConfirm(t *testing.T) {
	ctx := context.Background()
	reg, _ := openTree(t, map[string]string{"proj/.claude/skills/s/SKILL.md": skill("b", "description: d", "allowed-tools: Read")})
	sess := reg.NewSession("", nil)
	call := skills.Call{Name: "s"}
	invoke := func(f func(context.Context, *skills.Permit) (bool, error), c skills.Call) (*skills.Inline, error) {
		out, err := skills.NewInvoker(sess, &skills.InvokerOptions{Confirm: f}).Invoke(ctx, c)
		if err != nil {
			return nil, err
		}
		return out.(*skills.Inline), nil
	}
	_, err := invoke(nil, call)
	require.ErrorIs(t, err, skills.CodeNeedsPermission, "04 §5.6: nobody to ask")
	_, err = invoke(func(context.Context, *skills.Permit) (bool, error) { return false, nil }, call)
	require.ErrorIs(t, err, skills.CodeDenied)
	_, err = invoke(func(context.Context, *skills.Permit) (bool, error) { return true, errors.New("gone") }, call)
	require.ErrorIs(t, err, skills.CodeNeedsPermission)
	_, err = invoke(func(context.Context, *skills.Permit) (bool, error) { panic("boom") }, call)
	require.ErrorIs(t, err, skills.CodeNeedsPermission, "B11: a panic is contained")

	in, err := invoke(func(_ context.Context, p *skills.Permit) (bool, error) {
		assert.Equal(t, []string{"Read"}, p.Grants.AllowTools, "the grants are shown")
		return true, nil
	}, call)
	require.NoError(t, err)
	assert.Equal(t, []string{"Read"}, in.Modifier.AllowTools, "00: confirmed for this very call")

	in, err = invoke(nil, skills.Call{Name: "s", Caller: skills.CallerUser})
	require.NoError(t, err, "04 §5: a typed call is consent")
	assert.Empty(t, in.Modifier.AllowTools, "00: but gives an untrusted skill nothing")
	require.Len(t, in.Issues, 1)
	assert.Equal(t, skills.Code("grants-withheld"), in.Issues[0].Code)

	rules, err := skills.ParseRules("Skill(s)")
	require.NoError(t, err)
	sess.UpdatePolicy(func(p *skills.Policy) { p.Allow = append(p.Allow, rules...) })
	in, err = invoke(nil, call)
	require.NoError(t, err)
	assert.Empty(t, in.Modifier.AllowTools, "00: nor does an allow rule")

	sess = reg.NewSession("", nil)
	p, err := skills.NewInvoker(sess, nil).Permit(ctx, call)
	require.NoError(t, err)
	in, err = invoke(nil, skills.Call{Name: "s", Approved: p.Hash})
	require.NoError(t, err, "Call.Approved carries a yes across servers")
	assert.Equal(t, []string{"Read"}, in.Modifier.AllowTools)
	_, err = invoke(nil, skills.Call{Name: "s", Approved: strings.Repeat("0", 64)})
	require.ErrorIs(t, err, skills.CodeNeedsPermission, "other bytes ask again")
}

func TestModel(t *testing.T) {
	for _, tt := range []struct {
		reason, field, current, want string
		resolve                      func(string) (string, error)
		issues                       int
	}{
		{reason: "K10: as written", field: "model: haiku", want: "haiku"},
		{reason: "K10: inherit is none", field: "model: inherit"},
		{reason: "K10: through the resolver", field: "model: haiku", resolve: func(s string) (string, error) { return "real-" + s, nil }, want: "real-haiku"},
		{reason: "K10: unknown is none, with an issue", field: "model: nope", resolve: func(string) (string, error) { return "", errors.New("unknown") }, issues: 1},
		{reason: "B11: a panic is contained", field: "model: nope", resolve: func(string) (string, error) { panic("boom") }, issues: 1},
		{reason: "K11: keeps [1m]", field: "model: m2", current: "m[1m]", want: "m2[1m]"},
		{reason: "K11: only if supported", field: "model: m2", current: "m[1m]", want: "m2", resolve: func(s string) (string, error) {
			if strings.HasSuffix(s, "[1m]") {
				return "", errors.New("too long")
			}
			return s, nil
		}},
	} {
		sess, _ := userSkill(t, "b", tt.field)
		in := run(t, sess, skills.Call{Name: "s", Settings: skills.Settings{Model: tt.current}}, &skills.InvokerOptions{ResolveModel: tt.resolve})
		assert.Equal(t, tt.want, in.Modifier.Model, tt.reason)
		assert.Len(t, in.Issues, tt.issues, tt.reason)
	}
}

func TestApply(t *testing.T) {
	base := skills.Settings{Model: "m", Effort: "low", AllowTools: []string{"A"}, Hooks: map[string]map[string]any{"o": {"x": 1}}}
	got := skills.Modifier{
		AllowTools: []string{"A", "B"}, DenyTools: []string{"C"}, Effort: "max", Owner: "s", Hooks: map[string]any{"y": 2},
	}.Apply(base)
	assert.Equal(t, skills.Settings{
		Model: "m", Effort: "max", AllowTools: []string{"A", "B"}, DenyTools: []string{"C"},
		Hooks: map[string]map[string]any{"o": {"x": 1}, "s": {"y": 2}},
	}, got, "CL066: adds, never clobbers")
	assert.Equal(t, skills.Settings{Model: "m", Effort: "low", AllowTools: []string{"A"}, Hooks: map[string]map[string]any{"o": {"x": 1}}}, base, "pure")
	assert.Equal(t, base, skills.Modifier{}.Apply(base))
}

func TestPrompt(t *testing.T) {
	make := func(f func(context.Context, skills.PromptContext) ([]skills.Block, error)) *skills.Session {
		return open(t, &skills.Options{Sources: []skills.Source{
			skills.StaticSource(skills.SourceInfo{ID: "b", Origin: skills.OriginBundled}, &skills.Skill{Name: "s", Content: skills.Content{Prompt: f}}),
		}}).NewSession("id", nil)
	}
	sess := make(func(_ context.Context, p skills.PromptContext) ([]skills.Block, error) {
		assert.Equal(t, []string{"a b", "c"}, p.Words)
		assert.Equal(t, "id", p.Session)
		assert.Equal(t, 7, p.Host["n"])
		return []skills.Block{{Text: "$0 !`x`"}}, nil
	})
	in := run(t, sess, skills.Call{Name: "s", Args: "'a b' c", Host: map[string]any{"n": 7}}, nil)
	assert.Equal(t, "$0 !`x`", skills.Text(in.Content), "04 §2: the blocks are final, nothing is appended")

	for _, f := range []func(context.Context, skills.PromptContext) ([]skills.Block, error){
		func(context.Context, skills.PromptContext) ([]skills.Block, error) { return nil, errors.New("no") },
		func(context.Context, skills.PromptContext) ([]skills.Block, error) { panic("boom") },
	} {
		_, err := skills.NewInvoker(make(f), nil).Invoke(context.Background(), skills.Call{Name: "s"})
		require.ErrorIs(t, err, skills.CodePrompt)
	}
}

func TestAlreadyLoadedAndReattach(t *testing.T) {
	reg, _ := openTree(t, map[string]string{"home/.claude/skills/s/SKILL.md": skill("Do $ARGUMENTS now.", "description: d")})
	sess := reg.NewSession("", &skills.SessionOptions{Retain: true})
	call := skills.Call{Name: "s", Args: "push"}
	assert.False(t, run(t, sess, call, nil).AlreadyLoaded)
	assert.True(t, run(t, sess, call, nil).AlreadyLoaded, "H07: the same bytes")
	assert.False(t, run(t, sess, skills.Call{Name: "s", Args: "pull"}, nil).AlreadyLoaded, "H07: other arguments")

	state, err := sess.Export()
	require.NoError(t, err)
	back, err := reg.RestoreSession(state, nil)
	require.NoError(t, err)
	assert.True(t, run(t, back, skills.Call{Name: "s", Args: "pull"}, nil).AlreadyLoaded, "also after a resume")
	back.Reset()
	assert.False(t, run(t, back, skills.Call{Name: "s", Args: "pull"}, nil).AlreadyLoaded, "not after a compaction")

	blocks := sess.Reattach(0, 0)
	require.Len(t, blocks, 1)
	assert.Contains(t, blocks[0].Text, "Do pull now.")
	assert.Contains(t, blocks[0].Text, "Do not carry it out again", "H08")
	short := sess.Reattach(1, 1)
	assert.NotContains(t, short[0].Text, "Do pull", "04 §7: the start of each is kept, within the budget")
	assert.Empty(t, reg.NewSession("", nil).Reattach(0, 0))
}

func TestPreload(t *testing.T) {
	reg, _ := openTree(t, map[string]string{
		"home/.claude/skills/a/SKILL.md": skill("Body of a.", "description: d"),
		"home/.claude/skills/u/SKILL.md": skill("b", "description: d", "disable-model-invocation: true"),
	})
	blocks, issues := skills.NewInvoker(reg.NewSession("", nil), nil).Preload(context.Background(), "a", "u", "nope")
	require.Len(t, blocks, 1)
	assert.Contains(t, blocks[0].Text, "Body of a.")
	require.Len(t, issues, 2, "CL088: what is missing or barred is skipped with an issue")
}

func TestFiles(t *testing.T) {
	reg, root := openTree(t, map[string]string{
		"home/.claude/skills/s/SKILL.md":  skill("", "description: d"),
		"home/.claude/skills/s/ref/a.txt": "A",
		"home/.claude/skills/s/out":       "-> ../../../secret",
		"home/secret":                     "TOPSECRET",
	})
	sess := reg.NewSession("", nil)
	s, err := sess.Lookup("s")
	require.NoError(t, err)
	fsys, err := skills.NewInvoker(sess, nil).Files(s)
	require.NoError(t, err)
	data, err := os.ReadFile(filepath.Join(root, "home/.claude/skills/s/ref/a.txt"))
	require.NoError(t, err)
	f, err := fsys.Open("ref/a.txt")
	require.NoError(t, err)
	got := make([]byte, 10)
	n, _ := f.Read(got)
	require.NoError(t, f.Close())
	assert.Equal(t, data, got[:n])
	for _, name := range []string{"out", "../secret", "/etc/passwd", "ref/../../x"} {
		_, err := fsys.Open(name)
		assert.Error(t, err, "N06: %s leaves the folder", name)
	}
}

// A skill's files can be listed: sorted, relative, capped (04 §7).
func TestListFiles(t *testing.T) {
	reg, _ := openTree(t, map[string]string{
		"home/.claude/skills/s/SKILL.md": skill("b", "description: d"), "home/.claude/skills/s/a/b.txt": "1", "home/.claude/skills/s/a.txt": "2",
		"home/.claude/skills/s/z/deep/c.txt": "3", "home/.claude/skills/s/link": "-> a.txt", "home/.claude/commands/c.md": "command",
	})
	sess := reg.NewSession("", nil)
	inv := skills.NewInvoker(sess, nil)
	s, err := sess.Lookup("s")
	require.NoError(t, err)
	paths, more, err := inv.ListFiles(s, 0)
	require.NoError(t, err)
	assert.False(t, more)
	assert.Equal(t, []string{"SKILL.md", "a.txt", "a/b.txt", "z/deep/c.txt"}, paths)
	paths, more, err = inv.ListFiles(s, 2)
	require.NoError(t, err)
	assert.True(t, more)
	assert.Len(t, paths, 2)
	c, err := sess.Lookup("c")
	require.NoError(t, err)
	_, _, err = inv.ListFiles(c, 0)
	require.ErrorIs(t, err, skills.CodeUnreadable, "a command has no folder")
}

func TestObserve(t *testing.T) {
	var seen []skills.Record
	reg, _ := openTree(t, map[string]string{"home/.claude/skills/s/SKILL.md": skill("b", "description: d")}, func(o *skills.Options) {
		o.Observe = func(r skills.Record) { seen = append(seen, r); panic("contained") }
	})
	sess := reg.NewSession("id", nil)
	run(t, sess, skills.Call{Name: "s", Args: "secret"}, nil)
	_, err := skills.NewInvoker(sess, nil).Invoke(context.Background(), skills.Call{Name: "nope"})
	require.Error(t, err)
	require.Len(t, seen, 2)
	assert.Equal(t, "inline", seen[0].Kind)
	assert.Equal(t, skills.CallerModel, seen[0].Caller)
	assert.Equal(t, string(skills.CodeNotFound), seen[1].Kind)
}
