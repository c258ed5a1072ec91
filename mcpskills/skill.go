package mcpskills

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"sync"

	"github.com/seed-12b313d8/skills"
	"github.com/seed-12b313d8/skills/internal/frontmatter"
	"github.com/seed-12b313d8/skills/internal/names"
)

// readers is how many files are read at once.
const readers = 4

// A candidate is an offer on its way to a skill.
type candidate struct {
	offer
	skill string // its name as a skill
	item  item   // what is made of it, or was before if that is still right
}

// An origin is what the item of a skill is made of.
type origin struct {
	offer offer
	meta  [sha256.Size]byte // of all of its frontmatter
	read  bool              // the frontmatter is known
}

// skills loads what the server offers as skills. Those of before that are
// listed with the same digest are not read again.
func (s *source) skills(ctx context.Context, before []item) part {
	offers, err := s.offers(ctx)
	if err != nil {
		return part{err: err}
	}
	var p part
	p.tooMany(s, "skills", len(offers), s.opts.MaxSkills)
	list := s.candidates(&p, offers[:min(len(offers), s.opts.MaxSkills)])
	for _, c := range list {
		c.recall(before)
	}
	s.readHeads(ctx, list)
	for _, c := range list {
		if c.item.skill == nil {
			c.item = s.build(c, c.head(), nil)
		}
		p.items = append(p.items, c.item)
	}
	return p
}

// candidates names the offers, and leaves out those that cannot be taken.
func (s *source) candidates(p *part, offers []offer) []*candidate {
	var out []*candidate
	uris, taken := make(map[string]bool), make(map[string]bool)
	for _, o := range offers {
		name := s.skillName(&o, taken)
		why := o.flaw
		if why == "" && o.uri == "" {
			why = "it has no URI"
		}
		if why == "" && o.digest != "" {
			if err := checkDigest(o.digest); err != nil {
				why = err.Error()
			}
		}
		if why != "" {
			p.issue(s, skills.CodeInvalid, severityWarning, name, fmt.Sprintf("the skill %s is not offered: %s", short(o.uri), why), "correct it on the server")
			continue
		}
		if why = names.CheckQualified(name); why != "" {
			p.issue(s, "bad-name", severityError, name, fmt.Sprintf("the skill %s cannot be offered: %s", short(o.uri), why), "rename it on the server")
			continue
		}
		if uris[o.uri] || taken[name] {
			p.issue(s, "shadowed", severityWarning, name, fmt.Sprintf("the skill %s is left out: it is listed twice, or another has its name", short(o.uri)), "list it once, or rename it on the server")
			continue
		}
		uris[o.uri], taken[name] = true, true
		out = append(out, &candidate{offer: o, skill: name})
	}
	return out
}

// skillName returns what an offer is called as a skill. If that name is taken,
// its whole path tells it apart.
func (s *source) skillName(o *offer, taken map[string]bool) string {
	name := names.Normalize(s.info.Owner + ":" + o.ownName())
	if path := skillPath(o.uri); taken[name] && path != "" {
		return names.Normalize(s.info.Owner + ":" + strings.ReplaceAll(path, "/", ":"))
	}
	return name
}

// recall takes over the item of before that is still right, issues and all: its
// file was read then, and has the same digest now.
func (c *candidate) recall(before []item) {
	if c.digest == "" || c.frontmatter != nil {
		return
	}
	for _, i := range before {
		from := i.from.(origin)
		if i.skill.Name == c.skill && from.read && reflect.DeepEqual(from.offer, c.offer) {
			c.item = i
			return
		}
	}
}

// readHeads makes the skills whose frontmatter is not known of their files, which
// it reads within the time of one call. Of a file it keeps nothing else, so that
// no more than a few are in memory at once, however many there are.
func (s *source) readHeads(ctx context.Context, list []*candidate) {
	ctx, cancel := context.WithTimeoutCause(ctx, s.opts.Timeout, errSilent(s.opts.Timeout))
	defer cancel()
	todo := make(chan *candidate)
	var wg sync.WaitGroup
	for range min(readers, len(list)) {
		wg.Go(func() {
			for c := range todo {
				doc, err := s.file(ctx, &c.offer)
				if err != nil {
					doc = c.head()
				}
				c.item = s.build(c, doc, err)
			}
		})
	}
	for _, c := range list {
		if c.item.skill == nil && c.frontmatter == nil {
			todo <- c
		}
	}
	close(todo)
	wg.Wait()
}

