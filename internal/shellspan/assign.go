package shellspan

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// assign visits NAME=value in front of a command or alone.
func (w *walker) assign(a *syntax.Assign) {
	w.subscript(a)
	w.word(a.Value, where{})
	w.array(a, where{list: true})
	if a.Name != nil {
		w.assignment(a)
	}
}

func (w *walker) subscript(a *syntax.Assign) {
	if a.Index != nil {
		w.index(a.Index)
	}
}

// array visits NAME=(…).
func (w *walker) array(a *syntax.Assign, p where) {
	if a.Array == nil {
		return
	}
	for _, e := range a.Array.Elems {
		q := p
		if e.Index != nil {
			w.index(e.Index)
			q.list = false
		}
		w.word(e.Value, q)
	}
}

// nameText checks the name of a variable that expansions make up.
func (w *walker) nameText(a arg) {
	text, fixed := a.fixed()
	if !fixed {
		w.s.want(integer, "the name of a variable comes from a variable")
	}
	if head, _, _ := strings.Cut(text, "="); isProtected(strings.TrimSuffix(head, "+")) {
		w.refuseAll(a.marks(), ProtectedName, "it would set "+head+", which shells and other programs act upon", "use another variable")
	}
}

// assignment notes what the variable of a holds from now on.
func (w *walker) assignment(a *syntax.Assign) {
	if a.Value != nil {
		w.assigned(a.Name.Value, a.Value)
	}
	if a.Index != nil {
		w.s.taint.array(a.Name.Value)
	}
	if a.Array == nil {
		return
	}
	w.s.taint.array(a.Name.Value)
	for _, e := range a.Array.Elems {
		if e.Value != nil {
			w.assigned(a.Name.Value, e.Value)
		}
	}
}

// assigned notes that word is the value of a variable.
func (w *walker) assigned(name string, word *syntax.Word) {
	if word == nil {
		return
	}
	protected := isProtected(name)
	if !w.varies(word) {
		if protected {
			w.configured(name, word)
		}
		w.constant(name, word)
		return
	}
	w.s.taint.add(name)
	if !protected {
		return
	}
	start, end := span(word)
	for _, m := range w.within(start, end) {
		w.s.refuse(m, ProtectedName, "it would set "+name+", which shells and other programs act upon", "use another variable")
	}
	w.s.want(integer, "the variable "+name+" is set from a variable or a command")
}

// constant looks whether a constant may be an option, or name a variable that
// programs act upon.
func (w *walker) constant(name string, word *syntax.Word) {
	for _, a := range w.expand([]*syntax.Word{word}) {
		text, _ := a.fixed()
		w.constantText(name, text)
	}
}

func (w *walker) constantText(name, text string) {
	for f := range strings.FieldsSeq(text) {
		if f[0] == '-' || f[0] == '+' || isProtected(f) {
			w.s.taint.option(name)
		}
	}
}

// configured looks at a constant that shells or programs act upon: it may name
// a file to run, or be a text to evaluate.
func (w *walker) configured(name string, word *syntax.Word) {
	if name == "IFS" || name == "LINES" || name == "COLUMNS" {
		return
	}
	w.s.files.runsAny()
	for _, a := range w.expand([]*syntax.Word{word}) {
		for _, p := range a.pieces {
			if strings.ContainsAny(p.text, "$`") {
				w.s.want(integer, "the variable "+name+" is a text that is evaluated")
			}
		}
	}
}

// assignedUnknown notes that a variable holds something the tree does not show.
func (w *walker) assignedUnknown(name string) {
	w.s.taint.add(name)
	if isProtected(name) {
		w.s.want(integer, "the variable "+name+" is set from input")
	}
}

// attributes are the options of declare and its like.
type attributes struct{ integer, array, reference bool }

// add takes an option word into account.
func (a *attributes) add(option string) {
	a.integer = a.integer || strings.Contains(option, "i")
	a.array = a.array || strings.ContainsAny(option, "aA")
	a.reference = a.reference || strings.Contains(option, "n")
}

// declaration visits declare, export, local, readonly and typeset in bash.
func (w *walker) declaration(d *syntax.DeclClause) {
	var at attributes
	for _, a := range d.Args {
		if a.Naked && a.Name == nil {
			at = w.computed(a.Value, at)
		}
	}
	if d.Variant.Value == "export" {
		at.reference = false // export -n takes the attribute away
	}
	if d.Variant.Value == "nameref" {
		at.reference = true
	}
	w.attributed(at)
	for _, a := range d.Args {
		if a.Name == nil {
			continue
		}
		if at.array {
			w.s.taint.array(a.Name.Value)
		}
		w.subscript(a)
		w.word(a.Value, w.declared(a.Name.Value, at, a.Value))
		w.array(a, arrayPlace(at))
		w.assignment(a)
	}
}

func arrayPlace(at attributes) where {
	p := where{list: true}
	if at.integer {
		p.need, p.why = integer, "a variable with the integer attribute"
	}
	return p
}

// attributed adds the rules that attributes bring for the whole span.
func (w *walker) attributed(at attributes) {
	if at.integer {
		w.s.want(plain, "what is assigned to an integer variable is arithmetic")
	}
	if at.reference {
		w.s.want(names, "a name reference takes the name of a variable from a variable")
	}
}

// declared returns the place of the value of a declared variable. Shells read
// the value of an array again, when it looks like one.
func (w *walker) declared(name string, at attributes, value *syntax.Word) where {
	switch {
	case at.integer:
		return where{need: integer, why: "a variable with the integer attribute"}
	case at.reference:
		return where{need: identifierNotProtected, why: "the name of a variable"}
	case at.array || w.s.taint.arrays[name]:
		if value != nil && w.varies(value) {
			w.s.want(plain, "the value of an array is evaluated when it is declared")
		}
		return where{need: spaced, why: "the value of an array, which is evaluated,"}
	}
	return where{}
}

const identifierNotProtected = name

// computed visits an argument of a declaration that is no plain assignment: an
// option, or a name or assignment that expansions make up.
func (w *walker) computed(word *syntax.Word, at attributes) attributes {
	args := w.expand([]*syntax.Word{word})
	if len(args) == 0 {
		w.word(word, where{need: name, why: "the name of a variable"})
		return at
	}
	arg := args[0]
	text, constant := arg.fixed()
	switch {
	case constant && len(arg.marks()) == 0 && strings.HasPrefix(text, "-"):
		at.add(text)
	case constant && len(arg.marks()) == 0:
	case !constant && (text == "" || text[0] == '-') && len(arg.marks()) == 0:
		at = attributes{integer: true, array: true, reference: true}
		fallthrough
	default:
		w.computedName(word, arg, at)
	}
	return at
}

func (w *walker) computedName(word *syntax.Word, arg arg, at attributes) {
	if head, ok := arg.assigns(); ok {
		w.word(word, w.declared(head, at, word))
		w.assigned(head, word)
		return
	}
	w.nameText(arg)
	w.word(word, where{need: name, why: "the name of a variable"})
}
