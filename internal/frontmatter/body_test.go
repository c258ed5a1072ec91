package frontmatter_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/seed-12b313d8/skills/internal/frontmatter"
)

func TestBody(t *testing.T) {
	tests := []struct {
		reason, doc, text string
		above             int
	}{
		{"no frontmatter", "text\n", "text\n", 0},
		{"frontmatter", "---\na: b\n---\ntext\n", "text\n", 3},
		{"01 R4: line ends of other systems", "---\r\na: b\r\n---\r\none\rtwo", "one\ntwo", 3},
		{"nothing below it", "---\na: b\n---\n", "", 3},
		{"nothing", "", "", 0},
	}
	for _, tt := range tests {
		text, above := frontmatter.Body([]byte(tt.doc))
		assert.Equal(t, tt.text, text, tt.reason)
		assert.Equal(t, tt.above, above, tt.reason)
	}
}
