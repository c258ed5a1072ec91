package template

import (
	"errors"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

var (
	blind  = Options{FenceBlind: true}
	strict = Options{FenceStrict: true}
)

// spanTests are also the seeds of the fuzz targets.
var spanTests = []struct {
	reason string
	opts   Options
	body   string
	want   []string // the commands; those of blocks begin with "block:"
}{
	// Inline.
	{reason: "04 §4: at the start of the body", body: "!`a`", want: []string{"a"}},
	{reason: "04 §4: at the start of a line", body: "x\n!`a`\n", want: []string{"a"}},
	{reason: "04 §4: behind white space", body: "- x: !`a b`\n>\t!`c`\v!`d`", want: []string{"a b", "c", "d"}},
	{reason: "04 §4: behind anything else it is none", body: "x!`a` (!`b`) \"!`c`\" \\!`d` !!`e` :!`f`", want: nil},
	{reason: "decision: other white space than ASCII is anything else", body: "\u00a0!`a` \u2003!`b`", want: nil},
	{reason: "04 §4: the mark directly before the backquote", body: "! `a` !\n`b`", want: nil},
	{reason: "04 §4: closing backquote on the same line", body: "!`a\n!`b` !`c", want: []string{"b"}},
	{reason: "04 §4: bytes of the command are kept", body: "!` a  $x \\n\t`", want: []string{" a  $x \\n\t"}},
	{reason: "decision: the first backquote closes, even behind a backslash", body: "!`echo \\`id\\``", want: []string{"echo \\"}},
	{reason: "decision: a blank command is none", body: "!`` !` ` !`\t` !`\u00a0\f`", want: nil},
	{reason: "04 §4: several on a line", body: "!`a` !`b`, !`c`!`d` e!`f`", want: []string{"a", "b", "c"}},
	{reason: "04 §4: in tables, quotations, headings, indented code", body: "| !`a` |\n> !`b`\n# !`c`\n    !`d`\n", want: []string{"a", "b", "c", "d"}},
	{reason: "04 §4: a real body", body: "- Repo: !`gh repo view -q .name 2>/dev/null || echo \"none\"`\n- Branch: !`git branch`\n\nIf `$ARGUMENTS` has `owner/repo`, use it.", want: []string{"gh repo view -q .name 2>/dev/null || echo \"none\"", "git branch"}},

	// Code spans.
	{reason: "J01: in a code span of two backquotes", body: "Use `` !`id` `` or ```` !`id` ```` here, !`a`", want: []string{"a"}},
	{reason: "04 §4: a code span over several lines", body: "``\n!`id`\n``\n!`a`", want: []string{"a"}},
	{reason: "04 §4: a code span that is never closed is none", body: "`` !`a` ```", want: []string{"a"}},
	{reason: "04 §4: a code span ends with its paragraph", body: "`` x\n\n!`a`\n\n``", want: []string{"a"}},
	{reason: "04 §4: a code span ends at a fence", body: "`` x\n```\n!`a`\n```\n``", want: []string{"a"}},
	{reason: "04 §4: runs of another size do not close", body: "`` ` ``` !`id` ``", want: nil},
	{reason: "04 §4: an escaped backquote opens nothing", body: "\\` \\`\\` \\\\\\` !`a`\n\\\\` !`id`", want: []string{"a"}},
	{reason: "04 §4: behind a code span", body: "`x` !`a` ``y`` !`b`", want: []string{"a", "b"}},
	{reason: "peers E #24165, #13932: prose about the syntax", body: "The `!` mark, `!`cmd``, a `!` and `` ` ``, `!x`.", want: nil},
	{reason: "decision: the mark that ends a code span opens none", body: "Type `x !` then `y`, or `if !` and `fi`.", want: nil},
	{reason: "decision: a stray backquote reaches to the end of its line", body: "don`t\n!`a`", want: []string{"a"}},
	{reason: "decision: on its line a stray backquote is the safe side", body: "don`t !`id`", want: nil},
	{reason: "decision: but not an escaped one", body: "don\\`t !`a`", want: []string{"a"}},
	{reason: "04 §4: three backquotes and the end on one line are a code span", body: "``` !`id` ```\n```! id ```\n!`a`", want: []string{"a"}},

	// Blocks.
	{reason: "04 §4: a block", body: "x\n```!\na\nb\n```\ny", want: []string{"block:a\nb"}},
	{reason: "04 §4: a block at both ends of the body", body: "```!\na\n```", want: []string{"block:a"}},
	{reason: "04 §4: a longer fence", body: "`````!\n```\na\n```\n````\n`````", want: []string{"block:```\na\n```\n````"}},
	{reason: "04 §4: a closing fence may be longer", body: "```!\na\n`````\n", want: []string{"block:a"}},
	{reason: "decision: blanks around the fences", body: "   ```!  \n   a\n ```\t \n", want: []string{"block:a"}},
	{reason: "decision: the indentation goes from the command", body: "  ```!\n  cat <<E\n x\n   y\n\n  E\n  ```", want: []string{"block:cat <<E\nx\n y\n\nE"}},
	{reason: "decision: four blanks or a tab are no block", body: "    ```!\n    id\n    ```\n\t```!\n\tid\n\t```\n", want: nil},
	{reason: "decision: in a list or quotation there is no block", body: "- ```!\n  id\n  ```\n\n> ```!\n> id\n> ```\n", want: nil},
	{reason: "decision: words behind the mark are not run", body: "```!bash -x\na\n```\n``` !\nb\n```", want: []string{"block:a", "block:b"}},
	{reason: "decision: tildes make no block", body: "~~~!\nid\n~~~", want: nil},
	{reason: "decision: a blank block is none", body: "```!\n \n\n```\n```!\n```\n!`a`", want: []string{"a"}},
	{reason: "decision: a block that is never closed, and all behind it, is text", body: "!`a`\n```!\nid\n``\n!`id`\n~~~\n", want: []string{"a"}},
	{reason: "decision: the same when blind", opts: blind, body: "!`a`\n```!\nid\n!`id`\n", want: []string{"a"}},
	{reason: "04 §4: no span in a block", body: "```!\necho !`a`\n```", want: []string{"block:echo !`a`"}},
	{reason: "04 §4: the mark belongs to the line of the fence", body: "```\n!\nid\n```", want: nil},
	{reason: "04 §4: several blocks", body: "```!\na\n```\n```!\nb\n```\n!`c`", want: []string{"block:a", "block:b", "c"}},
	{reason: "04 §4: a block inside another fence is code", body: "````\n```!\nid\n```\n````\n!`a`", want: []string{"a"}},

	// Other fences.
	{reason: "04 §4: other fences do execute", body: "```bash\n!`a`\n```\n```\n!`b`\n```\n~~~text\n!`c`\n~~~", want: []string{"a", "b", "c"}},
	{reason: "J01: documentation does not", body: "```markdown\n!`id`\n```\n```md\n!`id`\n```\n```mdx\n!`id`\n```\n```yaml\n!`id`\n```\n```yml\n!`id`\n```\n!`a`", want: []string{"a"}},
	{reason: "decision: upper case, blanks and attributes", body: "```  Markdown title=\"x\"\n!`id`\n```\n```{.md}\n!`id`\n```\n```yaml:a.yml\n!`id`\n```\n```YML {1}\n!`id`\n```\n!`a`", want: []string{"a"}},
	{reason: "04 §4: other words than these", body: "```markdownish\n!`a`\n```\n```mdc\n!`b`\n```\n```yamllint\n!`c`\n```", want: []string{"a", "b", "c"}},
	{reason: "04 §4: tildes fence too", body: "~~~md\n```\n!`id`\n```\n~~~\n!`a`", want: []string{"a"}},
	{reason: "04 §4: a fence with tildes is closed by tildes", body: "```md\n~~~\n!`id`\n```\n!`a`", want: []string{"a"}},
	{reason: "04 §4: a shorter fence closes nothing", body: "````md\n```\n!`id`\n```\n!`id`\n````\n!`a`", want: []string{"a"}},
	{reason: "04 §4: a fence with words closes nothing", body: "```md\n```sh\n!`id`\n```\n!`a`", want: []string{"a"}},
	{reason: "04 §4: a fence indented by 4 closes nothing", body: "```md\n    ```\n!`id`\n   ```\n!`a`", want: []string{"a"}},
	{reason: "04 §4: blanks of Markdown are spaces and tabs", body: "```md\n```\f\n!`id`\n```\v\n!`id`\n```\n``\n\f\n!`id`\n``\n```\f!\nid\n```", want: nil},
	{reason: "decision: more count before the word for documentation", body: "```\u00a0\fmd\n!`id`\n```\n!`a`", want: []string{"a"}},
	{reason: "04 §4: a quoted fence closes nothing outside", body: "```md\n> ```\n!`id`\n```\n!`a`", want: []string{"a"}},
	{reason: "decision: an open fence reaches to the end", body: "!`a`\n```md\n!`id`\n", want: []string{"a"}},
	{reason: "decision: documentation in a list", body: "1. x\n\n    ```md\n    !`id`\n    ```\n- ```yaml\n  !`id`\n  ```\n\n!`a`", want: []string{"a"}},
	{reason: "decision: what is no list marker", body: "1234567890. ```md\n!`a`\n\n1.```md\n!`b`\n\n*- ```md\n!`c`\n12", want: []string{"a", "b", "c"}},
	{reason: "decision: a quoted or listed fence is closed at its depth", body: "> - ```md\n>\n>   !`id`\n>       ```\n>   !`id`\n>      ```\n\n!`a`", want: []string{"a"}},
	{reason: "decision: documentation in a quotation", body: "> ```md\n> !`id`\n> ```\n> !`a`\n", want: []string{"a"}},
	{reason: "decision: documentation in another fence", body: "````text\n```md\n!`id`\n```\n!`a`\n````\n!`b`", want: []string{"a", "b"}},
	{reason: "decision: one fence may end both", body: "```text\n```md\n!`id`\n```\n!`a`\n```!\nb\n```", want: []string{"a", "block:b"}},
	{reason: "decision: documentation in a fence that was never closed", body: "```text\n!`a`\n\n```md\n!`id`\n```\n", want: []string{"a"}},
	{reason: "04 §4: code spans of prose do not reach into a fence", body: "x `` y\n~~~\n!`a`\n~~~\nz ``", want: []string{"a"}},
	{reason: "J01: multi-backquote code spans in a fence", body: "```text\n`` !`id` ``\n!`a`\n```", want: []string{"a"}},

	// Switches.
	{reason: "04 §4: FenceBlind finds them everywhere", opts: blind, body: "```md\n!`a`\n```!\nb\n```\n`` !`c` ``\n````\n```!\nd\n```\n````\n", want: []string{"a", "block:b", "c", "block:d"}},
	{reason: "04 §4: FenceBlind keeps the rest", opts: blind, body: "x!`a` !`` !`b\n`c`", want: nil},
	{reason: "peers E #87730: FenceStrict finds none in a fence", opts: strict, body: "```bash\n!`id`\n```\n~~~\n!`id`\n~~~\n- ```sh\n  !`id`\n  ```\n!`a`", want: []string{"a"}},
	{reason: "04 §4: FenceStrict leaves blocks and text", opts: strict, body: "```!\na\n```\n!`b` `` !`id` ``", want: []string{"block:a", "b"}},
	{reason: "decision: FenceStrict is stronger", opts: Options{FenceStrict: true, FenceBlind: true}, body: "```md\n!`id`\n```\n`` !`id` ``", want: nil},
	{reason: "04 §4: placeholders outside, no span", opts: Options{NoSpans: true}, body: "!`a`\n```!\nb\n```", want: nil},

	// With placeholders.
	{reason: "04 §2: a span is found before any name", opts: Options{Names: []string{"x !`a`", "x"}}, body: "$x !`a`", want: []string{"a"}},
}

func commands(t *Template) []string {
	var found []string
	for _, tok := range t.Spans() {
		if tok.Fenced {
			tok.Command = "block:" + tok.Command
		}
		found = append(found, tok.Command)
	}
	return found
}

func TestSpans(t *testing.T) {
	for _, test := range spanTests {
		require.NotEmpty(t, test.reason)
		assert.Equal(t, test.want, commands(parse(t, test.body, test.opts)), "%s: %q", test.reason, test.body)
	}
}

// TestSpansCRLF: bodies have bare newlines, and if one has not, the carriage
// returns change nothing but the lines inside blocks.
func TestSpansCRLF(t *testing.T) {
	tmpl := parse(t, "!`a`\r\n```md\r\n!`id`\r\n```\r\n```!\r\nb\r\n```\r\n", Options{})
	assert.Equal(t, []string{"a", "block:b\r"}, commands(tmpl))
}

func TestTooManySpans(t *testing.T) {
	body := strings.Repeat("x\n!`a`\n", 64)
	assert.Len(t, parse(t, body, Options{}).Spans(), DefaultMaxSpans, "04 §4: at most 64")

	_, err := Parse(body+"\n```!\nb\n```\n!`c`", Options{})
	var tooMany *TooManySpansError
	require.True(t, errors.As(err, &tooMany), "%v", err)
	assert.Equal(t, TooManySpansError{Line: 130, Max: 64}, *tooMany)
	assert.ErrorContains(t, err, "line 130: more than 64 shell spans")

	_, err = Parse("!`a` !`b` !`c`", Options{MaxSpans: 1})
	require.True(t, errors.As(err, &tooMany), "%v", err)
	assert.Equal(t, TooManySpansError{Line: 1, Max: 1}, *tooMany)

	many := strings.Repeat(body, 100)
	assert.Len(t, parse(t, many, Options{MaxSpans: -1}).Spans(), 6400, "negative: any number")
	assert.Empty(t, parse(t, many, Options{NoSpans: true}).Spans(), "no spans, no limit")
}

// TestHostileSizes takes minutes, not a second, if any step is not linear in
// the body. Each body is a pattern that makes some scanner look ahead or back.
func TestHostileSizes(t *testing.T) {
	long := strings.Repeat("$", 200)
	o := Options{MaxSpans: -1, Names: []string{long + "x", long[1:] + "x", "$$$", "`"}}
	for _, unit := range []string{
		"$", "$0", "\\", "\\$", "${", "${A", "${CLAUDE_A", "${CLAUDE_A}", "$ARGUMENTS", "$ARGUMENTS[", "$ARGUMENTS[1", "$1", long,
	} {
		checkHostile(t, strings.Repeat(unit, 1<<18/len(unit)), o)
	}

	var rising strings.Builder // runs of ever more backquotes, none twice
	for i := 1; rising.Len() < 1<<20; i++ {
		rising.WriteString(strings.Repeat("`", i) + " ")
	}
	checkHostile(t, rising.String(), Options{})
	checkHostile(t, strings.ReplaceAll(rising.String(), " ", "\n"), Options{})
	for _, unit := range []string{
		"`", "`` ", "``` ", "\\`` ", "\\`", "!`", "!` ", " !`x", " !`x`", " !`x\n", "!`\n`", "` !", "!       ", "~", "```\n", "~~~\n",
		"```!\n", "````!\n```\n", "```md\n", "> ", "- ", "1. ", "\t", ">>>```\n", "- - ```md\n", "123456789", "\n", "\n!", "`\n!",
	} {
		body := strings.Repeat(unit, 1<<20/len(unit))
		checkHostile(t, body, Options{})
		checkHostile(t, body, Options{FenceBlind: true})
	}
}

// checkHostile parses body and one more line, which asks for a close look.
func checkHostile(t *testing.T, body string, o Options) {
	t.Helper()
	body += "\n!`x`"
	tmpl, err := Parse(body, o)
	if err != nil {
		assert.ErrorAs(t, err, new(*TooManySpansError))
		return
	}
	checkText(t, body, tmpl)
}

// TestHostileNames declares as many names as a header may hold, for a body
// that asks for each of them.
func TestHostileNames(t *testing.T) {
	var names []string
	var body strings.Builder
	for i := range 15_000 {
		name := strings.Repeat("a", i%150) + "-" + strings.Repeat("b", i/150)
		names = append(names, name)
		body.WriteString("$" + name + " ")
	}
	tmpl := parse(t, body.String(), Options{Names: names})
	i := 0
	for tok := range tmpl.Tokens() {
		if tok.Kind == Named && names[i] == tok.Name {
			i++
		}
	}
	assert.Equal(t, len(names), i, "each name is found in its place")
}

// checkText asserts that the tokens are the body.
func checkText(t *testing.T, body string, tmpl *Template) {
	t.Helper()
	offset := 0
	for tok := range tmpl.Tokens() {
		if tok.Offset != offset || !strings.HasPrefix(body[offset:], tok.Text) || tok.Text == "" {
			require.Fail(t, "token is not the next part of the body", "%+v at %d", tok, offset)
		}
		offset += len(tok.Text)
	}
	require.Equal(t, len(body), offset)
}
