// Mcp connects two hosts by MCP, over an in-memory transport: one serves its
// skills as prompts, as a tool and as resources; the other takes them into its
// own registry, beside whatever else it has.
//
//	go run .
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/seed-12b313d8/skills"
	"github.com/seed-12b313d8/skills/mcpskills"
)

func main() {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	if err := run(ctx, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "mcp:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, w io.Writer) (err error) {
	// 1. A host serves the skills of a project.
	theirs, err := skills.Open(ctx, &skills.Options{Locations: skills.Locations{Project: "testdata/project", NoUser: true, NoManaged: true}})
	if err != nil {
		return err
	}
	defer theirs.Close()
	service, err := newService(ctx, theirs.NewSession("service", nil), nil)
	if err != nil {
		return err
	}
	defer theirs.Subscribe(func(skills.Change) { service.sync(ctx) })()
	near, far := mcp.NewInMemoryTransports()
	if _, err = service.Connect(ctx, far, nil); err != nil {
		return err
	}

	// 2. Another host connects, and has them: prompts for the user, skills for both.
	ours, err := skills.Open(ctx, &skills.Options{Locations: skills.Locations{NoDisk: true}})
	if err != nil {
		return err
	}
	defer ours.Close()
	conn, err := connect(ctx, ours, "office", near, &mcpskills.Options{UserPrompts: true})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, conn.Close()) }()
	sess := ours.NewSession("main", nil)
	fmt.Fprintf(w, "== what the model is told\n\n%s\n", skills.NewLister(sess, nil).Next().Text)
	fmt.Fprintf(w, "== what the user may type\n\n")
	for _, item := range sess.Menu("mcp__") {
		fmt.Fprintln(w, strings.TrimSpace("/"+item.Name+" "+item.ArgumentHint))
	}

	// 3. The user types a prompt, and the model calls a skill.
	inv := skills.NewInvoker(sess, nil)
	calls, err := sess.ParseCommand("/mcp__office__review main.go 'data races'")
	if err != nil {
		return err
	}
	for _, c := range append(calls, skills.Call{Name: "office:release-notes", Args: "v1.2", Caller: skills.CallerModel}) {
		out, err := inv.Invoke(ctx, c)
		if err != nil {
			return err
		}
		fmt.Fprintf(w, "\n== %s %s, by the %s\n\n%s\n", c.Name, c.Args, c.Caller, strings.TrimSpace(skills.Text(out.(*skills.Inline).Content)))
	}

	// 4. A client without skills of its own has the tool.
	for _, name := range []string{"review", "secret-menu"} {
		res, err := conn.CallTool(ctx, &mcp.CallToolParams{Name: "Skill", Arguments: map[string]any{"skill": name, "args": "main.go"}})
		if err != nil {
			return err
		}
		fmt.Fprintf(w, "\n== the tool Skill with %s, error: %t\n\n%s\n", name, res.IsError, strings.TrimSpace(skills.Text([]skills.Block{block(res.Content[0])})))
	}

	// 5. The first host gets a skill more; the second hears of it.
	heard := make(chan skills.Change, 10)
	defer ours.Subscribe(func(c skills.Change) { heard <- c })()
	_, err = theirs.Register(ctx, skills.StaticSource(skills.SourceInfo{ID: "more", Origin: skills.OriginAdditional}, &skills.Skill{
		Name: "standup", Description: "Sum up what was done since yesterday",
		Content: skills.Content{Read: func(context.Context) ([]byte, error) { return []byte("Sum up the work of the last day."), nil }},
	}))
	if err != nil {
		return err
	}
	select {
	case change := <-heard:
		fmt.Fprintf(w, "\n== a notification later: added %s\n", strings.Join(change.Added, ", "))
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
