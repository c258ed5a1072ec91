package frontmatter

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestFences(t *testing.T) {
	rows := []struct {
		name, in string
		state    State
		body     string
		line     int // of the body
		reason   string
	}{
		{name: "usual", in: "---\na: b\n---\nB\n", state: OK, body: "B\n", line: 4, reason: "01 R4"},
		{name: "empty file", in: "", state: None, body: "", line: 1, reason: "01 R5"},
		{name: "no fence", in: "# T\n\n---\na: b\n---\n", state: None, body: "# T\n\n---\na: b\n---\n", line: 1, reason: "01 R5, B12: a fence after other text is body"},
		{name: "empty header", in: "---\n---\nB", state: OK, body: "B", line: 3, reason: "01 R4; peers B 2.3: panics elsewhere"},
		{name: "blank header", in: "---\n\n  \n---\nB", state: OK, body: "B", line: 5, reason: "01 R4: null is a header without fields"},
		{name: "only comments", in: "---\n# c\n---\nB", state: OK, body: "B", line: 4, reason: "01 R4"},
		{name: "null", in: "---\nnull\n---\nB", state: OK, body: "B", line: 4, reason: "01 §4: an empty document has no fields"},
		{name: "closed at the end", in: "---\na: b\n---", state: OK, body: "", line: 3, reason: "peers 2a: file ends at the closing fence"},
		{name: "opened at the end", in: "---", state: Broken, body: "", line: 1, reason: "01 R6"},
		{name: "blanks behind fences", in: "--- \t\na: b\n---  \nB", state: OK, body: "B", line: 4, reason: "01 R4: right-trimmed; peers B 2.1"},
		{name: "blank lines before", in: "\n \t\n\n---\na: b\n---\nB", state: OK, body: "B", line: 7, reason: "01 R4, B12"},
		{name: "indented opening", in: " ---\na: b\n---\nB", state: None, body: " ---\na: b\n---\nB", line: 1, reason: "01 R4: at column 0"},
		{name: "long opening", in: "----\na: b\n----\n", state: None, body: "----\na: b\n----\n", line: 1, reason: "01 R4"},
		{name: "opening with text", in: "--- yaml\na: b\n---\n", state: None, body: "--- yaml\na: b\n---\n", line: 1, reason: "01 R4, R6"},
		{name: "rules in the body", in: "---\na: b\n---\nx\n\n---\n\ny: 1\n\n---\nz", state: OK, body: "x\n\n---\n\ny: 1\n\n---\nz", line: 4, reason: "01 R4, B10: byte for byte"},
		{name: "indented end", in: "---\na: |\n  x\n  ---\nb: c\n---\nB", state: OK, body: "B", line: 7, reason: "01 R4, R7, fm-03"},
		{name: "end within a value", in: "---\na: b --- c\n---\nB", state: OK, body: "B", line: 4, reason: "01 R4; peers B 2.3"},
		{name: "long end", in: "---\na: b\n----\n---\nB", state: Recovered, body: "B", line: 5, reason: "01 R4: ---- never closes"},
		{name: "dots", in: "---\na: b\n...\nc: d\n---\nB", state: Recovered, body: "B", line: 6, reason: "01 R4: ... never closes"},
		{name: "second document", in: "---\na: b\n--- c\n---\nB", state: Recovered, body: "B", line: 5, reason: "01 R4: --- with text never closes"},
		{name: "unclosed", in: "---\na: b\nB\n", state: Broken, body: "a: b\nB\n", line: 2, reason: "01 R6, fm-01"},
		{name: "indented end only", in: "---\na: b\n ---\nB", state: Broken, body: "a: b\n ---\nB", line: 2, reason: "01 R4, R6"},
		{name: "toml", in: "+++\na = 1\n+++\nB", state: None, body: "+++\na = 1\n+++\nB", line: 1, reason: "01 R6, fm-04"},
		{name: "json", in: "{\"a\": 1}\n\nB", state: None, body: "{\"a\": 1}\n\nB", line: 1, reason: "01 R6; bugs 3: swallowed elsewhere"},
		{name: "other fences", in: ";;;\n{}\n;;;\nB", state: None, body: ";;;\n{}\n;;;\nB", line: 1, reason: "01 R6; bugs 3"},
		{name: "crlf", in: "\uFEFF---\r\na: b\r\n---\r\nB\r\n", state: OK, body: "B\n", line: 4, reason: "01 R3, A01, A03"},
		{name: "cr", in: "---\ra: b\r---\rB\r", state: OK, body: "B\n", line: 4, reason: "01 R3, R7: CR only"},
	}
	for _, r := range rows {
		row(t, r.name, r.reason, func(t *testing.T) {
			text, _ := Decode([]byte(r.in), true)
			d := parse(t, r.in)
			assert.Equal(t, r.state, d.State)
			assert.Equal(t, r.body, string(text[d.Body:]))
			assert.Equal(t, r.line, d.BodyLine)
			assert.False(t, d.Incomplete)
			if r.state == OK || r.state == None {
				assert.Empty(t, d.Problems)
			} else {
				assert.NotEmpty(t, d.Problems)
			}
		})
	}
}

func TestIncomplete(t *testing.T) {
	long := strings.Repeat("x", defaultMaxBytes)
	rows := []struct {
		name, in string
		more     bool
		state    State
		reason   string
	}{
		{name: "nothing yet", in: "", more: true, state: None, reason: "01 R2: the fence may still come"},
		{name: "blank lines", in: "\n\n  ", more: true, state: None, reason: "01 R4"},
		{name: "one dash", in: "-", more: true, state: None, reason: "01 R4: may become a fence"},
		{name: "dashes", in: "\n--", more: true, state: None, reason: "01 R4"},
		{name: "unended opening", in: "---", more: true, state: Broken, reason: "01 R4: may become ----"},
		{name: "text", in: "x", more: false, state: None, reason: "01 R5: can never be a fence"},
		{name: "long dashes", in: "----", more: false, state: None, reason: "01 R4"},
		{name: "open", in: "---\na: b\n", more: true, state: Broken, reason: "01 R2"},
		{name: "unended end", in: "---\na: b\n---", more: true, state: Broken, reason: "01 R4: may become ----"},
		{name: "unended end, blanks", in: "---\na: b\n--- ", more: true, state: Broken, reason: "01 R4: may become --- x"},
		{name: "closed", in: "---\na: b\n---\n", more: false, state: OK, reason: "01 R2: the header is all there"},
		{name: "over the limit", in: "---\na: " + long, more: false, state: Broken, reason: "01 R1: no use in reading on"},
	}
	for _, r := range rows {
		row(t, r.name, r.reason, func(t *testing.T) {
			var d Document
			Parse([]byte(r.in), false, Limits{}, &d)
			assert.Equal(t, r.more, d.Incomplete)
			assert.Equal(t, r.state, d.State)
		})
	}
}