// build makes the skill that doc describes. If there is an unread, why its
// frontmatter is not known, only the user may run it.
func (s *source) build(c *candidate, doc []byte, unread error) item {
	sk, issues := s.parse(c.skill, doc)
	for i := range issues {
		issues[i].Path = oneLine(c.uri, 4*maxWord)
		issues[i].Field, issues[i].Msg, issues[i].Hint = oneLine(issues[i].Field, maxWord), oneLine(issues[i].Msg, maxMessage), oneLine(issues[i].Hint, maxMessage)
	}
	meta, err := json.Marshal(sk)
	known := unread == nil
	from := origin{c.offer, sha256.Sum256(meta), known && err == nil}
	reader := file{src: s, skill: c.skill, offer: c.offer}
	if known {
		f := s.factsOf(sk)
		reader.facts = &f
	} else {
		sk.DisableModelInvocation = true
		issues = append(issues, s.issue(skills.CodeUnreadable, severityWarning, c.skill, fmt.Sprintf("only the user may run the skill %s, since its frontmatter is not known: %v", short(c.uri), unread), "reload the source "+s.info.ID))
	}
	if c.description != "" && !described(doc) {
		sk.Description = c.description
	}
	for _, field := range s.polish(sk) {
		i := s.issue("bad-field", severityWarning, c.skill, field+" holds characters or tags that may not be shown; its entries were cleaned", "write them with characters that can be seen")
		i.Path, i.Field = oneLine(c.uri, 4*maxWord), field
		issues = append(issues, i)
	}
	sk.Content = skills.Content{Read: reader.read}
	return item{sk, from, issues}
}

// parse reads a clean document as every source does.
func (s *source) parse(name string, doc []byte) (*skills.Skill, []skills.Issue) {
	return skills.Parse(doc, skills.ParseOptions{Name: name, Source: s.info})
}

// head returns a document that says what the listing says of the skill. Its
// text is cleaned behind the parser: an escape in YAML could hide anything.
func (o *offer) head() []byte {
	fields := o.frontmatter
	if fields == nil {
		fields = map[string]any{"description": o.description}
	}
	var b bytes.Buffer
	b.WriteString("---\n")
	for _, key := range slices.Sorted(maps.Keys(fields)) {
		k, _ := json.Marshal(key)
		v, err := json.Marshal(fields[key])
		if err != nil {
			continue // nothing that came from JSON
		}
		fmt.Fprintf(&b, "%s: %s\n", asYAML(k), asYAML(v))
	}
	b.WriteString("---\n")
	return b.Bytes()
}

// asYAML returns JSON as YAML, which differs in a few characters: strings hold
// them in YAML as escapes only.
func asYAML(b []byte) []byte {
	if bytes.IndexFunc(b, escapedInYAML) < 0 {
		return b
	}
	var out bytes.Buffer
	for _, r := range string(b) {
		if escapedInYAML(r) {
			fmt.Fprintf(&out, `\u%04x`, r)
		} else {
			out.WriteRune(r)
		}
	}
	return out.Bytes()
}

// escapedInYAML reports whether YAML wants an escape for a character that JSON
// takes as it is: DEL, C1 controls and non-characters.
func escapedInYAML(r rune) bool { return r >= 0x7F && r <= 0x9F || r == 0xFFFE || r == 0xFFFF }

// described reports whether the frontmatter has a description.
func described(doc []byte) bool {
	text, _ := frontmatter.Decode(doc, true)
	var d frontmatter.Document
	frontmatter.Parse(text, true, frontmatter.Limits{}, &d)
	return slices.ContainsFunc(d.Fields, func(f frontmatter.Field) bool {
		return strings.EqualFold(f.Key, "description") && strings.TrimSpace(f.Value.Text) != ""
	})
}

// polish cleans what the frontmatter says, and drops the names that would
// answer for skills of others: a label and aliases. It returns the fields that
// had entries to be cleaned.
func (s *source) polish(sk *skills.Skill) (mended []string) {
	sk.DisplayName, sk.Aliases = "", nil
	sk.Description, sk.WhenToUse = s.prose(sk.Description), s.prose(sk.WhenToUse)
	if sk.Description == "" {
		sk.Description = sk.Name
	}
	sk.ArgumentHint = s.prose(sk.ArgumentHint)
	for _, word := range []*string{&sk.Model, &sk.Agent, &sk.Shell} {
		*word = s.clean.word(*word)
	}
	for _, l := range []struct {
		field string
		list  []string
	}{
		{"arguments", sk.Arguments},
		{"paths", sk.Paths},
		{"allowed-tools", sk.AllowedTools},
		{"disallowed-tools", sk.DisallowedTools},
	} {
		if s.clean.words(l.list) {
			mended = append(mended, l.field)
		}
	}
	if sk.Hooks != nil {
		sk.Hooks = s.clean.any(sk.Hooks).(map[string]any)
	}
	if sk.Extra != nil {
		sk.Extra = s.clean.any(sk.Extra).(map[string]any)
	}
	return mended
}
