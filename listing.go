package skills

import (
	"fmt"
	"slices"
	"time"

	"github.com/seed-12b313d8/skills/internal/fit"
	"github.com/seed-12b313d8/skills/internal/listing"
	"github.com/seed-12b313d8/skills/internal/sent"
)

// A Lister renders what the model is told of the skills (02). It is
// configuration over a [Session] and holds no state of its own: cheap, and
// safe for concurrent use. Make a new one when the context window changes.
type Lister struct {
	sess *Session
	opts ListerOptions
	out  *listing.Renderer
}

// A Listing is what is new for the model since the last committed one.
type Listing struct {
	// Text is ready for the context; "" if there is nothing new.
	Text string
	// Report says what became of every skill in Text.
	Report Report

	told    []sent.Entry // added or changed
	removed []string
	lister  *Lister // that made it, and of what
	over    *overlay
	rev     uint64
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
	lines, of, gone := l.pending(v, told)
	if len(lines)+len(gone) == 0 {
		return l.settle(v.overlay, rev)
	}
	n := l.render(lines, of, gone, told == nil)
	n.lister, n.over, n.rev = l, v.overlay, rev
	return n
}

// Commit records that the host really put n into the context, whatever
// happened to the skills since. A nil or empty n changes nothing.
func (l *Lister) Commit(n *Listing) {
	switch {
	case n == nil || n.Text == "":
	case len(n.told)+len(n.removed) == 0: // it said that there is no room for anything
		if n.lister.sess == l.sess {
			n.lister.settle(n.over, n.rev)
		}
	default:
		l.sess.commit(n)
	}
}

// pending returns the lines that v shows the model and that it has not been
// told yet, with their skills, and the names it was told that are gone.
func (l *Lister) pending(v *view, told *sent.Set) (lines []listing.Line, of []*Skill, gone []string) {
	seen := make([]bool, told.Len())
	ready := l.out.Lines(v.textSize())
	for _, s := range v.all {
		if v.barrier(CallerModel, s) != barNone {
			continue
		}
		item := s.item(v.policy.visibility(s) == VisibleNameOnly)
		entry := ready.Add(&item)
		at := told.Index(s.Name)
		if at >= 0 {
			seen[at] = true
		}
		if at < 0 || told.At(at).Sum != entry.Sum {
			if lines == nil {
				lines, of = make([]listing.Line, 0, len(v.all)), make([]*Skill, 0, len(v.all))
			}
			lines, of = append(lines, entry), append(of, s)
		}
	}
	for i, was := range seen {
		if !was {
			gone = append(gone, told.At(i).Name)
		}
	}
	return lines, of, gone
}

// textSize returns about how many bytes the texts of a listing have.
func (v *view) textSize() int {
	const joints = 32 // bytes for what joins the parts
	size := 0
	for _, s := range v.all {
		size += min(len(s.Description)+len(s.WhenToUse)+len(s.Owner), maxText) + joints
	}
	return size
}

// maxText is where a description counts as unusual, in bytes.
const maxText = 4 << 10

// item returns what a listing says of s.
func (s *Skill) item(nameOnly bool) listing.Item {
	return listing.Item{
		Name: s.Name, Label: s.label(), Description: s.Description, WhenToUse: s.WhenToUse, Location: s.Path,
		NameOnly: nameOnly, Foreign: s.Origin.foreign(), Whole: s.Origin == OriginBundled,
	}
}

// label says where a nested or plugin skill applies or comes from.
func (s *Skill) label() string {
	switch {
	case s.Owner == "":
		return ""
	case s.Origin == OriginPlugin, s.plugin != nil:
		return "plugin " + s.Owner
	case s.folder != "":
		return "in " + s.folder + "/"
	}
	return ""
}

// render makes the listing of the lines of skills and of the names that are gone.
func (l *Lister) render(lines []listing.Line, of []*Skill, gone []string, first bool) *Listing {
	if l.ranks() {
		now := time.Now()
		for i, s := range of {
			lines[i].Score = l.sess.score(s, now)
		}
	}
	page := l.out.Render(lines, gone, first)
	n := &Listing{Text: page.Text, removed: gone, told: make([]sent.Entry, 0, len(lines))}
	for i, f := range page.Lines {
		if f.State != fit.StateOmitted { // it will be offered again
			n.told = append(n.told, sent.Entry{Name: of[i].Name, Sum: lines[i].Sum, State: string(f.State), Chars: f.Chars})
		}
	}
	n.Report = l.report(lines, &page)
	n.Report.Removed = slices.Clone(gone)
	return n
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
	if q.over == nil || q.over.gated || q.rev != s.rev || q.over.snap != snap || q.lister != l && q.lister.opts != l.opts {
		return nil
	}
	return q.empty
}

// settle notes that nothing is new in what a session saw at revision rev, and
// returns the listing that says so.
func (l *Lister) settle(over *overlay, rev uint64) *Listing {
	l.sess.mu.Lock()
	defer l.sess.mu.Unlock()
	l.sess.quiet = quiet{lister: l, over: over, rev: rev, empty: new(Listing)}
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
