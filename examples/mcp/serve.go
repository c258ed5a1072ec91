package main

import (
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/seed-12b313d8/skills"
	"github.com/seed-12b313d8/skills/mcpskills"
)

// A service offers the skills of a session to MCP clients: a prompt for each
// skill a user may run, one Skill tool for the model, and the files of skills as
// resources. Tools, models and hooks that a skill asks for are not sent: they are
// the client's business.
type service struct {
	*mcp.Server
	sess *skills.Session
	inv  *skills.Invoker

	mu      sync.Mutex // guards what follows
	prompts []string
	files   map[string]*skills.Skill // by URI
	entries []mcpskills.Entry
}

// newService makes the server. Call sync when the skills have changed.
func newService(ctx context.Context, sess *skills.Session, o *skills.InvokerOptions) (*service, error) {
	tools := skills.NewLister(sess, &skills.ListerOptions{Wrap: [2]string{"\n", ""}})
	caps := &mcp.ServerCapabilities{
		Prompts: &mcp.PromptCapabilities{ListChanged: true}, Resources: &mcp.ResourceCapabilities{ListChanged: true},
	}
	caps.AddExtension(mcpskills.ExtensionID, nil)
	s := &service{sess: sess, inv: skills.NewInvoker(sess, o)}
	s.Server = mcp.NewServer(&mcp.Implementation{Name: "skills", Version: "1"}, &mcp.ServerOptions{
		Instructions: strings.TrimSpace(tools.Guidance() + "\n\n" + tools.Next().Text), Capabilities: caps,
	})
	tool, _ := tools.Tools()
	s.AddTool(&mcp.Tool{Name: tool.Name, Description: tool.Description, InputSchema: tool.InputSchema}, s.tool)
	if err := extend(s.Server, s.listed); err != nil {
		return nil, err
	}
	s.AddResource(&mcp.Resource{URI: mcpskills.IndexURI, Name: "index", MIMEType: "application/json"}, s.index)
	s.sync(ctx)
	return s, nil
}

// sync publishes the skills there are now; clients are told that the lists have
// changed.
func (s *service) sync(ctx context.Context) {
	s.mu.Lock()
	defer s.mu.Unlock()
	var names []string
	for sk := range s.sess.Skills(skills.CallerUser) {
		if !foreign(sk) {
			names = append(names, sk.Name)
			s.AddPrompt(&mcp.Prompt{Name: sk.Name, Description: sk.Description, Arguments: arguments(sk)}, s.prompt(sk))
		}
	}
	s.RemovePrompts(slices.DeleteFunc(s.prompts, func(n string) bool { return slices.Contains(names, n) })...)
	s.prompts = names

	old := s.files
	s.files, s.entries = make(map[string]*skills.Skill), nil
	for sk := range s.sess.Skills(skills.CallerModel) {
		uri := "skill://" + strings.ReplaceAll(sk.Name, ":", "/") + "/SKILL.md"
		doc, err := s.file(sk)
		if err != nil || foreign(sk) {
			continue // made at each call, or gone
		}
		e, err := entry(uri, doc)
		if err != nil || ctx.Err() != nil {
			continue // lint says why
		}
		s.files[uri], s.entries = sk, append(s.entries, e)
		s.AddResource(&mcp.Resource{URI: uri, Name: sk.Name, Description: sk.Description, MIMEType: "text/markdown"}, s.read)
	}
	maps.DeleteFunc(old, func(uri string, _ *skills.Skill) bool { return s.files[uri] != nil })
	s.RemoveResources(slices.Collect(maps.Keys(old))...)
}

// foreign reports whether a skill comes from another server.
func foreign(s *skills.Skill) bool {
	return s.Origin == skills.OriginMCP || s.Origin == skills.OriginRemote
}

// file returns a skill's SKILL.md as it is now.
func (s *service) file(sk *skills.Skill) ([]byte, error) {
	if sk.Path == "" {
		return nil, fs.ErrNotExist
	}
	fsys, err := s.inv.Files(sk)
	if err != nil {
		return nil, err
	}
	return fs.ReadFile(fsys, path.Base(strings.ReplaceAll(sk.Path, `\`, "/")))
}

func (s *service) read(_ context.Context, req *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
	s.mu.Lock()
	sk := s.files[req.Params.URI]
	s.mu.Unlock()
	if sk == nil {
		return nil, mcp.ResourceNotFoundError(req.Params.URI)
	}
	doc, err := s.file(sk)
	return text(req.Params.URI, "text/markdown", doc), err
}

func text(uri, mime string, doc []byte) *mcp.ReadResourceResult {
	return &mcp.ReadResourceResult{Contents: []*mcp.ResourceContents{{URI: uri, MIMEType: mime, Text: string(doc)}}}
}

func (s *service) listed() []mcpskills.Entry {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.entries)
}

// index is for clients of the extension's drafts.
func (s *service) index(context.Context, *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
	list := []map[string]any{}
	for _, e := range s.listed() {
		list = append(list, map[string]any{
			"type": "skill-md", "url": e.URI, "digest": e.Resources.Files[0].Digest,
			"name": e.Frontmatter["name"], "description": e.Frontmatter["description"],
		})
	}
	doc, err := json.Marshal(map[string]any{"$schema": "https://schemas.agentskills.io/discovery/0.2.0/schema.json", "skills": list})
	return text(mcpskills.IndexURI, "application/json", doc), err
}

// tool answers the Skill tool. What the model should know of a failure is a
// result; the protocol's errors are for clients.
func (s *service) tool(ctx context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	call, err := skills.ParseToolCall(req.Params.Arguments)
	var blocks []skills.Block
	if err == nil {
		blocks, err = s.invoke(ctx, call)
	}
	var e *skills.Error
	if errors.As(err, &e) {
		return &mcp.CallToolResult{IsError: true, Content: []mcp.Content{&mcp.TextContent{Text: e.ForModel()}}}, nil
	}
	res := &mcp.CallToolResult{Content: []mcp.Content{}}
	for _, b := range blocks {
		res.Content = append(res.Content, content(b))
	}
	return res, err
}

// invoke runs a skill. A fork is the client's to run, so it gets the prompt. The
// line that names the skill's folder on this machine is of no use to a client.
func (s *service) invoke(ctx context.Context, c skills.Call) ([]skills.Block, error) {
	out, err := s.inv.Invoke(ctx, c)
	var blocks []skills.Block
	switch out := out.(type) {
	case *skills.Inline:
		blocks = out.Content
	case *skills.Fork:
		blocks = out.Prompt
	}
	if len(blocks) > 0 && strings.HasPrefix(blocks[0].Text, "Base directory for this skill: ") {
		blocks = slices.Clone(blocks)
		_, blocks[0].Text, _ = strings.Cut(blocks[0].Text, "\n\n")
	}
	return blocks, err
}
