package main

import (
	"bytes"
	"encoding/json"
	"flag"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/seed-12b313d8/skills"
)

// These tests compare docs/skillctl.md, which is a contract, with the program.

func contract(t *testing.T) string {
	t.Helper()
	doc, err := os.ReadFile("../../docs/skillctl.md")
	require.NoError(t, err)
	return string(doc)
}

// between returns what follows the first from up to the next to.
func between(t *testing.T, text, from, to string) string {
	t.Helper()
	_, rest, ok := strings.Cut(text, from)
	require.True(t, ok, "no %q", from)
	rest, _, _ = strings.Cut(rest, to)
	return rest
}

func TestDocumentedCommands(t *testing.T) {
	commandsIn := between(t, contract(t), "\n## Commands\n", "\n## ")
	source, err := os.ReadFile("main.go")
	require.NoError(t, err)
	var want, listed []string
	for _, c := range commands() {
		usage := strings.TrimSpace(c.name + " " + c.args)
		want = append(want, usage)
		assert.Contains(t, string(source), "\n//\tskillctl [flags] "+usage+"\n", "the package comment")
	}
	for _, h := range regexp.MustCompile(`(?m)^### (.+)$`).FindAllStringSubmatch(commandsIn, -1) {
		if !strings.Contains(h[1], "--pattern") { // a second form of paths
			listed = append(listed, h[1])
		}
	}
	assert.Equal(t, want, listed)
}

func TestDocumentedFlags(t *testing.T) {
	table := between(t, contract(t), "\n## Flags\n", "\n### ")
	var want, listed []string
	new(flags).set().VisitAll(func(f *flag.Flag) {
		arg, _ := flag.UnquoteUsage(f)
		want = append(want, strings.TrimSpace("--"+f.Name+" "+arg))
	})
	for _, row := range regexp.MustCompile("(?m)^\\| `(--[^`]+)` \\|").FindAllStringSubmatch(table, -1) {
		listed = append(listed, row[1])
	}
	assert.ElementsMatch(t, want, listed)
}

func TestDocumentedFeatures(t *testing.T) {
	text := between(t, contract(t), "\n### Bundled skills\n", "\n### ")
	names := between(t, text, "NAME is ", ", which is a host")
	var listed []string
	for _, m := range regexp.MustCompile("`([a-z-]+)`").FindAllStringSubmatch(names, -1) {
		listed = append(listed, m[1])
	}
	assert.ElementsMatch(t, features(), listed)
}

func TestDocumentedNumbers(t *testing.T) {
	doc := contract(t)
	for _, n := range []int{maxResults, maxLook, maxProbes, maxWalk, menuWidth, exitOK, exitFailed, exitUsage} {
		text := strconv.Itoa(n)
		if n >= 1000 {
			text = text[:len(text)-3] + "," + text[len(text)-3:]
		}
		assert.Regexp(t, `\b`+text+`\b`, doc)
	}
	assert.Equal(t, "10", new(flags).set().Lookup("limit").DefValue)
	assert.Contains(t, doc, "1 to 1,000, default 10 |")
}

// The shapes of --json are those of the types that are printed.
func TestDocumentedShapes(t *testing.T) {
	doc := contract(t)
	for command, v := range map[string]any{
		"list": listJSON{}, "listing": listingJSON{}, "menu": menuJSON{}, "search": searchJSON{}, "invoke": outcomeJSON{},
		"touch": touchJSON{}, "paths": pathsJSON{}, "watch": changeJSON{}, "lint": lintJSON{},
	} {
		text := between(t, doc, "\n### "+command, "\n### ")
		if command == "paths" { // with a heading for each form
			text = between(t, doc, "\n### paths --pattern", "\n### ")
		}
		want := regexp.QuoteMeta(shapeOf(reflect.TypeOf(v)))
		assert.Regexp(t, "(?m)^(`"+want+"`|    "+want+")$", text, command)
	}
	s := fieldsOf(reflect.TypeFor[skillJSON]())
	assert.Contains(t, strings.Join(strings.Fields(doc), " "), "S is a skill: `"+strings.Join(s, ", ")+"`.")
	assert.Contains(t, doc, "I is an issue: `"+strings.Join(fieldsOf(reflect.TypeFor[skills.Issue]()), ", ")+"`.")
	assert.Contains(t, doc, `{"error":`+shapeOf(reflect.TypeFor[errorJSON]())+`}`)
}

