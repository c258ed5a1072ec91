package main

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/openai/openai-go/v3"

	"github.com/seed-12b313d8/skills"
)

const maxRequests = 50 // in one turn of a conversation

// A Config is what a conversation and its sub-agents have in common.
type Config struct {
	Completions openai.ChatCompletionService // Chat.Completions of an openai.Client
	System      string
	Settings    skills.Settings // the host's own, before any skill
	Tools       []Tool
	// Agents are the system prompts of the kinds of sub-agents that skills
	// name; any other kind has System.
	Agents  map[string]string
	Lister  skills.ListerOptions
	Invoker skills.InvokerOptions
}

// A Tool is one of the host's own.
type Tool struct {
	Function openai.FunctionDefinitionParam
	// Paths returns the files that a call touches; nil means none.
	Paths func(input json.RawMessage) []string
	// Run answers a call. What s.AllowTools grants needs no question.
	Run func(ctx context.Context, s skills.Settings, input json.RawMessage) (string, error)
}

// An Agent is one conversation, not safe for concurrent use.
type Agent struct {
	config   Config
	sess     *skills.Session
	lister   *skills.Lister
	inv      *skills.Invoker
	inForce  []skills.Modifier // what skills change, in order
	messages []openai.ChatCompletionMessageParamUnion
}

// NewAgent returns the conversation of a session.
func NewAgent(sess *skills.Session, c Config) *Agent {
	return &Agent{config: c, sess: sess, lister: skills.NewLister(sess, &c.Lister), inv: skills.NewInvoker(sess, &c.Invoker)}
}

// Say gives a message of the user to the model and returns its final answer.
func (a *Agent) Say(ctx context.Context, text string) (string, error) {
	var rest []skills.Modifier // a message of the user ends what was for one turn
	for _, m := range a.inForce {
		if m, ok := m.EndTurn(); ok {
			rest = append(rest, m)
		}
	}
	a.inForce = rest
	return a.turn(ctx, openai.UserMessage(text))
}

// turn sends a message and goes on until no more tools are called.
func (a *Agent) turn(ctx context.Context, first openai.ChatCompletionMessageParamUnion) (string, error) {
	next := []openai.ChatCompletionMessageParamUnion{first}
	for range maxRequests {
		a.messages = append(append(a.messages, next...), a.news()...)
		c, err := a.config.Completions.New(ctx, a.request())
		if err != nil {
			return "", err
		}
		if len(c.Choices) == 0 {
			return "", fmt.Errorf("the model %s gave no answer", c.Model)
		}
		m := c.Choices[0].Message
		a.messages = append(a.messages, m.ToParam())
		if next = a.answers(ctx, m); len(next) == 0 {
			return m.Content, nil
		}
	}
	return "", fmt.Errorf("no answer after %d requests", maxRequests)
}

// news is what the model has not been told of the skills, as a message at the
// end, so that what comes before stays cached.
func (a *Agent) news() []openai.ChatCompletionMessageParamUnion {
	l := a.lister.Next()
	if l.Text == "" {
		return nil
	}
	a.lister.Commit(l) // the message is part of the conversation from now on
	return []openai.ChatCompletionMessageParamUnion{openai.UserMessage(l.Text)}
}

// settings returns those of the next request.
func (a *Agent) settings() skills.Settings {
	s := a.config.Settings
	for _, m := range a.inForce {
		s = m.Apply(s)
	}
	return s
}

func (a *Agent) request() openai.ChatCompletionNewParams {
	s := a.settings()
	system := a.config.System + "\n\n" + a.lister.Guidance()
	return openai.ChatCompletionNewParams{
		Model:           s.Model,
		ReasoningEffort: openai.ReasoningEffort(s.Effort),
		Messages:        slices.Insert(slices.Clone(a.messages), 0, openai.SystemMessage(system)),
		Tools:           a.tools(s),
	}
}

// tools describes the tools of the package and those of the host.
func (a *Agent) tools(s skills.Settings) []openai.ChatCompletionToolUnionParam {
	skill, search := a.lister.Tools()
	out := []openai.ChatCompletionToolUnionParam{toolParam(skill), toolParam(search)}
	for _, t := range a.config.Tools {
		if !slices.Contains(s.DenyTools, t.Function.Name) {
			out = append(out, openai.ChatCompletionFunctionTool(t.Function))
		}
	}
	return out
}

// answers calls the tools that the model asked for.
func (a *Agent) answers(ctx context.Context, m openai.ChatCompletionMessage) []openai.ChatCompletionMessageParamUnion {
	var results, rest []openai.ChatCompletionMessageParamUnion
	for _, use := range m.ToolCalls {
		blocks, err := a.call(ctx, use)
		if err != nil {
			blocks = []skills.Block{{Text: forModel(err)}}
		}
		results = append(results, openai.ToolMessage(skills.Text(blocks), use.ID))
		if parts := contentParts(withoutText(blocks)); len(parts) > 0 { // a tool's message holds text only
			rest = append(rest, openai.UserMessage(parts))
		}
	}
	return append(results, rest...)
}

func (a *Agent) call(ctx context.Context, use openai.ChatCompletionMessageToolCallUnion) ([]skills.Block, error) {
	skill, search := a.lister.Tools()
	name, input := use.Function.Name, json.RawMessage(use.Function.Arguments)
	switch name {
	case skill.Name:
		return a.skill(ctx, use.ID, input)
	case search.Name:
		text, err := a.sess.SearchTool(ctx, input)
		return []skills.Block{{Text: text}}, err
	}
	s := a.settings()
	for _, t := range a.config.Tools {
		if t.Function.Name != name || slices.Contains(s.DenyTools, name) {
			continue
		}
		if t.Paths != nil {
			a.sess.Touch(ctx, t.Paths(input)...) // news tells of what this unlocks
		}
		text, err := t.Run(ctx, s, input)
		return []skills.Block{{Text: text}}, err
	}
	return nil, fmt.Errorf("there is no tool %q", name)
}

// skill answers a call of the Skill tool.
func (a *Agent) skill(ctx context.Context, id string, input json.RawMessage) ([]skills.Block, error) {
	call, err := skills.ParseToolCall(input)
	if err != nil {
		return nil, err
	}
	call.Settings = a.settings()
	out, err := a.inv.Invoke(ctx, call)
	switch o := out.(type) {
	case *skills.Inline:
		a.inForce = append(a.inForce, o.Modifier)
		return o.Content, nil
	case *skills.Fork:
		return a.fork(ctx, id, o)
	}
	return nil, err
}

// fork runs a sub-agent: a conversation of its own that begins with the skill's
// text. Only the last answer comes back.
func (a *Agent) fork(ctx context.Context, id string, f *skills.Fork) ([]skills.Block, error) {
	c := a.config
	c.Settings = f.Modifier.Apply(c.Settings)
	if prompt, ok := c.Agents[f.Agent]; ok {
		c.System = prompt
	}
	summary, err := NewAgent(a.sess.Child(id, f), c).turn(ctx, openai.UserMessage(contentParts(f.Prompt)))
	if err != nil {
		return nil, fmt.Errorf("the sub-agent failed: %w", err)
	}
	return f.Result(summary), nil
}
