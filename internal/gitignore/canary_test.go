package gitignore

import (
	"testing"

	ignore "github.com/sabhiram/go-gitignore"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestLibraryDialect pins what the translation relies on, and the defects that
// make it necessary (03 A7). When a new version of the library fails here,
// translate must be looked at again.
func TestLibraryDialect(t *testing.T) {
	for _, row := range []struct {
		reason, line string
		yes, no      []string
	}{
		{
			reason: "relied on: a leading slash and a final $ leave exactly the text",
			line:   `/\x{61}$`,
			yes:    []string{"a"},
			no:     []string{"a/b", "b/a", "ab", "ba", "a/", "A"},
		},
		{
			reason: "relied on: hexadecimal characters are not rewritten",
			line:   `/\x{2a}\x{3f}\x{2e}\x{23}\x{21}\x{20}\x{5c}\x{65e5}$`,
			yes:    []string{`*?.#! \日`},
			no:     []string{`*?x#! \日`},
		},
		{
			reason: "relied on: counted repetition, groups and classes pass",
			line:   `/(|[\x{0}-\x{10FFFF}]{0,}/)[^/]{1,}\x{2e}[\x{61}-\x{63}](|/[\x{0}-\x{10FFFF}]{0,})$`,
			yes:    []string{"x.a", "p/q/x.b", "x.c/y", "p\n/x.a"},
			no:     []string{".a", "x.d", "x.a\n"},
		},
		{
			reason: "relied on: an excluding class may exclude everything",
			line:   "/" + noChar + "$",
			no:     []string{"", "a", "/", "\n"},
		},
		{
			reason: "relied on: broken bytes read as the replacement character",
			line:   `/\x{fffd}[^/]$`,
			yes:    []string{"\xff\xfe", "\ufffda"},
			no:     []string{"\xff"},
		},
		{reason: "defect: ? is an ordinary character", line: "a?.ts", yes: []string{"a?.ts"}, no: []string{"ab.ts"}},
		{reason: "defect: [!a] is not negated", line: "[!a]", yes: []string{"a"}, no: []string{"b"}},
		{reason: "defect: + repeats", line: "a+", yes: []string{"aa"}, no: []string{"a+"}},
		{reason: "defect: | splits the line", line: "a|b", yes: []string{"a|c", "b/x"}},
		{reason: "defect: an inner slash does not anchor", line: "a/b", yes: []string{"x/a/b"}},
		{reason: "defect: src/** matches src itself", line: "src/**", yes: []string{"src"}},
		{reason: "defect: a bad line is dropped in silence", line: "[abc", no: []string{"[abc", "a"}},
		{reason: "defect: braces are ordinary, or worse", line: "{a,b}.go", no: []string{"a.go", "b.go"}},
		{reason: "defect: / matches everything", line: "/", yes: []string{"a", "a/b"}},
	} {
		t.Run(row.reason, func(t *testing.T) {
			require.NotEmpty(t, row.reason, "a row needs a reason")
			m := ignore.CompileIgnoreLines(row.line)
			for _, path := range row.yes {
				assert.Truef(t, m.MatchesPath(path), "%q on %q", row.line, path)
			}
			for _, path := range row.no {
				assert.Falsef(t, m.MatchesPath(path), "%q on %q", row.line, path)
			}
		})
	}
}
