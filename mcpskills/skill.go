package mcpskills

import (
	"bytes"
	"context"
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
	doc   []byte // clean, of a file that had to be read for its frontmatter
	err   error  // of reading it
	was   item   // what it was before, if that is still right
}

// An origin is what the item of a skill is made of.
type origin struct {
	offer offer
	meta  string // all of its frontmatter
	read  bool   // the frontmatter is known
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
		if c.was.skill == nil {
			c.was = s.build(&p, c)
		}
		p.items = append(p.items, c.was)
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

// recall takes over the item of before that is still right: its file was read
// then, and has the same digest now.
func (c *candidate) recall(before []item) {
	if c.digest == "" || c.frontmatter != nil {
		return
	}
	for _, i := range before {
		from := i.from.(origin)
		if i.skill.Name == c.skill && from.read && reflect.DeepEqual(from.offer, c.offer) {
			c.was = i
			return
		}
	}
}

// readHeads reads the files whose frontmatter is not known, within the time of
// one call.
func (s *source) readHeads(ctx context.Context, list []*candidate) {
	ctx, cancel := context.WithTimeoutCause(ctx, s.opts.Timeout, errSilent(s.opts.Timeout))
	defer cancel()
	todo := make(chan *candidate)
	var wg sync.WaitGroup
	for range min(readers, len(list)) {
		wg.Go(func() {
			for c := range todo {
				c.doc, c.err = s.file(ctx, &c.offer)
			}
		})
	}
	for _, c := range list {
		if c.was.skill == nil && c.frontmatter == nil {
			todo <- c
		}
	}
	close(todo)
	wg.Wait()
}

// build makes the skill. Without its frontmatter, only the user may run it.
func (s *source) build(p *part, c *candidate) item {
	known, doc := c.err == nil, c.doc
	if c.frontmatter != nil || !known {
		doc = c.head()
	}
	sk, issues := s.parse(c.skill, doc)
	for _, i := range issues {
		i.Path = oneLine(c.uri, 4*maxWord)
		i.Field, i.Msg, i.Hint = oneLine(i.Field, maxWord), oneLine(i.Msg, maxMessage), oneLine(i.Hint, maxMessage)
		p.issues = append(p.issues, i)
	}
	meta, err := json.Marshal(sk)
	from := origin{c.offer, string(meta), known && err == nil}
	reader := file{src: s, skill: c.skill, offer: c.offer}
	if known {
		f := s.factsOf(sk)
		reader.facts = &f
	} else {
		sk.DisableModelInvocation = true
		p.issue(s, skills.CodeUnreadable, severityWarning, c.skill, fmt.Sprintf("only the user may run the skill %s, since its frontmatter is not known: %v", short(c.uri), c.err), "reload the source "+s.info.ID)
	}
	if c.description != "" && !described(doc) {
		sk.Description = c.description
	}
	s.polish(sk)
	sk.Content = skills.Content{Read: reader.read}
	return item{sk, from}
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
		v, err := json.Marshal(fields[key]) // JSON is YAML, too
		if err != nil {
			continue // nothing that came from JSON
		}
		fmt.Fprintf(&b, "%s: %s\n", k, v)
	}
	b.WriteString("---\n")
	return b.Bytes()
}

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
// answer for skills of others: a label and aliases.
func (s *source) polish(sk *skills.Skill) {
	sk.DisplayName, sk.Aliases = "", nil
	sk.Description, sk.WhenToUse = s.prose(sk.Description), s.prose(sk.WhenToUse)
	if sk.Description == "" {
		sk.Description = sk.Name
	}
	sk.ArgumentHint = s.prose(sk.ArgumentHint)
	if sk.Extra != nil {
		sk.Extra = s.clean.any(sk.Extra).(map[string]any)
	}
}
