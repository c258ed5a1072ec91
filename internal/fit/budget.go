package fit

import "math"

const (
	defaultBudget = 8000          // characters, if nothing is known
	maxBudget     = math.MaxInt32 // keeps odd options from overflowing
)

// Budget returns how many characters a listing may have (02 §2): what is fixed,
// if that is positive, or else a fraction of a context window of so many tokens.
// If the window is unknown, 0 or less, it is 8,000.
func Budget(fixed, window int, charsPerToken, fraction float64) int {
	switch {
	case fixed > 0:
		return min(fixed, maxBudget)
	case window <= 0:
		return defaultBudget
	}
	chars := math.Floor(float64(window) * charsPerToken * fraction)
	if !(chars < maxBudget) { // nor not a number
		return maxBudget
	}
	return max(1, int(chars))
}
