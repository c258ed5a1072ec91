// Openai is an agent loop on the chat completions API with the Skill tool. It runs
// offline: a script on a loopback port plays the model.
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
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"

	"github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/option"

	"github.com/seed-12b313d8/skills"
)

//go:embed all:testdata
var files embed.FS

func main() {
	if err := run(context.Background(), os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "openai:", err)
		os.Exit(1)
	}
}

// run has a conversation of two messages and prints what went over the wire.
func run(ctx context.Context, out io.Writer) error {
	dir, err := os.MkdirTemp("", "skills")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	model := &script{replies: []reply{
		{tool: "Skill", input: `{"skill": "commit", "args": "Fix paging"}`},
		{tool: "Bash", input: `{"command": "git commit -m 'Fix paging'"}`},
		{tool: "Skill", input: `{"skill": "review", "args": "paging"}`},
		{text: "Two findings, both minor."}, // the sub-agent's
		{tool: "Read", input: `{"file_path": "paging_test.go"}`},
		{text: "Committed, reviewed, and I have seen the tests."},
		{text: "You are welcome."},
	}}
	err = withAgent(ctx, dir, model, func(a *Agent) error {
		for _, text := range []string{"Commit this and have it reviewed.", "Thanks."} {
			if _, err := a.Say(ctx, text); err != nil {
				return err
			}
		}
		return nil
	})
	model.print(out, dir)
	return err
}

// withAgent calls f with a conversation whose model is played by the script and
// whose skills are put into dir.
func withAgent(ctx context.Context, dir string, model *script, f func(*Agent) error) error {
	if err := os.CopyFS(dir, files); err != nil {
		return err
	}
	reg, err := skills.Open(ctx, &skills.Options{Locations: skills.Locations{
		Home: filepath.Join(dir, "testdata", "home"), Project: filepath.Join(dir, "testdata", "project"),
	}})
	if err != nil {
		return err
	}
	defer reg.Close()
	server := httptest.NewServer(model)
	defer server.Close()
	return f(NewAgent(reg.NewSession("main", nil), config(server)))
}

// config is what a host decides. One that is not scripted takes the
// Chat.Completions of an openai.NewClient().
func config(server *httptest.Server) Config {
	return Config{
		Completions: openai.NewChatCompletionService(option.WithAPIKey("none"), option.WithBaseURL(server.URL),
			option.WithHTTPClient(server.Client()), option.WithMaxRetries(0)),
		System:   "You work on the project.",
		Agents:   map[string]string{"reviewer": "You review changes and report what you find."},
		Settings: skills.Settings{Model: "small"},
		Lister:   skills.ListerOptions{ContextWindow: 200_000},
		Invoker:  skills.InvokerOptions{Confirm: askTheUser, ResolveModel: resolve},
		Tools: []Tool{
			{Function: function("Read", "Read a file.", "file_path"), Paths: fileOf, Run: read},
			{Function: function("Bash", "Run a command.", "command"), Run: bash},
		},
	}
}

// askTheUser stands for a dialogue that shows p.Reasons and p.Grants.
func askTheUser(context.Context, *skills.Permit) (bool, error) { return true, nil }

// resolve turns the names in skills, which are those of another family, into
// models of this host.
func resolve(name string) (string, error) {
	switch name {
	case "opus":
		return "large", nil
	case "sonnet", "haiku":
		return "small", nil
	}
	return "", errors.New("only opus, sonnet and haiku are known here")
}

// function describes a tool of the host with one input.
func function(name, what, input string) openai.FunctionDefinitionParam {
	return openai.FunctionDefinitionParam{Name: name, Description: openai.String(what), Parameters: openai.FunctionParameters{
		"type": "object", "properties": map[string]any{input: map[string]string{"type": "string"}}, "required": []string{input},
	}}
}

func read(context.Context, skills.Settings, json.RawMessage) (string, error) {
	return "package paging", nil
}

// bash runs nothing: it says whether the user would have to be asked.
func bash(_ context.Context, s skills.Settings, input json.RawMessage) (string, error) {
	var in struct{ Command string }
	if err := json.Unmarshal(input, &in); err != nil {
		return "", err
	}
	for _, rule := range s.AllowTools {
		if prefix, ok := strings.CutPrefix(rule, "Bash("); ok && strings.HasPrefix(in.Command, strings.TrimSuffix(prefix, "*)")) {
			return "ran without a question, since a skill grants " + rule, nil
		}
	}
	return "", errors.New("the user said no")
}
