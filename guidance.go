package skills

import (
	"cmp"
	"encoding/json"

	"github.com/seed-12b313d8/skills/internal/guidance"
)

const noTool = "-"

// NewLister returns a Lister over s. A nil o means zero options; o is copied.
func NewLister(s *Session, o *ListerOptions) *Lister {
	l := &Lister{sess: s}
	if o != nil {
		l.opts = *o
	}
	p := &l.opts
	if p.Budget <= 0 {
		p.Budget = s.reg.loc.ListingBudget
	}
	if p.EntryCap <= 0 {
		p.EntryCap = defaultEntryCap
	}
	if !(p.CharsPerToken > 0) { // nor not a number
		p.CharsPerToken = defaultCharsPerToken
	}
	if !(p.Fraction > 0) {
		p.Fraction = defaultFraction
	}
	p.ToolName, p.SearchName = cmp.Or(p.ToolName, guidance.Tool), cmp.Or(p.SearchName, guidance.Search)
	guidance.Texts{
		Guidance: &p.Guidance, ToolText: &p.ToolText, SearchText: &p.SearchText,
		Header: &p.Header, DeltaHeader: &p.DeltaHeader, Gone: &p.Gone, Closing: &p.Closing, Note: &p.NamesNote,
	}.Fill(p.ToolName, p.SearchName)
	if p.Wrap == [2]string{} {
		p.Wrap = [2]string{"<system-reminder>\n", "</system-reminder>"}
	}
	l.out = l.renderer()
	return l
}

// Guidance returns the paragraph for the system prompt: "" while the model can
// call no skill, or if the host has no Skill tool. It names no skill.
func (l *Lister) Guidance() string {
	if l.opts.ToolName == noTool {
		return ""
	}
	for range l.sess.Skills(CallerModel) {
		return l.opts.Guidance
	}
	return ""
}

// A ToolSpec describes a tool to a model. InputSchema is a JSON schema.
type ToolSpec struct {
	// Name is the tool's name.
	Name string
	// Description tells the model when and how to call it.
	Description string
	// InputSchema is the JSON schema of the tool's input.
	InputSchema json.RawMessage
}

// Tools returns the Skill tool, whose input [ParseToolCall] reads, and the
// search tool, which [Session.SearchTool] answers.
func (l *Lister) Tools() (skill, search ToolSpec) {
	skill = ToolSpec{l.opts.ToolName, l.opts.ToolText, json.RawMessage(guidance.ToolSchema)}
	search = ToolSpec{l.opts.SearchName, l.opts.SearchText, json.RawMessage(guidance.SearchSchema)}
	return skill, search
}
