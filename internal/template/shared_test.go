package template

import (
	"cmp"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// sharedDir returns a folder of shared test data: the one that the variable
// names, or that of a checkout next to the repository.
func sharedDir(t *testing.T, variable, name string) string {
	t.Helper()
	dir := cmp.Or(os.Getenv(variable), filepath.Join("..", "..", "..", "shared", name))
	if _, err := os.Stat(dir); err != nil {
		t.Skipf("no shared test data (set %s): %v", variable, err)
	}
	return dir
}

// TestCorpus reads real files: each of their spans is found, and nothing in
// the others (04 §4).
func TestCorpus(t *testing.T) {
	files, err := filepath.Glob(filepath.Join(sharedDir(t, "SKILLS_CORPUS", "corpus"), "dev", "*.md"))
	require.NoError(t, err)
	require.NotEmpty(t, files)
	found := make(map[string][]string)
	for _, file := range files {
		data, err := os.ReadFile(file)
		require.NoError(t, err)
		tmpl := parse(t, string(data), Options{})
		checkText(t, string(data), tmpl)
		if spans := commands(tmpl); spans != nil {
			found[filepath.Base(file)] = spans
		}
	}
	assert.Equal(t, map[string][]string{
		"25.md":  {`block:"${CLAUDE_PLUGIN_ROOT}/scripts/cancel-skill-improver.sh" "$ARGUMENTS"`},
		"38.md":  {`gh pr view --json number,title --jq '"#\(.number): \(.title)"' 2>/dev/null || echo "none"`},
		"55.md":  {`block:"${CLAUDE_PLUGIN_ROOT}/scripts/setup-ralph-loop.sh" $ARGUMENTS`},
		"104.md": {"date -u +%Y%m%d-%H%M%S"},
		"126.md": {`gh repo view --json nameWithOwner -q .nameWithOwner 2>/dev/null || echo "no repo detected"`, "git branch --show-current 2>/dev/null"},
	}, found)
}

// TestShellTemplates puts each command of the shell cases into a block and
// takes it out again, byte for byte, with its placeholders (04 §4).
func TestShellTemplates(t *testing.T) {
	data, err := os.ReadFile(filepath.Join(sharedDir(t, "SKILLS_CASES", "cases"), "shell-templates.json"))
	require.NoError(t, err)
	var cases struct {
		Templates []struct{ ID, Text string }
	}
	require.NoError(t, json.Unmarshal(data, &cases))
	require.NotEmpty(t, cases.Templates)
	o := named("c++", "c", "target", "target_dir", "third")
	for _, c := range cases.Templates {
		spans := parse(t, "```!\n"+c.Text+"\n```\n", o).Spans()
		require.Len(t, spans, 1, c.ID)
		assert.Equal(t, c.Text, spans[0].Command, c.ID)
		checkSpan(t, "", spans[0])

		text := parse(t, c.Text, Options{Names: o.Names, NoSpans: true})
		want, _ := text.Render(values(`alpha "b c"`))
		got, _ := values(`alpha "b c"`).Splice(spans[0])
		assert.Equal(t, want, got, c.ID)
	}
}
