package frontmatter

import "strings"

// A flatScanner reads headers that hold nothing which could be read in two
// ways (01 §2). It goes line by line and gives up at the first one that is not
// plainly one of its few forms:
//
//	# comment
//	key: plain text, "quoted text" or 'quoted text'
//	key: [a, "b"]
//	key: | or > and an indented text
//	key:
//	  - item
//	key:
//	  child: any of the above
//
// Giving up is always safe, since yaml.v3 reads the header then. Accepting is
// safe only if yaml.v3 reads the same: FuzzFlatEqualsYAML holds it to that.
type flatScanner struct {
	doc  *Document
	rest string // the lines after cur
	cur  string // the current line without its line end
	line int    // of cur in the file
	done bool   // there is no current line any more

	blanks int // blank lines before cur that nextFilled passed over
}

// scanFlat fills d.Fields from d.header and reports whether it could. If not,
// d.Fields is empty.
func (d *Document) scanFlat(maxKeys int) bool {
	s := flatScanner{doc: d, rest: d.header, line: d.headerLine - 1}
	if allText(d.header) && s.scan(maxKeys) {
		return true
	}
	d.Fields = d.Fields[:0]
	return false
}

// scan reads the top level. Lines that are neither blank, comment nor key at
// column 0 are not flat: whatever they belong to has been read before.
func (s *flatScanner) scan(maxKeys int) bool {
	for s.nextFilled(); !s.done; {
		switch {
		case s.cur[0] == '#':
			s.nextFilled()
		case len(s.doc.Fields) == maxKeys:
			return false
		default:
			s.doc.Fields = append(s.doc.Fields, Field{})
			if !s.field(0, &s.doc.Fields[len(s.doc.Fields)-1]) {
				return false
			}
		}
	}
	return true
}

// next makes the next line the current one.
func (s *flatScanner) next() {
	if s.rest == "" {
		s.cur, s.done = "", true
		return
	}
	s.cur, s.rest, _ = strings.Cut(s.rest, "\n")
	s.line++
}

// nextFilled makes the next line that is not blank the current one.
func (s *flatScanner) nextFilled() {
	s.next()
	for s.blanks = 0; !s.done && indentation(s.cur) == len(s.cur); s.blanks++ {
		s.next()
	}
}

// isFurther reports whether the current line is further in than column indent.
func (s *flatScanner) isFurther(indent int) bool {
	return indentation(s.cur) > indent
}

// field reads the key at column indent of the current line and all of its
// value. Afterwards the current line is the first filled one behind it.
func (s *flatScanner) field(indent int, f *Field) bool {
	text := s.cur[indent:]
	n := keyLength(text)
	if n == 0 || n+1 < len(text) && text[n+1] != ' ' {
		return false
	}
	f.Key, f.Line, f.Value.Line = text[:n], s.line, s.line
	return s.value(strings.TrimLeft(text[n+1:], " "), indent, &f.Value)
}

// value reads what follows a key at column indent.
func (s *flatScanner) value(text string, indent int, v *Value) bool {
	switch {
	case text == "" || text[0] == '#':
		s.nextFilled()
		return s.below(indent, v)
	case text[0] == '|' || text[0] == '>':
		return s.blockScalar(text, indent, v)
	case text[0] == '[':
		return s.flowList(text, v)
	}
	return s.scalar(text, indent, v)
}

// below reads the value of a key at column indent that has nothing behind its
// colon: a list, a map, a scalar, or nothing at all.
func (s *flatScanner) below(indent int, v *Value) bool {
	in := indentation(s.cur)
	text := s.cur[in:]
	switch {
	case in >= indent && strings.HasPrefix(text, "- "):
		return s.list(in, v)
	case in <= indent:
		return true
	case keyLength(text) > 0 && colon(text) >= 0:
		return indent == 0 && s.fields(in, v)
	}
	v.Line = s.line
	return s.scalar(text, indent, v)
}

// list reads a block list whose dashes stand at column indent.
func (s *flatScanner) list(indent int, v *Value) bool {
	d := s.doc
	from := len(d.items)
	v.Kind, v.Line = List, s.line
	for indentation(s.cur) == indent && strings.HasPrefix(s.cur[indent:], "- ") {
		item := Value{Line: s.line}
		if !s.scalar(strings.TrimLeft(s.cur[indent+2:], " "), indent, &item) {
			return false
		}
		d.items = append(d.items, item)
	}
	v.Items = d.items[from:len(d.items):len(d.items)]
	return true
}

// fields reads a map of one level whose keys stand at column indent.
func (s *flatScanner) fields(indent int, v *Value) bool {
	d := s.doc
	from := len(d.nested)
	v.Kind, v.Line = Map, s.line
	for !s.done && indentation(s.cur) == indent {
		d.nested = append(d.nested, Field{})
		if !s.field(indent, &d.nested[len(d.nested)-1]) {
			return false
		}
	}
	v.Fields = d.nested[from:len(d.nested):len(d.nested)]
	return true
}

// keyLength returns the length of the plain key that text starts with, or 0.
// Keys that need quotes, or that have a meaning for YAML, are not flat.
func keyLength(text string) int {
	if text == "" || !isLetter(text[0]) {
		return 0
	}
	for i := 1; i < len(text) && i < maxFlatKey; i++ {
		switch c := text[i]; {
		case c == ':':
			return i
		case !isLetter(c) && (c < '0' || c > '9') && c != '-' && c != '.':
			return 0
		}
	}
	return 0
}

// maxFlatKey is far above what is found and far below the 1,024 characters at
// which YAML no longer takes a text for a key.
const maxFlatKey = 128

func isLetter(c byte) bool {
	return c|0x20 >= 'a' && c|0x20 <= 'z' || c == '_'
}

// indentation counts the spaces that line starts with.
func indentation(line string) int {
	return len(line) - len(strings.TrimLeft(line, " "))
}
