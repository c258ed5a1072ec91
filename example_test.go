package skills_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing/fstest"

	"github.com/seed-12b313d8/skills"
)

// memory is a skills directory that examples need no disk for.
func memory() skills.Source {
	return skills.FSSource(skills.SourceInfo{ID: "memory", Origin: skills.OriginUser}, fstest.MapFS{
		"commit/SKILL.md": {Data: []byte("---\ndescription: Commit the staged changes\nallowed-tools: Bash(git commit *)\n---\nCommit with the subject: $ARGUMENTS\n")},
		"review/SKILL.md": {Data: []byte("---\ndescription: Review a branch\ncontext: fork\n---\nReview $0 and report.\n")},
	}, nil)
}

// One turn of a host: the model is told what is new, and calls a skill.
func Example() {
	ctx := context.Background()
	reg, err := skills.Open(ctx, &skills.Options{Sources: []skills.Source{memory()}})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer reg.Close()
	sess := reg.NewSession("main", nil)

	lister := skills.NewLister(sess, &skills.ListerOptions{ContextWindow: 200_000})
	listing := lister.Next()
	fmt.Println(listing.Text)
	lister.Commit(listing) // the host put it into the context
	fmt.Printf("still to tell: %q\n\n", lister.Next().Text)

	inv := skills.NewInvoker(sess, &skills.InvokerOptions{
		Confirm: func(_ context.Context, p *skills.Permit) (bool, error) {
			fmt.Println("may it?", p.Skill.Name, p.Grants.AllowTools)
			return true, nil
		},
	})
	call, err := skills.ParseToolCall(json.RawMessage(`{"skill": "commit", "args": "Fix paging"}`))
	if err != nil {
		fmt.Println(err)
		return
	}
	out, err := inv.Invoke(ctx, call)
	var refused *skills.Error
	if errors.As(err, &refused) {
		fmt.Println(refused.ForModel())
		return
	}
	switch o := out.(type) {
	case *skills.Inline:
		fmt.Print(skills.Text(o.Content))
		fmt.Println(o.Modifier.Apply(skills.Settings{}).AllowTools)
	case *skills.Fork:
		fmt.Println(o.Agent)
	}
	// Output:
	// <system-reminder>
	// These skills can be run with the Skill tool:
	//
	// - commit: Commit the staged changes
	// - review: Review a branch
	// </system-reminder>
	// still to tell: ""
	//
	// may it? commit [Bash(git commit *)]
	// Commit with the subject: Fix paging
	// [Bash(git commit *)]
}

// A fork is run by the host; only its result comes back.
func ExampleFork() {
	ctx := context.Background()
	reg, err := skills.Open(ctx, &skills.Options{Sources: []skills.Source{memory()}})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer reg.Close()
	sess := reg.NewSession("main", nil)
	calls, err := sess.ParseCommand("/review paging")
	if err != nil {
		fmt.Println(err)
		return
	}
	out, err := skills.NewInvoker(sess, nil).Invoke(ctx, calls[0])
	if err != nil {
		fmt.Println(err)
		return
	}
	fork := out.(*skills.Fork)
	sub := sess.Child("sub-1", fork) // the sub-agent's own session
	_, err = skills.NewInvoker(sub, nil).Invoke(ctx, skills.Call{Name: "review"})
	fmt.Print(fork.Agent, ": ", skills.Text(fork.Prompt))
	fmt.Println("itself again:", errors.Is(err, skills.CodeRecursion))
	fmt.Println(skills.Text(fork.Result("No findings.")))
	// Output:
	// general-purpose: Review paging and report.
	// itself again: true
	// The skill review ran in a sub-agent and reports:
	//
	// No findings.
}

// A program can make skills of its own.
func ExampleStaticSource() {
	src := skills.StaticSource(skills.SourceInfo{ID: "mine", Origin: skills.OriginBundled}, &skills.Skill{
		Name: "greet", Description: "Greets somebody",
		Content: skills.Content{Prompt: func(_ context.Context, p skills.PromptContext) ([]skills.Block, error) {
			return []skills.Block{{Text: fmt.Sprintf("Greet %s in three words.", p.Words[0])}}, nil
		}},
	})
	reg, err := skills.Open(context.Background(), &skills.Options{Sources: []skills.Source{src}})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer reg.Close()
	inv := skills.NewInvoker(reg.NewSession("main", nil), nil)
	out, err := inv.Invoke(context.Background(), skills.Call{Name: "greet", Args: "Ada"})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(skills.Text(out.(*skills.Inline).Content))
	// Output: Greet Ada in three words.
}

// Touching a file unlocks the skills whose paths match it.
func ExampleSession_Touch() {
	dir, err := os.MkdirTemp("", "skills")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)
	skill := filepath.Join(dir, ".claude/skills/go-tests")
	if err := os.MkdirAll(skill, 0o755); err != nil {
		fmt.Println(err)
		return
	}
	text := "---\ndescription: Write Go tests\npaths: \"**/*.go\"\n---\n"
	if err := os.WriteFile(filepath.Join(skill, "SKILL.md"), []byte(text), 0o644); err != nil {
		fmt.Println(err)
		return
	}
	reg, err := skills.Open(context.Background(), &skills.Options{Locations: skills.Locations{Project: dir}})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer reg.Close()
	sess := reg.NewSession("main", nil)
	fmt.Println(sess.Explain("go-tests").Hidden[skills.CallerModel])
	for _, s := range sess.Touch(context.Background(), "cmd/main.go").Unlocked {
		fmt.Println("unlocked", s.Name)
	}
	// Output:
	// [it is locked until a file matching **/*.go is touched]
	// unlocked go-tests
}

// Rules decide what may run without a question.
func ExampleParseRules() {
	deny, err := skills.ParseRules("Skill(deploy:*)")
	if err != nil {
		fmt.Println(err)
		return
	}
	reg, err := skills.Open(context.Background(), &skills.Options{
		Sources: []skills.Source{memory()},
		Policy:  skills.Policy{Deny: deny}, // no session can weaken it
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer reg.Close()
	_, err = skills.ParseRules("Skill(")
	fmt.Println(deny[0], errors.Is(err, skills.CodeInvalid))
	// Output: Skill(deploy:*) true
}
