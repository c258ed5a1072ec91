package skills

import (
	"encoding/xml"
	"fmt"
	"hash/fnv"
	"slices"
	"strings"

	"github.com/seed-12b313d8/skills/internal/fit"
	"github.com/seed-12b313d8/skills/internal/line"
	"github.com/seed-12b313d8/skills/internal/sent"
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

	told    []sent.Entry // added or changed
	removed []string
}

// Next returns what the model has not been told yet: added skills, changed
// texts and removed names. It records nothing: until [Lister.Commit], Next
// repeats itself. It never returns nil. Listings are read-only; an empty one may
// be returned again.
func (l *Lister) Next() *Listing {
	if n := l.quietNow(); n != nil {
		return n
	}
	told, rev := l.sess.sentNow() // before the view, so that a change between them counts as new
	v := l.sess.view()
	entries, removed := l.pending(v, told)
	if len(entries) == 0 && len(removed) == 0 {
		return l.settle(v, rev)
	}
	return l.render(entries, removed, told == nil)
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
func (l *Lister) pending(v *view, told *sent.Set) (entries []pendingEntry, removed []string) {
	visible := make(map[string]bool)
	for _, s := range v.all {
		if v.barrier(CallerModel, s) != barNone {
			continue
		}
		e := l.entry(v, s)
		visible[s.Name] = true
		if was, ok := told.Find(s.Name); !ok || was.Sum != e.sum {
			entries = append(entries, e)
		}
	}
	for e := range told.All() {
		if !visible[e.Name] {
			removed = append(removed, e.Name)
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
	n := &Listing{removed: removed, told: make([]sent.Entry, 0, len(entries))}
	for i, e := range entries {
		if plan.States[i] != fit.StateOmitted { // it will be offered again
			n.told = append(n.told, sent.Entry{Name: e.skill.Name, Sum: e.sum, State: string(plan.States[i]), Chars: line.Len(plan.Texts[i])})
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

// quiet notes that there was nothing new, and for what, so that the next Next
// need not compare everything again.
type quiet struct {
	lister *Lister
	over   *overlay
	rev    uint64
	empty  *Listing // what Next returned
}

// quietNow returns an empty listing if nothing has changed since the last Next
// that found nothing new, and nil otherwise. Skills with gates may change their
// answers any time.
func (l *Lister) quietNow() *Listing {
	snap := l.sess.reg.Snapshot()
	s := l.sess
	s.mu.Lock()
	defer s.mu.Unlock()
	q := &s.quiet
	if q.over == nil || q.over.gated || q.rev != s.rev || !q.over.holds(snap, s.folders) || q.lister != l && q.lister.opts != l.opts {
		return nil
	}
	return q.empty
}

// settle notes that nothing is new in v, seen at revision rev.
func (l *Lister) settle(v *view, rev uint64) *Listing {
	l.sess.mu.Lock()
	defer l.sess.mu.Unlock()
	l.sess.quiet = quiet{lister: l, over: v.overlay, rev: rev, empty: new(Listing)}
	return l.sess.quiet.empty
}

// sentNow returns what the model has been told, and the revision of that.
func (s *Session) sentNow() (*sent.Set, uint64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.sent, s.rev
}

func (s *Session) commit(n *Listing) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.sent = s.reg.sents.Share(s.sent.With(n.told, n.removed))
	s.rev++
}

// standing says how s stands in the last committed listing.
func (s *Session) standing(sk *Skill) string {
	told, _ := s.sentNow()
	e, ok := told.Find(sk.Name)
	switch {
	case !ok:
		return notSent
	case e.State == string(fit.StateCut):
		return fmt.Sprintf("cut to %d characters", e.Chars)
	}
	return e.State
}
