package shellspan

import (
	"strings"

	"github.com/seed-12b313d8/skills/internal/template"
	"mvdan.cc/sh/v3/syntax"
)

// A form is how a reference to a variable is quoted.
type form uint8

const (
	formNone   form = iota // not decided
	formBare               // "${X}": the place has no quotes
	formInside             // ${X}: the place is quoted already
	formSingle             // '"${X}"' without the outer quotes: inside '…'
	formDollar             // the same inside $'…'
)

// A quoting is what stands around a node.
type quoting uint8

const (
	unquoted quoting = iota
	double           // "…", or the body of a here-document
	backward         // a pattern inside "${x#…}", where quotes count again
)

// A where describes the place of a word.
type where struct {
	quote quoting
	list  bool   // several words are allowed
	need  class  // what values must be
	why   string // names the place for need
}

// A walker reads places off one tree.
type walker struct {
	s     *rewriting
	src   string
	lang  syntax.LangVariant
	depth int // of evaluated text
	back  int // of backquotes
	calls int // of commands that run each other

	// input is the here-document that the current command reads, if all of
	// it is known.
	input *syntax.Redirect

	// reached are the marks found in evaluated text.
	reached map[*mark]bool
}

// mark takes note of a mark at the place p, written in the form f.
func (w *walker) mark(m *mark, p where, f form) {
	s := w.s
	list := p.list && f == formBare && len(m.words) > 0
	if w.depth > 0 {
		w.reached[m] = true
		w.evaluated(m, p, f)
	} else if m.form == formNone {
		m.form, m.list, m.seen = f, list, true
		m.computed = p.need == integer
		if p.list && f == formBare && m.Kind == template.Arguments && len(m.words) == 0 {
			m.missing = true // blanks alone are no arguments
		}
	}
	if p.need == anything || !m.argument() && p.need != integer {
		return
	}
	values := []string{m.value}
	if list {
		values = m.words
	}
	for _, v := range values {
		s.require(m, v, p.need, p.why)
	}
}

// evaluated checks a value that becomes part of a text that is evaluated
// (04 §4, eval row). Blanks are fine where they cannot end a word, or where
// one word more is one argument more.
func (w *walker) evaluated(m *mark, p where, f form) {
	c := safe
	if p.list || f != formBare {
		c = spaced
	}
	if !m.argument() {
		c = safe
		if m.value == "" {
			c = spaced
		}
	}
	w.s.require(m, m.value, c, "text that is evaluated")
}

// word visits the parts of a word.
func (w *walker) word(word *syntax.Word, p where) {
	if word == nil {
		return
	}
	for i, part := range word.Parts {
		if w.ambiguousDollar(word.Parts, i) {
			continue
		}
		w.part(part, p)
	}
}

// ambiguousDollar reports whether part i is a quotation behind a $, which some
// shells of the POSIX kind read as $'…' and others do not. Marks in it are not
// visited and thereby refused.
func (w *walker) ambiguousDollar(parts []syntax.WordPart, i int) bool {
	if w.lang != syntax.LangPOSIX || i == 0 {
		return false
	}
	lit, ok := parts[i-1].(*syntax.Lit)
	if !ok || !strings.HasSuffix(lit.Value, "$") {
		return false
	}
	switch parts[i].(type) {
	case *syntax.SglQuoted, *syntax.DblQuoted:
		w.s.confusing = true
		return true
	}
	return false
}

func (w *walker) part(part syntax.WordPart, p where) {
	switch n := part.(type) {
	case *syntax.SglQuoted:
		w.single(n, p)
	case *syntax.DblQuoted:
		p.quote, p.list = double, false
		w.parts(n.Parts, p)
	case *syntax.ParamExp:
		if m := w.markOf(n); m != nil {
			f := formBare
			if p.quote != unquoted {
				f = formInside
			}
			w.mark(m, p, f)
			return
		}
		w.param(n, p)
	case *syntax.CmdSubst:
		w.substitution(n, p.quote)
	case *syntax.ArithmExp:
		w.arithmetic(n.X)
	case *syntax.ProcSubst:
		w.stmts(n.Stmts)
	}
	// A Lit holds a mark only where the parser does not see parameters, and
	// an ExtGlob is one: they are not visited.
}

