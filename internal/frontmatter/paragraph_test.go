package frontmatter

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestFirstParagraph(t *testing.T) {
	rows := []struct{ name, body, want, reason string }{
		{"heading", "# T\n\nFirst prose.\n", "First prose.", "B16"},
		{"lines", "\n  one \n two\n\nthree", "one two", "01 §3: joined by blanks"},
		{"only a heading", "\n## T x ##\n\n### U\n", "T x", "01 §3: heading marks stripped"},
		{"marks within", "# C# and #1 #\n", "C# and #1", "only marks around the text are stripped"},
		{"heading of marks", "##\n# ##\n", "", "no text at all"},
		{"underlined", "T\n===\n\nProse.\n", "Prose.", "a heading too"},
		{"only underlined", "T\n---\n", "T", "a heading too"},
		{"nothing", " \n\n", "", "01 §3: no prose"},
		{"empty", "", "", "01 §3: no prose"},
		{"comment", "<!-- a\n\nb --> \nProse.", "Prose.", "an HTML comment is no prose"},
		{"comment before text", "<!-- a --> Prose.\n<!-- b -->more", "Prose.", "what follows it is"},
		{"short comment", "<!--> x -->y", "y", "the end mark does not overlap the start"},
		{"open comment", "<!-- a\n\nProse.", "", "as browsers read it"},
		{"code", "```go\n# x\n\n````\n\nProse.", "Prose.", "fenced code is no prose"},
		{"longer code", "````\n```\nx\n````\nProse.", "Prose.", "a shorter fence does not close"},
		{"tildes", "~~~ ```\n```\n~~~\nProse.", "Prose.", "fenced code is no prose"},
		{"open code", "```\nx\n", "", "it goes on to the end"},
		{"code within prose", "```x``` is prose\n", "```x``` is prose", "closed on its line"},
		{"rules", "---\n* * *\n___\nProse.\n", "Prose.", "rules are no prose"},
		{"ends at a rule", "one\ntwo\n---\nthree", "one two", "a paragraph ends at a rule"},
		{"ends at a heading", "one\n# two", "one", "a paragraph ends at a heading"},
		{"ends at code", "one\n```\ntwo\n```", "one", "a paragraph ends at code"},
		{"ends at a comment", "one\n<!-- two -->", "one", "a paragraph ends at a comment"},
		{"tag", "#tag is prose", "#tag is prose", "no blank behind the mark"},
		{"seven marks", "####### x", "####### x", "headings go down to six"},
		{"quotation", "> one\n>\n> two", "one two", "a quotation is prose"},
		{"list", "- one\n- two\n\nthree", "- one - two", "a list is better than nothing"},
		{"emphasis", "**one** two", "**one** two", "text is left as it is"},
		{"unicode", "# 題\n\n説明。", "説明。", "any script"},
	}
	for _, r := range rows {
		row(t, r.name, r.reason, func(t *testing.T) {
			body := []byte(r.body)
			got := FirstParagraph(body)
			assert.Equal(t, r.want, got)
			clear(body)
			assert.Equal(t, r.want, got, "the result shares memory with the body")
		})
	}
}
