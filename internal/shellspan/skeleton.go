package shellspan

import (
	"fmt"
	"sort"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// A skeleton is a text that two trees share if they are the same but for what
// stands in the places of the marks. In a tree of the author's text marks are
// the nonces; in a tree of a rewritten text they are known by position.
type skeleton struct {
	b      strings.Builder
	lit    strings.Builder
	nonces map[string]*mark
	prefix string
	at     []written // of the rewritten text, in order
	hdocs  int       // here-documents seen
	opened map[int]bool
	last   *mark
}

// A written is where the reference of a mark stands in the rewritten text.
type written struct {
	stretch
	m *mark
}

// skeleton returns the skeleton of a list of statements with nonces.
func (s *rewriting) skeleton(list []*syntax.Stmt) string {
	k := skeleton{nonces: s.nonces, prefix: s.prefix, opened: s.openedHdocs()}
	return k.of(list)
}

// openedHdocs returns the offsets of the here-documents that lose their quotes.
func (s *rewriting) openedHdocs() map[int]bool {
	opened := make(map[int]bool)
	for _, r := range s.hdocs {
		opened[int(r.OpPos.Offset())] = true
	}
	return opened
}

func (k *skeleton) of(list []*syntax.Stmt) string {
	for _, st := range list {
		syntax.Walk(st, k.node)
	}
	k.flush()
	return k.b.String()
}

func (k *skeleton) emit(format string, args ...any) {
	k.flush()
	fmt.Fprintf(&k.b, format+"\n", args...)
}

// flush writes the literal text collected so far.
func (k *skeleton) flush() {
	if k.lit.Len() > 0 {
		text := k.lit.String()
		k.lit.Reset()
		k.last = nil
		fmt.Fprintf(&k.b, "L%q\n", text)
	}
}

func (k *skeleton) mark(m *mark) {
	if k.lit.Len() > 0 {
		k.flush()
	}
	if k.last != m {
		fmt.Fprintf(&k.b, "M%d\n", m.Offset)
		k.last = m
	}
}

// node is the visitor of the walk.
func (k *skeleton) node(n syntax.Node) bool {
	if n == nil {
		return true
	}
	if m, inside := k.markAt(n); m != nil {
		if _, word := n.(*syntax.Word); word {
			if !inside {
				k.emit("%T", n)
				k.last = nil
			}
			return true
		}
		k.mark(m)
		return false
	}
	switch n := n.(type) {
	case *syntax.Comment:
		return false
	case *syntax.ArrayElem:
		if k.added(n) {
			return true
		}
	case *syntax.Lit:
		k.lit.WriteString(n.Value)
		return false
	case *syntax.SglQuoted:
		k.single(n)
		return false
	}
	k.last = nil
	k.emit("%T%s", n, detail(n))
	if r, ok := n.(*syntax.Redirect); ok && r.Hdoc != nil {
		return k.heredoc(r)
	}
	return true
}

// heredoc leaves out what changes when a here-document loses its quotes.
func (k *skeleton) heredoc(r *syntax.Redirect) bool {
	k.hdocs++
	if k.at == nil && k.opened[int(r.OpPos.Offset())] || k.at != nil && k.opened[-k.hdocs] {
		return false
	}
	return true
}

// markAt returns the mark that n stands for. For a word that is the mark it
// begins in, and inside is whether the word is one the mark has added.
func (k *skeleton) markAt(n syntax.Node) (m *mark, inside bool) {
	if k.at == nil {
		if p, ok := n.(*syntax.ParamExp); ok && p.Param != nil {
			return k.nonces[p.Param.Value], false
		}
		return nil, false
	}
	switch n.(type) {
	case *syntax.Word, *syntax.ParamExp, *syntax.DblQuoted:
	default:
		return nil, false // others may begin with a reference, but are none
	}
	at := int(n.Pos().Offset())
	if w := k.reference(at); w != nil {
		return w.m, at > w.start
	}
	return nil, false
}

// reference returns the reference that an offset lies in, or nil.
func (k *skeleton) reference(at int) *written {
	i := sort.Search(len(k.at), func(i int) bool { return k.at[i].end > at })
	if i < len(k.at) && k.at[i].start <= at {
		return &k.at[i]
	}
	return nil
}

// added reports whether n begins behind the start of a reference: it is one of
// several words that stand for one mark.
func (k *skeleton) added(n syntax.Node) bool {
	at := int(n.Pos().Offset())
	w := k.reference(at)
	return w != nil && w.start < at
}

// single writes what single quotes hold, piece by piece.
func (k *skeleton) single(n *syntax.SglQuoted) {
	text := n.Value
	if k.at != nil {
		k.singleAt(n)
		return
	}
	for {
		before, rest, found := strings.Cut(text, "${"+k.prefix)
		k.quoted(before, n.Dollar)
		if !found {
			return
		}
		nonce, after, _ := strings.Cut(rest, "}")
		k.mark(k.nonces[k.prefix+nonce])
		text = after
	}
}

// singleAt is single for a rewritten text, where a reference inside single
// quotes is one that the shell does not see as quoted.
func (k *skeleton) singleAt(n *syntax.SglQuoted) {
	start := int(n.Right.Offset()) - len(n.Value)
	text := n.Value
	first := sort.Search(len(k.at), func(i int) bool { return k.at[i].start >= start })
	for _, w := range k.at[first:] {
		if w.start > start+len(text) {
			break
		}
		if w.start < start || w.end > start+len(text) {
			continue
		}
		k.quoted(text[:w.start-start], n.Dollar)
		k.mark(w.m)
		text, start = text[w.end-start:], w.end
	}
	k.quoted(text, n.Dollar)
}

func (k *skeleton) quoted(text string, ansi bool) {
	if text != "" {
		k.emit("S%v%q", ansi, text)
		k.last = nil
	}
}

// detail returns what tells nodes of one type apart.
func detail(n syntax.Node) string {
	switch n := n.(type) {
	case *syntax.CaseItem:
		return fmt.Sprint(n.Op, len(n.Patterns), len(n.Stmts))
	case *syntax.WhileClause:
		return fmt.Sprint(n.Until)
	case *syntax.ForClause:
		return fmt.Sprint(n.Select)
	case *syntax.DeclClause:
		return n.Variant.Value
	case *syntax.Assign:
		return fmt.Sprint(n.Append, n.Naked, n.Name != nil, n.Index != nil, n.Array != nil)
	case *syntax.CallExpr:
		return fmt.Sprint(len(n.Assigns))
	}
	return operatorOf(n)
}

// operatorOf is detail for nodes with an operator.
func operatorOf(n syntax.Node) string {
	switch n := n.(type) {
	case *syntax.Stmt:
		return fmt.Sprint(n.Negated, n.Background, n.Coprocess, len(n.Redirs))
	case *syntax.Redirect:
		return n.Op.String()
	case *syntax.BinaryCmd:
		return n.Op.String()
	case *syntax.ParamExp:
		return paramDetail(n)
	case *syntax.BinaryArithm:
		return n.Op.String()
	case *syntax.UnaryArithm:
		return n.Op.String()
	case *syntax.BinaryTest:
		return n.Op.String()
	case *syntax.UnaryTest:
		return n.Op.String()
	case *syntax.CmdSubst:
		return fmt.Sprint(n.Backquotes, len(n.Stmts))
	case *syntax.ProcSubst:
		return n.Op.String()
	case *syntax.ExtGlob:
		return n.Op.String()
	}
	return ""
}

func paramDetail(n *syntax.ParamExp) string {
	op := ""
	if n.Exp != nil {
		op = n.Exp.Op.String()
	}
	return fmt.Sprint(n.Short, n.Excl, n.Length, n.Slice != nil, n.Repl != nil && n.Repl.All, op)
}
