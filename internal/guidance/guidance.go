// Package guidance holds the stock texts that tell a model of skills and of the
// tools for them (02 §4). They name no skill and are plain text: "{tool}" and
// "{search}" in them stand for the names of the tools, "{name}" and "{n}" are
// left to listings.
package guidance

import (
	"cmp"
	"strings"
)

// The names of the tools if a host gives none.
const (
	Tool   = "Skill"
	Search = "SkillSearch"
)

// The JSON schemas of the tools' inputs.
const (
	ToolSchema = `{"type":"object","properties":{` +
		`"skill":{"type":"string","description":"name of the skill, as listed"},` +
		`"args":{"type":"string","description":"arguments for the skill, as one text"}},` +
		`"required":["skill"],"additionalProperties":false}`
	SearchSchema = `{"type":"object","properties":{` +
		`"query":{"type":"string","description":"a few words about the task"},` +
		`"limit":{"type":"integer","description":"how many skills to return at most","minimum":1}},` +
		`"required":["query"],"additionalProperties":false}`
)

const (
	header      = "These skills can be run with the {tool} tool:"
	deltaHeader = "The list of skills has changed. What is new, changed or gone:"
	gone        = "- {name}: no longer available"
	closing     = "{n} more skills are not listed; search for them."

	stock = "Skills are instructions for particular tasks. When the user writes /<name>, for example /commit, they mean the skill of that name. " +
		"Run a skill with the {tool} tool, and only one whose name you have been given by a listing or a search; never guess a name. " +
		"When a listed skill fits the task, run it before you begin. Commands that are built into this program are not skills."

	toolText = "Runs a skill in this conversation.\n\n" +
		"Give the skill's name as it is listed, and its arguments if it takes any:\n" +
		"- skill: \"commit\" runs the skill commit\n" +
		"- skill: \"commit\", args: \"-m 'Fix the build'\" runs it with arguments\n" +
		"- skill: \"office:pdf\" names a skill by its full name\n\n" +
		"Call it before you answer when a listed skill fits the request. Do not call it for a skill that is running already, " +
		"nor for a name you have not been given."

	searchText = "Finds skills for a task, also ones that no listing has shown. Give a few words about the task; the answer has one skill a line, as \"name: description\"."
)

// Texts point to the texts of a host. All are set.
type Texts struct {
	Guidance, ToolText, SearchText           *string // for the system prompt and the tools
	Header, DeltaHeader, Gone, Closing, Note *string // of listings; Note is the only one without a stock text
}

// Fill puts the stock text where the host gave none, and the names of the tools
// into all.
func (t Texts) Fill(tool, search string) {
	names := strings.NewReplacer("{tool}", tool, "{search}", search)
	for text, def := range map[*string]string{
		t.Guidance: stock, t.ToolText: toolText, t.SearchText: searchText,
		t.Header: header, t.DeltaHeader: deltaHeader, t.Gone: gone, t.Closing: closing, t.Note: "",
	} {
		*text = names.Replace(cmp.Or(*text, def))
	}
}
