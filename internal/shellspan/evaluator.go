package shellspan

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// shells are the programs that run shell text.
var shells = set("sh", "bash", "dash", "ash", "zsh", "ksh", "mksh", "yash", "fish", "csh", "tcsh", "rbash", "rksh")

// evaluator checks commands that run text as commands, and reports whether
// name is one.
func (w *walker) evaluator(name string, args []arg) bool {
	switch {
	case shells[name]:
		w.shell(name, args)
		return true
	case opaque[name]:
		w.opaque(name, args)
		return true
	}
	switch name {
	case "eval":
		w.evaluate(w.join(withoutDashes(args[1:])), w.lang, name)
	case ".", "source":
		w.source(name, args)
	case "trap":
		w.trap(args)
	case "find", "gfind", "fd", "fdfind":
		w.find(name, args)
	case "xargs":
		w.xargs(args)
	case "ssh":
		w.ssh(args)
	case "su", "runuser", "script", "sg":
		w.su(name, args)
	case "watch":
		w.watch(args)
	default:
		return false
	}
	return true
}

// opaque are commands that evaluate arguments or input in ways of their own.
var opaque = set(
	"parallel", "hyperfine", "tmux", "screen", "osascript", "pwsh", "powershell", "cmd", "expect", "gdb", "lldb",
	"at", "batch", "crontab", "entr", "nix-shell", "m4", "ed", "ex", "dc", "tclsh", "wish", "ftp", "gnuplot",
	"octave", "ghci", "irb", "swipl", "systemd-run", "dbus-send", "rlwrap", "telnet", "adb", "vim", "vi", "nvim", "view", "rvim", "emacs", "nano", "sshpass",
)

// opaque allows whole numbers only, in the whole span.
func (w *walker) opaque(name string, args []arg) {
	w.s.want(integer, name+" runs commands that it finds in its arguments or input")
	w.behind(args)
}

func withoutDashes(args []arg) []arg {
	if len(args) > 0 {
		if text, ok := args[0].static(); ok && text == "--" {
			return args[1:]
		}
	}
	return args
}

// shell checks sh, bash and the like.
func (w *walker) shell(name string, args []arg) {
	o := shellOptions{args: args, i: 1}
	if !o.read() {
		w.undecided(name, args[min(o.i, len(args)):])
		return
	}
	i := o.i
	switch {
	case o.code && i < len(args):
		w.shellText(name, args[i])
	case o.stdin || i >= len(args) || isDash(args[i-1]):
		w.shellInput(name)
	default:
		w.script(name, args[i])
	}
}

// shellOptions are the options of a shell.
type shellOptions struct {
	args  []arg
	i     int  // of the first argument that is none
	code  bool // there is -c
	stdin bool // there is -s
}

// read moves behind the options. It reports false at an argument that may be
// one or not.
func (o *shellOptions) read() bool {
	for ; o.i < len(o.args); o.i++ {
		a := o.args[o.i]
		text, ok := a.static()
		switch {
		case !ok:
			return !a.open && (o.code || !strings.HasPrefix(text, "-"))
		case text == "--", text == "-":
			o.i++
			return true
		case text == "--rcfile" || text == "--init-file":
			o.i++
			return false
		case strings.HasPrefix(text, "--"):
		case len(text) > 1 && (text[0] == '-' || text[0] == '+'):
			o.code = o.code || strings.Contains(text, "c")
			o.stdin = o.stdin || strings.Contains(text, "s")
			if strings.ContainsAny(text, "oO") {
				o.i++
			}
		default:
			return true
		}
	}
	return true
}

func isDash(a arg) bool {
	text, ok := a.static()
	return ok && text == "-"
}

// shellInput looks at the commands that a shell reads: they may be written out
// in a here-document.
func (w *walker) shellInput(name string) {
	text, ok := w.inputText()
	if !ok {
		w.s.want(integer, name+" reads commands from its input")
		return
	}
	w.shellText(name, arg{pieces: []piece{{text: text, quoted: true}}})
}

