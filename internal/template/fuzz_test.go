package template

import (
	"strings"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"
)

const fuzzCap = 1 << 12

// fuzzOptions turns the bits of n into options.
func fuzzOptions(n uint8, names string) Options {
	bit := func(i int) bool { return n>>i&1 == 1 }
	return Options{
		Names:              strings.Split(names, " "),
		PositionalDeclared: bit(0),
		TakesArguments:     bit(1),
		FenceBlind:         bit(2),
		FenceStrict:        bit(3),
		NoSpans:            bit(4),
		NoPlaceholders:     bit(5),
		MaxSpans:           -1,
	}
}

// FuzzRender checks what holds for every body, whatever is inserted.
func FuzzRender(f *testing.F) {
	for i, test := range placeholderTests {
		f.Add(test.body, strings.Join(test.opts.Names, " "), uint8(i))
	}
	for i, test := range spanTests {
		f.Add(test.body, "x", uint8(i)&^0x30)
	}
	f.Fuzz(func(t *testing.T, body, names string, bits uint8) {
		if len(body) > fuzzCap || len(names) > fuzzCap {
			t.Skip("over the size cap")
		}
		o := fuzzOptions(bits, names)
		tmpl, err := Parse(body, o)
		require.NoError(t, err)
		checkText(t, body, tmpl)
		checkTokens(t, body, tmpl, o)
		checkIdentity(t, body, tmpl, o)
		checkInserted(t, body, tmpl)
	})
}

// checkTokens asserts that each token is what its kind says.
func checkTokens(t *testing.T, body string, tmpl *Template, o Options) {
	spans := 0
	for tok := range tmpl.Tokens() {
		require.Equal(t, 1+strings.Count(body[:tok.Offset], "\n"), tok.Line)
		if tok.Kind == Span {
			require.False(t, o.NoSpans)
			require.Equal(t, tmpl.Spans()[spans], tok)
			checkSpan(t, body, tok)
			spans++
			continue
		}
		checkPlaceholder(t, tok, o)
	}
	require.Len(t, tmpl.Spans(), spans)
}

func checkPlaceholder(t *testing.T, tok Token, o Options) {
	require.False(t, o.NoPlaceholders && tok.Kind != Literal)
	switch tok.Kind {
	case Escaped:
		require.True(t, strings.HasPrefix(tok.Text, `\$`))
	case Arguments:
		require.Equal(t, "$ARGUMENTS", tok.Text)
	case Word:
		require.Regexp(t, `^\$(\d+|ARGUMENTS\[\d+\])$`, tok.Text)
	case Named:
		require.Equal(t, "$"+tok.Name, tok.Text)
		require.Equal(t, tok.Name, o.Names[tok.Index])
	case Variable:
		require.Equal(t, "${"+tok.Name+"}", tok.Text)
		require.True(t, strings.HasPrefix(tok.Name, "CLAUDE_"))
	}
}

func checkSpan(t *testing.T, body string, tok Token) {
	require.NotEmpty(t, strings.TrimSpace(tok.Command))
	before := body[:tok.Offset]
	if tok.Fenced {
		require.True(t, before == "" || strings.HasSuffix(before, "\n"))
		require.Regexp(t, "^ {0,3}`{3,}[ \t]*!(?s:.*\n {0,3})`{3,}[ \t\r]*$", tok.Text)
	} else {
		require.True(t, before == "" || strings.ContainsAny(before[len(before)-1:], " \t\n\v\f\r"))
		require.Equal(t, "!`"+tok.Command+"`", tok.Text)
		require.NotContains(t, tok.Command, "\n")
	}
	line := tok.Line
	if tok.Fenced {
		line++
	}
	for _, in := range tok.Inner {
		require.True(t, strings.HasPrefix(tok.Command[in.Offset:], in.Text))
		require.Equal(t, line+strings.Count(tok.Command[:in.Offset], "\n"), in.Line)
		require.NotEqual(t, Literal, in.Kind)
	}
}

// checkIdentity asserts that a body without marks comes back itself.
func checkIdentity(t *testing.T, body string, tmpl *Template, o Options) {
	if o.NoSpans && o.NoPlaceholders || !strings.ContainsAny(body, "$`") {
		text, replaced := tmpl.Render(values("v"))
		require.Same(t, unsafe.StringData(body), unsafe.StringData(text))
		require.Equal(t, body, text)
		require.False(t, replaced)
	}
}

