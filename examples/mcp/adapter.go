package main

import (
	"context"
	"io/fs"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/seed-12b313d8/skills"
	"github.com/seed-12b313d8/skills/mcpskills"
)

// An adapter makes a session of the SDK the client of a source.
type adapter struct{ *mcp.ClientSession }

func (a adapter) ListPrompts(ctx context.Context) ([]mcpskills.Prompt, error) {
	return all(a.Prompts(ctx, &mcp.ListPromptsParams{}), func(p *mcp.Prompt) mcpskills.Prompt {
		out := mcpskills.Prompt{Name: p.Name, Title: p.Title, Description: p.Description}
		for _, arg := range p.Arguments {
			out.Parameters = append(out.Parameters, mcpskills.Parameter{Name: arg.Name, Required: arg.Required})
		}
		return out
	})
}

func (a adapter) GetPrompt(ctx context.Context, name string, args map[string]string) ([]skills.Block, error) {
	res, err := a.ClientSession.GetPrompt(ctx, &mcp.GetPromptParams{Name: name, Arguments: args})
	if err != nil {
		return nil, translated(err)
	}
	var out []skills.Block
	for _, m := range res.Messages {
		out = append(out, block(m.Content))
	}
	return out, nil
}

func (a adapter) ListResources(ctx context.Context) ([]mcpskills.Resource, error) {
	return all(a.Resources(ctx, &mcp.ListResourcesParams{}), func(r *mcp.Resource) mcpskills.Resource {
		return mcpskills.Resource{URI: r.URI, Description: r.Description}
	})
}

func (a adapter) ReadResource(ctx context.Context, uri string) ([]byte, error) {
	res, err := a.ClientSession.ReadResource(ctx, &mcp.ReadResourceParams{URI: uri})
	switch {
	case err != nil:
		return nil, translated(err)
	case len(res.Contents) == 0:
		return nil, fs.ErrNotExist
	}
	return append([]byte(res.Contents[0].Text), res.Contents[0].Blob...), nil
}
