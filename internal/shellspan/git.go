package shellspan

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// gitLong are git's options that run commands, load settings or write files.
var gitLong = []string{
	"upload-pack", "receive-pack", "exec", "exec-path", "config-env", "open-files-in-pager", "output", "output-directory",
	"ext-diff", "textconv", "extcmd", "tool", "template", "config", "git-dir", "work-tree", "super-prefix",
	"smtp-server", "sendmail-cmd", "to-cmd", "cc-cmd", "remote", "separate-git-dir", "paginate", "reference",
	"global", "system", "file", "edit", "editor", "pager", "strategy", "gpg-program", "shell", "run",
}

// gitShort are the short ones by subcommand. Others have all of them.
var gitShort = map[string]string{
	"log": "", "diff": "", "show": "", "status": "", "branch": "", "tag": "", "blame": "", "rev-parse": "", "ls-files": "",
	"shortlog": "", "describe": "", "cat-file": "", "rev-list": "", "checkout": "", "switch": "", "commit": "", "add": "",
	"rm": "", "mv": "", "reset": "", "restore": "", "merge-base": "", "name-rev": "", "ls-tree": "", "show-ref": "",
	"for-each-ref": "", "fetch": "", "push": "", "pull": "", "stash": "", "cherry-pick": "", "revert": "", "merge": "",
	"grep": "O", "clone": "cu", "rebase": "xs", "difftool": "xt", "format-patch": "o", "archive": "o",
}

// gitReads are subcommands that a value may choose.
var gitReads = set(
	"log", "diff", "show", "status", "branch", "tag", "blame", "rev-parse", "ls-files", "shortlog", "describe",
	"cat-file", "rev-list", "merge-base", "name-rev", "ls-tree", "show-ref", "grep",
)

// gitRuns are subcommands that run what their arguments say.
var gitRuns = set("submodule", "bisect", "filter-branch", "hook", "config", "alias", "send-email", "daemon", "instaweb", "maintenance", "credential", "remote-ext", "shell", "upload-pack", "receive-pack")

// git checks git: its subcommand decides which options are dangerous.
func (w *walker) git(args []arg) {
	i := 1
	for ; i < len(args); i++ {
		text, ok := args[i].static()
		if !ok || !strings.HasPrefix(text, "-") {
			break
		}
		if text == "-C" || text == "-c" || text == "--git-dir" || text == "--work-tree" || text == "--namespace" {
			i++
			w.gitGlobal(text, args, i)
		}
	}
	if i >= len(args) {
		return
	}
	sub, fixed := args[i].fixed()
	marks := args[i].marks()
	if !fixed {
		w.s.want(integer, "the subcommand of git comes from a variable")
	}
	if len(marks) > 0 && (!gitReads[sub] || args[i].open) {
		w.refuseAll(marks, CommandPosition, "it stands where git expects a subcommand, and its value is none that only reads", "write the subcommand, and use the placeholder as its argument")
		return
	}
	if gitRuns[sub] {
		w.gitRun(sub, args[i+1:])
		return
	}
	w.optionArgs(gitRule(sub), args[i+1:])
	if sub == "rebase" || sub == "difftool" {
		w.gitExec(args[i+1:])
	}
}

func gitRule(sub string) *optionRule {
	short, known := gitShort[sub]
	if !known {
		short = "cCxOuo"
	}
	next := []string{
		"--upload-pack", "--receive-pack", "--open-files-in-pager", "-O", "--config", "--template", "--tool",
		"--smtp-server", "--sendmail-cmd", "--to-cmd", "--cc-cmd", "--config-env", "--exec-path",
	}
	switch sub {
	case "clone":
		next = append(next, "-u", "-c")
	case "rebase", "difftool": // gitExec evaluates it
	default:
		next = append(next, "--exec")
	}
	return &optionRule{command: "git", long: gitLong, short: short, next: next, starts: []string{"ext::", "fd::"}}
}

// gitGlobal checks the argument of a global option.
func (w *walker) gitGlobal(option string, args []arg, i int) {
	if i >= len(args) {
		return
	}
	text, _ := args[i].fixed()
	switch {
	case option == "-C" && !strings.HasPrefix(text, "-") && !args[i].open:
	default:
		w.refuseAll(args[i].marks(), UnsafeOption, "a setting of git may be a command", "write the setting without a placeholder")
		if key, value, ok := strings.Cut(text, "="); ok && option == "-c" {
			w.gitSetting(key, value)
		}
		if args[i].tainted() {
			w.s.want(integer, "a setting of git comes from a variable")
		}
	}
	if args[i].open {
		w.s.want(integer, "a variable may be several arguments of git")
	}
}

// gitSetting looks at a setting that the author wrote: git may run it.
func (w *walker) gitSetting(key, value string) {
	for _, prefix := range []string{"user.", "color.", "commit.", "init.", "core.quote", "advice.", "diff.", "log.", "http.", "protocol."} {
		if strings.HasPrefix(key, prefix) {
			return
		}
	}
	w.s.files.runsAny()
	w.evaluate([]piece{{text: strings.TrimPrefix(value, "!")}}, syntax.LangPOSIX, "git")
}

// gitRun checks subcommands that run text. Reading a setting is fine.
func (w *walker) gitRun(sub string, args []arg) {
	if len(args) > 0 {
		if text, ok := args[0].static(); ok && sub == "config" && (strings.HasPrefix(text, "--get") || text == "get" || text == "--list" || text == "list") {
			w.optionArgs(gitRule(sub), args[1:])
			return
		}
	}
	for i, a := range args {
		text, _ := a.fixed()
		if _, static := a.static(); static && i > 0 {
			w.evaluate(w.join(args[i:])[:1], syntax.LangPOSIX, "git "+sub)
		}
		for _, m := range a.marks() {
			w.s.require(m, text, integer, "git "+sub+", which may run commands,")
		}
		if a.unknown() && (a.tainted() || a.open) {
			w.s.want(integer, "git "+sub+" may run what a variable holds")
		}
	}
}

// gitExec checks the commands of rebase --exec and difftool --extcmd.
func (w *walker) gitExec(args []arg) {
	for i, a := range args {
		text, _ := a.fixed()
		opt, _, joined := strings.Cut(text, "=")
		cluster := len(text) > 1 && text[0] == '-' && text[1] != '-' && strings.HasSuffix(text, "x")
		if !cluster && opt != "--exec" && opt != "--extcmd" {
			continue
		}
		if !joined {
			if i+1 >= len(args) {
				continue
			}
			a = args[i+1]
		}
		w.evaluate(w.join([]arg{a}), w.lang, "git")
	}
}
