package skills

import (
	"encoding/json"
	"strings"
)

const (
	defaultTool       = "Skill"
	defaultSearchTool = "SkillSearch"
	noTool            = "-"

	defaultHeader      = "These skills can be run with the {tool} tool:"
	defaultDeltaHeader = "The list of skills has changed. What is new, changed or gone:"
	defaultGone        = "- {name}: no longer available"
	defaultClosing     = "{n} more skills are not listed; search for them."

	defaultGuidance = "Skills are instructions for particular tasks. When the user writes /<name>, for example /commit, they mean the skill of that name. " +
		"Run a skill with the {tool} tool, and only one whose name you have been given by a listing or a search; never guess a name. " +
		"When a listed skill fits the task, run it before you begin. Commands that are built into this program are not skills."

	defaultToolText = "Runs a skill in this conversation.\n\n" +
		"Give the skill's name as it is listed, and its arguments if it takes any:\n" +
		"- skill: \"commit\" runs the skill commit\n" +
		"- skill: \"commit\", args: \"-m 'Fix the build'\" runs it with arguments\n" +
		"- skill: \"office:pdf\" names a skill by its full name\n\n" +
		"Call it before you answer when a listed skill fits the request. Do not call it for a skill that is running already, " +
		"nor for a name you have not been given."

	defaultSearchText = "Finds skills for a task, also ones that no listing has shown. Give a few words about the task; the answer has one skill a line, as \"name: description\"."
)

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
	p.ToolName, p.SearchName = orDefault(p.ToolName, defaultTool), orDefault(p.SearchName, defaultSearchTool)
	names := strings.NewReplacer("{tool}", p.ToolName, "{search}", p.SearchName)
	for text, def := range map[*string]string{
		&p.Guidance: defaultGuidance, &p.ToolText: defaultToolText, &p.SearchText: defaultSearchText,
		&p.Header: defaultHeader, &p.DeltaHeader: defaultDeltaHeader, &p.Gone: defaultGone, &p.Closing: defaultClosing, &p.NamesNote: "",
	} {
		*text = names.Replace(orDefault(*text, def))
	}
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
	skill = ToolSpec{
		Name: l.opts.ToolName, Description: l.opts.ToolText,
		InputSchema: json.RawMessage(`{"type":"object","properties":{` +
			`"skill":{"type":"string","description":"name of the skill, as listed"},` +
			`"args":{"type":"string","description":"arguments for the skill, as one text"}},` +
			`"required":["skill"],"additionalProperties":false}`),
	}
	search = ToolSpec{
		Name: l.opts.SearchName, Description: l.opts.SearchText,
		InputSchema: json.RawMessage(`{"type":"object","properties":{` +
			`"query":{"type":"string","description":"a few words about the task"},` +
			`"limit":{"type":"integer","description":"how many skills to return at most","minimum":1}},` +
			`"required":["query"],"additionalProperties":false}`),
	}
	return skill, search
}
