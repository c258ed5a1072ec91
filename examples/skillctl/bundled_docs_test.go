package main

import (
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/seed-12b313d8/skills"
	"github.com/seed-12b313d8/skills/bundled"
)

// section returns what docs/skill-files.md says of the bundled skills.
func section(t *testing.T) string {
	t.Helper()
	doc, err := os.ReadFile("../../docs/skill-files.md")
	require.NoError(t, err)
	_, text, ok := strings.Cut(string(doc), "\n## Bundled skills\n")
	require.True(t, ok, "no section about bundled skills")
	text, _, _ = strings.Cut(text, "\n## ")
	return text
}

// tableOf returns the rows of the table of s whose header begins with title:
// the first column without backquotes, and the second.
func tableOf(t *testing.T, s, title string) map[string]string {
	t.Helper()
	_, rest, ok := strings.Cut(s, "\n| "+title+" |")
	require.True(t, ok, "no table about %s", title)
	rest, _, _ = strings.Cut(rest, "\n\n")
	out := make(map[string]string)
	for _, row := range regexp.MustCompile("(?m)^\\| `([a-z-]+)` \\| ([^|]+) \\|").FindAllStringSubmatch(rest, -1) {
		require.NotContains(t, out, row[1], "twice in the table")
		out[row[1]] = row[2]
	}
	return out
}

// The table says of each skill what opens it and who may call it, as the
// source does (05 §3).
func TestBundledTable(t *testing.T) {
	text, root := section(t), bare(t)
	table := tableOf(t, text, "skill")
	require.ElementsMatch(t, strings.Fields(allBundled), keys(table))
	for _, gate := range append(features(), featureNone) {
		there := field(ctlJSON(t, root, exitOK, "list", "--bundled", "--feature", gate)["skills"], "name")
		for name, when := range table {
			want := when == "always" || strings.Contains(when, "`"+gate+"`")
			assert.Equal(t, want, slices.Contains(there, name), "%s with %s", name, gate)
		}
	}
	for name, when := range table {
		who := "both"
		if userOnly(name) {
			who = "user"
		}
		assert.Contains(t, text, "\n| `"+name+"` | "+when+" | "+who+" | ")
	}
}

func keys(m map[string]string) []string {
	var out []string
	for k := range m {
		out = append(out, k)
	}
	return out
}

// The keys of Host are those that the source knows, and a host that says the
// defaults gets the texts of one that says nothing.
func TestBundledHostKeys(t *testing.T) {
	text := section(t)
	h := bundled.Host{Tools: tableOf(t, text, "`Tools`"), Paths: tableOf(t, text, "`Paths`")}
	unknown := map[string]string{"?": ""}
	l, err := bundled.Source(&bundled.Options{Host: bundled.Host{Tools: unknown, Paths: unknown}}).Load(t.Context())
	require.NoError(t, err)
	require.Len(t, l.Issues, 2)
	for i, table := range []map[string]string{h.Tools, h.Paths} {
		known := strings.Split(strings.TrimPrefix(l.Issues[i].Hint, "use one of "), ", ")
		assert.ElementsMatch(t, known, keys(table))
		for k, v := range table {
			table[k] = strings.Trim(v, "`")
		}
	}
	want := textsWith(t, bundled.Host{})
	assert.Equal(t, want, textsWith(t, h))
	for _, table := range []map[string]string{h.Tools, h.Paths} {
		for k, v := range table {
			table[k] = "other"
			assert.NotEqual(t, want, textsWith(t, h), "no text names %s", k)
			table[k] = v
		}
	}
}

// textsWith returns the texts of all bundled skills for a host.
func textsWith(t *testing.T, h bundled.Host) map[string]string {
	t.Helper()
	f := flags{bundled: true, features: multi{featureAll}}
	o := f.bundledOptions()
	o.Host = h
	l, err := bundled.Source(o).Load(t.Context())
	require.NoError(t, err)
	require.Empty(t, l.Issues)
	out := make(map[string]string)
	for _, s := range l.Skills {
		if s.Content.Prompt == nil {
			out[s.Name], err = s.Body(t.Context())
			require.NoError(t, err, s.Name)
			continue
		}
		blocks, err := s.Content.Prompt(t.Context(), skills.PromptContext{Dir: "../..", Args: "10 /words"})
		require.NoError(t, err, s.Name)
		out[s.Name] = skills.Text(blocks)
	}
	return out
}

// The keys of Call.Host are all there.
func TestBundledCallKeys(t *testing.T) {
	assert.ElementsMatch(t, []string{
		bundled.KeyLogPath, bundled.KeyDebugLogging, bundled.KeyEnableDebug, bundled.KeySessionMemory, bundled.KeyUserMessages,
	}, keys(tableOf(t, section(t), "key")))
}
