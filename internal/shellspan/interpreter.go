package shellspan

import (
	"slices"
	"strings"
)

// An interpreter is a program that runs program text other than shell.
type interpreter struct {
	code      string   // options whose argument is program text
	args      string   // options with another argument
	files     string   // options that name code to load
	longCode  []string // the same with long names
	longArgs  []string
	longFiles []string
	pairs     []string // options with two arguments
	first     bool     // without code, the first operand is the program
	second    bool     // the operand behind the first one is the program
	stops     bool     // nothing behind the program is an option
	clusters  bool     // options may share a word
	opens     bool     // it may open its operands as commands
	input     bool     // without code, it reads its input whatever the operands are
}

var interpreters = map[string]interpreter{
	"python":  {code: "c", args: "Q", files: "mWX", stops: true, clusters: true},
	"pypy":    {code: "c", args: "Q", files: "mWX", stops: true, clusters: true},
	"perl":    {code: "eEF", args: "xDC", files: "MmI", clusters: true, opens: true},
	"ruby":    {code: "e", args: "EKFTW", files: "rIC", clusters: true, opens: true},
	"node":    {code: "ep", args: "C", files: "r", longCode: []string{"--eval", "--print"}, longFiles: []string{"--require", "--import", "--loader", "--experimental-loader", "--env-file"}, clusters: true},
	"nodejs":  {code: "ep", args: "C", files: "r", longCode: []string{"--eval", "--print"}, longFiles: []string{"--require", "--import"}, clusters: true},
	"bun":     {code: "ep", files: "r", longCode: []string{"--eval", "--print"}, longFiles: []string{"--preload"}},
	"php":     {code: "rBRE", args: "d", files: "fzcS", longCode: []string{"--run"}, longFiles: []string{"--file"}},
	"lua":     {code: "e", files: "l", clusters: true},
	"luajit":  {code: "ebj", files: "l"},
	"Rscript": {code: "e"},
	"R":       {code: "e", files: "f"},
	"julia":   {code: "eE", files: "L", longCode: []string{"--eval", "--print"}, longFiles: []string{"--load"}},
	"elixir":  {code: "e", files: "r", longCode: []string{"--eval"}},
	"groovy":  {code: "e"},
	"scala":   {code: "e"},
	"guile":   {code: "c", files: "sl"},
	"racket":  {code: "e", files: "fr"},
	"deno":    {code: "e"},
	"awk":     {code: "e", args: "Fv", files: "fEil", longCode: []string{"--source"}, longArgs: []string{"--assign", "--field-separator"}, longFiles: []string{"--file", "--exec", "--include", "--load"}, first: true},
	"sed":     {code: "e", args: "l", files: "f", longCode: []string{"--expression"}, longArgs: []string{"--line-length"}, longFiles: []string{"--file"}, first: true, clusters: true},
	"jq":      {args: "", files: "fL", longArgs: []string{"--indent"}, longFiles: []string{"--from-file"}, pairs: []string{"--arg", "--argjson", "--slurpfile", "--rawfile"}, first: true, clusters: true},
	"yq":      {args: "oIp", files: "", longArgs: []string{"--indent", "--output-format", "--input-format"}, longFiles: []string{"--from-file"}, pairs: []string{"--arg", "--argjson"}, first: true, clusters: true},
	"sqlite":  {args: "", longCode: []string{"-cmd"}, longFiles: []string{"-init"}, second: true},
	"psql":    {code: "c", args: "dhUpvFPRT", files: "fL", longCode: []string{"--command"}, input: true, longFiles: []string{"--file"}},
	"mysql":   {code: "e", args: "hPuD", longCode: []string{"--execute"}, input: true},
	"duckdb":  {code: "c", longCode: []string{"-c"}, second: true},
}

// aliases are other names of interpreters.
var aliases = map[string]string{"gawk": "awk", "mawk": "awk", "nawk": "awk", "original-awk": "awk", "gsed": "sed", "gojq": "jq", "mariadb": "mysql"}

// takesCode reports whether a is an option whose argument is program text.
func (v interpreter) takesCode(a arg) bool {
	text, ok := a.static()
	if !ok || len(text) < 2 || text[0] != '-' {
		return false
	}
	return slices.Contains(v.longCode, text) || text[1] != '-' && strings.ContainsAny(text, v.code) && v.code != ""
}

