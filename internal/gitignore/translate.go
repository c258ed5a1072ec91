package gitignore

import "strconv"

// Pieces of translated lines. The matching library rewrites `.`, `*`, `?` and
// `#`, so none of them may occur.
const (
	anything   = `[\x{0}-\x{10FFFF}]{0,}`
	something  = `[\x{0}-\x{10FFFF}]{1,}`
	inSegment  = `[^/]{0,}`
	oneSegment = `[^/]{1,}`
	oneChar    = `[^/]`
	noChar     = `[^\x{0}-\x{10FFFF}]`
	someDirs   = `(|` + anything + `/)`
)

// A scope says which texts a translated rule is matched against.
type scope uint8

const (
	// wholePath texts are complete paths: a rule covers what it matches and
	// everything below.
	wholePath scope = iota
	// oneEntry texts are one file or folder: its path, or its name alone for
	// a floating rule.
	oneEntry
)

// translate returns the line for the matching library. In the texts it is
// matched against a folder ends with a slash.
func (r *rule) translate(m mode, s scope) string {
	b := make([]byte, 0, 32+8*len(r.text))
	b = append(b, '/')
	if r.floating && s == wholePath {
		b = append(b, someDirs...)
	}
	lexer := r.lexer(m)
	for t := lexer.next(); t.kind != tokEnd; t = lexer.next() {
		b = r.appendToken(b, t, m)
	}
	b = append(b, r.tail(s)...)
	return string(append(b, '$'))
}

func (r *rule) appendToken(b []byte, t token, m mode) []byte {
	switch t.kind {
	case tokLiteral:
		return appendHex(b, t.char)
	case tokSlash:
		return append(b, '/')
	case tokAnyChar:
		return append(b, oneChar...)
	case tokClass:
		return appendClass(b, r.text[t.start:t.end], m)
	case tokStar:
		return append(b, inSegment...)
	case tokSegment:
		return append(b, oneSegment...)
	case tokDeepDirs, tokGluedDirs:
		return append(b, someDirs...)
	case tokDeepTail:
		return append(b, something...)
	case tokGluedTail:
		return append(b, anything...)
	default:
		return append(b, noChar...)
	}
}

// tail returns what may follow a match of the pattern itself.
func (r *rule) tail(s scope) string {
	switch {
	case r.rootOnly:
		return ""
	case r.dirOnly && s == wholePath:
		return "/" + anything
	case r.dirOnly:
		return "/"
	case s == wholePath:
		return "(|/" + anything + ")"
	default:
		return "(|/)"
	}
}

func appendHex(b []byte, r rune) []byte {
	b = append(b, `\x{`...)
	b = strconv.AppendInt(b, int64(r), 16)
	return append(b, '}')
}

// appendClass translates a bracket expression. It never matches a slash.
func appendClass(b []byte, text string, m mode) []byte {
	var members []byte
	add := func(s span) { members = appendSpan(members, s) }
	fold := add
	if m == folded {
		fold = func(s span) { foldSpan(s, add) }
	}
	negated, _, _ := scanClass(text, m, fold)
	switch {
	case negated:
		b = append(b, `[^/`...)
	case len(members) == 0:
		return append(b, noChar...)
	default:
		b = append(b, '[')
	}
	b = append(b, members...)
	return append(b, ']')
}

// appendSpan writes a range of a class, leaving out the slash.
func appendSpan(b []byte, s span) []byte {
	if s.lo <= '/' && '/' <= s.hi {
		b = appendSpan(b, span{s.lo, '/' - 1})
		return appendSpan(b, span{'/' + 1, s.hi})
	}
	if s.lo > s.hi {
		return b
	}
	b = appendHex(b, s.lo)
	if s.hi > s.lo {
		b = append(b, '-')
		b = appendHex(b, s.hi)
	}
	return b
}
