package bm25_test

import (
	"fmt"
	"math"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/seed-12b313d8/skills/internal/bm25"
)

func TestFind(t *testing.T) {
	docs := []bm25.Doc{
		{Names: []string{"office:pdf", "pdf"}, Text: "Reads and writes PDFs"},
		{Names: []string{"code-review", "Code Review"}, Text: "Reviews a change before it is merged"},
		{Names: []string{"deploy", "ship", "ship it"}, Text: "Puts a release on the servers, after code review"},
		{Names: []string{"ship"}, Text: "Draws vessels"},
		{Names: []string{"web", "HTTPServer"}, Text: "Builds a server in C++, C# or .NET"},
		{Names: []string{"审查"}, Text: "代码审查"},
		{Names: []string{"ตรวจ"}, Text: "ตรวจโค้ด"},
		{Names: []string{"!!!"}, Text: "Alarms"},
		{Names: []string{"", "   "}},
		{},
		{Names: []string{"notes"}, Text: "Keeps notes", Body: func() string { return "On releases and on vessels of all kinds, at length and in detail" }},
		{Names: []string{"résumé"}, Text: "Writes an application"},
	}
	x := bm25.Build(nil, docs)
	for _, tt := range []struct {
		reason, query string
		want          []int
	}{
		{"exact name first (06 §4)", "code-review", []int{1, 2}},
		{"letter case and white space apart", "  CODE  Review ", []int{1, 2}},
		{"a document's own name before that of another", "ship", []int{3, 2}},
		{"an alias before all that share terms", "ship it", []int{2, 3, 1}},
		{"a bare name", "pdf", []int{0}},
		{"a name of no terms", "!!!", []int{7}},
		{"NFC apart", "re\u0301sume\u0301", []int{11}},
		{"the name counts more than the text", "merged notes", []int{10, 1}},
		{"and the text more than the body", "vessels", []int{3, 10}},
		{"code identifiers in parts", "http server", []int{4, 2}},
		{"and as a whole", "httpserver", []int{4}},
		{"whole of what the document has in parts", "codeReview", []int{1, 2}},
		{"C++", "C++", []int{4}},
		{"C#", "c#", []int{4}},
		{".NET", ".net", []int{4}},
		{"Chinese in pairs", "审查代码", []int{5}},
		{"Thai", "โค้ด", []int{6}},
		{"a plural", "servers", []int{4, 2}},
		{"no word in common", "quantum", nil},
		{"no query", "", nil},
		{"blanks", " \n", nil},
		{"punctuation", "?", nil},
		{"invalid UTF-8", "\xff\xfe", nil},
	} {
		t.Run(tt.reason, func(t *testing.T) {
			var got []int
			for _, h := range drain(t, x, tt.query) {
				got = append(got, h.doc)
			}
			assert.Equal(t, tt.want, got)
		})
	}
}

func TestTies(t *testing.T) {
	var docs []bm25.Doc
	for range 100 {
		docs = append(docs, bm25.Doc{Names: []string{"same"}, Text: "thing"})
	}
	for i, h := range drain(t, bm25.Build(nil, docs), "same thing") {
		assert.Equal(t, i, h.doc)
	}
}

// Score ranks documents of elsewhere among those of the index.
func TestScore(t *testing.T) {
	x := bm25.Build(nil, []bm25.Doc{
		{Names: []string{"deploy"}, Text: "Puts a release on the servers"},
		{Names: []string{"draw"}, Text: "Draws vessels"},
	})
	hits := drain(t, x, "release")
	require.Len(t, hits, 1)
	better := bm25.Doc{Names: []string{"release-notes"}, Text: "Writes about a release"}
	assert.Greater(t, x.Query("release").Score(bm25.Read(better)), hits[0].score)
	assert.Less(t, x.Query("release").Score(bm25.Read(better)), x.Query("release").Score(bm25.Read(bm25.Doc{Names: []string{"Release"}})), "a name is exact there too")
	assert.Less(t, x.Query("release").Score(bm25.Read(bm25.Doc{Names: []string{"x", "release"}})), x.Query("release").Score(bm25.Read(bm25.Doc{Names: []string{"release"}})))
	assert.Zero(t, x.Query("release").Score(bm25.Read(bm25.Doc{Names: []string{"paint"}, Text: "Paints"})))
	assert.Zero(t, x.Query("release").Score(bm25.Read(bm25.Doc{})))
	assert.Positive(t, x.Query("quantum").Score(bm25.Read(bm25.Doc{Text: "A quantum of work"})), "a word that the index lacks is a rare one")
	assert.Positive(t, x.Query("quantum").Score(bm25.Read(bm25.Doc{Body: func() string { return "quantum" }})))
}

func TestNothing(t *testing.T) {
	for reason, x := range map[string]*bm25.Index{
		"the zero index": {}, "no documents": bm25.Build(nil, nil), "empty ones": bm25.Build(nil, make([]bm25.Doc, 3)),
	} {
		t.Run(reason, func(t *testing.T) {
			for _, q := range []string{"", "word", "!"} {
				assert.Empty(t, drain(t, x, q))
				assert.Zero(t, x.Query(q).Score(bm25.Read(bm25.Doc{})))
			}
			got := x.Query("word").Score(bm25.Read(bm25.Doc{Text: "word"}))
			assert.True(t, got > 0 && !math.IsInf(got, 0), "%v", got)
			assert.Len(t, drain(t, bm25.Build(x, []bm25.Doc{{Text: "word"}}), "word"), 1)
		})
	}
}

