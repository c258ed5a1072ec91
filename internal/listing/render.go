package listing

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/seed-12b313d8/skills/internal/fit"
	"github.com/seed-12b313d8/skills/internal/line"
)

// Options say how listings look. All are set.
type Options struct {
	EntryCap int // characters of description and when-to-use
	XML      bool
	Wrap     [2]string // before and after each listing

	Header      string // above the first listing
	DeltaHeader string // above later ones
	Gone        string // says that {name} is no longer there
	Closing     string // says that {n} skills are left out
	NamesNote   string // ends a listing of bare names; may be ""

	Fit fit.Options // how to fit; Closing in it is not used
}

// A Renderer writes listings. It never changes, and is safe for concurrent use.
type Renderer struct {
	opts     Options
	reserved []string // tags that no text may open or close
}

// New returns a Renderer.
func New(o Options) *Renderer {
	return &Renderer{opts: o, reserved: ReservedTags(o.Wrap[:]...)}
}

// ReservedTags returns the names of the tags that no text of a skill may open
// or close: those of listings, and those that wrap contains.
func ReservedTags(wrap ...string) []string {
	tags := []string{"system-reminder", "available_skills"}
	for _, w := range wrap {
		for _, part := range strings.Split(w, "<")[1:] {
			name := strings.TrimLeft(part, "/ ")
			if i := strings.IndexAny(name, " >\t\n/"); i > 0 {
				tags = append(tags, name[:i])
			}
		}
	}
	return tags
}

// A Page is one listing.
type Page struct {
	Text  string
	Tier  fit.Tier
	Used  int // characters of the lines of skills, and of those that are gone
	Lines []Fitted
}

// A Fitted is what became of one line.
type Fitted struct {
	State fit.State
	Chars int // of the text after the name
}

// Render fits the lines into the budget, which the names that are gone use
// first, and writes everything out.
func (r *Renderer) Render(lines []Line, gone []string, first bool) Page {
	entries := make([]fit.Entry, len(lines))
	for i, l := range lines {
		entries[i] = fit.Entry{Name: l.Name, Text: l.Text, Whole: l.Whole, Score: l.Score}
		if r.opts.XML {
			entries[i].Text = escape(l.Text)
			entries[i].Fixed = line.Len(element(l.Name, "", l.Location))
		}
	}
	removals := r.removals(gone)
	taken := line.Len(removals)
	o := r.opts.Fit
	o.Budget -= taken
	o.Closing = func(n int) string { return strings.ReplaceAll(r.opts.Closing, "{n}", strconv.Itoa(n)) }
	plan := fit.Fit(entries, o)
	p := Page{Tier: plan.Tier, Used: plan.Used + taken, Lines: make([]Fitted, len(lines))}
	for i, l := range lines {
		if r.opts.XML {
			plan.Texts[i] = wholeEntities(plan.Texts[i])
		}
		chars := plan.Lens[i]
		if len(plan.Texts[i]) != len(entries[i].Text) {
			chars = line.Len(plan.Texts[i])
		}
		p.Lines[i] = Fitted{plan.States[i], chars}
		if l.Capped && plan.States[i] == fit.StateFull {
			p.Lines[i].State = fit.StateCut
		}
	}
	p.Text = r.write(lines, &plan, removals, first)
	return p
}

func (r *Renderer) removals(gone []string) string {
	if len(gone) == 0 {
		return ""
	}
	var b strings.Builder
	for _, name := range gone {
		clean := line.Cut(line.Clean(name, line.Options{Reserved: r.reserved}), r.opts.EntryCap)
		if r.opts.XML {
			clean = wholeEntities(escape(clean))
		}
		b.WriteString(strings.ReplaceAll(r.opts.Gone, "{name}", clean))
		b.WriteByte('\n')
	}
	return b.String()
}

// write puts the lines, their header and the wrapper together.
func (r *Renderer) write(lines []Line, plan *fit.Plan, removals string, first bool) string {
	var b strings.Builder
	b.Grow(4*plan.Used/3 + len(removals) + len(r.opts.Header) + len(r.opts.DeltaHeader) + 256)
	b.WriteString(r.opts.Wrap[0])
	if first {
		b.WriteString(r.opts.Header)
	} else {
		b.WriteString(r.opts.DeltaHeader)
	}
	b.WriteString("\n\n")
	if r.opts.XML {
		b.WriteString("<available_skills>\n")
	}
	for i := range lines {
		if plan.States[i] != fit.StateOmitted {
			r.writeLine(&b, &lines[i], plan.Texts[i])
		}
	}
	if r.opts.XML {
		b.WriteString("</available_skills>\n")
	}
	last := plan.Closing
	if plan.Tier == fit.NamesOnly {
		last = r.opts.NamesNote
	}
	if last != "" {
		b.WriteString(last)
		b.WriteByte('\n')
	}
	b.WriteString(removals)
	b.WriteString(r.opts.Wrap[1])
	return b.String()
}

func (r *Renderer) writeLine(b *strings.Builder, l *Line, text string) {
	if r.opts.XML {
		b.WriteString(element(l.Name, text, l.Location))
		return
	}
	b.WriteString("- ")
	b.WriteString(l.Name)
	if text != "" {
		b.WriteString(": ")
		b.WriteString(text)
	}
	b.WriteByte('\n')
}

// element is one line of the open format's rendering. text is escaped already.
func element(name, text, location string) string {
	return fmt.Sprintf("<skill><name>%s</name><description>%s</description><location>%s</location></skill>\n", escape(name), text, escape(location))
}

// wholeEntities drops an XML entity that a cut has split at the end of s.
func wholeEntities(s string) string {
	i := strings.LastIndexByte(s, '&')
	if i < 0 || strings.IndexByte(s[i:], ';') > 0 {
		return s
	}
	return strings.TrimRight(s[:i], " ") + "…"
}
