package main

import "strings"

// meant is the question for up to two of the known words that are near to word.
func meant(word string, known []string, prefix string) string {
	var found []string
	for limit := 0; limit <= max(1, len(word)/3) && len(word) < 40; limit++ {
		for _, k := range known {
			d := distance(word, k)
			if word != "" && strings.HasPrefix(k, word) {
				d = 1
			}
			if d == limit {
				found = append(found, prefix+k)
			}
		}
	}
	if len(found) == 0 {
		return ""
	}
	return "; did you mean " + strings.Join(found[:min(2, len(found))], " or ") + "?"
}

// distance is the number of letters to insert, delete, replace, or swap with
// their neighbours to turn a into b.
func distance(a, b string) int {
	x, y := []rune(strings.ToLower(a)), []rune(b)
	d := make([][]int, len(x)+1)
	for i := range d {
		d[i] = make([]int, len(y)+1)
		for j := range d[i] {
			switch {
			case i == 0 || j == 0:
				d[i][j] = i + j
			case x[i-1] == y[j-1]:
				d[i][j] = d[i-1][j-1]
			default:
				d[i][j] = 1 + min(d[i-1][j], d[i][j-1], d[i-1][j-1])
			}
			if i > 1 && j > 1 && x[i-1] == y[j-2] && x[i-2] == y[j-1] {
				d[i][j] = min(d[i][j], 1+d[i-2][j-2])
			}
		}
	}
	return d[len(x)][len(y)]
}
