package main

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"
)

var update = flag.Bool("update", false, "write the output into README.md")

// asServer makes the test binary a server on standard input and output.
const asServer = "SKILLS_EXAMPLE_MCP_SERVER"

func TestMain(m *testing.M) {
	if os.Getenv(asServer) != "" {
		if err := tracker().Run(context.Background(), &mcp.StdioTransport{}); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	goleak.VerifyTestMain(m)
}

// The example prints what its README says.
func TestOutput(t *testing.T) {
	var out bytes.Buffer
	require.NoError(t, run(within(t), &out))
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

func within(t *testing.T) context.Context {
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	t.Cleanup(cancel)
	return ctx
}
