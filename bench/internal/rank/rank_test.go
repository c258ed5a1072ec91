package rank

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
)

// The figures are worked out by hand.
func TestBM25(t *testing.T) {
	lines := []string{"fix the build", "read the log the log", "publish"}
	idf := func(df float64) float64 { return math.Log(1 + (3-df+0.5)/(df+0.5)) }
	norm := func(size float64) float64 { return 1.2 * (0.25 + 0.75*size/3) }
	assert.InDeltaSlice(t, []float64{idf(1) * 2.2 / (1 + norm(3)), 0, 0}, BM25(lines)("Build"), 1e-12)
	assert.InDeltaSlice(t, []float64{idf(2) * 2.2 / (1 + norm(3)), idf(2) * 2 * 2.2 / (2 + norm(5)), 0}, BM25(lines)("the"), 1e-12)
	assert.Equal(t, []float64{0, 0, 0}, BM25(lines)("builds"), "other forms are other words")
	assert.Equal(t, []float64{0, 0, 0}, BM25(lines)(""))

	twice := BM25(lines)("build build")
	assert.InDelta(t, 2*BM25(lines)("build")[0], twice[0], 1e-12)
	rare := BM25([]string{"the build", "the log"})("the build")
	assert.Greater(t, rare[0], rare[1], "the rare word decides")
}

func TestTrigrams(t *testing.T) {
	lines := []string{"build", "builds", "log"}
	// " bu bui uil ild ld " against the same, and against " bu bui uil ild lds ds ".
	assert.InDeltaSlice(t, []float64{1, 4 / math.Sqrt(5*6), 0}, Trigrams(lines)("Build!"), 1e-12)
	assert.InDelta(t, 1, Trigrams([]string{"aaaa"})("aaaa")[0], 1e-12, "what repeats counts by its number")
	assert.Equal(t, []float64{0, 0, 0}, Trigrams(lines)(""))
	assert.Equal(t, []float64{0}, Trigrams([]string{""})("build"))
}

func TestFinding(t *testing.T) {
	for _, tt := range []struct {
		reason string
		scores []float64 // of which the first is wanted
		want   Finding
	}{
		{"the first", []float64{3, 2, 1}, Finding{1, 1, 1, 1}},
		{"the third", []float64{1, 2, 3}, Finding{0, 1, 1, 0.3333}},
		{"the sixth", []float64{1, 2, 2, 2, 2, 2}, Finding{0, 0, 1, 0.1667}},
		{"one of two that are first", []float64{1, 1}, Finding{0.5, 1, 1, 0.75}},
		{"one of three from the fourth on", []float64{1, 2, 2, 2, 1, 1}, Finding{0, 0.6667, 1, 0.2056}},
		{"no match is no find, even if there is none", []float64{0, 0}, Finding{}},
	} {
		t.Run(tt.reason, func(t *testing.T) {
			var f Finding
			f.Add(tt.scores, 0)
			assert.Equal(t, tt.want, f.Mean(1))
		})
	}
	var f Finding
	f.Add([]float64{2, 1}, 0)
	f.Add([]float64{2, 1}, 1)
	assert.Equal(t, Finding{0.5, 1, 1, 0.75}, f.Mean(2))
	assert.Equal(t, Finding{}, Finding{}.Mean(0), "no queries")
}