func TestKeys(t *testing.T) {
	reads := make(map[string]int)
	doc := func(key any, text string) bm25.Doc {
		return bm25.Doc{Key: key, Names: []string{text}, Body: func() string { reads[text]++; return text + " body" }}
	}
	type pair struct{ a, b any }
	first := []bm25.Doc{
		doc(1, "one"), doc("1", "two"), doc(nil, "three"), doc([]int{1}, "four"), doc(pair{1, []int{2}}, "five"),
		doc(math.NaN(), "six"), doc(pair{1, 2}, "seven"), doc(1, "one"), doc(nil, "three"), doc(1, "one"),
	}
	x := bm25.Build(nil, first)
	assert.Equal(t, map[string]int{"one": 1, "two": 1, "three": 2, "four": 1, "five": 1, "six": 1, "seven": 1}, reads, "once for each key")
	assert.Len(t, drain(t, x, "one"), 3)

	clear(reads)
	y := bm25.Build(x, append([]bm25.Doc{doc("new", "eight"), doc(1, "changed")}, first...))
	assert.Equal(t, map[string]int{"three": 2, "four": 1, "five": 1, "six": 1, "eight": 1}, reads, "nil, NaN and what cannot be compared are new")
	assert.Len(t, drain(t, y, "one"), 4, "an equal key is an unchanged document")
	assert.Empty(t, drain(t, y, "changed"))
	assert.Equal(t, 0, drain(t, y, "eight")[0].doc)
	assert.Len(t, drain(t, x, "one"), 3, "the index before does not change")
	assert.Empty(t, drain(t, x, "eight"))
}

// What no document has any more is forgotten (06 §4: bounded memory).
func TestForgets(t *testing.T) {
	var x *bm25.Index
	for round := range 100 {
		docs := []bm25.Doc{{Key: "stays", Text: "alpha beta"}}
		for i := range 20 {
			docs = append(docs, bm25.Doc{Key: [2]int{round, i}, Names: []string{fmt.Sprintf("r%dd%d", round, i)}, Text: "alpha"})
		}
		x = bm25.Build(x, docs)
		require.Len(t, drain(t, x, "alpha"), 21)
		require.LessOrEqual(t, len(x.Dictionary()), 2+2+2*20+20, "round %d", round)
	}
	assert.Equal(t, []string{"alpha", "beta"}, bm25.Build(x, []bm25.Doc{{Key: "stays"}}).Dictionary())
	assert.Empty(t, bm25.Build(x, nil).Dictionary())
}

func TestBounds(t *testing.T) {
	long := strings.Repeat("word ", 14_000) // 70,000 bytes
	x := bm25.Build(nil, []bm25.Doc{
		{Names: []string{"text"}, Text: long + "beyond"},
		{Names: []string{"body"}, Body: func() string { return strings.Repeat("a ", 1<<20) + "beyond" }},
		{Names: []string{"names", strings.Repeat("n", 60_000), strings.Repeat("m ", 4000), "last"}},
		{Names: []string{"count"}, Text: strings.Repeat("c ", 32<<10), Body: func() string { return strings.Repeat("c ", 32<<10) }},
	})
	assert.Len(t, drain(t, x, "word"), 1)
	assert.Empty(t, drain(t, x, "beyond"), "64 KiB are read of a text and of a body")
	assert.Empty(t, drain(t, x, "last"), "and of all names")
	assert.Len(t, drain(t, x, "c"), 1, "a count of 98,304 is cut, not lost")

	for _, query := range []string{
		strings.Repeat("word ", 1<<20), strings.Repeat("w", 1<<20), strings.Repeat("\xff", 1<<20), strings.Repeat("한", 1<<20),
	} {
		drain(t, x, query)
		x.Query(query).Score(bm25.Read(bm25.Doc{Text: query, Names: []string{query}}))
	}
	var many strings.Builder
	for i := range 300 {
		fmt.Fprintf(&many, "%s ", wordOf(uint64(i)))
	}
	assert.Empty(t, drain(t, x, many.String()+"word"), "the first 256 terms of a query count")
	assert.Len(t, drain(t, x, strings.Repeat("other ", 300)+"word"), 1, "different ones, that is")
}

// An index is read by many at once while others are built from it.
func TestHammerFind(t *testing.T) {
	docs := manyDocs(300)
	x := bm25.Build(nil, docs)
	want := drain(t, x, "ta ea")
	var wg sync.WaitGroup
	for i := range 8 {
		wg.Go(func() {
			for range 20 {
				assert.Equal(t, want, drain(t, x, "ta ea"))
				x.Query("ta ea").Score(bm25.Read(docs[i]))
				assert.Equal(t, want, drain(t, bm25.Build(x, docs), "ta ea"))
			}
		})
	}
	wg.Wait()
	require.NotEmpty(t, want)
}
