package gitignore

import (
	"cmp"
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"
)

// A mode says what a character of a pattern or a path is.
type mode uint8

const (
	folded mode = iota // a code point, whatever its letter case
	exact              // a code point as written
	octets             // a byte, as git sees it
)

// text puts a path or a literal part of a pattern into the form in which the
// mode compares them. Bytes become the code points of the same number, since
// regular expressions know code points only.
func (m mode) text(s string) string {
	switch m {
	case folded:
		return foldString(s)
	case octets:
		return widen(s)
	default:
		return repair(s)
	}
}

// repair replaces each byte of s that is not UTF-8 by U+FFFD, which is what
// regular expressions read it as. Folding does the same.
func repair(s string) string {
	if utf8.ValidString(s) {
		return s
	}
	return strings.Map(func(r rune) rune { return r }, s)
}

// decode returns the first character of s, in the form of text, and its width
// in s.
func (m mode) decode(s string) (rune, int) {
	if s[0] < utf8.RuneSelf || m == octets {
		if m == folded {
			return foldRune(rune(s[0])), 1
		}
		return rune(s[0]), 1
	}
	r, n := utf8.DecodeRuneInString(s)
	if m == folded {
		r = foldRune(r)
	}
	return r, n
}

// foldString maps every code point to the one that stands for all its letter
// cases. It returns s itself when nothing changes.
func foldString(s string) string {
	for i := 0; i < len(s); i++ {
		if c := s[i]; c >= utf8.RuneSelf || 'A' <= c && c <= 'Z' {
			return strings.Map(foldRune, s)
		}
	}
	return s
}

// foldRune returns the representative of the code points that differ from r in
// letter case only: the small ASCII letter when there is one, otherwise the
// least of them.
func foldRune(r rune) rune {
	least := r
	if r >= utf8.RuneSelf {
		for f := unicode.SimpleFold(r); f != r; f = unicode.SimpleFold(f) {
			least = min(least, f)
		}
	}
	if 'A' <= least && least <= 'Z' {
		least += 'a' - 'A'
	}
	return least
}

// widen turns each byte of s into one code point.
func widen(s string) string {
	for i := 0; i < len(s); i++ {
		if s[i] >= utf8.RuneSelf {
			return widenFrom(s)
		}
	}
	return s
}

func widenFrom(s string) string {
	var b strings.Builder
	b.Grow(2 * len(s))
	for i := 0; i < len(s); i++ {
		b.WriteRune(rune(s[i]))
	}
	return b.String()
}

// A span is a range of code points, both ends included.
type span struct{ lo, hi rune }

// A folding is a code point that foldRune changes.
type folding struct{ from, to rune }

// foldings lists all of them in order. A class can span the whole of Unicode,
// and walking this table is what keeps folding one cheap.
var foldings = sync.OnceValue(func() []folding {
	var list []folding
	for _, c := range unicode.CaseRanges {
		for r := rune(c.Lo); r <= rune(c.Hi); r++ {
			if to := foldRune(r); to != r {
				list = append(list, folding{r, to})
			}
		}
	}
	return list
})

// foldSpan calls add for s and for the representatives of its members that lie
// outside of it.
func foldSpan(s span, add func(span)) {
	add(s)
	if s.lo == s.hi {
		r := foldRune(s.lo)
		add(span{r, r})
		return
	}
	var images span
	for _, f := range foldingsIn(s) {
		switch {
		case s.lo <= f.to && f.to <= s.hi:
		case images.hi != 0 && f.to == images.hi+1:
			images.hi = f.to
		default:
			if images.hi != 0 {
				add(images)
			}
			images = span{f.to, f.to}
		}
	}
	if images.hi != 0 {
		add(images)
	}
}

// foldingsIn returns the foldings whose origin lies in s.
func foldingsIn(s span) []folding {
	list := foldings()
	at := func(r rune) int {
		i, _ := slices.BinarySearchFunc(list, r, func(f folding, r rune) int { return cmp.Compare(f.from, r) })
		return i
	}
	return list[at(s.lo):at(s.hi+1)]
}
