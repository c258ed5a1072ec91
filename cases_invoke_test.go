package skills_test

import (
	"context"
	"errors"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/seed-12b313d8/skills"
)

// The tests of this file check public bug reports of other clients and what
// their tests pin about invocation, each by the id of its row.

// ask is one call of the user's skill s.
func ask(args string, caller skills.Caller) skills.Call {
	return skills.Call{Name: "s", Args: args, Caller: caller}
}

// failure returns the *Error that a call must give.
func failure(t *testing.T, err error, code skills.Code) *skills.Error {
	t.Helper()
	require.ErrorIs(t, err, code)
	var e *skills.Error
	require.ErrorAs(t, err, &e)
	return e
}

// What stands in the text that the model gets.
func TestTextCases(t *testing.T) {
	const awk = "```sh\nawk '{print $0}' f\n```"
	for _, tt := range []struct {
		id, body, args, want string
		fields               []string
		settings             skills.Settings
	}{
		{id: "CL011: values are not read again", body: "a: $ARGUMENTS", args: "$ARGUMENTS $1 ${CLAUDE_SKILL_DIR} !`x`", want: "a: $ARGUMENTS $1 ${CLAUDE_SKILL_DIR} !`x`"},
		{id: "CL011: not from one place to the next", body: "$0 $1", args: "'$1' '$0'", want: "$1 $0"},
		{id: "CL012: no arguments, nothing replaced", body: "$0 and $2", want: "$0 and $2"},
		{id: "CL014: names are literal", body: "$c+ $a.b $x*y", args: "1 2 3", fields: []string{"arguments: [c+, a.b, x*y]"}, want: "1 2 3"},
		{id: "CL015: index", body: "$ARGUMENTS[0] $ARGUMENTS[1] $ARGUMENTS.0", args: "a b", want: "a b a b.0"},
		{id: "CL015: $10 is word 10", body: "$10", args: "0 1 2 3 4 5 6 7 8 9 ten", want: "ten"},
		{id: "CL017: the host's effort", body: "${CLAUDE_EFFORT}", settings: skills.Settings{Effort: "low"}, want: "low"},
		{id: "CL017: the skill's beats it", body: "${CLAUDE_EFFORT}", fields: []string{"effort: max"}, settings: skills.Settings{Effort: "low"}, want: "max"},
		{id: "CL017: none stays", body: "${CLAUDE_EFFORT}", want: "${CLAUDE_EFFORT}"},
		{id: "CL018", body: "id ${CLAUDE_SESSION_ID}.", want: "id sess-1."},
		{id: "CL020: no plugin", body: "${CLAUDE_PLUGIN_ROOT} ${CLAUDE_PLUGIN_DATA}", want: "${CLAUDE_PLUGIN_ROOT} ${CLAUDE_PLUGIN_DATA}"},
		{id: "CL021: @file stays text", body: "see @README.md", args: "@/etc/passwd", want: "see @README.md\n\nARGUMENTS: @/etc/passwd"},
		{id: "CL022: no entities", body: "<a> & $0", args: `"<b>&"`, want: "<a> & <b>&"},
		{id: "J01: documented commands stay byte for byte", body: "```md\n1. !`id`\n```\n`` !`id` ``", want: "```md\n1. !`id`\n```\n`` !`id` ``"},
		{id: "#24165 #13932: prose", body: "Use ! and `ls`, \"!\" or `!`; wow!`x`", want: "Use ! and `ls`, \"!\" or `!`; wow!`x`"},
		{id: "#3540: awk with arguments", body: awk, args: "x", want: "```sh\nawk '{print x}' f\n```"},
		{id: "#3540: awk without", body: awk, want: awk},
		{id: "#3540: escaped", body: strings.Replace(awk, "$0", `\$0`, 1), args: "x", want: awk + "\n\nARGUMENTS: x"},
		{id: "2e: an undeclared name and a missing word stay", body: "$missing actual=$0 missing=$1", args: "hello", want: "$missing actual=hello missing=$1"},
		{id: "2e: escapes", body: `\$ARGUMENTS \$0`, args: "v", want: "$ARGUMENTS $0\n\nARGUMENTS: v"},
		{id: "2e: whole words", body: "$targeted", args: "v", fields: []string{"arguments: target"}, want: "$targeted\n\nARGUMENTS: v"},
		{id: "2e: #94709", body: "Do $1.", args: "SOLO", want: "Do $1.\n\nARGUMENTS: SOLO"},
		{id: "2e: a number is no name", body: "$1", args: "a", fields: []string{"arguments: ['1']"}, want: "$1\n\nARGUMENTS: a"},
		{id: "2e: names in one text", body: "$mode of $target", args: "a b", fields: []string{"arguments: target mode"}, want: "b of a"},
		{id: "2e: 256 dollar signs", body: strings.Repeat("$", 256), want: strings.Repeat("$", 256)},
		{id: "quoted args split (vix)", body: "$0|$1", args: `'a b' "c d"`, want: "a b|c d"},
	} {
		t.Run(tt.id, func(t *testing.T) {
			sess, _ := userSkill(t, tt.body, tt.fields...)
			call := ask(tt.args, skills.CallerUser)
			call.Settings = tt.settings
			in := run(t, sess, call, &skills.InvokerOptions{Shell: func(context.Context, skills.Command) (skills.CommandResult, error) {
				assert.Fail(t, "a command was run")
				return skills.CommandResult{}, nil
			}})
			assert.Equal(t, tt.want, text(in))
			require.Len(t, in.Content, 1, "CL023: one block, once")
		})
	}
}

