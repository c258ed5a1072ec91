package skills

import (
	"cmp"
	"context"

	"github.com/seed-12b313d8/skills/internal/frontmatter"
	"github.com/seed-12b313d8/skills/internal/header"
)

// ParseOptions says what [Parse] cannot know from the document.
type ParseOptions struct {
	// Name is the invocation name: the folder's, or the command's path.
	Name string
	// Path goes into issues; it is not opened.
	Path string
	// Layout is "skill" or "command"; "" counts as "skill".
	Layout string
	// Source is where the skill comes from; it decides trust.
	Source SourceInfo
	// NumericEffort lets the effort field be an integer.
	NumericEffort bool
}

// Parse reads one document as every source does. It never fails: defects are
// issues and may leave the skill Degraded (01 §4). The skill's Content.Read
// returns doc, which must not change afterwards.
func Parse(doc []byte, o ParseOptions) (*Skill, []Issue) {
	var p header.Parser
	s, issues, _ := parseHead(&p, doc, true, o)
	s.Content.Read = func(context.Context) ([]byte, error) { return doc, nil }
	return s, issues
}

// parseHead parses the beginning of a file, or all of it if complete.
// needsBody says that the description was looked for in the body.
func parseHead(p *header.Parser, doc []byte, complete bool, o ParseOptions) (s *Skill, issues []Issue, needsBody bool) {
	text, defects := frontmatter.Decode(doc, complete)
	h, problems := p.Parse(text, complete, defects, header.Options{
		Name: o.Name, Command: o.Layout == layoutCommand, Labelled: o.Source.Owner != "", NumericEffort: o.NumericEffort,
	})
	for _, pr := range problems {
		issues = append(issues, Issue{
			Code: Code(pr.Code), Severity: severityOf(pr.Severity), Skill: o.Name,
			Path: o.Path, Line: pr.Line, Field: pr.Field, Msg: pr.Msg, Hint: pr.Hint,
		})
	}
	return newSkill(&h, o), issues, h.NeedsBody
}

func newSkill(h *header.Header, o ParseOptions) *Skill {
	s := &Skill{
		Name: o.Name, DisplayName: h.Name, Description: h.Description, WhenToUse: h.WhenToUse,
		ArgumentHint: h.ArgumentHint, Aliases: h.Aliases, Arguments: h.Arguments, Paths: h.Paths,
		AllowedTools: h.AllowedTools, DisallowedTools: h.DisallowedTools,
		Mode: ModeInline, Model: h.Model, Effort: h.Effort, Agent: h.Agent, Shell: h.Shell, Background: h.Background,
		DisableModelInvocation: h.DisableModelInvocation, DisableUserInvocation: h.DisableUserInvocation,
		Hooks: h.Hooks, Extra: h.Extra, Degraded: h.Degraded,
		Origin: o.Source.Origin, Source: o.Source.ID, Owner: o.Source.Owner, Trusted: o.Source.trusts() && !h.Degraded,
		Layout: cmp.Or(o.Layout, layoutSkill), Path: o.Path,
	}
	if h.Fork {
		s.Mode = ModeFork
	}
	return s
}

func severityOf(s header.Severity) string {
	return [...]string{header.Info: sevInfo, header.Warning: sevWarning, header.Error: sevError}[s]
}
