package main

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/seed-12b313d8/skills"
)

// say has a conversation of the texts, in which the model gives the replies,
// and returns the requests and the last answer.
func say(t *testing.T, replies []reply, texts ...string) ([]request, string) {
	t.Helper()
	model := &script{replies: replies}
	var answer string
	require.NoError(t, withAgent(t.Context(), t.TempDir(), model, func(a *Agent) (err error) {
		for _, text := range texts {
			if answer, err = a.Say(t.Context(), text); err != nil {
				return err
			}
		}
		return nil
	}))
	require.Len(t, model.requests(), len(replies), "every reply was asked for")
	return model.requests(), answer
}

// last returns the blocks of the last message, which must be the user's.
func last(t *testing.T, q request) []block {
	t.Helper()
	m := q.Messages[len(q.Messages)-1]
	require.Equal(t, "user", m.Role)
	return m.Content
}

// all returns everything that the messages of a request say.
func all(q request) string {
	text, _ := json.Marshal(q.Messages)
	return string(text)
}

func TestListing(t *testing.T) {
	q, answer := say(t, []reply{{text: "hello"}, {tool: "Read", input: `{"file_path": "a_test.go"}`}, {text: "bye"}}, "hi", "read it")
	assert.Equal(t, "bye", answer)

	first := last(t, q[0])
	assert.Equal(t, "hi", first[0].Text)
	assert.True(t, strings.HasPrefix(first[1].Text, "<system-reminder>"), "(02) the listing is a block of the user's message")
	assert.Contains(t, first[1].Text, "- commit: Commit the staged changes")
	assert.NotContains(t, all(q[0]), "go-tests", "(03 A1) it is locked")
	assert.Len(t, last(t, q[1]), 1, "(02 §4) what was told is not told again")

	after := last(t, q[2])
	assert.Equal(t, "tool_result", after[0].Type, "results come first in a message")
	assert.Contains(t, after[1].Text, "- go-tests: Write table tests", "(03 §2) the tool has touched a test")
	assert.NotContains(t, after[1].Text, "commit")
	assert.Equal(t, q[0].System, q[2].System, "what stands at the front stays cached")
	assert.Equal(t, q[0].Tools, q[2].Tools)
}

func TestToolDefinition(t *testing.T) {
	model := &script{replies: []reply{{text: "hello"}}}
	var want skills.ToolSpec
	require.NoError(t, withAgent(t.Context(), t.TempDir(), model, func(a *Agent) error {
		want, _ = a.lister.Tools()
		_, err := a.Say(t.Context(), "hi")
		return err
	}))
	q := model.requests()
	got := q[0].Tools[0]
	assert.Equal(t, want.Name, got.Name)
	assert.Equal(t, want.Description, got.Description)
	assert.JSONEq(t, string(want.InputSchema), string(got.InputSchema), "nothing of the schema is lost")
	assert.Contains(t, q[0].System[0].Text, "You work on the project.")
	assert.Contains(t, q[0].System[0].Text, want.Name, "(02 §6) the guidance names the tool")
}

func TestInline(t *testing.T) {
	q, _ := say(t, []reply{
		{tool: "Bash", input: `{"command": "git commit -m x"}`},
		{tool: "Skill", input: `{"skill": "commit", "args": "Fix \"paging\""}`},
		{tool: "Bash", input: `{"command": "git commit -m x"}`},
		{text: "done"},
		{tool: "Bash", input: `{"command": "git commit -m x"}`},
		{text: "done"},
	}, "commit", "again")

	assert.True(t, last(t, q[1])[0].IsError, "without the skill the user is asked")
	r := last(t, q[2])[0]
	assert.Equal(t, "call-1", r.ToolUseID)
	assert.False(t, r.IsError)
	assert.Contains(t, r.text(), `commit with the subject: Fix "paging"`, "(04 §2) the result is the skill's text")
	assert.Equal(t, "claude-sonnet-5", q[1].Model)
	for _, i := range []int{2, 3} {
		assert.Equal(t, "claude-opus-5-5", q[i].Model, "(04 §6) the skill's model")
		assert.Equal(t, "high", q[i].OutputConfig.Effort)
	}
	assert.Contains(t, last(t, q[3])[0].text(), "skill grants Bash(git commit *)")
	assert.Equal(t, "claude-sonnet-5", q[4].Model, "the next message of the user ends it")
	assert.Empty(t, q[4].OutputConfig.Effort)
	assert.True(t, last(t, q[5])[0].IsError, "and the grant with it")
}

