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

// A program with tools of its own names them, and says that there are no
// others. The name under ToolSkill is that of the tool it offers the model.
func ExampleHost_only() {
	ctx := context.Background()
	const skillTool = "run_recipe"
	reg, err := skills.Open(ctx, &skills.Options{
		Locations: skills.Locations{NoDisk: true},
		Sources: []skills.Source{bundled.Source(&bundled.Options{
			Host: bundled.Host{
				Product: "Acme Pilot",
				Tools:   map[string]string{bundled.ToolSkill: skillTool, bundled.ToolShell: "run"},
				Only:    true,
			},
			Features: []string{bundled.FeatureTriggers},
		})},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer reg.Close()
	sess := reg.NewSession("main", nil)
	lister := skills.NewLister(sess, &skills.ListerOptions{ToolName: skillTool})
	tool, _ := lister.Tools()
	fmt.Println("offers the tool", tool.Name)

	out, err := skills.NewInvoker(sess, nil).Invoke(ctx, skills.Call{Name: "loop", Args: "5m look at the build", Caller: skills.CallerUser})
	if err != nil {
		fmt.Println(err)
		return
	}
	text := skills.Text(out.(*skills.Inline).Content)
	fmt.Println("speaks of CronCreate:", strings.Contains(text, "CronCreate"))
	fmt.Println("speaks of the host's scheduler:", strings.Contains(text, "the host's scheduler"))
	// Output:
	// offers the tool run_recipe
	// speaks of CronCreate: false
	// speaks of the host's scheduler: true
}

// A command line tool says why a skill is not there.
func ExampleOptions_Missing() {
	o := &bundled.Options{Features: []string{bundled.FeatureTriggers, bundled.FeatureInternal}}
	for _, i := range o.Missing() {
		fmt.Printf("%s needs %s\n", i.Name, i.Needs())
	}
	// Output:
	// claude-api needs feature "api-guide"
	// claude-in-chrome needs check "browser"
	// dream needs feature "memory" or "memory-consolidation"
	// hunter needs feature "review-artifact"
	// run-skill-generator needs feature "skill-generator"
	// schedule needs feature "remote-triggers"
}
