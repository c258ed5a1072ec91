package shellspan

import (
	"slices"
	"strings"
)

// A wrapper is a command that runs the command among its arguments.
type wrapper struct {
	flags    string   // options without an argument
	args     string   // options with one
	code     string   // options whose argument a shell evaluates
	long     []string // long options whose argument is the next word
	longFlag bool     // other long options are flags
	lookup   string   // options that make it look a name up and run nothing
	operands int      // words before the command
	assigns  bool     // NAME=value may stand before the command
	shell    bool     // without a command it runs a shell
}

var wrappers = map[string]wrapper{
	"builtin":     {},
	"busybox":     {},
	"toybox":      {},
	"caffeinate":  {flags: "dimsu", args: "tw"},
	"chroot":      {operands: 1, shell: true, longFlag: true},
	"chrt":        {flags: "abdfimorRv", args: "TPD", operands: 1, longFlag: true},
	"command":     {flags: "p", lookup: "vV"},
	"coproc":      {},
	"doas":        {flags: "Lns", args: "uC", shell: true},
	"env":         {flags: "i0v", args: "uC", long: []string{"--unset", "--chdir"}, longFlag: true, assigns: true},
	"exec":        {flags: "cl", args: "a"},
	"fakeroot":    {flags: "u", args: "lsib", shell: true, longFlag: true},
	"faketime":    {flags: "m", args: "f", operands: 1},
	"flock":       {flags: "sxunoFv", args: "wE", code: "c", operands: 1, longFlag: true, long: []string{"--timeout", "--wait", "--conflict-exit-code"}},
	"ionice":      {flags: "t", args: "cnpPu", longFlag: true},
	"ltrace":      {flags: "cfirSt", args: "aeopsnluwAFD"},
	"nice":        {args: "n", long: []string{"--adjustment"}, longFlag: true},
	"nohup":       {longFlag: true},
	"numactl":     {args: "iNmplC", longFlag: true},
	"perf":        {operands: 1},
	"setsid":      {flags: "cfw", longFlag: true},
	"stdbuf":      {args: "ioe", long: []string{"--input", "--output", "--error"}, longFlag: true},
	"strace":      {flags: "cCdfFhiknqrtTvVwxyYzZ", args: "aAbeEIoOpPsSuUX"},
	"sudo":        {flags: "AbEHKknPSBisNve", args: "CDgGhpRrtTUu", long: []string{"--user", "--group", "--chdir", "--host", "--prompt", "--role", "--type", "--chroot", "--close-from", "--other-user", "--command-timeout"}, longFlag: true, assigns: true, shell: true},
	"taskset":     {flags: "ac", operands: 1, longFlag: true},
	"time":        {flags: "apvqV", args: "fo"},
	"timeout":     {flags: "v", args: "ks", operands: 1, long: []string{"--signal", "--kill-after"}, longFlag: true},
	"unbuffer":    {flags: "p"},
	"unshare":     {flags: "mupinUCTrfc", args: "SGRw", shell: true, longFlag: true},
	"valgrind":    {flags: "qv", longFlag: true},
	"nsenter":     {flags: "amuinpUCTrFZe", args: "tSGW", shell: true, longFlag: true},
	"xvfb-run":    {flags: "al", args: "efnpsw", longFlag: true},
	"winpty":      {},
	"gosu":        {operands: 1},
	"setpriv":     {longFlag: true},
	"torsocks":    {flags: "diqp", longFlag: true},
	"proxychains": {flags: "q", args: "f"},
	"noglob":      {},
	"nocorrect":   {},
}

// wrapper checks the command behind the options of v.
func (w *walker) wrapper(name string, v wrapper, args []arg) {
	if name == "coproc" {
		w.s.want(integer, "coproc runs a command whose input the tree does not show")
	}
	r := wrapping{w: w, v: v, name: name, args: args, i: 1, operands: v.operands}
	if !r.skip() {
		return
	}
	if r.i < len(args) {
		w.command(args[r.i:])
	} else if v.shell {
		w.s.want(integer, name+" without a command runs a shell, which reads its input")
	}
}

// A wrapping is the way through the options of a wrapper.
type wrapping struct {
	w        *walker
	v        wrapper
	name     string
	args     []arg
	i        int
	operands int
	replace  string // of xargs -I
}

// skip moves on to the command, and reports false if there is none to check.
func (r *wrapping) skip() bool {
	for ; r.i < len(r.args); r.i++ {
		a := r.args[r.i]
		text, ok := a.static()
		switch {
		case r.v.assigns && isAssign(a):
			r.assign(a)
		case !ok:
			if r.operands == 0 || len(text) > 0 && text[0] == '-' {
				return r.computed(a)
			}
			r.operand(a)
		case text == "--":
			r.i++
			r.skipOperands()
			return true
		case strings.HasPrefix(text, "--"):
			if !r.long(text) {
				return false
			}
		case len(text) > 1 && text[0] == '-' && !a.open:
			if !r.cluster(text[1:]) {
				return false
			}
		case r.operands > 0:
			r.operands--
		default:
			return true
		}
	}
	return true
}

