package bundled_test

import (
	"context"
	"fmt"
	"strings"

	"github.com/seed-12b313d8/skills"
	"github.com/seed-12b313d8/skills/bundled"
)

func ExampleSource() {
	ctx := context.Background()
	browser := false
	reg, err := skills.Open(ctx, &skills.Options{
		Locations: skills.Locations{NoDisk: true},
		Sources: []skills.Source{bundled.Source(&bundled.Options{
			Host: bundled.Host{
				Product: "Acme Pilot",
				Tools:   map[string]string{bundled.ToolSubAgent: "delegate", bundled.ToolAskUser: "-"},
			},
			Features: []string{bundled.FeatureTriggers},
			Checks:   map[string]func() bool{bundled.CheckBrowser: func() bool { return browser }},
		})},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer reg.Close()
	sess := reg.NewSession("main", nil)
	for s := range sess.Skills(skills.CallerModel) {
		fmt.Println(s.Name)
	}

	out, err := skills.NewInvoker(sess, nil).Invoke(ctx, skills.Call{Name: "loop", Args: "5m /check", Caller: skills.CallerUser})
	if err != nil {
		fmt.Println(err)
		return
	}
	for line := range strings.Lines(skills.Text(out.(*skills.Inline).Content)) {
		if strings.HasPrefix(line, "The user wants") || strings.HasPrefix(line, "> ") {
			fmt.Print(line)
		}
	}
	// Output:
	// keybindings
	// loop
	// lorem-ipsum
	// simplify
	// update-config
	// The user wants this, every **5m**:
	// > /check
}
