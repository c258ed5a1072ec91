// Package shellwords splits argument text into words by the quoting rules of
// a POSIX shell, and expands nothing (04 §3).
//
// Words are separated by spaces, tabs and newlines. Three characters are
// special, everything else is an ordinary character: $ and backquotes,
// globs, ~, braces, # and the operators ; | & < > ( ) included.
//
//   - A backslash outside quotes keeps the next character as it is; in front
//     of a newline both go away. At the very end of the text it stands for
//     itself, as it does in dash and bash.
//   - '…' keeps everything up to the next single quote.
//   - "…" keeps everything up to the next double quote, except that a
//     backslash in front of $ ` " \ is dropped and a backslash with the
//     newline behind it is removed. In front of anything else it stays.
//
// A quoted empty word is a word. Text with a quote that is never closed is
// not shell text, and people type apostrophes: it is split at blanks only,
// with every quote and backslash kept.
package shellwords

import "strings"

// Split returns the words of s, or nil when s is empty or blank. Bytes that
// are not valid UTF-8 pass through. It takes time linear in len(s).
func Split(s string) []string {
	if strings.ContainsAny(s, `\'"`) {
		if words, closed := splitQuoted(s); closed {
			return words
		}
	}
	return splitBlank(s)
}

// splitBlank returns what lies between the blanks of s.
func splitBlank(s string) []string {
	words := strings.FieldsFunc(s, isBlank)
	if len(words) == 0 {
		return nil
	}
	return words
}

func isBlank(r rune) bool { return r == ' ' || r == '\t' || r == '\n' }

// splitQuoted returns the words of s and whether every quote was closed.
func splitQuoted(s string) (words []string, closed bool) {
	p := splitter{text: make([]byte, 0, len(s))}
	if !p.read(s) {
		return nil, false
	}
	return p.words(), true
}

// A splitter collects words. Their text is never longer than the input, so
// all of them share one buffer and one string.
type splitter struct {
	text []byte // the words read so far, one behind the other
	ends []int  // where in text each finished word ends
	open bool   // a word has begun, if only with an empty pair of quotes
}

// read takes all of s. It reports false for a quote that is never closed.
func (p *splitter) read(s string) bool {
	for closed := true; s != ""; {
		switch s[0] {
		case ' ', '\t', '\n':
			p.finish()
			s = s[1:]
		case '\\':
			s = p.escaped(s[1:])
		case '\'':
			s, closed = p.single(s[1:])
		case '"':
			s, closed = p.double(s[1:])
		default:
			s = p.plain(s)
		}
		if !closed {
			return false
		}
	}
	p.finish()
	return true
}

// plain takes ordinary characters up to the next blank, quote or backslash.
func (p *splitter) plain(s string) (rest string) {
	n := strings.IndexAny(s, " \t\n\\'\"")
	if n < 0 {
		n = len(s)
	}
	p.add(s[:n])
	return s[n:]
}

// escaped takes what a backslash outside quotes stands in front of.
func (p *splitter) escaped(s string) (rest string) {
	switch {
	case s == "":
		p.add(`\`)
		return ""
	case s[0] != '\n':
		p.add(s[:1])
	}
	return s[1:]
}

// single takes the inside of single quotes and the closing one.
func (p *splitter) single(s string) (rest string, closed bool) {
	inside, rest, closed := strings.Cut(s, "'")
	p.add(inside)
	return rest, closed
}

// double takes the inside of double quotes and the closing one.
func (p *splitter) double(s string) (rest string, closed bool) {
	for {
		i := strings.IndexAny(s, `"\`)
		if i < 0 {
			return "", false
		}
		p.add(s[:i])
		if s[i] == '"' {
			return s[i+1:], true
		}
		if s = s[i:]; len(s) < 2 {
			return "", false
		}
		switch s[1] {
		case '$', '`', '"', '\\':
			p.add(s[1:2])
		case '\n':
		default:
			p.add(s[:2])
		}
		s = s[2:]
	}
}

// add puts s at the end of the current word and begins one if need be.
func (p *splitter) add(s string) {
	p.text = append(p.text, s...)
	p.open = true
}

// finish ends the current word, if there is one.
func (p *splitter) finish() {
	if p.open {
		p.ends = append(p.ends, len(p.text))
		p.open = false
	}
}

// words cuts the collected text into its words.
func (p *splitter) words() []string {
	if len(p.ends) == 0 {
		return nil
	}
	text, start := string(p.text), 0
	words := make([]string, len(p.ends))
	for i, end := range p.ends {
		words[i], start = text[start:end], end
	}
	return words
}
