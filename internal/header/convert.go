package header

import (
	"slices"
	"strconv"
	"strings"

	"github.com/seed-12b313d8/skills/internal/frontmatter"
	"github.com/seed-12b313d8/skills/internal/gitignore"
	"github.com/seed-12b313d8/skills/internal/names"
)

// prose returns text: a scalar, or a list joined by commas. Anything else is
// absent (01 §3).
func (p *Parser) prose(f *frontmatter.Field) string {
	switch f.Value.Kind {
	case frontmatter.Scalar:
		return strings.TrimSpace(f.Value.Text)
	case frontmatter.List:
		p.warn("bad-field", f, f.Key+" is a list; its items were joined", "write one text, in quotes if it holds brackets")
		return strings.Join(p.items(f), ", ")
	case frontmatter.Map:
		p.warn("bad-field", f, f.Key+" is a map and was ignored", "write one text")
	}
	return ""
}

// word returns a scalar without blanks around it.
func (p *Parser) word(f *frontmatter.Field) string {
	switch f.Value.Kind {
	case frontmatter.Scalar:
		return strings.TrimSpace(f.Value.Text)
	case frontmatter.Null:
		return ""
	}
	p.warn("bad-field", f, f.Key+" is not a single value and was ignored", "write one word")
	return ""
}

// items returns the texts of a list's scalars; blank ones are dropped, and
// lists and maps in it are reported.
func (p *Parser) items(f *frontmatter.Field) []string {
	var out []string
	for i := range f.Value.Items {
		v := &f.Value.Items[i]
		switch v.Kind {
		case frontmatter.Scalar:
			if t := strings.TrimSpace(v.Text); t != "" {
				out = append(out, t)
			}
		case frontmatter.List, frontmatter.Map:
			p.issue("bad-field", Warning, v.Line, f.Key, "an item of "+f.Key+" is not text and was dropped", "write one text an item, in quotes if it holds brackets")
		}
	}
	return out
}

// list returns the items of a list, or what split makes of a scalar.
func (p *Parser) list(f *frontmatter.Field, split func(string) []string) []string {
	switch f.Value.Kind {
	case frontmatter.Scalar:
		return split(f.Value.Text)
	case frontmatter.List:
		return p.items(f)
	case frontmatter.Map:
		p.warn("bad-field", f, f.Key+" is a map and was ignored", "write a list")
	}
	return nil
}

func (p *Parser) aliases(f *frontmatter.Field) []string {
	var out []string
	for _, a := range p.list(f, splitCommas) {
		a = names.Normalize(strings.TrimPrefix(a, "/"))
		if why := names.CheckQualified(a); why != "" {
			p.issue("bad-name", Warning, f.Line, f.Key, "the alias "+strconv.Quote(a)+" cannot be used: "+why, "rename or remove it")
			continue
		}
		if !slices.Contains(out, a) {
			out = append(out, a)
		}
	}
	return out
}

func splitCommas(s string) []string {
	var out []string
	for part := range strings.SplitSeq(s, ",") {
		if part = strings.TrimSpace(part); part != "" {
			out = append(out, part)
		}
	}
	return out
}

// hint returns the argument hint as its author typed it: most unquoted hints
// are no YAML strings.
func (p *Parser) hint(f *frontmatter.Field) string {
	if f.Value.Kind == frontmatter.List && !f.Value.Flow {
		return strings.Join(p.items(f), " ")
	}
	return strings.TrimSpace(p.doc.Raw(*f))
}

func (p *Parser) arguments(f *frontmatter.Field) []string {
	return slices.DeleteFunc(p.list(f, strings.Fields), func(a string) bool {
		_, err := strconv.Atoi(a)
		return err == nil // $1 is a position, not a name
	})
}

func (p *Parser) setPaths(f *frontmatter.Field) {
	if p.opts.Command {
		return // commands are never conditional (01 §5)
	}
	p.h.Paths = p.list(f, gitignore.SplitList)
	if len(p.h.Paths) == 0 {
		return
	}
	for _, pr := range gitignore.Compile(p.h.Paths, gitignore.Options{}).Problems() {
		p.issue(pr.Code, Warning, f.Line, f.Key, strconv.Quote(pr.Pattern)+": "+pr.Msg, "fix the pattern; the others still work")
	}
}

