package bm25

import (
	"strings"
	"unicode/utf8"

	"github.com/seed-12b313d8/skills/internal/line"
	"github.com/seed-12b313d8/skills/internal/names"
)

// maxTerm is the length of a term in bytes; what is longer ends there.
const maxTerm = 64

// A lexer cuts text into terms.
type lexer struct {
	text  string
	pos   int
	term  []byte
	whole []byte // of the identifier at pos, as far as it was read
	yield func(term []byte)
}

// terms calls yield for the terms of text, in order. A term is valid until
// yield returns.
//
//   - A word is a run of letters, digits and marks, in NFC and without letter
//     case.
//   - An identifier is words joined by single "-", "_" or ".", or one that has
//     letters of both cases or digits. Its parts are terms, and so is the whole
//     without what joins it, other than a point between digits: codeReview and
//     code-review both give code, review, codereview. HTTPServer falls into
//     http and server, PDFs into pdf and s.
//   - The plural of an English word is its singular, see singular.
//   - Languages called C++ and C# give c and c++, c and c#; .NET gives .net and
//     net.
//   - Scripts without blanks between words give all pairs of neighbours, and a
//     lone character gives itself.
//
// There is no other stemming, and no list of stop words.
func (l *lexer) terms(text string) {
	l.text, l.pos = names.Normalize(text), 0
	for l.pos < len(l.text) {
		switch c, size := l.class(l.pos); c {
		case gap, inner:
			l.pos += size
		case dense:
			l.pairs()
		default:
			l.identifier()
		}
	}
}

// class returns the class and size of the character at i; at the end it is a
// gap.
func (l *lexer) class(i int) (class, int) {
	if i >= len(l.text) {
		return gap, 0
	}
	if b := l.text[i]; b < utf8.RuneSelf {
		return classify(rune(b)), 1
	}
	r, size := utf8.DecodeRuneInString(l.text[i:])
	return classify(r), size
}

// span returns where the run of characters of class c that begins at i ends,
// and how many there are, inner ones apart.
func (l *lexer) span(i int, c class) (end, n int) {
	for {
		got, size := l.class(i)
		switch {
		case got == c:
			n++
		case got != inner || n == 0:
			return i, n
		}
		i += size
	}
}

// pairs reads a run of dense characters.
func (l *lexer) pairs() {
	end, _ := l.span(l.pos, dense)
	last, alone := rune(-1), true
	for _, r := range l.text[l.pos:end] {
		if isSilent(r) {
			continue
		}
		if last >= 0 {
			l.term = utf8.AppendRune(utf8.AppendRune(l.term[:0], last), r)
			l.yield(l.term)
			alone = false
		}
		last = r
	}
	if alone && last >= 0 {
		l.term = utf8.AppendRune(l.term[:0], last)
		l.yield(l.term)
	}
	l.pos = end
}

// identifier reads words that belong together.
func (l *lexer) identifier() {
	l.whole = l.whole[:0]
	pointed := l.afterPoint()
	for parts := 1; ; parts++ {
		from := l.pos
		c := l.part()
		l.term = appendFolded(l.term[:0], l.text[from:l.pos])
		if len(l.whole) < maxTerm {
			l.whole = append(l.whole, l.term...)
		}
		l.yield(singular(l.term))
		if pointed && c != digit {
			l.term = appendFolded(append(l.term[:0], '.'), l.text[from:l.pos])
			l.yield(l.term)
		}
		pointed = false
		if l.join(c) {
			continue
		}
		if c != digit {
			l.sign(from, l.pos)
		}
		if parts > 1 {
			l.yield(singular(shorten(l.whole)))
		}
		return
	}
}

// afterPoint reports whether a point stands before l.pos that ends nothing and
// is not one of several.
func (l *lexer) afterPoint() bool {
	before := l.text[:l.pos]
	return strings.HasSuffix(before, ".") && !strings.HasSuffix(before, "..")
}

