package lint

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const docsFile = "../docs/skill-files.md"

// Each code that the sources use is in the table of docs/skill-files.md, and
// each of the table is in the sources.
func TestEveryCodeIsDocumented(t *testing.T) {
	used := make(codeSet)
	for _, files := range sources(t, "..") {
		used.collect(files)
	}
	for _, known := range []string{"denied", "too-large", "bad-field", "invalid-yaml", "bad-pattern", "listing-cut", "format-name", "shadowed", "grant-dropped"} {
		require.Contains(t, used, known, "the collector overlooks codes")
	}
	documented := documentedCodes(t)
	var missing, stale []string
	for _, code := range slices.Sorted(maps.Keys(used)) {
		if documented[code] == nil {
			missing = append(missing, code+" of package "+used[code])
		}
	}
	for _, code := range slices.Sorted(maps.Keys(documented)) {
		if used[code] == "" {
			stale = append(stale, code)
		}
	}
	assert.Empty(t, missing, "codes that %s does not explain", docsFile)
	assert.Empty(t, stale, "codes in %s that nothing uses", docsFile)
}

// documentedCodes returns the codes of the table, with severity, cause and
// cure.
func documentedCodes(t *testing.T) map[string][]string {
	t.Helper()
	text, err := os.ReadFile(docsFile)
	require.NoError(t, err)
	_, section, ok := strings.Cut(string(text), "\n## Issue codes\n")
	require.True(t, ok, "no section about issue codes")
	section, _, _ = strings.Cut(section, "\n## ")
	out := make(map[string][]string)
	for _, m := range regexp.MustCompile("(?m)^\\| `([a-z0-9-]+)` \\|(.*)\\|$").FindAllStringSubmatch(section, -1) {
		require.NotContains(t, out, m[1], "twice in the table")
		out[m[1]] = strings.Split(m[2], " | ")
		require.Len(t, out[m[1]], 3, "the row of %s has severity, cause and cure", m[1])
		for _, cell := range out[m[1]] {
			assert.NotEmpty(t, strings.TrimSpace(cell), "the row of %s", m[1])
		}
	}
	return out
}

// sources parses the packages of the module by folder, without tests, examples
// and nested modules.
func sources(t *testing.T, root string) map[string][]*ast.File {
	t.Helper()
	out := make(map[string][]*ast.File)
	fset := token.NewFileSet()
	err := filepath.WalkDir(root, func(path string, e fs.DirEntry, err error) error {
		switch name := e.Name(); {
		case err != nil:
			return err
		case e.IsDir() && path != root && (strings.HasPrefix(name, ".") || slices.Contains(noCodes(), name) || isModule(path)):
			return fs.SkipDir
		case e.IsDir() || !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go"):
			return nil
		}
		file, err := parser.ParseFile(fset, path, nil, 0)
		out[filepath.Dir(path)] = append(out[filepath.Dir(path)], file)
		return err
	})
	require.NoError(t, err)
	require.Greater(t, len(out), 10, "the walk found the packages")
	return out
}

// noCodes returns the folders without issue codes. In shellspan "code" is what
// interpreters run.
func noCodes() []string { return []string{"testdata", "examples", "bench", "shellspan"} }

func isModule(dir string) bool {
	_, err := os.Stat(filepath.Join(dir, "go.mod"))
	return err == nil
}

// A codeSet holds the codes found, each with a package that uses it. A code is
// a string in kebab case in one of these places:
//
//   - a constant or variable whose name begins with code, or of the type Code
//   - the field Code of a composite literal, or an assignment to one
//   - a conversion Code("…")
//   - an argument for a parameter called code of a function of the package
//   - a result of a function called code or that returns a Code
type codeSet map[string]string

// collect adds the codes of the files of one package.
func (c codeSet) collect(files []*ast.File) {
	params := make(map[string]int)
	for _, f := range files {
		for _, d := range f.Decls {
			if fn, ok := d.(*ast.FuncDecl); ok {
				if at := codeParam(fn.Type); at >= 0 {
					params[fn.Name.Name] = at
				}
			}
		}
	}
	for _, f := range files {
		ast.Inspect(f, func(n ast.Node) bool {
			c.node(n, params, f.Name.Name)
			return true
		})
	}
}

// codeParam returns the position of the parameter called code, or -1.
func codeParam(typ *ast.FuncType) int {
	at := 0
	for _, field := range typ.Params.List {
		for _, name := range field.Names {
			if name.Name == "code" {
				return at
			}
			at++
		}
		if len(field.Names) == 0 {
			at++
		}
	}
	return -1
}

