package header

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/seed-12b313d8/skills/internal/frontmatter"
)

// The meaning of the fields is tested through skills.Parse; here is what only
// this package shows.

func parse(p *Parser, doc string, complete bool, o Options) (Header, []Problem) {
	text, defects := frontmatter.Decode([]byte(doc), complete)
	return p.Parse(text, complete, defects, o)
}

func TestFieldOf(t *testing.T) {
	for key, want := range map[string]struct {
		field fieldID
		exact bool
	}{
		"allowed-tools":          {fieldAllowedTools, true},
		"allowed_tools":          {fieldAllowedTools, true},
		"allowedTools":           {fieldAllowedTools, false},
		"Allowed-Tools":          {fieldAllowedTools, false},
		"a-l-l-o-w-e-dtools":     {fieldAllowedTools, false},
		"user-invokable":         {fieldUserInvocable, false},
		"user-invocable":         {fieldUserInvocable, true},
		"name":                   {fieldName, true},
		"NAME":                   {fieldName, false},
		"nam":                    {fieldUnknown, false},
		"":                       {fieldUnknown, false},
		"---":                    {fieldUnknown, false},
		"tools":                  {fieldUnknown, false},
		"triggers":               {fieldUnknown, false},
		strings.Repeat("x", 300): {fieldUnknown, false},
	} {
		f, exact := fieldOf(key)
		assert.Equal(t, want.field, f, key)
		assert.Equal(t, want.exact, exact, key)
	}
	for f := range numFields {
		got, exact := fieldOf(f.key())
		assert.Equal(t, f, got, f.key())
		assert.True(t, exact)
	}
}

// A parser is used for many files and must not carry anything over.
func TestParserIsReusable(t *testing.T) {
	var p Parser
	h, problems := parse(&p, "---\nname: a\ndescription: d\nallowed-tools: [X\nhooks: x\nfoo: bar\nallowed-tools: Y\ndisable-model-invocation: yes\n---\n", true, Options{Name: "n"})
	assert.True(t, h.DisableModelInvocation)
	require.NotEmpty(t, problems)
	keep := h.Extra["foo"]
	h, problems = parse(&p, "---\ndescription: e\n---\n", true, Options{Name: "m"})
	assert.Equal(t, Header{Description: "e"}, h)
	assert.Empty(t, problems)
	assert.Equal(t, "bar", keep)
}

func TestNeedsBody(t *testing.T) {
	var p Parser
	for _, tt := range []struct {
		doc, reason    string
		complete, want bool
	}{
		{"---\ndescription: d\n---\nBo", "the header is there and says all", false, false},
		{"---\nname: a\n---\nFirst par", "the description comes from the body", false, true},
		{"---\ndescription: d\n", "the header is not there yet", false, true},
		{"First par", "there is no header", false, true},
	} {
		h, _ := parse(&p, tt.doc, tt.complete, Options{Name: "n"})
		assert.Equal(t, tt.want, h.NeedsBody, tt.reason)
	}
}

func TestSplitTools(t *testing.T) {
	for in, want := range map[string][]string{
		"":                               nil,
		" , ,":                           nil,
		"A  B   C":                       {"A", "B", "C"},
		"A,B,C":                          {"A", "B", "C"},
		"Bash(git add:*), Read":          {"Bash(git add:*)", "Read"},
		"Bash(a (b) c) X":                {"Bash(a (b) c)", "X"},
		`Bash("a, b" *) Y`:               {`Bash("a, b" *)`, "Y"},
		"Bash(it's) Z":                   {"Bash(it's)", "Z"},
		"Bash(open, Read":                {"Bash(open, Read"},
		"close) , Read":                  {"close)", "Read"},
		"mcp__srv__* Tool[a b]":          {"mcp__srv__*", "Tool[a b]"},
		"Bash(git log --format='%h %s')": {"Bash(git log --format='%h %s')"},
	} {
		assert.Equal(t, want, splitTools(in), "%q", in)
	}
}

// What a field says in pieces is never more than the field said.
func FuzzParse(f *testing.F) {
	for _, s := range []string{
		"---\nname: a\nallowed-tools: Bash(a b), C\n---\nB", "---\nallowed-tools: A\nallowedTools: B\nhooks: {Stop: [x]}\n---\n",
		"---\npaths: '{a,b},c'\narguments: a b\naliases: x\ncontext: fork\n---\n", "---\n- a\n", "", "---\ndisable-model-invocation: maybe\n---\n",
	} {
		f.Add(s)
	}
	var p Parser
	f.Fuzz(func(t *testing.T, doc string) {
		if len(doc) > 4<<10 {
			return
		}
		h, problems := parse(&p, doc, true, Options{Name: "n"})
		if h.Description == "" {
			t.Fatal("a description is never empty")
		}
		lines := strings.Count(doc, "\n") + strings.Count(doc, "\r") + 1
		for _, pr := range problems {
			if pr.Msg == "" || pr.Hint == "" || pr.Code == "" || pr.Line > lines {
				t.Fatalf("problem %+v of %d lines", pr, lines)
			}
		}
		if h.Degraded && (len(h.AllowedTools) > 0 || h.Hooks != nil || h.Model != "" || !h.DisableModelInvocation) {
			t.Fatalf("a degraded header widens: %+v", h)
		}
		if !h.Fork && (h.Agent != "" || h.Background != nil) {
			t.Fatal("agent and background without fork")
		}
	})
}