// An interpretation is the way through the arguments of an interpreter.
type interpretation struct {
	w       *walker
	v       interpreter
	name    string
	args    []arg
	i       int
	program bool // its program text was found
	ended   bool // options have ended
}

// interpreter checks a command that runs program text (04 §4).
func (w *walker) interpreter(name string, v interpreter, args []arg) {
	r := interpretation{w: w, v: v, name: name, args: args, i: 1}
	operands := 0
	for ; r.i < len(args); r.i++ {
		a := args[r.i]
		text, fixed := a.fixed()
		switch {
		case !r.ended && strings.HasPrefix(text, "-") && len(text) > 1 && len(a.marks()) == 0 && fixed:
			r.option(text)
		case !r.ended && (a.open && !(a.glob && r.program) || strings.HasPrefix(text, "-") && (len(a.marks()) > 0 || !fixed)):
			if r.leading(a, text) {
				return
			}
		default:
			operands++
			r.operand(a, operands)
		}
	}
	if !r.program && (operands == 0 || v.input) || v.second && operands < 2 {
		r.input()
	}
}

// input looks at the program that an interpreter reads: it may be written out
// in a here-document.
func (r *interpretation) input() {
	text, ok := r.w.inputText()
	if !ok {
		r.w.s.want(integer, r.name+" reads a program from its input")
		return
	}
	r.code(arg{pieces: []piece{{text: text, quoted: true}}})
}

// option takes an option that the author wrote.
func (r *interpretation) option(text string) {
	v := r.v
	name, value, joined := strings.Cut(text, "=")
	switch {
	case text == "--":
		r.ended = true
	case slices.Contains(v.pairs, text):
		r.i += 2
	case slices.Contains(v.longCode, name):
		r.argument(joined, value, r.code)
	case slices.Contains(v.longFiles, name):
		r.argument(joined, value, r.file)
	case slices.Contains(v.longArgs, name):
		if !joined {
			r.i++
		}
	case strings.HasPrefix(text, "--"):
	default:
		r.letters(text[1:])
	}
}

// argument gives the argument of a long option to f.
func (r *interpretation) argument(joined bool, value string, f func(arg)) {
	if joined {
		f(arg{pieces: []piece{{text: value, quoted: true}}})
		return
	}
	if r.i+1 >= len(r.args) {
		return
	}
	f(r.args[r.i+1])
	next, _ := r.args[r.i+1].fixed()
	option, _ := r.args[r.i].fixed()
	if prints := strings.HasPrefix(option, "--print") || option[1] != '-' && strings.HasSuffix(option, "p"); prints && strings.HasPrefix(next, "-") {
		return // an option after all, as in node -p -e
	}
	r.i++
}

// letters takes short options.
func (r *interpretation) letters(letters string) {
	for j := range len(letters) {
		c, rest := letters[j], letters[j+1:]
		switch {
		case strings.IndexByte(r.v.code, c) >= 0:
			if rest != "" && strings.Trim(rest, r.v.code) == "" && r.i+1 < len(r.args) {
				r.code(r.args[r.i+1]) // -pe of node, unless the program is "e"
			}
			r.argument(rest != "", rest, r.code)
			return
		case strings.IndexByte(r.v.files, c) >= 0:
			r.argument(rest != "", rest, r.file)
			return
		case strings.IndexByte(r.v.args, c) >= 0:
			if rest == "" {
				r.i++
			}
			return
		case !r.v.clusters:
			return
		case c == 'i' && r.name != "sed" && r.name != "perl" && r.name != "ruby":
			r.w.s.want(integer, r.name+" -i reads a program from its input")
		case r.name == "sed" && c == 'i' || r.name == "perl" && (c == 'i' || c == '0' || c == 'l'):
			if r.name == "sed" {
				r.w.s.files.runs(arg{pieces: []piece{{text: "sed -i"}}})
				return
			}
			if c == 'i' && rest != "" && strings.ContainsAny(rest[:1], ".~") {
				return
			}
		}
	}
}

