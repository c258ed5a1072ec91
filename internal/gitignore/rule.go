package gitignore

import (
	"strings"
	"sync/atomic"
	"unicode/utf8"
)

// maxPatternBytes bounds a pattern as paths are bounded.
const maxPatternBytes = maxPathBytes

// A rule is one line of a list: what it matches, and what a path must look
// like for that to be possible at all.
type rule struct {
	text     string // without `!`, leading and final slash
	negated  bool
	dirOnly  bool
	floating bool // matches at any depth
	rootOnly bool // matches files of the root folder only (03 A8)
	depth    int  // segments of every match; 0 when they differ
	min      int  // bytes of a text that matches, at least
	prefix   string
	infix    string

	compiled atomic.Pointer[matcher]
}

// A verdict says what became of a line.
type verdict uint8

const (
	useful verdict = iota
	blank
	comment
	impossible
	openClass
	danglingEscape
	tooLong
)

// code returns the problem code of a verdict, or "" when nothing is wrong.
func (v verdict) code() string {
	switch v {
	case useful, blank:
		return ""
	case comment, impossible:
		return CodeNeverMatches
	default:
		return CodeBadPattern
	}
}

// message says what is wrong and what to do about it.
func (v verdict) message() string {
	switch v {
	case comment:
		return "is a comment; write \\# for a name that starts with #"
	case impossible:
		return "can never match, as no path has an empty, . or .. segment; write src/*.go, not ./src/*.go"
	case openClass:
		return "has a [ that is not closed or a character class that does not exist; write \\[ for the character"
	case danglingEscape:
		return "ends with a backslash that escapes nothing; write \\\\ for the character"
	case tooLong:
		return "is longer than 4,096 bytes; shorten it"
	default:
		return ""
	}
}

// parse fills r from one line of a list. Only a useful rule may be matched.
func (r *rule) parse(line string, m mode, rootOnlyStar bool) verdict {
	line = trimLine(line)
	switch {
	case line == "":
		return blank
	case line[0] == '#':
		return comment
	case len(line) > maxPatternBytes:
		return tooLong
	}
	line, r.negated = strings.CutPrefix(line, "!")
	line, r.dirOnly = strings.CutSuffix(line, "/")
	r.floating = !strings.Contains(line, "/")
	r.text = strings.TrimPrefix(line, "/")
	if rootOnlyStar && r.floating && strings.ContainsAny(line, "*?[") {
		r.floating = false
		r.rootOnly = !r.dirOnly && !isDeepStar(line)
	}
	return r.survey(m)
}

// isDeepStar reports whether s is `**`, or more stars.
func isDeepStar(s string) bool { return len(s) > 1 && strings.Trim(s, "*") == "" }

// trimLine drops what git drops at the end of a line: one carriage return,
// then blanks that are not escaped.
func trimLine(line string) string {
	line = strings.TrimSuffix(line, "\r")
	if !strings.HasSuffix(line, " ") {
		return line
	}
	return line[:trimRight(line, " ")]
}

// lexer returns a lexer at the start of the rule's pattern.
func (r *rule) lexer(m mode) lexer { return newLexer(r.text, m, r.floating) }

// survey walks the pattern once, to find faults and to derive the pre-filter.
func (r *rule) survey(m mode) verdict {
	s := surveyor{rule: r, mode: m, prefixed: !r.floating}
	r.depth = 1
	for l := r.lexer(m); ; {
		t := l.next()
		if v := s.step(t); v != useful {
			return v
		}
		if t.kind == tokEnd {
			break
		}
	}
	if r.floating || s.deep {
		r.depth = 0
	}
	if strings.Contains(r.prefix, r.infix) {
		r.infix = ""
	}
	return useful
}

// A surveyor gathers the facts of one pattern.
type surveyor struct {
	rule     *rule
	mode     mode
	run      int  // where the current run of literal text started
	seg      int  // where the current segment started
	prefixed bool // the current run is the start of the pattern
	deep     bool
}

func (s *surveyor) step(t token) verdict {
	switch t.kind {
	case tokMalformed:
		if s.rule.text[t.start] == '\\' {
			return danglingEscape
		}
		return openClass
	case tokLiteral:
		s.rule.min += utf8.RuneLen(t.char)
		return useful
	case tokSlash, tokEnd:
		return s.closeSegment(t)
	default:
		s.wildcard(t)
		return useful
	}
}

// wildcard ends the run of literal text before t.
func (s *surveyor) wildcard(t token) {
	s.closeRun(t.start)
	s.run = t.end
	if t.kind == tokDeepDirs {
		s.seg = t.end
	}
	s.deep = s.deep || t.kind.deep()
	if t.kind.nonEmpty() {
		s.rule.min++
	}
}

// closeRun keeps the literal text that ends at i when it is the prefix or the
// longest so far.
func (s *surveyor) closeRun(i int) {
	run := literalText(s.rule.text[s.run:i], s.mode)
	if s.prefixed {
		s.rule.prefix = run
		s.prefixed = false
	}
	if len(run) > len(s.rule.infix) {
		s.rule.infix = run
	}
}

// closeSegment ends a segment at a slash or at the end. One that is empty, or
// a dot name, is in no path.
func (s *surveyor) closeSegment(t token) verdict {
	switch unescape(s.rule.text[s.seg:t.start]) {
	case "", ".", "..":
		return impossible
	}
	if t.kind == tokEnd {
		s.closeRun(t.start)
		return useful
	}
	s.rule.min++
	s.rule.depth++
	s.seg = t.end
	return useful
}

// literalText returns the text that a wildcard-free piece of a pattern
// matches, in the form of the mode. It is s itself in the common case.
func literalText(s string, m mode) string { return m.text(unescape(s)) }

// unescape drops the backslashes that make the next character literal.
func unescape(s string) string {
	if strings.IndexByte(s, '\\') < 0 {
		return s
	}
	b := make([]byte, 0, len(s))
	for i := 0; i < len(s); i++ {
		if s[i] == '\\' && i+1 < len(s) {
			i++
		}
		b = append(b, s[i])
	}
	return string(b)
}
