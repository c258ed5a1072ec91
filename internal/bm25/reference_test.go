package bm25_test

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/seed-12b313d8/skills/internal/bm25"
	"github.com/seed-12b313d8/skills/internal/names"
)

// A plainDoc is a document of the reference.
type plainDoc struct {
	id         int // its key
	names      []string
	text, body string
}

func (d *plainDoc) doc() bm25.Doc {
	out := bm25.Doc{Key: d.id, Names: d.names, Text: d.text}
	if d.body != "" {
		out.Body = func() string { return d.body }
	}
	return out
}

// counts returns what each term counts in d, and the length of d.
func (d *plainDoc) counts(terms func(string) []string) (map[string]float64, float64) {
	counts := make(map[string]float64)
	for _, n := range d.names {
		for _, t := range terms(n) {
			counts[t] = 3
		}
	}
	for _, t := range terms(d.text) {
		counts[t] += 2
	}
	for _, t := range terms(d.body) {
		counts[t]++
	}
	length := 0.0
	for _, n := range counts {
		length += n
	}
	return counts, length
}

// A plainHit is a hit of the reference. Its kind is 2 for a document's own name,
// 1 for another of its names, and 0 for terms only.
type plainHit struct {
	doc, kind int
	score     float64 // of its terms
}

// plainFind is the formula over maps, and a sort of everything.
func plainFind(docs []plainDoc, query string, terms func(string) []string) []plainHit {
	counts := make([]map[string]float64, len(docs))
	lengths := make([]float64, len(docs))
	df, mean := make(map[string]float64), 0.0
	for i := range docs {
		counts[i], lengths[i] = docs[i].counts(terms)
		for t := range counts[i] {
			df[t]++
		}
		mean += lengths[i] / float64(len(docs))
	}
	const k1, b = 1.2, 0.75
	var hits []plainHit
	for i := range docs {
		h := plainHit{doc: i, kind: plainKind(docs[i].names, query)}
		for _, t := range terms(query) {
			tf := counts[i][t]
			if tf == 0 {
				continue
			}
			idf := math.Log(1 + (float64(len(docs))-df[t]+0.5)/(df[t]+0.5))
			h.score += idf * tf * (k1 + 1) / (tf + k1*(1-b+b*lengths[i]/mean))
		}
		if h.kind > 0 || h.score > 0 {
			hits = append(hits, h)
		}
	}
	slices.SortStableFunc(hits, func(a, b plainHit) int {
		return cmp.Or(cmp.Compare(b.kind, a.kind), cmp.Compare(b.score, a.score))
	})
	return hits
}

func plainKind(called []string, query string) int {
	for i, n := range called {
		if key := names.Fold(n); key == "" || key != names.Fold(query) {
			continue
		}
		if i == 0 {
			return 2
		}
		return 1
	}
	return 0
}

// A hit is one hit of an index.
type hit struct {
	doc   int
	score float64
}

// drain returns all that x finds, and checks what is true of all hits.
func drain(t require.TestingT, x *bm25.Index, query string) []hit {
	var out []hit
	for h := x.Query(query).Find(); ; {
		doc, score, ok := h.Next()
		if !ok {
			_, _, again := h.Next()
			require.False(t, again)
			return out
		}
		if !(score > 0) || math.IsInf(score, 0) {
			require.Fail(t, "no score of a hit", "%v", score)
		}
		if n := len(out); n > 0 && (out[n-1].score < score || out[n-1].score == score && out[n-1].doc > doc) {
			require.Fail(t, "best first, then by position", "%v then %d %v", out[n-1], doc, score)
		}
		out = append(out, hit{doc, score})
	}
}

// same compares the hits of the index with those of the reference. Scores that
// differ by rounding only may change places.
func same(t require.TestingT, want []plainHit, got []hit, query string) {
	require.Len(t, got, len(want), "%q", query)
	byDoc := make(map[int]plainHit)
	for _, h := range want {
		byDoc[h.doc] = h
	}
	for i, h := range got {
		ref, ok := byDoc[h.doc]
		require.True(t, ok, "%q finds %d", query, h.doc)
		delete(byDoc, h.doc)
		require.Equal(t, want[i].kind, ref.kind, "%q: rank %d", query, i)
		require.InDelta(t, want[i].score, ref.score, 1e-9, "%q: rank %d", query, i)
		if ref.kind == 0 {
			require.InDelta(t, ref.score, h.score, 1e-9)
		}
	}
}

// A world makes random documents over few words, so that all meet.
type world struct {
	rnd   *rand.Rand
	words []string
	ids   int
}

func newWorld(seed uint64) *world {
	w := &world{rnd: rand.New(rand.NewPCG(seed, 7))}
	for i := range 3 + w.rnd.IntN(40) {
		w.words = append(w.words, fmt.Sprintf("w%c%c", 'a'+i/26, 'a'+i%26))
	}
	return w
}

// text returns up to n words, the first ones more often.
func (w *world) text(n int) string {
	var out []string
	for range w.rnd.IntN(n + 1) {
		i := min(w.rnd.IntN(len(w.words)), w.rnd.IntN(len(w.words)))
		out = append(out, w.words[i])
	}
	return strings.Join(out, " ")
}

func (w *world) doc() plainDoc {
	w.ids++
	d := plainDoc{id: w.ids, text: w.text(12)}
	for range w.rnd.IntN(4) {
		d.names = append(d.names, w.text(2))
	}
	if w.rnd.IntN(3) == 0 {
		d.body = w.text(80)
	}
	return d
}

