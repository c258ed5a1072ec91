package improve

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"strings"

	"github.com/seed-12b313d8/skills/internal/frontmatter"
)

// A document is a skill file taken apart, so that its body can be replaced
// and nothing else.
type document struct {
	raw   []byte
	head  []byte // of raw: byte order mark, frontmatter and its fences
	front string // head as text: no mark, "\n" line ends
	state frontmatter.State
	// body is the text below the head with "\n" line ends: blank lines, what
	// a model is shown and gives back, and blank lines.
	body, lead, core, trail string
}

// parseDocument takes a file apart. why says what is wrong with it, if
// anything is.
func parseDocument(raw []byte) (d *document, why string) {
	text, defects := frontmatter.Decode(raw, true)
	if defects.NUL > 0 || defects.UTF8 > 0 {
		return nil, "the file is not valid UTF-8 text"
	}
	var h frontmatter.Document
	frontmatter.Parse(text, true, frontmatter.Limits{}, &h)
	if h.State == frontmatter.Broken {
		return nil, "the frontmatter cannot be read"
	}
	d = &document{raw: raw, front: string(text[:h.Body]), body: string(text[h.Body:]), state: h.State}
	d.head = raw[:rawOffset(raw, text[:h.Body])]
	d.lead, d.core, d.trail = trim(d.body)
	return d, ""
}

// rawOffset returns where the text that head was decoded from ends in raw.
func rawOffset(raw, head []byte) int {
	at := 0
	if len(head) > 0 && bytes.HasPrefix(raw, []byte("\uFEFF")) {
		at = len("\uFEFF")
	}
	for _, c := range head {
		if c == '\n' && bytes.HasPrefix(raw[at:], []byte("\r\n")) {
			at++
		}
		at++
	}
	return at
}

// trim splits text into blank lines, the rest, and the white space behind it.
func trim(text string) (lead, core, trail string) {
	core = strings.TrimRight(text, " \t\n")
	trail = text[len(core):]
	for {
		line, rest, ok := strings.Cut(core, "\n")
		if !ok || strings.Trim(line, " \t") != "" {
			return lead, core, trail
		}
		lead, core = lead+line+"\n", rest
	}
}

// sum returns the SHA-256 of the file.
func (d *document) sum() [sha256.Size]byte { return sha256.Sum256(d.raw) }

// hash is sum in hex.
func (d *document) hash() string {
	sum := d.sum()
	return hex.EncodeToString(sum[:])
}

// replaced returns the bytes of d with another core: the head byte for byte,
// line ends as they are in d.
func (d *document) replaced(core string) []byte {
	trail := d.trail
	if d.core == "" {
		trail = "\n"
	}
	var out bytes.Buffer
	out.Write(d.head)
	ends := d.lineEnds()
	if n := len(d.front); n > 0 && d.front[n-1] != '\n' {
		out.WriteString(ends.usual)
	}
	if len(d.head) == 0 && bytes.HasPrefix(d.raw, []byte("\uFEFF")) {
		out.WriteString("\uFEFF")
	}
	for line := range strings.Lines(d.lead + core + trail) {
		text, ended := strings.CutSuffix(line, "\n")
		out.WriteString(text)
		if ended {
			out.WriteString(ends.next(text))
		}
	}
	return out.Bytes()
}

// lineEnds says how the lines of a body end: most of them, and each with a
// text that also ends in another way.
type lineEnds struct {
	usual  string
	byLine map[string][]string // by text of the line, in order; only if mixed
}

// next returns the end of the next line with that text.
func (e *lineEnds) next(line string) string {
	ends := e.byLine[line]
	if len(ends) == 0 {
		return e.usual
	}
	e.byLine[line] = ends[1:]
	return ends[0]
}

// lineEnds looks at all of the file for what is usual.
func (d *document) lineEnds() *lineEnds {
	count := make(map[string]int, 3)
	eachLine(d.raw, func(_, end string) { count[end]++ })
	e := &lineEnds{usual: "\n"}
	for _, end := range []string{"\r\n", "\r"} {
		if count[end] > count[e.usual] {
			e.usual = end
		}
	}
	if len(count) < 2 {
		return e
	}
	e.byLine = make(map[string][]string)
	eachLine(d.raw[len(d.head):], func(line, end string) { e.byLine[line] = append(e.byLine[line], end) })
	return e
}

// eachLine yields the lines of raw that have an end.
func eachLine(raw []byte, yield func(line, end string)) {
	for rest := string(bytes.TrimPrefix(raw, []byte("\uFEFF"))); ; {
		i := strings.IndexAny(rest, "\r\n")
		if i < 0 {
			return
		}
		end := rest[i : i+1]
		if strings.HasPrefix(rest[i:], "\r\n") {
			end = rest[i : i+2]
		}
		yield(rest[:i], end)
		rest = rest[i+len(end):]
	}
}
