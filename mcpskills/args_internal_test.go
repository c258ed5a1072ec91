package mcpskills

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/seed-12b313d8/skills"
	"github.com/seed-12b313d8/skills/internal/shellwords"
)

// declared makes a prompt of parameters; those ending in "!" are required.
func declared(t testing.TB, pars ...string) *prompt {
	t.Helper()
	def := Prompt{Name: "p"}
	for _, name := range pars {
		raw, required := strings.CutSuffix(name, "!")
		def.Parameters = append(def.Parameters, Parameter{Name: raw, Required: required})
	}
	s := Source("srv", nil, nil).(*source)
	p, err := s.newPrompt("mcp__srv__p", def)
	require.NoError(t, err)
	return p
}

func TestArguments(t *testing.T) {
	type args = map[string]string
	tests := []struct {
		name string
		pars []string
		text string
		want args
		err  string
		hint string
		why  string
	}{
		{"none", nil, "", args{}, "", "", "06 §2: a prompt without parameters"},
		{"one", []string{"topic!"}, "go", args{"topic": "go"}, "", "<topic>", "06 §2: words fill parameters"},
		{"in order", []string{"a!", "b"}, "1 2", args{"a": "1", "b": "2"}, "", "<a> [b]", "06 §2: in their order"},
		{"quoted", []string{"title!", "body"}, `"two words" 'and $x'`, args{"title": "two words", "body": "and $x"}, "", "<title> [body]", "06 §2: split like a shell, nothing expanded"},
		{"more words", []string{"a!", "rest"}, "1 2 3  '4 5'", args{"a": "1", "rest": "2 3 4 5"}, "", "<a> [rest]", "06 §2: nothing is lost"},
		{"optional left out", []string{"a!", "b", "c"}, "1", args{"a": "1"}, "", "<a> [b] [c]", "06 §2: what is not given is not sent"},
		{"empty word", []string{"a!"}, `""`, args{"a": ""}, "", "<a>", "06 §2: a quoted empty word is a word"},
		{"missing", []string{"repo!", "title!", "body"}, "x", nil, "the required argument title is missing; usage: /mcp__srv__p <repo> <title> [body]", "<repo> <title> [body]", "CL135: it is named, with the usage"},
		{"all missing", []string{"repo!", "title!"}, "", nil, "the required arguments repo, title are missing; usage: /mcp__srv__p <repo> <title>", "<repo> <title>", "CL135: all are named"},
		{"required behind optional", []string{"a", "b!"}, "1", nil, "the required argument b is missing", "[a] <b>", "CL135: positions are those of the declaration"},
		{"unwanted", nil, "hello", nil, "it takes no arguments; usage: /mcp__srv__p", "", "06 §2: nothing is lost silently"},
		{"hostile name", []string{"<\u202Ea\nb>!"}, "", nil, "the required argument &lt;a b&gt; is missing", "<&lt;a b&gt;>", "06 §2: names are shown clean"},
		{"hostile name sent", []string{"a\u200B!"}, "1", args{"a\u200B": "1"}, "", "<a>", "06 §2: and sent as they are"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			require.NotEmpty(t, tt.why)
			p := declared(t, tt.pars...)
			assert.Equal(t, tt.hint, p.hint(), tt.why)
			got, err := p.arguments(shellwords.Split(tt.text))
			if tt.err == "" {
				require.NoError(t, err)
				assert.Equal(t, tt.want, got, tt.why)
				return
			}
			require.ErrorIs(t, err, skills.CodeInvalid)
			assert.ErrorContains(t, err, tt.err, tt.why)
		})
	}
}

func TestBadParameters(t *testing.T) {
	s := Source("srv", nil, nil).(*source)
	tests := []struct {
		name string
		pars []Parameter
		want string
	}{
		{"no name", []Parameter{{Name: "a"}, {Name: " \u200B"}}, "parameter 2 has no name"},
		{"twice", []Parameter{{Name: "a"}, {Name: "a"}}, "two parameters are named a"},
		{"too many", make([]Parameter, maxParameters+1), "it has 65 parameters, and 64 are the most"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := s.newPrompt("p", Prompt{Parameters: tt.pars})
			assert.EqualError(t, err, tt.want, "06 §2: an argument could not be told from another")
		})
	}
}

func TestPromptNames(t *testing.T) {
	tests := []struct{ server, prompt, want, reason string }{
		{"github", "create issue", "mcp__github__create_issue", "06 §2: blanks become _"},
		{"my server", "a\tb  c", "mcp__my_server__a_b__c", "06 §2: each blank"},
		{"s", "Fix-It.v2:now", "mcp__s__Fix-It.v2:now", "06 §2: the rest as given"},
		{"s", "e\u0301", "mcp__s__\u00e9", "01 §6: names are NFC"},
	}
	for _, tt := range tests {
		assert.Equal(t, tt.want, promptName(tt.server, tt.prompt), tt.reason)
	}
}

func FuzzArguments(f *testing.F) {
	f.Add("a!,b,c", "1 2 3 4")
	f.Add("a,b!", `"x y" z`)
	f.Add("", "word")
	f.Add("x!", "it's")
	f.Add("a\u200B!,a", "")
	f.Fuzz(func(t *testing.T, pars, text string) {
		var list []string
		if pars != "" {
			list = strings.Split(pars, ",")
		}
		def := Prompt{}
		for _, name := range list {
			raw, required := strings.CutSuffix(name, "!")
			def.Parameters = append(def.Parameters, Parameter{Name: raw, Required: required})
		}
		p, err := Source("srv", nil, nil).(*source).newPrompt("mcp__srv__p", def)
		if err != nil {
			return
		}
		words := shellwords.Split(text)
		given := slices.Clone(words)
		args, err := p.arguments(words)
		require.Equal(t, given, words, "the words are only read")
		missing := len(list) == 0 && len(words) > 0
		for i, par := range def.Parameters {
			missing = missing || par.Required && i >= len(words)
		}
		require.Equal(t, missing, err != nil, "an error, and only if a required word is missing or one has no place")
		if err != nil {
			require.ErrorIs(t, err, skills.CodeInvalid)
			require.Contains(t, err.Error(), "usage: /mcp__srv__p")
			return
		}
		require.Len(t, args, min(len(words), len(list)))
		var back []string
		for _, par := range def.Parameters {
			if v, ok := args[par.Name]; ok {
				back = append(back, v)
			}
		}
		require.Equal(t, strings.Join(words, " "), strings.Join(back, " "), "no word is lost or moved")
	})
}