func isAssign(a arg) bool {
	_, ok := a.assigns()
	return ok
}

// assign checks NAME=value of env and its like.
func (r *wrapping) assign(a arg) {
	name, _ := a.assigns()
	if a.open {
		r.w.s.want(integer, "a variable may be several arguments of "+r.name)
	}
	if len(a.marks()) > 0 || a.tainted() {
		r.w.s.taint.add(name)
	}
	if !isProtected(name) {
		return
	}
	r.w.s.files.runsAny()
	if text, _ := a.fixed(); strings.ContainsAny(text, "$`") {
		r.w.s.want(integer, "the variable "+name+" may be a text that is evaluated")
	}
	r.w.refuseAll(a.marks(), ProtectedName, "it would set "+name+", which shells and other programs act upon", "use another variable")
	if a.tainted() {
		r.w.s.want(integer, "the variable "+name+" is set from a variable or a command")
	}
}

// computed deals with an argument in front of the command, or the command,
// that is not written out.
func (r *wrapping) computed(a arg) bool {
	marks := a.marks()
	if len(marks) == 0 {
		return true // the command itself, which command() will see
	}
	r.w.refuseAll(marks, CommandPosition, "it stands where "+r.name+" expects an option or a command", "write the command, and use the placeholder as its argument")
	return false
}

// operand takes a word that is not the command.
func (r *wrapping) operand(a arg) {
	r.operands--
	for _, m := range a.marks() {
		text, _ := a.fixed()
		r.w.s.require(m, text, integer, "this operand of "+r.name)
	}
	if a.open {
		r.w.s.want(integer, "a variable may be several arguments of "+r.name)
	}
}

func (r *wrapping) skipOperands() {
	for ; r.operands > 0 && r.i < len(r.args); r.i++ {
		r.operand(r.args[r.i])
	}
}

// long takes a long option.
func (r *wrapping) long(text string) bool {
	name, _, joined := strings.Cut(text, "=")
	switch {
	case slices.Contains(r.v.long, name):
		if !joined {
			r.argument()
		}
		return true
	case r.v.longFlag && name != "--split-string" && name != "--command" && name != "--shell" && name != "--login":
		return true
	}
	return r.unknown(text)
}

// cluster takes short options.
func (r *wrapping) cluster(letters string) bool {
	for j := range len(letters) {
		c := letters[j]
		switch {
		case strings.IndexByte(r.v.lookup, c) >= 0:
			return false
		case strings.IndexByte(r.v.code, c) >= 0:
			r.code(letters[j+1:])
			return false
		case strings.IndexByte(r.v.args, c) >= 0:
			if j+1 == len(letters) {
				r.argument()
			} else {
				r.joined(c, letters[j+1:])
			}
			return true
		case strings.IndexByte(r.v.flags, c) >= 0:
			if (r.name == "sudo" || r.name == "doas") && (c == 's' || c == 'i') {
				r.w.s.want(integer, r.name+" runs a shell, which reads its input")
				return r.unknown("-" + letters)
			}
		case c >= '0' && c <= '9' && r.name == "nice":
		default:
			return r.unknown("-" + letters)
		}
	}
	return true
}

// joined takes note of an argument in the word of its option.
func (r *wrapping) joined(option byte, text string) {
	if r.name == "xargs" && option == 'I' {
		r.replace = text
	}
}

// argument skips the argument of an option.
func (r *wrapping) argument() {
	if r.i++; r.i >= len(r.args) {
		return
	}
	a := r.args[r.i]
	text, _ := a.fixed()
	prev, _ := r.args[r.i-1].fixed()
	if r.name == "xargs" && (strings.HasSuffix(prev, "I") || strings.HasSuffix(prev, "J") || strings.HasSuffix(prev, "R")) {
		r.replace = text
		if a.unknown() {
			r.w.s.want(integer, "a variable says where xargs puts its input")
		}
	}
	for _, m := range a.marks() {
		r.w.s.require(m, text, safe, "an option of "+r.name)
		if strings.HasPrefix(text, "-") {
			r.w.refuseAll(a.marks(), UnsafeOption, "the value would be an option of "+r.name, "give a value without a dash in front")
		}
	}
	if a.open {
		r.w.s.want(integer, "a variable may be several arguments of "+r.name)
	}
}

// code evaluates the argument of an option.
func (r *wrapping) code(rest string) {
	if rest == "" {
		if r.i++; r.i < len(r.args) {
			r.w.evaluate(r.w.join(r.args[r.i:r.i+1]), r.w.lang, r.name)
		}
		return
	}
	r.unknown(rest)
}

// unknown refuses everything behind an option that is not known: it may take
// the next word, or evaluate it.
func (r *wrapping) unknown(option string) bool {
	for _, a := range r.args[r.i:] {
		r.w.refuseAll(a.marks(), UnsafePlace, "the option "+option+" of "+r.name+" is not known to be safe", "write the command without it")
		if a.unknown() {
			r.w.s.want(integer, "the option "+option+" of "+r.name+" is not known to be safe")
		}
	}
	return false
}
