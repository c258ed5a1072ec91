package mcpskills

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/seed-12b313d8/skills"
	"github.com/seed-12b313d8/skills/internal/names"
)

// maxParameters is how many parameters a prompt may declare.
const maxParameters = 64

// maxDescribed bounds a description, in characters: more than any listing
// shows.
const maxDescribed = 2_000

// A prompt is one of the server's, and the skill made of it.
type prompt struct {
	src   *source
	name  string   // of the skill
	def   Prompt   // as the server has it
	shown []string // the parameters' names, clean
}

// promptName returns what a prompt is called as a skill.
func promptName(server, name string) string {
	return names.Normalize("mcp__" + underscored(server) + "__" + underscored(name))
}

// underscored puts "_" for each blank.
func underscored(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsSpace(r) {
			return '_'
		}
		return r
	}, s)
}

// prompts loads what prompts/list offers.
func (s *source) prompts(ctx context.Context) part {
	list, err := call(ctx, s, "prompts/list", s.client.ListPrompts)
	if err != nil {
		return part{err: err}
	}
	var p part
	taken := make(map[string]string)
	p.tooMany(s, "prompts", len(list), s.opts.MaxPrompts)
	for _, def := range list[:min(len(list), s.opts.MaxPrompts)] {
		name := promptName(s.server, def.Name)
		if why := names.CheckQualified(name); why != "" {
			p.issue(s, "bad-name", severityError, name, fmt.Sprintf("the prompt %s cannot be offered: %s", short(def.Name), why), "rename it on the server")
			continue
		}
		if first, ok := taken[name]; ok {
			p.issue(s, "shadowed", severityWarning, name, fmt.Sprintf("the prompt %s is left out: %s has the same name", short(def.Name), short(first)), "rename one of them on the server")
			continue
		}
		pr, err := s.newPrompt(name, def)
		if err != nil {
			p.issue(s, skills.CodeInvalid, severityError, name, fmt.Sprintf("the prompt %s cannot be offered: %v", short(def.Name), err), "correct it on the server")
			continue
		}
		taken[name] = def.Name
		p.items = append(p.items, item{skill: pr.skill(), from: pr.def})
	}
	return p
}

// newPrompt checks the parameters of def.
func (s *source) newPrompt(name string, def Prompt) (*prompt, error) {
	def.Parameters = slices.Clone(def.Parameters)
	if n := len(def.Parameters); n > maxParameters {
		return nil, fmt.Errorf("it has %d parameters, and %d are the most", n, maxParameters)
	}
	p := &prompt{src: s, name: name, def: def}
	seen := make(map[string]bool)
	for i, par := range def.Parameters {
		shown := oneLine(par.Name, maxWord)
		switch {
		case shown == "":
			return nil, fmt.Errorf("parameter %d has no name", i+1)
		case seen[par.Name]:
			return nil, fmt.Errorf("two parameters are named %s", shown)
		}
		seen[par.Name] = true
		p.shown = append(p.shown, shown)
	}
	return p, nil
}

func (p *prompt) skill() *skills.Skill {
	about := p.def.Description
	if strings.TrimSpace(about) == "" {
		about = p.def.Title
	}
	if about = p.src.prose(about); about == "" {
		about = p.name
	}
	return &skills.Skill{
		Name: p.name, Description: about, ArgumentHint: p.hint(), Arguments: slices.Clone(p.shown),
		Mode: skills.ModeInline, Origin: p.src.info.Origin, Source: p.src.info.ID, Owner: p.src.info.Owner,
		DisableModelInvocation: p.src.opts.UserPrompts,
		Layout:                 "prompt", Content: skills.Content{Prompt: p.fill},
	}
}

// prose returns a description as it may be shown.
func (s *source) prose(text string) string {
	return cut(strings.TrimSpace(s.clean.text(cut(text, 2*maxDescribed))), maxDescribed)
}

