package shellspan

import (
	"path"
	"strings"
)

// command checks the arguments of one command: its name is args[0].
func (w *walker) command(args []arg) {
	if len(args) == 0 {
		return
	}
	w.s.work += len(args)
	if w.calls++; w.calls > maxCalls || w.s.work > maxWork {
		w.s.want(integer, "too many commands run each other")
		for _, a := range args {
			w.refuseAll(a.marks(), TooLong, "too many commands run each other", "move the command into a script of the skill")
		}
		return
	}
	defer func() { w.calls-- }()
	if marks := args[0].marks(); len(marks) > 0 {
		w.refuseAll(marks, CommandPosition, "it stands where the name of a command is expected", "write the command, and use the placeholder as its argument")
		return
	}
	name, ok := commandName(args[0])
	if !ok {
		w.s.want(integer, "the name of a command is computed")
		w.behind(args)
		return
	}
	if text, _ := args[0].fixed(); strings.Contains(text, "/") && !isSystem(text) {
		w.s.files.runs(args[0])
	}
	if !w.known(name, args) {
		w.behind(args)
	}
}

// commandName returns the last element of the name of a command, if it is
// written out. Folders in front of it may come from variables.
func commandName(a arg) (name string, ok bool) {
	if a.open || a.tainted() || len(a.pieces) == 0 {
		return "", false
	}
	last := a.pieces[len(a.pieces)-1]
	if text, fixed := a.fixed(); fixed {
		last.text, last.dynamic = text, false
	} else if !strings.Contains(last.text, "/") {
		return "", false
	}
	if text, _ := a.fixed(); strings.HasPrefix(text, "/proc/") || strings.HasPrefix(text, "/dev/") {
		return "", false // perhaps a shell
	}
	if last.dynamic || last.text == "" || strings.ContainsAny(last.text, "*?[{") && last.text != "[" && last.text != "[[" && last.text != "{" {
		return "", false
	}
	return strings.TrimSuffix(path.Base(last.text), ".exe"), true
}

// isSystem reports whether a program lies where only an administrator writes.
func isSystem(name string) bool {
	for _, dir := range []string{"/bin/", "/sbin/", "/usr/", "/opt/"} {
		if strings.HasPrefix(name, dir) {
			return true
		}
	}
	return false
}

// known checks a command that this package knows, and reports whether it is
// one. A version behind its name does not matter.
func (w *walker) known(name string, args []arg) bool {
	if w.knownAs(name, args) {
		return true
	}
	bare := strings.TrimRight(name, "0123456789.-")
	return bare != name && bare != "" && w.knownAs(bare, args)
}

func (w *walker) knownAs(name string, args []arg) bool {
	if harmless[name] {
		return true
	}
	if v, ok := wrappers[name]; ok {
		w.wrapper(name, v, args)
		return true
	}
	if real := aliases[name]; real != "" {
		name = real
	}
	if v, ok := interpreters[name]; ok {
		w.interpreter(name, v, args)
		return true
	}
	if w.builtin(name, args) || w.evaluator(name, args) {
		return true
	}
	if writers[name] {
		w.s.files.writeTo(args[1:])
		w.options(name, args)
		return true
	}
	if runners[name] {
		w.s.files.runsProject("")
	}
	return w.options(name, args)
}

// harmless are commands that do nothing but read or print, whatever their
// arguments are. Names of shells among their arguments are just words.
var harmless = set(
	"echo", "cat", "grep", "egrep", "fgrep", "which", "whereis", "ls", "true", "false", ":", "head", "tail", "wc",
	"cut", "tr", "basename", "dirname", "stat", "readlink", "realpath", "diff", "cmp", "comm", "uniq", "nl", "od",
	"seq", "date", "pwd", "whoami", "id", "uname", "hostname", "du", "df", "file", "md5sum", "sha1sum", "sha256sum",
	"cksum", "base64", "fold", "fmt", "paste", "join", "rev", "tac", "sleep", "ps", "pgrep", "kill", "pkill", "mkdir",
	"rmdir", "rm", "touch", "chmod", "chown", "strings", "column", "expr", "cd", "pushd", "popd", "dirs",
	"exit", "return", "shift", "break", "continue", "umask", "ulimit", "type",
)

// writers are commands that make files out of their arguments or input.
var writers = set("tee", "cp", "mv", "ln", "dd", "install", "sponge", "patch", "split", "csplit", "unzip", "truncate")

// runners are commands that run programs they find in the working directory.
var runners = set(
	"make", "gmake", "just", "rake", "npm", "yarn", "pnpm", "npx", "bun", "ant", "gradle", "mvn", "cmake", "ninja",
	"task", "tox", "nox", "pytest", "cargo", "go", "invoke", "bundle", "composer", "pip", "uv", "poetry", "docker-compose",
	"pre-commit", "vagrant", "ansible-playbook", "terraform",
)

// behind looks for a command among the arguments of one that this package does
// not know: it may be a wrapper.
func (w *walker) behind(args []arg) {
	for i := 1; i < len(args); i++ {
		name, ok := commandName(args[i])
		if !ok || len(args[i].marks()) > 0 {
			continue
		}
		if shells[name] || name == "eval" || name == "xargs" {
			w.known(name, args[i:])
			w.laterCode(args[i+1:])
			return
		}
		if v, ok := interpreters[strings.TrimRight(name, "0123456789.-")]; ok && i+1 < len(args) && v.takesCode(args[i+1]) {
			w.known(name, args[i:])
			return
		}
	}
}

// laterCode evaluates what stands behind an option such as -c, for a shell
// that is not right in front of its options.
func (w *walker) laterCode(args []arg) {
	for i := 0; i+1 < len(args); i++ {
		text, ok := args[i].static()
		if ok && len(text) > 1 && len(text) < 6 && text[0] == '-' && text[1] != '-' && strings.HasSuffix(text, "c") {
			w.shellText("sh", args[i+1])
		}
	}
}
