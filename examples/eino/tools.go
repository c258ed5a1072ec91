package main

import (
	"context"
	"encoding/json"
	"errors"

	"github.com/cloudwego/eino/components/tool"
	"github.com/cloudwego/eino/schema"
	"github.com/eino-contrib/jsonschema"

	"github.com/seed-12b313d8/skills"
)

// A skillTool is the Skill tool of a conversation.
type skillTool struct{ c *Conversation }

var _ tool.InvokableTool = (*skillTool)(nil)

func (t *skillTool) Info(context.Context) (*schema.ToolInfo, error) {
	spec, _ := t.c.lister.Tools()
	return toolInfo(spec)
}

func (t *skillTool) InvokableRun(ctx context.Context, arguments string, _ ...tool.Option) (string, error) {
	call, err := skills.ParseToolCall([]byte(arguments))
	if err != nil {
		return forModel("", err)
	}
	return forModel(t.c.invoke(ctx, call))
}

// A searchTool finds skills that are not listed in full.
type searchTool struct{ c *Conversation }

var _ tool.InvokableTool = (*searchTool)(nil)

func (t *searchTool) Info(context.Context) (*schema.ToolInfo, error) {
	_, spec := t.c.lister.Tools()
	return toolInfo(spec)
}

func (t *searchTool) InvokableRun(ctx context.Context, arguments string, _ ...tool.Option) (string, error) {
	return forModel(t.c.sess.SearchTool(ctx, []byte(arguments)))
}

// toolInfo returns eino's form of a tool of package skills.
func toolInfo(t skills.ToolSpec) (*schema.ToolInfo, error) {
	var s jsonschema.Schema
	if err := json.Unmarshal(t.InputSchema, &s); err != nil {
		return nil, err
	}
	return &schema.ToolInfo{Name: t.Name, Desc: t.Description, ParamsOneOf: schema.NewParamsOneOfByJSONSchema(&s)}, nil
}

// forModel makes a refusal a result: eino ends the run at an error of a tool.
func forModel(text string, err error) (string, error) {
	if refused, ok := errors.AsType[*skills.Error](err); ok {
		return refused.ForModel(), nil
	}
	return text, err
}
