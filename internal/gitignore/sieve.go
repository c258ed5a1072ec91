package gitignore

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// maxSteps bounds the work of one match of a whole list. An honest list takes
// some hundred steps; a step takes about ten nanoseconds.
const maxSteps = 1 << 20

// A purse holds the steps that a match may still take.
type purse int

func (p *purse) spend(n int) bool {
	*p -= purse(n)
	return *p >= 0
}

// admits reports whether a text passes the rule's pre-filter: first a look at
// its literal pieces, then a walk along the pattern. The walk accepts the same
// texts as the translated pattern, but needs no memory and, having no more
// than one star and one `**` to come back to, little time. So a pattern is
// compiled only for a text that it matches, and no hostile pattern is ever put
// to a text that would take it long to reject.
func (r *rule) admits(text string, m mode, s scope, steps *purse) bool {
	if len(text) < r.min || !strings.HasPrefix(text, r.prefix) || !strings.Contains(text, r.infix) {
		return false
	}
	w := walker{rule: r, lexer: r.lexer(m), text: text, scope: s, steps: *steps}
	if r.floating && s == wholePath {
		w.deep = mark{set: true, lexer: w.lexer}
	}
	ok := w.run()
	*steps = w.steps
	return ok
}

// A walker matches one pattern against one text.
type walker struct {
	rule  *rule
	scope scope
	steps purse

	lexer lexer
	text  string
	pos   int
	star  mark // where the last star may take one more character
	deep  mark // where the last `**` may take one more segment
}

// A mark is a place to come back to: what follows the wildcard, and where in
// the text it has been tried.
type mark struct {
	set   bool
	lexer lexer
	pos   int
}

func (w *walker) run() bool {
	for {
		t := w.lexer.next()
		if !w.steps.spend(1 + (t.end-t.start)/8) {
			return false
		}
		switch {
		case t.kind == tokEnd, t.kind == tokDeepTail, t.kind == tokGluedTail:
			if w.ends(t.kind) {
				return true
			}
		case w.takes(t):
			continue
		}
		if !w.back() {
			return false
		}
	}
}

// takes matches one token that is not the last.
func (w *walker) takes(t token) bool {
	switch t.kind {
	case tokSlash:
		return w.slash()
	case tokStar:
		w.star = mark{true, w.lexer, w.pos}
		return true
	case tokSegment:
		if !w.char() {
			return false
		}
		w.star = mark{true, w.lexer, w.pos}
		return true
	case tokDeepDirs, tokGluedDirs:
		w.star.set = false
		w.deep = mark{true, w.lexer, w.pos}
		return true
	case tokAnyChar:
		return w.char()
	default:
		return w.one(t)
	}
}

// slash takes a separator, which settles what the segment before it took.
func (w *walker) slash() bool {
	if w.pos == len(w.text) || w.text[w.pos] != '/' {
		return false
	}
	w.pos++
	w.star.set = false
	return true
}

// char takes any one character but the slash.
func (w *walker) char() bool {
	if w.pos == len(w.text) || w.text[w.pos] == '/' {
		return false
	}
	_, n := utf8.DecodeRuneInString(w.text[w.pos:])
	w.pos += n
	return true
}

// one takes the character that a literal or a class stands for.
func (w *walker) one(t token) bool {
	r, n := utf8.DecodeRuneInString(w.text[w.pos:])
	if n == 0 {
		return false
	}
	switch t.kind {
	case tokLiteral:
		if r != t.char {
			return false
		}
	case tokClass:
		if !inClass(r, w.lexer.text[t.start:t.end], w.lexer.mode) {
			return false
		}
	default:
		return false
	}
	w.pos += n
	return true
}

// inClass reports whether a bracket expression holds a character, which is in
// the form of the mode.
func inClass(r rune, expr string, m mode) bool {
	held := false
	negated, _, _ := scanClass(expr, m, func(s span) {
		held = held || s.holds(r) || m == folded && s.holdsCase(r)
	})
	return r != '/' && held != negated
}

func (s span) holds(r rune) bool { return s.lo <= r && r <= s.hi }

// holdsCase reports whether s holds another letter case of r.
func (s span) holdsCase(r rune) bool {
	for f := unicode.SimpleFold(r); f != r; f = unicode.SimpleFold(f) {
		if s.holds(f) {
			return true
		}
	}
	return false
}

// ends reports whether what is left of the text may follow the pattern, whose
// last token is of the given kind.
func (w *walker) ends(k kind) bool {
	rest := w.text[w.pos:]
	switch k {
	case tokDeepTail:
		return rest != "" && w.below(rest[1:])
	case tokGluedTail:
		return w.below(rest)
	}
	switch {
	case w.rule.rootOnly:
		return rest == ""
	case w.scope == oneEntry:
		return rest == "/" || rest == "" && !w.rule.dirOnly
	default:
		return strings.HasPrefix(rest, "/") || rest == "" && !w.rule.dirOnly
	}
}

// below reports whether a final `**` may take the rest.
func (w *walker) below(rest string) bool {
	switch {
	case !w.rule.dirOnly:
		return true
	case w.scope == oneEntry:
		return strings.HasSuffix(rest, "/")
	default:
		return strings.Contains(rest, "/")
	}
}

// back returns to the last wildcard that can take more. What an earlier star
// or `**` takes need not be reconsidered: the later one makes up for it.
func (w *walker) back() bool {
	if w.star.set {
		w.pos = w.star.pos
		if w.char() {
			w.star.pos = w.pos
			w.lexer = w.star.lexer
			return true
		}
	}
	w.star.set = false
	if !w.deep.set {
		return false
	}
	i := strings.IndexByte(w.text[w.deep.pos:], '/')
	if i < 0 {
		return false
	}
	w.deep.pos += i + 1
	w.pos, w.lexer = w.deep.pos, w.deep.lexer
	return true
}
