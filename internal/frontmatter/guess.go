package frontmatter

import "strings"

// guess reads the value of a block that is not valid YAML in the way that its
// author most likely meant (01 §4, 3):
//
//   - behind | or >, the text below without its indentation;
//   - lines that start with a dash, a list;
//   - one pair of brackets, a list split at its commas;
//   - anything else, the lines folded into one.
func (b block) guess() Value {
	v := Value{Kind: Scalar, Guessed: true, Line: b.line}
	below := b.below()
	if isBlockHeader(b.rest) {
		v.Text, v.Quoted = guessBlock(b.rest, below), true
		return v
	}
	if b.rest == "" && isDash(trimBlanks(firstLine(below, isIdle))) {
		v.Kind, v.Items = List, guessList(below, b.line+1)
		return v
	}
	text := b.folded()
	if inside, ok := brackets(text); ok {
		v.Kind, v.Flow, v.Items = List, true, guessItems(inside, b.line)
		return v
	}
	v.Text, v.Quoted = unquote(text)
	if text == "" {
		v.Kind = Null
	}
	return v
}

// folded returns the value of b as one text. Lines that are comments are left
// out, unless the text is quoted and they may be part of it.
func (b block) folded() string {
	text := b.rest + "\n" + b.below()
	start := trimBlanks(firstLine(text, isIdle))
	return fold(text, start == "" || !isQuote(start[0]))
}

// fold joins lines as YAML does: by a blank, and by line ends where there are
// empty lines between them.
func fold(text string, comments bool) string {
	var b strings.Builder
	empty := 0
	for line := range strings.Lines(text) {
		line = strings.Trim(line, " \t\n")
		switch {
		case line == "":
			empty++
			continue
		case line[0] == '#' && comments:
			continue
		case b.Len() == 0:
		case empty == 0:
			b.WriteByte(' ')
		default:
			b.WriteString(strings.Repeat("\n", empty))
		}
		b.WriteString(line)
		empty = 0
	}
	return b.String()
}

// isBlockHeader reports whether text, which stands behind a colon, announces a
// block scalar.
func isBlockHeader(text string) bool {
	if text == "" || text[0] != '|' && text[0] != '>' {
		return false
	}
	rest := strings.TrimLeft(text[1:], "+-123456789")
	return isIdle(rest) && (rest == "" || isSpace(rest[0]))
}

// guessBlock reads the lines of a block scalar, less the indentation of the
// first. A comment further out is not part of it.
func guessBlock(header, below string) string {
	column := leadingBlanks(firstLine(below, isBlank[string]))
	var b strings.Builder
	for line := range strings.Lines(below) {
		in := leadingBlanks(line)
		if in >= column || line[in] != '#' {
			b.WriteString(line[min(in, column):])
		}
	}
	text := strings.Trim(b.String(), "\n")
	if header[0] == '>' {
		text = fold(text, false)
	}
	if text == "" || strings.Contains(header, "-") {
		return text
	}
	return text + "\n"
}

// guessList reads a list with a dash before each item. line is the first one
// of text in the file. Lines further in than the first belong to the item
// above; any other one is an item even without a dash, so that none is lost.
func guessList(text string, line int) []Value {
	margin := leadingBlanks(firstLine(text, isIdle))
	var items []Value
	start, at := 0, 0
	for l := range strings.Lines(text) {
		if !isIdle(l) && leadingBlanks(l) <= margin {
			closeItem(items, text[start:at])
			items = append(items, Value{Kind: Scalar, Guessed: true, Line: line})
			start = at
		}
		at += len(l)
		line++
	}
	closeItem(items, text[start:])
	return items
}

// closeItem sets the text of the last item, given its lines.
func closeItem(items []Value, source string) {
	if len(items) == 0 {
		return
	}
	source = strings.TrimLeft(source, " \t")
	if isDash(firstLine(source, isBlank[string])) {
		source = source[1:]
	}
	last := &items[len(items)-1]
	last.Text, last.Quoted = unquote(fold(source, true))
}

// isDash reports whether a line without indentation is an item of a list.
func isDash(line string) bool {
	return line == "-" || strings.HasPrefix(line, "- ")
}

// guessItems reads what stands between two brackets.
func guessItems(text string, line int) []Value {
	var items []Value
	for _, item := range splitItems(text) {
		if item = trimBlanks(item); item == "" {
			continue
		}
		v := Value{Kind: Scalar, Guessed: true, Line: line}
		v.Text, v.Quoted = unquote(item)
		items = append(items, v)
	}
	return items
}

// unquote removes the quotes around text if its first and its last character
// are the same quote, and tells whether they were.
func unquote(text string) (string, bool) {
	n := len(text)
	if n < 2 || !isQuote(text[0]) || text[n-1] != text[0] {
		return text, false
	}
	if text[0] == '"' {
		return strings.ReplaceAll(text[1:n-1], `\"`, `"`), true
	}
	return strings.ReplaceAll(text[1:n-1], "''", "'"), true
}

// firstLine returns the first line of text that is not to be skipped, with its
// indentation and without its line end.
func firstLine(text string, skip func(string) bool) string {
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\n")
		if !skip(line) {
			return line
		}
	}
	return ""
}