// change returns docs after some came, went, changed and moved.
func (w *world) change(docs []plainDoc) []plainDoc {
	docs = slices.Clone(docs)
	for range w.rnd.IntN(6) {
		switch n := len(docs); {
		case n == 0 || w.rnd.IntN(3) == 0:
			docs = slices.Insert(docs, w.rnd.IntN(n+1), w.doc())
		case w.rnd.IntN(2) == 0:
			at := w.rnd.IntN(n)
			docs = slices.Delete(docs, at, at+1)
		case w.rnd.IntN(4) == 0:
			docs = append(docs, docs[w.rnd.IntN(n)]) // the same once more
		case w.rnd.IntN(8) == 0:
			w.rnd.Shuffle(n, func(i, j int) { docs[i], docs[j] = docs[j], docs[i] })
		default:
			docs[w.rnd.IntN(n)] = w.doc()
		}
	}
	return docs
}

func build(prev *bm25.Index, docs []plainDoc) *bm25.Index {
	out := make([]bm25.Doc, len(docs))
	for i := range docs {
		out[i] = docs[i].doc()
	}
	return bm25.Build(prev, out)
}

// Thousands of random corpora: the index finds what the formula says, however it
// came about, and scores documents outside as those within.
func TestReference(t *testing.T) {
	for seed := range uint64(400) {
		w := newWorld(seed)
		var docs []plainDoc
		for range w.rnd.IntN(30) {
			docs = append(docs, w.doc())
		}
		var x *bm25.Index
		for range 8 {
			x = build(x, docs)
			fresh := build(nil, docs)
			require.Equal(t, fresh.Dictionary(), x.Dictionary())
			for range 2 {
				query := w.text(1 + w.rnd.IntN(6))
				got := drain(t, x, query)
				same(t, plainFind(docs, query, strings.Fields), got, query)
				require.Equal(t, drain(t, fresh, query), got, "built at once")
				scores := make([]float64, len(docs))
				for _, h := range got {
					scores[h.doc] = h.score
				}
				for range min(3, len(docs)) {
					i := w.rnd.IntN(len(docs))
					require.Equal(t, scores[i], x.Query(query).Score(bm25.Read(docs[i].doc())), "%q", query)
				}
			}
			docs = w.change(docs)
		}
	}
}

// Whatever texts are: the order holds, a hit shares a term or has the name and
// nothing else is one, an own name comes first, and it does not matter how the
// index came about.
func FuzzFind(f *testing.F) {
	f.Add("code-review\tReviews code\tbody\nreview\tC++ and .NET\n\t\t\nCODE-review\tx", "Code-Review", uint8(1))
	f.Add("审查\t代码审查\x00e\u0301\té\n審\t", "代码 é", uint8(3))
	f.Add("a\xff\t\xe4\xbd\n\xff\t.\n!!!\t???", "!!!", uint8(0))
	f.Fuzz(func(t *testing.T, text, query string, kept uint8) {
		if len(text) > 2<<10 || len(query) > 512 {
			return
		}
		var docs []plainDoc
		for i, l := range strings.Split(text, "\n") {
			fields := append(strings.Split(l, "\t"), "", "")
			docs = append(docs, plainDoc{id: i, names: strings.Split(fields[0], "\x00"), text: fields[1], body: fields[2]})
		}
		fresh := build(nil, docs)
		got := drain(t, fresh, query)
		want := make(map[int]bool)
		for _, h := range plainFind(docs, query, bm25.Terms) {
			want[h.doc] = true
		}
		last := 2
		for _, h := range got {
			kind := plainKind(docs[h.doc].names, query)
			require.True(t, want[h.doc], "%d shares nothing", h.doc)
			require.LessOrEqual(t, kind, last, "names come first")
			last = kind
			delete(want, h.doc)
			require.Equal(t, h.score, fresh.Query(query).Score(bm25.Read(docs[h.doc].doc())))
		}
		require.Empty(t, want, "all that share something are found")

		part := docs[:int(kept)%(len(docs)+1)]
		slices.Reverse(part)
		other := build(nil, part)
		slices.Reverse(part)
		x := build(other, docs)
		require.Equal(t, fresh.Dictionary(), x.Dictionary())
		require.Equal(t, got, drain(t, x, query))
		require.Equal(t, drain(t, other, query), drain(t, build(x, reversed(part)), query), "and back")
	})
}

func reversed(docs []plainDoc) []plainDoc {
	docs = slices.Clone(docs)
	slices.Reverse(docs)
	return docs
}

// The figures are worked out by hand.
func TestFormula(t *testing.T) {
	x := build(nil, []plainDoc{
		{id: 1, names: []string{"build"}, text: "fix the build"}, // build 5, fix 2, the 2
		{id: 2, names: []string{"log"}, text: "read", body: "the log the log the log"},
		{id: 3, names: []string{"other"}},
	})
	const mean = (9.0 + 11 + 3) / 3
	idf := func(df float64) float64 { return math.Log(1 + (3-df+0.5)/(df+0.5)) }
	score := func(df, tf, length float64) float64 {
		return idf(df) * tf * 2.2 / (tf + 1.2*(0.25+0.75*length/mean))
	}
	got := drain(t, x, "the the fix")
	require.Len(t, got, 2)
	assert.Equal(t, 0, got[0].doc)
	assert.InDelta(t, 2*score(2, 2, 9)+score(1, 2, 9), got[0].score, 1e-12)
	assert.InDelta(t, 2*score(2, 3, 11), got[1].score, 1e-12)
}
