package bundled

import (
	"encoding/json"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os/exec"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// What a lone clone can check of the code in the references of claude-api is
// their syntax. That names exist was checked against the SDKs by hand; the
// texts say how to look them up.

// A snippet is a fenced block of code in a file.
type snippet struct{ file, code string }

// snippets returns the blocks of a language in our own texts, and requires some.
func snippets(tb testing.TB, lang string) []snippet {
	tb.Helper()
	block := regexp.MustCompile("(?ms)^```" + lang + "\n(.*?)^```$")
	var out []snippet
	err := fs.WalkDir(embedded, ".", func(p string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(p, ".md") || !strings.Contains(p, "claude-api") {
			return err
		}
		text, err := embedded.ReadFile(p)
		for _, m := range block.FindAllStringSubmatch(string(text), -1) {
			out = append(out, snippet{p, m[1]})
		}
		return err
	})
	require.NoError(tb, err)
	require.NotEmpty(tb, out, lang)
	return out
}

func TestGoSnippetsParse(t *testing.T) {
	imported := make(map[string]bool)
	used := make(map[string]bool)
	for _, s := range snippets(t, "go") {
		imports, code := "", s.code
		if end := strings.Index(code, "\n)\n"); strings.HasPrefix(code, "import (") {
			imports, code = code[:end+3], code[end+3:]
		}
		f, err := parser.ParseFile(token.NewFileSet(), s.file, "package p\n"+imports+"func f() error {\n"+code+"\nreturn nil\n}\n", parser.SkipObjectResolution)
		require.NoError(t, err, "%s:\n%s", s.file, code)
		for _, i := range f.Imports {
			path := strings.Trim(i.Path.Value, `"`)
			imported[path[strings.LastIndex(path, "/")+1:]] = true
			assert.True(t, strings.HasPrefix(path, "github.com/anthropics/anthropic-sdk-go/v2"), path)
		}
		ast.Inspect(f, func(n ast.Node) bool {
			if sel, ok := n.(*ast.SelectorExpr); ok {
				if x, ok := sel.X.(*ast.Ident); ok {
					used[x.Name] = true
				}
			}
			return true
		})
	}
	assert.Equal(t, map[string]bool{"v2": true, "option": true}, imported, "the packages that the code uses")
	assert.True(t, used["anthropic"] && used["option"])
}

// checked runs an interpreter that only looks at the syntax of what it reads.
func checked(t *testing.T, s snippet, name string, args ...string) {
	t.Helper()
	path, err := exec.LookPath(name)
	if err != nil {
		t.Skipf("%s is not installed", name)
	}
	cmd := exec.CommandContext(t.Context(), path, args...)
	cmd.Stdin, cmd.Dir = strings.NewReader(s.code), t.TempDir()
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, "%s: %s\n%s", s.file, out, s.code)
}

func TestPythonSnippetsParse(t *testing.T) {
	for _, s := range snippets(t, "python") {
		checked(t, s, "python3", "-c", "import ast, sys; ast.parse(sys.stdin.read())")
	}
}

func TestShellSnippetsParse(t *testing.T) {
	for _, s := range snippets(t, "bash") {
		checked(t, s, "bash", "-n")
	}
}

func TestJSONSnippetsParse(t *testing.T) {
	for _, s := range snippets(t, "json") {
		assert.True(t, json.Valid([]byte(s.code)), "%s:\n%s", s.file, s.code)
	}
	text, err := embedded.ReadFile("files/claude-api/curl.md")
	require.NoError(t, err)
	events := regexp.MustCompile(`(?m)^ +event: (\w+)\n +data: (.*)$`).FindAllStringSubmatch(string(text), -1)
	require.Len(t, events, 6)
	for _, e := range events {
		var data struct{ Type string }
		require.NoError(t, json.Unmarshal([]byte(e[2]), &data), e[2])
		assert.Equal(t, e[1], data.Type, "an event and its data have one type")
	}
}

// There is no parser of TypeScript here; its brackets and quotes say a lot.
func TestTypeScriptSnippetsAreBalanced(t *testing.T) {
	for _, s := range snippets(t, "ts") {
		assert.Empty(t, unbalanced(s.code), "%s:\n%s", s.file, s.code)
	}
	for _, c := range []struct{ code, want, reason string }{
		{"f({a: [1]}); // )", "", "comments do not count"},
		{"f('(', \"]\")", "", "strings do not count"},
		{"f((1)", "(", "never closed"},
		{"f(1])", "]", "closed by another"},
		{"x)", ")", "never opened"},
		{"'x", "'", "a string without an end"},
	} {
		assert.Equal(t, c.want, unbalanced(c.code), c.reason)
	}
}

var plainStrings = regexp.MustCompile(`(?m)'[^'\n]*'|"[^"\n]*"|//.*$`)

// unbalanced returns the first sign in code that has no partner.
func unbalanced(code string) string {
	const opening, closing = "([{", ")]}"
	var open []rune
	for _, r := range plainStrings.ReplaceAllString(code, "") {
		switch i := strings.IndexRune(closing, r); {
		case strings.ContainsRune(opening, r):
			open = append(open, r)
		case r == '\'' || r == '"':
			return string(r)
		case i < 0:
		case len(open) == 0 || open[len(open)-1] != rune(opening[i]):
			return string(r)
		default:
			open = open[:len(open)-1]
		}
	}
	if len(open) > 0 {
		return string(open[0])
	}
	return ""
}

// Facts in which these texts have been wrong, or which differ by release.
func TestFacts(t *testing.T) {
	files := map[string]string{}
	for _, p := range []string{"skills/claude-api/SKILL.md", "files/claude-api/go.md", "files/claude-api/python.md", "files/claude-api/typescript.md", "files/claude-api/curl.md"} {
		text, err := embedded.ReadFile(p)
		require.NoError(t, err)
		files[p[strings.LastIndex(p, "/")+1:]] = strings.Join(strings.Fields(string(text)), " ")
	}
	for _, c := range []struct{ file, says, not, reason string }{
		{"SKILL.md", "the key as `authorization: Bearer KEY` instead of `x-api-key`", "", "the SDKs for version 2026-10-21 changed the header"},
		{"go.md", "`authorization: Bearer KEY`", "", "the same"},
		{"python.md", "`authorization: Bearer KEY`", "", "the same"},
		{"typescript.md", "`authorization: Bearer KEY`", "", "the same"},
		{"curl.md", "x-api-key: %s", "", "plain HTTP has the header of the reference"},
		{"SKILL.md", "refuses them with 400 whatever their value", "`temperature` | optional", "no sampling parameters in version 2026-10-21"},
		{"SKILL.md", "Creating a batch is another matter", "", "not every call is retried"},
		{"SKILL.md", "`output_config`", "output_format", "structured outputs have moved"},
		{"SKILL.md", "without this header", "", "a cap on spending is a 429 as well"},
		{"SKILL.md", "", "same body without `max_tokens`", "counting takes fewer fields"},
		{"go.md", "use.Input", "JSON.Input.Raw", "the input is raw JSON"},
		{"python.md", "httpx2", "", "from 1.0 on"},
	} {
		if c.says != "" {
			assert.Contains(t, files[c.file], c.says, "%s: %s", c.file, c.reason)
		}
		if c.not != "" {
			assert.NotContains(t, files[c.file], c.not, "%s: %s", c.file, c.reason)
		}
	}
}
