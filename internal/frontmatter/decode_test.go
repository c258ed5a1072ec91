package frontmatter

import (
	"bytes"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestDecode(t *testing.T) {
	rows := []struct {
		name, in, want string
		prefix         bool // in is the beginning of a longer file
		defects        Defects
		reason         string
	}{
		{name: "clean", in: "a\nß\n", want: "a\nß\n", reason: "01 R3: nothing to do"},
		{name: "empty", in: "", want: "", reason: "01 R3"},
		{name: "mark", in: "\uFEFFa", want: "a", reason: "01 R3, A01: one byte order mark is dropped"},
		{name: "two marks", in: "\uFEFF\uFEFFa", want: "\uFEFFa", reason: "01 R3, A01: exactly one"},
		{name: "mark inside", in: "a\uFEFFb", want: "a\uFEFFb", reason: "A01: a later one is data"},
		{name: "crlf", in: "a\r\nb\r\n", want: "a\nb\n", reason: "01 R3, A03"},
		{name: "cr", in: "a\rb\r\rc", want: "a\nb\n\nc", reason: "01 R3: CR alone is a line end"},
		{name: "mixed ends", in: "a\n\rb\r\n\nc\r", want: "a\n\nb\n\nc\n", reason: "01 R3"},
		{name: "mark and crlf", in: "\uFEFFa\r\n", want: "a\n", reason: "peers 2a: both"},
		{
			name: "nul", in: "a\nb\x00c\x00", want: "a\nb\uFFFDc\uFFFD", defects: Defects{NUL: 2},
			reason: "01 R3: NUL is replaced, first line reported",
		},
		{
			name: "invalid", in: "a\r\n\r\n\xff\xfeb", want: "a\n\n\uFFFD\uFFFDb", defects: Defects{UTF8: 3},
			reason: "01 R3: each invalid byte is replaced",
		},
		{
			name: "surrogate", in: "\xed\xa0\x80", want: "\uFFFD\uFFFD\uFFFD", defects: Defects{UTF8: 1},
			reason: "01 R3: encoded surrogates are not UTF-8",
		},
		{
			name: "both", in: "\xffa\n\x00", want: "\uFFFDa\n\uFFFD", defects: Defects{NUL: 2, UTF8: 1},
			reason: "01 R3",
		},
		{name: "replacement", in: "a\uFFFDb", want: "a\uFFFDb", reason: "01 R3: a real U+FFFD is no defect"},
		{name: "replacement after repair", in: "\r\uFFFD", want: "\n\uFFFD", reason: "01 R3: nor is it in the slow path"},
		{name: "cut character", in: "aé"[:2], want: "a", prefix: true, reason: "a prefix may end within a character"},
		{name: "cut long character", in: "a😀"[:4], want: "a", prefix: true, reason: "as above"},
		{name: "cut after repair", in: "\r\n😀"[:5], want: "\n", prefix: true, reason: "as above, in the slow path"},
		{
			name: "cut at the end", in: "aé"[:2], want: "a\uFFFD", defects: Defects{UTF8: 1},
			reason: "01 R3: at the end of the file it is invalid",
		},
		{
			name: "invalid at the cut", in: "a\x80", want: "a\uFFFD", prefix: true, defects: Defects{UTF8: 1},
			reason: "more of the file cannot make it valid",
		},
		{name: "cut line end", in: "a\r", want: "a\n", prefix: true, reason: "CR is a line end whether or not LF follows"},
		{name: "cut mark", in: "\uFEFF"[:2], want: "", prefix: true, reason: "the mark may be cut too"},
		{name: "whole character", in: "aé", want: "aé", prefix: true, reason: "nothing is cut"},
	}
	for _, r := range rows {
		row(t, r.name, r.reason, func(t *testing.T) {
			in := []byte(r.in)
			text, defects := Decode(in, !r.prefix)
			assert.Equal(t, r.want, string(text))
			assert.Equal(t, r.defects, defects)
			assert.Equal(t, r.in, string(in), "the input was changed")
		})
	}
}

func TestDecodeReturnsItsInput(t *testing.T) {
	for _, in := range []string{"text ß\n", "\uFEFFtext"} {
		b := []byte(in)
		text, _ := Decode(b, true)
		assert.Same(t, &b[len(b)-1], &text[len(text)-1], "%q was copied", in)
		assert.Zero(t, testing.AllocsPerRun(10, func() { Decode(b, true) }))
	}
}

func FuzzDecode(f *testing.F) {
	f.Add([]byte("\uFEFFa\r\nb\x00\xff"), 3)
	f.Add([]byte("é😀\r"), 4)
	f.Add([]byte("\xef\xbb"), 1)
	f.Fuzz(func(t *testing.T, in []byte, cut int) {
		if len(in) > 4<<10 {
			t.Skip()
		}
		kept := slices.Clone(in)
		text, defects := Decode(in, true)
		require.Equal(t, kept, in, "the input was changed")
		require.True(t, utf8.Valid(text))
		require.NotContains(t, string(text), "\r")
		require.NotContains(t, string(text), "\x00")
		require.Equal(t, bytes.IndexByte(in, 0) >= 0, defects.NUL > 0)
		require.Equal(t, !utf8.Valid(in), defects.UTF8 > 0)
		lines := 1 + strings.Count(string(text), "\n")
		require.LessOrEqual(t, max(defects.NUL, defects.UTF8), lines)

		if !bytes.HasPrefix(text, []byte(byteOrderMark)) {
			again, none := Decode(text, true)
			require.Equal(t, text, again, "decoding twice changes the text")
			require.Zero(t, none)
		}
		prefix, _ := Decode(in[:min(max(cut, 0), len(in))], false)
		require.True(t, bytes.HasPrefix(text, prefix), "%q is not the beginning of %q", prefix, text)
	})
}
