package shellspan

import (
	"path"
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// Benign reports whether exit is an answer and no failure: 1 from a command
// that ends with grep, diff, test and their like, which say "no" so (04 §4).
// Where another command could have ended with 1, it is a failure.
func Benign(command string, d Dialect, exit int) bool {
	if exit != 1 || d == PowerShell || len(command) > maxCommand {
		return false
	}
	lang := syntax.LangBash
	if d == POSIX {
		lang = syntax.LangPOSIX
	}
	file, err := syntax.NewParser(syntax.Variant(lang)).Parse(strings.NewReader(command), "")
	return err == nil && answersLast(file.Stmts)
}

// answersLast reports whether the last of the statements answers.
func answersLast(stmts []*syntax.Stmt) bool {
	return len(stmts) > 0 && answers(stmts[len(stmts)-1])
}

func answers(s *syntax.Stmt) bool {
	if s.Negated || s.Background || s.Coprocess {
		return false
	}
	switch c := s.Cmd.(type) {
	case *syntax.CallExpr:
		return answeringCall(c)
	case *syntax.TestClause:
		return true
	case *syntax.Subshell:
		return answersLast(c.Stmts)
	case *syntax.Block:
		return answersLast(c.Stmts)
	case *syntax.BinaryCmd:
		switch c.Op {
		case syntax.Pipe, syntax.PipeAll, syntax.OrStmt:
			return answers(c.Y)
		case syntax.AndStmt: // either may have ended it
			return answers(c.X) && answers(c.Y)
		}
	}
	return false
}

func answeringCall(c *syntax.CallExpr) bool {
	words := make([]string, len(c.Args))
	for i, w := range c.Args {
		words[i] = w.Lit()
	}
	if len(words) == 0 {
		return false
	}
	name := path.Base(words[0])
	if name == "git" {
		return slices.Contains([]string{"diff", "grep"}, gitVerb(words[1:]))
	}
	return slices.Contains([]string{"grep", "rg", "egrep", "fgrep", "find", "diff", "test", "["}, name)
}

// gitVerb returns the command that git is given, behind options.
func gitVerb(words []string) string {
	for i := 0; i < len(words); i++ {
		switch w := words[i]; {
		case w == "-C" || w == "-c":
			i++
		case !strings.HasPrefix(w, "-"):
			return w
		}
	}
	return ""
}
