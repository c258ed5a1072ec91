package shellspan

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// awk looks at what a program of awk writes, and at the commands it runs.
func (w *walker) awk(pieces []piece) {
	r := awkReader{start: true}
	for _, p := range pieces {
		r.text += p.text
	}
	r.read()
	if strings.Contains(r.text, "system") || strings.Contains(r.text, "getline") || strings.Contains(r.text, "@") || r.computed {
		w.s.want(integer, "a program of awk may run what it reads")
	}
	if r.writes {
		w.s.files.writesAny()
	}
	for _, command := range r.commands {
		w.evaluate([]piece{{text: command}}, syntax.LangPOSIX, "awk")
	}
}

// An awkReader finds pipes in a program of awk. What it takes for a division
// it reads on behind, so that a pipe is not lost.
type awkReader struct {
	text     string
	i        int
	start    bool     // a slash here begins a regular expression
	commands []string // commands written out behind a pipe
	computed bool     // there is another one
	writes   bool     // there is a redirection, or a comparison like one
}

func (r *awkReader) read() {
	for r.i < len(r.text) {
		c := r.text[r.i]
		r.i++
		switch {
		case c == '"':
			r.skipTo('"')
		case c == '/' && r.start:
			r.skipTo('/')
		case c == '#':
			if n := strings.IndexByte(r.text[r.i:], '\n'); n >= 0 {
				r.i += n
			} else {
				r.i = len(r.text)
			}
		case c == '|' && strings.HasPrefix(r.text[r.i:], "|"):
			r.i++
		case c == '|':
			r.pipe()
		case c == '>':
			r.writes = true
		}
		if c != ' ' && c != '\t' {
			r.start = strings.IndexByte("({,;!~&|}\n", c) >= 0
		}
	}
}

// skipTo moves behind the next delim, which a backslash may hide.
func (r *awkReader) skipTo(delim byte) {
	for r.i < len(r.text) && r.text[r.i] != delim {
		if r.text[r.i] == '\\' {
			r.i++
		}
		r.i++
	}
	r.i++
}

// pipe reads the command behind a pipe.
func (r *awkReader) pipe() {
	rest := strings.TrimLeft(r.text[min(r.i, len(r.text)):], " \t")
	if !strings.HasPrefix(rest, `"`) {
		r.computed = true
		return
	}
	command, after, closed := strings.Cut(rest[1:], `"`)
	after = strings.TrimLeft(after, " \t")
	if !closed || strings.Contains(command, `\`) || after != "" && strings.IndexByte(";}\n", after[0]) < 0 {
		r.computed = true
		return
	}
	r.commands = append(r.commands, command)
}