// tools splits a list of tool rules: at commas and blanks that stand outside
// brackets and quotes. The rules are kept as written.
func (p *Parser) tools(f *frontmatter.Field) []string {
	var out []string
	for _, item := range p.list(f, func(s string) []string { return []string{s} }) {
		out = append(out, splitTools(item)...)
	}
	for _, rule := range out {
		if strings.Count(rule, "(") != strings.Count(rule, ")") {
			p.warn("bad-tool-rule", f, "the tool rule "+strconv.Quote(rule)+" has a parenthesis without a partner", "close it, or remove it")
		}
	}
	return out
}

func splitTools(s string) []string {
	var out []string
	depth, quote, start := 0, byte(0), 0
	flush := func(end int) {
		if t := strings.TrimSpace(s[start:end]); t != "" {
			out = append(out, t)
		}
		start = end + 1
	}
	for i := range len(s) {
		switch c := s[i]; {
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case c == '"' || c == '\'':
			if strings.IndexByte(s[i+1:], c) >= 0 { // an apostrophe alone quotes nothing
				quote = c
			}
		case c == '(' || c == '[':
			depth++
		case c == ')' || c == ']':
			depth = max(0, depth-1)
		case depth == 0 && (c == ',' || c == ' ' || c == '\t' || c == '\n'):
			flush(i)
		}
	}
	if start < len(s) {
		flush(len(s))
	}
	return out
}

func (p *Parser) model(f *frontmatter.Field) string {
	m := p.word(f)
	if m == "inherit" {
		return ""
	}
	return m
}

func (p *Parser) effort(f *frontmatter.Field) string {
	e := strings.ToLower(p.word(f))
	switch e {
	case "", "low", "medium", "high", "xhigh", "max":
		return e
	}
	if _, err := strconv.Atoi(e); err == nil && p.opts.NumericEffort {
		return e
	}
	p.warn("bad-field", f, "the effort "+strconv.Quote(e)+" is unknown and was ignored", "use low, medium, high, xhigh or max")
	return ""
}

func (p *Parser) setContext(f *frontmatter.Field) {
	c := strings.ToLower(strings.TrimSpace(f.Value.Text))
	switch {
	case f.Value.Kind == frontmatter.Scalar && c == "fork":
		p.h.Fork = true
	case f.Value.Kind == frontmatter.Null || c == "inline":
	default: // most values in the wild mean something else
		p.issue("bad-field", Info, f.Line, f.Key, "context is neither fork nor inline; the skill runs inline", "use fork or inline")
	}
}

func (p *Parser) background(f *frontmatter.Field) *bool {
	b, ok := parseBool(f.Value)
	if !ok {
		p.warn("bad-field", f, "background is neither true nor false and was ignored", "write true or false")
		return nil
	}
	return &b
}

func (p *Parser) setShell(f *frontmatter.Field) {
	p.h.Shell = strings.ToLower(p.word(f))
	switch p.h.Shell {
	case "", "bash", "powershell":
	default:
		p.warn("unknown-shell", f, "the shell "+strconv.Quote(p.h.Shell)+" is unknown; the skill's commands will not run", "use bash or powershell")
	}
}

// hooks keeps the event map verbatim; it must map events to lists.
func (p *Parser) hooks(f *frontmatter.Field) map[string]any {
	ok := f.Value.Kind == frontmatter.Map
	for i := range f.Value.Fields {
		ok = ok && f.Value.Fields[i].Value.Kind == frontmatter.List
	}
	if !ok {
		p.warn("bad-field", f, "hooks do not map events to lists and were dropped", "write a list of matchers below each event")
		return nil
	}
	m, _ := f.Value.Any(frontmatter.AsJSON).(map[string]any)
	return m
}

// restricts reports whether f is one of the two visibility flags and has the
// restricting value. Anything that is no boolean restricts (01 §3).
func (p *Parser) restricts(id fieldID, f *frontmatter.Field) bool {
	if id != fieldDisableModel && id != fieldUserInvocable {
		return false
	}
	b, ok := parseBool(f.Value)
	if !ok {
		p.warn("bad-boolean", f, f.Key+" is neither true nor false; it counts as the stricter of the two", "write true or false")
		return true
	}
	return b == (id == fieldDisableModel)
}

// parseBool reads true, false, yes, no, on, off, 1 and 0 in any case, quoted
// or not.
func parseBool(v frontmatter.Value) (b, ok bool) {
	if v.Kind != frontmatter.Scalar {
		return false, false
	}
	switch strings.ToLower(strings.TrimSpace(v.Text)) {
	case "true", "yes", "on", "1":
		return true, true
	case "false", "no", "off", "0":
		return false, true
	}
	return false, false
}
