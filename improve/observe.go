package improve

import (
	"fmt"
	"hash/maphash"
	"strings"
	"unicode/utf8"

	"github.com/seed-12b313d8/skills"
)

// Bounds of what one run looks at. Text is in bytes: it is memory that is held
// and money that is spent.
const (
	maxMessages = 200
	maxMessage  = 4_000
	maxWindow   = 32_000
	maxSkills   = 3 // those invoked last
)

// Observe is told of the whole conversation after each turn of the model. It
// returns at once. If there are Every new user messages since the last run,
// and a project skill was invoked in this session, it starts a run in the
// background, unless there is one already: then the messages wait for the next
// Observe. A run uses the messages up, whatever comes of it, and so does one
// that finds the switch off.
//
// Of the messages since the last run it keeps the latest 200 of up to 32,000
// bytes, and of each the beginning and the end, of 4,000 bytes together.
// Nothing else of all is kept, which must not change before Observe returns. A
// conversation that was compacted goes on after the last two messages of the
// last run, if these are still there; otherwise it is a new one.
func (i *Improver) Observe(all []Message) {
	if i.sess == nil || i.model == nil || i.opts.Enabled == nil || i.opts.Propose == nil || !i.claim(all) {
		return
	}
	targets := i.invoked()
	if len(targets) == 0 || !i.tally.enter() {
		i.release()
		return
	}
	i.mu.Lock()
	fresh := all[i.mark.find(all):]
	i.mark.set(all)
	i.mu.Unlock()
	messages := window(fresh)
	go i.run(messages, targets)
}

// claim reports whether a run is due, which the caller then starts or
// releases.
func (i *Improver) claim(all []Message) bool {
	i.mu.Lock()
	defer i.mu.Unlock()
	if i.running {
		return false
	}
	n := 0
	for _, m := range all[i.mark.find(all):] {
		if m.Role == roleUser {
			n++
		}
	}
	i.running = n >= i.opts.Every
	return i.running
}

func (i *Improver) release() {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.running = false
}

// A ref says which skill is meant, as records and proposals do.
type ref struct{ name, source, owner string }

// invoked returns the project skills that were invoked last, the latest first.
func (i *Improver) invoked() []ref {
	var out []ref
	seen := make(map[ref]bool)
	records := i.sess.Records()
	for n := len(records) - 1; n >= 0 && len(out) < maxSkills; n-- {
		r := records[n]
		if r.Origin != skills.OriginProject || r.Kind != string(skills.ModeInline) && r.Kind != string(skills.ModeFork) {
			continue
		}
		at := ref{r.Skill, r.Source, r.Owner}
		key := ref{at.bare(), r.Source, r.Owner} // a nested skill has two names
		if !seen[key] {
			seen[key] = true
			out = append(out, at)
		}
	}
	return out
}

// bare returns the name without the owner.
func (r ref) bare() string {
	if r.owner == "" {
		return r.name
	}
	return strings.TrimPrefix(r.name, r.owner+":")
}

// A mark remembers a place in a conversation without its text: by the two
// messages before it, since one alone may be an "ok" as there are many.
type mark struct {
	seed maphash.Seed
	n    int // messages up to it
	size int // of the last one's text
	sum  uint64
}

// set puts the mark at the end of all.
func (m *mark) set(all []Message) {
	m.n = len(all)
	if m.n > 0 {
		m.size, m.sum = len(all[m.n-1].Text), m.hash(all)
	}
}

// hash identifies the end of all, which is not empty.
func (m *mark) hash(all []Message) uint64 {
	last := [2]Message{1: all[len(all)-1]}
	if len(all) > 1 {
		last[0] = all[len(all)-2]
	}
	return maphash.Comparable(m.seed, last)
}

// find returns how many messages of all lie before the mark.
func (m *mark) find(all []Message) int {
	if m.n == 0 || m.n <= len(all) && m.is(all[:m.n]) {
		return m.n
	}
	for n := len(all); n > 0; n-- {
		if m.is(all[:n]) {
			return n
		}
	}
	return 0
}

// is reports whether the mark is at the end of all, which is not empty.
func (m *mark) is(all []Message) bool {
	return len(all[len(all)-1].Text) == m.size && m.hash(all) == m.sum
}

// The roles that a model is told of.
const (
	roleUser      = "user"
	roleAssistant = "assistant"
	roleOther     = "other"
)

// window returns copies of the latest messages, within the bounds.
func window(all []Message) []Message {
	first, size := len(all), 0
	for first > 0 && len(all)-first < maxMessages {
		n := min(len(all[first-1].Text), maxMessage)
		if size+n > maxWindow {
			break
		}
		size += n
		first--
	}
	out := make([]Message, 0, len(all)-first)
	for _, m := range all[first:] {
		role := m.Role
		if role != roleUser && role != roleAssistant {
			role = roleOther
		}
		out = append(out, Message{Role: role, Text: shorten(m.Text, maxMessage)})
	}
	return out
}

// shorten returns a copy of text of about limit bytes: its beginning and its end
// if it is longer.
func shorten(text string, limit int) string {
	if len(text) <= limit {
		return strings.Clone(text)
	}
	head, tail := limit*3/4, len(text)-limit/4
	for head > 0 && !utf8.RuneStart(text[head]) {
		head--
	}
	for tail < len(text) && !utf8.RuneStart(text[tail]) {
		tail++
	}
	return fmt.Sprintf("%s\n[… %d bytes left out …]\n%s", text[:head], tail-head, text[tail:])
}
