// Eino gives the skill system to agents of CloudWeGo's eino: as a backend of
// its own skill middleware, and as a middleware that can do more. It runs
// offline: a script plays the model.
//
//	go run .
package main

import (
	"context"
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/cloudwego/eino/adk"
	"github.com/cloudwego/eino/adk/middlewares/skill"
	"github.com/cloudwego/eino/components/tool"
	"github.com/cloudwego/eino/components/tool/utils"
	"github.com/cloudwego/eino/compose"

	"github.com/seed-12b313d8/skills"
)

//go:embed all:testdata
var files embed.FS

func main() {
	if err := run(context.Background(), os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "eino:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, out io.Writer) error {
	dir, err := os.MkdirTemp("", "skills")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	fmt.Fprint(out, "eino's middleware on our backend\n\n")
	model := &script{replies: []reply{
		{tool: "skill", input: `{"skill": "commit"}`},
		{text: "What is the subject?"},
	}}
	if err := ask(ctx, dir, model, "Commit this.", eino); err != nil {
		return err
	}
	model.print(out, dir)

	fmt.Fprint(out, "our middleware\n\n")
	model = &script{replies: []reply{
		{tool: "Skill", input: `{"skill": "commit", "args": "Fix paging"}`},
		{tool: "Skill", input: `{"skill": "review", "args": "paging"}`},
		{text: "Two findings, both minor."}, // the sub-agent's
		{tool: "Read", input: `{"file_path": "paging_test.go"}`},
		{text: "Committed, reviewed, and I have seen the tests."},
	}}
	err = ask(ctx, dir, model, "Commit this and have it reviewed.", ours)
	model.print(out, dir)
	return err
}

// ours and eino are the two ways to give an agent the skills.
func ours(_ context.Context, c *Conversation) (adk.AgentMiddleware, error) {
	return c.Middleware(), nil
}

func eino(ctx context.Context, c *Conversation) (adk.AgentMiddleware, error) {
	return skill.New(ctx, &skill.Config{Backend: NewBackend(c)})
}

// A way makes the middleware of a conversation.
type way func(context.Context, *Conversation) (adk.AgentMiddleware, error)

// ask gives a question to an agent whose model is played by the script and
// whose skills are put into dir.
func ask(ctx context.Context, dir string, model *script, question string, w way) error {
	if err := os.CopyFS(dir, files); err != nil && !errors.Is(err, os.ErrExist) {
		return err
	}
	reg, err := skills.Open(ctx, &skills.Options{Locations: skills.Locations{
		Home: filepath.Join(dir, "testdata", "home"), Project: filepath.Join(dir, "testdata", "project"),
	}})
	if err != nil {
		return err
	}
	defer reg.Close()
	c := NewConversation(reg.NewSession("main", nil), Options{
		Settings: skills.Settings{Model: "small"},
		Lister:   skills.ListerOptions{ContextWindow: 200_000},
		Invoker:  skills.InvokerOptions{Confirm: askTheUser, ResolveModel: resolve},
		Paths:    fileOf,
		SubAgent: func(ctx context.Context, kind string, c *Conversation) (adk.Agent, error) {
			return newAgent(ctx, kind, model, c, w)
		},
	})
	agent, err := newAgent(ctx, "main", model, c, w)
	if err != nil {
		return err
	}
	_, err = Answer(adk.NewRunner(ctx, adk.RunnerConfig{Agent: agent}).Query(ctx, question))
	return err
}

// newAgent returns the main agent, or the sub-agent of a kind.
func newAgent(ctx context.Context, kind string, model *script, c *Conversation, w way) (adk.Agent, error) {
	middleware, err := w(ctx, c)
	if err != nil {
		return nil, err
	}
	read, err := utils.InferTool("Read", "Read a file.", func(context.Context, readInput) (string, error) {
		return "package paging", nil
	})
	if err != nil {
		return nil, err
	}
	return adk.NewChatModelAgent(ctx, &adk.ChatModelAgentConfig{
		Name: kind, Description: "works on the project", Instruction: "You are the agent " + kind + ".",
		Model:       c.Model(&scripted{script: model}),
		ToolsConfig: adk.ToolsConfig{ToolsNodeConfig: compose.ToolsNodeConfig{Tools: []tool.BaseTool{read}}},
		Middlewares: []adk.AgentMiddleware{middleware},
	})
}

type readInput struct {
	Path string `json:"file_path"`
}

// fileOf returns the file that a call of Read touches.
func fileOf(tool, arguments string) []string {
	var in readInput
	if tool != "Read" || json.Unmarshal([]byte(arguments), &in) != nil {
		return nil
	}
	return []string{in.Path}
}

// askTheUser stands for a dialogue that shows p.Reasons and p.Grants.
func askTheUser(context.Context, *skills.Permit) (bool, error) { return true, nil }

// resolve turns the short names in skills into models of this host.
func resolve(name string) (string, error) {
	if name == "opus" {
		return "large", nil
	}
	return "", errors.New("only opus is known here")
}
