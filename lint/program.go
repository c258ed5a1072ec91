package lint

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"github.com/seed-12b313d8/skills"
	"github.com/seed-12b313d8/skills/internal/template"
)

// A place is where a placeholder of a command stands: the offsets of the
// command in the body and of the placeholder in the command.
type place struct{ span, at int }

// programArguments reports $N in the single-quoted program of awk and its
// like, where a shell leaves it alone but a skill puts an argument there (04
// §2). It returns the places, about which nothing else need be said.
func (f *file) programArguments(body string) map[place]bool {
	if !strings.Contains(body, "$") {
		return nil
	}
	t, err := template.Parse(body, template.Options{MaxSpans: -1})
	if err != nil {
		return nil // not without a limit
	}
	places := make(map[place]bool)
	var found repeated
	for _, span := range t.Spans() {
		programs := quotedPrograms(span)
		last := 0
		for _, word := range span.Inner {
			name := programAt(programs, word)
			if name == "" {
				continue
			}
			places[place{span.Offset, word.Offset}] = true
			if word.Line == last || !found.wants() {
				continue
			}
			last = word.Line
			found.add(skills.Issue{
				Code: codeProgramArgument, Line: f.bodyLine(word.Line),
				Msg:  fmt.Sprintf("%s in a program of %s stands for a word of the arguments, counted from 0, not for what %s calls so", clip(word.Text), name, name),
				Hint: fmt.Sprintf(`write \%s for the text itself`, clip(word.Text)),
			})
		}
	}
	f.reportAll(&found)
	return places
}

// A quotedProgram is a part of a command in single quotes that an interpreter
// is given.
type quotedProgram struct {
	name     string // of the interpreter
	from, to int
}

// quotedPrograms finds them in a span with placeholders. Text that is no bash
// has none.
func quotedPrograms(span template.Token) (found []quotedProgram) {
	if len(span.Inner) == 0 {
		return nil
	}
	tree, err := syntax.NewParser(syntax.Variant(syntax.LangBash)).Parse(strings.NewReader(span.Command), "")
	if err != nil {
		return nil
	}
	syntax.Walk(tree, func(n syntax.Node) bool {
		if call, ok := n.(*syntax.CallExpr); ok {
			found = append(found, programsOf(call)...)
		}
		return true
	})
	return found
}

// programsOf returns what stands in single quotes behind the name of an
// interpreter, which may itself stand behind sudo, xargs and the like.
func programsOf(call *syntax.CallExpr) (found []quotedProgram) {
	name := ""
	for _, word := range call.Args {
		if base := path.Base(word.Lit()); isInterpreter(base) {
			name = base
			continue
		}
		for _, part := range word.Parts {
			if q, ok := part.(*syntax.SglQuoted); ok && name != "" {
				found = append(found, quotedProgram{name, int(q.Pos().Offset()), int(q.End().Offset())})
			}
		}
	}
	return found
}

// isInterpreter names the programs whose programs have a $N of their own.
func isInterpreter(name string) bool {
	return slices.Contains([]string{"awk", "gawk", "mawk", "nawk", "sed", "gsed", "perl"}, name)
}

// programAt returns the interpreter of the program that holds the word $N, or
// "".
func programAt(programs []quotedProgram, word template.Token) string {
	if word.Kind != template.Word || word.Text[1] == 'A' {
		return ""
	}
	for _, p := range programs {
		if p.from <= word.Offset && word.Offset < p.to {
			return p.name
		}
	}
	return ""
}