// What a call asks the host to change.
func TestModifierCases(t *testing.T) {
	for _, tt := range []struct {
		id     string
		fields []string
		want   skills.Modifier
		issue  skills.Code
	}{
		{id: "CL065", fields: []string{"allowed-tools: Read"}, want: skills.Modifier{AllowTools: []string{"Read"}}},
		{id: "CL067: rules stay whole", fields: []string{"allowed-tools: Bash(git add:*), Bash(a, b) Bash(git commit *)"}, want: skills.Modifier{AllowTools: []string{"Bash(git add:*)", "Bash(a, b)", "Bash(git commit *)"}}},
		{id: "K13: as written", fields: []string{"allowed-tools: Bash(mkdir:*), mcp__srv__*"}, want: skills.Modifier{AllowTools: []string{"Bash(mkdir:*)", "mcp__srv__*"}}},
		{id: "CL068: tools that ask the user", fields: []string{"allowed-tools: AskUser, Ask*, Read"}, want: skills.Modifier{AllowTools: []string{"Read"}}, issue: "grant-dropped"},
		{id: "CL074, K14", fields: []string{"allowed-tools: Read", "disallowed-tools: Edit Write"}, want: skills.Modifier{AllowTools: []string{"Read"}, DenyTools: []string{"Edit", "Write"}}},
		{id: "CL075: levels", fields: []string{"effort: xhigh"}, want: skills.Modifier{Effort: "xhigh"}},
		{id: "CL075: an unknown one is none", fields: []string{"effort: lots"}},
		{id: "CL078: a full id", fields: []string{"model: vendor-model-4-5-20260101"}, want: skills.Modifier{Model: "vendor-model-4-5-20260101"}},
		{id: "CL078: with a window", fields: []string{"model: m[1m]"}, want: skills.Modifier{Model: "m[1m]"}},
		{id: "CL078: inherit", fields: []string{"model: inherit"}},
		{id: "CL138", fields: []string{"hooks:", "  Stop:", "    - {matcher: x, odd: 1}"}, want: skills.Modifier{Hooks: map[string]any{"Stop": []any{map[string]any{"matcher": "x", "odd": 1}}}}},
	} {
		sess, _ := userSkill(t, "b", tt.fields...)
		sess.UpdatePolicy(func(p *skills.Policy) { p.NeverGrant = []string{"AskUser"} })
		in := run(t, sess, ask("", skills.CallerUser), nil)
		tt.want.Owner = "s"
		assert.Equal(t, tt.want, in.Modifier, tt.id)
		if tt.issue != "" {
			require.NotEmpty(t, in.Issues, tt.id)
			assert.Equal(t, tt.issue, in.Issues[0].Code, tt.id)
		}
	}
}

