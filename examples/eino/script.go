package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/cloudwego/eino/components/model"
	"github.com/cloudwego/eino/schema"
)

// A script stands for the model of all agents: it gives its replies in order
// and remembers what was asked.
type script struct {
	replies []reply

	mu   sync.Mutex
	seen []request
}

// A reply is what the model says, or the tool it calls.
type reply struct {
	text        string
	tool, input string
}

// A request is what the model gets.
type request struct {
	model    string
	tools    []*schema.ToolInfo
	messages []*schema.Message
}

// A scripted is a script with the tools of one agent.
type scripted struct {
	*script
	tools []*schema.ToolInfo
}

var _ model.ToolCallingChatModel = (*scripted)(nil)

func (s *scripted) WithTools(tools []*schema.ToolInfo) (model.ToolCallingChatModel, error) {
	return &scripted{s.script, tools}, nil
}

func (s *scripted) Generate(_ context.Context, in []*schema.Message, opts ...model.Option) (*schema.Message, error) {
	q := request{tools: s.tools, messages: slices.Clone(in)}
	if name := model.GetCommonOptions(nil, opts...).Model; name != nil {
		q.model = *name
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	n := len(s.seen)
	s.seen = append(s.seen, q)
	if n >= len(s.replies) {
		return nil, errors.New("the script has ended")
	}
	if a := s.replies[n]; a.tool != "" {
		call := schema.ToolCall{ID: fmt.Sprint("call-", n), Function: schema.FunctionCall{Name: a.tool, Arguments: a.input}}
		return schema.AssistantMessage(a.text, []schema.ToolCall{call}), nil
	}
	return schema.AssistantMessage(s.replies[n].text, nil), nil
}

func (s *scripted) Stream(ctx context.Context, in []*schema.Message, opts ...model.Option) (*schema.StreamReader[*schema.Message], error) {
	m, err := s.Generate(ctx, in, opts...)
	if err != nil {
		return nil, err
	}
	return schema.StreamReaderFromArray([]*schema.Message{m}), nil
}

// requests returns what was asked so far.
func (s *script) requests() []request {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.seen
}

// news returns the messages after the model's last one, without the system's.
func (q request) news() []*schema.Message {
	first := 1
	for i, m := range q.messages {
		if m.Role == schema.Assistant {
			first = i + 1
		}
	}
	return q.messages[first:]
}

// print shows each request by what is new in it, and its reply. Paths in dir
// are printed as seen from there.
func (s *script) print(out io.Writer, dir string) {
	local := strings.NewReplacer(dir+string(filepath.Separator), "")
	for i, q := range s.requests() {
		fmt.Fprintf(out, "== request %d, model %q, %d messages; new:\n\n", i+1, q.model, len(q.messages))
		for _, m := range q.news() {
			fmt.Fprintf(out, "%s: %s\n", m.Role, local.Replace(strings.TrimSpace(m.Content)))
		}
		if a := s.replies[i]; a.tool != "" {
			fmt.Fprintf(out, "\nmodel calls %s %s\n\n", a.tool, a.input)
		} else {
			fmt.Fprintf(out, "\nmodel: %s\n\n", a.text)
		}
	}
}
