package shellspan

import (
	"slices"
	"strings"
)

// An optionRule knows the options of a command that run commands, load code or
// write files (04 §4, find git tar … row).
type optionRule struct {
	command string
	exact   []string // words as they are
	exec    []string // those of exact that a command follows
	long    []string // long options, which may be cut short
	short   string   // letters, also inside a cluster
	dash    bool     // anything with a dash in front
	starts  []string // other ways to begin
	next    []string // options whose next word is a command, or a file of settings
	has     string   // characters that no value may hold
	permute bool     // options count behind -- too
}

// optionRules are the rules by command.
var optionRules = map[string]*optionRule{
	"find": {
		command: "find", permute: true,
		exact: []string{"-exec", "-execdir", "-ok", "-okdir", "-fprint", "-fprint0", "-fprintf", "-fls", "-delete", "-files0-from"},
		exec:  []string{"-exec", "-execdir", "-ok", "-okdir"},
	},
	"fd":       {command: "fd", short: "xX", long: []string{"exec", "exec-batch", "ignore-file"}, exec: []string{"-x", "-X", "--exec", "--exec-batch"}},
	"tar":      {command: "tar", permute: true, has: ":", next: []string{"-I", "-F", "--use-compress-program", "--to-command", "--info-script", "--new-volume-script", "--rsh-command", "--rmt-command", "--checkpoint-action"}, short: "IFPTC", long: []string{"use-compress-program", "checkpoint", "checkpoint-action", "to-command", "info-script", "new-volume-script", "rsh-command", "rmt-command", "absolute-names", "files-from", "directory"}},
	"sort":     {command: "sort", next: []string{"--compress-program"}, short: "oT", long: []string{"compress-program", "output", "temporary-directory", "files0-from"}},
	"rg":       {command: "rg", next: []string{"--pre", "--hostname-bin"}, short: "zf", long: []string{"pre", "pre-glob", "hostname-bin", "search-zip", "file"}},
	"ag":       {command: "ag", long: []string{"pager"}},
	"ack":      {command: "ack", long: []string{"pager", "ackrc", "output"}},
	"bat":      {command: "bat", long: []string{"pager", "paging", "diff"}},
	"split":    {command: "split", next: []string{"--filter"}, long: []string{"filter"}},
	"ssh":      {command: "ssh", dash: true},
	"scp":      {command: "scp", dash: true, next: []string{"-o", "-S", "-F", "-D"}},
	"sftp":     {command: "sftp", dash: true, next: []string{"-o", "-S", "-F", "-b", "-D"}},
	"rsync":    {command: "rsync", dash: true, next: []string{"-e", "--rsh", "--rsync-path", "--config"}},
	"curl":     {command: "curl", short: "KoODcTJ", long: []string{"config", "output", "output-dir", "remote-name", "remote-name-all", "remote-header-name", "dump-header", "cookie-jar", "upload-file", "libcurl", "trace", "trace-ascii", "stderr", "engine", "netrc-file", "etag-save", "hsts", "alt-svc", "write-out", "create-dirs", "proto-default", "unix-socket", "doh-url"}, next: []string{"-K", "--config"}},
	"wget":     {command: "wget", short: "eOoaiP", long: []string{"execute", "use-askpass", "config", "output-document", "output-file", "append-output", "input-file", "post-file", "body-file", "save-cookies", "rejected-log", "directory-prefix", "hsts-file", "warc-file", "warc-cdx", "warc-tempdir", "ca-certificate"}, next: []string{"-e", "--execute", "--use-askpass", "--config"}},
	"man":      {command: "man", dash: true, next: []string{"-P", "-H", "-C", "--pager", "--html"}},
	"less":     {command: "less", dash: true, starts: []string{"+"}},
	"more":     {command: "more", dash: true, starts: []string{"+"}},
	"docker":   {command: "docker", dash: true},
	"podman":   {command: "podman", dash: true},
	"kubectl":  {command: "kubectl", dash: true},
	"zip":      {command: "zip", dash: true, next: []string{"-TT", "--unzip-command"}},
	"cpio":     {command: "cpio", dash: true, has: ":"},
	"rpm":      {command: "rpm", dash: true, has: "%"},
	"dpkg":     {command: "dpkg", dash: true},
	"apt":      {command: "apt", dash: true},
	"apt-get":  {command: "apt-get", dash: true},
	"gcc":      {command: "gcc", dash: true, next: []string{"-wrapper", "-B", "-specs"}, starts: []string{"@"}},
	"cc":       {command: "cc", dash: true, starts: []string{"@"}},
	"clang":    {command: "clang", dash: true, starts: []string{"@"}},
	"g++":      {command: "g++", dash: true, starts: []string{"@"}},
	"ld":       {command: "ld", dash: true, starts: []string{"@"}},
	"go":       {command: "go", starts: []string{"-exec", "--exec", "-toolexec", "--toolexec", "-vettool", "--vettool", "-ldflags", "--ldflags", "-gcflags", "--gcflags", "-overlay", "--overlay", "-modfile", "--modfile", "-o", "--o", "-C", "-pkgdir", "-mod"}, next: []string{"-toolexec", "-exec", "-vettool", "--toolexec", "--exec", "--vettool"}},
	"cargo":    {command: "cargo", short: "ZC", long: []string{"config", "manifest-path", "target-dir"}, next: []string{"--config"}, starts: []string{"+"}},
	"npm":      {command: "npm", short: "c", long: []string{"call", "script-shell", "prefix", "userconfig", "globalconfig", "node-options", "shell", "editor", "viewer", "browser", "git"}, next: []string{"-c", "--call", "--script-shell"}},
	"npx":      {command: "npx", short: "cp", long: []string{"call", "package", "script-shell", "prefix", "userconfig", "globalconfig", "node-options", "shell"}, next: []string{"-c", "--call", "--script-shell"}},
	"yarn":     {command: "yarn", long: []string{"cwd", "script-shell", "use-yarnrc", "require"}},
	"pnpm":     {command: "pnpm", short: "cC", long: []string{"dir", "script-shell", "shell-mode", "shell-emulator", "config"}},
	"pip":      {command: "pip", dash: true},
	"make":     {command: "make", short: "fCIE", long: []string{"eval", "file", "makefile", "directory", "include-dir"}, has: "=$`;|&<>()'\"\\"},
	"gmake":    {command: "gmake", short: "fCIE", long: []string{"eval", "file", "makefile", "directory", "include-dir"}, has: "=$`;|&<>()'\"\\"},
	"just":     {command: "just", short: "fdc", long: []string{"justfile", "working-directory", "shell", "shell-arg", "command", "set", "chooser"}, has: "=$`;|&<>()'\"\\"},
	"convert":  {command: "convert", starts: []string{"|", "@", "-"}, has: "|`"},
	"magick":   {command: "magick", starts: []string{"|", "@", "-"}, has: "|`"},
	"identify": {command: "identify", starts: []string{"|", "@", "-"}, has: "|`"},
	"openssl":  {command: "openssl", dash: true},
	"gpg":      {command: "gpg", dash: true},
	"ffmpeg":   {command: "ffmpeg", dash: true},
	"pytest":   {command: "pytest", short: "pco", long: []string{"rootdir", "confcutdir", "pdbcls", "config-file", "override-ini", "basetemp", "debug"}},
	"cmake":    {command: "cmake", dash: true},
	"mutt":     {command: "mutt", dash: true},
	"mail":     {command: "mail", dash: true},
	"gh":       {command: "gh", long: []string{"jq", "template"}},
	"hg":       {command: "hg", dash: true},
	"svn":      {command: "svn", dash: true},
}

