package skills_test

import (
	"context"
	"fmt"
	"strings"

	"github.com/seed-12b313d8/skills"
)

// deploys is a registry with one skill that wants a tool.
func deploys(o *skills.Options) *skills.Registry {
	o.Sources = append(o.Sources, skills.StaticSource(skills.SourceInfo{ID: "demo", Origin: skills.OriginBundled}, &skills.Skill{
		Name: "deploy", Description: "Deploys the service", AllowedTools: []string{"Bash(make deploy)"},
		Content: skills.Content{Read: func(context.Context) ([]byte, error) { return []byte("Deploy to $0."), nil }},
	}))
	reg, err := skills.Open(context.Background(), o)
	if err != nil {
		panic(err)
	}
	return reg
}

// The whole of a host in a few lines: find skills, tell the model, answer its
// call of the Skill tool.
func Example_host() {
	ctx := context.Background()
	reg, err := skills.Open(ctx, &skills.Options{Locations: skills.Locations{Project: "testdata/quickstart/project"}})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer reg.Close()
	sess := reg.NewSession("conversation-1", nil)
	lister := skills.NewLister(sess, &skills.ListerOptions{ContextWindow: 200_000})
	invoker := skills.NewInvoker(sess, nil)

	listing := lister.Next() // goes into the context before the model's turn
	lister.Commit(listing)
	fmt.Println(strings.Count(listing.Text, "\n- "), "skills told")

	call, err := skills.ParseToolCall([]byte(`{"skill": "docs:outline", "args": "README.md"}`)) // what the model sent
	if err != nil {
		fmt.Println(err)
		return
	}
	switch out, err := invoker.Invoke(ctx, call); o := out.(type) {
	case *skills.Inline:
		fmt.Println(skills.Text(o.Content)) // the tool's result
	case *skills.Fork:
		fmt.Println("a sub-agent gets", skills.Text(o.Prompt))
	default:
		fmt.Println(err)
	}
	// Output:
	// 4 skills told
	// Outline the document README.md in at most ten headings.
}

// Confirm asks the user while the call waits.
func ExampleInvokerOptions_confirm() {
	reg := deploys(new(skills.Options))
	defer reg.Close()
	invoker := skills.NewInvoker(reg.NewSession("", nil), &skills.InvokerOptions{
		Confirm: func(_ context.Context, p *skills.Permit) (bool, error) {
			fmt.Printf("run %s? %s; it gets %s\n", p.Skill.Name, strings.Join(p.Reasons, ", "), p.Grants.AllowTools)
			return true, nil
		},
	})
	out, err := invoker.Invoke(context.Background(), skills.Call{Name: "deploy", Args: "staging"})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(skills.Text(out.(*skills.Inline).Content))
	// Output:
	// run deploy? it sets allowed-tools; it gets [Bash(make deploy)]
	// Deploy to staging.
}

// A question may be answered later, and on another server: the hash of what was
// approved travels, and other bytes ask again.
func ExamplePermit_Approve() {
	ctx := context.Background()
	reg := deploys(new(skills.Options))
	defer reg.Close()
	invoker := skills.NewInvoker(reg.NewSession("", nil), nil)
	call := skills.Call{Name: "deploy", Args: "staging"}

	permit, err := invoker.Permit(ctx, call)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println("asks:", permit.Ask)
	if _, err = invoker.Render(ctx, permit); err != nil {
		fmt.Println("refused until somebody says yes")
	}
	if _, err = invoker.Render(ctx, permit.Approve()); err == nil {
		fmt.Println("rendered")
	}

	call.Approved = permit.Hash // or so, in another process
	if permit, err = invoker.Permit(ctx, call); err == nil {
		fmt.Println("asks:", permit.Ask)
	}
	// Output:
	// asks: true
	// refused until somebody says yes
	// rendered
	// asks: false
}

// EndTurn drops what a skill changed for one turn only, at the next user message.
func ExampleModifier_EndTurn() {
	inForce := []skills.Modifier{
		{Owner: "commit", AllowTools: []string{"Bash(git *)"}, Model: "small"},
		{Owner: "guard", Hooks: map[string]any{"PreToolUse": "check"}},
	}
	var rest []skills.Modifier
	for _, m := range inForce {
		if m, ok := m.EndTurn(); ok {
			rest = append(rest, m)
		}
	}
	for _, m := range rest {
		fmt.Println(m.Owner, len(m.Hooks), m.AllowTools)
	}
	// Output:
	// guard 1 []
}

