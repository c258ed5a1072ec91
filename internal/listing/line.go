// Package listing writes the text that tells a model which skills exist (02).
// It knows texts and budgets, but neither sessions nor files.
package listing

import (
	"encoding/binary"
	"encoding/xml"
	"math/bits"
	"strings"

	"github.com/seed-12b313d8/skills/internal/line"
)

// An Item is what there is to say of one skill.
type Item struct {
	Name        string
	Label       string // where it applies or comes from, or ""
	Description string
	WhenToUse   string
	Location    string // for XML
	NameOnly    bool   // nothing but the name is to be said
	Foreign     bool   // from elsewhere: all angle brackets are escaped
	Whole       bool   // never shortened: a bundled skill
}

// A Line is an Item made ready: clean, and within the entry cap.
type Line struct {
	Name     string
	Text     string
	Location string
	Sum      uint64  // the same for the same line, on every machine
	Capped   bool    // the entry cap took something away
	Whole    bool    // as in Item
	Score    float64 // for ranking
}

// Lines makes items ready one by one. The texts share memory.
type Lines struct {
	r   *Renderer
	buf strings.Builder
}

// Lines returns what makes items ready whose texts have about size bytes in all.
func (r *Renderer) Lines(size int) *Lines {
	l := &Lines{r: r}
	l.buf.Grow(size)
	return l
}

// Add makes one item ready.
func (l *Lines) Add(it *Item) Line {
	o := line.Options{Reserved: l.r.reserved, EscapeAngles: it.Foreign}
	if l.r.opts.XML {
		o = line.Options{} // everything is escaped
	}
	out := Line{Name: line.Clean(it.Name, o), Whole: it.Whole}
	if l.r.opts.XML {
		out.Location = it.Location
	}
	if !it.NameOnly {
		out.Text, out.Capped = l.text(it, o)
	}
	out.Sum = sum(out.Name, out.Text, out.Location)
	return out
}

// text joins label, description and when-to-use (02 §1). The label is not
// counted by the entry cap.
func (l *Lines) text(it *Item, o line.Options) (text string, capped bool) {
	begin := l.buf.Len()
	if it.Label != "" {
		l.buf.WriteString("(")
		l.buf.WriteString(line.Clean(it.Label, o))
		l.buf.WriteString(")")
	}
	start := l.buf.Len()
	l.part(begin, " ", line.Clean(it.Description, o))
	if start == l.buf.Len() {
		l.part(begin, " ", line.Clean(it.WhenToUse, o))
	} else {
		l.part(begin, " - ", line.Clean(it.WhenToUse, o))
	}
	all := l.buf.String()
	label, rest := all[begin:start], all[start:]
	if label != "" {
		rest = strings.TrimPrefix(rest, " ")
	}
	short := line.Cut(rest, l.r.opts.EntryCap)
	switch {
	case len(short) == len(rest):
		return all[begin:], false
	case label == "":
		return short, true
	}
	return label + " " + short, true
}

// part adds s, after sep unless it comes first.
func (l *Lines) part(begin int, sep, s string) {
	if s == "" {
		return
	}
	if l.buf.Len() > begin {
		l.buf.WriteString(sep)
	}
	l.buf.WriteString(s)
}

// sum returns a number that differs, as good as always, when a part differs. It
// is kept in exported sessions, so it must not change.
func sum(parts ...string) uint64 {
	h := uint64(prime)
	for _, s := range parts {
		h = step(h, uint64(len(s)))
		for len(s) >= 8 {
			h = step(h, binary.LittleEndian.Uint64([]byte(s[:8])))
			s = s[8:]
		}
		var last [8]byte
		copy(last[:], s)
		h = step(h, binary.LittleEndian.Uint64(last[:]))
	}
	return mix(h)
}

const prime = 0x9E3779B97F4A7C15 // odd, with well-mixed bits

// step takes eight bytes into h. It is a bijection of either.
func step(h, w uint64) uint64 { return bits.RotateLeft64(h^w, 27) * prime }

// mix is a bijection that spreads each bit over all.
func mix(h uint64) uint64 {
	h ^= h >> 32
	h *= 0xD6E8FEB86659FD93
	h ^= h >> 32
	h *= 0xD6E8FEB86659FD93
	return h ^ h>>32
}

// escape returns s as XML text; what XML cannot hold becomes U+FFFD.
func escape(s string) string {
	var b strings.Builder
	_ = xml.EscapeText(&b, []byte(s)) // a Builder never fails
	return b.String()
}
