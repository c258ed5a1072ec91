package shellspan

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// A taint knows which variables may hold a value, or anything made from one.
// It only grows; the walk is repeated until it does not.
type taint struct {
	vars   map[string]bool
	arrays map[string]bool
	grew   bool
}

func (t *taint) add(name string) {
	if !t.vars[name] {
		t.vars[name] = true
		t.grew = true
	}
}

func (t *taint) array(name string) {
	if !t.arrays[name] {
		t.arrays[name] = true
		t.grew = true
	}
}

// holds reports whether the parameter of that name may hold a value.
func (t *taint) holds(name string) bool {
	if t.vars[name] {
		return true
	}
	switch name {
	case "?", "#", "$", "!", "-", "0":
		return false
	case "@", "*", "_", "REPLY", "MAPFILE", "COPROC", "OPTARG", "PWD", "OLDPWD", "DIRSTACK", "READLINE_LINE":
		return true
	}
	if strings.Trim(name, "0123456789") == "" {
		return true
	}
	return strings.HasPrefix(name, "SKILL_") || strings.HasPrefix(name, "BASH_") || strings.HasPrefix(name, "COMP_")
}

// varies reports whether n may depend on a value: it holds a mark, a variable
// that does, or the output of a command.
func (w *walker) varies(n syntax.Node) bool {
	start, end := span(n)
	for _, m := range w.within(start, end) {
		if m.argument() {
			return true
		}
	}
	found := false
	syntax.Walk(n, func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.CmdSubst, *syntax.ProcSubst:
			found = true
		case *syntax.ParamExp:
			found = found || n.Excl || n.Param == nil ||
				w.markOf(n) == nil && w.s.taint.holds(n.Param.Value)
		}
		return !found
	})
	return found
}