// undecided refuses what may be an option, a script or a text to evaluate.
func (w *walker) undecided(name string, args []arg) {
	for _, a := range args {
		w.refuseAll(a.marks(), CommandPosition, "it stands where "+name+" expects an option or a script", "write the script's name, and use the placeholder as its argument")
	}
	w.s.want(integer, "the options of "+name+" come from a variable or a command")
}

// shellText evaluates the argument of sh -c.
func (w *walker) shellText(name string, a arg) {
	lang := syntax.LangPOSIX
	switch name {
	case "bash", "rbash":
		lang = syntax.LangBash
	case "sh", "dash", "ash":
	default:
		w.s.want(integer, name+" reads a language of its own")
		lang = syntax.LangBash
	}
	w.evaluate(w.join([]arg{a}), lang, name+" -c")
}

// script checks the file that a shell or interpreter reads.
func (w *walker) script(name string, a arg) {
	w.refuseAll(a.marks(), CommandPosition, "it stands where "+name+" expects a script", "write the script's name, and use the placeholder as its argument")
	text, _ := a.fixed()
	switch {
	case a.open || a.tainted() || a.nameless(): // without a name it may read its input
		w.s.want(integer, name+" runs a script that a variable or a command names")
	case strings.HasPrefix(text, "/dev/") || strings.HasPrefix(text, "/proc/") || text == "-":
		w.s.want(integer, name+" reads commands from its input")
	}
	w.s.files.runs(a)
}

// source checks the file that the shell itself reads.
func (w *walker) source(name string, args []arg) {
	rest := withoutDashes(args[1:])
	if len(rest) == 0 {
		return
	}
	if text, _ := rest[0].fixed(); strings.HasPrefix(text, "-") {
		w.undecided(name, rest)
		return
	}
	w.script(name, rest[0])
}

// trap checks the text that a signal runs.
func (w *walker) trap(args []arg) {
	rest := withoutDashes(args[1:])
	if len(rest) == 0 {
		return
	}
	if text, ok := rest[0].static(); ok && (text == "-l" || text == "-p" || text == "-") {
		return
	}
	w.evaluate(w.join(rest[:1]), w.lang, "trap")
	for _, a := range rest[1:] {
		text, _ := a.fixed()
		for _, m := range a.marks() {
			w.s.require(m, text, identifier, "the name of a signal")
		}
	}
	if rest[0].open {
		w.s.want(integer, "trap evaluates what a variable or a command gives")
	}
}

// find checks find and fd: the commands that they run, and options that would
// run others.
func (w *walker) find(name string, args []arg) {
	rule := optionRules["find"]
	if strings.HasPrefix(name, "fd") {
		rule = optionRules["fd"]
	}
	w.optionArgs(rule, args[1:])
	for i := 1; i < len(args); i++ {
		text, ok := args[i].static()
		if !ok || !rule.runs(text) {
			continue
		}
		end := i + 1
		for end < len(args) && !isTerminator(args, end) {
			end++
		}
		sub := make([]arg, 0, end-i)
		for _, a := range args[i+1 : end] {
			sub = append(sub, substituted(a, "{}", false))
		}
		w.command(sub)
		i = end
	}
}

// isTerminator reports whether a command of find ends at i: at a semicolon, or
// at a plus behind {}.
func isTerminator(args []arg, i int) bool {
	text, ok := args[i].static()
	if ok && text == "+" {
		before, known := args[i-1].static()
		return known && before == "{}"
	}
	return ok && text == ";"
}

// substituted returns a with what a command puts in the place of pattern: a
// file name or a line, which may hold a value.
func substituted(a arg, pattern string, open bool) arg {
	if pattern == "" {
		return a
	}
	out := arg{open: a.open, braces: a.braces}
	for _, p := range a.pieces {
		if p.dynamic || !strings.Contains(p.text, pattern) {
			out.pieces = append(out.pieces, p)
			continue
		}
		for i, text := range strings.Split(p.text, pattern) {
			if i > 0 {
				out.pieces = append(out.pieces, piece{dynamic: true, tainted: true, quoted: true})
				out.open = out.open || open
			}
			if text != "" {
				out.pieces = append(out.pieces, piece{text: text, m: p.m, quoted: p.quoted})
			}
		}
	}
	return out
}

