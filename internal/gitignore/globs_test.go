package gitignore

import (
	"bufio"
	"compress/gzip"
	"encoding/json"
	"os"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A globRow is one recorded pattern list. The value of a path is two
// characters: what npm `ignore` answers, folding letter case, and what git
// answers, telling it apart.
type globRow struct {
	ID       int               `json:"id"`
	Kind     string            `json:"kind"`
	Patterns []string          `json:"patterns"`
	Paths    map[string]string `json:"paths"`
}

// braced reports whether a pattern of the row has a brace group. The recorded
// answers know none.
func (r globRow) braced() bool {
	return slices.ContainsFunc(r.Patterns, func(p string) bool {
		b := newBudget()
		list, _ := b.expand(p)
		return len(list) > 1
	})
}

func readGlobs(t *testing.T) []globRow {
	t.Helper()
	f, err := os.Open("testdata/globs.jsonl.gz")
	require.NoError(t, err)
	defer f.Close()
	z, err := gzip.NewReader(f)
	require.NoError(t, err)
	var rows []globRow
	lines := bufio.NewScanner(z)
	for lines.Scan() {
		var row globRow
		require.NoError(t, json.Unmarshal(lines.Bytes(), &row))
		rows = append(rows, row)
	}
	require.NoError(t, lines.Err())
	return rows
}

// TestRecordedGlobs holds the default mode against every recorded answer of
// npm `ignore` (03 A11). Rows with a brace group are asked with
// [Options.LiteralBraces], because 03 A5 wants groups expanded where the
// reference has none; all others with the default options.
func TestRecordedGlobs(t *testing.T) {
	checks, braced := 0, 0
	for _, row := range readGlobs(t) {
		o := Options{LiteralBraces: row.braced()}
		if o.LiteralBraces {
			braced++
		}
		l := Compile(row.Patterns, o)
		for path, want := range row.Paths {
			checks++
			assert.Equalf(t, want[0] == '1', l.Match(path), "row %d (%s): %q on %q", row.ID, row.Kind, row.Patterns, path)
		}
	}
	assert.Equal(t, 18287, checks)
	assert.Equal(t, 22, braced)
}

// TestRecordedGlobsCaseSensitive holds the case-sensitive mode against every
// recorded answer of git (03 A11). What differs is exactly what the package
// documents: git compares bytes, and widens stars glued to literal text.
func TestRecordedGlobsCaseSensitive(t *testing.T) {
	differ := make(map[string]int)
	for _, row := range readGlobs(t) {
		l := Compile(row.Patterns, Options{CaseSensitive: true, LiteralBraces: row.braced()})
		for path, want := range row.Paths {
			if l.Match(path) != (want[1] == '1') {
				reason := documentedDifference(row.Patterns, path)
				assert.NotEmptyf(t, reason, "row %d (%s): %q on %q", row.ID, row.Kind, row.Patterns, path)
				differ[reason]++
			}
		}
	}
	assert.Equal(t, map[string]int{"code points, not bytes": 35, "stars glued to literal text": 2}, differ)
}

// TestRecordedGlobsAsIgnoreFile holds ignore files against the same answers of
// git: here nothing differs (03 §3).
func TestRecordedGlobsAsIgnoreFile(t *testing.T) {
	for _, row := range readGlobs(t) {
		p := &program{mode: octets, scope: oneEntry}
		for _, line := range row.Patterns {
			p.add(line)
		}
		for path, want := range row.Paths {
			assert.Equalf(t, want[1] == '1', p.matches(octets.text(path)),
				"row %d (%s): %q on %q", row.ID, row.Kind, row.Patterns, path)
		}
	}
}
