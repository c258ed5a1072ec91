package frontmatter

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// parse reads a whole file.
func parse(t *testing.T, file string) *Document {
	t.Helper()
	text, _ := Decode([]byte(file), true)
	d := new(Document)
	Parse(text, true, Limits{}, d)
	return d
}

// parseHeader reads a file with the given lines between its fences. The first
// of them is line 2 of the file.
func parseHeader(t *testing.T, lines ...string) *Document {
	t.Helper()
	return parse(t, "---\n"+strings.Join(lines, "\n")+"\n---\nBody.\n")
}

// get returns the last field with the given key.
func get(t *testing.T, d *Document, key string) Field {
	t.Helper()
	for _, f := range slices.Backward(d.Fields) {
		if f.Key == key {
			return f
		}
	}
	require.Failf(t, "missing field", "%s in %s", key, dump(d.Fields))
	return Field{}
}

// dump writes fields on one line: key=value, with marks for all that is not a
// plain scalar: "" quoted, [] and {} in brackets, - and : in blocks, ? guessed,
// ! lost, ~ null.
func dump(fields []Field) string {
	texts := make([]string, len(fields))
	for i, f := range fields {
		texts[i] = f.Key + "=" + dumpValue(f.Value)
	}
	return strings.Join(texts, " | ")
}

func dumpValue(v Value) string {
	mark := ""
	if v.Guessed {
		mark += "?"
	}
	if v.Lost {
		mark += "!"
	}
	switch {
	case v.Kind == Null:
		return mark + "~" + v.Text
	case v.Kind == Scalar && v.Quoted:
		return mark + fmt.Sprintf("%q", v.Text)
	case v.Kind == Scalar:
		return mark + v.Text
	case v.Kind == Map && v.Flow:
		return mark + "{" + dump(v.Fields) + "}"
	case v.Kind == Map:
		return mark + ":(" + dump(v.Fields) + ")"
	}
	items := make([]string, len(v.Items))
	for i, item := range v.Items {
		items[i] = dumpValue(item)
	}
	if v.Flow {
		return mark + "[" + strings.Join(items, ", ") + "]"
	}
	return mark + "-(" + strings.Join(items, ", ") + ")"
}

// problems lists codes, lines and keys: code:line or code:line:key.
func problems(d *Document) []string {
	list := make([]string, 0, len(d.Problems))
	for _, p := range d.Problems {
		text := fmt.Sprintf("%s:%d", p.Code, p.Line)
		if p.Key != "" {
			text += ":" + p.Key
		}
		list = append(list, text)
	}
	return list
}

// row runs one row of a table as a subtest. A row has to say which rule it is
// about.
func row(t *testing.T, name, reason string, test func(t *testing.T)) {
	t.Helper()
	require.NotEmpty(t, reason, "row %q has no reason", name)
	t.Run(name, test)
}

// sharedDir returns a folder of test data that is not part of the repository,
// or skips the test.
func sharedDir(t *testing.T, variable, name string) string {
	t.Helper()
	dir := os.Getenv(variable)
	if dir == "" {
		dir = filepath.Join("..", "..", "..", "shared", name)
	}
	if _, err := os.Stat(dir); err != nil {
		t.Skipf("no %s: set %s to run this test", name, variable)
	}
	return dir
}
