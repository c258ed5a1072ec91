package shellspan

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// A piece is a part of an argument as the command gets it.
type piece struct {
	text    string
	m       *mark // whose value text is
	quoted  bool
	dynamic bool // the text is not known
	tainted bool // and may hold a value
	option  bool // or an option of the author's
}

// An arg is one argument of a command, with the values in it. Where the shell
// may make any number of arguments out of one word it is open.
type arg struct {
	pieces []piece
	open   bool
	braces bool // brace expansion may make it several, in an order of its own
	glob   bool // it is a pattern, which may be any number of file names
}

// fixed returns the text of a, and whether all of it is known.
func (a arg) fixed() (text string, ok bool) {
	var b strings.Builder
	for _, p := range a.pieces {
		if p.dynamic {
			return b.String(), false
		}
		b.WriteString(p.text)
	}
	return b.String(), !a.open
}

// static returns the text of a if the author alone, or the host's variables,
// decide on it.
func (a arg) static() (text string, ok bool) {
	if len(a.marks()) > 0 {
		return "", false
	}
	return a.fixed()
}

// marks returns the placeholders for arguments in a.
func (a arg) marks() []*mark {
	var found []*mark
	for _, p := range a.pieces {
		if p.m != nil && p.m.argument() {
			found = append(found, p.m)
		}
	}
	return found
}

// tainted reports whether a has a part that is not known and may hold a value.
func (a arg) tainted() bool {
	for _, p := range a.pieces {
		if p.tainted {
			return true
		}
	}
	return false
}

// nameless reports whether a may be nothing: no text of it is written out.
func (a arg) nameless() bool {
	for _, p := range a.pieces {
		if p.text != "" {
			return false
		}
	}
	return true
}

// unknown reports whether a has a part that is not known.
func (a arg) unknown() bool {
	_, ok := a.fixed()
	return !ok
}

// assigns returns NAME of an argument that begins with NAME=, both the
// author's.
func (a arg) assigns() (name string, ok bool) {
	if len(a.pieces) == 0 || a.pieces[0].m != nil || a.pieces[0].dynamic {
		return "", false
	}
	name, _, ok = strings.Cut(a.pieces[0].text, "=")
	return strings.TrimSuffix(name, "+"), ok && identifier.holds(strings.TrimSuffix(name, "+"))
}

// expand returns the arguments that words become.
func (w *walker) expand(words []*syntax.Word) []arg {
	var args []arg
	for _, word := range words {
		e := expander{w: w}
		e.parts(word.Parts, false)
		e.finish()
		args = append(args, e.args...)
	}
	return args
}

// An expander makes the arguments of one word.
type expander struct {
	w      *walker
	args   []arg
	cur    arg
	some   bool // cur is an argument even if it is empty
	brace  bool
	commas bool
	glob   bool
}

func (e *expander) finish() {
	if len(e.cur.pieces) > 0 || e.some {
		e.args = append(e.args, e.cur)
	}
	if e.glob {
		for i := range e.args {
			e.args[i].open, e.args[i].glob = true, true
		}
	}
	if e.brace && e.commas {
		for i := range e.args {
			e.args[i].open, e.args[i].braces = true, true
		}
	}
	e.cur, e.some = arg{}, false
}

func (e *expander) add(p piece) {
	if n := len(e.cur.pieces); n > 0 && !p.dynamic && p.m == nil {
		if last := &e.cur.pieces[n-1]; !last.dynamic && last.m == nil && last.quoted == p.quoted {
			last.text += p.text
			return
		}
	}
	e.cur.pieces = append(e.cur.pieces, p)
}

func (e *expander) parts(parts []syntax.WordPart, quoted bool) {
	for _, p := range parts {
		e.part(p, quoted)
	}
}

func (e *expander) part(part syntax.WordPart, quoted bool) {
	switch n := part.(type) {
	case *syntax.Lit:
		e.lit(n.Value, quoted)
	case *syntax.SglQuoted:
		e.single(n)
	case *syntax.DblQuoted:
		e.some = true
		e.parts(n.Parts, true)
	case *syntax.ParamExp:
		if m := e.w.markOf(n); m != nil {
			e.mark(m, quoted)
			return
		}
		e.unknown(n, quoted)
	case *syntax.ArithmExp:
		e.add(piece{dynamic: true, quoted: true})
	default:
		e.unknown(n, quoted)
	}
}

