package shellspan

import (
	"fmt"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// evaluate analyses a text that a command evaluates as the author's program
// (04 §4, eval row). The values in it are part of the program's text.
func (w *walker) evaluate(pieces []piece, lang syntax.LangVariant, by string) {
	s := w.s
	marks := marksOf(pieces)
	for _, p := range pieces {
		if p.tainted {
			s.want(integer, by+" evaluates what a variable or a command gives")
		}
	}
	if w.depth >= maxDepth {
		s.want(integer, by+" evaluates text inside evaluated text")
		w.refuseAll(marks, TooLong, "evaluated text is nested too deep", "move the command into a script of the skill")
		return
	}
	text := w.program(pieces)
	f, err := parse(text, lang)
	if err != nil || nesting(f) > maxNesting {
		s.want(integer, by+" evaluates text that cannot be read")
		w.refuseAll(marks, Unparsed, "the text that "+by+" evaluates cannot be read", "see whether its quotes and brackets are closed")
		return
	}
	inner := walker{s: s, src: text, lang: lang, depth: w.depth + 1, reached: make(map[*mark]bool)}
	inner.comments(f)
	inner.stmts(f.Stmts)
	same := inner.keepsShape(f, pieces)
	for _, m := range marks {
		if !inner.reached[m] || !same {
			w.refuseAll([]*mark{m}, UnsafePlace, "in the text that "+by+" evaluates, the value may become code", "pass it as an argument: sh -c '…' sh \"$0\"")
		}
	}
}

func marksOf(pieces []piece) []*mark {
	var found []*mark
	for _, p := range pieces {
		if p.m != nil {
			found = append(found, p.m)
		}
	}
	return found
}

func (w *walker) refuseAll(marks []*mark, r Reason, msg, hint string) {
	for _, m := range marks {
		if m.argument() {
			w.s.refuse(m, r, msg, hint)
		}
	}
}

// program returns the text of pieces with nonces for marks, and another
// parameter for what is not known.
func (w *walker) program(pieces []piece) string {
	var b strings.Builder
	for _, p := range pieces {
		switch {
		case p.dynamic:
			b.WriteString("${" + w.s.prefix + "}")
		case p.m != nil:
			b.WriteString("${" + p.m.nonce + "}")
		default:
			b.WriteString(p.text)
		}
	}
	return b.String()
}

// comments allows marks in comments of an evaluated text: no value that is
// allowed there ends a line.
func (w *walker) comments(f *syntax.File) {
	syntax.Walk(f, func(n syntax.Node) bool {
		if c, ok := n.(*syntax.Comment); ok {
			start, end := span(c)
			for _, m := range w.within(start, end) {
				w.mark(m, where{quote: double}, formInside)
			}
		}
		return true
	})
}

// keepsShape reports whether the text with the values in it has the statements
// of f.
func (w *walker) keepsShape(f *syntax.File, pieces []piece) bool {
	var b strings.Builder
	for _, p := range pieces {
		if p.dynamic {
			b.WriteString("${" + w.s.prefix + "}")
		} else {
			b.WriteString(p.text)
		}
	}
	g, err := parse(b.String(), w.lang)
	return err == nil && w.shape(f) == w.shape(g)
}

// shape returns the statements of a tree without its words.
func (w *walker) shape(f *syntax.File) string {
	var b strings.Builder
	syntax.Walk(f, func(n syntax.Node) bool {
		switch n := n.(type) {
		case nil, *syntax.Word, *syntax.Lit, *syntax.SglQuoted, *syntax.DblQuoted, *syntax.Comment, *syntax.File:
		case *syntax.ParamExp:
			if w.markOf(n) != nil {
				return false
			}
			b.WriteString("$")
		default:
			fmt.Fprintf(&b, "%T%s\n", n, detail(n))
		}
		return true
	})
	return b.String()
}

// join returns the pieces of args with blanks between them, as eval joins its
// arguments. What brace expansion makes of them is not known.
func (w *walker) join(args []arg) []piece {
	var pieces []piece
	for i, a := range args {
		if i > 0 {
			pieces = append(pieces, piece{text: " "})
		}
		if a.braces {
			w.refuseAll(a.marks(), UnsafePlace, "brace expansion makes up text that is evaluated", "write the words out")
			pieces = append(pieces, piece{dynamic: true, tainted: true})
			continue
		}
		pieces = append(pieces, a.pieces...)
	}
	return pieces
}