// Whether a call is allowed, for callers that cannot be asked.
func TestPermissionCases(t *testing.T) {
	const allowed, asks, denied = skills.Code(""), skills.CodeNeedsPermission, skills.CodeDenied
	type rules struct{ deny, ask, allow []string }
	list := func(s ...string) []string { return s }
	for _, tt := range []struct {
		id           string
		field        string
		floor, own   rules
		deflt        bool
		model, typed skills.Code
	}{
		{id: "CL071: nothing to ask about", model: allowed},
		{id: "CL072: headless, safe", field: "effort: low", model: allowed},
		{id: "CL071: tools ask", field: "allowed-tools: Read", model: asks, typed: allowed},
		{id: "CL071: hooks ask", field: "hooks: {Stop: [{once: true}]}", model: asks, typed: allowed},
		{id: "CL072: allowed by rule", field: "allowed-tools: Read", own: rules{allow: list("Skill(s)")}, model: allowed},
		{id: "L01: a denial stops everybody", own: rules{deny: list("Skill(s)")}, model: denied, typed: denied},
		{id: "L01: of all skills", floor: rules{deny: list("Skill")}, own: rules{allow: list("Skill(s)")}, model: denied, typed: denied},
		{id: "L04: Skill(s *)", own: rules{deny: list("Skill(s *)")}, model: denied, typed: denied},
		{id: "L04: Skill(s:*)", own: rules{deny: list("Skill(s:*)")}, model: denied, typed: denied},
		{id: "L04: Skill(*)", own: rules{deny: list("Skill(*)")}, model: denied, typed: denied},
		{id: "L04: Skill(/s)", own: rules{deny: list("Skill(/s)")}, model: denied, typed: denied},
		{id: "L04: Skill(/s:*)", own: rules{deny: list("Skill(/s:*)")}, model: denied, typed: denied},
		{id: "CL069, L06: a managed ask beats allow", floor: rules{ask: list("Skill(s)")}, own: rules{allow: list("Skill(s)")}, model: asks, typed: allowed},
		{id: "L06: a lower deny beats a managed allow", floor: rules{allow: list("Skill(s)")}, own: rules{deny: list("Skill(s)")}, model: denied, typed: denied},
		{id: "L07: deny beats allow", own: rules{deny: list("Skill(*)"), allow: list("Skill(s)")}, model: denied, typed: denied},
		{id: "L07: an allow-list", own: rules{allow: list("Skill(s)")}, deflt: true, model: allowed},
		{id: "L07: what is not on it asks", own: rules{allow: list("Skill(t)")}, deflt: true, model: asks, typed: allowed},
	} {
		policy := func(r rules) skills.Policy {
			return skills.Policy{Deny: parseRules(t, r.deny...), Ask: parseRules(t, r.ask...), Allow: parseRules(t, r.allow...), DefaultDeny: tt.deflt && len(r.allow) > 0}
		}
		reg, _ := openTree(t, map[string]string{"home/.claude/skills/s/SKILL.md": skill("b", "description: d", tt.field)}, func(o *skills.Options) { o.Policy = policy(tt.floor) })
		sess := reg.NewSession("", &skills.SessionOptions{Policy: policy(tt.own)})
		for caller, want := range map[skills.Caller]skills.Code{skills.CallerModel: tt.model, skills.CallerHost: tt.model, skills.CallerUser: tt.typed} {
			records := len(sess.Records())
			_, err := skills.NewInvoker(sess, nil).Invoke(context.Background(), ask("", caller))
			if want == allowed {
				assert.NoError(t, err, "%s, %s", tt.id, caller)
				continue
			}
			require.ErrorIs(t, err, want, "%s, %s", tt.id, caller)
			assert.Len(t, sess.Records(), records, tt.id)
		}
		listing := skills.NewLister(sess, &skills.ListerOptions{ContextWindow: 200_000}).Next().Text
		assert.Equal(t, tt.model != denied, strings.Contains(listing, "- s: d"), "L02, #88302: %s", tt.id)
		assert.Equal(t, tt.typed != denied, len(sess.Menu("s")) == 1, "L02: %s", tt.id)
	}
}

