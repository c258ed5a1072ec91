package main

import (
	"context"
	"fmt"
	"sync"

	"github.com/cloudwego/eino/adk"
	"github.com/cloudwego/eino/components/model"
	"github.com/cloudwego/eino/components/tool"
	"github.com/cloudwego/eino/compose"
	"github.com/cloudwego/eino/schema"

	"github.com/seed-12b313d8/skills"
)

// Options are what a conversation and its sub-agents have in common.
type Options struct {
	Settings skills.Settings // the host's own, before any skill
	Lister   skills.ListerOptions
	Invoker  skills.InvokerOptions
	// Paths returns the files that a call of a tool touches; nil means none.
	Paths func(tool, arguments string) []string
	// SubAgent makes the agent that a skill runs in; c is its conversation.
	SubAgent func(ctx context.Context, kind string, c *Conversation) (adk.Agent, error)
}

// A Conversation connects a session with the agent that has it. It is safe for
// concurrent use, since eino calls tools at the same time.
type Conversation struct {
	opts   Options
	sess   *skills.Session
	lister *skills.Lister
	inv    *skills.Invoker

	mu      sync.Mutex
	inForce []skills.Modifier // what skills change, in order
}

// NewConversation returns the conversation of a session.
func NewConversation(sess *skills.Session, o Options) *Conversation {
	return &Conversation{opts: o, sess: sess, lister: skills.NewLister(sess, &o.Lister), inv: skills.NewInvoker(sess, &o.Invoker)}
}

// Middleware returns what makes an agent know the skills: the Skill tool and
// its guidance, the listing, and that touched files unlock skills.
func (c *Conversation) Middleware() adk.AgentMiddleware {
	return adk.AgentMiddleware{
		AdditionalInstruction: c.lister.Guidance(),
		AdditionalTools:       []tool.BaseTool{&skillTool{c}, &searchTool{c}},
		BeforeChatModel:       c.beforeModel,
		WrapToolCall:          compose.ToolMiddleware{Invokable: c.touch},
	}
}

// told marks the messages that hold a listing.
const told = "skills"

// beforeModel adds a message with what the model has not been told. It is read
// off the messages whether a turn begins, and whether what was told is still
// there: a run may start without the messages of the last one.
func (c *Conversation) beforeModel(_ context.Context, s *adk.ChatModelAgentState) error {
	if last := len(s.Messages) - 1; last >= 0 && s.Messages[last].Role == schema.User {
		c.endTurn()
	}
	known := false
	for _, m := range s.Messages {
		known = known || m.Extra[told] != nil
	}
	if !known {
		c.sess.Reset()
	}
	if l := c.lister.Next(); l.Text != "" {
		m := schema.UserMessage(l.Text)
		m.Extra = map[string]any{told: true}
		s.Messages = append(s.Messages, m)
		c.lister.Commit(l)
	}
	return nil
}

// endTurn ends what skills changed for the last turn only.
func (c *Conversation) endTurn() {
	c.mu.Lock()
	defer c.mu.Unlock()
	var rest []skills.Modifier
	for _, m := range c.inForce {
		if m, ok := m.EndTurn(); ok {
			rest = append(rest, m)
		}
	}
	c.inForce = rest
}

// Settings returns those in force. Tools of the host ask nobody about what
// AllowTools grants.
func (c *Conversation) Settings() skills.Settings {
	c.mu.Lock()
	defer c.mu.Unlock()
	s := c.opts.Settings
	for _, m := range c.inForce {
		s = m.Apply(s)
	}
	return s
}

// touch tells the session of the files that a tool has been called with.
func (c *Conversation) touch(next compose.InvokableToolEndpoint) compose.InvokableToolEndpoint {
	return func(ctx context.Context, in *compose.ToolInput) (*compose.ToolOutput, error) {
		out, err := next(ctx, in)
		if c.opts.Paths != nil {
			c.sess.Touch(ctx, c.opts.Paths(in.Name, in.Arguments)...)
		}
		return out, err
	}
}

// invoke returns what a call gives to the model.
func (c *Conversation) invoke(ctx context.Context, call skills.Call) (string, error) {
	call.Settings = c.Settings()
	out, err := c.inv.Invoke(ctx, call)
	switch o := out.(type) {
	case *skills.Inline:
		c.mu.Lock()
		defer c.mu.Unlock()
		c.inForce = append(c.inForce, o.Modifier)
		return skills.Text(o.Content), nil
	case *skills.Fork:
		summary, err := c.fork(ctx, o)
		return skills.Text(o.Result(summary)), err
	}
	return "", err
}

// fork runs a sub-agent with a conversation of its own to its last word.
func (c *Conversation) fork(ctx context.Context, f *skills.Fork) (string, error) {
	o := c.opts
	o.Settings = f.Modifier.Apply(o.Settings)
	agent, err := o.SubAgent(ctx, f.Agent, NewConversation(c.sess.Child(compose.GetToolCallID(ctx), f), o))
	if err != nil {
		return "", err
	}
	return Answer(adk.NewRunner(ctx, adk.RunnerConfig{Agent: agent}).Query(ctx, skills.Text(f.Prompt)))
}

// Answer waits for the end of a run and returns the last message.
func Answer(events *adk.AsyncIterator[*adk.AgentEvent]) (string, error) {
	last := ""
	for {
		e, ok := events.Next()
		if !ok {
			return last, nil
		}
		if e.Err != nil {
			return "", e.Err
		}
		m, _, err := adk.GetMessage(e)
		if err != nil {
			return "", err
		}
		if m != nil {
			last = m.Content
		}
	}
}

// Model returns m with the model that is in force at each request. An effort is
// an option of its own in each implementation; see [Conversation.Settings].
func (c *Conversation) Model(m model.ToolCallingChatModel) model.ToolCallingChatModel {
	return &settingsModel{m, c}
}

type settingsModel struct {
	model.ToolCallingChatModel
	c *Conversation
}

func (m *settingsModel) Generate(ctx context.Context, in []*schema.Message, opts ...model.Option) (*schema.Message, error) {
	return m.ToolCallingChatModel.Generate(ctx, in, append(opts, model.WithModel(m.c.Settings().Model))...)
}

func (m *settingsModel) Stream(ctx context.Context, in []*schema.Message, opts ...model.Option) (*schema.StreamReader[*schema.Message], error) {
	return m.ToolCallingChatModel.Stream(ctx, in, append(opts, model.WithModel(m.c.Settings().Model))...)
}

func (m *settingsModel) WithTools(tools []*schema.ToolInfo) (model.ToolCallingChatModel, error) {
	bound, err := m.ToolCallingChatModel.WithTools(tools)
	if err != nil {
		return nil, fmt.Errorf("tools for the model: %w", err)
	}
	return &settingsModel{bound, m.c}, nil
}
