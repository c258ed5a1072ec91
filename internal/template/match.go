package template

import (
	"math"
	"strings"
	"unicode"
	"unicode/utf8"
)

// A match is a placeholder at the start of a text, without the backslash if it
// is escaped.
type match struct {
	kind  Kind
	size  int // in bytes; 0: there is none
	index int
}

// match returns the placeholder that text, which begins with $, begins with.
// An escaped one need not pass the amount rules: who writes `\$5.00` wants to
// see $5.00 whatever the options.
func (s *scanner) match(text string, escaped bool) match {
	m := s.fixed(text, escaped)
	if size, index := s.names.longest(text[1:]); size > 0 && 1+size > m.size {
		m = match{Named, 1 + size, index}
	}
	if escaped && m.size > 0 {
		m = match{kind: Escaped, size: m.size}
	}
	return m
}

// fixed is match without the declared names.
func (s *scanner) fixed(text string, escaped bool) match {
	if len(text) < 2 {
		return match{}
	}
	switch c := text[1]; {
	case c == '{':
		return s.braced(text)
	case c == 'A':
		return arguments(text)
	case isDigit(c):
		index, size := number(text[1:])
		if s.narrow && !escaped && (!s.positional || size > 1 || amount(text[1+size:])) {
			return match{}
		}
		return match{kind: Word, size: 1 + size, index: index}
	}
	return match{}
}

const argumentsWord = "$ARGUMENTS"

// arguments matches $ARGUMENTS and $ARGUMENTS[N].
func arguments(text string) match {
	rest, ok := strings.CutPrefix(text, argumentsWord)
	if !ok || continuesWord(rest) {
		return match{}
	}
	if strings.HasPrefix(rest, "[") {
		if index, size := number(rest[1:]); size > 0 && strings.HasPrefix(rest[1+size:], "]") {
			return match{kind: Word, size: len(argumentsWord) + size + len("[]"), index: index}
		}
	}
	return match{kind: Arguments, size: len(argumentsWord)}
}

// braced matches ${NAME}.
func (s *scanner) braced(text string) match {
	end := len("${")
	for end < len(text) && isIdent(text[end]) {
		end++
	}
	name := text[len("${"):end]
	if name == "" || isDigit(name[0]) || end == len(text) || text[end] != '}' || !s.variable(name) {
		return match{}
	}
	return match{kind: Variable, size: end + len("}")}
}

// variableName returns NAME of ${NAME}.
func variableName(text string) string { return text[len("${") : len(text)-len("}")] }

// number returns the number that text begins with and how many digits it has.
// A number that does not fit is the largest int: no text has so many words.
func number(text string) (n, size int) {
	for size < len(text) && isDigit(text[size]) {
		d := int(text[size] - '0')
		if n > (math.MaxInt-d)/10 {
			n = math.MaxInt
		} else {
			n = 10*n + d
		}
		size++
	}
	return n, size
}

// amount reports whether rest goes on with decimals or thousands.
func amount(rest string) bool {
	return len(rest) > 1 && (rest[0] == '.' || rest[0] == ',') && isDigit(rest[1])
}

// continuesWord reports whether the word before rest goes on in it. Scripts
// that write words without spaces between them, or glue particles to foreign
// words, end it: there a placeholder stands right before other text.
func continuesWord(rest string) bool {
	if rest == "" {
		return false
	}
	if c := rest[0]; c < utf8.RuneSelf {
		return isIdent(c)
	}
	r, _ := utf8.DecodeRuneInString(rest)
	return unicode.In(r, unicode.Latin, unicode.Greek, unicode.Cyrillic, unicode.M)
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

func isIdent(c byte) bool {
	return c == '_' || isDigit(c) || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
}
