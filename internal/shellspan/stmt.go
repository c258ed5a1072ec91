package shellspan

import (
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

func (w *walker) stmts(list []*syntax.Stmt) {
	for _, st := range list {
		w.stmt(st)
	}
}

func (w *walker) stmt(st *syntax.Stmt) {
	if st == nil {
		return
	}
	for _, r := range st.Redirs {
		w.redirect(r)
	}
	switch c := st.Cmd.(type) {
	case *syntax.CallExpr:
		w.call(c, st.Redirs)
	case *syntax.DeclClause:
		w.declaration(c)
	case *syntax.TestClause:
		w.test(c.X)
	case *syntax.ArithmCmd:
		w.arithmetic(c.X)
	case *syntax.LetClause:
		for _, x := range c.Exprs {
			w.arithmetic(x)
		}
	default:
		w.compound(c)
	}
}

// compound visits a command that is made of others.
func (w *walker) compound(c syntax.Command) {
	switch c := c.(type) {
	case *syntax.BinaryCmd:
		w.stmt(c.X)
		w.stmt(c.Y)
	case *syntax.Block:
		w.stmts(c.Stmts)
	case *syntax.Subshell:
		w.subshell(c)
	case *syntax.IfClause:
		for ; c != nil; c = c.Else {
			w.stmts(c.Cond)
			w.stmts(c.Then)
		}
	case *syntax.WhileClause:
		w.stmts(c.Cond)
		w.stmts(c.Do)
	case *syntax.ForClause:
		w.loop(c)
	case *syntax.CaseClause:
		w.choice(c)
	case *syntax.FuncDecl:
		w.stmt(c.Body)
	case *syntax.TimeClause:
		w.timed(c)
	case *syntax.CoprocClause:
		// Which word is its name, and which its command, depends on the shell.
		w.s.want(integer, "coproc runs a command whose input the tree does not show")
		w.stmt(c.Stmt)
	}
}

// subshell visits (…). Two of them at once are arithmetic in some shells of the
// POSIX kind.
func (w *walker) subshell(c *syntax.Subshell) {
	at := int(c.Lparen.Offset()) + 1
	if w.lang == syntax.LangPOSIX && at < len(w.src) && w.src[at] == '(' {
		w.s.want(plain, "(( is arithmetic in some shells")
		if len(w.within(span(c))) > 0 {
			w.s.confusing = true
			return // not visited
		}
	}
	w.stmts(c.Stmts)
}

// timed visits what the keyword time measures. Shells take options there that
// the parser takes for the command.
func (w *walker) timed(c *syntax.TimeClause) {
	if c.Stmt == nil {
		return
	}
	if call, ok := c.Stmt.Cmd.(*syntax.CallExpr); ok && len(call.Args) > 0 && strings.HasPrefix(call.Args[0].Lit(), "-") {
		w.args(call.Args[1:], where{list: true})
		w.command(w.expand(call.Args[1:]))
		return
	}
	w.stmt(c.Stmt)
}

// redirect visits one redirection. A delimiter of a here-document is not
// visited: it is never expanded.
func (w *walker) redirect(r *syntax.Redirect) {
	switch r.Op {
	case syntax.Hdoc, syntax.DashHdoc:
		w.heredoc(r)
	case syntax.DplOut, syntax.DplIn:
		// What is no number here is a file name, which bash expands twice.
		if w.varies(r.Word) {
			w.s.want(plain, "bash evaluates the target of >&")
		}
		w.word(r.Word, where{need: integer, why: "the target of >& or <&"})
	default:
		w.word(r.Word, where{})
	}
	switch r.Op {
	case syntax.RdrOut, syntax.AppOut, syntax.RdrClob, syntax.RdrAll, syntax.AppAll, syntax.DplOut, syntax.RdrInOut:
		w.s.files.writeTo(w.expand([]*syntax.Word{r.Word}))
	}
}

func (w *walker) heredoc(r *syntax.Redirect) {
	if r.Hdoc == nil {
		return
	}
	if !isQuoted(r.Word) {
		w.parts(r.Hdoc.Parts, where{quote: double})
		if w.depth > 0 {
			w.closing(r, w.within(span(r.Hdoc)))
		}
		return
	}
	marks := w.within(span(r.Hdoc))
	if len(marks) == 0 {
		return
	}
	for _, m := range marks {
		w.mark(m, where{quote: double}, formInside)
	}
	w.closing(r, marks)
	if w.depth > 0 {
		return
	}
	if delim := delimiter(r.Word); delim == "" || w.back > 0 {
		for _, m := range marks {
			w.s.refuse(m, UnsafePlace, "it stands in a here-document whose delimiter is quoted in an unusual way", "write the delimiter as 'EOF'")
		}
		return
	}
	w.s.hdocs = append(w.s.hdocs, r)
}

// delimiter returns the text of a quoted delimiter that can do without its
// quotes, or "".
func delimiter(word *syntax.Word) string {
	var b strings.Builder
	for _, p := range word.Parts {
		switch p := p.(type) {
		case *syntax.Lit:
			b.WriteString(strings.ReplaceAll(p.Value, `\`, ""))
		case *syntax.SglQuoted:
			b.WriteString(p.Value)
		case *syntax.DblQuoted:
			for _, q := range p.Parts {
				lit, ok := q.(*syntax.Lit)
				if !ok {
					return ""
				}
				b.WriteString(lit.Value)
			}
		}
	}
	if text := b.String(); identifier.holds(text) {
		return text
	}
	return ""
}

// closing refuses values that make a line of the here-document r end it.
func (w *walker) closing(r *syntax.Redirect, marks []*mark) {
	start, end := hdocSpan(w.src, r)
	text := w.filled(w.src[start:end], true)
	delim := delimiter(r.Word)
	for line := range strings.SplitSeq(text, "\n") {
		if line == delim || strings.TrimLeft(line, "\t") == delim {
			for _, m := range marks {
				w.s.refuse(m, BadValue, "a line of the here-document would be its delimiter "+delim, "give a value without such a line, or use another delimiter")
			}
		}
	}
}

// hdocSpan returns where the body of r stands. The parser counts the line of
// the delimiter in.
func hdocSpan(src string, r *syntax.Redirect) (start, end int) {
	start, end = span(r.Hdoc)
	end = min(end, len(src))
	if i := strings.LastIndexByte(src[start:end], '\n'); strings.Trim(src[start+i+1:end], "\t") == delimiter(r.Word) {
		end = start + i + 1
	}
	return start, end
}

func span(n syntax.Node) (start, end int) {
	return int(n.Pos().Offset()), int(n.End().Offset())
}

// loop visits for and select.
func (w *walker) loop(c *syntax.ForClause) {
	switch l := c.Loop.(type) {
	case *syntax.WordIter:
		w.args(l.Items, where{list: true})
		for _, item := range l.Items {
			w.assigned(l.Name.Value, item)
		}
		if l.InPos == (syntax.Pos{}) {
			w.assignedUnknown(l.Name.Value)
		}
		if c.Select {
			w.assignedUnknown(l.Name.Value)
		}
	case *syntax.CStyleLoop:
		w.arithmetic(l.Init)
		w.arithmetic(l.Cond)
		w.arithmetic(l.Post)
	}
	w.stmts(c.Do)
}

func (w *walker) choice(c *syntax.CaseClause) {
	w.word(c.Word, where{})
	for _, item := range c.Items {
		w.args(item.Patterns, where{})
		w.stmts(item.Stmts)
	}
}

// args visits words.
func (w *walker) args(words []*syntax.Word, p where) {
	for _, word := range words {
		w.word(word, p)
	}
}

// call visits a simple command.
func (w *walker) call(c *syntax.CallExpr, redirs []*syntax.Redirect) {
	for _, a := range c.Assigns {
		w.assign(a)
	}
	if len(c.Args) == 0 {
		return
	}
	for i, word := range c.Args {
		p := where{list: true}
		if i > 0 && isAssignment(word) && isDeclaring(c.Args[0]) {
			p.list = false
		}
		w.word(word, p)
	}
	if w.namesCommand(c.Args[0]) {
		return
	}
	if c.Args[0].Lit() == "time" && slices.ContainsFunc(c.Args, isAssignment) {
		w.s.want(integer, "time before an assignment is a word of the grammar in some shells")
	}
	w.input = w.literalInput(redirs)
	w.command(w.expand(c.Args))
	w.input = nil
}

// literalInput returns the here-document among redirs if it is all that a
// command reads, and the author's text alone.
func (w *walker) literalInput(redirs []*syntax.Redirect) *syntax.Redirect {
	var found *syntax.Redirect
	for _, r := range redirs {
		switch r.Op {
		case syntax.RdrOut, syntax.AppOut, syntax.RdrClob, syntax.RdrAll, syntax.AppAll:
			continue
		case syntax.Hdoc, syntax.DashHdoc:
			if found == nil && r.N == nil && r.Hdoc != nil {
				found = r
				continue
			}
		}
		return nil
	}
	if found == nil {
		return nil
	}
	for _, p := range found.Hdoc.Parts {
		lit, ok := p.(*syntax.Lit)
		if !ok || strings.Contains(lit.Value, w.s.prefix) {
			return nil
		}
	}
	return found
}

// inputText returns the text of the here-document that the command reads.
func (w *walker) inputText() (text string, ok bool) {
	if w.input == nil {
		return "", false
	}
	start, end := hdocSpan(w.src, w.input)
	return w.src[start:end], true
}

// namesCommand refuses a mark in the name of a command.
func (w *walker) namesCommand(word *syntax.Word) (refused bool) {
	start, end := span(word)
	for _, m := range w.within(start, end) {
		if m.argument() {
			w.s.refuse(m, CommandPosition, "it stands where the name of a command is expected", "write the command, and use the placeholder as its argument")
			refused = true
		}
	}
	return refused
}

// isAssignment reports whether word begins with NAME=.
func isAssignment(word *syntax.Word) bool {
	lit, ok := word.Parts[0].(*syntax.Lit)
	if !ok {
		return false
	}
	name, _, ok := strings.Cut(lit.Value, "=")
	return ok && identifier.holds(strings.TrimSuffix(name, "+"))
}

// isDeclaring reports whether word is a command whose arguments are
// assignments.
func isDeclaring(word *syntax.Word) bool {
	switch word.Lit() {
	case "export", "readonly", "local", "declare", "typeset":
		return true
	}
	return false
}
