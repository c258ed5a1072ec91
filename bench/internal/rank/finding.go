package rank

import "math"

// A Finding is how well queries find their lines, in shares of 1: sums until
// Mean divides them.
type Finding struct {
	// Hit1, Hit5 and Hit10 are the shares of queries whose line is among the
	// first so many.
	Hit1  float64 `json:"hit1"`
	Hit5  float64 `json:"hit5"`
	Hit10 float64 `json:"hit10"`
	// MRR is the mean of 1/rank; lines that are not found count 0.
	MRR float64 `json:"mrr"`
}

// Add counts one query, whose line is the one at want. Lines of one score
// share their ranks: each is as likely to be the first of them.
func (f *Finding) Add(scores []float64, want int) {
	if scores[want] <= 0 {
		return
	}
	better, tied := 0, 0
	for _, s := range scores {
		switch {
		case s > scores[want]:
			better++
		case s == scores[want]:
			tied++
		}
	}
	share := func(k int) float64 { return float64(max(0, min(tied, k-better))) / float64(tied) }
	f.Hit1 += share(1)
	f.Hit5 += share(5)
	f.Hit10 += share(10)
	for rank := better + 1; rank <= better+tied; rank++ {
		f.MRR += 1 / float64(rank) / float64(tied)
	}
}

// Mean divides the sums by the number of queries.
func (f Finding) Mean(queries int) Finding {
	n := float64(max(queries, 1))
	return Finding{Round(f.Hit1 / n), Round(f.Hit5 / n), Round(f.Hit10 / n), Round(f.MRR / n)}
}

// Round leaves four digits, which are the same on every machine.
func Round(x float64) float64 { return math.Round(x*1e4) / 1e4 }
