package skills

import (
	"encoding/xml"
	"fmt"
	"hash/fnv"
	"slices"
	"strings"

	"github.com/seed-12b313d8/skills/internal/fit"
	"github.com/seed-12b313d8/skills/internal/line"
)

// A Lister renders what the model is told of the skills (02). It is
// configuration over a [Session] and holds no state of its own: cheap, and
// safe for concurrent use. Make a new one when the context window changes.
type Lister struct {
	sess *Session
	opts ListerOptions
	line line.Options
}

// A Listing is what is new for the model since the last committed one.
type Listing struct {
	// Text is ready for the context; "" if there is nothing new.
	Text string
	// Report says what became of every skill in Text.
	Report Report

	told    []sentEntry // added or changed
	removed []string
}

// Next returns what the model has not been told yet: added skills, changed
// texts and removed names. It records nothing: until [Lister.Commit], Next
// repeats itself. It never returns nil.
func (l *Lister) Next() *Listing {
	v := l.sess.view()
	sent := l.sess.sentNow()
	entries, removed := l.pending(v, sent)
	if len(entries) == 0 && len(removed) == 0 {
		return new(Listing)
	}
	return l.render(entries, removed, sent == nil)
}

// Commit records that the host really put n into the context, whatever
// happened to the skills since. A nil or empty n changes nothing.
func (l *Lister) Commit(n *Listing) {
	if n == nil || len(n.told) == 0 && len(n.removed) == 0 {
		return
	}
	l.sess.commit(n)
}

// A pendingEntry is one line that may have to be sent.
type pendingEntry struct {
	skill *Skill
	name  string // clean
	text  string // clean and within the entry cap
	sum   uint64 // of the line before it is fitted into the budget
}

// pending compares what v shows the model with what it was told.
func (l *Lister) pending(v *view, sent *sent) (entries []pendingEntry, removed []string) {
	visible := make(map[string]bool)
	for _, s := range v.all {
		if v.barrier(CallerModel, s) != barNone {
			continue
		}
		e := l.entry(v, s)
		visible[s.Name] = true
		if sent.sum(s.Name) != e.sum {
			entries = append(entries, e)
		}
	}
	if sent != nil {
		for _, e := range sent.entries {
			if !visible[e.Name] {
				removed = append(removed, e.Name)
			}
		}
	}
	return entries, removed
}

// entry makes the line of one skill.
func (l *Lister) entry(v *view, s *Skill) pendingEntry {
	o := l.line
	if l.opts.XML {
		o = line.Options{} // the rendering escapes
	}
	o.EscapeAngles = !l.opts.XML && (s.Origin == OriginMCP || s.Origin == OriginRemote)
	e := pendingEntry{skill: s, name: line.Clean(s.Name, o)}
	if v.policy.visibility(s) != VisibleNameOnly {
		e.text = l.text(s, o)
	}
	h := fnv.New64a()
	h.Write([]byte(e.name))
	h.Write([]byte{0})
	h.Write([]byte(e.text))
	e.sum = h.Sum64()
	return e
}

// text joins label, description and when-to-use (02 §1).
func (l *Lister) text(s *Skill, o line.Options) string {
	text := line.Clean(s.Description, o)
	if when := line.Clean(s.WhenToUse, o); when != "" {
		if text != "" {
			text += " - "
		}
		text += when
	}
	text = line.Cut(text, l.opts.EntryCap)
	if label := s.label(); label != "" {
		text = strings.TrimSuffix("("+line.Clean(label, o)+") "+text, " ")
	}
	return text
}

// label says where a nested or plugin skill applies or comes from.
func (s *Skill) label() string {
	switch {
	case s.Owner == "":
		return ""
	case s.Origin == OriginPlugin, s.plugin != nil:
		return "plugin " + s.Owner
	case s.Origin == OriginProject:
		return "in " + s.Owner + "/"
	}
	return ""
}

// render fits entries into the budget and writes them out.
func (l *Lister) render(entries []pendingEntry, removed []string, first bool) *Listing {
	lines := make([]fit.Entry, len(entries))
	for i, e := range entries {
		lines[i] = fit.Entry{Name: e.name, Text: e.text, Whole: e.skill.Origin == OriginBundled}
		if l.opts.ByUsage && l.sess.opts.Usage != nil {
			lines[i].Score = l.sess.score(e.skill)
		}
	}
	gone := l.removalLines(removed)
	plan := fit.Fit(lines, l.fitOptions(line.Len(gone)))
	n := &Listing{removed: removed, told: make([]sentEntry, 0, len(entries))}
	for i, e := range entries {
		if plan.States[i] != fit.StateOmitted { // it will be offered again
			n.told = append(n.told, sentEntry{Name: e.skill.Name, Sum: e.sum, State: string(plan.States[i]), Chars: line.Len(plan.Texts[i])})
		}
	}
	n.Report = l.report(entries, plan, line.Len(gone))
	n.Report.Removed = slices.Clone(removed)
	n.Text = l.write(entries, plan, gone, first)
	return n
}