func parseRules(t *testing.T, text ...string) []skills.Rule {
	t.Helper()
	r, err := skills.ParseRules(text...)
	require.NoError(t, err)
	return r
}

// Calls that fail tell the model what to do, and run nothing that is near.
func TestUnknownCases(t *testing.T) {
	reg, _ := openTree(t, map[string]string{
		"home/.claude/skills/commit/SKILL.md":   skill("b", "description: d"),
		"home/.claude/skills/comits/SKILL.md":   skill("b", "description: d"),
		"home/.claude/skills/useronly/SKILL.md": skill("b", "description: d", "disable-model-invocation: true"),
	})
	sess := reg.NewSession("", nil)
	for range 10 {
		_, err := skills.NewInvoker(sess, nil).Invoke(context.Background(), skills.Call{Name: "comit", Args: "-m x"})
		var e *skills.Error
		require.ErrorAs(t, err, &e)
		assert.Equal(t, skills.CodeNotFound, e.Code, "CL005, CL006: no near match is run")
		assert.Equal(t, []string{"comits", "commit"}, e.Names, "CL007: in a stable order")
		assert.Equal(t, "comit -m x", e.Input, "CL008")
		assert.Contains(t, e.ForModel(), `There is no skill named "comit". Similar names: comits, commit.`, "CL125")
	}
	assert.Empty(t, sess.Records())

	calls, err := sess.ParseCommand("/useronly now")
	require.NoError(t, err)
	_, err = skills.NewInvoker(sess, nil).Invoke(context.Background(), calls[0])
	require.NoError(t, err, "CL029, #86676: who calls is said, not guessed")
	_, err = skills.NewInvoker(sess, nil).Invoke(context.Background(), skills.Call{Name: "useronly", Args: "now", Caller: skills.CallerModel})
	require.ErrorIs(t, err, skills.CodeNotInvocable)
}

// Requests to run a sub-agent are whole.
func TestForkCases(t *testing.T) {
	ctx := context.Background()
	fields := []string{"description: d", "allowed-tools: Read", "disallowed-tools: Edit", "model: m", "effort: high", "hooks: {Stop: [{once: true}]}"}
	fork := append(slices.Clone(fields), "context: fork", "agent: my-agent")
	reg, _ := openTree(t, map[string]string{
		"home/.claude/skills/in/SKILL.md":    skill("b $0", fields...),
		"home/.claude/skills/fork/SKILL.md":  skill("b $0", fork...),
		"home/.claude/skills/bare/SKILL.md":  skill("b", "description: d", "context: fork"),
		"home/.claude/skills/inert/SKILL.md": skill("b", "description: d", "background: true"),
		"one/skills/x/SKILL.md":              skill("one", fork...),
		"two/skills/x/SKILL.md":              skill("two", fork...),
	}, func(o *skills.Options) {
		for _, name := range []string{"one", "two"} {
			src, err := skills.PluginSource(skills.Plugin{Name: name, Root: filepath.Join(filepath.Dir(o.Locations.Home), name), Trusted: true})
			require.NoError(t, err)
			o.Sources = append(o.Sources, src)
		}
	})
	sess := reg.NewSession("main", nil)
	inv := skills.NewInvoker(sess, nil)
	inline := run(t, sess, skills.Call{Name: "in", Args: "x", Caller: skills.CallerUser}, nil)
	for _, name := range []string{"fork", "one:x", "two:x"} {
		out, err := inv.Invoke(ctx, skills.Call{Name: name, Args: "x", Caller: skills.CallerUser})
		require.NoError(t, err, name)
		f := out.(*skills.Fork)
		assert.Equal(t, "my-agent", f.Agent, "K03, CL082: %s", name)
		mod := f.Modifier
		assert.Equal(t, name, mod.Owner)
		mod.Owner = inline.Modifier.Owner
		assert.Equal(t, inline.Modifier, mod, "K07, CL083: nothing is left out")
		if name != "fork" {
			assert.True(t, strings.HasSuffix(strings.Split(skills.Text(f.Prompt), "\n\nARGUMENTS")[0], name[:3]), "CL082: of its own plugin")
		}
	}
	out, err := inv.Invoke(ctx, skills.Call{Name: "bare"})
	require.NoError(t, err)
	f := out.(*skills.Fork)
	assert.Equal(t, "general-purpose", f.Agent, "CL081")
	assert.NotEmpty(t, skills.Text(f.Prompt), "K04, #40630")
	assert.False(t, f.Background, "CL038: in the foreground (00 D10)")
	out, err = skills.NewInvoker(sess, &skills.InvokerOptions{Background: true}).Invoke(ctx, skills.Call{Name: "bare"})
	require.NoError(t, err)
	assert.True(t, out.(*skills.Fork).Background, "CL038: or as the host likes it")
	assert.IsType(t, &skills.Inline{}, run(t, sess, skills.Call{Name: "inert"}, nil), "CL038: background without fork")

	out, err = skills.NewInvoker(sess, &skills.InvokerOptions{ResolveModel: func(string) (string, error) { return "", errors.New("restricted") }}).Invoke(ctx, skills.Call{Name: "fork", Caller: skills.CallerUser})
	require.NoError(t, err)
	assert.Empty(t, out.(*skills.Fork).Modifier.Model)
	assert.Equal(t, skills.Code("model-unknown"), out.(*skills.Fork).Issues[0].Code, "CL026")

	cancelled, cancel := context.WithCancel(ctx)
	cancel()
	_, err = inv.Invoke(cancelled, skills.Call{Name: "bare"})
	require.ErrorIs(t, err, skills.CodeCancelled, "CL084")
}