// leading deals with an argument that may be an option and is not the author's
// alone. It reports whether nothing more can be said about the rest.
func (r *interpretation) leading(a arg, text string) bool {
	if a.open {
		r.w.s.want(integer, "the arguments of "+r.name+" come from a variable")
		for _, b := range r.args[r.i:] {
			r.w.refuseAll(b.marks(), UnsafePlace, "it stands behind arguments of "+r.name+" that are not known", "write the arguments out")
		}
		return true
	}
	if len(text) > 1 && r.authored(a) {
		c := text[1]
		switch {
		case text[1] != '-' && strings.IndexByte(r.v.args, c) >= 0:
			return false // -F$0
		case text[1] != '-' && strings.IndexByte(r.v.code, c) >= 0:
			r.code(arg{pieces: append([]piece{{text: text[:0]}}, cutPieces(a.pieces, 2)...)})
			return false
		}
	}
	r.w.refuseAll(a.marks(), UnsafeOption, "the value would be an option of "+r.name, "give a value without a dash in front, or write -- in front of the placeholder")
	if a.tainted() {
		r.w.s.want(integer, "an option of "+r.name+" comes from a variable")
	}
	return false
}

// authored reports whether the author wrote the option letter of a.
func (r *interpretation) authored(a arg) bool {
	return a.pieces[0].m == nil && !a.pieces[0].dynamic && len(a.pieces[0].text) > 1
}

// cutPieces returns pieces without the first n bytes.
func cutPieces(pieces []piece, n int) []piece {
	out := slices.Clone(pieces)
	out[0].text = out[0].text[min(n, len(out[0].text)):]
	return out
}

// operand takes an argument that is no option.
func (r *interpretation) operand(a arg, n int) {
	text, _ := a.fixed()
	switch {
	case !r.program && (r.v.first && n == 1 || r.v.second && n == 2):
		r.code(a)
		return
	case !r.program && n == 1 && !r.v.first && !r.v.second && !r.v.input:
		if _, known := r.w.inputText(); known && isDash(a) {
			r.input()
		} else {
			r.w.script(r.name, a)
		}
		r.program, r.ended = true, true
		return
	}
	if r.v.opens && strings.ContainsAny(text, "|<>") {
		r.w.refuseAll(a.marks(), BadValue, r.name+" may run a file name with | in it", "give a value without |, < and >")
	}
	if r.v.opens && a.tainted() {
		r.w.s.want(plain, r.name+" may run a file name with | in it")
	}
	if a.tainted() && !r.ended && !r.v.stops {
		r.w.s.wantNoOption(&optionRule{command: r.name, dash: true})
	}
}

// file takes the name of code to load.
func (r *interpretation) file(a arg) {
	r.w.script(r.name, a)
	r.program = r.program || !strings.Contains("rMImLli", string(r.lastLetter()))
}

// lastLetter returns the letter of the option that was just read.
func (r *interpretation) lastLetter() byte {
	for i := min(r.i, len(r.args)-1); i > 0; i-- {
		if text, ok := r.args[i].static(); ok && len(text) > 1 && text[0] == '-' {
			return text[1]
		}
	}
	return 'f'
}

// code checks program text.
func (r *interpretation) code(a arg) {
	r.program = true
	if r.v.stops {
		r.ended = true
	}
	if a.open || a.braces {
		r.w.refuseAll(a.marks(), UnsafePlace, "it makes up a program of "+r.name+" in a way that is not known", "put the program in quotes")
		r.w.s.want(integer, "a program of "+r.name+" comes from a variable")
	}
	if a.tainted() {
		r.w.s.want(integer, "a program of "+r.name+" comes from a variable or a command")
	}
	if r.name == "sed" {
		r.w.sed(a.pieces)
		return
	}
	switch r.name {
	case "awk":
		r.w.awk(a.pieces)
	case "python", "pypy", "perl", "ruby", "node", "nodejs", "bun", "php", "lua", "luajit", "deno":
		text := textOf(a.pieces)
		r.w.s.files.runsProject(text)
		if strings.Contains(text, "open") || strings.Contains(text, "rite") || strings.Contains(text, ">") {
			r.w.s.files.writesAny()
		}
	}
	r.w.programText(r.name, a.pieces)
	if evaluatesText(r.name, a.pieces) {
		r.w.s.want(integer, "a program of "+r.name+" may run what it reads")
	}
}

// programText checks the values in a program: they are words, and not its
// first one.
func (w *walker) programText(language string, pieces []piece) {
	before := ""
	for _, p := range pieces {
		if p.m == nil {
			before += p.text
			continue
		}
		if !p.m.argument() {
			w.s.require(p.m, p.m.value, safe, "a program of "+language)
		}
		if p.m.argument() {
			w.inProgram(language, p, before)
		}
		before += "x"
	}
}

