package shellspan

import "strings"

// sed checks a program of sed: values are whole numbers, or words inside the
// parts of an s command (04 §4).
func (w *walker) sed(pieces []piece) {
	r := sedReader{delim: make(map[int]bool)}
	for _, p := range pieces {
		if p.m == nil && !p.dynamic {
			r.text += p.text
			continue
		}
		r.text += sedValue
	}
	r.read()
	if r.runs {
		w.s.want(integer, "a program of sed runs what it reads")
	}
	if r.confused {
		for _, p := range pieces {
			if p.m != nil {
				w.s.refuse(p.m, UnsafePlace, "it would be a delimiter in a program of sed", "write the delimiters of s")
			}
		}
	}
	if r.writes {
		w.s.files.writesAny()
	}
	at := 0
	for _, p := range pieces {
		if p.m == nil && !p.dynamic {
			at += len(p.text)
			continue
		}
		if p.m != nil {
			w.sedPlace(p, r.text, at, r.delim[at])
		}
		at += len(sedValue)
	}
}

func (w *walker) sedPlace(p piece, text string, at int, inside bool) {
	c, why := integer, "a program of sed, outside of s/…/…/,"
	if inside && (at == 0 || text[at-1] != '\\') {
		c, why = identifier, "a program of sed"
	}
	if !p.m.argument() {
		c = safe
		if inside && strings.Contains(p.m.value, "/") {
			c = identifier
		}
	}
	w.s.require(p.m, p.text, c, why)
}

// sedValue stands for a value while a program is read. It is no part of sed's
// own language.
const sedValue = "\x02"

// A sedReader finds the parts of s commands.
type sedReader struct {
	text   string
	i      int
	delim  map[int]bool // offsets of values inside s commands
	runs   bool         // there is an e command or flag
	writes bool         // there is a w command or flag

	confused bool // a value would be a delimiter
}

// read goes through the commands. It stops at the first one it does not know,
// and everything behind that is outside.
func (r *sedReader) read() {
	for r.i < len(r.text) {
		r.skip(" \t\n;{}")
		r.address()
		r.skip(" \t!")
		if r.i >= len(r.text) {
			return
		}
		c := r.text[r.i]
		r.i++
		switch c {
		case 's':
			if !r.substitute() {
				r.rest()
				return
			}
		case 'p', 'd', 'q', 'n', 'g', 'h', 'x', 'D', 'G', 'H', 'N', 'P', '=', 'F', 'z':
			r.skip("0123456789")
		case '{', '}', ';', '\n':
		default:
			r.i--
			r.rest()
			return
		}
	}
}

// rest looks at what is left for commands that run or write.
func (r *sedReader) rest() {
	left := r.text[min(r.i, len(r.text)):]
	r.runs = r.runs || strings.Contains(left, "e")
	r.writes = r.writes || strings.ContainsAny(left, "wW")
}

func (r *sedReader) skip(chars string) {
	for r.i < len(r.text) && strings.IndexByte(chars, r.text[r.i]) >= 0 {
		r.i++
	}
}

// address skips the addresses of a command.
func (r *sedReader) address() {
	for r.i < len(r.text) {
		switch c := r.text[r.i]; {
		case c == '/':
			r.i++
			if !r.part('/', false) {
				return
			}
		case strings.IndexByte("0123456789$,~+I "+sedValue, c) >= 0:
			r.i++
		default:
			return
		}
	}
}

// part moves behind the next delimiter, and notes the values before it.
func (r *sedReader) part(delim byte, substitution bool) bool {
	for r.i < len(r.text) {
		c := r.text[r.i]
		switch {
		case c == '\\':
			r.i++
		case c == delim:
			r.i++
			return true
		case c == sedValue[0] && substitution:
			r.delim[r.i] = true
		}
		r.i++
	}
	return false
}

// substitute reads the rest of an s command.
func (r *sedReader) substitute() bool {
	if r.i >= len(r.text) {
		return false
	}
	delim := r.text[r.i]
	r.confused = r.confused || delim == sedValue[0]
	if isWord(delim) || strings.IndexByte(" \t\n\\"+sedValue, delim) >= 0 || delim >= 0x80 {
		return false
	}
	r.i++
	start := r.i
	pattern := r.part(delim, true)
	if replacement := pattern && r.part(delim, true); !replacement {
		for at := range r.delim {
			if at >= start {
				delete(r.delim, at)
			}
		}
		r.i = start
		return false
	}
	flags := r.i
	r.skip("gpiImM0123456789e" + sedValue)
	r.runs = r.runs || strings.Contains(r.text[flags:r.i], "e")
	if r.i < len(r.text) && r.text[r.i] == 'w' {
		r.writes = true
		return false
	}
	return true
}
