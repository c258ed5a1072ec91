package main

import (
	"bytes"
	"flag"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"
)

var update = flag.Bool("update", false, "write the output into README.md")

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// The example prints what its README says.
func TestOutput(t *testing.T) {
	var out bytes.Buffer
	require.NoError(t, run(t.Context(), &out))
	const begin, end = "<!-- output -->\n```\n", "```\n<!-- /output -->"
	text, err := os.ReadFile("README.md")
	require.NoError(t, err)
	head, rest, ok := strings.Cut(strings.ReplaceAll(string(text), "\r\n", "\n"), begin)
	require.True(t, ok, begin)
	shown, tail, ok := strings.Cut(rest, end)
	require.True(t, ok, end)
	if *update {
		require.NoError(t, os.WriteFile("README.md", []byte(head+begin+out.String()+end+tail), 0o644))
		return
	}
	assert.Equal(t, out.String(), shown, "go test . -update")
}
