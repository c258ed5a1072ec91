package template

import (
	"fmt"
	"strings"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func parse(t *testing.T, body string, o Options) *Template {
	t.Helper()
	tmpl, err := Parse(body, o)
	require.NoError(t, err)
	return tmpl
}

// TestRenderHostile has the rows of the hostile cases that end in this
// package, by their ids.
func TestRenderHostile(t *testing.T) {
	const span = "!`touch pwn`"
	output := func(int, Token) string { return "$ARGUMENTS " + span }
	for _, test := range []struct {
		reason, body, args, want string
		spans                    int
	}{
		{"arg-shell-04: a span in an argument is text", "Topic: $ARGUMENTS\n", span, "Topic: " + span + "\n", 0},
		{"arg-shell-04: at the start of a line", "$ARGUMENTS\n", span, span + "\n", 0},
		{"arg-shell-05: a block in an argument is text", "Topic:\n$ARGUMENTS\n", "```!\ntouch pwn\n```", "Topic:\n```!\ntouch pwn\n```\n", 0},
		{"04 §2: argument and text do not make a span", "!$ARGUMENTS`touch pwn`", "", "!`touch pwn`", 0},
		{"04 §2: an argument completes no span", "!`touch pwn $ARGUMENTS\n", "`", "!`touch pwn `\n", 0},
		{"04 §2: an argument completes no block", "```!\ntouch pwn\n$ARGUMENTS\n", "```", "```!\ntouch pwn\n```\n", 0},
		{"shell-out-01: output is not scanned", "!`cmd`\nEnd $0\n", "v", "$ARGUMENTS " + span + "\nEnd v\n", 1},
		{"04 §2: the author's order", "$0 !`a` $1 !`b` $0", "x y", "x $ARGUMENTS " + span + " y $ARGUMENTS " + span + " x", 2},
	} {
		tmpl := parse(t, test.body, Options{})
		assert.Len(t, tmpl.Spans(), test.spans, test.reason)
		v := values(test.args)
		v.Span = output
		text, _ := tmpl.Render(v)
		assert.Equal(t, test.want, text, test.reason)
	}
}

// TestRenderSpans covers who is asked for the text of a span, and what is
// said of its placeholders (04 §3, §4).
func TestRenderSpans(t *testing.T) {
	tmpl := parse(t, "a !`one $0` b\n```!\ntwo $ARGUMENTS\n```\nc !` ` !`three`", Options{})

	v := values("x")
	v.Span = func(i int, tok Token) string { return fmt.Sprint(i, ":", tok.Command) }
	text, replaced := tmpl.Render(v)
	assert.Equal(t, "a 0:one $0 b\n1:two $ARGUMENTS\nc !` ` 2:three", text)
	assert.False(t, replaced, "placeholders in spans are the caller's to count")

	v.Span = nil
	text, _ = tmpl.Render(v)
	assert.Equal(t, tmpl.body, text, "shell-src-02: without a function spans stay verbatim")

	mcp := parse(t, tmpl.body, Options{NoSpans: true})
	text, replaced = mcp.Render(v)
	assert.Equal(t, "a !`one x` b\n```!\ntwo x\n```\nc !` ` !`three`", text, "spans that are text have placeholders")
	assert.True(t, replaced)

	remote := parse(t, tmpl.body, Options{NoSpans: true, NoPlaceholders: true})
	text, replaced = remote.Render(v)
	assert.Equal(t, tmpl.body, text, "shell-src-03: byte for byte")
	assert.False(t, replaced)
}

func TestSplice(t *testing.T) {
	tmpl := parse(t, "!`cp '$src' ${CLAUDE_SKILL_DIR} \\$0 $9` !`ls`", named("src"))
	spans := tmpl.Spans()
	require.Len(t, spans, 2)
	command, replaced := values(`"it's $1"`).Splice(spans[0])
	assert.Equal(t, "cp 'it's $1' /skills/a b $0 $9", command)
	assert.True(t, replaced)
	command, replaced = values("x").Splice(spans[1])
	assert.Equal(t, "ls", command)
	assert.False(t, replaced)
}

// TestRenderIdentity: what has nothing to insert is handed back, not copied
// (07 §1).
func TestRenderIdentity(t *testing.T) {
	for _, body := range []string{
		"", "x", bodyWith(0), "$ $x \\$ ${HOME} !", "`!` a!`b` !`` ! `x`", "```md\n!`x`\n```", "```!\nopen",
	} {
		tmpl := parse(t, body, Options{})
		text, replaced := tmpl.Render(values("v"))
		assert.Equal(t, body, text)
		assert.False(t, replaced)
		assert.Same(t, unsafe.StringData(body), unsafe.StringData(text), "copied: %.40q", body)
	}
}

func TestRenderZeroValues(t *testing.T) {
	tmpl := parse(t, "[$ARGUMENTS][$0][$n][${CLAUDE_X}][\\$0][!`a`] !`b`", named("n"))
	text, replaced := tmpl.Render(Values{})
	assert.Equal(t, "[][$0][][${CLAUDE_X}][$0][!`a`] !`b`", text)
	assert.True(t, replaced)
}

func TestSize(t *testing.T) {
	tmpl := parse(t, strings.Repeat("$ARGUMENTS", 100_000)+" !`cmd`", Options{})
	v := Values{Args: strings.Repeat("x", 1<<20)}
	assert.EqualValues(t, 100_000<<20+1, tmpl.Size(v), "known without a rendering of 100 GB")

	tmpl = parse(t, "a $0 $9 \\$0 ${CLAUDE_SESSION_ID} $n", named("x", "n"))
	text, _ := tmpl.Render(values("xx"))
	assert.EqualValues(t, len(text), tmpl.Size(values("xx")))
}

func TestRenderAllocs(t *testing.T) {
	v := Values{Args: "a b", Words: []string{"a", "b"}, Lookup: variables}
	run := func(body string) float64 {
		return testing.AllocsPerRun(50, func() {
			tmpl, err := Parse(body, Options{})
			if err == nil {
				tmpl.Render(v)
			}
		})
	}
	assert.LessOrEqual(t, run(bodyWith(0)), 3.0, "scanner, template, piece")
	assert.LessOrEqual(t, run(bodyWith(50)), 4.0, "scanner, template, pieces, text")
	tmpl := parse(t, bodyWith(50), Options{})
	assert.LessOrEqual(t, testing.AllocsPerRun(50, func() { tmpl.Render(v) }), 1.0, "the text")
}