// checkInserted renders once with values that mean nothing and once with
// values made of placeholders and spans. If nothing reads what is inserted,
// the results differ in the values only.
func checkInserted(t *testing.T, body string, tmpl *Template) {
	if strings.Contains(body, "\x00") {
		return
	}
	inert := Values{Args: "\x001\x00", Words: []string{"\x002\x00", "\x003\x00"}}
	lookup := "\x004\x00"
	inert.Lookup = func(string) (string, bool) { return lookup, true }
	output := "\x005\x00"
	inert.Span = func(int, Token) string { return output }
	want, wantReplaced := tmpl.Render(inert)
	size := tmpl.Size(inert) + int64(len(output)*len(tmpl.Spans()))
	require.EqualValues(t, size, len(want))

	live := inert
	live.Args, live.Words = "$1 !`id` \\", []string{"$ARGUMENTS[0]\\", "\n```!\nid\n```\n"}
	lookup, output = "${CLAUDE_X}$0\\", "$ARGUMENTS\n!`id`"
	want = strings.NewReplacer("\x001\x00", live.Args, "\x002\x00", live.Words[0], "\x003\x00", live.Words[1],
		"\x004\x00", lookup, "\x005\x00", output).Replace(want)
	got, replaced := tmpl.Render(live)
	require.Equal(t, want, got)
	require.Equal(t, wantReplaced, replaced)
}

// FuzzSpans checks the scanner for spans against one that takes no short cuts.
func FuzzSpans(f *testing.F) {
	for _, test := range spanTests {
		f.Add(test.body)
	}
	f.Fuzz(func(t *testing.T, body string) {
		if len(body) > fuzzCap {
			t.Skip("over the size cap")
		}
		found, err := findSpans(body, &Options{MaxSpans: -1})
		require.NoError(t, err)
		all := finder{body: body, max: -1}
		all.find()
		require.Equal(t, all.spans, found, "a quick look must not miss a span")

		few, err := findSpans(body, &Options{MaxSpans: -1, FenceStrict: true})
		require.NoError(t, err)
		require.Subset(t, found, few, "strict only takes away")

		if !strings.Contains(body, "```") && !strings.Contains(body, "~~~") {
			require.Equal(t, plainSpans(body), found, "without fences")
		}
	})
}

// plainSpans returns the spans of a body without fences, by trying every
// closing run for every opening one.
func plainSpans(body string) []span {
	var spans []span
	for pos := 0; pos < len(body); {
		run := len(body[pos:]) - len(strings.TrimLeft(body[pos:], "`"))
		switch end := plainCommand(body, pos); {
		case run == 0:
			pos++
			continue
		case end > 0:
			spans = append(spans, span{start: pos - 1, end: end + 1, command: body[pos+1 : end]})
			pos = end + 1
			continue
		case (pos-len(strings.TrimRight(body[:pos], `\`)))%2 == 1:
			pos++
			continue
		}
		pos = plainClose(body, pos+run, run)
	}
	return spans
}

// plainCommand returns where the span ends whose backquote is at pos, or 0.
func plainCommand(body string, pos int) int {
	if pos == 0 || body[pos] != '`' || body[pos-1] != '!' || pos > 1 && strings.Trim(body[pos-2:pos-1], " \t\n\v\f\r") != "" {
		return 0
	}
	command, _, closed := strings.Cut(body[pos+1:], "`")
	if !closed || strings.Contains(command, "\n") || strings.TrimSpace(command) == "" {
		return 0
	}
	return pos + 1 + len(command)
}

// plainClose returns where the code span ends that begins at from, or from.
func plainClose(body string, from, size int) int {
	inside := body[from:]
	if size == 1 {
		inside, _, _ = strings.Cut(inside, "\n")
	}
	for end := from; end < from+len(inside); end++ {
		line, _, _ := strings.Cut(body[end:], "\n")
		if end > 0 && body[end-1] == '\n' && isBlank(line) {
			return from
		}
		run := len(body[end:]) - len(strings.TrimLeft(body[end:], "`"))
		if run == size {
			return end + run
		}
		end += max(run-1, 0)
	}
	return from
}

// FuzzNames checks the search for names against a loop over all of them.
func FuzzNames(f *testing.F) {
	for _, test := range placeholderTests {
		f.Add(test.body, strings.Join(test.opts.Names, " "))
	}
	f.Add("aab", "a aa aab aabb ab b")
	f.Fuzz(func(t *testing.T, text, joined string) {
		if len(text) > fuzzCap || len(joined) > fuzzCap {
			t.Skip("over the size cap")
		}
		names := strings.Split(joined, " ")
		size, index := 0, 0
		for i, name := range names {
			declared := len(name) <= maxName && strings.Trim(name, "0123456789") != ""
			if declared && len(name) > size && strings.HasPrefix(text, name) && !continuesWord(text[len(name):]) {
				size, index = len(name), i
			}
		}
		gotSize, gotIndex := newNameSet(names).longest(text)
		require.Equal(t, size, gotSize)
		require.Equal(t, index, gotIndex)
	})
}
