package skills_test

import (
	"bytes"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// These tests hold the repository to its own rules (docs/design.md).

const module = "github.com/seed-12b313d8/skills"

// A goFile is one parsed source file of the root module; pkg is its folder,
// "." for the root package.
type goFile struct {
	path, pkg string
	test      bool
	lines     int
	code      int // lines that are neither blank nor comment
	ast       *ast.File
}

func goFiles(t *testing.T) []goFile {
	t.Helper()
	var out []goFile
	fset := token.NewFileSet()
	err := filepath.WalkDir(".", func(p string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			if p != "." && (strings.HasPrefix(d.Name(), ".") || d.Name() == "testdata" || nestedModule(p)) {
				return fs.SkipDir
			}
			return nil
		}
		if !strings.HasSuffix(p, ".go") {
			return nil
		}
		text, err := os.ReadFile(p)
		if err != nil {
			return err
		}
		f, err := parser.ParseFile(fset, p, text, parser.ParseComments)
		if err != nil {
			return err
		}
		p = filepath.ToSlash(p)
		out = append(out, goFile{p, path.Dir(p), strings.HasSuffix(p, "_test.go"), bytes.Count(text, []byte{'\n'}), codeLines(text), f})
		return nil
	})
	require.NoError(t, err)
	require.Greater(t, len(out), 30, "the walk found the sources")
	return out
}

func codeLines(text []byte) int {
	n := 0
	for l := range bytes.Lines(text) {
		if l = bytes.TrimSpace(l); len(l) > 0 && !bytes.HasPrefix(l, []byte("//")) {
			n++
		}
	}
	return n
}

func nestedModule(dir string) bool {
	_, err := os.Stat(filepath.Join(dir, "go.mod"))
	return err == nil
}

func imports(f *ast.File) []string {
	var out []string
	for _, i := range f.Imports {
		p, _ := strconv.Unquote(i.Path.Value)
		out = append(out, p)
	}
	return out
}

// The root neither starts processes nor opens connections, internal packages
// do not know the root, and examples are known to nobody.
func TestRuleImportDirections(t *testing.T) {
	for _, f := range goFiles(t) {
		if f.test {
			continue
		}
		for _, imp := range imports(f.ast) {
			internal := f.pkg == "internal" || strings.HasPrefix(f.pkg, "internal/")
			switch {
			case imp == "os/exec" && strings.HasPrefix(f.pkg, "bench/"): // programs of developers
			case imp == "os/exec":
				assert.Equal(t, "osshell", f.pkg, "%s imports %s", f.path, imp)
			case imp == "net" || strings.HasPrefix(imp, "net/"):
				assert.Equal(t, "remote", f.pkg, "%s imports %s", f.path, imp)
			case internal && strings.HasPrefix(imp, module) && !strings.HasPrefix(imp, module+"/internal/"):
				t.Errorf("%s imports %s: internal packages do not know the root", f.path, imp)
			case f.pkg == "." && strings.HasPrefix(imp, module) && !strings.HasPrefix(imp, module+"/internal/"):
				t.Errorf("%s imports %s: the root knows internal packages only", f.path, imp)
			case strings.HasPrefix(imp, module+"/examples"):
				t.Errorf("%s imports an example", f.path)
			case strings.HasSuffix(imp, "/testkit"):
				t.Errorf("%s imports testkit outside a test", f.path)
			}
		}
	}
}

// Each third-party module has one importer, the system's calls have two, and the public API names no type
// of any.
func TestRuleThirdParty(t *testing.T) {
	importer := map[string]string{
		"github.com/adrg/frontmatter":      "internal/frontmatter",
		"gopkg.in/yaml.v3":                 "internal/frontmatter",
		"github.com/sabhiram/go-gitignore": "internal/gitignore",
		"github.com/fsnotify/fsnotify":     "internal/fswatch",
		"golang.org/x/text/unicode/norm":   "internal/names",
		"github.com/rivo/uniseg":           "internal/line",
		"mvdan.cc/sh/v3/syntax":            "internal/shellspan",
		"golang.org/x/sys/unix":            "internal/readfile internal/atomicfile",
		"github.com/stretchr/testify":      "tests",
		"go.uber.org/goleak":               "tests",
		"mvdan.cc/sh/v3/shell":             "tests",
		"github.com/rogpeppe/go-internal":  "tests",
	}
	for _, f := range goFiles(t) {
		for _, imp := range imports(f.ast) {
			if first, _, _ := strings.Cut(imp, "/"); !strings.Contains(first, ".") || strings.HasPrefix(imp, module) {
				continue
			}
			known := false
			for prefix, owner := range importer {
				if imp != prefix && !strings.HasPrefix(imp, prefix+"/") {
					continue
				}
				known = true
				assert.True(t, f.test || slices.Contains(strings.Fields(owner), f.pkg), "%s imports %s, which belongs to %s", f.path, imp, owner)
			}
			assert.True(t, known, "%s imports %s: argue for it in docs/design.md and add it here", f.path, imp)
		}
	}
}

// The public API names no type of another module or of an internal package.
func TestRuleOwnTypes(t *testing.T) {
	for _, f := range goFiles(t) {
		if f.test || strings.HasPrefix(f.pkg, "internal/") || f.ast.Name.Name == "main" {
			continue
		}
		foreign := make(map[string]bool)
		for _, imp := range imports(f.ast) {
			first, _, _ := strings.Cut(imp, "/")
			foreign[path.Base(imp)] = strings.HasPrefix(imp, module+"/internal/") || strings.Contains(first, ".") && !strings.HasPrefix(imp, module)
		}
		for _, decl := range f.ast.Decls {
			for _, typ := range publicTypes(decl) {
				ast.Inspect(typ, func(n ast.Node) bool {
					if sel, ok := n.(*ast.SelectorExpr); ok {
						if id, ok := sel.X.(*ast.Ident); ok {
							assert.False(t, foreign[id.Name], "%s: the API names %s.%s", f.path, id.Name, sel.Sel.Name)
						}
					}
					return true
				})
			}
		}
	}
}