func (e *expander) lit(text string, quoted bool) {
	if quoted {
		e.add(piece{text: unescape(strings.ReplaceAll(text, "\\\n", ""), "$`\"\\"), quoted: true})
		return
	}
	e.glob = e.glob || hasGlob(text)
	bare := strings.ReplaceAll(text, "{}", "")
	e.brace = e.brace || strings.Contains(bare, "{")
	e.commas = e.commas || strings.Contains(bare, ",") || strings.Contains(bare, "..")
	e.add(piece{text: unescapeAll(text)})
}

// hasGlob reports whether an unquoted text is a pattern for file names.
func hasGlob(text string) bool {
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case '\\':
			i++
		case '*', '?':
			return true
		case '[':
			if strings.Contains(text[i:], "]") {
				return true
			}
		}
	}
	return false
}

// unescapeAll drops the backslashes of an unquoted text.
func unescapeAll(text string) string {
	if !strings.Contains(text, `\`) {
		return text
	}
	var b strings.Builder
	for i := 0; i < len(text); i++ {
		if text[i] == '\\' && i+1 < len(text) {
			if i++; text[i] == '\n' {
				continue
			}
		}
		b.WriteByte(text[i])
	}
	return b.String()
}

// single adds what single quotes hold, marks included.
func (e *expander) single(n *syntax.SglQuoted) {
	e.some = true
	text := n.Value
	for {
		before, rest, found := strings.Cut(text, "${"+e.w.s.prefix)
		e.literal(before, n.Dollar)
		if !found {
			return
		}
		nonce, after, _ := strings.Cut(rest, "}")
		if m := e.w.s.nonces[e.w.s.prefix+nonce]; m != nil {
			e.mark(m, true)
		}
		text = after
	}
}

// literal adds quoted text. Escapes of $'…' other than the plainest make it
// unknown.
func (e *expander) literal(text string, ansi bool) {
	if text == "" {
		return
	}
	if ansi && strings.Contains(text, `\`) {
		plainest := strings.NewReplacer(`\\`, "", `\'`, "", `\"`, "", `\n`, "", `\t`, "", `\r`, "")
		if strings.Contains(plainest.Replace(text), `\`) {
			e.add(piece{dynamic: true, tainted: true, quoted: true})
			return
		}
		text = strings.NewReplacer(`\\`, `\`, `\'`, `'`, `\"`, `"`, `\n`, "\n", `\t`, "\t", `\r`, "\r").Replace(text)
	}
	e.add(piece{text: text, quoted: true})
}

// mark adds the value of m. Without quotes, $ARGUMENTS is several arguments,
// and inside evaluated text every value may be.
func (e *expander) mark(m *mark, quoted bool) {
	words := m.words
	switch {
	case quoted || !m.argument():
		e.add(piece{text: m.value, m: m, quoted: quoted})
		e.some = e.some || quoted
		return
	case m.missing:
		return
	case e.w.depth > 0:
		words = strings.Fields(m.value)
	case len(words) == 0:
		e.add(piece{text: m.value, m: m, quoted: true})
		e.some = true
		return
	}
	for i, word := range words {
		if i > 0 {
			e.finish()
		}
		e.some = true
		e.add(piece{text: word, m: m, quoted: true})
	}
}

// unknown adds what only the shell will know.
func (e *expander) unknown(n syntax.WordPart, quoted bool) {
	e.add(piece{dynamic: true, tainted: e.w.varies(n), option: e.w.mayBeOption(n), quoted: quoted})
	if !quoted || isList(n) {
		e.cur.open = true
	}
}

// isList reports whether n makes several words even in double quotes.
func isList(n syntax.WordPart) bool {
	p, ok := n.(*syntax.ParamExp)
	if !ok {
		return false
	}
	if p.Param != nil && p.Param.Value == "@" {
		return true
	}
	return p.Index != nil || p.Names != 0
}
