package bundled

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/seed-12b313d8/skills"
)

// tree makes a directory with these empty files; a name that ends in "/" is a
// folder.
func tree(tb testing.TB, files ...string) string {
	tb.Helper()
	dir := tb.TempDir()
	for _, f := range files {
		path := filepath.Join(dir, f)
		require.NoError(tb, os.MkdirAll(filepath.Dir(path), 0o755))
		if strings.HasSuffix(f, "/") {
			require.NoError(tb, os.MkdirAll(path, 0o755))
			continue
		}
		require.NoError(tb, os.WriteFile(path, nil, 0o600))
	}
	return dir
}

func TestDetectLanguage(t *testing.T) {
	for _, c := range []struct {
		files    []string
		in, want string
		reason   string
	}{
		{[]string{"go.mod", "a.py", "b.py"}, "", "Go", "a manifest beats files"},
		{[]string{"pyproject.toml"}, "", "Python", "a manifest"},
		{[]string{"package.json", "src/x.ts"}, "", "TypeScript or JavaScript", "a manifest"},
		{[]string{"go.mod", "cmd/x/"}, "cmd/x", "Go", "the manifest of a parent"},
		{[]string{".git/", "go.mod", "web/package.json"}, "web", "TypeScript or JavaScript", "the nearest manifest"},
		{[]string{"go.mod", "inner/.git/"}, "inner", "curl", "not beyond the repository"},
		{[]string{"go.mod", "package.json", "a.go", "b.go", "c.ts"}, "", "Go", "among several: most files"},
		{[]string{"go.mod", "package.json", "web/a.ts", "web/b.tsx", "main.go"}, "", "TypeScript or JavaScript", "among several: most files"},
		{[]string{"go.mod", "package.json"}, "", "Go", "a tie is decided by the order"},
		{[]string{".git/", "x.py"}, "", "Python", "files without a manifest"},
		{[]string{".git/", "x.py", "node_modules/a.js", "node_modules/b.js", ".venv/a.go", ".venv/b.go"}, "", "Python", "what others wrote does not count"},
		{[]string{".git/", "README.md"}, "", "curl", "nothing to go by"},
		{[]string{"Cargo.toml"}, "", "Rust", "a language without a reference of its own"},
		{[]string{"pom.xml"}, "", "Java", "the same"},
	} {
		dir := filepath.Join(tree(t, c.files...), c.in)
		d := detectLanguage(dir)
		assert.Equal(t, c.want, d.language.name, "%v: %s", c.files, c.reason)
		assert.Equal(t, c.want == "curl", d.evidence == "", c.reason)
	}
	d := detectLanguage(filepath.Join(t.TempDir(), "gone"))
	assert.Equal(t, "curl", d.language.name, "a directory that is not there")
}

// Looking is bounded, however large the tree.
func TestDetectLanguageIsBounded(t *testing.T) {
	var files []string
	for i := range 10 {
		for j := range 10 {
			files = append(files, fmt.Sprintf("d%02d/%03d.txt", i, j))
		}
	}
	const most = 50
	c := counter{exts: make(map[string]int), left: most}
	c.count(tree(t, files...), 1)
	total := 0
	for _, n := range c.exts {
		total += n
	}
	assert.Positive(t, total)
	assert.LessOrEqual(t, total, most)

	_, n := mostFiles(tree(t, "a/b/c/x.go", "a/b/y.go"), languages())
	assert.Equal(t, 1, n, "not deeper than %d levels", maxDeep)
}

func TestOnlyOneReference(t *testing.T) {
	text := promptOf(t, &Options{Features: []string{FeatureAPIGuide}}, "claude-api")
	headings := map[string]string{
		"go": "# Anthropic API in Go", "python": "# Anthropic API in Python",
		"typescript": "# Anthropic API in TypeScript and JavaScript", "curl": "# Anthropic API over HTTP, with curl",
	}
	project := tree(t, "go.mod")
	for _, c := range []struct{ args, want, task, reason string }{
		{"", "go", "named no task", "05 §3: the project's language"},
		{"add streaming", "go", "> add streaming", "the arguments are the task"},
		{"python add streaming", "python", "> add streaming", "the user's word beats the project"},
		{"TS", "typescript", "named no task", "a short word, any case"},
		{"curl how do batches work", "curl", "> how do batches work", "no SDK"},
		{"ruby client", "curl", "> client", "a language without a reference of its own"},
	} {
		got := text(skills.PromptContext{Dir: project, Args: c.args})
		for lang, h := range headings {
			if lang == c.want {
				assert.Contains(t, got, "\n"+h+"\n", "%q: %s", c.args, c.reason)
			} else {
				assert.NotContains(t, got, "\n"+h+"\n", "%q: only that one", c.args)
			}
		}
		assert.Contains(t, got, c.task, c.args)
	}
	got := text(skills.PromptContext{Dir: project, Base: "/base"})
	assert.Contains(t, got, "`/base/python.md`, `/base/typescript.md`, `/base/curl.md`", "the others are on disk")
	assert.NotContains(t, got, "/base/go.md")
	assert.Contains(t, text(skills.PromptContext{Dir: t.TempDir()}), "Nothing shows which language")
}

// The references agree on what each must show.
func TestReferencesAreComplete(t *testing.T) {
	for _, lang := range []string{"go", "python", "typescript", "curl"} {
		doc, err := embedded.ReadFile("files/claude-api/" + lang + ".md")
		require.NoError(t, err)
		for _, heading := range []string{"## One call", "## Streaming", "## Tools", "## Prompt caching", "## Errors", "## Batches and counting"} {
			assert.Contains(t, string(doc), "\n"+heading, lang)
		}
		assert.Contains(t, string(doc), "MODEL_ID", "%s: the model is the host's", lang)
		assert.Contains(t, string(doc), "ANTHROPIC_API_KEY", lang)
	}
}
