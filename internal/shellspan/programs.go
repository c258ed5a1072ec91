package shellspan

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"github.com/seed-12b313d8/skills/internal/template"
	"mvdan.cc/sh/v3/syntax"
)

// A QuotedProgram is a part of a command in single quotes that an interpreter
// is given, such as the program of awk.
type QuotedProgram struct {
	Name     string // of the interpreter
	From, To int    // bytes of the command
}

// maxLooked is the longest command that is looked at, in bytes: the parser
// takes time quadratic in what is nested.
const maxLooked = 4 << 10

// QuotedPrograms finds them in a span with placeholders, in their order, if it
// is of 4 KiB at most. Text that is no bash has none.
func QuotedPrograms(span template.Token) (found []QuotedProgram) {
	if len(span.Inner) == 0 || len(span.Command) > maxLooked || !strings.Contains(span.Command, "'") {
		return nil
	}
	defer func() {
		if recover() != nil { // the parser is not ours
			found = nil
		}
	}()
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
	slices.SortFunc(found, func(a, b QuotedProgram) int { return cmp.Compare(a.From, b.From) })
	return found
}

// programsOf returns what stands in single quotes behind the name of an
// interpreter, which may itself stand behind sudo, xargs and the like.
func programsOf(call *syntax.CallExpr) (found []QuotedProgram) {
	name := ""
	for _, word := range call.Args {
		if base := path.Base(word.Lit()); hasFields(base) {
			name = base
			continue
		}
		for _, part := range word.Parts {
			if q, ok := part.(*syntax.SglQuoted); ok && name != "" {
				found = append(found, QuotedProgram{name, int(q.Pos().Offset()), int(q.End().Offset())})
			}
		}
	}
	return found
}

// hasFields names the programs whose programs have a $N of their own.
func hasFields(name string) bool {
	return slices.Contains([]string{"awk", "gawk", "mawk", "nawk", "sed", "gsed", "perl"}, name)
}