// runs reports whether text is an option that a command follows.
func (r *optionRule) runs(text string) bool { return slices.Contains(r.exec, text) }

// matches reports whether text is an option that the rule is about.
func (r *optionRule) matches(text string) bool {
	if slices.Contains(r.exact, text) || strings.ContainsAny(text, r.has) {
		return true
	}
	for _, p := range r.starts {
		if strings.HasPrefix(text, p) {
			return true
		}
	}
	long, isLong := strings.CutPrefix(text, "--")
	switch {
	case len(text) < 2 || text[0] != '-' || text == "--":
		return false
	case r.dash:
		return true
	case isLong:
		opt, _, _ := strings.Cut(long, "=")
		return slices.ContainsFunc(r.long, func(l string) bool { return strings.HasPrefix(l, opt) })
	}
	return strings.ContainsAny(text[1:], r.short) && r.short != ""
}

// matchesAny reports whether value, or a word of it, matches.
func (r *optionRule) matchesAny(value string) bool {
	return r.matches(value) || slices.ContainsFunc(strings.Fields(value), r.matches)
}

// options checks a command that has a rule, and reports whether name is one.
func (w *walker) options(name string, args []arg) bool {
	if name == "git" {
		w.git(args)
		return true
	}
	rule := optionRules[name]
	if rule == nil {
		return false
	}
	rest := args[1:]
	if name == "tar" && len(rest) > 0 {
		if rest[0].unknown() {
			w.s.want(integer, "the first word of tar, which may be options, comes from a variable")
		}
		if text, fixed := rest[0].fixed(); len(rest[0].marks()) > 0 && (!fixed || strings.ContainsAny(text, "IF")) {
			w.refuseAll(rest[0].marks(), UnsafeOption, "the first word of tar may be options", "write tar's options in front of it")
		} else if !strings.HasPrefix(text, "-") && strings.ContainsAny(text, "IF") {
			w.tarBundle(rest[1:])
		}
	}
	w.optionArgs(rule, rest)
	switch name {
	case "make", "gmake":
		w.makefile(name, args)
	case "scp", "rsync", "sftp":
		w.remote(name, args)
	case "docker", "podman", "kubectl", "npx":
		for _, a := range args {
			if text, _ := a.fixed(); strings.Contains(text, "entrypoint") || text == "--command" {
				w.s.want(integer, name+" runs another program with its arguments")
			}
		}
		w.behind(args)
	}
	return true
}

