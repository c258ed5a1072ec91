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

	// options are variables that hold what may be an option, by the author's
	// own text. They count as tainted: what follows an option is not an
	// argument like others.
	options map[string]bool

	grew bool
}

func newTaint() taint {
	return taint{vars: make(map[string]bool), arrays: make(map[string]bool), options: make(map[string]bool)}
}

// option notes that a variable may hold an option.
func (t *taint) option(name string) {
	t.add(name)
	t.options[name] = true
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

// reworked reports whether n makes another text of what a variable holds, which
// may be anything that is part of it, or has a text of its own that looks like
// an option.
func reworked(n *syntax.ParamExp) bool {
	if n.Repl != nil || n.Slice != nil {
		return true
	}
	if n.Exp == nil {
		return false
	}
	switch n.Exp.Op {
	case syntax.RemSmallPrefix, syntax.RemLargePrefix, syntax.RemSmallSuffix, syntax.RemLargeSuffix:
		return true
	}
	return n.Exp.Word != nil && strings.HasPrefix(n.Exp.Word.Lit(), "-")
}

// mayBeOption reports whether n is made of a variable that holds an option.
func (w *walker) mayBeOption(n syntax.Node) bool {
	found := false
	syntax.Walk(n, func(n syntax.Node) bool {
		if p, ok := n.(*syntax.ParamExp); ok && p.Param != nil {
			found = found || w.s.taint.options[p.Param.Value] || w.markOf(p) == nil && reworked(p)
		}
		return !found
	})
	return found
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
			found = found || reworked(n) || n.Excl || n.Param == nil ||
				w.markOf(n) == nil && w.s.taint.holds(n.Param.Value)
		}
		return !found
	})
	return found
}
