package lint

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/seed-12b313d8/skills"
)

// A findings is what a test expects: "code:line", sorted by line.
type findings = []string

// only returns "code:line" of the issues whose code begins with one of the
// prefixes.
func only(issues []skills.Issue, prefixes ...string) findings {
	out := findings{}
	for _, i := range issues {
		if slices.ContainsFunc(prefixes, func(p string) bool { return strings.HasPrefix(string(i.Code), p) }) {
			out = append(out, fmt.Sprintf("%s:%d", string(i.Code), i.Line))
		}
	}
	return out
}

// wellFormed checks what every issue has to have.
func wellFormed(t *testing.T, issues []skills.Issue, path string) {
	t.Helper()
	line := 0
	for _, i := range issues {
		assert.Equal(t, path, i.Path)
		assert.NotEmpty(t, i.Code)
		assert.NotEmpty(t, i.Msg)
		assert.NotEmpty(t, i.Hint, "%s", string(i.Code))
		assert.Contains(t, []string{sevError, sevWarning, sevInfo}, i.Severity)
		assert.LessOrEqual(t, line, i.Line, "sorted by line")
		line = i.Line
		if strings.HasPrefix(string(i.Code), "format-") {
			assert.Equal(t, sevError, i.Severity, "%s", string(i.Code))
		}
	}
}

// document checks text as the SKILL.md of the folder x.
func document(t *testing.T, text string, o Options) []skills.Issue {
	t.Helper()
	o.Folder = "x"
	issues := Document([]byte(text), "x/SKILL.md", &o)
	wellFormed(t, issues, "x/SKILL.md")
	return issues
}

func reasoned(t *testing.T, reason string) {
	t.Helper()
	require.NotEmpty(t, reason)
}
