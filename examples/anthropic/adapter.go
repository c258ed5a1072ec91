package main

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/anthropics/anthropic-sdk-go/v2"

	"github.com/seed-12b313d8/skills"
)

// maxRequests bounds one turn of a conversation.
const maxRequests = 50

// A Config is what a conversation and its sub-agents have in common.
type Config struct {
	Client    anthropic.Client
	MaxTokens int64
	System    string
	Settings  skills.Settings // the host's own, before any skill
	Tools     []Tool
	// Agents are the system prompts of the kinds of sub-agents that skills
	// name; any other kind has System.
	Agents  map[string]string
	Lister  skills.ListerOptions
	Invoker skills.InvokerOptions
}

// A Tool is one of the host's own.
type Tool struct {
	Param anthropic.ToolParam
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
	messages []anthropic.MessageParam
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
	return a.turn(ctx, []anthropic.ContentBlockParamUnion{anthropic.NewTextBlock(text)})
}

// turn sends content and goes on until the model calls no more tools.
func (a *Agent) turn(ctx context.Context, content []anthropic.ContentBlockParamUnion) (string, error) {
	for range maxRequests {
		a.messages = append(a.messages, anthropic.NewUserMessage(append(content, a.news()...)...))
		m, err := a.config.Client.Messages.New(ctx, a.request())
		if err != nil {
			return "", err
		}
		a.messages = append(a.messages, m.ToParam())
		if content = a.answers(ctx, m); len(content) == 0 {
			return textOf(m), nil
		}
	}
	return "", fmt.Errorf("no answer after %d requests", maxRequests)
}

// news is what the model has not been told of the skills. It is a block of a
// user message, so that system prompt and tools never change and stay cached.
func (a *Agent) news() []anthropic.ContentBlockParamUnion {
	l := a.lister.Next()
	if l.Text == "" {
		return nil
	}
	a.lister.Commit(l) // the block is part of the conversation from now on
	return []anthropic.ContentBlockParamUnion{anthropic.NewTextBlock(l.Text)}
}

// settings returns those of the next request.
func (a *Agent) settings() skills.Settings {
	s := a.config.Settings
	for _, m := range a.inForce {
		s = m.Apply(s)
	}
	return s
}

func (a *Agent) request() anthropic.MessageNewParams {
	s := a.settings()
	return anthropic.MessageNewParams{
		Model:        s.Model,
		MaxTokens:    a.config.MaxTokens,
		OutputConfig: anthropic.OutputConfigParam{Effort: anthropic.OutputConfigEffort(s.Effort)},
		System:       []anthropic.TextBlockParam{{Text: a.config.System + "\n\n" + a.lister.Guidance()}},
		Messages:     a.messages,
		Tools:        a.tools(s),
	}
}

// tools describes the tools of the package and those of the host.
func (a *Agent) tools(s skills.Settings) []anthropic.ToolUnionParam {
	skill, search := a.lister.Tools()
	out := []anthropic.ToolUnionParam{toolParam(skill), toolParam(search)}
	for _, t := range a.config.Tools {
		if !slices.Contains(s.DenyTools, t.Param.Name) {
			out = append(out, anthropic.ToolUnionParam{OfTool: &t.Param})
		}
	}
	return out
}

// answers calls the tools that the model asked for.
func (a *Agent) answers(ctx context.Context, m *anthropic.Message) []anthropic.ContentBlockParamUnion {
	var out []anthropic.ContentBlockParamUnion
	for _, block := range m.Content {
		if use, ok := block.AsAny().(anthropic.ToolUseBlock); ok {
			blocks, err := a.call(ctx, use)
			out = append(out, toolResult(use.ID, blocks, err))
		}
	}
	return out
}

func (a *Agent) call(ctx context.Context, use anthropic.ToolUseBlock) ([]skills.Block, error) {
	skill, search := a.lister.Tools()
	switch use.Name {
	case skill.Name:
		return a.skill(ctx, use)
	case search.Name:
		text, err := a.sess.SearchTool(ctx, use.Input)
		return []skills.Block{{Text: text}}, err
	}
	s := a.settings()
	for _, t := range a.config.Tools {
		if t.Param.Name != use.Name || slices.Contains(s.DenyTools, use.Name) {
			continue
		}
		if t.Paths != nil {
			a.sess.Touch(ctx, t.Paths(use.Input)...) // news tells of what this unlocks
		}
		text, err := t.Run(ctx, s, use.Input)
		return []skills.Block{{Text: text}}, err
	}
	return nil, fmt.Errorf("there is no tool %q", use.Name)
}

// skill answers a call of the Skill tool.
func (a *Agent) skill(ctx context.Context, use anthropic.ToolUseBlock) ([]skills.Block, error) {
	call, err := skills.ParseToolCall(use.Input)
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
		return a.fork(ctx, use.ID, o)
	}
	return nil, err
}

// fork runs a sub-agent: a conversation that begins with the skill's text and
// of which only the last answer comes back.
func (a *Agent) fork(ctx context.Context, id string, f *skills.Fork) ([]skills.Block, error) {
	c := a.config
	c.Settings = f.Modifier.Apply(c.Settings)
	if prompt, ok := c.Agents[f.Agent]; ok {
		c.System = prompt
	}
	summary, err := NewAgent(a.sess.Child(id, f), c).turn(ctx, content(f.Prompt))
	if err != nil {
		return nil, fmt.Errorf("the sub-agent failed: %w", err)
	}
	return f.Result(summary), nil
}