// What stays of an invocation, and where.
func TestInvocationLifeCases(t *testing.T) {
	ctx := context.Background()
	reg, root := openTree(t, map[string]string{
		"home/.claude/skills/s/SKILL.md": skill("Do $ARGUMENTS.", "description: d", "hooks: {Stop: [{once: true}]}"),
		"home/.claude/skills/f/SKILL.md": skill("Fork.", "description: d", "context: fork"),
		"home/.claude/skills/r/SKILL.md": skill("Inner $0.", "description: d"),
	})
	sess := reg.NewSession("main", &skills.SessionOptions{Retain: true})
	before := treeState(t, root)
	first := run(t, sess, ask("it", skills.CallerUser), nil)
	second := run(t, sess, ask("it", skills.CallerUser), nil)
	assert.Equal(t, before, treeState(t, root), "CL116: nothing is written")
	assert.True(t, second.AlreadyLoaded, "CL030, CL090")
	assert.Equal(t, first.Modifier, second.Modifier, "K08, CL137")
	settings := second.Modifier.Apply(first.Modifier.Apply(skills.Settings{}))
	assert.Len(t, settings.Hooks, 1, "K08, CL137: the second replaces the first")
	rest, ok := second.Modifier.EndTurn()
	assert.True(t, ok)
	assert.Equal(t, first.Modifier.Hooks, rest.Hooks, "CL074: hooks stay, tools end")

	out, err := skills.NewInvoker(sess, nil).Invoke(ctx, skills.Call{Name: "f"})
	require.NoError(t, err)
	sub := sess.Child("sub", out.(*skills.Fork))
	run(t, sub, skills.Call{Name: "r", Args: "secret"}, nil)
	blocks := sess.Reattach(0, 0)
	require.Len(t, blocks, 1, "CL086: neither forks nor what sub-agents ran")
	assert.Contains(t, blocks[0].Text, "Do it.")
	assert.Contains(t, skills.Text(sub.Reattach(0, 0)), "Inner secret.", "CL086: they are the sub-agent's")

	plain := reg.NewSession("", nil)
	run(t, plain, ask("it", skills.CallerUser), nil)
	assert.Nil(t, plain.Reattach(0, 0), "CL145: text is not kept unasked")
	state, err := plain.Export()
	require.NoError(t, err)
	assert.NotContains(t, string(state), "Do it", "CL145")
}

// treeState returns the files below root with size, mode and time.
func treeState(t *testing.T, root string) map[string]string {
	t.Helper()
	out := make(map[string]string)
	require.NoError(t, filepath.WalkDir(root, func(p string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := d.Info()
		if err == nil {
			out[p] = fs.FormatFileInfo(info) + info.ModTime().String()
		}
		return err
	}))
	return out
}

