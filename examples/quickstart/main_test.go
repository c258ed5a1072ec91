package main

import (
	"bytes"
	"context"
	"flag"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

var update = flag.Bool("update", false, "write what the quickstart prints into the README")

// The README shows what the quickstart prints.
func TestReadme(t *testing.T) {
	const readme, begin, end = "../../README.md", "<!-- quickstart -->\n```\n", "```\n<!-- /quickstart -->"
	var out bytes.Buffer
	require.NoError(t, run(context.Background(), &out, "../../testdata/quickstart"))
	text, err := os.ReadFile(readme)
	require.NoError(t, err)
	head, rest, ok := strings.Cut(string(text), begin)
	require.True(t, ok)
	shown, tail, ok := strings.Cut(rest, end)
	require.True(t, ok)
	if *update {
		require.NoError(t, os.WriteFile(readme, []byte(head+begin+strings.TrimLeft(out.String(), "\n")+end+tail), 0o644))
		return
	}
	assert.Equal(t, strings.TrimLeft(out.String(), "\n"), shown, "go test ./examples/quickstart -update")
}

func TestWrongPlace(t *testing.T) {
	err := run(context.Background(), &bytes.Buffer{}, t.TempDir()+"/gone")
	require.ErrorContains(t, err, "root of the repository")
}
