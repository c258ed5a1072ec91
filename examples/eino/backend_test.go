package main

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

// An agent with eino's own middleware gets the text of a skill of ours.
func TestBackend(t *testing.T) {
	q := play(t, eino, reply{tool: "skill", input: `{"skill": "commit"}`}, reply{text: "done"})
	var listed string
	for _, info := range q[0].tools {
		if info.Name == "skill" {
			listed = info.Desc
		}
	}
	assert.Contains(t, listed, "Commit the staged changes with a message in the style of this project")
	assert.Contains(t, listed, "review")
	assert.NotContains(t, listed, "go-tests", "(03 A1) it is locked")

	got := q[1].news()[0].Content
	assert.Contains(t, got, "Read the staged diff, then commit with the subject:", "(04 §2)")
	assert.Equal(t, 1, strings.Count(got, "Base directory for this skill:"), "eino writes it too")
	assert.NotContains(t, got, "description:", "(04 §2) without the frontmatter")
	assert.Equal(t, "large", q[1].model, "(04 §6) the skill's model counts here too")
}

func TestBackendFork(t *testing.T) {
	q := play(t, eino, reply{tool: "skill", input: `{"skill": "review"}`}, reply{text: "Two findings."}, reply{text: "done"})
	assert.Contains(t, all(q[1]), "Review the change about")
	assert.NotContains(t, all(q[1]), "the user's words")
	assert.Contains(t, q[2].news()[0].Content, "Two findings.")
	assert.NotContains(t, all(q[2]), "Review the change about")
}
