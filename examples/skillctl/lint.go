package main

import (
	"context"
	"fmt"
	"io"

	"github.com/seed-12b313d8/skills"
	"github.com/seed-12b313d8/skills/lint"
)

// lintJSON is what authors should mend as --json prints it.
type lintJSON struct {
	Issues []skills.Issue `json:"issues"`
}

// check prints what authors should mend in the files at the paths, or in the
// project. It fails if anything is an error.
func check(ctx context.Context, a *app, paths []string) error {
	if len(paths) == 0 {
		paths = []string{a.flags.project}
	}
	issues, err := a.lint(ctx, paths)
	if err != nil {
		return err
	}
	errors := countOf(issues, "error")
	if a.flags.json {
		writeJSON(a.out, lintJSON{list0(issues)})
	} else {
		printFindings(a.out, issues)
		fmt.Fprintf(a.out, "%s, %s, %s\n", plural(errors, "error"), plural(countOf(issues, "warning"), "warning"), plural(countOf(issues, "info"), "note"))
	}
	if errors > 0 {
		return errPrinted
	}
	return nil
}

func (a *app) lint(ctx context.Context, paths []string) (issues []skills.Issue, err error) {
	defer a.working("checking files")()
	o := &lint.Options{Strict: a.flags.strict, EntryCap: a.flags.cap, Brands: a.flags.brands}
	for _, path := range paths {
		found, err := lint.Path(ctx, path, o)
		if err != nil {
			return nil, err
		}
		issues = append(issues, found...)
	}
	return issues, nil
}

// printFindings prints one line an issue, in a form that editors can jump to.
func printFindings(w io.Writer, issues []skills.Issue) {
	for _, i := range issues {
		where := i.Path
		if i.Line > 0 {
			where = fmt.Sprintf("%s:%d", i.Path, i.Line)
		}
		text := i.Msg
		if i.Hint != "" {
			text += "; " + i.Hint
		}
		fmt.Fprintf(w, "%s: %s [%s] %s\n", where, i.Severity, string(i.Code), text)
	}
}

func countOf(issues []skills.Issue, severity string) int {
	n := 0
	for _, i := range issues {
		if i.Severity == severity {
			n++
		}
	}
	return n
}

func plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
