package line_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/rivo/uniseg"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/seed-12b313d8/skills/internal/line"
)

const (
	family = "\U0001F468\u200D\U0001F469\u200D\U0001F467" // 5 code points
	accent = "e\u0301"                                    // 2
	flag   = "\U0001F1E9\U0001F1EA"                       // 2
)

func TestCut(t *testing.T) {
	tests := []struct {
		name   string
		in     string
		n      int
		want   string
		reason string
	}{
		{"empty", "", 5, "", "fits"},
		{"no room", "abc", 0, "", "n < 1 leaves nothing"},
		{"less than no room", "abc", -3, "", "n < 1 leaves nothing"},
		{"room for the mark", "abc def", 1, "…", "02 §2: the … is included"},
		{"exact", "abc def", 7, "abc def", "02 §2: what fits is not touched"},
		{"one over", "abc def", 6, "abc d…", "02 §2: no word ends in the last third, so a cluster does"},
		{"word", "abcd efgh", 6, "abcd…", "02 §2: word boundary"},
		{"word ends at the room", "abcd efgh", 5, "abcd…", "02 §2: word boundary"},
		{"last third just reached", "abcd efghijk", 7, "abcd…", "02 §2: 4 of 6 is the start of the last third"},
		{"last third just missed", "abcd efghijk", 8, "abcd ef…", "02 §2: 4 of 7 lies before it"},
		{"blank at the cut", "a bcdefgh ijk", 3, "a…", "no blank before the …"},
		{"cap 249", strings.Repeat("x", 249), 250, strings.Repeat("x", 249), "02 §2: entry cap"},
		{"cap 250", strings.Repeat("x", 250), 250, strings.Repeat("x", 250), "peers 2d: 250 is the same"},
		{"cap 251", strings.Repeat("x", 251), 250, strings.Repeat("x", 249) + "…", "peers 2d: 300 becomes 249 + …"},
		{"emoji at the cap", strings.Repeat("a", 248) + "\U0001F600" + strings.Repeat("b", 100), 250, strings.Repeat("a", 248) + "\U0001F600…", "peers 2d counts UTF-16 units; here a character is a code point"},
		{"400 characters", strings.Repeat("word ", 79) + "words", 250, strings.Repeat("word ", 49) + "word…", "bug G10: a cut shows …"},
		{"cjk", strings.Repeat("技", 251), 250, strings.Repeat("技", 249) + "…", "bug G04: valid UTF-8, at most the cap"},
		{"cjk after a word", "PDF " + strings.Repeat("技", 20), 12, "PDF " + strings.Repeat("技", 7) + "…", "02 §2: cluster boundary where no word ends in the last third"},
		{"family whole", "ab" + family + "cd", 8, "ab" + family + "…", "02 §2: a cluster of 5 fits"},
		{"family split", "ab" + family + "cd", 7, "ab…", "02 §2: a cluster is never split"},
		{"accent", "aa" + accent + "bb", 4, "aa…", "02 §2: a cluster is never split"},
		{"flags", flag + flag + flag, 5, flag + flag + "…", "02 §2: a cluster is never split"},
		{"flag split", flag + flag + flag, 4, flag + "…", "02 §2: a cluster is never split"},
		{"keycap", "1\uFE0F\u20E3 two three", 3, "…", "02 §2: ASCII may begin a cluster"},
		{"marks without end", "a" + strings.Repeat("\u0301", 50) + " b", 40, "…", "nothing fits but the mark"},
		{"mark on a blank", "ab \u0301c defg", 4, "ab…", "a blank with a mark is a cluster, not a word boundary"},
		{"joining number sign", "ab\u0600 cd ef", 4, "ab…", "a prepended mark holds on to its blank"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			require.NotEmpty(t, tt.reason)
			got := line.Cut(tt.in, tt.n)
			assert.Equal(t, tt.want, got, tt.reason)
			assert.Equal(t, line.Len(got), line.CutLen(tt.in, tt.n))
		})
	}
}

// cutSlowly is Cut by the words of 02 §2: among all ends of clusters within
// the room, the last that ends a word if it lies in the last third, otherwise
// the last one.
func cutSlowly(s string, n int) string {
	if n < 1 {
		return ""
	}
	if utf8.RuneCountInString(s) <= n {
		return s
	}
	var word, any string
	before := ""
	for g := uniseg.NewGraphemes(s); g.Next(); before += g.Str() {
		if strings.HasPrefix(g.Str(), " ") && any == before {
			word = before
		}
		if utf8.RuneCountInString(before+g.Str()) > n-1 {
			break
		}
		if g.Str() != " " {
			any = before + g.Str()
		}
	}
	if float64(utf8.RuneCountInString(word)) >= float64(n-1)*2/3 {
		return word + "…"
	}
	return any + "…"
}

func FuzzCut(f *testing.F) {
	for _, s := range []string{
		"", "abc def ghi", "  lead and trail  ", strings.Repeat("技能", 30), "ab" + family + " cd" + flag + flag, accent + " " + accent + "\u0301 x",
		"ab \u0301c \u0600 d", "\xff\xfe a", "a\r\nb",
	} {
		f.Add(s, 7)
		f.Add(s, 20)
	}
	f.Fuzz(func(t *testing.T, s string, n int) {
		if len(s) > 4<<10 {
			t.Skip("over 4 KiB")
		}
		got := line.Cut(s, n)
		require.Equal(t, cutSlowly(s, n), got)
		assert.Equal(t, line.Len(got), line.CutLen(s, n))
		assert.LessOrEqual(t, line.Len(got), max(n, 0))
		if utf8.ValidString(s) {
			assert.True(t, utf8.ValidString(got))
		}
		if n > 0 && n < 1<<20 {
			assert.GreaterOrEqual(t, line.CutLen(s, n+1), line.Len(got), "more room never gives less")
		}
	})
}

func FuzzLen(f *testing.F) {
	for _, seed := range []string{"", "1234567", "12345678", "12345678é", "1234567é9", "\xff\xfe12345678", "技能技能技能"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, s string) { assert.Equal(t, len([]rune(s)), line.Len(s)) })
}
