package corpus

import (
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

const (
	minQuery   = 12  // characters; shorter lines are labels
	maxQuery   = 300 // characters
	maxQueries = 12  // of one skill, so that none outweighs the others
	maxTitle   = 80  // characters of a line that announces a list
)

// The patterns are never changed. Titles are in lower case, without markup.
var (
	opens = regexp.MustCompile(`^when (to|should you|you should) (use|invoke|activate|apply|load|call|run|trigger|reach for)\b|` +
		`^(use|invoke|activate|apply)\b.*\bwhen\b|^use (this|it)\b.*\b(for|if|to)$|\buse cases?$|` +
		`^triggers?( phrases| conditions| keywords)?$|^(何时使用|使用场景|适用场景|触发条件)`)
	negates = regexp.MustCompile(`\b(not|never|avoid|skip|unless|instead)\b|n['’]t\b|❌`)

	heading = regexp.MustCompile(`^(#{1,6})\s+(.*)$`)
	bold    = regexp.MustCompile(`^(?:\*\*|__)([^*]+)(?:\*\*|__)\s*:?$`)
	item    = regexp.MustCompile(`^\s*(?:[-*+•]|\d+[.)])\s+(.*)$`)
	link    = regexp.MustCompile(`\[([^\]]*)\]\([^)]*\)`)
	stop    = regexp.MustCompile(`[.!?]\s+|[。！？]`)
)

// Depths of what can begin a section, besides the levels of headings.
const (
	closed    = 0
	boldDepth = 7
	leadDepth = 8 // a line that ends in a colon
)

// A reader collects what a body says on when to use its skill.
type reader struct {
	depth  int // of what began the section; closed outside
	items  []string
	prose  []string // paragraphs of a section, used if it has no items
	inItem bool
	out    []string
}

// whenToUse returns the list items below headings, bold lines and lines ending
// in a colon that announce when to use a skill; where there is no list, the
// sentences below a heading. The rest is the body without all this.
func whenToUse(body string) (queries []string, rest string) {
	var r reader
	var b strings.Builder
	fenced := false
	for full := range strings.Lines(body) {
		l := strings.TrimRight(full, " \t\r\n")
		t := strings.TrimSpace(l)
		switch fence := strings.HasPrefix(t, "```") || strings.HasPrefix(t, "~~~"); {
		case fence:
			fenced = !fenced
		case !fenced:
			r.line(l)
		}
		if r.depth == closed {
			b.WriteString(full)
		}
	}
	r.close()
	return r.out, b.String()
}

func (r *reader) line(l string) {
	if depth, title := titleOf(l); depth != closed {
		r.title(depth, title)
		return
	}
	if r.depth == closed {
		return
	}
	if m := item.FindStringSubmatch(l); m != nil {
		r.items = append(r.items, m[1])
		r.inItem = true
		return
	}
	text := strings.TrimSpace(l)
	indented := len(text) < len(l)
	switch {
	case text == "":
		r.inItem = false
	case r.inItem && indented:
		r.items[len(r.items)-1] += " " + text
	case r.depth == leadDepth:
		r.close()
	case !strings.HasPrefix(text, "|"): // a table is no prose
		r.prose = append(r.prose, text)
	}
}

// titleOf returns how deep a title lies that l may be, and its plain text.
func titleOf(l string) (depth int, title string) {
	switch {
	case heading.MatchString(l):
		m := heading.FindStringSubmatch(l)
		depth, title = len(m[1]), m[2]
	case bold.MatchString(l):
		depth, title = boldDepth, bold.FindStringSubmatch(l)[1]
	case strings.HasSuffix(l, ":") && !item.MatchString(l) && utf8.RuneCountInString(l) <= maxTitle:
		depth, title = leadDepth, l
	default:
		return closed, ""
	}
	return depth, strings.TrimFunc(strings.ToLower(plain(title)), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
}

// title begins a section, ends one, or is a part of it.
func (r *reader) title(depth int, title string) {
	r.inItem = false
	no := negates.MatchString(title)
	switch {
	case opens.MatchString(title) && !no:
		if r.depth == closed || depth <= r.depth {
			r.close()
			r.depth = depth
		}
	case no || depth <= r.depth:
		r.close()
	}
}

// close ends a section and keeps what it said.
func (r *reader) close() {
	found := r.items
	if len(found) == 0 {
		found = stop.Split(strings.Join(r.prose, " "), -1)
	}
	for _, s := range found {
		s = plain(s)
		if n := utf8.RuneCountInString(s); n >= minQuery && !negates.MatchString(strings.ToLower(s)) {
			r.out = append(r.out, string([]rune(s)[:min(n, maxQuery)]))
		}
	}
	r.depth, r.items, r.prose, r.inItem = closed, nil, nil, false
}

// plain takes Markdown, and what decorates both ends, off a text.
func plain(s string) string {
	s = link.ReplaceAllString(s, "$1")
	s = strings.NewReplacer("**", "", "__", "", "`", "", "[ ]", "", "[x]", "").Replace(s)
	s = strings.TrimFunc(s, func(r rune) bool { return unicode.IsSpace(r) || unicode.IsSymbol(r) })
	return strings.Join(strings.Fields(s), " ")
}

// heldOut returns the first queries that told does not say in the same words,
// each once.
func heldOut(queries []string, told string) []string {
	said := " " + strings.Join(Words(told), " ") + " "
	var out, seen []string
	for _, q := range queries {
		key := strings.Join(Words(q), " ")
		if key == "" || strings.Contains(said, " "+key+" ") || slices.Contains(seen, key) {
			continue
		}
		if len(out) == maxQueries {
			break
		}
		out, seen = append(out, q), append(seen, key)
	}
	return out
}
