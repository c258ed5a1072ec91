package mcpskills_test

import (
	"context"
	"fmt"

	"github.com/seed-12b313d8/skills"
	"github.com/seed-12b313d8/skills/mcpskills"
)

// A tracker stands for the connection to an MCP server.
type tracker struct{}

func (tracker) ListPrompts(context.Context) ([]mcpskills.Prompt, error) {
	return []mcpskills.Prompt{{
		Name: "plan sprint", Description: "Plans the next sprint",
		Parameters: []mcpskills.Parameter{{Name: "team", Required: true}, {Name: "goal"}},
	}}, nil
}

func (tracker) GetPrompt(_ context.Context, name string, args map[string]string) ([]skills.Block, error) {
	return []skills.Block{{Text: fmt.Sprintf("%s for %s: %s.", name, args["team"], args["goal"])}}, nil
}

func ExampleSource() {
	ctx := context.Background()
	reg, err := skills.Open(ctx, &skills.Options{
		Locations: skills.Locations{NoDisk: true},
		Sources:   []skills.Source{mcpskills.Source("tracker", tracker{}, nil)},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer reg.Close()
	sess := reg.NewSession("main", nil)
	inv := skills.NewInvoker(sess, nil)
	for _, item := range sess.Menu("mcp__tracker") {
		fmt.Println("/"+item.Name, item.ArgumentHint)
	}
	for _, typed := range []string{"/mcp__tracker__plan_sprint", "/mcp__tracker__plan_sprint core 'fewer bugs'"} {
		calls, err := sess.ParseCommand(typed)
		if err != nil {
			fmt.Println(err)
			return
		}
		out, err := inv.Invoke(ctx, calls[0])
		if err != nil {
			fmt.Println(err)
			continue
		}
		fmt.Println(skills.Text(out.(*skills.Inline).Content))
	}
	// Output:
	// /mcp__tracker__plan_sprint <team> [goal]
	// skills: mcp__tracker__plan_sprint: arguments: the required argument team is missing; usage: /mcp__tracker__plan_sprint <team> [goal]
	// plan sprint for core: fewer bugs.
}
