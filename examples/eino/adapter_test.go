package main

import (
	"context"
	"encoding/json"
	"testing"

	"github.com/cloudwego/eino/adk"
	"github.com/cloudwego/eino/schema"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/seed-12b313d8/skills"
)

// play asks an agent a question, to which the model gives the replies, and
// returns the requests.
func play(t *testing.T, w way, replies ...reply) []request {
	t.Helper()
	model := &script{replies: replies}
	require.NoError(t, ask(t.Context(), t.TempDir(), model, "the user's words", w))
	require.Len(t, model.requests(), len(replies), "every reply was asked for")
	return model.requests()
}

// all returns everything that the messages of a request say, but the system's.
func all(q request) string {
	text, _ := json.Marshal(q.messages[1:])
	return string(text)
}

func TestListing(t *testing.T) {
	q := play(t, ours, reply{tool: "Read", input: `{"file_path": "a_test.go"}`}, reply{text: "done"})
	first := q[0].news()
	require.Len(t, first, 2)
	assert.Equal(t, "the user's words", first[0].Content)
	assert.Equal(t, schema.User, first[1].Role, "(02) the listing is a message of the user's side")
	assert.Contains(t, first[1].Content, "- commit: Commit the staged changes")
	assert.NotContains(t, all(q[0]), "go-tests", "(03 A1) it is locked")

	after := q[1].news()
	require.Len(t, after, 2)
	assert.Equal(t, schema.Tool, after[0].Role)
	assert.Contains(t, after[1].Content, "- go-tests: Write table tests", "(03 §2) the tool has touched a test")
	assert.NotContains(t, after[1].Content, "commit", "(02 §4) what was told is not told again")
}

func TestToolDefinition(t *testing.T) {
	var want skills.ToolSpec
	q := play(t, func(ctx context.Context, c *Conversation) (adk.AgentMiddleware, error) {
		want, _ = c.lister.Tools()
		return ours(ctx, c)
	}, reply{text: "hello"})
	assert.Contains(t, q[0].messages[0].Content, want.Name, "(02 §6) the guidance names the tool")
	for _, info := range q[0].tools {
		if info.Name != want.Name {
			continue
		}
		assert.Equal(t, want.Description, info.Desc)
		s, err := info.ToJSONSchema()
		require.NoError(t, err)
		got, err := json.Marshal(s)
		require.NoError(t, err)
		assert.JSONEq(t, string(want.InputSchema), string(got), "nothing of the schema is lost")
		return
	}
	t.Error("there is no Skill tool")
}

func TestInline(t *testing.T) {
	q := play(t, ours, reply{tool: "Skill", input: `{"skill": "commit", "args": "Fix \"paging\""}`}, reply{text: "done"})
	assert.Contains(t, q[1].news()[0].Content, `commit with the subject: Fix "paging"`, "(04 §2) the result is the skill's text")
	assert.Equal(t, "call-0", q[1].news()[0].ToolCallID)
	assert.Equal(t, "small", q[0].model)
	assert.Equal(t, "large", q[1].model, "(04 §6) the skill's model")
}

func TestFork(t *testing.T) {
	q := play(t, ours,
		reply{tool: "Skill", input: `{"skill": "review", "args": "paging"}`},
		reply{tool: "Read", input: `{"file_path": "a_test.go"}`}, // the sub-agent's
		reply{text: "Two findings."},                             // its last word
		reply{text: "done"})
	assert.Contains(t, q[1].messages[0].Content, "You are the agent reviewer.")
	assert.Contains(t, all(q[1]), "Review the change about paging.")
	assert.Contains(t, all(q[1]), "- commit:", "(02 §4) a sub-agent has a listing of its own")
	assert.NotContains(t, all(q[1]), "the user's words", "(04 §6) it does not see the conversation")
	assert.Contains(t, all(q[2]), "go-tests")

	assert.Contains(t, q[3].news()[0].Content, "The skill review ran in a sub-agent")
	assert.Contains(t, q[3].news()[0].Content, "Two findings.")
	assert.NotContains(t, all(q[3]), "Review the change about", "(04 §6) only the summary comes back")
	assert.NotContains(t, all(q[3]), "go-tests", "the parent has touched nothing")
}

// What the library refuses is a result, and the run goes on.
func TestRefusals(t *testing.T) {
	for _, test := range []struct {
		reason, tool, input, want string
		way                       way
	}{
		{"(04 §1) an unknown skill, with near names", "Skill", `{"skill": "comit"}`, "commit", ours},
		{"input without a skill", "Skill", `{"name": "commit"}`, "skill", ours},
		{"the search tool", "SkillSearch", `{"query": "review"}`, "review: Review a change", ours},
		{"an unknown skill in eino's tool", "skill", `{"skill": "comit"}`, "commit", eino},
	} {
		q := play(t, test.way, reply{tool: test.tool, input: test.input}, reply{text: "done"})
		assert.Contains(t, q[1].news()[0].Content, test.want, test.reason)
	}
}

// A model that fails ends the run, in a sub-agent too.
func TestFailures(t *testing.T) {
	for _, w := range []way{ours, eino} {
		for _, replies := range [][]reply{nil, {{tool: "Skill", input: `{"skill": "review"}`}}, {{tool: "skill", input: `{"skill": "review"}`}}} {
			err := ask(t.Context(), t.TempDir(), &script{replies: replies}, "hi", w)
			require.Error(t, err)
		}
	}
}

// Runs that share no messages are each told everything, and a message of the
// user ends what was for one turn.
func TestRunsOfOneConversation(t *testing.T) {
	model := &script{replies: []reply{{tool: "Skill", input: `{"skill": "commit"}`}, {text: "done"}, {text: "hello"}, {text: "again"}}}
	var c *Conversation
	require.NoError(t, ask(t.Context(), t.TempDir(), model, "hi", func(ctx context.Context, of *Conversation) (adk.AgentMiddleware, error) {
		c = of
		return ours(ctx, of)
	}))
	assert.Equal(t, []string{"Bash(git commit *)"}, c.Settings().AllowTools)
	agent, err := newAgent(t.Context(), "main", model, c, ours)
	require.NoError(t, err)
	_, err = Answer(adk.NewRunner(t.Context(), adk.RunnerConfig{Agent: agent}).Query(t.Context(), "hi again"))
	require.NoError(t, err)
	assert.Empty(t, c.Settings().AllowTools)
	assert.Contains(t, all(model.requests()[2]), "- commit:", "the listing is told again")
	assert.Equal(t, "small", model.requests()[2].model)

	all := model.requests()[2].messages[1:] // the host kept the whole context this time
	_, err = Answer(adk.NewRunner(t.Context(), adk.RunnerConfig{Agent: agent}).Run(t.Context(), append(all, schema.UserMessage("more"))))
	require.NoError(t, err)
	assert.Len(t, model.requests()[3].news(), 3, "and not, where it still is")
}