// cut returns the first n characters of s.
func cut(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for i := range s {
		if n--; n < 0 {
			return s[:i]
		}
	}
	return s
}

// hint returns the parameters as a menu shows them: <required> [optional].
func (p *prompt) hint() string {
	words := make([]string, len(p.shown))
	for i, name := range p.shown {
		if p.def.Parameters[i].Required {
			words[i] = "<" + name + ">"
		} else {
			words[i] = "[" + name + "]"
		}
	}
	return strings.Join(words, " ")
}

// fill asks the server for the text.
func (p *prompt) fill(ctx context.Context, c skills.PromptContext) ([]skills.Block, error) {
	args, err := p.arguments(c.Words)
	if err != nil {
		return nil, err
	}
	blocks, err := call(ctx, p.src, "prompts/get", func(ctx context.Context) ([]skills.Block, error) {
		return p.src.client.GetPrompt(ctx, p.def.Name, args)
	})
	if err == nil {
		if blocks, err = p.src.blocks(blocks); err == nil {
			return blocks, nil
		}
	} else if ctx.Err() != nil {
		return nil, err
	}
	return nil, &skills.Error{Issue: skills.Issue{
		Code: skills.CodePrompt, Severity: severityError, Skill: p.name,
		Msg: "the MCP server did not give its text", Hint: "see the cause, and whether the server is there",
	}, Err: err}
}

// arguments gives the words to the parameters in order; the last one gets all
// that are left, with blanks between them.
func (p *prompt) arguments(words []string) (map[string]string, error) {
	pars := p.def.Parameters
	if len(pars) == 0 && len(words) > 0 {
		return nil, p.misused("it takes no arguments")
	}
	var missing []string
	args := make(map[string]string, len(pars))
	for i, par := range pars {
		switch {
		case i < len(words) && i == len(pars)-1:
			args[par.Name] = strings.Join(words[i:], " ")
		case i < len(words):
			args[par.Name] = words[i]
		case par.Required:
			missing = append(missing, p.shown[i])
		}
	}
	switch len(missing) {
	case 0:
		return args, nil
	case 1:
		return nil, p.misused("the required argument " + missing[0] + " is missing")
	}
	return nil, p.misused("the required arguments " + strings.Join(missing, ", ") + " are missing")
}

// misused returns the error of a call that the server is not even asked for.
func (p *prompt) misused(msg string) error {
	return &skills.Error{Issue: skills.Issue{
		Code: skills.CodeInvalid, Severity: severityError, Skill: p.name, Field: "arguments",
		Msg: msg, Hint: "usage: " + strings.TrimSpace("/"+p.name+" "+p.hint()),
	}}
}

// blocks returns what the server made, cleaned and within bounds.
func (s *source) blocks(in []skills.Block) ([]skills.Block, error) {
	if len(in) > s.opts.MaxBlocks {
		return nil, fmt.Errorf("it has %d blocks, limit %d", len(in), s.opts.MaxBlocks)
	}
	out := make([]skills.Block, 0, len(in))
	text, data := 0, 0
	for _, b := range in {
		if b.MIME == "" && len(b.Data) == 0 {
			text += utf8.RuneCountInString(b.Text)
			if text > s.opts.MaxText {
				return nil, fmt.Errorf("its text has more than %d characters", s.opts.MaxText)
			}
			out = append(out, skills.Block{Text: s.clean.text(b.Text)})
			continue
		}
		if data += len(b.Data); data > s.opts.MaxData {
			return nil, fmt.Errorf("its data has more than %d bytes", s.opts.MaxData)
		}
		mime := oneLine(b.MIME, maxWord)
		if mime == "" {
			mime = "application/octet-stream"
		}
		out = append(out, skills.Block{MIME: mime, Data: slices.Clone(b.Data)})
	}
	if len(out) == 0 {
		return nil, errors.New("the server returned no messages")
	}
	return out, nil
}