// tarBundle checks the words behind options without a dash, one of which is a
// command.
func (w *walker) tarBundle(args []arg) {
	w.s.files.runsAny()
	for _, a := range args {
		w.refuseAll(a.marks(), UnsafeOption, "tar may run it: its options I and F take a command", "write tar's options with dashes")
		if a.unknown() {
			w.s.want(integer, "an option of tar runs what a variable holds")
		}
	}
}

// optionArgs refuses values that the rule matches.
func (w *walker) optionArgs(rule *optionRule, args []arg) {
	for i, a := range args {
		w.optionNext(rule, args, i)
		if text, ok := a.static(); ok && text == "--" && !rule.permute && rule.has == "" && !followsOption(args, i) {
			return
		}
		if a.tainted() {
			w.s.wantNoOption(rule)
		}
		text, _ := a.fixed()
		for _, m := range a.marks() {
			if _, assigns := a.assigns(); rule.has != "" && assigns {
				text = m.value
			}
			if rule.matches(text) || a.braces {
				w.s.refuse(m, UnsafeOption, "the value would be an option or argument with which "+rule.command+" runs commands or writes files", "give another value, or write -- in front of the placeholder")
			}
		}
	}
}

// optionNext checks an argument behind an option of the author's whose
// argument is a command, and the option itself.
func (w *walker) optionNext(rule *optionRule, args []arg, i int) {
	text, fixed := args[i].static()
	name, _, joined := strings.Cut(text, "=")
	if slices.Contains(rule.next, name) {
		w.s.files.runsAny()
		if joined && !fixed && args[i].tainted() {
			w.s.want(integer, "an option of "+rule.command+" runs what a variable holds")
		}
	}
	for _, p := range args[i].pieces {
		if p.option {
			w.s.want(integer, "a variable may hold an option of "+rule.command)
		}
	}
	if unclear := text == "-" || text == "--" || rule.permute && strings.HasPrefix(text, "-"); unclear && args[i].unknown() {
		w.s.want(integer, "a variable makes up an option of "+rule.command)
	}
	if i == 0 {
		return
	}
	prev, _ := args[i-1].static()
	cluster := rule.permute && len(prev) > 1 && prev[0] == '-' && prev[1] != '-' && slices.Contains(rule.next, "-"+prev[len(prev)-1:])
	if !slices.Contains(rule.next, prev) && !cluster {
		return
	}
	w.refuseAll(args[i].marks(), UnsafeOption, "it is what the option "+prev+" of "+rule.command+" runs", "write the command that the option runs")
	if args[i].unknown() {
		w.s.want(integer, "an option of "+rule.command+" runs what a variable holds")
	}
}

// followsOption reports whether the argument i may belong to an option.
func followsOption(args []arg, i int) bool {
	if i == 0 {
		return false
	}
	text, _ := args[i-1].fixed()
	return strings.HasPrefix(text, "-") || args[i-1].unknown()
}

// makefile checks what make reads.
func (w *walker) makefile(name string, args []arg) {
	for i, a := range args {
		text, _ := a.fixed()
		if i == 0 || len(text) < 2 || text[0] != '-' {
			continue
		}
		long, rest, joined := strings.Cut(text, "=")
		if text[1] != '-' {
			if _, rest, joined = strings.Cut(text, "f"); !joined {
				continue
			}
			joined = rest != ""
		} else if !strings.HasPrefix(long, "--f") && !strings.HasPrefix(long, "--m") {
			continue
		}
		if joined {
			w.makefileName(name, arg{pieces: []piece{{text: rest, tainted: a.tainted()}}})
		} else if i+1 < len(args) {
			w.makefileName(name, args[i+1])
		}
	}
}

func (w *walker) makefileName(name string, a arg) {
	text, _ := a.fixed()
	if a.tainted() || text == "-" || strings.HasPrefix(text, "/dev/") || strings.HasPrefix(text, "/proc/") {
		w.s.want(integer, name+" reads commands from its input")
	}
}

// remote checks names of files on other machines, which a shell there reads.
func (w *walker) remote(name string, args []arg) {
	for _, a := range args[1:] {
		text, _ := a.fixed()
		if !strings.Contains(text, ":") {
			continue
		}
		for _, m := range a.marks() {
			w.s.require(m, m.value, safe, "a file on another machine, whose name a shell reads,")
		}
	}
}
