package frontmatter

import (
	"bytes"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"
)

// checkInvariants checks what holds for every parsed text.
func checkInvariants(t *testing.T, text []byte, d *Document) {
	t.Helper()
	require.LessOrEqual(t, d.Body, len(text))
	require.Equal(t, 1+bytes.Count(text[:d.Body], []byte("\n")), d.BodyLine)
	if d.State == None {
		require.Zero(t, d.Body)
		require.Empty(t, d.Fields)
		require.Empty(t, d.Problems)
		return
	}
	last := lastLine(text[:d.Body])
	require.True(t, isFence(last), "the body follows %q", last)
	if d.State == Broken {
		require.Empty(t, d.Fields)
		require.Len(t, d.Problems, 1)
	}
	require.Equal(t, d.State == Recovered, len(d.Problems) > 0 && d.Problems[0].Code == CodeRecovered)
	end := d.headerLine + bytes.Count([]byte(d.header), []byte("\n"))
	checkFields(t, d.Fields, d.headerLine, end)
	for _, p := range d.Problems {
		require.NotEmpty(t, p.Code)
		require.NotEmpty(t, p.Message)
		require.NotEmpty(t, p.Hint)
		require.GreaterOrEqual(t, p.Line, d.headerLine-1)
		require.LessOrEqual(t, p.Line, end)
	}
	for _, f := range d.Fields {
		require.True(t, utf8.ValidString(d.Raw(f)))
		f.Value.Any(AsText)
		f.Value.Any(AsJSON)
	}
}

// checkFields checks that fields have keys and lie within the given lines.
func checkFields(t *testing.T, fields []Field, from, to int) {
	t.Helper()
	for _, f := range fields {
		require.NotEmpty(t, f.Key)
		require.GreaterOrEqual(t, f.Line, from)
		require.Less(t, f.Line, to)
		checkValue(t, f.Value, from, to)
	}
}

func checkValue(t *testing.T, v Value, from, to int) {
	t.Helper()
	require.GreaterOrEqual(t, v.Line, from)
	require.Less(t, v.Line, to)
	require.True(t, utf8.ValidString(v.Text))
	require.True(t, v.Kind == List || v.Items == nil)
	require.True(t, v.Kind == Map || v.Fields == nil)
	require.True(t, !v.Lost || v.Kind == Null && v.Text == "")
	for _, item := range v.Items {
		checkValue(t, item, from, to)
	}
	checkFields(t, v.Fields, from, to)
}

// lastLine returns the last line of text, whether or not it is ended.
func lastLine(text []byte) []byte {
	text = bytes.TrimSuffix(text, []byte("\n"))
	return text[bytes.LastIndexByte(text, '\n')+1:]
}

func FuzzParse(f *testing.F) {
	for _, text := range []string{
		benchHeader, benchYAML, benchBroken, "---\n---\n", "\n---\na: b", "---\n- a\n---\nx", "+++\n",
		"---\na: &a [*a]\n<<: {b: c}\n---\n", "---\n  a: b\nc: d\n---\n", "---\na: b\n...\nc: d\n---\n",
		"---\na: x\u2028b: y\n\uFEFFc: d\n---\n", "---\n? [a]\n: b\n---\n", "---\na: |\n\tb\n---\n",
		"---\na: \"\\uD83D\\uDE80\"\n---\n", "---\r\na:b\r\n---\r\n", "---\na: [b\n 'c', #\n @\n---\n",
	} {
		f.Add([]byte(text), len(text)/2)
	}
	f.Fuzz(func(t *testing.T, in []byte, cut int) {
		if len(in) > 4<<10 {
			t.Skip()
		}
		text, _ := Decode(in, true)
		var whole, part Document
		Parse(text, true, Limits{}, &whole)
		require.False(t, whole.Incomplete)
		checkInvariants(t, text, &whole)

		// A beginning says the same as the whole unless it asks for more.
		prefix := text[:min(max(cut, 0), len(text))]
		Parse(text, true, Limits{}, &part) // leaves memory to be reused
		Parse(prefix, false, Limits{}, &part)
		if !part.Incomplete {
			require.Equal(t, whole.State, part.State)
			require.Equal(t, whole.Body, part.Body)
			require.Equal(t, whole.Problems, part.Problems)
			require.True(t, sameFields(whole.Fields, part.Fields))
		}
		FirstParagraph(text[whole.Body:])
	})
}
