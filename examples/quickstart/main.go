// Quickstart walks the whole way of the data on a small tree of skills: what
// was found, what the model is told and what that costs, what a touched file
// unlocks, and what an inline and a forked invocation give.
//
//	go run ./examples/quickstart
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"text/tabwriter"

	"github.com/seed-12b313d8/skills"
)

func main() {
	tree := flag.String("tree", "testdata/quickstart", "directory with managed, home and project")
	flag.Parse()
	if err := run(context.Background(), os.Stdout, *tree); err != nil {
		fmt.Fprintln(os.Stderr, "quickstart:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, w io.Writer, tree string) error {
	root, err := filepath.Abs(tree)
	if err != nil {
		return err
	}
	if _, err := os.Stat(root); err != nil {
		return fmt.Errorf("run it from the root of the repository, or give -tree: %w", err)
	}
	out := &tour{w: w, root: root}

	// 1. A registry finds the skills and settles which of them wins a name.
	reg, err := skills.Open(ctx, &skills.Options{Locations: skills.Locations{
		Managed: filepath.Join(root, "managed"),
		Home:    filepath.Join(root, "home"),
		Project: filepath.Join(root, "project"),
	}})
	if err != nil {
		return err
	}
	defer reg.Close()
	out.sources(reg.Snapshot())

	// 2. A session is one conversation; a lister says what its model is told.
	sess := reg.NewSession("quickstart", nil)
	lister := skills.NewLister(sess, &skills.ListerOptions{Budget: 420})
	listing := lister.Next()
	out.listing(listing)
	lister.Commit(listing) // it is in the context now

	// 3. The work touches a file: a skill unlocks, another is discovered.
	out.touch(sess.Touch(ctx, "services/api/db/schema.go"))
	listing = lister.Next()
	out.listing(listing)
	lister.Commit(listing)

	// 4. The model asks for a skill that wants tools: the user is asked.
	inv := skills.NewInvoker(sess, &skills.InvokerOptions{
		Confirm: func(_ context.Context, p *skills.Permit) (bool, error) {
			out.printf("May %s run? %s. It asks for %s. Yes.\n\n", p.Skill.Name, strings.Join(p.Reasons, "; "), strings.Join(p.Grants.AllowTools, ", "))
			return true, nil
		},
	})
	for _, call := range []skills.Call{
		{Name: "commit", Args: "Fix the off-by-one in paging", Caller: skills.CallerModel},
		{Name: "review-branch", Args: "paging main", Caller: skills.CallerModel},
		{Name: "deploy", Args: "staging", Caller: skills.CallerModel},
		{Name: "deploy", Args: "staging", Caller: skills.CallerUser},
	} {
		out.invoke(ctx, inv, call)
	}
	return out.err
}

// A tour prints what happens, with the tree's own path left out.
type tour struct {
	w    io.Writer
	root string
	err  error
}

func (t *tour) printf(format string, args ...any) {
	text := strings.ReplaceAll(fmt.Sprintf(format, args...), t.root+string(filepath.Separator), "")
	if _, err := io.WriteString(t.w, filepath.ToSlash(text)); err != nil && t.err == nil {
		t.err = err
	}
}

func (t *tour) heading(text string) { t.printf("\n== %s\n\n", text) }

func (t *tour) sources(snap *skills.Snapshot) {
	t.heading("What was found")
	var b strings.Builder
	tab := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	for s := range snap.All() {
		fmt.Fprintf(tab, "%s\t%s\t%s\n", s.Name, s.Origin, s.Path)
	}
	for s := range snap.Shadowed() {
		fmt.Fprintf(tab, "(%s)\t%s\t%s\n", s.Name, s.Origin, s.Path)
	}
	tab.Flush()
	t.printf("%s\n", b.String())
	for _, i := range snap.Issues() {
		if i.Severity != "info" {
			t.printf("%s: %s\n", i.Severity, i)
		}
	}
}

func (t *tour) listing(l *skills.Listing) {
	t.heading("What the model is told")
	t.printf("%s\n\n", l.Text)
	r := l.Report
	t.printf("%d of %d characters, tier %s:", r.Used, r.Budget, r.Tier)
	for _, e := range r.Entries {
		t.printf(" %s=%s/%d", e.Name, e.State, e.Chars)
	}
	t.printf("\n")
}

func (t *tour) touch(a skills.Activation) {
	t.heading("services/api/db/schema.go was touched")
	for _, s := range a.Unlocked {
		t.printf("unlocked %s\n", s.Name)
	}
	for _, s := range a.Discovered {
		t.printf("discovered %s in %s\n", s.Name, s.Path)
	}
}

func (t *tour) invoke(ctx context.Context, inv *skills.Invoker, c skills.Call) {
	t.heading(fmt.Sprintf("The %s runs %s %q", c.Caller, c.Name, c.Args))
	out, err := inv.Invoke(ctx, c)
	var refused *skills.Error
	if errors.As(err, &refused) {
		t.printf("refused: %s\n", refused.ForModel())
		return
	}
	switch o := out.(type) {
	case *skills.Inline:
		t.printf("%s\n", strings.TrimRight(skills.Text(o.Content), "\n"))
		t.modifier(o.Modifier)
		t.issues(o.Issues)
	case *skills.Fork:
		t.printf("A sub-agent of kind %s gets:\n\n%s\n", o.Agent, strings.TrimRight(skills.Text(o.Prompt), "\n"))
		t.modifier(o.Modifier)
		t.printf("\nand the conversation gets back:\n\n%s\n", skills.Text(o.Result("Two findings, both minor.")))
	}
}

func (t *tour) modifier(m skills.Modifier) {
	if len(m.AllowTools) > 0 {
		t.printf("\nuntil the next user message these tools are granted: %s\n", strings.Join(m.AllowTools, ", "))
	}
}

func (t *tour) issues(issues []skills.Issue) {
	for _, i := range issues {
		t.printf("\n%s: %s\n", i.Severity, i)
	}
}
