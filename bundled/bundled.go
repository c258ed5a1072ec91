package bundled

import (
	"context"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"strings"

	"github.com/seed-12b313d8/skills"
)

//go:embed skills files
var embedded embed.FS

// The names of Options.Features.
const (
	FeatureInternal            = "internal"             // verify, skillify, remember, stuck
	FeatureMemory              = "memory"               // dream
	FeatureMemoryConsolidation = "memory-consolidation" // dream, too
	FeatureReviewArtifact      = "review-artifact"      // hunter
	FeatureTriggers            = "triggers"             // loop
	FeatureRemoteTriggers      = "remote-triggers"      // schedule
	FeatureAPIGuide            = "api-guide"            // claude-api
	FeatureSkillGenerator      = "skill-generator"      // run-skill-generator
)

// CheckBrowser is the check without which there is no claude-in-chrome.
const CheckBrowser = "browser"

// Options says which skills there are and what they say of their host. The
// zero value is usable: it has the skills that wait for no feature.
type Options struct {
	// Host is what the texts say about the program.
	Host Host
	// Features are the host's features, by the Feature constants; they never
	// change. The skills of a feature that is neither here nor in Checks do not
	// exist.
	Features []string
	// Skills are the names of the skills to include; nil includes all. A name
	// here opens no gate.
	Skills []string
	// Checks are asked whenever a skill would be used, so they must be cheap,
	// and safe for concurrent use. One under the name of a feature, or under
	// CheckBrowser, is that gate: it is as good as the name in Features while it
	// returns true. One under the name of a skill can switch that skill off.
	//
	// A panic counts as false, and so does no answer within a second (05 §1).
	// A check is not asked again before it has returned: uses at the same time
	// share the answer, and once that is overdue it counts as false at once. A
	// nil func is none.
	Checks map[string]func() bool
}

// sourceInfo is what every Source of this package is (05 §3).
func sourceInfo() skills.SourceInfo {
	return skills.SourceInfo{ID: "bundled", Origin: skills.OriginBundled}
}

// Source returns the bundled skills as a source with the ID "bundled" (05 §3).
// A nil o means zero options; o is copied. The texts are made here, once, so
// the source may serve many registries and every Load returns the same skills.
// Features, skills, checks and keys of Host that mean nothing become issues.
func Source(o *Options) skills.Source {
	c := o.clone()
	loaded := skills.Loaded{Issues: c.misnomers()}
	for _, e := range catalog() {
		if !c.includes(e) {
			continue
		}
		s, issues := c.load(e)
		loaded.Issues = append(loaded.Issues, issues...)
		if s != nil {
			loaded.Skills = append(loaded.Skills, s)
		}
	}
	return skills.SourceFunc(sourceInfo(), func(context.Context) (skills.Loaded, error) {
		return skills.Loaded{Skills: slices.Clone(loaded.Skills), Issues: slices.Clone(loaded.Issues)}, nil
	})
}

func (o *Options) clone() *Options {
	var c Options
	if o != nil {
		c = *o
	}
	c.Features, c.Skills, c.Checks = slices.Clone(c.Features), slices.Clone(c.Skills), maps.Clone(c.Checks)
	for name, f := range c.Checks {
		if f != nil {
			c.Checks[name] = bounded(f)
		}
	}
	c.Host.Tools, c.Host.Paths = maps.Clone(c.Host.Tools), maps.Clone(c.Host.Paths)
	return &c
}

// includes reports whether the skill of e exists: it is among those that were
// chosen, and its gate may be open.
func (o *Options) includes(e entry) bool {
	return (o.Skills == nil || slices.Contains(o.Skills, e.name)) && o.exists(e)
}

// exists reports whether a gate of e may ever be open.
func (o *Options) exists(e entry) bool {
	return len(e.gates) == 0 || slices.ContainsFunc(e.gates, func(g string) bool {
		return o.Checks[g] != nil || o.hasFeature(g)
	})
}

// hasFeature reports whether a gate is open for good. That of the browser never
// is: only asking tells.
func (o *Options) hasFeature(gate string) bool {
	return gate != CheckBrowser && slices.Contains(o.Features, gate)
}

