package main

import (
	"context"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"github.com/seed-12b313d8/skills"
)

// listJSON is what there is as --json prints it.
type listJSON struct {
	Skills   []skillJSON    `json:"skills"`
	Shadowed []skillJSON    `json:"shadowed"`
	Issues   []skills.Issue `json:"issues"`
}

// list prints all skills, those that are shadowed, and the issues.
func list(ctx context.Context, a *app, _ []string) error {
	c, err := a.converse(ctx)
	if err != nil {
		return err
	}
	defer c.close()
	snap := c.reg.Snapshot()
	l := listJSON{Skills: []skillJSON{}, Shadowed: []skillJSON{}, Issues: list0(append(snap.Issues(), c.issues...))}
	for s := range c.Skills(skills.CallerHost) { // a host sees what is hidden, too
		l.Skills = append(l.Skills, skillOf(s))
	}
	for s := range snap.Shadowed() {
		l.Shadowed = append(l.Shadowed, skillOf(s))
	}
	if a.flags.json {
		writeJSON(a.out, l)
		return nil
	}
	a.printSkills(l.Skills)
	if len(l.Shadowed) > 0 {
		fmt.Fprintln(a.out, "\nShadowed by a skill of the same name:")
		a.printSkills(l.Shadowed)
	}
	printIssues(a.out, l.Issues)
	return nil
}

// describedWidth is how much of a description a list shows, in characters.
const describedWidth = 60

func (a *app) printSkills(all []skillJSON) {
	if len(all) == 0 {
		fmt.Fprintln(a.out, "No skills found.")
		return
	}
	g := grid{limits: []int{nameLimit, 0, 0, 0}}
	for _, s := range all {
		g.add(part{s.Name, plain}, part{string(s.Origin), plain}, part{marks(s), plain}, part{short(s.Description, describedWidth), plain})
	}
	g.print(a.canvas)
}

// marks says in a few words what is special about a skill.
func marks(s skillJSON) string {
	var m []string
	if s.DisableModelInvocation && s.DisableUserInvocation {
		return "nobody may run it"
	}
	for _, x := range []struct {
		on   bool
		word string
	}{
		{s.Mode == skills.ModeFork, "fork"},
		{len(s.Paths) > 0, "conditional"},
		{s.DisableModelInvocation, "user only"},
		{s.DisableUserInvocation, "model only"},
		{s.Degraded, "degraded"},
	} {
		if x.on {
			m = append(m, x.word)
		}
	}
	return strings.Join(m, ", ")
}

// short folds text to one line of at most n characters.
func short(text string, n int) string {
	r := []rune(strings.Join(strings.Fields(text), " "))
	if len(r) <= n {
		return string(r)
	}
	return string(r[:n-1]) + "…"
}

func printIssues(w io.Writer, issues []skills.Issue) {
	if len(issues) == 0 {
		return
	}
	fmt.Fprintln(w, "\nIssues:")
	for _, i := range issues {
		fmt.Fprintf(w, "  %s [%s] %s\n", i.Severity, string(i.Code), i)
	}
}

// show prints one skill with its body.
func show(ctx context.Context, a *app, args []string) error {
	c, err := a.converse(ctx)
	if err != nil {
		return err
	}
	defer c.close()
	s, err := a.find(ctx, c, args[0])
	if err != nil {
		return err
	}
	out := skillOf(s)
	if err := out.addBody(ctx, s); err != nil {
		return err
	}
	if a.flags.json {
		writeJSON(a.out, out)
		return nil
	}
	printSkill(a.out, out)
	printIssues(a.out, c.Explain(s.Name).Issues)
	return nil
}

// addBody adds the text of s, or says that it is made at the invocation: what
// one without arguments gives may be no more than a question for them.
func (j *skillJSON) addBody(ctx context.Context, s *skills.Skill) (err error) {
	var body string
	if j.Dynamic = s.Content.Prompt != nil; !j.Dynamic {
		body, err = s.Body(ctx)
	}
	j.Body = &body
	return err
}

func printSkill(w io.Writer, s skillJSON) {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for _, f := range []struct{ key, value string }{
		{"name", s.Name},
		{"display name", s.DisplayName},
		{"origin", string(s.Origin)},
		{"path", s.Path},
		{"special", marks(s)},
		{"description", short(s.Description, 200)},
		{"when to use", short(s.WhenToUse, 200)},
		{"argument hint", s.ArgumentHint},
		{"arguments", strings.Join(s.Arguments, " ")},
		{"aliases", strings.Join(s.Aliases, ", ")},
		{"paths", strings.Join(s.Paths, ", ")},
		{"agent", s.Agent},
		{"model", s.Model},
		{"effort", s.Effort},
		{"allowed tools", strings.Join(s.AllowedTools, ", ")},
		{"disallowed tools", strings.Join(s.DisallowedTools, ", ")},
		{"version", s.Version},
		{"hooks", map[bool]string{true: "yes"}[s.Hooks]},
	} {
		if f.value != "" {
			fmt.Fprintf(t, "%s\t%s\n", f.key, f.value)
		}
	}
	t.Flush()
	if s.Dynamic {
		fmt.Fprintln(w, "\nThe text is made at the invocation, from its arguments and the moment; skillctl invoke shows one.")
		return
	}
	fmt.Fprintf(w, "\n%s", *s.Body)
}
