package skills

import (
	"reflect"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func rules(t *testing.T, text ...string) []Rule {
	t.Helper()
	r, err := ParseRules(text...)
	require.NoError(t, err)
	return r
}

func TestParseRules(t *testing.T) {
	for _, text := range []string{"Skill", "Skill(*)", "Skill(a)", "Skill(/a)", "Skill(a:*)", "Skill(/a:*)", "Skill(a *)", "Skill(apps/web:deploy)", "Bash(git push *)", "  Skill ( a   b ) ", "mcp__srv__*"} {
		r := rules(t, text)[0]
		again := rules(t, r.String())[0]
		assert.Equal(t, r, again, "%q: String parses back", text)
	}
	for _, text := range []string{"", "   ", "Skill(", "Skill()", "Skill( )", "(a)", "Skill(a", "Skill(a*)", "Skill(*a)", "Skill(:*)", "Ski ll(a)", `"Skill"`} {
		_, err := ParseRules("Skill", text)
		require.ErrorIs(t, err, CodeInvalid, "%q: 04 §5: a rule that does not parse is an error", text)
	}
}

func TestDecide(t *testing.T) {
	safe := &Skill{Name: "review", Origin: OriginProject, Description: "d"}
	grants := &Skill{Name: "review", Origin: OriginProject, AllowedTools: []string{"Bash"}}
	nested := &Skill{Name: "apps/web:deploy", Owner: "apps/web", Origin: OriginProject}
	remote := &Skill{Name: "_canonical_x", Origin: OriginRemote}
	named := &Skill{Name: "real", DisplayName: "The Real", Aliases: []string{"r"}, Origin: OriginUser}
	longer := &Skill{Name: "reviewer-admin", Origin: OriginProject, AllowedTools: []string{"Bash"}}
	dashed := &Skill{Name: "review-pr", Origin: OriginProject, AllowedTools: []string{"Bash"}}
	for _, tt := range []struct {
		reason           string
		s                *Skill
		allow, ask, deny []string
		deflt, strict    bool
		want             decision
	}{
		{reason: "step 5: safe properties only", s: safe, want: decideAllow},
		{reason: "step 6: grants ask", s: grants, want: decideAsk},
		{reason: "step 1: deny", s: safe, deny: []string{"Skill(review)"}, want: decideDeny},
		{reason: "step 1: deny beats ask and allow", s: safe, deny: []string{"Skill"}, ask: []string{"Skill"}, allow: []string{"Skill(review)"}, want: decideDeny},
		{reason: "step 2: ask beats allow", s: safe, ask: []string{"Skill(review)"}, allow: []string{"Skill(review)"}, want: decideAsk},
		{reason: "step 4: allow", s: grants, allow: []string{"Skill(review)"}, want: decideAllow},
		{reason: "step 4: allow by /name", s: grants, allow: []string{"Skill(/review)"}, want: decideAllow},
		{reason: "step 4: allow is exact in case", s: grants, allow: []string{"Skill(Review)"}, want: decideAsk},
		{reason: "step 1: deny folds case; name-07", s: &Skill{Name: "Deploy"}, deny: []string{"Skill(deploy)"}, want: decideDeny},
		{reason: "step 1: deny by alias; name-08", s: named, deny: []string{"Skill(r)"}, want: decideDeny},
		{reason: "step 1: deny by display name", s: named, deny: []string{"Skill(the real)"}, want: decideDeny},
		{reason: "step 4: an alias does not allow", s: &Skill{Name: "real", Aliases: []string{"r"}, Hooks: map[string]any{"x": 1}}, allow: []string{"Skill(r)"}, want: decideAsk},
		{reason: "step 1: deny by bare name", s: nested, deny: []string{"Skill(deploy)"}, want: decideDeny},
		{reason: "CL073: qualified names in rules", s: nested, deny: []string{"Skill(apps/web:deploy)"}, want: decideDeny},
		{reason: "step 3: remote is inert", s: remote, want: decideAllow},
		{reason: "step 3: deny came first", s: remote, deny: []string{"Skill(_canonical_:*)"}, want: decideDeny},
		{reason: "step 3: ask came first", s: remote, ask: []string{"Skill"}, want: decideAsk},
		{reason: "Default: Deny asks about remote too", s: remote, deflt: true, want: decideAsk},
		{reason: "Default: Deny asks about safe ones", s: safe, deflt: true, want: decideAsk},
		{reason: "L07: Default: Deny and allow is an allow-list", s: safe, deflt: true, allow: []string{"Skill(review)"}, want: decideAllow},
		{reason: "L05: plain prefix", s: longer, allow: []string{"Skill(review:*)"}, want: decideAllow},
		{reason: "L05: StrictPrefix ends at a boundary", s: longer, allow: []string{"Skill(review:*)"}, strict: true, want: decideAsk},
		{reason: "L05: a hyphen is a boundary", s: dashed, allow: []string{"Skill(review:*)"}, strict: true, want: decideAllow},
		{reason: "CL070: word boundary, the name itself", s: grants, allow: []string{"Skill(review *)"}, want: decideAllow},
		{reason: "CL070: word boundary, a longer word", s: longer, allow: []string{"Skill(review *)"}, want: decideAsk},
		{reason: "L05: in deny a prefix stays plain, whatever a session says", s: longer, deny: []string{"Skill(review:*)"}, strict: true, want: decideDeny},
		{reason: "N2: a name with parentheses", s: &Skill{Name: "deploy (copy)"}, deny: []string{"Skill(deploy (copy))"}, want: decideDeny},
		{reason: "E13: exact is no prefix", s: dashed, allow: []string{"Skill(review)"}, want: decideAsk},
		{reason: "CL 2.1.98: white space is normalised", s: grants, allow: []string{" Skill(  review\t) "}, want: decideAllow},
		{reason: "rules of other tools match no skill", s: safe, deny: []string{"Bash", "Bash(review)"}, want: decideAllow},
	} {
		require.NotEmpty(t, tt.reason)
		p := Policy{Allow: rules(t, tt.allow...), Ask: rules(t, tt.ask...), Deny: rules(t, tt.deny...), DefaultDeny: tt.deflt, StrictPrefix: tt.strict}
		v := p.decide(tt.s)
		assert.Equal(t, tt.want, v.decision, tt.reason)
		assert.NotEmpty(t, v.reasons, tt.reason)
	}
}

// A session's policy can only narrow the registry's floor.
func TestPolicyOver(t *testing.T) {
	floor := Policy{
		Deny: rules(t, "Skill(a)"), Ask: rules(t, "Skill(b)"), Allow: rules(t, "Skill(f)"), DefaultDeny: true, Only: []string{"x", "y"}, NeverGrant: []string{"Ask"},
		Overrides: map[string]Visibility{"o": VisibleUserOnly, "q": VisibleOn},
		Trust:     func(s *Skill) bool { return s.Name != "t" },
	}
	own := Policy{
		Allow: rules(t, "Skill"), Only: []string{"y", "z"},
		Overrides: map[string]Visibility{"o": VisibleOn, "q": VisibleOff},
	}
	p := own.over(&floor)
	for name, want := range map[string]decision{"a": decideDeny, "b": decideAsk, "c": decideAsk, "f": decideAllow} {
		assert.Equal(t, want, p.decide(&Skill{Name: name}).decision, name)
	}
	assert.True(t, p.DefaultDeny)
	assert.Equal(t, []string{"y"}, p.Only)
	assert.Equal(t, VisibleUserOnly, p.visibility(&Skill{Name: "o"}), "the stricter of two overrides")
	assert.Equal(t, VisibleOff, p.visibility(&Skill{Name: "q"}))
	assert.Equal(t, VisibleOff, (&Policy{Overrides: map[string]Visibility{"w": "of"}}).visibility(&Skill{Name: "w"}), "an unknown override is the strictest")
	assert.False(t, p.trusts(&Skill{Name: "t", Trusted: true}))
	assert.True(t, p.trusts(&Skill{Name: "u", Trusted: true}))
	assert.False(t, p.trusts(&Skill{Name: "u"}), "policy gives no trust")
	panics := Policy{Trust: func(*Skill) bool { panic("boom") }}
	assert.False(t, panics.trusts(&Skill{Trusted: true}))
	assert.Empty(t, own.Deny, "over changes neither of the two")
}

// Every field of Skill is either safe, or makes a call ask (04 §5, step 5).
func TestSafePropertyPartition(t *testing.T) {
	safe := []string{
		"Name", "DisplayName", "Description", "WhenToUse", "ArgumentHint", "Aliases", "Arguments", "Paths",
		"DisallowedTools", "Mode", "Model", "Effort", "Agent", "Shell", "Background",
		"DisableModelInvocation", "DisableUserInvocation", "Extra", "Origin", "Source", "Owner", "Layout",
		"Dir", "Path", "RealPath", "Trusted", "Degraded", "Content", "blank", "file", "place", "plugin", "folder",
	}
	unsafe := map[string]any{"AllowedTools": []string{"Bash"}, "Hooks": map[string]any{"Stop": []any{}}}
	typ := reflect.TypeFor[Skill]()
	for i := range typ.NumField() {
		name := typ.Field(i).Name
		value, isUnsafe := unsafe[name]
		require.NotEqual(t, isUnsafe, slices.Contains(safe, name), "put the field %s into one of the two lists", name)
		if isUnsafe {
			var s Skill
			reflect.ValueOf(&s).Elem().Field(i).Set(reflect.ValueOf(value))
			assert.NotEmpty(t, unsafeProperties(&s), name)
		}
	}
	full := Skill{Name: "n", Description: "d", Extra: map[string]any{"allowedtools": "x"}, Model: "m", Mode: ModeFork, Shell: "bash"}
	assert.Empty(t, unsafeProperties(&full))
}
