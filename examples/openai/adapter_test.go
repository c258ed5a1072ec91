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

// all returns everything that the messages of a request say, but the system's.
func all(q request) string {
	text, _ := json.Marshal(q.Messages[1:])
	return string(text)
}

// result returns the only new message of a request, which answers a tool call.
func result(t *testing.T, q request) string {
	t.Helper()
	require.Len(t, q.news(), 1)
	require.Equal(t, "tool", q.news()[0].Role)
	return string(q.news()[0].Content)
}

func TestListing(t *testing.T) {
	q, answer := say(t, []reply{{text: "hello"}, {tool: "Read", input: `{"file_path": "a_test.go"}`}, {text: "bye"}}, "hi", "read it")
	assert.Equal(t, "bye", answer)

	first := q[0].news()
	assert.Equal(t, content("hi"), first[0].Content)
	assert.Equal(t, "user", first[1].Role)
	assert.True(t, strings.HasPrefix(string(first[1].Content), "<system-reminder>"), "(02) the listing is a message of the user's side")
	assert.Contains(t, first[1].Content, "- commit: Commit the staged changes")
	assert.NotContains(t, all(q[0]), "go-tests", "(03 A1) it is locked")
	assert.Len(t, q[1].news(), 1, "(02 §4) what was told is not told again")

	after := q[2].news()
	assert.Equal(t, "tool", after[0].Role, "results come first after a call")
	assert.Contains(t, after[1].Content, "- go-tests: Write table tests", "(03 §2) the tool has touched a test")
	assert.NotContains(t, after[1].Content, "commit")
	assert.Equal(t, q[0].Messages, q[2].Messages[:len(q[0].Messages)], "what stands at the front stays cached")
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
	q := model.requests()[0]
	got := q.Tools[0].Function
	assert.Equal(t, want.Name, got.Name)
	assert.Equal(t, want.Description, got.Description)
	assert.JSONEq(t, string(want.InputSchema), string(got.Parameters), "nothing of the schema is lost")
	assert.Equal(t, "system", q.Messages[0].Role)
	assert.Contains(t, q.Messages[0].Content, "You work on the project.")
	assert.Contains(t, q.Messages[0].Content, want.Name, "(02 §6) the guidance names the tool")
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

	assert.Equal(t, "error: the user said no", result(t, q[1]), "without the skill the user is asked")
	assert.Contains(t, result(t, q[2]), `commit with the subject: Fix "paging"`, "(04 §2) the result is the skill's text")
	assert.Equal(t, "call-1", q[2].news()[0].ToolCallID)
	assert.Equal(t, "small", q[1].Model)
	for _, i := range []int{2, 3} {
		assert.Equal(t, "large", q[i].Model, "(04 §6) the skill's model")
		assert.Equal(t, "high", q[i].Effort)
	}
	assert.Contains(t, result(t, q[3]), "skill grants Bash(git commit *)")
	assert.Equal(t, "small", q[4].Model, "the next message of the user ends it")
	assert.Empty(t, q[4].Effort)
	assert.Equal(t, "error: the user said no", result(t, q[5]), "and the grant with it")
}

func TestFork(t *testing.T) {
	q, _ := say(t, []reply{
		{tool: "Skill", input: `{"skill": "review", "args": "paging"}`},
		{tool: "Read", input: `{"file_path": "a_test.go"}`}, // the sub-agent's
		{text: "Two findings."},                             // its last word
		{text: "done"},
	}, "the parent's words")

	sub := q[1]
	require.Len(t, sub.Messages, 3)
	assert.Contains(t, sub.Messages[0].Content, "You review changes")
	assert.Contains(t, sub.Messages[1].Content, "Review the change about paging.")
	assert.Contains(t, sub.Messages[2].Content, "- commit:", "(02 §4) a sub-agent has a listing of its own")
	assert.NotContains(t, all(sub), "the parent's words", "(04 §6) it does not see the conversation")
	assert.Equal(t, "low", sub.Effort)
	for _, tool := range sub.Tools {
		assert.NotEqual(t, "Bash", tool.Function.Name, "the skill gives it up")
	}
	assert.Contains(t, all(q[2]), "go-tests")

	assert.Contains(t, result(t, q[3]), "The skill review ran in a sub-agent")
	assert.Contains(t, result(t, q[3]), "Two findings.")
	assert.NotContains(t, all(q[3]), "Review the change about", "(04 §6) only the summary comes back")
	assert.NotContains(t, all(q[3]), "go-tests", "the parent has touched nothing")
	assert.Empty(t, q[3].Effort)
	assert.Len(t, q[3].Tools, 4)
}

func TestRefusals(t *testing.T) {
	for _, test := range []struct{ reason, tool, input, want string }{
		{"(04 §1) an unknown skill, with near names", "Skill", `{"skill": "comit"}`, "commit"},
		{"input without a skill", "Skill", `{"name": "commit"}`, "skill"},
		{"input that is no JSON", "Skill", `{"skill": `, "skill"},
		{"a tool that does not exist", "Fly", `{}`, `no tool "Fly"`},
		{"the search tool", "SkillSearch", `{"query": "review"}`, "review: Review a change"},
	} {
		q, _ := say(t, []reply{{tool: test.tool, input: test.input}, {text: "done"}}, "hi")
		assert.Contains(t, result(t, q[1]), test.want, test.reason)
	}
}

// A sub-agent that fails is a result, and an API that fails an error.
func TestFailures(t *testing.T) {
	ctx, model := t.Context(), &script{replies: []reply{{tool: "Skill", input: `{"skill": "review"}`}}}
	err := withAgent(ctx, t.TempDir(), model, func(a *Agent) error {
		_, err := a.Say(ctx, "hi")
		return err
	})
	require.ErrorContains(t, err, "400", "the script has ended")
	require.Len(t, model.requests(), 3, "the sub-agent's, and the one that tells of its failure")
	assert.Contains(t, result(t, model.requests()[2]), "the sub-agent failed")

	ended, cancel := context.WithCancel(ctx)
	cancel()
	err = withAgent(ctx, t.TempDir(), &script{}, func(a *Agent) error {
		_, err := a.Say(ended, "hi")
		return err
	})
	assert.ErrorIs(t, err, context.Canceled)
}

func TestContentParts(t *testing.T) {
	blocks := []skills.Block{{Text: "a"}, {MIME: "image/png", Data: []byte{1, 2}}, {MIME: "audio/wav", Data: []byte{1, 2}}}
	got, err := json.Marshal(contentParts(blocks))
	require.NoError(t, err)
	assert.JSONEq(t, `[
		{"type": "text", "text": "a"},
		{"type": "image_url", "image_url": {"url": "data:image/png;base64,AQI="}},
		{"type": "text", "text": "[audio/wav, 2 bytes, left out]"}
	]`, string(got))
	assert.Equal(t, blocks[1:], withoutText(blocks))
	hidden := &skills.Error{Issue: skills.Issue{Code: skills.CodeNotFound, Msg: "nothing", Path: "/secret"}, Err: context.Canceled}
	assert.Equal(t, hidden.ForModel(), forModel(hidden), "no path and no cause")
}
