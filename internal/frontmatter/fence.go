package frontmatter

import "bytes"

// fence opens and closes a header when it stands alone on a line.
const fence = "---"

// A span is where the parts of a document lie in its text.
type span struct {
	opened bool // the first non-blank line is a fence
	closed bool // a closing fence follows
	line   int  // line of the opening fence, 1-based
	header int  // offset of the first byte of the header
	end    int  // offset of the first byte after the header
	body   int  // offset of the first byte of the body
	more   bool // the answer could change if more of the file were known
}

// findFences locates the header of text (01 R4). With complete false, text is
// the beginning of a longer file, and a last line that lacks its line end
// decides nothing: "---" may turn out to be "----".
func findFences(text []byte, complete bool) span {
	s := span{line: 1}
	for rest := text; ; s.line++ {
		line, next, ended := cutLine(rest)
		if ended && blankLine(line) {
			rest = next
			continue
		}
		s.opened = isFence(line)
		if s.opened {
			s.header = len(text) - len(next)
			s.body = s.header
			s.findClose(text, complete)
			return s
		}
		undecided := blankLine(line) || len(line) < len(fence) && string(line) == fence[:len(line)]
		s.more = undecided && !ended && !complete
		return s
	}
}

// findClose looks for the closing fence. Only a line that begins with the
// dashes can be one, so that the search runs at memory speed.
func (s *span) findClose(text []byte, complete bool) {
	for at := s.header; ; {
		if !bytes.HasPrefix(text[at:], []byte(fence)) {
			i := bytes.Index(text[at:], []byte("\n"+fence))
			if i < 0 {
				break
			}
			at += i + 1
		}
		line, next, ended := cutLine(text[at:])
		after := len(text) - len(next)
		if isFence(line) && (ended || complete) {
			s.closed = true
			s.end, s.body = at, after
			return
		}
		at = after
	}
	s.end = len(text)
	s.more = !complete
}

// isFence reports whether line is a fence: three dashes at column 0, then
// nothing but blanks of any kind; editors leave no-break spaces there.
func isFence(line []byte) bool {
	return bytes.HasPrefix(line, []byte(fence)) && blankLine(line[len(fence):])
}

// blankLine reports whether line shows nothing: white space as Unicode has it.
func blankLine(line []byte) bool { return len(bytes.TrimSpace(line)) == 0 }

// isBlank reports whether line holds nothing but spaces and tabs.
func isBlank[T []byte | string](line T) bool {
	for i := range len(line) {
		if line[i] != ' ' && line[i] != '\t' {
			return false
		}
	}
	return true
}

// cutLine splits b after its first line. The line comes without its line end;
// ended tells whether it had one.
func cutLine(b []byte) (line, rest []byte, ended bool) {
	return bytes.Cut(b, []byte{'\n'})
}
