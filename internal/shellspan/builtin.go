package shellspan

import (
	"slices"
	"strings"
)

// builtin checks commands of the shell itself that take names of variables,
// or text that they evaluate, and reports whether name is one.
func (w *walker) builtin(name string, args []arg) bool {
	switch name {
	case "test", "[":
		w.testCommand(args)
	case "printf":
		w.printf(args)
	case "read":
		w.read(args)
	case "mapfile", "readarray":
		w.mapfile(name, args)
	case "unset", "getopts", "wait":
		w.variables(name, args[1:])
	case "let":
		w.let(args)
	case "export", "readonly", "local", "declare", "typeset":
		w.declares(name, args)
	case "set", "shopt":
		w.set(name, args)
	default:
		return w.reserved(name, args)
	}
	return true
}

// reserved checks builtins that give commands other names or run what they are
// told, and words of the grammar where the parser takes them for commands.
func (w *walker) reserved(name string, args []arg) bool {
	switch name {
	case "alias", "hash", "enable":
		if len(args) > 1 {
			w.s.want(integer, name+" gives commands other names")
		}
		return true
	case "[[", "((":
		w.s.want(plain, name+" is arithmetic in some shells")
	case "bind", "compgen", "complete", "compopt", "fc", "function", "history", "jobs", "select", "{", "}", "!", "if", "then",
		"do", "while", "until", "for", "case":
	default:
		return false
	}
	for _, a := range args[1:] {
		w.refuseAll(a.marks(), UnsafePlace, "the shell may evaluate an argument of "+name, "leave the placeholder out of this command")
		if a.tainted() {
			w.s.want(integer, "the shell may evaluate an argument of "+name)
		}
	}
	return true
}

// testCommand checks test and [. Its option -v evaluates a subscript.
func (w *walker) testCommand(args []arg) {
	for i, a := range args {
		if i == 0 {
			continue
		}
		option, known := args[i-1].fixed()
		if i == 1 {
			option, known = "", true
		}
		named := option == "-v" || option == "-R"
		text, fixed := a.fixed()
		for _, m := range a.marks() {
			if named {
				w.s.require(m, text, identifier, "the name of a variable")
			}
			if fixed && (text == "-v" || text == "-R") || !fixed && strings.HasPrefix(text, "-") {
				w.s.refuse(m, UnsafeOption, "the value would be an operator of "+first(args)+" that evaluates the next word", "put an operator such as -n in front of the placeholder")
			}
		}
		if a.unknown() && (named || a.open || !known) {
			w.s.want(plain, first(args)+" may evaluate the name of a variable")
		}
		if !known && len(a.marks()) > 0 {
			w.s.want(plain, first(args)+" may evaluate the name of a variable")
		}
	}
}

func first(args []arg) string {
	text, _ := args[0].fixed()
	return text
}

// printf checks the option -v, which names a variable.
func (w *walker) printf(args []arg) {
	if len(args) < 2 {
		return
	}
	text, fixed := args[1].fixed()
	if args[1].open || !fixed && (text == "" || text[0] == '-') && args[1].tainted() {
		w.s.want(integer, "printf may take the name of a variable from a variable")
	}
	if !strings.HasPrefix(text, "-v") && !(args[1].open && len(args) > 2) {
		return
	}
	if len(args[1].marks()) > 0 {
		w.refuseAll(args[1].marks(), UnsafeOption, "the value would be an option of printf", "write a format such as '%s' in front of it")
		return
	}
	if len(text) > 2 {
		w.variables("printf", args[1:2])
	} else if len(args) > 2 {
		w.variables("printf", args[2:3])
	}
}

// variables requires that arguments be names of variables.
func (w *walker) variables(command string, args []arg) {
	for _, a := range args {
		text, _ := a.fixed()
		for _, m := range a.marks() {
			w.s.require(m, text, name, "the name of a variable for "+command)
		}
		switch {
		case a.unknown() && command != "unset" && command != "wait":
			w.s.want(integer, command+" takes the name of a variable from a variable")
		case a.unknown():
			w.s.want(names, command+" takes the name of a variable from a variable")
		case !a.unknown() && len(a.marks()) == 0 && !strings.HasPrefix(text, "-"):
			w.fills(text)
		}
	}
}

// fills notes that a variable gets a value that the tree does not show.
func (w *walker) fills(text string) {
	base, _, subscript := strings.Cut(text, "[")
	if identifier.holds(base) {
		w.assignedUnknown(base)
	}
	if subscript {
		w.s.taint.array(base)
		w.s.want(plain, "a subscript is evaluated as arithmetic")
	}
}

