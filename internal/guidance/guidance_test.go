package guidance_test

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/seed-12b313d8/skills/internal/guidance"
)

func TestFill(t *testing.T) {
	var own [8]string
	own[3], own[7] = "Ask {tool}, {search} or {name}.", "Only names; {search}."
	guidance.Texts{
		Guidance: &own[0], ToolText: &own[1], SearchText: &own[2],
		Header: &own[3], DeltaHeader: &own[4], Gone: &own[5], Closing: &own[6], Note: &own[7],
	}.Fill("Run", "Find")
	assert.Equal(t, "Ask Run, Find or {name}.", own[3], "a host's text stays, with the names of the tools")
	assert.Equal(t, "Only names; Find.", own[7])
	assert.Contains(t, own[0], "with the Run tool", "02 §4")
	assert.Contains(t, own[5], "{name}", "for the listing to fill in")
	for i, text := range own {
		assert.NotEmpty(t, text, i)
		assert.NotContains(t, text, "{tool}")
		assert.NotContains(t, text, "{search}")
	}
	assert.True(t, json.Valid([]byte(guidance.ToolSchema)))
	assert.True(t, json.Valid([]byte(guidance.SearchSchema)))
}