func (w *walker) parts(parts []syntax.WordPart, p where) {
	for _, part := range parts {
		w.part(part, p)
	}
}

// single visits single quotes. Inside "${x:-'…'}" they are ordinary characters,
// whatever the parser thinks, and everything between them is live: only plain
// text is allowed there.
func (w *walker) single(n *syntax.SglQuoted, p where) {
	marks := w.within(int(n.Left.Offset()), int(n.Right.Offset()))
	if len(marks) == 0 {
		return
	}
	f := formSingle
	switch {
	case p.quote == backward:
		return // not visited
	case p.quote == double:
		if strings.ContainsAny(w.filled(n.Value, false), "$`\"\\") {
			return // not visited
		}
		f = formInside
	case n.Dollar:
		f = formDollar
	}
	p.list = false
	for _, m := range marks {
		w.mark(m, p, f)
	}
}

// filled returns text with the values of its marks, or with nothing in their
// places.
func (w *walker) filled(text string, values bool) string {
	var b strings.Builder
	for {
		before, rest, ok := strings.Cut(text, "${"+w.s.prefix)
		b.WriteString(before)
		if !ok {
			return b.String()
		}
		name, after, _ := strings.Cut(rest, "}")
		if m := w.s.nonces[w.s.prefix+name]; m != nil && values {
			b.WriteString(m.value)
		}
		text = after
	}
}

// markOf returns the mark that n stands for, or nil.
func (w *walker) markOf(n *syntax.ParamExp) *mark {
	if n.Param == nil || !strings.HasPrefix(n.Param.Value, w.s.prefix) {
		return nil
	}
	return w.s.nonces[n.Param.Value]
}

// within returns the marks in a stretch of the source.
func (w *walker) within(start, end int) []*mark {
	text := w.src[max(0, min(start, len(w.src))):max(0, min(end, len(w.src)))]
	var found []*mark
	for {
		_, rest, ok := strings.Cut(text, "${"+w.s.prefix)
		if !ok {
			return found
		}
		name, after, ok := strings.Cut(rest, "}")
		if m := w.s.nonces[w.s.prefix+name]; ok && m != nil && !m.literal {
			found = append(found, m)
		}
		text = after
	}
}

// substitution visits $(…), `…` and ${ …; }.
func (w *walker) substitution(n *syntax.CmdSubst, q quoting) {
	if !n.Backquotes {
		w.stmts(n.Stmts)
		return
	}
	marked := len(w.within(int(n.Left.Offset()), int(n.Right.Offset()))) > 0
	if marked && w.back == 0 && !w.sameBackquotes(w.src, n, q, 0) {
		return // not visited
	}
	w.back++
	w.stmts(n.Stmts)
	w.back--
}

// sameBackquotes reports whether the text between the backquotes n of src,
// without the backslashes that belong to them, has the tree that the parser
// found.
func (w *walker) sameBackquotes(src string, n *syntax.CmdSubst, q quoting, depth int) bool {
	if depth >= maxDepth {
		return false
	}
	special := "$`\\"
	if q != unquoted {
		special += `"`
	}
	text := unescape(src[n.Left.Offset()+1:n.Right.Offset()], special)
	f, err := parse(text, w.lang)
	if err != nil || w.s.skeleton(f.Stmts) != w.s.skeleton(n.Stmts) {
		return false
	}
	same, q := true, unquoted
	syntax.Walk(f, func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.DblQuoted:
			q = double // for all that follow: the stricter reading
		case *syntax.CmdSubst:
			if n.Backquotes {
				same = same && w.sameBackquotes(text, n, q, depth+1)
				return false
			}
		}
		return same
	})
	return same
}

// unescape drops the backslashes in front of the given characters.
func unescape(text, special string) string {
	if !strings.Contains(text, `\`) {
		return text
	}
	var b strings.Builder
	for i := 0; i < len(text); i++ {
		if text[i] == '\\' && i+1 < len(text) && strings.IndexByte(special, text[i+1]) >= 0 {
			i++
		}
		b.WriteByte(text[i])
	}
	return b.String()
}
