package main

import (
	"slices"
	"strings"
	"unicode"
)

// gap is the space between two columns.
const gap = 2

// A grid is rows of parts in columns that are as wide as their widest part,
// but no wider than its limit: a longer part shifts the rest of its own row.
// A limit of 0 is none.
type grid struct {
	limits []int
	rows   [][]part
}

func (g *grid) add(row ...part) { g.rows = append(g.rows, row) }

// print writes the rows, without blanks at their ends.
func (g *grid) print(c canvas) {
	widths := g.widths()
	for _, row := range g.rows {
		c.line(spread(row, widths)...)
	}
}

// fill cuts the last part of each row so that the row takes at most width
// columns, but no shorter than least.
func (g *grid) fill(width, least int) {
	widths := g.widths()
	for _, row := range g.rows {
		end := len(row) - 1
		at := 0
		for _, p := range spread(append(slices.Clone(row[:end]), part{text: "x"}), widths) {
			at += cells(oneLine(p.text))
		}
		row[end].text = cutCells(row[end].text, max(least, width-at+1))
	}
}

// widths returns the width of each column.
func (g *grid) widths() []int {
	widths := make([]int, len(g.limits))
	for _, row := range g.rows {
		for i, p := range row {
			if w := cells(oneLine(p.text)); g.limits[i] == 0 || w <= g.limits[i] {
				widths[i] = max(widths[i], w)
			}
		}
	}
	return widths
}

// spread puts the blanks between the columns of one row.
func spread(row []part, widths []int) []part {
	for len(row) > 0 && row[len(row)-1].text == "" {
		row = row[:len(row)-1]
	}
	var out []part
	at, want := 0, 0
	for i, p := range row {
		if want > 0 && p.text != "" {
			n := max(want-at, gap)
			out, at = append(out, part{strings.Repeat(" ", n), plain}), at+n
		}
		if p.text != "" {
			out, at = append(out, p), at+cells(oneLine(p.text))
		}
		if widths[i] > 0 {
			want += widths[i] + gap
		}
	}
	return out
}

// cells is how many columns of a terminal text takes.
func cells(text string) int {
	n := 0
	for _, r := range text {
		n += runeCells(r)
	}
	return n
}

// runeCells follows what terminals do with whole scripts, not the last emoji.
func runeCells(r rune) int {
	switch {
	case r < 0x300:
		return 1
	case unicode.In(r, unicode.Mn, unicode.Me, unicode.Cf):
		return 0
	case r >= 0xFF61 && r <= 0xFFDC: // half-width letters
		return 1
	case unicode.In(r, unicode.Han, unicode.Hangul, unicode.Hiragana, unicode.Katakana),
		r >= 0x3000 && r <= 0x303E, r >= 0xFF01 && r <= 0xFF60, r >= 0x1F300 && r <= 0x1FAFF:
		return 2
	}
	return 1
}

// cutCells folds text to one line of at most n columns.
func cutCells(text string, n int) string {
	text = oneLine(strings.Join(strings.Fields(text), " "))
	if cells(text) <= n {
		return text
	}
	left := n - 1 // the last is for the …
	for i, r := range text {
		if left -= runeCells(r); left < 0 {
			return strings.TrimRight(text[:i], " \u200d") + "…"
		}
	}
	return text
}
