package shellspan

import (
	"errors"
	"sort"
	"strconv"
	"strings"

	"github.com/seed-12b313d8/skills/internal/template"
	"mvdan.cc/sh/v3/syntax"
)

// parse reads text in the dialect of lang. Comments are kept: placeholders in
// them have to be found.
func parse(text string, lang syntax.LangVariant) (*syntax.File, error) {
	if lang == syntax.LangPOSIX && strings.Contains(text, "$[") {
		return nil, errDollarBracket
	}
	return syntax.NewParser(syntax.Variant(lang), syntax.KeepComments(true)).Parse(strings.NewReader(text), "")
}

// lang returns the language of d.
func (d Dialect) lang() syntax.LangVariant {
	if d == POSIX {
		return syntax.LangPOSIX
	}
	return syntax.LangBash
}

// errDollarBracket says that a text means one thing in dash and another in a
// bash that is called sh.
var errDollarBracket = errors.New("$[ is arithmetic in some shells")

// settle finds the placeholders that are the author's text after all: those in
// comments, and in single quotes and quoted here-documents the escaped ones,
// whose backslash goes away, and words that are missing, such as awk's $2. It
// reports false if there are only escaped ones in a command that does not
// parse, which then runs as written.
func (s *rewriting) settle() bool {
	s.name()
	s.lay()
	f, err := parse(s.text, s.dialect.lang())
	if err != nil {
		for _, m := range s.marks {
			if !m.literal {
				return true
			}
		}
		return false
	}
	var z zones
	z.find(f)
	for _, m := range s.marks {
		switch {
		case z.comments.hold(m.at):
			m.literal = true
		case z.quotes.hold(m.at) && m.Kind == template.Escaped:
			m.written = m.Text[len(`\`):]
		case z.quotes.hold(m.at) && m.Kind == template.Word && m.missing:
			m.literal = true
		}
	}
	s.lay()
	return true
}

// name gives each mark a parameter that occurs nowhere in the command or in a
// value.
func (s *rewriting) name() {
	prefix := "SKPH"
	for s.mentions(prefix) {
		prefix += "Q"
	}
	s.prefix = prefix
	s.nonces = make(map[string]*mark, len(s.marks))
	for i, m := range s.marks {
		m.nonce = prefix + strconv.Itoa(i) + "X"
		m.written = m.Text
		s.nonces[m.nonce] = m
	}
}

func (s *rewriting) mentions(text string) bool {
	if strings.Contains(s.command, text) {
		return true
	}
	for _, m := range s.marks {
		if strings.Contains(m.value, text) {
			return true
		}
	}
	return false
}

// lay writes the command with the nonces of its marks.
func (s *rewriting) lay() {
	var b strings.Builder
	end := 0
	for _, m := range s.marks {
		b.WriteString(s.command[end:m.Offset])
		m.at = b.Len()
		if m.literal {
			b.WriteString(m.written)
		} else {
			b.WriteString("${" + m.nonce + "}")
		}
		m.end = b.Len()
		end = m.Offset + len(m.Text)
	}
	b.WriteString(s.command[end:])
	s.text = b.String()
}

// live returns the marks that are not the author's text, in order.
func (s *rewriting) live() []*mark {
	var live []*mark
	for _, m := range s.marks {
		if !m.literal {
			live = append(live, m)
		}
	}
	return live
}

// ranges are stretches of a text, in order.
type ranges []stretch

type stretch struct{ start, end int }

func (r ranges) hold(at int) bool {
	i := sort.Search(len(r), func(i int) bool { return r[i].end > at })
	return i < len(r) && r[i].start <= at
}

func (r *ranges) add(n syntax.Node) {
	*r = append(*r, stretch{int(n.Pos().Offset()), int(n.End().Offset())})
}

// zones are where a shell expands nothing.
type zones struct{ comments, quotes ranges }

// find collects the zones of f.
func (z *zones) find(f *syntax.File) {
	var inDouble []bool // for the nodes on the way from the root
	syntax.Walk(f, func(n syntax.Node) bool {
		if n == nil {
			inDouble = inDouble[:len(inDouble)-1]
			return true
		}
		double := len(inDouble) > 0 && inDouble[len(inDouble)-1]
		switch n := n.(type) {
		case *syntax.Comment:
			z.comments.add(n)
		case *syntax.SglQuoted:
			if !double {
				z.quotes.add(n)
			}
		case *syntax.Redirect:
			if n.Hdoc != nil && isQuoted(n.Word) {
				z.quotes.add(n.Hdoc)
			}
			double = n.Hdoc != nil
		case *syntax.DblQuoted:
			double = true
		case *syntax.CmdSubst, *syntax.ProcSubst:
			double = false
		}
		inDouble = append(inDouble, double)
		return true
	})
	for _, r := range []ranges{z.comments, z.quotes} {
		sort.Slice(r, func(i, j int) bool { return r[i].start < r[j].start })
	}
}

// isQuoted reports whether a here-document with the delimiter w is quoted.
func isQuoted(w *syntax.Word) bool {
	for _, p := range w.Parts {
		if lit, ok := p.(*syntax.Lit); !ok || strings.Contains(lit.Value, `\`) {
			return true
		}
	}
	return false
}
