package improve_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/seed-12b313d8/skills"
	"github.com/seed-12b313d8/skills/improve"
)

// A user states a preference while a skill is at work; it becomes part of the
// skill.
func Example() {
	ctx := context.Background()
	root, err := os.MkdirTemp("", "project-")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(root)
	file := filepath.Join(root, ".claude", "skills", "notes", "SKILL.md")
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		fmt.Println(err)
		return
	}
	if err := os.WriteFile(file, []byte("---\ndescription: Writes release notes\n---\n- One line for each change\n"), 0o644); err != nil {
		fmt.Println(err)
		return
	}
	reg, err := skills.Open(ctx, &skills.Options{Locations: skills.Locations{Project: root, NoManaged: true}})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer reg.Close()
	sess := reg.NewSession("main", nil)

	proposals := make(chan improve.Proposal, 1)
	imp := improve.New(sess, pretend, &improve.Options{
		Enabled: func() bool { return true },
		Every:   1,
		Propose: func(p improve.Proposal) { proposals <- p },
		Failed:  func(err error) { fmt.Println(err) },
	})
	defer imp.Close()

	_, err = skills.NewInvoker(sess, nil).Invoke(ctx, skills.Call{Name: "notes", Caller: skills.CallerUser})
	if err != nil {
		fmt.Println(err)
		return
	}
	imp.Observe([]improve.Message{
		{Role: "user", Text: "Write the notes. And always put breaking changes first."},
		{Role: "assistant", Text: "Here they are: …"},
	})
	p := <-proposals
	fmt.Printf("%s: %s (%s)\n", p.Skill.Name, p.Updates[0].Change, p.Updates[0].Reason)
	if err := imp.Apply(ctx, p); err != nil { // somebody said yes
		fmt.Println(err)
		return
	}
	text, err := os.ReadFile(file)
	fmt.Print(string(text))
	if err != nil {
		fmt.Println(err)
	}
	// Output:
	// notes: Put breaking changes first (the user always wants it)
	// ---
	// description: Writes release notes
	// ---
	// - One line for each change
	// - Breaking changes first
}

// pretend is a model that knows what it will be asked. A real one reads the
// prompt; this one only looks for the two lines between which a new text goes.
func pretend(_ context.Context, _, prompt string, _ float64) (string, error) {
	lines := regexp.MustCompile(`(?m)^<<<\w+ new text\n>>>\w+$`).FindString(prompt)
	if lines == "" {
		return `{"updates": [{"section": "", "change": "Put breaking changes first", "reason": "the user always wants it"}]}`, nil
	}
	return strings.Replace(lines, "\n", "\n- One line for each change\n- Breaking changes first\n", 1), nil
}

// New shell commands need a second yes.
func ExampleSpanChange() {
	change := &improve.SpanChange{Added: []string{"make test"}, Removed: []string{"make check"}}
	var err error = &skills.Error{Issue: skills.Issue{Code: skills.CodeNeedsPermission}, Err: change}
	fmt.Println(err.(*skills.Error).Unwrap())
	// Output: added: "make test", removed: "make check"
}