// publicTypes returns the parts of a declaration that users see: signatures,
// exported fields, and the types of exported names.
func publicTypes(decl ast.Decl) []ast.Node {
	var out []ast.Node
	switch d := decl.(type) {
	case *ast.FuncDecl:
		if d.Name.IsExported() && exportedReceiver(d) {
			out = append(out, d.Type)
		}
	case *ast.GenDecl:
		for _, spec := range d.Specs {
			s, ok := spec.(*ast.TypeSpec)
			if !ok || !s.Name.IsExported() {
				continue
			}
			st, ok := s.Type.(*ast.StructType)
			if !ok {
				out = append(out, s.Type)
				continue
			}
			for _, field := range st.Fields.List {
				if len(field.Names) == 0 || field.Names[0].IsExported() {
					out = append(out, field.Type)
				}
			}
		}
	}
	return out
}

// Every exported name of a public package is documented, and every package.
func TestRuleDocumented(t *testing.T) {
	documented := make(map[string]bool)
	packages := make(map[string]bool)
	for _, f := range goFiles(t) {
		if f.test {
			continue
		}
		packages[f.pkg] = true
		documented[f.pkg] = documented[f.pkg] || f.ast.Doc != nil
		if f.ast.Name.Name == "main" {
			continue
		}
		for _, decl := range f.ast.Decls {
			undocumented(decl, func(name string) { t.Errorf("%s: %s has no doc comment", f.path, name) })
		}
	}
	for p := range packages {
		assert.True(t, documented[p], "package %s has no package comment", p)
	}
}

func undocumented(decl ast.Decl, report func(string)) {
	switch d := decl.(type) {
	case *ast.FuncDecl:
		if d.Name.IsExported() && d.Doc == nil && exportedReceiver(d) && !trivialMethod(d) {
			report(d.Name.Name)
		}
	case *ast.GenDecl:
		for _, spec := range d.Specs {
			switch s := spec.(type) {
			case *ast.TypeSpec:
				if s.Name.IsExported() && d.Doc == nil && s.Doc == nil {
					report(s.Name.Name)
				}
			case *ast.ValueSpec:
				for _, n := range s.Names {
					if n.IsExported() && d.Doc == nil && s.Doc == nil && s.Comment == nil {
						report(n.Name)
					}
				}
			}
		}
	}
}

// trivialMethod reports whether the name and signature of a method say all:
// those of error and flag.Value.
func trivialMethod(d *ast.FuncDecl) bool {
	return d.Recv != nil && slices.Contains([]string{"Error", "Unwrap", "Set"}, d.Name.Name)
}

func exportedReceiver(d *ast.FuncDecl) bool {
	if d.Recv == nil {
		return true
	}
	typ := d.Recv.List[0].Type
	if star, ok := typ.(*ast.StarExpr); ok {
		typ = star.X
	}
	id, ok := typ.(*ast.Ident)
	return ok && id.IsExported()
}

func TestRuleSizes(t *testing.T) {
	root, exported := 0, 0
	for _, f := range goFiles(t) {
		if !f.test {
			assert.LessOrEqual(t, f.lines, 500, "%s has too many lines", f.path)
		}
		if f.test || f.pkg != "." {
			continue
		}
		root += f.code
		for _, decl := range f.ast.Decls {
			exported += countExported(decl)
		}
	}
	t.Logf("root package: %d lines of code, %d exported names with methods", root, exported)
	assert.LessOrEqual(t, root, 5000, "the root can be read in an afternoon")
	assert.LessOrEqual(t, exported, 157)
}

func countExported(decl ast.Decl) int {
	n := 0
	switch d := decl.(type) {
	case *ast.FuncDecl:
		if d.Name.IsExported() && exportedReceiver(d) {
			n++
		}
	case *ast.GenDecl:
		for _, spec := range d.Specs {
			switch s := spec.(type) {
			case *ast.TypeSpec:
				if s.Name.IsExported() {
					n++
				}
			case *ast.ValueSpec:
				for _, name := range s.Names {
					if name.IsExported() {
						n++
					}
				}
			}
		}
	}
	return n
}

// No package keeps state of its own: no init, and no variable but errors,
// tables that nobody changes, and interface checks.
func TestRuleNoGlobalState(t *testing.T) {
	for _, f := range goFiles(t) {
		if f.test || f.ast.Name.Name == "main" {
			continue
		}
		for _, decl := range f.ast.Decls {
			switch d := decl.(type) {
			case *ast.FuncDecl:
				assert.False(t, d.Recv == nil && d.Name.Name == "init", "%s has an init", f.path)
			case *ast.GenDecl:
				for _, name := range variables(d) {
					ok := strings.HasPrefix(name, "Err") || strings.HasPrefix(name, "err") || name == "_" || !ast.IsExported(name)
					assert.True(t, ok, "%s has the exported variable %s", f.path, name)
					assert.False(t, f.pkg == "." && name != "_", "%s has the variable %s", f.path, name)
				}
			}
		}
	}
}

func variables(d *ast.GenDecl) []string {
	var out []string
	if d.Tok != token.VAR {
		return nil
	}
	for _, spec := range d.Specs {
		for _, n := range spec.(*ast.ValueSpec).Names {
			out = append(out, n.Name)
		}
	}
	return out
}
