// Package header turns the frontmatter fields of one file into typed values
// (01 §3): one odd value costs that field and a problem, never the file, and
// what would widen a skill's privileges is never believed on a guess (01 §4).
package header

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/seed-12b313d8/skills/internal/frontmatter"
	"github.com/seed-12b313d8/skills/internal/line"
	"github.com/seed-12b313d8/skills/internal/names"
)

// A Severity says how much a problem matters.
type Severity uint8

// The severities.
const (
	Info    Severity = iota // worth knowing
	Warning                 // not as its author wrote it
	Error                   // something is missing
)

// A Problem is one thing the author of a file should know.
type Problem struct {
	Code     string
	Severity Severity
	Line     int    // in the file, 1-based
	Field    string // key as written, "" for the whole file
	Msg      string
	Hint     string
}

// Options says what the text does not.
type Options struct {
	// Name is the name the skill is invoked by.
	Name string
	// Command reads the file as a legacy command: name and paths are ignored.
	Command bool
	// Labelled says that Name comes from elsewhere, so that another name in
	// the file is nothing to report.
	Labelled bool
	// NumericEffort lets effort be an integer.
	NumericEffort bool
}

// A Header is what the fields of one file amount to (01 §3). Absent fields
// have zero values, except that Description is never "".
type Header struct {
	Name, Description, WhenToUse, ArgumentHint               string
	Aliases, Arguments, Paths, AllowedTools, DisallowedTools []string
	Fork                                                     bool
	Model, Effort, Agent, Shell                              string
	Background                                               *bool
	DisableModelInvocation, DisableUserInvocation            bool
	Hooks, Extra                                             map[string]any

	// Degraded: nothing could be read; all that widens is off (01 §4, 5).
	Degraded bool
	// NeedsBody: the description was looked for in the body.
	NeedsBody bool
}

// A Parser turns the text of one file into a Header. It is scratch space: one
// goroutine uses it for many files.
type Parser struct {
	doc      frontmatter.Document
	opts     Options
	h        *Header
	problems []Problem

	index  [numFields]int // 1 + index in doc.Fields of the field that counts
	exact  [numFields]bool
	twice  [numFields]bool
	strict [numFields]bool // one of several booleans had the restricting value
}

// Parse reads text, which comes from [frontmatter.Decode] like defects.
// complete says that it is the whole file; otherwise it is its beginning, and
// the header's NeedsBody tells whether more of it is worth having.
func (p *Parser) Parse(text []byte, complete bool, defects frontmatter.Defects, o Options) (Header, []Problem) {
	var h Header
	*p = Parser{doc: p.doc, opts: o, h: &h}
	p.defects(defects)
	frontmatter.Parse(text, complete, frontmatter.Limits{}, &p.doc)
	for _, d := range p.doc.Problems {
		p.problem(d)
	}
	switch p.doc.State {
	case frontmatter.Broken:
		h.Degraded, h.DisableModelInvocation = true, true
	case frontmatter.None:
		if !o.Command {
			p.issue("no-frontmatter", Info, 1, "", "the file has no frontmatter", "begin it with --- and a description")
		}
	default:
		p.choose()
		p.convert()
	}
	p.describe(text)
	p.consistency()
	return h, p.problems
}

func (p *Parser) issue(code string, sev Severity, line int, field, msg, hint string) {
	p.problems = append(p.problems, Problem{code, sev, line, field, msg, hint})
}

func (p *Parser) warn(code string, f *frontmatter.Field, msg, hint string) {
	p.issue(code, Warning, f.Line, f.Key, msg, hint)
}

func (p *Parser) defects(d frontmatter.Defects) {
	if d.NUL > 0 {
		p.issue("nul-byte", Warning, d.NUL, "", "the file holds NUL bytes; each became U+FFFD", "save it as UTF-8 text")
	}
	if d.UTF8 > 0 {
		p.issue("invalid-utf8", Warning, d.UTF8, "", "the file is not valid UTF-8; bad bytes became U+FFFD", "save it as UTF-8 text")
	}
}

func (p *Parser) problem(d frontmatter.Problem) {
	sev := Warning
	switch {
	case p.doc.State == frontmatter.Broken:
		sev = Error
	case d.Code == frontmatter.CodeRecovered && len(p.doc.Problems) > 1:
		sev = Info // the others say which values were to blame
	}
	p.issue(string(d.Code), sev, d.Line, d.Key, d.Message, d.Hint)
}

// choose picks the field that counts among those of one folded key: the last
// in canonical spelling, otherwise the last (01 §3, §4).
func (p *Parser) choose() {
	for i := range p.doc.Fields {
		f := &p.doc.Fields[i]
		id, exact := fieldOf(f.Key)
		if id == fieldUnknown {
			p.unknown(i)
			continue
		}
		if p.index[id] > 0 {
			p.twice[id] = true
			p.warn("duplicate-key", f, "the field "+id.key()+" is set more than once; the last one counts, in its usual spelling before others", "keep one of them")
		}
		if p.restricts(id, f) {
			p.strict[id] = true
		}
		if exact || !p.exact[id] {
			p.index[id], p.exact[id] = i+1, exact
		}
	}
}

// unknown keeps a field this package does not know; the last of one folded key
// counts.
func (p *Parser) unknown(i int) {
	f := &p.doc.Fields[i]
	for j := range i {
		if other := p.doc.Fields[j].Key; foldKey(other) == foldKey(f.Key) {
			p.warn("duplicate-key", f, "the field "+f.Key+" is set more than once; the last one counts", "keep one of them")
			delete(p.h.Extra, other)
			break
		}
	}
	if near := nearKey(f.Key); near != "" {
		p.issue("unknown-field", Warning, f.Line, f.Key, "there is no field "+f.Key, "did you mean "+near+"?")
	}
	p.extra(f.Key, f)
}