// part goes over one part of an identifier and returns the class of its first
// character: digits, capitals, or letters of which the first may be a capital.
// The last of several capitals belongs to the letters that follow, unless only
// one does, as in PDFs.
func (l *lexer) part() class {
	c, _ := l.class(l.pos)
	end, n := l.span(l.pos, c)
	if c == upper {
		low, following := l.span(end, lower)
		switch {
		case n == 1:
			end = low
		case following > 1:
			end = l.lastUpper(end)
		}
	}
	l.pos = end
	return c
}

// lastUpper returns where the last capital before end begins.
func (l *lexer) lastUpper(end int) int {
	for {
		r, size := utf8.DecodeLastRuneInString(l.text[:end])
		end -= size
		if classify(r) == upper {
			return end
		}
	}
}

// join goes to the next part of the identifier and reports whether there is
// one; last is the class of the one before.
func (l *lexer) join(last class) bool {
	next, _ := l.class(l.pos)
	if isWord(next) {
		return true
	}
	size := joint(l.text[l.pos:])
	next, _ = l.class(l.pos + size)
	if size == 0 || !isWord(next) {
		return false
	}
	if l.text[l.pos] == '.' && last == digit && next == digit {
		l.whole = append(l.whole, '.')
	}
	l.pos += size
	return true
}

func isWord(c class) bool { return c == lower || c == upper || c == digit }

// joint returns the size of what joins words at the beginning of s, or 0.
func joint(s string) int {
	switch {
	case s == "":
		return 0
	case s[0] == '-', s[0] == '_', s[0] == '.':
		return 1
	case strings.HasPrefix(s, "\u2010"), strings.HasPrefix(s, "\u2011"): // hyphens
		return 3
	}
	return 0
}

// sign gives the word that ends at l.pos once more with the "++" or "#" that
// follows it.
func (l *lexer) sign(from, to int) {
	rest, sign := l.text[to:], ""
	switch {
	case strings.HasPrefix(rest, "++"):
		sign = "++"
	case strings.HasPrefix(rest, "#"):
		if next, _ := l.class(to + 1); next != gap {
			return
		}
		sign = "#"
	default:
		return
	}
	l.term = append(appendFolded(l.term[:0], l.text[from:to]), sign...)
	l.yield(l.term)
	l.pos += len(sign)
}

// appendFolded appends s without letter case and silent characters, shortened.
func appendFolded(dst []byte, s string) []byte {
	start := len(dst)
	for i, r := range s {
		switch {
		case len(dst)-start >= maxTerm:
			return dst
		case 'A' <= r && r <= 'Z':
			dst = append(dst, byte(r)+'a'-'A')
		case r < utf8.RuneSelf:
			dst = append(dst, byte(r))
		default:
			return appendRunes(dst, start, s[i:])
		}
	}
	return dst
}

// appendRunes is appendFolded for text beyond ASCII, which may want composing
// once more: J with a caron is two characters, but one as a small letter.
func appendRunes(dst []byte, start int, s string) []byte {
	for _, r := range s {
		if len(dst)-start >= maxTerm {
			break
		}
		if !isSilent(r) {
			dst = utf8.AppendRune(dst, fold(r))
		}
	}
	folded := names.Normalize(string(dst[start:]))
	return append(dst[:start], line.Head(folded, maxTerm)...)
}

// shorten cuts a term that is too long, between two characters.
func shorten(term []byte) []byte {
	if len(term) <= maxTerm {
		return term
	}
	n := maxTerm
	for !utf8.RuneStart(term[n]) {
		n--
	}
	return term[:n]
}

// singular takes the mark of a plural off an English word, in place: ies becomes
// y, and s goes unless the word ends in ss, us or is, or has but three letters.
// Of other forms of a word nothing is known.
//
// bench/search measures what it gains; longer suffixes gain nothing more.
func singular(term []byte) []byte {
	n := len(term)
	if n <= 3 || term[n-1] != 's' {
		return term
	}
	switch before := term[n-2]; {
	case before < 'a', before > 'z', before == 's', before == 'u', before == 'i':
		return term
	case n > 4 && before == 'e' && term[n-3] == 'i':
		term[n-3] = 'y'
		return term[:n-2]
	}
	return term[:n-1]
}
