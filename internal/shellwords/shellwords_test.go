package shellwords

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"mvdan.cc/sh/v3/shell"
)

// splitTests are also the seeds of the fuzz target.
var splitTests = []struct {
	reason string
	in     string
	want   []string
}{
	{"empty text has no words", "", nil},
	{"blank text has no words", " \t\n ", nil},
	{"04 §3: words at blanks", " a  b\tc\nd ", []string{"a", "b", "c", "d"}},
	{"04 §3: words inside a line-separated text", "l1\nl2", []string{"l1", "l2"}},
	{"04 §3: other white space is text, as in a shell", "a\u00a0b\vc\fd\re", []string{"a\u00a0b\vc\fd\re"}},
	{"04 §3: double quotes", `-m "fix login"`, []string{"-m", "fix login"}},
	{"04 §3: single quotes", `-m 'fix login'`, []string{"-m", "fix login"}},
	{"04 §3: quotes glue to their neighbours", `a"b c"'d e'f`, []string{"ab cd ef"}},
	{"04 §3: an empty quoted word is a word", `a "" '' b`, []string{"a", "", "", "b"}},
	{"04 §3: one empty quoted word", `""`, []string{""}},
	{"04 §3: empty quotes beside text add nothing", `a""b''`, []string{"ab"}},
	{"04 §3: backslash keeps a blank", `a\ b c`, []string{"a b", "c"}},
	{"04 §3: backslash keeps a quote", `it\'s \"x\"`, []string{"it's", `"x"`}},
	{"04 §3: backslash keeps a backslash", `a\\b`, []string{`a\b`}},
	{"04 §3: backslash before an ordinary character goes", `C:\dir`, []string{"C:dir"}},
	{"04 §3: backslash before a character of several bytes", `\é x`, []string{"é", "x"}},
	{"04 §3: line continuation inside a word", "a\\\nb", []string{"ab"}},
	{"04 §3: line continuation begins no word", "a \\\n b", []string{"a", "b"}},
	{"04 §3: line continuation alone", "\\\n", nil},
	{"04 §3: line continuation behind an escaped backslash", "\\\\\\\nb", []string{`\b`}},
	{"04 §3: trailing backslash stands for itself", `a b\`, []string{"a", `b\`}},
	{"04 §3: trailing backslash alone", `a \`, []string{"a", `\`}},
	{"04 §3: escapes inside double quotes", "\"\\$ \\` \\\" \\\\ \\\n.\"", []string{"$ ` \" \\ ."}},
	{"04 §3: other backslashes inside double quotes stay", `"\n \' \é \!"`, []string{`\n \' \é \!`}},
	{"04 §3: no escapes inside single quotes", `'a\' 'b\\'`, []string{`a\`, `b\\`}},
	{"04 §3: single quotes keep a newline and a backslash", "'a\\\nb'", []string{"a\\\nb"}},
	{"04 §3: the other quote is text", `"it's" 'say "x"'`, []string{"it's", `say "x"`}},
	{"04 §3: no expansion", "$HOME `id` $(id) ~ *.go {a,b} # no", []string{"$HOME", "`id`", "$(id)", "~", "*.go", "{a,b}", "#", "no"}},
	{"04 §3: no expansion in quotes", "\"$HOME `id`\"", []string{"$HOME `id`"}},
	{"04 §3: no operators", "a;b|c&d <e >f (g)", []string{"a;b|c&d", "<e", ">f", "(g)"}},
	{"04 §3: no $'…' quotes", `$'a b'`, []string{"$a b"}},
	{"04 §3: unbalanced quote splits at blanks only", `it's; id`, []string{"it's;", "id"}},
	{"04 §3: unbalanced quote keeps closed ones too", `"a b" c'd`, []string{`"a`, `b"`, "c'd"}},
	{"04 §3: unbalanced double quote behind a backslash", `"C:\dir\" x`, []string{`"C:\dir\"`, "x"}},
	{"04 §3: double quote open at a backslash", `"a\`, []string{`"a\`}},
	{"04 §3: an open quote alone", `'`, []string{`'`}},
	{"no character is lost that is not valid UTF-8", "\xff '\xfe b'", []string{"\xff", "\xfe b"}},
	{"no character is lost: NUL", "a\x00b 'c'", []string{"a\x00b", "c"}},
}

func TestSplit(t *testing.T) {
	for _, test := range splitTests {
		require.NotEmpty(t, test.reason)
		assert.Equal(t, test.want, Split(test.in), "%s: %q", test.reason, test.in)
	}
}

func TestSplitAllocs(t *testing.T) {
	const in = `one "two three" four\ five 'six' seven`
	allocs := testing.AllocsPerRun(100, func() { Split(in) })
	assert.LessOrEqual(t, allocs, 7.0, "buffer, string, words and the growth of one index")
}

// TestSplitHuge takes minutes, not milliseconds, if any step looks further
// than once at its input.
func TestSplitHuge(t *testing.T) {
	const n = 1 << 20
	for _, unit := range []string{"a ", `"" `, `\a`, `"\`, `'' '`, `"a"'b'`, "\\\n", `\`, `"\\`} {
		in := strings.Repeat(unit, n/len(unit))
		words := Split(in)
		assert.LessOrEqual(t, len(strings.Join(words, "")), len(in), "unit %q", unit)
	}
}

func FuzzSplit(f *testing.F) {
	for _, test := range splitTests {
		f.Add(test.in)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if len(s) > 1<<12 {
			t.Skip("over the size cap")
		}
		words := Split(s)
		checkFromInput(t, s, words)
		checkQuoted(t, s)
		if plainShell(s) {
			checkShell(t, s, words)
		}
	})
}

// checkFromInput asserts that the words hold bytes of s only, in its order.
func checkFromInput(t *testing.T, s string, words []string) {
	rest := s
	for _, b := range []byte(strings.Join(words, "")) {
		i := strings.IndexByte(rest, b)
		require.GreaterOrEqual(t, i, 0, "%q is not part of %q in this order", words, s)
		rest = rest[i+1:]
	}
}

// checkQuoted asserts that any text survives as one word in single quotes.
func checkQuoted(t *testing.T, s string) {
	quoted := "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
	require.Equal(t, []string{"x", s, "y"}, Split("x "+quoted+" y"))
}

// checkShell asserts that a shell parser sees the same words.
func checkShell(t *testing.T, s string, words []string) {
	want, err := shell.Fields(s, func(string) string { return "" })
	if err != nil {
		require.ErrorContains(t, err, "without closing quote")
		want = splitBlank(s)
	}
	if len(want) == 0 {
		want = nil
	}
	require.Equal(t, want, words, "%q", s)
}

// plainShell reports whether s holds nothing that a shell expands or takes
// for an operator or a comment, and nothing that the parser treats unlike
// dash and bash: NUL, carriage return, invalid UTF-8, and a line continuation
// behind an escaped backslash.
func plainShell(s string) bool {
	return !strings.ContainsAny(s, "$`*?[]~{}#;|&<>()\r\x00") &&
		!strings.Contains(s, "\\\\\\\n") &&
		utf8.ValidString(s)
}

func BenchmarkSplit(b *testing.B) {
	for name, in := range map[string]string{
		"plain":  "src/main.go --verbose one two three",
		"quoted": `-m "fix login" src/a\ b.go 'one two'`,
	} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				Split(in)
			}
		})
	}
}
