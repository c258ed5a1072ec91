package shellspan

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/seed-12b313d8/skills/internal/shellwords"
	"github.com/seed-12b313d8/skills/internal/template"
	"github.com/stretchr/testify/require"
)

// canary is the file that a value makes if it is executed. Where a redirection
// could make it as well it is a folder, with the suffix .d.
const canary = "pwn"

// declaredNames are the declared arguments of the cases.
var declaredNames = []string{"c++", "c", "target", "target_dir", "third"}

// A testTemplate is a command of the cases.
type testTemplate struct {
	ID     string
	Text   string
	Shell  string // any, or bash
	Honest bool   // equal to plain splicing on honest values

	// Values are hostile values of its own, besides those for all. Set names
	// a list that several templates have.
	Values []string
	Set    string
	// Got is what once got through, and why it does not any more.
	Got string
}

// testCases are a file of templates and values.
type testCases struct {
	Templates       []testTemplate
	Sets            map[string][]string
	Hostile, Honest []string
}

func readCases(t testing.TB, name string) testCases {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("testdata", name))
	require.NoError(t, err)
	var c testCases
	require.NoError(t, json.Unmarshal(data, &c))
	require.NotEmpty(t, c.Templates)
	for i := range c.Templates {
		tm := &c.Templates[i]
		tm.Values = append(tm.Values, c.Sets[tm.Set]...)
	}
	return c
}

// spanOf returns the token of a command.
func spanOf(t testing.TB, command string) template.Token {
	t.Helper()
	tmpl, err := template.Parse("```!\n"+command+"\n```\n", template.Options{Names: declaredNames})
	require.NoError(t, err)
	require.Len(t, tmpl.Spans(), 1, command)
	return tmpl.Spans()[0]
}

// valuesOf returns the values of a call with the given argument text.
func valuesOf(args, skillDir string) template.Values {
	vars := map[string]string{"CLAUDE_SKILL_DIR": skillDir, "CLAUDE_SESSION_ID": "s-1", "CLAUDE_EFFORT": "high"}
	return template.Values{Args: args, Words: shellwords.Split(args), Lookup: func(name string) (string, bool) {
		v, ok := vars[name]
		return v, ok
	}}
}

// withCanary puts the name of the canary into a value.
func withCanary(value string) string { return strings.ReplaceAll(value, "@@", canary) }