// shapeOf writes the JSON of a type as the documentation does.
func shapeOf(typ reflect.Type) string {
	switch {
	case typ == reflect.TypeFor[skillJSON]():
		return "S"
	case typ == reflect.TypeFor[skills.Issue]():
		return "I"
	case typ.Kind() == reflect.Slice:
		return "[" + shapeOf(typ.Elem()) + "…]"
	case typ.Kind() != reflect.Struct:
		return ""
	}
	var fields []string
	for f := range typ.Fields() {
		field := strconv.Quote(f.Tag.Get("json"))
		if shape := shapeOf(f.Type); shape != "" {
			field += ":" + shape
		}
		fields = append(fields, field)
	}
	return "{" + strings.Join(fields, ",") + "}"
}

// fieldsOf returns the JSON names of a struct's fields that are always there.
func fieldsOf(typ reflect.Type) []string {
	var out []string
	for f := range typ.Fields() {
		if name, _, optional := strings.Cut(f.Tag.Get("json"), ","); !optional {
			out = append(out, name)
		}
	}
	return out
}

// An explanation is printed by the library.
func TestDocumentedExplanation(t *testing.T) {
	text := between(t, contract(t), "\n### explain", "\n### ")
	root := tree(t)
	out, errs, code := ctl(t, "explain", "both", "--json", "--project", filepath.Join(root, "proj"), "--home", filepath.Join(root, "home"))
	require.Equal(t, exitOK, code, errs)
	var v struct {
		Winner json.RawMessage `json:"winner"`
	}
	require.NoError(t, json.Unmarshal([]byte(out), &v))
	assert.Contains(t, text, "C is `"+strings.Join(keysOf(t, v.Winner), ", ")+"`;")
	shape := between(t, text, "\n`{", "}`\n")
	var listed []string
	for _, m := range regexp.MustCompile(`"([a-z]+)"`).FindAllStringSubmatch(shape, -1) {
		listed = append(listed, m[1])
	}
	assert.Equal(t, keysOf(t, []byte(out)), listed)
}

// keysOf returns the keys of a JSON object in their order.
func keysOf(t *testing.T, object []byte) []string {
	t.Helper()
	d := json.NewDecoder(bytes.NewReader(object))
	_, err := d.Token()
	require.NoError(t, err)
	var out []string
	for d.More() {
		key, err := d.Token()
		require.NoError(t, err)
		out = append(out, key.(string))
		var value json.RawMessage
		require.NoError(t, d.Decode(&value))
	}
	return out
}

// The codes of errors are those of the library, under the names that --json
// gives them, and io for an error of the system.
func TestDocumentedCodes(t *testing.T) {
	want := []string{"io"}
	f, err := parser.ParseFile(token.NewFileSet(), "../../errors.go", nil, 0)
	require.NoError(t, err)
	ast.Inspect(f, func(n ast.Node) bool {
		spec, ok := n.(*ast.ValueSpec)
		if !ok || !strings.HasPrefix(spec.Names[0].Name, "Code") {
			return true
		}
		code, err := strconv.Unquote(spec.Values[0].(*ast.BasicLit).Value)
		require.NoError(t, err)
		want = append(want, errorOf(&skills.Error{Issue: skills.Issue{Code: skills.Code(code)}}).Code)
		return true
	})
	require.Greater(t, len(want), 10)
	slices.Sort(want)
	listed := strings.FieldsFunc(between(t, contract(t), "\n## Error codes\n\n`", "`"), func(r rune) bool { return strings.ContainsRune(", \n", r) })
	assert.ElementsMatch(t, slices.Compact(want), listed)
}
