package mcpskills

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"unicode/utf8"

	"github.com/seed-12b313d8/skills"
)

// file reads the file of an offer, checks it, and cleans it.
func (s *source) file(ctx context.Context, o *offer) ([]byte, error) {
	raw, err := s.readResource(ctx, o.uri)
	if err != nil {
		return nil, err
	}
	if err := o.verify(raw); err != nil {
		return nil, err
	}
	if utf8.RuneCount(raw) > s.opts.MaxText {
		return nil, fmt.Errorf("it has more than %d characters", s.opts.MaxText)
	}
	return []byte(s.clean.text(string(raw))), nil
}

// A file is the SKILL.md of one skill, read at each invocation.
type file struct {
	src   *source
	skill string
	offer offer
	facts *facts // which the skill was loaded with; nil if they are not known
}

// read is the Content.Read of the skill.
func (f *file) read(ctx context.Context) ([]byte, error) {
	doc, err := f.src.file(ctx, &f.offer)
	if err == nil {
		if err = f.changed(doc); err == nil {
			return doc, nil
		}
	}
	if ctx.Err() != nil {
		return nil, err
	}
	return nil, &skills.Error{Issue: skills.Issue{
		Code: skills.CodeUnreadable, Severity: severityError, Skill: f.skill,
		Msg:  "the file " + short(f.offer.uri) + " of the MCP server cannot be used",
		Hint: "see the cause; if the server has changed it, reload the source " + f.src.info.ID,
	}, Err: err}
}

// changed reports whether doc says of itself what the skill was loaded with.
func (f *file) changed(doc []byte) error {
	if f.facts == nil {
		return nil
	}
	sk, _ := f.src.parse(f.skill, doc)
	now, then := f.src.factsOf(sk), *f.facts
	if f.offer.frontmatter != nil && !described(f.offer.head()) {
		now.description, then.description = "", "" // the listing has no body to stand in for it
	}
	if !reflect.DeepEqual(now, then) {
		return errors.New("its frontmatter is another than was listed")
	}
	return nil
}

// facts are the parts of a frontmatter that decide what the skill of a server
// is told to be for, who may run it and when, and what becomes of its arguments.
// The rest has no effect for a server's skill.
type facts struct {
	name, description, whenToUse string
	arguments, paths             []string
	noModel, noUser, degraded    bool
}

// factsOf returns the facts of a frontmatter, clean: that of a listing is not.
// Blanks at the ends, which cleaning may bare, do not count.
func (s *source) factsOf(sk *skills.Skill) facts {
	prose := func(text string) string { return strings.TrimSpace(s.clean.text(text)) }
	words := func(list []string) []string {
		list = append([]string(nil), list...) // nil if it is empty
		s.clean.words(list)
		return list
	}
	return facts{
		prose(sk.DisplayName), prose(sk.Description), prose(sk.WhenToUse),
		words(sk.Arguments), words(sk.Paths),
		sk.DisableModelInvocation, sk.DisableUserInvocation, sk.Degraded,
	}
}
