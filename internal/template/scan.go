package template

import (
	"iter"
	"strings"
)

// presize bounds the pieces that are allocated for a body before there is
// proof that it has as many: a body of nothing but $ has none.
const presize = 512

// A piece is a token as a template keeps it. It has no pointers, and ends
// where the next piece starts, or with its source.
type piece struct {
	start int
	index int // of a Word or Named; of a Span the position in Template.spans
	kind  Kind
}

// A scanner finds placeholders.
type scanner struct {
	off        bool // no placeholders at all
	names      nameSet
	variable   func(name string) bool
	narrow     bool // the amount rules of Options.PositionalDeclared are on
	positional bool // $N counts, if the amount rules allow it
}

func newScanner(body string, o *Options) *scanner {
	s := &scanner{
		off:        o.NoPlaceholders,
		names:      newNameSet(o.Names),
		variable:   o.Variable,
		narrow:     o.PositionalDeclared,
		positional: true,
	}
	if s.variable == nil {
		s.variable = defaultVariable
	}
	if s.narrow {
		s.positional = o.TakesArguments || len(o.Names) > 0 || strings.Contains(body, argumentsWord)
	}
	return s
}

// template returns the template of body, given its spans from left to right.
func (s *scanner) template(body string, spans []span) *Template {
	t := &Template{body: body, pieces: s.room(body, len(spans))}
	done, line := 0, 1
	for i := range spans {
		sp := &spans[i]
		line += strings.Count(body[done:sp.start], "\n")
		t.pieces = s.scan(t.pieces, body, done, sp.start)
		t.pieces = append(t.pieces, piece{start: sp.start, index: i, kind: Span})
		t.spans = append(t.spans, s.span(body, sp, line))
		line += strings.Count(body[sp.start:sp.end], "\n")
		done = sp.end
	}
	t.pieces = s.scan(t.pieces, body, done, len(body))
	return t
}

// room returns an empty slice for about as many pieces as body has.
func (s *scanner) room(body string, spans int) []piece {
	n := 2*spans + 1
	if !s.off {
		n += 2 * strings.Count(body, "$")
	}
	return make([]piece, 0, min(n, presize))
}

// span returns the token of sp, which begins on the given line.
func (s *scanner) span(body string, sp *span, line int) Token {
	t := Token{
		Kind:    Span,
		Fenced:  sp.fenced,
		Text:    body[sp.start:sp.end],
		Offset:  sp.start,
		Line:    line,
		Command: sp.command,
	}
	if sp.fenced {
		line++
	}
	for inner := range cut(sp.command, s.scan(nil, sp.command, 0, len(sp.command)), line) {
		if inner.Kind != Literal {
			t.Inner = append(t.Inner, inner)
		}
	}
	return t
}

// scan appends the pieces of source[done:end] to dst.
func (s *scanner) scan(dst []piece, source string, done, end int) []piece {
	text := source[:end]
	for pos := done; !s.off; {
		i := strings.IndexByte(text[pos:], '$')
		if i < 0 {
			break
		}
		i += pos
		m := s.match(text[i:], oddBackslashes(text[done:i]))
		if m.size == 0 {
			pos = i + 1
			continue
		}
		pos = i + m.size
		if m.kind == Escaped {
			i--
		}
		if i > done {
			dst = append(dst, piece{start: done})
		}
		dst = append(dst, piece{start: i, index: m.index, kind: m.kind})
		done = pos
	}
	if end > done {
		dst = append(dst, piece{start: done})
	}
	return dst
}

// cut returns the tokens that the pieces of source stand for, all of them but
// spans complete. The source begins on the given line.
func cut(source string, pieces []piece, line int) iter.Seq[Token] {
	return func(yield func(Token) bool) {
		for i := range pieces {
			p, text := pieces[i], textOf(source, pieces, i)
			t := Token{Kind: p.kind, Text: text, Offset: p.start, Line: line, Index: p.index}
			switch p.kind {
			case Named:
				t.Name = text[len("$"):]
			case Variable:
				t.Name = variableName(text)
			}
			if !yield(t) {
				return
			}
			line += strings.Count(text, "\n")
		}
	}
}

// textOf returns the text of piece i.
func textOf(source string, pieces []piece, i int) string {
	if i+1 < len(pieces) {
		return source[pieces[i].start:pieces[i+1].start]
	}
	return source[pieces[i].start:]
}

// oddBackslashes reports whether what follows text is escaped.
func oddBackslashes(text string) bool {
	n := len(text)
	for n > 0 && text[n-1] == '\\' {
		n--
	}
	return (len(text)-n)%2 == 1
}