var xargsWrapper = wrapper{
	flags: "0rtxopi", args: "aEILnPsdJRS",
	long: []string{"--arg-file", "--max-args", "--max-procs", "--delimiter", "--max-lines", "--max-chars", "--replace"}, longFlag: true,
}

// xargs checks the command that xargs runs, with what it adds to it.
func (w *walker) xargs(args []arg) {
	r := wrapping{w: w, v: xargsWrapper, name: "xargs", args: args, i: 1}
	for _, a := range args[1:] {
		if text, _ := a.fixed(); strings.HasPrefix(text, "--replace") || strings.HasPrefix(text, "-i") || strings.HasPrefix(text, "-J") {
			w.s.want(integer, "xargs puts its input into a command")
		}
	}
	if !r.skip() || r.i >= len(args) {
		return
	}
	var sub []arg
	for _, a := range args[r.i:] {
		sub = append(sub, substituted(a, r.replace, false))
	}
	if r.replace == "" {
		sub = append(sub, arg{pieces: []piece{{dynamic: true, tainted: true}}, open: true})
	}
	w.command(sub)
}

// ssh checks the command that ssh runs elsewhere: its words are joined, and a
// shell reads them. Options may also stand behind the host.
func (w *walker) ssh(args []arg) {
	w.optionArgs(optionRules["ssh"], args[1:])
	host := w.sshOptions(args, 1)
	if host < len(args) && args[host].open {
		w.undecided("ssh", args[host:])
		return
	}
	if host < len(args) {
		text, _ := args[host].fixed()
		for _, m := range args[host].marks() {
			w.s.require(m, text, safe, "the name of a host")
		}
	}
	command := w.sshOptions(args, host+1)
	if command >= len(args) {
		w.s.want(integer, "ssh without a command runs a shell, which reads its input")
		return
	}
	w.evaluate(w.join(args[command:]), syntax.LangPOSIX, "ssh")
}

// sshOptions returns where the options at i end.
func (w *walker) sshOptions(args []arg, i int) int {
	for ; i < len(args); i++ {
		text, ok := args[i].static()
		if !ok || len(text) < 2 || text[0] != '-' {
			break
		}
		if text == "--" {
			return i + 1
		}
		if strings.IndexByte("BbcDEeFIiJLlmOopQRSWw", text[len(text)-1]) < 0 {
			continue
		}
		if i++; i < len(args) && (len(args[i].marks()) > 0 || args[i].tainted()) {
			w.undecided("ssh", args[i:i+1])
		}
	}
	return i
}

// su checks su, runuser and script, whose option -c is shell text.
func (w *walker) su(name string, args []arg) {
	found := false
	for i := 1; i < len(args); i++ {
		text, ok := args[i].static()
		long, rest, joined := strings.Cut(text, "=")
		switch {
		case !ok && !(joined && long == "--command"):
			w.undecided(name, args[i:i+1])
		case ok && (text == "--command" || len(text) > 1 && text[0] == '-' && text[1] != '-' && strings.HasSuffix(text, "c")):
			if i++; i < len(args) {
				found = true
				w.evaluate(w.join(args[i:i+1]), syntax.LangPOSIX, name+" -c")
			}
		case joined && long == "--command":
			found = true
			if !ok || rest != "" {
				w.undecided(name, args[i:i+1])
			}
		}
	}
	if !found {
		w.s.want(integer, name+" without -c runs a shell, which reads its input")
	}
}

// watch checks watch, which joins its words for a shell.
func (w *walker) watch(args []arg) {
	i := 1
	for ; i < len(args); i++ {
		text, ok := args[i].static()
		if !ok || !strings.HasPrefix(text, "-") {
			break
		}
		if text == "-n" || text == "--interval" || text == "-q" {
			i++
		}
	}
	w.evaluate(w.join(args[min(i, len(args)):]), syntax.LangPOSIX, "watch")
}
