package main

import (
	"math"
	"strings"
)

// percent is what used is of budget. Only exactly the budget is 100: less is
// rounded down and more is rounded up.
func percent(used, budget int) int {
	budget = max(1, budget)
	share := 100 * float64(used) / float64(budget)
	switch {
	case used > budget:
		return max(101, int(math.Ceil(share)))
	case used < budget:
		return min(99, int(share))
	}
	return 100
}

// barWidth is the length of a bar without its brackets.
const barWidth = 40

// bar draws how much of the budget is used. Within the budget the bar is the
// budget; beyond it the bar is what is used, with a stroke where the budget
// ends.
func bar(used, budget int) []part {
	budget = max(1, budget)
	if used <= budget {
		n := share(used, budget)
		return []part{{"[", plain}, {strings.Repeat("█", n), green}, {strings.Repeat("░", barWidth-n), plain}, {"]", plain}}
	}
	n := min(share(budget, used), barWidth-2)
	return []part{{"[", plain}, {strings.Repeat("█", n), green}, {"|", plain}, {strings.Repeat("▓", barWidth-1-n), red}, {"]", plain}}
}

// share is what part is of a bar that stands for whole: 0 only for nothing,
// and all of it only for the whole.
func share(part, whole int) int {
	switch {
	case part <= 0:
		return 0
	case part >= whole:
		return barWidth
	}
	return min(barWidth-1, 1+int(float64(part)/float64(whole)*(barWidth-1)))
}
