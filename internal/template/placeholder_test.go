package template

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/seed-12b313d8/skills/internal/shellwords"
)

// variables are what ${…} stands for in these tests.
func variables(name string) (string, bool) {
	value, ok := map[string]string{
		"CLAUDE_SKILL_DIR":  "/skills/a b",
		"CLAUDE_SESSION_ID": "s-1",
		"SKILL_DIR":         "/alias",
	}[name]
	return value, ok
}

func values(args string) Values {
	return Values{Args: args, Words: shellwords.Split(args), Lookup: variables}
}

var (
	narrow        = Options{PositionalDeclared: true}
	narrowHinted  = Options{PositionalDeclared: true, TakesArguments: true}
	aliased       = Options{Variable: func(name string) bool { return name == "SKILL_DIR" }}
	noPlaceholder = Options{NoPlaceholders: true}
)

func named(names ...string) Options { return Options{Names: names} }

// placeholderTests are also the seeds of the fuzz targets. A row without
// keeps is one in which an argument placeholder is replaced, so that nothing
// is appended to the text.
var placeholderTests = []struct {
	reason string
	opts   Options
	body   string
	args   string
	want   string
	keeps  bool
}{
	// The whole argument text.
	{reason: "04 §3: $ARGUMENTS is the text as given", body: "P: $ARGUMENTS.", args: ` a  "b c"	é 'd`, want: `P:  a  "b c"	é 'd.`},
	{reason: "CL016: bytes are delivered as they are", body: "$ARGUMENTS", args: "a\n\n  b\xff\\", want: "a\n\n  b\xff\\"},
	{reason: "04 §3: $ARGUMENTS without arguments is empty", body: "[$ARGUMENTS]", want: "[]"},
	{reason: "CL022: nothing is escaped for HTML", body: "<$ARGUMENTS>", args: `<b> & "c"`, want: `<<b> & "c">`},
	{reason: "04 §3: every occurrence", body: "$ARGUMENTS$ARGUMENTS", args: "x", want: "xx"},
	{reason: "04 §3: case counts", body: "$arguments $Arguments", args: "x", want: "$arguments $Arguments", keeps: true},
	{reason: "decision: $ARGUMENTS is a whole word", body: "$ARGUMENTSX $ARGUMENTS_DIR $ARGUMENTS0 $ARGUMENTSé", args: "x", want: "$ARGUMENTSX $ARGUMENTS_DIR $ARGUMENTS0 $ARGUMENTSé", keeps: true},
	{reason: "decision: punctuation and scripts without spaces end a word", body: "$ARGUMENTS-$ARGUMENTS/$ARGUMENTSについて$ARGUMENTS을", args: "x", want: "x-x/xについてx을"},

	// Words.
	{reason: "04 §3: $N and $ARGUMENTS[N] are the same word", body: "$0 $ARGUMENTS[0] $1 $ARGUMENTS[1]", args: `a "b c"`, want: "a a b c b c"},
	{reason: "I01: 0-based, everywhere, unmatched stays", body: "a $0 b $1 c $2 d $1.42B", args: "X Y", want: "a X b Y c $2 d Y.42B"},
	{reason: "I02: unmatched $1 is not removed", body: "x $1 y", args: "only", want: "x $1 y", keeps: true},
	{reason: "anthropics/claude-code#94709: index 1 of one word", body: "do $1", args: "SOLO", want: "do $1", keeps: true},
	{reason: "CL012: no arguments, $0 stays", body: "awk '{print $0}'", want: "awk '{print $0}'", keeps: true},
	{reason: "CL012: the second of one word stays", body: "$0 $2", args: "a", want: "a $2"},
	{reason: "CL015: $10 is word 10", body: "$10 $1", args: "0 1 2 3 4 5 6 7 8 9 ten", want: "ten 1"},
	{reason: "CL015: $10 is not $1 and 0", body: "$10", args: "a b", want: "$10", keeps: true},
	{reason: "CL015: $ARGUMENTS.0 is all of it and .0", body: "$ARGUMENTS.0", args: "a b", want: "a b.0"},
	{reason: "04 §3: no such word, $ARGUMENTS[N] stays", body: "$ARGUMENTS[2]", args: "a b", want: "$ARGUMENTS[2]", keeps: true},
	{reason: "04 §3: the boundary of a word is none of $N", body: "pre$0post/$1_", args: "a b", want: "preapost/b_"},
	{reason: "decision: not a number in brackets is text", body: "$ARGUMENTS[x] $ARGUMENTS[] $ARGUMENTS[-1] $ARGUMENTS[ 0 ] $ARGUMENTS[0", args: "v", want: "v[x] v[] v[-1] v[ 0 ] v[0"},
	{reason: "decision: what follows the bracket is text", body: "$ARGUMENTS[0]x[1]", args: "v", want: "vx[1]"},
	{reason: "decision: leading zeros do not count", body: "$01 $ARGUMENTS[001] $00", args: "a b", want: "b b a"},
	{reason: "decision: numbers beyond any machine are no words", body: "$18446744073709551616 $ARGUMENTS[18446744073709551617] $9223372036854775807", args: "a b", want: "$18446744073709551616 $ARGUMENTS[18446744073709551617] $9223372036854775807", keeps: true},
	{reason: "04 §3: an empty word is a value", body: "[$0][$1]", args: `"" b`, want: "[][b]"},
	{reason: "04 §3: only ASCII digits count", body: "$٣ $１", args: "a b c d", want: "$٣ $１", keeps: true},

	// Declared names.
	{
		reason: "peers 2e: all forms in one body", opts: named("flag", "message"),
		body: "raw=$ARGUMENTS zero=$0 one=$1 second=$ARGUMENTS[1] flag=$flag message=$message", args: `-m "fix login"`,
		want: `raw=-m "fix login" zero=-m one=fix login second=fix login flag=-m message=fix login`,
	},
	{reason: "peers 2e: undeclared name and missing word stay", body: "$missing actual=$0 missing=$1", args: "hello", want: "$missing actual=hello missing=$1"},
	{reason: "I12: declared but missing is empty, undeclared stays", opts: named("t"), body: "[$t][$u]", want: "[][$u]"},
	{reason: "04 §3: declared but missing is replaced, by nothing", opts: named("a", "b"), body: "[$b]", args: "x", want: "[]"},
	{reason: "peers 2e: $targeted is not $target", opts: named("target"), body: "$targeted $target_dir $target2 $targeté $Target", args: "x", want: "$targeted $target_dir $target2 $targeté $Target", keeps: true},
	{reason: "04 §3: whole word", opts: named("target"), body: "$target.md $target-dir $target/x ($target) '$target' $target[0] $target文件", args: "x", want: "x.md x-dir x/x (x) 'x' x[0] x文件"},
	{reason: "04 §3: longest name first", opts: named("target", "target_dir", "target-dir"), body: "$target $target_dir $target-dir $target-di", args: "a b c", want: "a b c a-di"},
	{reason: "peers 2e: a name with a hyphen, whole", opts: named("a-b"), body: "$a-b. ($a-b)", args: "x", want: "x. (x)"},
	{reason: "peers 2e: longer than a name with a hyphen", opts: named("a-b"), body: "$a-bs $a-b_x $PATH $a", args: "x", want: "$a-bs $a-b_x $PATH $a", keeps: true},
	{reason: "CL014: regex characters mean nothing", opts: named("a.b", "x*y", "c+", "(d)", "c++", "e|f", "[g]", "$h"), body: "$a.b $x*y $c+ $(d) $c++ $e|f $[g] $$h", args: "1 2 3 4 5 6 7 8", want: "1 2 3 4 5 6 7 8"},
	{reason: "CL014: regex characters match nothing else", opts: named("a.b", "x*y", "c+"), body: "$axb $xxy $xy $cc $c", args: "1 2 3", want: "$axb $xxy $xy $cc $c", keeps: true},
	{reason: "04 §3: longest whole word, then the next shorter", opts: named("c", "c++"), body: "$c++ $c+ $c++x $c", args: "1 2", want: "2 1+ 1++x 1"},
	{reason: "04 §3: names in other scripts", opts: named("目标", "cible-é"), body: "$目标 $cible-é $cible-é2", args: "a b", want: "a b $cible-é2"},
	{reason: "decision: a fixed placeholder wins over an equal name", opts: named("ARGUMENTS", "ARGUMENTS[0]", "{CLAUDE_SKILL_DIR}"), body: "$ARGUMENTS|$ARGUMENTS[0]|${CLAUDE_SKILL_DIR}", args: "a b", want: "a b|a|/skills/a b"},
	{reason: "decision: a longer name wins over a fixed placeholder", opts: named("x", "1st", "ARGUMENTS_DIR"), body: "$1st $1nd $ARGUMENTS_DIR", args: "a b c", want: "b bnd c"},
	{reason: "peers 2e: numeric names are ignored", opts: named("1", "07"), body: "$1 $07", args: "a", want: "$1 $07", keeps: true},
	{reason: "decision: a name declared twice has its first position", opts: named("x", "x"), body: "$x", args: "a b", want: "a"},
	{reason: "decision: an empty name is no name", opts: named("", "b"), body: "$ $b $", args: "x y", want: "$ y $"},
	{reason: "decision: names over 256 bytes never match", opts: named(strings.Repeat("n", 256), strings.Repeat("m", 257)), body: "$" + strings.Repeat("n", 256) + " $" + strings.Repeat("m", 257), args: "x y", want: "x $" + strings.Repeat("m", 257)},

	// Backslashes.
	{reason: "peers 2e: backslash makes it literal and goes", opts: named("t"), body: `\$ARGUMENTS \$0 \$ARGUMENTS[1] \$t \${CLAUDE_SKILL_DIR}`, args: "x", want: `$ARGUMENTS $0 $ARGUMENTS[1] $t ${CLAUDE_SKILL_DIR}`, keeps: true},
	{reason: `CL013: \$1.00`, body: `\$1.00`, args: "a b", want: "$1.00", keeps: true},
	{reason: "04 §3: escaped whether or not there is such a word", body: `\$9`, args: "a", want: "$9", keeps: true},
	{reason: "CL013: before any other $ both stay", opts: named("t"), body: `\$foo \$ts \${HOME} \$ \$$ \$(id) \n`, args: "x", want: `\$foo \$ts \${HOME} \$ \$$ \$(id) \n`, keeps: true},
	{reason: "CL013: two backslashes stay, with the value", body: `\\$1`, args: "a b", want: `\\b`},
	{reason: "04 §3: three are two and an escaped placeholder", body: `\\\$1 \\\\$1`, args: "a b", want: `\\$1 \\\\b`},
	{reason: "decision: an escaped placeholder is not scanned for others", opts: named("$1"), body: `\$$1 $1`, args: "v w", want: `$$1 w`},
	{reason: "decision: a backslash in a name escapes nothing", opts: named(`a\`), body: `$a\$0`, args: "v", want: "vv"},
	{reason: "04 §3: a backslash belongs to the $ right behind it", body: `\ $0 $0\ \$0`, args: "v", want: `\ v v\ $0`},

	// Variables.
	{reason: "04 §3: variables do not count as arguments", body: "${CLAUDE_SKILL_DIR}/run.sh ${CLAUDE_SESSION_ID}", args: "x", want: "/skills/a b/run.sh s-1", keeps: true},
	{reason: "04 §3: unknown ${…} stays", body: "${HOME} ${CLAUDE_NO} ${SKILL_DIR} ${0} ${ARGUMENTS}", args: "x", want: "${HOME} ${CLAUDE_NO} ${SKILL_DIR} ${0} ${ARGUMENTS}", keeps: true},
	{reason: "04 §3: other syntax in braces stays", body: "${CLAUDE_SKILL_DIR:-x} ${CLAUDE_SKILL_DIR ${ CLAUDE_SKILL_DIR} ${} ${1CLAUDE_} ${", args: "x", want: "${CLAUDE_SKILL_DIR:-x} ${CLAUDE_SKILL_DIR ${ CLAUDE_SKILL_DIR} ${} ${1CLAUDE_} ${", keeps: true},
	{reason: "04 §3: the prefix is an option", opts: aliased, body: `${SKILL_DIR} ${CLAUDE_SKILL_DIR} \${SKILL_DIR} \${CLAUDE_SKILL_DIR}`, args: "x", want: `/alias ${CLAUDE_SKILL_DIR} ${SKILL_DIR} \${CLAUDE_SKILL_DIR}`, keeps: true},
	{reason: "decision: names begin with no digit", opts: Options{Variable: func(string) bool { return true }}, body: `\${1} \${} \${x-y} \${_1}`, args: "v", want: `\${1} \${} \${x-y} ${_1}`, keeps: true},
	{reason: "04 §3: ${x} is no declared name", opts: named("x"), body: "${x} $x", args: "v", want: "${x} v"},

	// Where.
	{reason: "04 §3: code fences and inline code are substituted too", body: "`$0`\n```sh\nrun $0\n```\n    $0\n``$0``\n```md\n$0\n```\n", args: "v", want: "`v`\n```sh\nrun v\n```\n    v\n``v``\n```md\nv\n```\n"},
	{reason: "melodic-software/claude-code-plugins#3540: awk in a fence, without arguments", body: "```sh\nawk '{print $0, $2}'\n```", want: "```sh\nawk '{print $0, $2}'\n```", keeps: true},
	{reason: "CL021: @file references stay text", body: "@docs/a.md $0", args: "@b", want: "@docs/a.md @b"},
	{reason: "peers 2e: 256 dollars", body: strings.Repeat("$", 256), args: "x", want: strings.Repeat("$", 256), keeps: true},
	{reason: "04 §3: other dollars stay", body: "$ $$ $PATH $(id) $- $\n$", args: "x", want: "$ $$ $PATH $(id) $- $\n$", keeps: true},
	{reason: "04 §3: $ in front of a placeholder stays", body: "$$0 $$ARGUMENTS", args: "v", want: "$v $v"},
	{reason: "04 §2: remote bodies have no placeholders", opts: noPlaceholder, body: `$ARGUMENTS $0 \$0 ${CLAUDE_SKILL_DIR}`, args: "v", want: `$ARGUMENTS $0 \$0 ${CLAUDE_SKILL_DIR}`, keeps: true},

	// Once only.
	{reason: "I04, CL011: inserted text is not scanned", body: "P: $ARGUMENTS", args: "$1 ${CLAUDE_SKILL_DIR} $ARGUMENTS", want: "P: $1 ${CLAUDE_SKILL_DIR} $ARGUMENTS"},
	{reason: "arg-shell-06, with words counted from 0: one pass only", body: "A=$0 B=$1", args: "'$1' two", want: "A=$1 B=two"},
	{reason: "04 §2: two values do not make a placeholder", body: "$0$1", args: "'$' 1", want: "$1"},
	{reason: "04 §2: text and a value do not make a placeholder", body: "$$0 {$0", args: "ARGUMENTS", want: "$ARGUMENTS {ARGUMENTS"},
	{reason: "04 §2: a value cannot escape the next placeholder", body: "$0$1", args: `'\' v`, want: `\v`},
	{reason: "04 §3: no pattern language for values", body: "$0", args: "'cost $100 ${x} $& \\1'", want: "cost $100 ${x} $& \\1"},

	// The amount rules.
	{reason: "04 §3: narrowed, a skill that shows no arguments has no $N", opts: narrow, body: "$0 costs $5, awk '{print $1}'", args: "a b", want: "$0 costs $5, awk '{print $1}'", keeps: true},
	{reason: "04 §3: narrowed, $ARGUMENTS in the body shows it", opts: narrow, body: "$0 of $ARGUMENTS", args: "a b", want: "a of a b"},
	{reason: "04 §3: narrowed, a declared name shows it", opts: Options{PositionalDeclared: true, Names: []string{"x"}}, body: "$0 $1", args: "a b", want: "a b"},
	{reason: "04 §3: narrowed, something outside the body shows it", opts: narrowHinted, body: "$0 $1", args: "a b", want: "a b"},
	{reason: "04 §3: narrowed, not before digits", opts: narrowHinted, body: "$10 $1.5 $1,000 $1. $1, $1.x $1", args: "a b c d e f g h i j k", want: "$10 $1.5 $1,000 b. b, b.x b"},
	{reason: "04 §3: narrowed, $ARGUMENTS[N] is as before", opts: narrow, body: "$ARGUMENTS[10] $ARGUMENTS[0].5", args: "0 1 2 3 4 5 6 7 8 9 ten", want: "ten 0.5"},
	{reason: "decision: narrowed, an escaped amount loses its backslash", opts: narrow, body: `\$1.50 \$5 \$x`, args: "a", want: `$1.50 $5 \$x`, keeps: true},
}

func TestPlaceholders(t *testing.T) {
	for _, test := range placeholderTests {
		require.NotEmpty(t, test.reason)
		tmpl, err := Parse(test.body, test.opts)
		require.NoError(t, err, test.reason)
		text, replaced := tmpl.Render(values(test.args))
		assert.Equal(t, test.want, text, "%s: %q", test.reason, test.body)
		assert.Equal(t, !test.keeps, replaced, "%s: %q", test.reason, test.body)
	}
}

// TestSpliceEqualsRender runs the same rows through commands: placeholders
// mean the same there (04 §4).
func TestSpliceEqualsRender(t *testing.T) {
	for _, test := range placeholderTests {
		if isBlank(test.body) {
			continue
		}
		o := test.opts
		tmpl, err := Parse("``````!\n"+test.body+"\n``````", o)
		require.NoError(t, err, test.reason)
		spans := tmpl.Spans()
		require.Len(t, spans, 1, test.reason)
		command, replaced := values(test.args).Splice(spans[0])
		assert.Equal(t, test.want, command, "%s: %q", test.reason, test.body)
		assert.Equal(t, !test.keeps, replaced, "%s: %q", test.reason, test.body)
	}
}

func TestTokens(t *testing.T) {
	const body = "Run $0\nfor \\$t, $t:\n${CLAUDE_X} $ARGUMENTS\n!`echo $t '\\$1'`\n```!\na\nb $ARGUMENTS[7]\n```\n"
	tmpl, err := Parse(body, named("s", "t"))
	require.NoError(t, err)
	var got []Token
	for tok := range tmpl.Tokens() {
		got = append(got, tok)
	}
	want := []Token{
		{Text: "Run ", Line: 1},
		{Kind: Word, Text: "$0", Offset: 4, Line: 1},
		{Text: "\nfor ", Offset: 6, Line: 1},
		{Kind: Escaped, Text: "\\$t", Offset: 11, Line: 2},
		{Text: ", ", Offset: 14, Line: 2},
		{Kind: Named, Text: "$t", Offset: 16, Line: 2, Index: 1, Name: "t"},
		{Text: ":\n", Offset: 18, Line: 2},
		{Kind: Variable, Text: "${CLAUDE_X}", Offset: 20, Line: 3, Name: "CLAUDE_X"},
		{Text: " ", Offset: 31, Line: 3},
		{Kind: Arguments, Text: "$ARGUMENTS", Offset: 32, Line: 3},
		{Text: "\n", Offset: 42, Line: 3},
		{
			Kind: Span, Text: "!`echo $t '\\$1'`", Offset: 43, Line: 4, Command: "echo $t '\\$1'",
			Inner: []Token{
				{Kind: Named, Text: "$t", Offset: 5, Line: 4, Index: 1, Name: "t"},
				{Kind: Escaped, Text: "\\$1", Offset: 9, Line: 4},
			},
		},
		{Text: "\n", Offset: 59, Line: 4},
		{
			Kind: Span, Fenced: true, Text: "```!\na\nb $ARGUMENTS[7]\n```", Offset: 60, Line: 5, Command: "a\nb $ARGUMENTS[7]",
			Inner: []Token{{Kind: Word, Text: "$ARGUMENTS[7]", Offset: 4, Line: 7, Index: 7}},
		},
		{Text: "\n", Offset: 86, Line: 8},
	}
	assert.Equal(t, want, got)
	assert.Equal(t, []Token{want[11], want[13]}, tmpl.Spans())
	for range tmpl.Tokens() {
		break // a consumer may stop early
	}
}
