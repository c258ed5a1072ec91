package main

import (
	"context"
	"fmt"
	"strings"

	"github.com/seed-12b313d8/skills"
	"github.com/seed-12b313d8/skills/osshell"
)

// outcomeJSON is an outcome as --json prints it.
type outcomeJSON struct {
	Kind       string         `json:"kind"`
	Content    string         `json:"content"`
	Agent      string         `json:"agent"`
	Background bool           `json:"background"`
	Modifier   modifierJSON   `json:"modifier"`
	Permission permissionJSON `json:"permission"`
	Issues     []skills.Issue `json:"issues"`
}

type modifierJSON struct {
	AllowTools []string `json:"allow_tools"`
	DenyTools  []string `json:"deny_tools"`
	Model      string   `json:"model"`
	Effort     string   `json:"effort"`
}

type permissionJSON struct {
	Decision string `json:"decision"`
	Reason   string `json:"reason"`
}

// invoke prints what an invocation gives.
func invoke(ctx context.Context, a *app, args []string) error {
	c, err := a.converse(ctx)
	if err != nil {
		return err
	}
	defer c.close()
	inv := a.invoker(c.Session)
	p, err := inv.Permit(ctx, skills.Call{
		Name: args[0], Args: strings.Join(args[1:], " "), Caller: skills.Caller(a.flags.caller),
	})
	if err != nil {
		return a.advised(ctx, c, args[0], err)
	}
	perm := permissionJSON{"allow", strings.Join(p.Reasons, "; ")}
	if p.Ask {
		perm.Decision = "ask"
	}
	if a.flags.yes {
		p = p.Approve()
	}
	if p.Ask {
		return a.needsPermission(p)
	}
	out, err := inv.Render(ctx, p)
	if err != nil {
		return err
	}
	o := outcomeOf(out, perm, c.issues)
	a.adviseShell(o.Issues, p.Skill)
	a.adviseGrants(o.Issues, p.Skill)
	a.printOutcome(o)
	return nil
}

// invoker returns what renders skills: with --shell it runs their commands,
// if they are trusted.
func (a *app) invoker(sess *skills.Session) *skills.Invoker {
	var o skills.InvokerOptions
	if a.flags.shell {
		o.Shell = osshell.New(nil)
	}
	return skills.NewInvoker(sess, &o)
}

// needsPermission is the error of a call that nobody has approved.
func (a *app) needsPermission(p *skills.Permit) error {
	hint := "add --yes, or run it as --caller user"
	if len(a.flags.ask) == 0 { // a rule that asks beats one that allows
		hint = fmt.Sprintf("add --yes or --allow '%s', or run it as --caller user", p.Suggest[0])
	}
	return &skills.Error{Issue: skills.Issue{
		Code: skills.CodeNeedsPermission, Severity: "error", Skill: p.Skill.Name, Path: p.Skill.Path,
		Msg: "the skill needs permission: " + strings.Join(p.Reasons, "; "), Hint: hint,
	}}
}

// adviseShell says which flag is missing where a command was not run.
func (a *app) adviseShell(issues []skills.Issue, s *skills.Skill) {
	hint := ""
	switch {
	case s.Trusted:
		hint = "add --shell to run it"
	case a.ofProject(s):
		hint = "read it, then add --trust-project and --shell to run it"
	}
	for i := range issues {
		if issues[i].Code == "shell-disabled" && issues[i].Hint == "" {
			issues[i].Hint = hint
		}
	}
}

// adviseGrants says which flag is missing where tools were withheld.
func (a *app) adviseGrants(issues []skills.Issue, s *skills.Skill) {
	hint := "add --yes to grant them to this call"
	if a.ofProject(s) {
		hint += ", or --trust-project to trust all of the project's skills"
	}
	for i := range issues {
		if issues[i].Code == "grants-withheld" {
			issues[i].Hint = hint
		}
	}
}

// ofProject reports whether --trust-project would make s trusted.
func (a *app) ofProject(s *skills.Skill) bool {
	return !s.Trusted && !s.Degraded && !a.flags.trustProject && (s.Origin == skills.OriginProject || s.Origin == skills.OriginLegacy)
}

func outcomeOf(out skills.Outcome, perm permissionJSON, issues []skills.Issue) outcomeJSON {
	o := outcomeJSON{Permission: perm}
	var m skills.Modifier
	switch x := out.(type) {
	case *skills.Inline:
		o.Kind, o.Content, m = "inline", skills.Text(x.Content), x.Modifier
		issues = append(issues, x.Issues...)
	case *skills.Fork:
		o.Kind, o.Content, m = "fork", skills.Text(x.Prompt), x.Modifier
		o.Agent, o.Background = x.Agent, x.Background
		issues = append(issues, x.Issues...)
	}
	o.Modifier = modifierJSON{list0(m.AllowTools), list0(m.DenyTools), m.Model, m.Effort}
	o.Issues = list0(issues)
	return o
}

func (a *app) printOutcome(o outcomeJSON) {
	if a.flags.json {
		writeJSON(a.out, o)
		return
	}
	fmt.Fprintf(a.out, "%s", o.Kind)
	if o.Kind == "fork" {
		fmt.Fprintf(a.out, " for agent %s", o.Agent)
		if o.Background {
			fmt.Fprint(a.out, ", in the background")
		}
	}
	fmt.Fprintf(a.out, "\npermission: %s (%s)\n", o.Permission.Decision, o.Permission.Reason)
	for _, f := range []struct{ key, value string }{
		{"allow tools", strings.Join(o.Modifier.AllowTools, ", ")},
		{"deny tools", strings.Join(o.Modifier.DenyTools, ", ")},
		{"model", o.Modifier.Model},
		{"effort", o.Modifier.Effort},
	} {
		if f.value != "" {
			fmt.Fprintf(a.out, "%s: %s\n", f.key, f.value)
		}
	}
	fmt.Fprintf(a.out, "\n%s\n", strings.TrimRight(o.Content, "\n"))
	printIssues(a.out, o.Issues)
}