// enabled returns the gate that is asked at each use, nil if there is nothing
// to ask.
func (o *Options) enabled(e entry) func() bool {
	own := o.Checks[e.name]
	var gates []func() bool
	if !slices.ContainsFunc(e.gates, o.hasFeature) {
		for _, g := range e.gates {
			if check := o.Checks[g]; check != nil {
				gates = append(gates, check)
			}
		}
	}
	if own == nil && len(gates) == 0 {
		return nil
	}
	return func() bool {
		open := len(gates) == 0 || slices.ContainsFunc(gates, func(f func() bool) bool { return f() })
		return open && (own == nil || own())
	}
}

// load makes one skill. It returns no skill if the embedded text is defective,
// which the tests rule out.
func (o *Options) load(e entry) (*skills.Skill, []skills.Issue) {
	t, doc, err := o.document(e)
	if err != nil {
		return nil, []skills.Issue{{
			Code: skills.CodeUnreadable, Severity: "error", Skill: e.name,
			Msg: fmt.Sprintf("the bundled text is defective: %v", err), Hint: "report it to the authors of package bundled",
		}}
	}
	layout := "skill"
	if e.prompt != nil {
		layout = "prompt"
	}
	s, issues := skills.Parse(doc, skills.ParseOptions{Name: e.name, Layout: layout, Source: sourceInfo()})
	s.DisableModelInvocation = s.DisableModelInvocation || e.userOnly
	s.Content.Enabled = o.enabled(e)
	if e.prompt != nil {
		s.Content.Read = nil
		s.Content.Prompt = unlessEnded(e.prompt(t, o.Host))
	}
	if e.files {
		s.Content.Files = func() (fs.FS, error) { return fs.Sub(embedded, "files/"+e.name) }
	}
	return s, issues
}

// document returns the text of e for this host, and the whole file with it.
func (o *Options) document(e entry) (text, []byte, error) {
	raw, err := embedded.ReadFile("skills/" + e.name + "/SKILL.md")
	if err != nil {
		return nil, nil, err
	}
	head, body, err := split(string(raw))
	if err != nil {
		return nil, nil, err
	}
	t, err := parseText(body, &o.Host, e.prompt == nil)
	if err != nil || e.prompt != nil {
		return t, []byte(head), err
	}
	filled, err := t.fill("", nil)
	return t, []byte(head + filled), err
}

// split parts a file behind its frontmatter, into which no value of a host is
// ever put.
func split(doc string) (head, body string, err error) {
	const mark = "---\n"
	end := strings.Index(doc, "\n"+mark)
	if !strings.HasPrefix(doc, mark) || end < 0 {
		return "", "", fmt.Errorf("there is no frontmatter: %.20q", doc)
	}
	end += 1 + len(mark)
	if strings.Contains(doc[:end], "{{") {
		return "", "", errors.New("the frontmatter holds a {{")
	}
	return doc[:end], doc[end:], nil
}

// misnomers reports names in the options that mean nothing: the feature or name
// meant would silently be missing.
func (o *Options) misnomers() []skills.Issue {
	var names, gates []string
	for _, e := range catalog() {
		names, gates = append(names, e.name), append(gates, e.gates...)
	}
	var out []skills.Issue
	report := func(field string, got, known []string) {
		for _, name := range got {
			if slices.Contains(known, name) {
				continue
			}
			out = append(out, skills.Issue{
				Code: skills.CodeInvalid, Severity: "warning", Field: field,
				Msg:  fmt.Sprintf("bundled: %s knows no %q", field, name),
				Hint: "use one of " + strings.Join(slices.Compact(slices.Sorted(slices.Values(known))), ", "),
			})
		}
	}
	features := slices.DeleteFunc(slices.Clone(gates), func(g string) bool { return g == CheckBrowser })
	report("Options.Features", o.Features, features)
	report("Options.Skills", o.Skills, names)
	report("Options.Checks", slices.Sorted(maps.Keys(o.Checks)), append(gates, names...))
	report("Host.Tools", unknown(o.Host.Tools, toolTerms()), keysOf(toolTerms()))
	report("Host.Paths", unknown(o.Host.Paths, pathTerms()), keysOf(pathTerms()))
	return out
}

func keysOf(terms []term) []string {
	var out []string
	for _, t := range terms {
		out = append(out, t.key)
	}
	return out
}