func (w *walker) inProgram(language string, p piece, before string) {
	hint := "pass the value as an argument of the program"
	switch {
	case strings.TrimSpace(before) == "":
		w.s.refuse(p.m, CommandPosition, "it stands at the start of a program of "+language, hint)
	case strings.HasSuffix(before, `\`):
		w.s.refuse(p.m, UnsafePlace, "it stands behind a backslash in a program of "+language, hint)
	case (language == "perl" || language == "ruby") && !insideQuotes(before):
		w.s.require(p.m, p.text, integer, "a program of "+language+", outside of quotes,")
	default:
		w.s.require(p.m, p.text, identifier, "a program of "+language)
	}
}

// insideQuotes reports whether a program text ends inside '…' or "…".
func insideQuotes(text string) bool {
	var open byte
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case c == '\\':
			i++
		case open == 0 && (c == '\'' || c == '"'):
			open = c
		case c == open:
			open = 0
		}
	}
	return open != 0
}

// evaluating are words of programs that run text, in most languages.
var evaluating = []string{
	"system", "exec", "eval", "popen", "spawn", "subprocess", "compile", "__import__", "importlib", "getattr", "globals",
	"__dict__", "ctypes", "builtins", "pty", "fork", "syscall", "pickle", "marshal", "shelve", "runpy", "yaml.load", "interact", "pdb", "timeit",
}

// evaluatingIn are those of single languages.
var evaluatingIn = map[string][]string{
	"perl":   {"`", "qx", "open", "do ", "do{", "require", "readpipe", "use ", "glob", "&$", "&{"},
	"ruby":   {"`", "%x", "open", "send", "instance_", "IO.", "Kernel", "load", "require", "method", "const_get", "read", "File."},
	"php":    {"`", "passthru", "proc_", "assert", "create_function", "call_user", "include", "require", "preg_", "unserialize", "$$", "extract"},
	"lua":    {"load", "dofile", "require", "io."},
	"node":   {"child_process", "Function", "vm", "Worker", "binding", "constructor", "process[", "require(p", "require(x", "import(p"},
	"sqlite": {".shell", ".system", ".import", ".read", ".once", ".output", "load_extension", "edit(", "writefile"},
	"psql":   {"\\!", "\\o", "\\g", "\\i", "PROGRAM"},
	"mysql":  {"\\!", "\\.", "source", "tee", "pager"},
	"duckdb": {"load", "LOAD", "install", "INSTALL", ".shell", "shellfs"},
	"yq":     {"env", "load"},
	"jq":     {},
}

// evaluatesText reports whether a program may run text that it reads.
func evaluatesText(language string, pieces []piece) bool {
	text := textOf(pieces)
	switch language {
	case "luajit":
		language = "lua"
	case "nodejs", "bun", "deno":
		language = "node"
	}
	words, data := evaluatingIn[language], language == "jq" || language == "yq" || language == "awk"
	if slices.ContainsFunc(words, func(w string) bool { return strings.Contains(text, w) }) {
		return true
	}
	if !data && slices.ContainsFunc(evaluating, func(w string) bool { return strings.Contains(text, w) }) {
		return true
	}
	return language == "node" && computedModule(text) || language == "perl" && perlEvaluates(text)
}

// textOf returns what the author wrote of a program.
func textOf(pieces []piece) string {
	var b strings.Builder
	for _, p := range pieces {
		if p.m == nil {
			b.WriteString(p.text)
		}
	}
	return b.String()
}

// computedModule reports whether a program of node loads a module whose name
// is not written out.
func computedModule(text string) bool {
	for _, call := range []string{"require", "import"} {
		for _, after := range strings.Split(text, call)[1:] {
			rest := strings.TrimLeft(after, " ")
			if strings.HasPrefix(rest, "(") && !strings.HasPrefix(rest, `("`) && !strings.HasPrefix(rest, "('") || strings.HasPrefix(rest, ".") {
				return true
			}
		}
	}
	return false
}

// perlEvaluates reports whether a substitution of perl runs its result.
func perlEvaluates(text string) bool {
	for _, end := range []string{"/", "}", "|", "!", "#", ",", ")"} {
		for rest := text; ; {
			_, after, found := strings.Cut(rest, end)
			if !found {
				break
			}
			flags := after[:len(after)-len(strings.TrimLeft(after, "gimsxore"))]
			if strings.Contains(flags, "e") {
				return true
			}
			rest = after
		}
	}
	return false
}
