package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/seed-12b313d8/skills"
	"github.com/seed-12b313d8/skills/mcpskills"
)

// A connection is one MCP server whose prompts and skills are in a registry.
type connection struct {
	*mcp.ClientSession
	stop context.CancelFunc
	done chan struct{}
}

// connect connects to the server behind t and registers it under name. Whenever
// the server says that a list has changed, its source is reloaded. Connecting
// again under the same name replaces what was there, in one publish.
func connect(ctx context.Context, reg *skills.Registry, name string, t mcp.Transport, o *mcpskills.Options) (*connection, error) {
	changed := make(chan struct{}, 1)
	note := func() {
		select {
		case changed <- struct{}{}:
		default: // a reload is due already
		}
	}
	client := mcp.NewClient(&mcp.Implementation{Name: "skills-example", Version: "1"}, &mcp.ClientOptions{
		PromptListChangedHandler:   func(context.Context, *mcp.PromptListChangedRequest) { note() },
		ResourceListChangedHandler: func(context.Context, *mcp.ResourceListChangedRequest) { note() },
	})
	if err := mcp.AddSendingCustomMethod[*listParams, *listResult](client, methodList); err != nil {
		return nil, err
	}
	session, err := client.Connect(ctx, t, nil)
	if err != nil {
		return nil, fmt.Errorf("connect to %s: %w", name, err)
	}
	src := mcpskills.Source(name, lister{adapter{session}}, o)
	if _, err := reg.Register(ctx, src); err != nil && !errors.Is(err, skills.CodeUnreadable) {
		return nil, errors.Join(err, session.Close()) // one that is down now may be up at the next reload
	}
	ctx, stop := context.WithCancel(context.WithoutCancel(ctx))
	c := &connection{session, stop, make(chan struct{})}
	go func() {
		defer close(c.done)
		for {
			select {
			case <-changed:
				_, _ = reg.Reload(ctx, src.Info().ID) // what goes wrong is an issue of the snapshot
			case <-ctx.Done():
				return
			}
		}
	}()
	return c, nil
}

// Close ends the connection. What the server offered stays in the registry
// until it is unregistered.
func (c *connection) Close() error {
	c.stop()
	<-c.done
	return c.ClientSession.Close()
}
