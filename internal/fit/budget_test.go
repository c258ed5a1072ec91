package fit_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/seed-12b313d8/skills/internal/fit"
)

func TestBudget(t *testing.T) {
	tests := []struct {
		reason        string
		fixed, window int
		perToken      float64
		fraction      float64
		want          int
	}{
		{"02 §2: 1 % of the window", 0, 200_000, 4, 0.01, 8000},
		{"02 §2: unknown window", 0, 0, 4, 0.01, 8000},
		{"nonsense is unknown", 0, -1, 4, 0.01, 8000},
		{"02 §2: what is fixed wins", 500, 200_000, 4, 0.01, 500},
		{"never nothing", 0, 1, 4, 0.01, 1},
		{"no overflow", math.MaxInt, 0, 4, 0.01, math.MaxInt32},
		{"nor by odd factors", 0, math.MaxInt, 1e300, 1e300, math.MaxInt32},
		{"nor by no number", 0, 100, math.NaN(), 1, math.MaxInt32},
	}
	for _, tt := range tests {
		assert.Equal(t, tt.want, fit.Budget(tt.fixed, tt.window, tt.perToken, tt.fraction), tt.reason)
	}
}
