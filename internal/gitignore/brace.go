package gitignore

// The bounds of brace expansion for a whole list (03 A5). Only patterns that
// come out of a brace group count against them.
const (
	maxExpanded      = 1000
	maxExpandedBytes = 4 << 20
	maxBraceDepth    = 32
)

// A budget is what brace expansion of one list may still produce.
type budget struct{ patterns, bytes int64 }

func newBudget() budget { return budget{maxExpanded, maxExpandedBytes} }

// expand returns the patterns that the brace groups of s stand for, in order.
// It is s itself when s has no group. The size is known before anything is
// built; when it exceeds the budget the result is s and ok is false.
func (b *budget) expand(s string) (patterns []string, ok bool) {
	closes := bracePairs(s)
	if closes == nil {
		return []string{s}, true
	}
	p := braceParser{text: s, closes: closes}
	seq := p.sequence(0, len(s), 0)
	if p.tooDeep {
		return []string{s}, false
	}
	if seq.plain() {
		return []string{s}, true
	}
	size := seq.size()
	if size.count > b.patterns || size.bytes > b.bytes {
		return []string{s}, false
	}
	b.patterns -= size.count
	b.bytes -= size.bytes
	return seq.strings(), true
}

// A sequence is text and groups one after the other.
type sequence []part

// A part is literal text, or a group when it has alternatives.
type part struct {
	text string
	alts []sequence
}

// plain reports whether the sequence has no group.
func (s sequence) plain() bool { return len(s) == 0 || len(s) == 1 && s[0].alts == nil }

// A braceParser turns one pattern into a sequence.
type braceParser struct {
	text    string
	closes  pairs
	tooDeep bool
}

// sequence parses text[lo:hi].
func (p *braceParser) sequence(lo, hi, depth int) sequence {
	if depth > maxBraceDepth {
		p.tooDeep = true
		return nil
	}
	var seq sequence
	start := lo
	for i := lo; i < hi; i++ {
		switch p.text[i] {
		case '\\':
			i++
		case '{':
			end := p.closes.of(i)
			if end == 0 || end >= hi {
				continue
			}
			if alts := p.alternatives(i+1, end, depth); alts != nil {
				seq = appendText(seq, p.text[start:i])
				seq = append(seq, part{alts: alts})
				start, i = end+1, end
			}
		}
	}
	return appendText(seq, p.text[start:hi])
}

// alternatives parses the inside of a group, or returns nil when it holds no
// comma of its own and therefore is no group.
func (p *braceParser) alternatives(lo, hi, depth int) []sequence {
	commas := p.commas(lo, hi)
	if len(commas) == 0 {
		return nil
	}
	alts := make([]sequence, 0, len(commas)+1)
	start := lo
	for _, end := range append(commas, hi) {
		from, to := p.trim(start, end)
		alts = append(alts, p.sequence(from, to, depth+1))
		start = end + 1
	}
	return alts
}

// commas returns the positions of the commas of text[lo:hi] that lie in no
// inner pair of braces.
func (p *braceParser) commas(lo, hi int) []int {
	var at []int
	for i := lo; i < hi; i++ {
		switch p.text[i] {
		case '\\':
			i++
		case '{':
			i = max(i, p.closes.of(i))
		case ',':
			at = append(at, i)
		}
	}
	return at
}

// trim narrows text[lo:hi] by the blanks that authors put around commas.
func (p *braceParser) trim(lo, hi int) (from, to int) {
	for lo < hi && p.text[lo] == ' ' {
		lo++
	}
	return lo, lo + trimRight(p.text[lo:hi], " ")
}

func appendText(seq sequence, s string) sequence {
	if s == "" {
		return seq
	}
	return append(seq, part{text: s})
}

// A size tells how many patterns a sequence stands for and how many bytes they
// hold together. Both stop growing just above the budget, so that their
// products fit.
type size struct{ count, bytes int64 }

func (s size) capped() size {
	return size{min(s.count, maxExpanded+1), min(s.bytes, maxExpandedBytes+1)}
}

func (s sequence) size() size {
	total := size{count: 1}
	for _, p := range s {
		n := p.size()
		total = size{
			count: total.count * n.count,
			bytes: total.bytes*n.count + n.bytes*total.count,
		}.capped()
	}
	return total
}

func (p part) size() size {
	if p.alts == nil {
		return size{count: 1, bytes: int64(len(p.text))}
	}
	var total size
	for _, alt := range p.alts {
		n := alt.size()
		total = size{total.count + n.count, total.bytes + n.bytes}.capped()
	}
	return total
}

// strings builds the patterns. It must be called within the budget only.
func (s sequence) strings() []string {
	list := []string{""}
	for _, p := range s {
		list = product(list, p.strings())
	}
	return list
}

func (p part) strings() []string {
	if p.alts == nil {
		return []string{p.text}
	}
	var list []string
	for _, alt := range p.alts {
		list = append(list, alt.strings()...)
	}
	return list
}

func product(heads, tails []string) []string {
	list := make([]string, 0, len(heads)*len(tails))
	for _, h := range heads {
		for _, t := range tails {
			list = append(list, h+t)
		}
	}
	return list
}
