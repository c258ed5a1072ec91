package bm25_test

import (
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/seed-12b313d8/skills/internal/bm25"
	"github.com/seed-12b313d8/skills/internal/names"
)

func TestTerms(t *testing.T) {
	for _, tt := range []struct{ reason, text, want string }{
		{"words, letter case and punctuation apart", "Fix: the Log, (now)!", "fix the log now"},
		{"camelCase and its whole", "codeReview", "code review codereview"},
		{"PascalCase", "CodeReview", "code review codereview"},
		{"capitals end before a word", "HTTPServer", "http server httpserver"},
		{"capitals alone", "HTTP", "http"},
		{"capitals before digits", "UTF8", "utf 8 utf8"},
		{"a plural of capitals", "PDFs", "pdf s pdf"},
		{"snake_case", "code_review", "code review codereview"},
		{"kebab-case", "code-review", "code review codereview"},
		{"dotted names", "os.path.join", "os path join ospathjoin"},
		{"hyphens of typesetters", "code‐review code‑review", "code review codereview code review codereview"},
		{"of all kinds", "my-HTTPServer_v2.go", "my http server v 2 go myhttpserverv2go"},
		{"versions", "v2", "v 2 v2"},
		{"letters between digits", "i18n", "i 18 n i18n"},
		{"numbers", "42", "42"},
		{"a point between digits stays", "v1.5", "v 1 5 v1.5"},
		{"so 1.5 is not 15", "1.5 15", "1 5 1.5 15"},
		{"a point that ends a sentence joins nothing", "Read it. Then go.", "read it then go"},
		{"nor do dashes", "read - then -go -- now", "read then go now"},
		{"nor two of them", "read__init", "read init"},
		{"nor a slash", "CI/CD", "ci cd"},
		{"C++", "C++ and C++17", "c c++ and c c++ 17"},
		{"C#", "C#, F# (C#)", "c c# f f# c c#"},
		{"but no headings or anchors", "#tag page#part", "tag page part"},
		{"nor sums", "1+1 a+b", "1 1 a b"},
		{".NET", "Use .NET or ASP.NET", "use net .net or asp net aspnet"},
		{"hidden files", "(.env)", "env .env"},
		{"an ellipsis hides nothing", "...and", "and"},
		{"a plural", "tests boxes stories", "test boxe story"},
		{"of what is an identifier", "unit-tests", "unit test unittest"},
		{"no plural", "class status analysis this bus its ss s", "class status analysis this bus its ss s"},
		{"a short word is none", "aws ios ties", "aws ios tie"},
		{"Chinese gives pairs", "代码审查", "代码 码审 审查"},
		{"one character gives itself", "中 国", "中 国"},
		{"Japanese in two scripts", "データ分析", "デー ータ タ分 分析"},
		{"Korean", "코드 리뷰를", "코드 리뷰 뷰를"},
		{"decomposed Korean", "\u110f\u1169\u1103\u1173", "코드"},
		{"Thai", "ตรวจโค้ด", "ตร รว วจ จโ โค ค้ ้ด"},
		{"beside other letters", "Go代码v2", "go 代码 v 2 v2"},
		{"characters beyond the basic plane", "𠮷野家", "𠮷野 野家"},
		{"Russian", "Проверка КОДА", "проверка кода"},
		{"case of any script, once for all forms", "ΣΟΦΟΣ σοφός Σοφοσ", "σοφοσ σοφόσ σοφοσ"},
		{"composed or not", "é e\u0301 É", "é é é"},
		{"composed when small only", "J\u030c ǰ", "ǰ ǰ"},
		{"Arabic", "مراجعة الكود", "مراجعة الكود"},
		{"Hindi has marks", "कोड समीक्षा", "कोड समीक्षा"},
		{"what is invisible", "co\u00adde\u200d review\ufe0f", "code review"},
		{"emoji are none", "⚙️ set 🚀up 1️⃣", "set up 1"},
		{"invalid UTF-8", "a\xffb \xe4\xbd", "a b"},
		{"a mark alone", "\u0301", ""},
		{"nothing", " … ", ""},
	} {
		t.Run(tt.reason, func(t *testing.T) {
			assert.Equal(t, strings.Fields(tt.want), append([]string{}, bm25.Terms(tt.text)...))
		})
	}
}

func TestLongTerms(t *testing.T) {
	long := strings.Repeat("x", 200)
	assert.Equal(t, []string{long[:64]}, bm25.Terms(long))
	assert.Equal(t, bm25.Terms(long), bm25.Terms(long+"y"), "what follows does not count")
	for _, unit := range []string{"é", "aé", "Я", "aB", "a-", "A", "Aa", "9a", "한", "İ"} {
		text := strings.Repeat(unit, 30_000)
		got := bm25.Terms(text)
		require.NotEmpty(t, got)
		for _, term := range got {
			require.LessOrEqual(t, len(term), 64)
			require.True(t, utf8.ValidString(term))
		}
	}
}

// Terms are short and valid, text of letters has some, and neither what stands
// beside it nor the form of its characters changes them.
func FuzzTerms(f *testing.F) {
	for _, s := range []string{
		"HTTPServer code_review v2.5 PDFs", "C++ C# .NET ...x", "代码 코드 โค้ด データ", "J\u030c \u0301x e\u0301 1️⃣", "a\xffb", "-_.#++", "İıſKß",
	} {
		f.Add(s, "Review#")
	}
	f.Fuzz(func(t *testing.T, a, b string) {
		if len(a)+len(b) > 4<<10 {
			return
		}
		got := bm25.Terms(a)
		for _, term := range got {
			require.True(t, utf8.ValidString(term), "%q", term)
			require.True(t, term != "" && len(term) <= 64+2, "%q", term)
			require.Equal(t, term, names.Normalize(term))
			require.NotContains(t, term, " ")
		}
		require.LessOrEqual(t, len(got), 3*len(a), "linear")
		require.Equal(t, len(got) > 0, strings.ContainsFunc(strings.ToValidUTF8(a, ""), func(r rune) bool {
			return unicode.IsLetter(r) || unicode.IsNumber(r)
		}), "letters and digits make terms, and nothing else does")
		require.Equal(t, slices.Concat(got, bm25.Terms(b)), bm25.Terms(a+"\n"+b))
		require.Equal(t, got, bm25.Terms(names.Normalize(a)))
		if !strings.ContainsFunc(a, func(r rune) bool { return r >= utf8.RuneSelf || unicode.IsLower(r) }) {
			require.Equal(t, got, bm25.Terms(strings.Map(fold, a)), "case does not count where it splits nothing")
		}
	})
}

// fold makes ASCII small.
func fold(r rune) rune {
	if 'A' <= r && r <= 'Z' {
		return r + 'a' - 'A'
	}
	return r
}
