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

var update = flag.Bool("update", false, "write the README's block and testdata/output.txt")

const output = "testdata/output.txt"

func TestOutput(t *testing.T) {
	var out bytes.Buffer
	require.NoError(t, run(context.Background(), &out))
	if *update {
		require.NoError(t, os.WriteFile(output, out.Bytes(), 0o644))
	}
	want, err := os.ReadFile(output)
	require.NoError(t, err)
	assert.Equal(t, strings.ReplaceAll(string(want), "\r\n", "\n"), out.String(), "go test ./examples/host -update")
}

// The README shows the part of host.go between the marks.
func TestReadme(t *testing.T) {
	const readme = "../../README.md"
	source, err := os.ReadFile("host.go")
	require.NoError(t, err)
	_, code, _ := between(t, string(source), "// readme: begin\n", "// readme: end\n")
	text, err := os.ReadFile(readme)
	require.NoError(t, err)
	head, shown, tail := between(t, string(text), "<!-- host -->\n```go\n", "```\n<!-- /host -->")
	code = strings.TrimSpace(code) + "\n"
	if *update {
		require.NoError(t, os.WriteFile(readme, []byte(head+code+tail), 0o644))
		return
	}
	assert.Equal(t, code, shown, "go test ./examples/host -update")
}

// between cuts text around what stands between two marks, which stay.
func between(t *testing.T, text, begin, end string) (head, inner, tail string) {
	t.Helper()
	at := strings.Index(text, begin)
	require.GreaterOrEqual(t, at, 0, begin)
	at += len(begin)
	length := strings.Index(text[at:], end)
	require.GreaterOrEqual(t, length, 0, end)
	return text[:at], text[at : at+length], text[at+length:]
}
