package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
	"gopkg.in/yaml.v3"

	"github.com/seed-12b313d8/skills/mcpskills"
)

// The methods of the extension io.modelcontextprotocol/skills, which the SDK
// does not have.
const (
	methodList = "skills/list"
	methodGet  = "skills/get"
)

type listParams struct {
	mcp.ParamsBase
	Cursor string `json:"cursor,omitempty"`
}

type listResult struct {
	mcp.ResultBase
	Type       string            `json:"resultType"`
	Skills     []mcpskills.Entry `json:"skills"`
	NextCursor string            `json:"nextCursor,omitempty"`
	mcp.Cacheable
}

type getParams struct {
	mcp.ParamsBase
	URI string `json:"uri"`
}

type getResult struct {
	mcp.ResultBase
	Type  string          `json:"resultType"`
	Skill mcpskills.Entry `json:"skill"`
	mcp.Cacheable
}

// A lister is an adapter that asks for skills/list, where the server has it.
type lister struct{ adapter }

func (l lister) ListSkills(ctx context.Context) (out []mcpskills.Entry, err error) {
	caps := l.InitializeResult().Capabilities
	if caps == nil || caps.Extensions[mcpskills.ExtensionID] == nil {
		return nil, errors.ErrUnsupported
	}
	for params := (&listParams{}); ; {
		res, err := mcp.CallCustomMethod[*listParams, *listResult](ctx, l.ClientSession, methodList, params)
		if err != nil {
			return nil, translated(err)
		}
		if out = append(out, res.Skills...); res.NextCursor == "" {
			return out, nil
		}
		params = &listParams{Cursor: res.NextCursor}
	}
}

// extend answers the methods of the extension out of what find knows.
func extend(s *mcp.Server, all func() []mcpskills.Entry) error {
	fresh := mcp.Cacheable{CacheScope: "private"}
	err := mcp.AddReceivingCustomMethod(s, methodList, func(context.Context, *mcp.ServerSession, *listParams) (*listResult, error) {
		return &listResult{Type: "complete", Skills: all(), Cacheable: fresh}, nil
	})
	return errors.Join(err, mcp.AddReceivingCustomMethod(s, methodGet, func(_ context.Context, _ *mcp.ServerSession, p *getParams) (*getResult, error) {
		for _, e := range all() {
			if p != nil && e.URI == p.URI {
				return &getResult{Type: "complete", Skill: e, Cacheable: fresh}, nil
			}
		}
		return nil, &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: "no skill is served there"}
	}))
}

// entry describes a SKILL.md for skills/list. Its whole frontmatter goes there;
// a file without a name and description cannot be listed.
func entry(uri string, doc []byte) (mcpskills.Entry, error) {
	e := mcpskills.Entry{URI: uri, Resources: mcpskills.Manifest{Files: []mcpskills.File{
		{URI: uri, Digest: mcpskills.Digest(doc), Size: int64(len(doc))},
	}}}
	head, _, ok := bytes.Cut(bytes.TrimPrefix(doc, []byte("---\n")), []byte("\n---"))
	if !ok || !bytes.HasPrefix(doc, []byte("---\n")) {
		return e, fmt.Errorf("%s has no frontmatter", uri)
	}
	if err := yaml.Unmarshal(head, &e.Frontmatter); err != nil {
		return e, fmt.Errorf("%s: %w", uri, err)
	}
	if e.Frontmatter["name"] == nil || e.Frontmatter["description"] == nil {
		return e, fmt.Errorf("%s has no name or description", uri)
	}
	_, err := json.Marshal(e) // a key that is no text cannot be sent
	return e, err
}