func (p *Parser) extra(key string, f *frontmatter.Field) {
	if p.h.Extra == nil {
		p.h.Extra = make(map[string]any)
	}
	p.h.Extra[key] = f.Value.Any(frontmatter.AsText)
}

func (p *Parser) convert() {
	for id := range numFields {
		if i := p.index[id]; i > 0 {
			p.set(id, &p.doc.Fields[i-1])
		}
	}
}

// set converts one field. One odd value costs that field, never the skill.
func (p *Parser) set(id fieldID, f *frontmatter.Field) {
	h := p.h
	switch id {
	case fieldName:
		p.setName(f)
	case fieldDescription:
		h.Description = p.prose(f)
	case fieldWhenToUse:
		h.WhenToUse = p.prose(f)
	case fieldAliases:
		h.Aliases = p.aliases(f)
	case fieldArgumentHint:
		h.ArgumentHint = p.hint(f)
	case fieldArguments:
		h.Arguments = p.arguments(f)
	case fieldPaths:
		p.setPaths(f)
	case fieldAllowedTools:
		if p.grants(id, f) {
			h.AllowedTools = p.tools(f)
		}
	case fieldDisallowedTools:
		h.DisallowedTools = p.tools(f)
	case fieldModel:
		h.Model = p.model(f)
	case fieldEffort:
		h.Effort = p.effort(f)
	case fieldContext:
		p.setContext(f)
	case fieldAgent:
		h.Agent = p.word(f)
	case fieldBackground:
		h.Background = p.background(f)
	case fieldShell:
		p.setShell(f)
	case fieldHooks:
		if p.grants(id, f) {
			h.Hooks = p.hooks(f)
		}
	case fieldDisableModel:
		h.DisableModelInvocation = p.strict[id]
	case fieldUserInvocable:
		h.DisableUserInvocation = p.strict[id]
	case fieldMetadata:
		if f.Value.Kind != frontmatter.Map {
			p.warn("bad-field", f, "metadata is not a map and was dropped", "write one key and value a line below it")
			return
		}
		p.extra(id.key(), f)
	default: // version, license, compatibility
		p.extra(id.key(), f)
	}
}

// grants reports whether a field that widens what the skill may do can be
// believed: not if it was guessed, or written twice (01 §4, 4).
func (p *Parser) grants(id fieldID, f *frontmatter.Field) bool {
	if !f.Value.Guessed && !p.twice[id] && !f.Value.Lost {
		return true
	}
	why := "its YAML is broken"
	if p.twice[id] {
		why = "it is set more than once"
	}
	p.warn("unsafe-field-dropped", f, id.key()+" was dropped, because "+why, "write it once, as valid YAML")
	return false
}

func (p *Parser) setName(f *frontmatter.Field) {
	if p.opts.Command {
		return // a command is named by its path (01 §5)
	}
	text := p.prose(f)
	if f.Value.Kind == frontmatter.Null {
		text = f.Value.Text // somebody called null
	}
	name := names.Normalize(strings.TrimSpace(text))
	if name == "" {
		return
	}
	if why := names.Check(name); why != "" {
		p.issue("bad-name", Error, f.Line, f.Key, "the name cannot be used: "+why,
			fmt.Sprintf("the skill is called %s after its folder; rename the field", p.opts.Name))
		return
	}
	p.h.Name = name
	if name != p.opts.Name && !p.opts.Labelled {
		p.issue("name-differs", Info, f.Line, f.Key,
			fmt.Sprintf("the name %q differs from the folder %q, by which the skill is invoked", name, p.opts.Name), "make them equal")
	}
}

// maxDescribed bounds a description that comes from the body, in characters:
// the largest cap that listings are known to use.
const maxDescribed = 1536

// describe fills in a missing description: the first paragraph of the body,
// or the name (01 §3).
func (p *Parser) describe(text []byte) {
	h := p.h
	if h.Description != "" && !p.doc.Incomplete {
		return
	}
	h.NeedsBody = true
	if h.Description == "" {
		h.Description = line.Cut(frontmatter.FirstParagraph(text[min(p.doc.Body, len(text)):]), maxDescribed)
	}
	if h.Description == "" {
		h.Description = cmp.Or(h.Name, p.opts.Name)
	}
}

// consistency reports what only the whole header shows.
func (p *Parser) consistency() {
	if !p.h.Fork {
		for _, id := range []fieldID{fieldAgent, fieldBackground} {
			if i := p.index[id]; i > 0 {
				p.warn("field-ignored", &p.doc.Fields[i-1], id.key()+" matters only with context: fork and was ignored", "add context: fork, or remove it")
			}
		}
		p.h.Agent, p.h.Background = "", nil
	}
	if p.h.DisableModelInvocation && p.h.DisableUserInvocation && !p.h.Degraded {
		p.warn("unreachable", &p.doc.Fields[p.index[fieldUserInvocable]-1], "neither the model nor the user may run the skill", "leave out one of the two flags")
	}
	for _, id := range []fieldID{fieldDescription, fieldWhenToUse} {
		if i := p.index[id]; i > 0 {
			p.hidden(&p.doc.Fields[i-1])
		}
	}
}

func (p *Parser) hidden(f *frontmatter.Field) {
	if r, _, found := line.Hidden(f.Value.Text); found {
		p.warn("hidden-unicode", f, fmt.Sprintf("the text holds the invisible character %U; it is removed where the model reads", r), "delete it")
	}
}