func TestFork(t *testing.T) {
	q, _ := say(t, []reply{
		{tool: "Skill", input: `{"skill": "review", "args": "paging"}`},
		{tool: "Read", input: `{"file_path": "a_test.go"}`}, // the sub-agent's
		{text: "Two findings."},                             // its last word
		{text: "done"},
	}, "the parent's words")

	sub := q[1]
	require.Len(t, sub.Messages, 1)
	assert.Contains(t, sub.Messages[0].Content[0].Text, "Review the change about paging.")
	assert.Contains(t, sub.Messages[0].Content[1].Text, "- commit:", "(02 §4) a sub-agent has a listing of its own")
	assert.NotContains(t, all(sub), "the parent's words", "(04 §6) it does not see the conversation")
	assert.Equal(t, "low", sub.OutputConfig.Effort)
	assert.Contains(t, sub.System[0].Text, "You review changes")
	for _, tool := range sub.Tools {
		assert.NotEqual(t, "Bash", tool.Name, "the skill gives it up")
	}
	assert.Contains(t, all(q[2]), "go-tests")

	back := last(t, q[3])
	assert.Contains(t, back[0].text(), "The skill review ran in a sub-agent")
	assert.Contains(t, back[0].text(), "Two findings.")
	assert.NotContains(t, all(q[3]), "Review the change about", "(04 §6) only the summary comes back")
	assert.NotContains(t, all(q[3]), "go-tests", "the parent has touched nothing")
	assert.Empty(t, q[3].OutputConfig.Effort)
	assert.Len(t, q[3].Tools, 4)
}

func TestRefusals(t *testing.T) {
	for _, test := range []struct{ reason, tool, input, want string }{
		{"(04 §1) an unknown skill, with near names", "Skill", `{"skill": "comit"}`, "commit"},
		{"input without a skill", "Skill", `{"name": "commit"}`, "skill"},
		{"a tool that does not exist", "Fly", `{}`, `no tool "Fly"`},
	} {
		q, _ := say(t, []reply{{tool: test.tool, input: test.input}, {text: "done"}}, "hi")
		r := last(t, q[1])[0]
		assert.True(t, r.IsError, test.reason)
		assert.Contains(t, r.text(), test.want, test.reason)
	}
	q, _ := say(t, []reply{{tool: "SkillSearch", input: `{"query": "review"}`}, {text: "done"}}, "hi")
	assert.Contains(t, last(t, q[1])[0].text(), "review: Review a change")
}

// A sub-agent that fails is a result, and an API that fails an error.
func TestFailures(t *testing.T) {
	ctx, model := t.Context(), &script{replies: []reply{{tool: "Skill", input: `{"skill": "review"}`}}}
	err := withAgent(ctx, t.TempDir(), model, func(a *Agent) error {
		_, err := a.Say(ctx, "hi")
		return err
	})
	require.ErrorContains(t, err, "the script has ended")
	require.Len(t, model.requests(), 3, "the sub-agent's, and the one that tells of its failure")
	assert.Contains(t, last(t, model.requests()[2])[0].text(), "the sub-agent failed")

	ended, cancel := context.WithCancel(ctx)
	cancel()
	err = withAgent(ctx, t.TempDir(), &script{}, func(a *Agent) error {
		_, err := a.Say(ended, "hi")
		return err
	})
	assert.ErrorIs(t, err, context.Canceled)
}