func (l *Lister) removalLines(names []string) string {
	var b strings.Builder
	for _, name := range names {
		b.WriteString("- " + line.Cut(line.Clean(name, l.line), l.opts.EntryCap) + ": no longer available\n")
	}
	return b.String()
}

// write puts the lines, their header and the wrapper together.
func (l *Lister) write(entries []pendingEntry, plan fit.Plan, gone string, first bool) string {
	var b strings.Builder
	b.Grow(plan.Used + len(gone) + 256)
	b.WriteString(l.opts.Wrap[0])
	switch {
	case first:
		b.WriteString(l.opts.Header)
	default:
		b.WriteString(l.opts.DeltaHeader)
	}
	b.WriteString("\n\n")
	if l.opts.XML {
		l.writeXML(&b, entries, plan)
	} else {
		writeLines(&b, entries, plan)
	}
	if plan.Closing != "" {
		b.WriteString(plan.Closing)
		b.WriteByte('\n')
	}
	b.WriteString(gone)
	b.WriteString(l.opts.Wrap[1])
	return b.String()
}

func writeLines(b *strings.Builder, entries []pendingEntry, plan fit.Plan) {
	for i, e := range entries {
		if plan.States[i] == fit.StateOmitted {
			continue
		}
		b.WriteString("- ")
		b.WriteString(e.name)
		if t := plan.Texts[i]; t != "" {
			b.WriteString(": ")
			b.WriteString(t)
		}
		b.WriteByte('\n')
	}
}

// writeXML writes the element form of the open format.
func (l *Lister) writeXML(b *strings.Builder, entries []pendingEntry, plan fit.Plan) {
	esc := func(tag, text string) {
		b.WriteString("<" + tag + ">")
		_ = xml.EscapeText(b, []byte(text)) // a Builder never fails
		b.WriteString("</" + tag + ">")
	}
	b.WriteString("<available_skills>\n")
	for i, e := range entries {
		if plan.States[i] == fit.StateOmitted {
			continue
		}
		b.WriteString("<skill>")
		esc("name", e.name)
		esc("description", plan.Texts[i])
		esc("location", e.skill.Path)
		b.WriteString("</skill>\n")
	}
	b.WriteString("</available_skills>\n")
}

// sent is what a session's model has been told. It never changes, so sessions
// may share it. The nil sent is "nothing yet".
type sent struct{ entries []sentEntry } // sorted by name

// A sentEntry is one line the model has seen.
type sentEntry struct {
	Name  string `json:"name"`
	Sum   uint64 `json:"sum,string"`
	State string `json:"state"`
	Chars int    `json:"chars,omitempty"`
}

func newSent(entries []sentEntry) *sent {
	entries = slices.Clone(entries)
	slices.SortFunc(entries, func(a, b sentEntry) int { return strings.Compare(a.Name, b.Name) })
	return &sent{entries}
}

func (s *sent) find(name string) *sentEntry {
	if s == nil {
		return nil
	}
	i, ok := slices.BinarySearchFunc(s.entries, name, func(e sentEntry, n string) int { return strings.Compare(e.Name, n) })
	if !ok {
		return nil
	}
	return &s.entries[i]
}

func (s *sent) sum(name string) uint64 {
	if e := s.find(name); e != nil {
		return e.Sum
	}
	return 0
}

func (s *Session) sentNow() *sent {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.sent
}

func (s *Session) commit(n *Listing) {
	s.mu.Lock()
	defer s.mu.Unlock()
	all := make(map[string]sentEntry)
	if s.sent != nil {
		for _, e := range s.sent.entries {
			all[e.Name] = e
		}
	}
	for _, name := range n.removed {
		delete(all, name)
	}
	for _, e := range n.told {
		all[e.Name] = e
	}
	entries := make([]sentEntry, 0, len(all))
	for _, e := range all {
		entries = append(entries, e)
	}
	s.sent = newSent(entries)
}

// standing says how s stands in the last committed listing.
func (s *Session) standing(sk *Skill) string {
	e := s.sentNow().find(sk.Name)
	switch {
	case e == nil:
		return notSent
	case e.State == string(fit.StateCut):
		return fmt.Sprintf("cut to %d characters", e.Chars)
	}
	return e.State
}
