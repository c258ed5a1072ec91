package shellspan

import (
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// maxPasses bounds the search for the fixed point of a taint. Each pass finds
// at least one more name.
const maxPasses = 32

// analyse finds the place of every mark and checks the values.
func (s *rewriting) analyse() error {
	live := s.live()
	if len(live) == 0 {
		return nil
	}
	f, err := parse(s.text, s.dialect.lang())
	if err != nil {
		return refuse(live[0], Unparsed, "the command is not one that can be read: "+reason(err), "see whether its quotes and brackets are closed")
	}
	if nesting(f) > maxNesting {
		return refuse(live[0], TooLong, "the command is nested too deep", "move it into a script of the skill")
	}
	s.taint = newTaint()
	for pass := 0; ; pass++ {
		s.taint.grew = false
		s.reset()
		w := walker{s: s, src: s.text, lang: s.dialect.lang()}
		w.stmts(f.Stmts)
		if !s.taint.grew {
			break
		}
		if pass == maxPasses {
			return refuse(live[0], TooLong, "the command has too many variables that depend on each other", "move it into a script of the skill")
		}
	}
	s.files.check(s)
	s.checkWants()
	s.checkSeen()
	if s.refusal != nil {
		return s.refusal
	}
	return s.verify(f)
}

// nesting returns the depth of a tree.
func nesting(f *syntax.File) int {
	depth, deepest := 0, 0
	syntax.Walk(f, func(n syntax.Node) bool {
		if n == nil {
			depth--
			return true
		}
		depth++
		deepest = max(deepest, depth)
		return true
	})
	return deepest
}

// reason returns the message of a parse error without the names of nonces.
func reason(err error) string {
	text := err.Error()
	if len(text) > 80 || strings.Contains(text, "SKPH") {
		return "syntax error"
	}
	return text
}

// reset forgets what the last pass found, but for the taint.
func (s *rewriting) reset() {
	s.refusal, s.refused, s.wants, s.files, s.hdocs, s.confusing, s.work = nil, nil, nil, files{}, nil, false, 0
	for _, m := range s.marks {
		m.form, m.list, m.seen = formNone, false, false
	}
}

// checkSeen refuses marks in places that the walk did not reach.
func (s *rewriting) checkSeen() {
	for _, m := range s.live() {
		if !m.seen || s.confusing {
			s.refuse(m, UnsafePlace, "it stands where a value may become code, or where shells differ", "use it as an argument in double quotes")
		}
	}
}

// finish writes the result.
func (s *rewriting) finish() (Result, error) {
	text, _ := s.write()
	r := Result{Text: text}
	env := make(map[string]string)
	for _, m := range s.live() {
		if m.missing {
			continue
		}
		r.Replaced = r.Replaced || m.argument()
		if !m.list {
			env[m.name()] = m.value
			continue
		}
		for i, word := range m.words {
			env[argName(i)] = word
		}
	}
	for name, value := range env {
		r.Env = append(r.Env, name+"="+value)
	}
	slices.Sort(r.Env)
	return r, nil
}

// verify reads the text that results again (04 §4: the skeleton must be
// unchanged).
func (s *rewriting) verify(f *syntax.File) error {
	first := s.live()[0]
	if s.size() > maxText {
		return refuse(first, TooLong, "the command with its references is too long", "use $ARGUMENTS less often, or in double quotes")
	}
	text, at := s.write()
	g, err := parse(text, s.dialect.lang())
	if err == nil {
		k := skeleton{nonces: s.nonces, prefix: s.prefix, at: at, opened: s.openedOrdinals(f)}
		if s.skeleton(f.Stmts) == k.of(g.Stmts) {
			return nil
		}
	}
	return refuse(first, Changed, "the command would be another one with a variable in this place", "use the placeholder as an argument in double quotes")
}

// size returns an upper bound of the length of the result.
func (s *rewriting) size() int {
	n := len(s.text)
	for _, m := range s.live() {
		if m.list {
			n += len(m.words) * len(` "${SKILL_ARG_00000}"`)
		} else {
			n += len(m.name()) + len(`'"${}"$'`)
		}
	}
	for range s.hdocs {
		n += len(s.text)
	}
	return n
}

// openedOrdinals returns the here-documents that lose their quotes by their
// order in the tree, as negative numbers.
func (s *rewriting) openedOrdinals(f *syntax.File) map[int]bool {
	offsets, ordinals, n := s.openedHdocs(), make(map[int]bool), 0
	if len(offsets) == 0 {
		return ordinals
	}
	syntax.Walk(f, func(node syntax.Node) bool {
		if r, ok := node.(*syntax.Redirect); ok && r.Hdoc != nil {
			if n++; offsets[int(r.OpPos.Offset())] {
				ordinals[-n] = true
				return false
			}
		}
		return true
	})
	return ordinals
}

// An insertion replaces a stretch of the text that was parsed.
type insertion struct {
	stretch
	text string
	m    *mark
	lead int // bytes of text in front of the reference itself
	tail int // and behind it
}

// write returns the text to run and where its references stand.
func (s *rewriting) write() (string, []written) {
	var ins []insertion
	for _, m := range s.live() {
		ref, lead, tail := m.reference()
		ins = append(ins, insertion{stretch{m.at, m.end}, ref, m, lead, tail})
	}
	for _, r := range s.hdocs {
		ins = append(ins, s.openHdoc(r)...)
	}
	slices.SortFunc(ins, func(a, b insertion) int { return a.start - b.start })
	var b strings.Builder
	at := []written{}
	end := 0
	for _, in := range ins {
		b.WriteString(s.text[end:in.start])
		if in.m != nil {
			start := b.Len() + in.lead
			at = append(at, written{stretch{start, b.Len() + len(in.text) - in.tail}, in.m})
		}
		b.WriteString(in.text)
		end = in.end
	}
	b.WriteString(s.text[end:])
	return b.String(), at
}

// reference returns how m is written, and how many bytes in front of and
// behind the reference only leave and enter the author's quotes.
func (m *mark) reference() (text string, lead, tail int) {
	ref := "${" + m.name() + "}"
	if m.missing {
		ref = "${" + noneName + "-}"
		if m.computed {
			ref = "${" + noneName + "-0}"
		}
		if m.form == formBare {
			return ref, 0, 0
		}
	}
	switch m.form {
	case formInside:
		return ref, 0, 0
	case formSingle:
		return `'"` + ref + `"'`, 1, 1
	case formDollar:
		return `'"` + ref + `"$'`, 1, 2
	}
	if !m.list {
		return `"` + ref + `"`, 0, 0
	}
	refs := make([]string, len(m.words))
	for i := range m.words {
		refs[i] = `"${` + argName(i) + `}"`
	}
	return strings.Join(refs, " "), 0, 0
}

// openHdoc makes a quoted here-document one that expands the references, and
// nothing else.
func (s *rewriting) openHdoc(r *syntax.Redirect) []insertion {
	start, end := span(r.Word)
	ins := []insertion{{stretch: stretch{start, end}, text: delimiter(r.Word)}}
	start, end = hdocSpan(s.text, r)
	for _, m := range s.live() {
		if m.at < start || m.at >= end {
			continue
		}
		ins = append(ins, escaped(s.text, start, m.at)...)
		start = m.end
	}
	return append(ins, escaped(s.text, start, end)...)
}

// escaped puts backslashes in front of what expands in text[start:end].
func escaped(text string, start, end int) []insertion {
	var ins []insertion
	for i := start; i < end; i++ {
		if strings.IndexByte("\\$`", text[i]) >= 0 {
			ins = append(ins, insertion{stretch: stretch{i, i + 1}, text: `\` + text[i:i+1]})
		}
	}
	return ins
}
