package gitignore

import "strings"

// A kind tells what a token matches.
type kind uint8

const (
	tokEnd       kind = iota
	tokMalformed      // nothing; the whole pattern is void
	tokLiteral        // one given character
	tokSlash          // the separator
	tokAnyChar        // `?`: one character
	tokClass          // `[a-z]`: one character
	tokStar           // `*`: characters of one segment, or none
	tokSegment        // `*` as a whole segment, which is never empty
	tokDeepDirs       // `**/`: any number of segments with their slash, or none
	tokDeepTail       // `**` after a slash at the end: everything below
	tokGluedDirs      // as deepDirs, but within a segment; git only
	tokGluedTail      // any text, or none; git only
)

// nonEmpty reports whether the kind takes at least one character.
func (k kind) nonEmpty() bool {
	switch k {
	case tokLiteral, tokSlash, tokAnyChar, tokClass, tokSegment, tokDeepTail:
		return true
	default:
		return false
	}
}

// deep reports whether the kind can take whole segments.
func (k kind) deep() bool { return k >= tokDeepDirs }

// A token is one element of a pattern and the bytes it is written with.
type token struct {
	kind       kind
	char       rune // of a literal
	start, end int
}

// A lexer reads the tokens of a pattern that has lost its `!`, its leading and
// its final slash.
type lexer struct {
	text  string
	mode  mode
	flat  bool // no slash in the pattern, so `**` is no more than `*`
	pos   int
	fresh bool // nothing of the segment has been matched yet
	bound bool // right after a slash, or at the start
	plain bool // nothing but unescaped literals and slashes so far
}

func newLexer(text string, m mode, flat bool) lexer {
	return lexer{text: text, mode: m, flat: flat, fresh: true, bound: true, plain: true}
}

// next returns the next token and steps over it. After end and malformed it
// returns the same again.
func (l *lexer) next() token {
	t := l.scan()
	t.end = l.pos
	l.fresh = t.kind == tokSlash || t.kind == tokDeepDirs
	l.bound = l.fresh || t.kind == tokGluedDirs
	l.plain = l.plain && (t.kind == tokLiteral || t.kind == tokSlash)
	return t
}

func (l *lexer) scan() token {
	t := token{start: l.pos}
	if l.pos >= len(l.text) {
		return t
	}
	switch l.text[l.pos] {
	case '/':
		t.kind = tokSlash
	case '?':
		t.kind = tokAnyChar
	case '*':
		return l.stars(t)
	case '[':
		return l.class(t)
	case '\\':
		return l.escape(t)
	default:
		return l.literal(t)
	}
	l.pos++
	return t
}

func (l *lexer) literal(t token) token {
	r, n := l.mode.decode(l.text[l.pos:])
	l.pos += n
	t.kind, t.char = tokLiteral, r
	return t
}

// escape reads a backslash and the character it makes literal. A slash stays a
// separator, since no segment can hold one.
func (l *lexer) escape(t token) token {
	l.plain = false
	switch {
	case l.pos+1 == len(l.text):
		t.kind = tokMalformed
		return t
	case l.text[l.pos+1] == '/':
		t.kind = tokSlash
		l.pos += 2
		return t
	default:
		l.pos++
		return l.literal(t)
	}
}

func (l *lexer) class(t token) token {
	_, n, ok := scanClass(l.text[l.pos:], l.mode, nil)
	if !ok {
		t.kind = tokMalformed
		return t
	}
	l.pos += n
	t.kind = tokClass
	return t
}

// stars reads a run of stars and decides from its neighbours what it means.
func (l *lexer) stars(t token) token {
	rest := strings.TrimLeft(l.text[l.pos:], "*")
	run := len(l.text) - l.pos - len(rest)
	sep := separator(rest)
	closed := rest == "" || sep > 0
	glued := l.mode == octets && l.plain // git looks at what follows the literal start only
	deep := run > 1 && closed && !l.flat && (l.bound || glued)
	l.pos += run
	switch {
	case deep && sep > 0:
		l.pos += sep
		t.kind = l.either(tokDeepDirs, tokGluedDirs)
	case deep:
		t.kind = l.either(tokDeepTail, tokGluedTail)
	case closed:
		t.kind = l.either(tokSegment, tokStar)
	default:
		t.kind = tokStar
	}
	return t
}

// either returns whole at the start of a segment and within inside of one.
func (l *lexer) either(whole, within kind) kind {
	if l.fresh {
		return whole
	}
	return within
}

// separator returns the width of the slash, plain or escaped, at the start of
// s, or 0.
func separator(s string) int {
	switch {
	case strings.HasPrefix(s, "/"):
		return 1
	case strings.HasPrefix(s, `\/`):
		return 2
	default:
		return 0
	}
}