func (c codeSet) node(n ast.Node, params map[string]int, pkg string) {
	switch n := n.(type) {
	case *ast.ValueSpec:
		for i, name := range n.Names {
			if i < len(n.Values) && (isCodeName(name) || n.Type != nil && isCodeName(n.Type)) {
				c.add(n.Values[i], pkg)
			}
		}
	case *ast.KeyValueExpr:
		if isCodeName(n.Key) {
			c.add(n.Value, pkg)
		}
	case *ast.AssignStmt:
		for i, left := range n.Lhs {
			if len(n.Lhs) == len(n.Rhs) && isCodeName(left) {
				c.add(n.Rhs[i], pkg)
			}
		}
	case *ast.CallExpr:
		name := nameOf(n.Fun)
		if at, ok := params[name]; ok && at < len(n.Args) {
			c.add(n.Args[at], pkg)
		}
		if name == "Code" && len(n.Args) == 1 {
			c.add(n.Args[0], pkg)
		}
	case *ast.FuncDecl:
		c.results(n, pkg)
	}
}

// results adds what a function that makes codes returns.
func (c codeSet) results(fn *ast.FuncDecl, pkg string) {
	makes := fn.Name.Name == "code" || fn.Type.Results != nil && slices.ContainsFunc(fn.Type.Results.List, func(f *ast.Field) bool { return isCodeName(f.Type) })
	if !makes || fn.Body == nil {
		return
	}
	ast.Inspect(fn.Body, func(n ast.Node) bool {
		if r, ok := n.(*ast.ReturnStmt); ok && len(r.Results) > 0 {
			c.add(r.Results[0], pkg)
		}
		return true
	})
}

// isCodeName reports whether e is a name such as Code, code, CodeDenied,
// codeBadName, or ends in one after a dot.
func isCodeName(e ast.Expr) bool { return strings.HasPrefix(strings.ToLower(nameOf(e)), "code") }

func nameOf(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.Ident:
		return e.Name
	case *ast.SelectorExpr:
		return e.Sel.Name
	}
	return ""
}

func (c codeSet) add(e ast.Expr, pkg string) {
	lit, ok := e.(*ast.BasicLit)
	if !ok || lit.Kind != token.STRING {
		return
	}
	text, err := strconv.Unquote(lit.Value)
	if err == nil && regexp.MustCompile("^[a-z][a-z0-9]*(-[a-z0-9]+)*$").MatchString(text) {
		c[text] = pkg
	}
}

// Whoever adds a code in one of the usual ways is caught.
func TestCollectorFindsNewCodes(t *testing.T) {
	for _, tt := range []struct{ reason, source string }{
		{"a constant by its name", `const CodeNew = "new-code"`},
		{"an unexported one", `const codeNew Code = "new-code"`},
		{"a constant by its type", `const unusual skills.Code = "new-code"`},
		{"a composite literal", `var _ = Issue{Msg: "m", Code: "new-code"}`},
		{"one behind a pointer and inside another", `var _ = &Error{Issue: Issue{Code: "new-code"}}`},
		{"a conversion", `var _ = Code("new-code")`},
		{"a conversion from another package", `var _ = skills.Code("new-code")`},
		{"an assignment", `func f() { p.Code = "new-code" }`},
		{"one of several assignments", `func f() { p.Code, p.Hint = "new-code", "h" }`},
		{"a local variable", `func f() { code := "new-code"; use(code) }`},
		{"a function of the package", `func report(line int, code string) {}; func f() { report(1, "new-code") }`},
		{"a method of the package", `func (p *T) issue(code Code, m string) {}; func f() { p.issue("new-code", "m") }`},
		{"a function that makes codes", `func pick() (Code, error) { return "new-code", nil }`},
		{"a method called code", `func (v T) code() string { return "new-code" }`},
	} {
		t.Run(tt.reason, func(t *testing.T) {
			require.NotEmpty(t, tt.reason)
			file, err := parser.ParseFile(token.NewFileSet(), "x.go", "package p\n"+strings.ReplaceAll(tt.source, "; func", "\nfunc"), 0)
			require.NoError(t, err)
			found := make(codeSet)
			found.collect([]*ast.File{file})
			assert.Equal(t, codeSet{"new-code": "p"}, found)
		})
	}
}
