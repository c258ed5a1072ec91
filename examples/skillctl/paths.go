package main

import (
	"context"
	"fmt"

	"github.com/seed-12b313d8/skills"
)

// pathsJSON is what patterns match as --json prints it.
type pathsJSON struct {
	Results   []pathJSON     `json:"results"`
	Truncated bool           `json:"truncated"`
	Issues    []skills.Issue `json:"issues"`
}

type pathJSON struct {
	Path  string `json:"path"`
	Match bool   `json:"match"`
}

// paths prints which files the patterns of a skill, or of --pattern, match:
// those that are named, or all of the project that do.
func paths(ctx context.Context, a *app, words []string) error {
	var patterns []string
	var issues []skills.Issue
	var err error
	files := words
	switch {
	case len(a.flags.patterns) > 0:
		patterns, issues, err = a.givenPatterns()
	case len(words) > 0:
		patterns, issues, err = a.patternsOf(ctx, words[0])
		files = words[1:]
	default:
		return usageError("paths NAME [FILE…], or paths --pattern P [FILE…]")
	}
	if err != nil {
		return err
	}
	m, err := a.matcher(ctx, patterns)
	if err != nil {
		return err
	}
	defer m.close()
	out := pathsJSON{Issues: issues}
	stop := a.working("trying files")
	err = out.fill(ctx, m, a.flags.project, files)
	stop()
	if err != nil {
		return err
	}
	a.printPaths(out)
	return nil
}

// fill looks at the files, or without any at those below root.
func (p *pathsJSON) fill(ctx context.Context, m *matcher, root string, files []string) error {
	for _, f := range files {
		p.Results = append(p.Results, pathJSON{f, m.match(ctx, f)})
	}
	if len(files) > 0 {
		return nil
	}
	w := walk{limit: maxWalk, visit: func(path string) {
		if m.match(ctx, path) {
			p.Results = append(p.Results, pathJSON{path, true})
		}
	}}
	err := w.run(ctx, root)
	p.Truncated, p.Issues = w.cut, append(p.Issues, w.gone...)
	return err
}

func (a *app) printPaths(p pathsJSON) {
	if a.flags.json {
		p.Results, p.Issues = list0(p.Results), list0(p.Issues)
		writeJSON(a.out, p)
		return
	}
	for _, r := range p.Results {
		word := "match"
		if !r.Match {
			word = "no match"
		}
		fmt.Fprintf(a.out, "%-8s  %s\n", word, oneLine(r.Path))
	}
	if len(p.Results) == 0 {
		fmt.Fprintln(a.errs, "no file matches")
	}
	if p.Truncated {
		fmt.Fprintf(a.errs, "only the first %d files and folders were looked at; name files to ask about others\n", maxWalk)
	}
	printIssues(a.errs, p.Issues)
}
