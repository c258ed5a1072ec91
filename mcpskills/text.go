package mcpskills

import (
	"cmp"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/seed-12b313d8/skills/internal/line"
)

// A cleaner makes text of a server harmless to show to a model.
type cleaner struct{ tags []string }

// text returns s with its lines kept:
//
//   - Every kind of line break becomes "\n". Other control characters go, tabs
//     stay. An invalid byte becomes U+FFFD.
//   - Bidi, tag and invisible characters go. As in a listing, a joiner stays
//     between visible characters, and a VS16 behind one.
//   - The < that would open or close one of the tags becomes &lt;, whatever
//     letter case, blanks or line breaks the name is written with.
//
// It is idempotent, and returns clean text as it is.
func (c cleaner) text(s string) string { return c.inert(visible(printable(s))) }

// printable mends line breaks, control characters and invalid bytes.
func printable(s string) string {
	if strings.IndexFunc(s, isOdd) < 0 {
		return s
	}
	var b strings.Builder
	b.Grow(len(s))
	for i, r := range s {
		switch {
		case r == '\r' && strings.HasPrefix(s[i+1:], "\n"): // the "\n" is next
		case r == '\r', r == '\v', r == '\f', r == '\u0085', r == '\u2028', r == '\u2029':
			b.WriteByte('\n')
		case unicode.IsControl(r) && r != '\n' && r != '\t':
		default:
			b.WriteRune(r) // U+FFFD for an invalid byte
		}
	}
	return b.String()
}

// isOdd reports whether printable has to look at r more closely.
func isOdd(r rune) bool {
	return r == utf8.RuneError || r == '\u2028' || r == '\u2029' || unicode.IsControl(r) && r != '\n' && r != '\t'
}

// visible removes what cannot be seen from each stretch between blanks. The
// blanks stay as they are.
func visible(s string) string {
	var b strings.Builder
	done := 0 // what of s is in b
	for start := 0; start < len(s); {
		n := strings.IndexFunc(s[start:], unicode.IsSpace)
		if n < 0 {
			n = len(s) - start
		}
		if word := s[start : start+n]; word != "" {
			if clean := line.Clean(word, line.Options{}); clean != word {
				b.WriteString(s[done:start] + clean)
				done = start + n
			}
		}
		start += n
		_, size := utf8.DecodeRuneInString(s[start:])
		start += size
	}
	if done == 0 {
		return s
	}
	b.WriteString(s[done:])
	return b.String()
}

// inert escapes the < of reserved tags. What a name is spread over ends at the
// next <, so each stretch is looked at once.
func (c cleaner) inert(s string) string {
	var b strings.Builder
	done := 0
	for at := strings.IndexByte(s, '<'); at >= 0; {
		end, next := len(s), strings.IndexByte(s[at+1:], '<')
		if next >= 0 {
			end = at + 1 + next
		}
		const escaped = "&lt;"
		if strings.HasPrefix(line.Clean(s[at:end], line.Options{Reserved: c.tags}), escaped) {
			b.WriteString(s[done:at] + escaped)
			done = at + 1
		}
		if at = end; next < 0 {
			break
		}
	}
	if done == 0 {
		return s
	}
	b.WriteString(s[done:])
	return b.String()
}

// word returns s, an entry of a list, if it is one clean line, and otherwise a
// line of what is clean in it. It is never empty if s is not: an entry that went
// would move the others, or lift the lock that it was part of.
func (c cleaner) word(s string) string {
	clean := c.text(s)
	if clean == s && !strings.Contains(s, "\n") {
		return s
	}
	return cmp.Or(line.Clean(clean, line.Options{Reserved: c.tags}), "\uFFFD")
}

// words cleans a list in place, and reports whether that changed it.
func (c cleaner) words(list []string) (changed bool) {
	for i, s := range list {
		list[i] = c.word(s)
		changed = changed || list[i] != s
	}
	return changed
}

// any cleans every text in v, which is plain data.
func (c cleaner) any(v any) any {
	switch v := v.(type) {
	case string:
		return c.text(v)
	case []any:
		out := make([]any, len(v))
		for i, e := range v {
			out[i] = c.any(e)
		}
		return out
	case map[string]any:
		out := make(map[string]any, len(v))
		for k, e := range v {
			out[oneLine(k, maxWord)] = c.any(e)
		}
		return out
	}
	return v
}

// How many characters of a server's words, and of its messages, are shown.
const (
	maxWord    = 64
	maxMessage = 300
)

// oneLine returns s as one harmless line of at most n characters.
func oneLine(s string, n int) string {
	return line.Cut(line.Clean(line.Head(s, 4*n), line.Options{EscapeAngles: true}), n)
}

// short returns a name or URI of a server for a message.
func short(s string) string { return `"` + oneLine(s, 2*maxWord) + `"` }