// Observe sees each invocation once, and no argument.
func ExampleOptions_observe() {
	reg := deploys(&skills.Options{Observe: func(r skills.Record) {
		fmt.Printf("%s by the %s: %s, %d characters\n", r.Skill, r.Caller, r.Kind, r.Chars)
	}})
	defer reg.Close()
	invoker := skills.NewInvoker(reg.NewSession("", nil), nil)
	for _, c := range []skills.Caller{skills.CallerUser, skills.CallerModel} {
		_, _ = invoker.Invoke(context.Background(), skills.Call{Name: "deploy", Args: "staging", Caller: c})
	}
	// Output:
	// deploy by the user: inline, 18 characters
	// deploy by the model: needs-permission, 0 characters
}

// Ignored decides which folders nested discovery passes over.
func ExampleIgnoreFunc() {
	var ignored skills.IgnoreFunc = func(_ context.Context, _ string, dirs []string) ([]bool, error) {
		out := make([]bool, len(dirs))
		for i, dir := range dirs {
			out[i] = dir == "services" || strings.HasPrefix(dir, "services/")
		}
		return out, nil
	}
	reg, err := skills.Open(context.Background(), &skills.Options{
		Locations: skills.Locations{Project: "testdata/quickstart/project"}, Ignored: ignored,
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer reg.Close()
	found := reg.NewSession("", nil).Touch(context.Background(), "services/api/db/schema.go")
	fmt.Println(len(found.Discovered), "nested skills")
	// Output:
	// 0 nested skills
}

// A Searcher puts another engine behind the search; the library still hides
// what the session may not see.
func ExampleSearchFunc() {
	reg := deploys(&skills.Options{
		Searcher: func(_ context.Context, in *skills.Session, query string, _ int) ([]skills.Hit, error) {
			var hits []skills.Hit
			for s := range in.Skills(skills.CallerModel) {
				if strings.Contains(s.Description, query) {
					hits = append(hits, skills.Hit{Name: s.Name, Description: s.Description, Origin: s.Origin, Score: 1})
				}
			}
			return append(hits, skills.Hit{Name: "nobody knows it", Score: 2}), nil
		},
	})
	defer reg.Close()
	answer, err := reg.NewSession("", nil).SearchTool(context.Background(), []byte(`{"query": "service"}`))
	fmt.Println(answer, err)
	// Output:
	// deploy: Deploys the service <nil>
}

// shelf is a Catalog of one skill.
type shelf struct{}

func (shelf) Find(context.Context, string, int) ([]skills.Hit, error) {
	return []skills.Hit{{Name: "haiku", Description: "Writes a haiku"}}, nil
}

func (shelf) Get(context.Context, string) ([]byte, error) {
	return []byte("Three lines: 5, 7, 5 syllables. $ARGUMENTS stays as it is."), nil
}

// Skills of a Catalog can be called once a search of the session has found them.
// Package remote has a Catalog over HTTP.
func ExampleCatalog() {
	ctx := context.Background()
	reg, err := skills.Open(ctx, &skills.Options{Catalog: shelf{}})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer reg.Close()
	sess := reg.NewSession("", nil)
	invoker := skills.NewInvoker(sess, nil)
	_, err = invoker.Invoke(ctx, skills.Call{Name: "_canonical_haiku"})
	fmt.Println(err)
	hits, err := sess.Search(ctx, "poem", 5)
	fmt.Println(hits[0].Name, err)
	out, err := invoker.Invoke(ctx, skills.Call{Name: hits[0].Name, Args: "autumn"})
	if err == nil {
		fmt.Println(skills.Text(out.(*skills.Inline).Content))
	}
	// Output:
	// skills: _canonical_haiku: this remote skill was not found by a search of this session; search for it first
	// _canonical_haiku <nil>
	// Three lines: 5, 7, 5 syllables. $ARGUMENTS stays as it is.
}