// read checks read: all its words are names, but for arguments of options.
func (w *walker) read(args []arg) {
	w.s.taint.add("REPLY")
	for i, a := range args {
		if i == 0 {
			continue
		}
		prev, _ := args[i-1].static()
		if i > 1 && len(prev) > 1 && prev[0] == '-' && strings.IndexByte("pdtnNui", prev[len(prev)-1]) >= 0 && !a.open {
			continue
		}
		if text, ok := args[i].static(); ok && strings.HasPrefix(text, "-") {
			if strings.HasSuffix(text, "a") && i+1 < len(args) {
				if name, ok := args[i+1].static(); ok {
					w.s.taint.array(name)
				}
			}
			continue
		}
		w.variables("read", args[i:i+1])
	}
}

// mapfile checks mapfile, whose option -C evaluates its argument.
func (w *walker) mapfile(command string, args []arg) {
	w.variables(command, args[1:])
	for _, a := range args[1:] {
		text, fixed := a.fixed()
		if strings.HasPrefix(text, "-") && strings.Contains(text, "C") || !fixed {
			w.s.want(integer, command+" evaluates a text")
		}
		if identifier.holds(text) {
			w.s.taint.array(text)
		}
	}
}

// let checks let where the parser takes it for a command.
func (w *walker) let(args []arg) {
	w.s.want(plain, "arithmetic evaluates what variables hold")
	for _, a := range args[1:] {
		for _, m := range a.marks() {
			w.s.require(m, m.value, integer, "arithmetic")
		}
	}
}

// declares checks export and its like where they are commands: in sh, and
// behind builtin or command.
func (w *walker) declares(command string, args []arg) {
	var at attributes
	for _, a := range args[1:] {
		if text, ok := a.static(); ok && strings.HasPrefix(text, "-") && command != "export" {
			at.add(text)
		}
		at.array = at.array || a.open
	}
	w.attributed(at)
	for _, a := range args[1:] {
		head, ok := a.assigns()
		if !ok {
			text, static := a.static()
			if !static || !strings.HasPrefix(text, "-") {
				w.declaredName(command, a)
			}
			if at.array && static {
				w.s.taint.array(text)
			}
			continue
		}
		w.declaredValue(head, a, at)
	}
}

func (w *walker) declaredName(command string, a arg) {
	text, _ := a.fixed()
	for _, m := range a.marks() {
		w.s.require(m, text, name, "the name of a variable for "+command)
	}
	w.nameText(a)
}

// declaredValue checks the value of the variable head.
func (w *walker) declaredValue(head string, a arg, at attributes) {
	p := w.declared(head, at, nil)
	if at.array {
		w.s.taint.array(head)
	}
	marks := a.marks()
	for _, m := range marks {
		if p.need != anything {
			w.s.require(m, m.value, p.need, p.why)
		}
		if isProtected(head) {
			w.s.refuse(m, ProtectedName, "it would set "+head+", which shells and other programs act upon", "use another variable")
		}
	}
	text, _ := a.fixed()
	_, value, _ := strings.Cut(text, "=")
	w.constantText(head, value)
	if len(marks) > 0 || a.tainted() {
		w.s.taint.add(head)
	} else if isProtected(head) && head != "IFS" {
		w.s.files.runsAny()
		if strings.ContainsAny(text, "$`") {
			w.s.want(integer, "the variable "+head+" is a text that is evaluated")
		}
	}
	if !a.tainted() {
		return
	}
	if isProtected(head) {
		w.s.want(integer, "the variable "+head+" is set from a variable or a command")
	}
	if at.array || w.s.taint.arrays[head] {
		w.s.want(plain, "the value of an array is evaluated when it is declared")
	}
}

// set checks set and shopt, whose options change how the rest is read.
func (w *walker) set(command string, args []arg) {
	i := slices.IndexFunc(args, func(a arg) bool {
		text, ok := a.static()
		return ok && text == "--"
	})
	if i < 0 {
		i = len(args)
	}
	for _, a := range args[1:i] {
		text, _ := a.fixed()
		for _, m := range a.marks() {
			if text == "" || text[0] == '-' || text[0] == '+' || command == "shopt" {
				w.s.refuse(m, UnsafeOption, "the value would be an option of "+command, "write -- in front of it")
			}
		}
	}
}
