package main

import (
	"context"
	"slices"
	"strconv"
	"strings"

	"github.com/seed-12b313d8/skills"
)

// A matcher says which paths a list of patterns matches. The library shows
// that only by what a touch unlocks, so a matcher is a registry with one skill
// that has these patterns.
type matcher struct{ reg *skills.Registry }

// matcher returns the matcher of patterns in the project. Close it.
func (a *app) matcher(ctx context.Context, patterns []string) (*matcher, error) {
	loc, err := a.flags.locations()
	if err != nil {
		return nil, err
	}
	probe := &skills.Skill{Name: "probe", Description: "Is unlocked by the patterns.", Paths: patterns}
	reg, err := skills.Open(ctx, &skills.Options{
		Locations:          skills.Locations{Project: loc.Project, NoProject: true},
		Sources:            []skills.Source{skills.StaticSource(skills.SourceInfo{ID: "probe", Origin: skills.OriginUser}, probe)},
		CaseSensitivePaths: a.flags.caseSensitive,
	})
	if err != nil {
		return nil, err
	}
	return &matcher{reg}, nil
}

// match reports whether touching path unlocks a skill with the patterns.
func (m *matcher) match(ctx context.Context, path string) bool {
	sess := m.reg.NewSession("probe", nil) // a session unlocks a skill once
	return len(sess.Touch(ctx, path).Unlocked) > 0
}

func (m *matcher) close() { _ = m.reg.Close() } // which never fails

// parsePatterns reads values as the items of a paths field are read.
func parsePatterns(values []string) (patterns []string, issues []skills.Issue) {
	doc := "---\ndescription: d\npaths:\n"
	for _, v := range values {
		item := strconv.QuoteToASCII(strings.ToValidUTF8(v, "\uFFFD")) // YAML has the same escapes
		doc += "  - " + item + "\n"
	}
	s, all := skills.Parse([]byte(doc+"---\n"), skills.ParseOptions{Name: "probe"})
	for _, i := range all {
		if aboutPatterns(i) {
			i.Skill, i.Line, i.Field = "", 0, "--pattern"
			issues = append(issues, i)
		}
	}
	return s.Paths, issues
}

// aboutPatterns reports whether i is about a pattern of a paths field.
func aboutPatterns(i skills.Issue) bool {
	return slices.Contains([]skills.Code{"bad-pattern", "brace-budget", "never-matches", "unbalanced"}, i.Code)
}

// patternsOf returns the patterns of the skill that answers to name, and what
// is wrong with them.
func (a *app) patternsOf(ctx context.Context, name string) ([]string, []skills.Issue, error) {
	c, err := a.converse(ctx)
	if err != nil {
		return nil, nil, err
	}
	defer c.close()
	s, err := a.find(ctx, c, name)
	if err != nil {
		return nil, nil, err
	}
	if len(s.Paths) == 0 {
		return nil, nil, noPatterns(skills.Issue{
			Skill: s.Name, Path: s.Path, Msg: "the skill has no paths, so no file unlocks it",
			Hint: "try patterns with --pattern, or list the skills to see which are conditional",
		})
	}
	issues := slices.DeleteFunc(c.Explain(name).Issues, func(i skills.Issue) bool {
		return i.Path != s.Path || !aboutPatterns(i)
	})
	return s.Paths, issues, nil
}

// givenPatterns returns the patterns of --pattern.
func (a *app) givenPatterns() ([]string, []skills.Issue, error) {
	patterns, issues := parsePatterns(a.flags.patterns)
	if len(patterns) == 0 {
		return nil, nil, noPatterns(skills.Issue{Field: "--pattern", Msg: "it is blank", Hint: "write a pattern such as '*.go' or src/"})
	}
	return patterns, issues, nil
}

func noPatterns(i skills.Issue) error {
	i.Code, i.Severity = skills.CodeInvalid, "error"
	return &skills.Error{Issue: i}
}
