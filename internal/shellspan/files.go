package shellspan

import (
	"path"
	"strings"
)

// files are what a span writes and what it runs.
type files struct {
	written []file
	run     []file
}

// A file is a path as far as it is known.
type file struct {
	path    string
	known   bool
	foreign bool // beneath a folder of the host's, or of the system

	// project says that the program reads sources of the working directory
	// that are not named. The text is the author's program, if there is one.
	project bool
	text    string
}

func fileOf(a arg) file {
	text, ok := a.fixed()
	f := file{path: text, known: ok && len(a.marks()) == 0}
	f.foreign = strings.HasPrefix(text, "/") || len(a.pieces) > 0 && (a.pieces[0].m != nil || a.pieces[0].dynamic)
	return f
}

// writeTo notes that output goes to the files args.
func (f *files) writeTo(args []arg) {
	for _, a := range args {
		text, ok := a.static()
		if ok && (strings.HasPrefix(text, "/dev/") && !strings.HasPrefix(text, "/dev/shm/") || text == "-" || text != "" && strings.Trim(text, "0123456789-") == "") {
			continue
		}
		f.written = append(f.written, fileOf(a))
	}
}

// runs notes that the file a is run or read as a program.
func (f *files) runs(a arg) { f.run = append(f.run, fileOf(a)) }

// runsAny notes that some file of the working directory is run.
func (f *files) runsAny() { f.run = append(f.run, file{}) }

// runsProject notes that sources of the working directory are run.
func (f *files) runsProject(text string) {
	f.run = append(f.run, file{project: true, text: text})
}

// writesAny notes that some file is written.
func (f *files) writesAny() { f.written = append(f.written, file{}) }

// isData reports whether the name of a file is that of text no program runs.
func isData(name string, project bool) bool {
	switch path.Ext(name) {
	case ".txt", ".log", ".out", ".md", ".csv", ".tsv", ".html", ".diff", ".patch":
		return true
	case ".json", ".yml", ".yaml", ".xml", ".toml":
		return !project
	}
	return false
}

// isSettings reports whether programs look for settings or hooks at a path.
func isSettings(p string) bool {
	for _, part := range []string{".git/", ".ssh/", ".config/", ".gnupg/", "hooks/", ".vscode/"} {
		if strings.Contains(p, part) {
			return true
		}
	}
	base := path.Base(p)
	return strings.HasPrefix(base, ".") && strings.HasSuffix(base, "rc") ||
		strings.HasPrefix(base, ".") && strings.Contains(base, "profile") || base == ".gitconfig" || base == ".envrc" || base == "sitecustomize.py"
}

// check adds a rule if what is run may be what was written (04 §4).
func (f *files) check(s *rewriting) {
	for _, w := range f.written {
		if isSettings(w.path) {
			s.want(integer, "the command writes settings that programs act upon")
		}
	}
	for _, r := range f.run {
		for _, w := range f.written {
			if mayBe(r, w) {
				s.want(integer, "the command writes a file and runs one")
				return
			}
		}
	}
}

// mayBe reports whether r may run the file w, or a program that reads it. A
// program in a folder of the host's or the system's is taken not to read
// whatever lies in the working directory.
func mayBe(r, w file) bool {
	base := path.Base(w.path)
	switch {
	case !w.known || !isData(w.path, r.project):
	case r.project:
		return strings.Contains(r.text, base)
	case r.known:
		return path.Base(r.path) == base
	}
	if !r.foreign || !r.known && !w.known {
		return true
	}
	return path.Base(r.path) == base
}