const withheld = "[shell command not run: the skill is not trusted]"

// Single rows about hosts.
func TestHostCases(t *testing.T) {
	t.Run("CL107: shell for managed and bundled skills only", func(t *testing.T) {
		doc := skill("!`x`", "description: d")
		reg, root := openTree(t, map[string]string{
			"home/.claude/skills/u/SKILL.md": doc, "managed/.claude/skills/m/SKILL.md": doc, "proj/.claude/skills/p/SKILL.md": doc,
			"extra/.claude/skills/e/SKILL.md": doc, "plug/skills/s/SKILL.md": doc,
		}, func(o *skills.Options) {
			o.Locations.TrustProject = true
			o.Policy.Trust = func(s *skills.Skill) bool {
				return s.Origin == skills.OriginManaged || s.Origin == skills.OriginBundled
			}
		})
		plugin, err := skills.PluginSource(skills.Plugin{Name: "plug", Root: filepath.Join(root, "plug"), Trusted: true})
		require.NoError(t, err)
		bundle := skills.StaticSource(skills.SourceInfo{ID: "b", Origin: skills.OriginBundled}, &skills.Skill{Name: "b", Content: skills.Content{
			Read: func(context.Context) ([]byte, error) { return []byte("!`x`"), nil },
		}})
		_, err = reg.Register(context.Background(), plugin, bundle)
		require.NoError(t, err)
		sess := reg.NewSession("", &skills.SessionOptions{Policy: skills.Policy{Trust: func(*skills.Skill) bool { return true }}})
		o := &skills.InvokerOptions{Shell: func(context.Context, skills.Command) (skills.CommandResult, error) {
			return skills.CommandResult{Output: "ran"}, nil
		}}
		for name, want := range map[string]string{
			"m": "ran", "b": "ran", "u": withheld, "p": withheld, "e": withheld, "plug:s": withheld,
		} {
			assert.True(t, strings.HasSuffix(skills.Text(run(t, sess, skills.Call{Name: name}, o).Content), want), name)
		}
	})
	t.Run("I05, #16163: the executor is told values apart from the text", func(t *testing.T) {
		for _, args := range []string{"it's; id", "`id`", "$(id)", `a"b`, `\`, "-n", "*"} {
			var got []skills.Command
			sess, _ := userSkill(t, "!`tool $ARGUMENTS`")
			run(t, sess, ask(args, skills.CallerModel), &skills.InvokerOptions{Shell: func(_ context.Context, c skills.Command) (skills.CommandResult, error) {
				got = append(got, c)
				return skills.CommandResult{}, nil
			}})
			require.Len(t, got, 1)
			assert.True(t, strings.HasPrefix(got[0].Text, `tool "${SKILL_ARG_0}"`), got[0].Text)
			var values []string
			for _, pair := range got[0].Env {
				_, value, _ := strings.Cut(pair, "=")
				values = append(values, value)
			}
			assert.Equal(t, strings.Fields(strings.ReplaceAll(args, `\`, "")), strings.Fields(strings.ReplaceAll(strings.Join(values, " "), `\`, "")))
		}
	})
	t.Run("CL020: plugin variables", func(t *testing.T) {
		reg, root := openTree(t, map[string]string{"plug/skills/x/SKILL.md": skill("${CLAUDE_PLUGIN_ROOT}|${CLAUDE_PLUGIN_DATA}", "description: d", "allowed-tools: Bash(${CLAUDE_PLUGIN_ROOT}/bin/x *)")}, func(o *skills.Options) {
			base := filepath.Dir(o.Locations.Home)
			src, err := skills.PluginSource(skills.Plugin{Name: "p", Root: filepath.Join(base, "plug"), DataDir: filepath.Join(base, "data"), Trusted: true})
			require.NoError(t, err)
			o.Sources = []skills.Source{src}
		})
		in := run(t, reg.NewSession("", nil), skills.Call{Name: "p:x", Caller: skills.CallerUser}, nil)
		assert.Equal(t, root+"/plug|"+root+"/data", text(in))
		assert.Equal(t, []string{"Bash(" + root + "/plug/bin/x *)"}, in.Modifier.AllowTools)
	})
	t.Run("04 §3: aliases of the prefix, in any order", func(t *testing.T) {
		for _, prefixes := range [][]string{{"", "CLAUDE_"}, {"CLAUDE_", ""}, {"C", "CLAUDE_", ""}} {
			sess, _ := userSkill(t, "${SESSION_ID} ${CLAUDE_SESSION_ID} ${HOME} !`x ${SESSION_ID} ${CLAUDE_SESSION_ID} ${HOME}`")
			var env []string
			in := run(t, sess, ask("", skills.CallerModel), &skills.InvokerOptions{Variables: prefixes, Shell: func(_ context.Context, c skills.Command) (skills.CommandResult, error) {
				env = c.Env
				return skills.CommandResult{Output: "out"}, nil
			}})
			assert.Equal(t, "sess-1 sess-1 ${HOME} out", text(in), prefixes)
			assert.Equal(t, []string{"CLAUDE_SESSION_ID=sess-1", "SESSION_ID=sess-1"}, env, prefixes)
		}
	})
	t.Run("CL077: model in a command file", func(t *testing.T) {
		reg, _ := openTree(t, map[string]string{"home/.claude/commands/c.md": skill("b", "description: d", "model: haiku")})
		in := run(t, reg.NewSession("", nil), skills.Call{Name: "c"}, nil)
		assert.Equal(t, "haiku", in.Modifier.Model)
		assert.Equal(t, "b", skills.Text(in.Content), "00: no line about a folder")
	})
	t.Run("CL076: the effort in force", func(t *testing.T) {
		sess, _ := userSkill(t, "b", "effort: high")
		in := run(t, sess, ask("", skills.CallerModel), nil)
		assert.Equal(t, "high", in.Modifier.Apply(skills.Settings{Effort: "low"}).Effort)
	})
	t.Run("CL123: in the user's menu unless it opts out", func(t *testing.T) {
		sess, _ := userSkill(t, "b")
		assert.Len(t, sess.Menu(""), 1)
		sess, _ = userSkill(t, "b", "user-invocable: false")
		assert.Empty(t, sess.Menu(""))
	})
	t.Run("CL124: prompts of the host's own", func(t *testing.T) {
		reg := open(t, &skills.Options{Sources: []skills.Source{skills.StaticSource(skills.SourceInfo{ID: "b", Origin: skills.OriginBundled}, &skills.Skill{
			Name: "init", Description: "d", Content: skills.Content{Prompt: func(context.Context, skills.PromptContext) ([]skills.Block, error) {
				return []skills.Block{{Text: "!`x` $0"}}, nil
			}},
		})}})
		assert.Equal(t, "!`x` $0", skills.Text(run(t, reg.NewSession("", nil), skills.Call{Name: "init", Args: "y"}, nil).Content))
	})
	t.Run("CL141, CL146: events", func(t *testing.T) {
		var seen []skills.Record
		reg, _ := openTree(t, map[string]string{"plug/skills/x/SKILL.md": skill("b", "description: d")}, func(o *skills.Options) {
			src, err := skills.PluginSource(skills.Plugin{Name: "p", Root: filepath.Join(filepath.Dir(o.Locations.Home), "plug")})
			require.NoError(t, err)
			o.Sources, o.Observe = []skills.Source{src}, func(r skills.Record) { seen = append(seen, r) }
		})
		sess := reg.NewSession("id", nil)
		nested := sess.Child("sub", &skills.Fork{Lineage: []string{"other"}})
		for _, s := range []*skills.Session{sess, nested} {
			run(t, s, skills.Call{Name: "p:x", Args: "secret"}, nil)
		}
		run(t, sess, skills.Call{Name: "p:x", Caller: skills.CallerUser}, nil)
		require.Len(t, seen, 3)
		for i, caller := range []skills.Caller{skills.CallerModel, skills.CallerNested, skills.CallerUser} {
			assert.Equal(t, caller, seen[i].Caller)
			assert.Equal(t, "p:x plugin p inline", strings.Join([]string{seen[i].Skill, string(seen[i].Origin), seen[i].Owner, seen[i].Kind}, " "))
			assert.Positive(t, seen[i].Duration)
		}
	})
}
