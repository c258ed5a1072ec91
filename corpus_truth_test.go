package skills_test

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"gopkg.in/yaml.v3"
)

// A truth is what a file says, worked out with plain yaml.v3 and none of the
// module's code.
type truth struct {
	name, description string
	tools             []string
	body              string
	// loose: the description is text over several lines that no YAML gives a
	// meaning to; it begins as its first line does.
	loose bool

	header string
	fields map[string]*yaml.Node // by key as written; the last of equals
}

// derive works out the truth about a file.
func derive(raw string) truth {
	text := plainText(raw)
	header, body, ok := cutHeader(text)
	if !ok {
		return truth{body: text}
	}
	w := truth{header: header, body: body, fields: make(map[string]*yaml.Node)}
	var doc yaml.Node
	switch err := yaml.Unmarshal([]byte(header), &doc); {
	case err != nil:
		w.byBlocks()
	case len(doc.Content) > 0:
		w.add(doc.Content[0])
	}
	w.name = w.prose("name")
	w.description = w.prose("description")
	if n := w.fields["description"]; n != nil && n.Tag == "!guess" && n.Value != w.line("description") {
		w.loose, w.description = true, w.line("description")
	}
	for _, key := range []string{"allowed-tools", "allowed_tools"} {
		if n := w.fields[key]; n != nil && n.Tag != "!guess" {
			w.tools = toolRules(n)
		}
	}
	return w
}

// plainText is 01 R3 in its simplest form.
func plainText(raw string) string {
	raw = strings.TrimPrefix(raw, "\ufeff")
	raw = strings.NewReplacer("\r\n", "\n", "\r", "\n", "\x00", "\ufffd").Replace(raw)
	var b strings.Builder
	for len(raw) > 0 {
		r, size := utf8.DecodeRuneInString(raw)
		b.WriteRune(r)
		raw = raw[size:]
	}
	return b.String()
}

// cutHeader is 01 R4 in its simplest form: lines that right-trimmed are "---".
func cutHeader(text string) (header, body string, ok bool) {
	lines := strings.SplitAfter(text, "\n")
	fence := func(l string) bool { return strings.TrimRightFunc(l, unicode.IsSpace) == "---" }
	start := 0
	for start < len(lines) && strings.TrimSpace(lines[start]) == "" {
		start++
	}
	if start == len(lines) || !fence(lines[start]) {
		return "", text, false
	}
	for end := start + 1; end < len(lines); end++ {
		if fence(lines[end]) {
			return strings.Join(lines[start+1:end], ""), strings.Join(lines[end+1:], ""), true
		}
	}
	return "", text, false
}

func (w *truth) add(mapping *yaml.Node) {
	if mapping.Kind != yaml.MappingNode {
		return
	}
	for i := 0; i+1 < len(mapping.Content); i += 2 {
		w.fields[mapping.Content[i].Value] = mapping.Content[i+1]
	}
}

// byBlocks reads a header that is no YAML one key at a time: with yaml.v3 where
// that works, otherwise as the text that stands there.
func (w *truth) byBlocks() {
	keys := regexp.MustCompile(`(?m)^([A-Za-z_][A-Za-z0-9_-]*):(?:[ \t]|$)`)
	at := keys.FindAllStringSubmatchIndex(w.header, -1)
	for i, m := range at {
		end := len(w.header)
		if i+1 < len(at) {
			end = at[i+1][0]
		}
		block, key := w.header[m[0]:end], w.header[m[2]:m[3]]
		var doc yaml.Node
		if yaml.Unmarshal([]byte(block), &doc) == nil && len(doc.Content) > 0 && doc.Content[0].Kind == yaml.MappingNode {
			w.add(doc.Content[0])
			continue
		}
		text := strings.Join(strings.Fields(block[len(key)+1:]), " ")
		for _, q := range []string{`"`, "'"} {
			if len(text) > 1 && strings.HasPrefix(text, q) && strings.HasSuffix(text, q) {
				text = text[1 : len(text)-1]
			}
		}
		w.fields[key] = &yaml.Node{Kind: yaml.ScalarNode, Tag: "!guess", Value: text}
	}
}

// scalar returns a field's source text.
func (w *truth) scalar(key string) string {
	if n := w.fields[key]; n != nil && n.Kind == yaml.ScalarNode {
		return n.Value
	}
	return ""
}

// prose returns a field that is text, under its own key or any letter case.
func (w *truth) prose(key string) string {
	n := w.fields[key]
	for k, v := range w.fields {
		if n == nil && strings.EqualFold(k, key) {
			n = v
		}
	}
	if n == nil || n.Kind != yaml.ScalarNode || n.Tag == "!!null" {
		return ""
	}
	return strings.TrimSpace(n.Value)
}

// line returns what stands behind the key on its line.
func (w *truth) line(key string) string {
	for l := range strings.Lines(w.header) {
		if rest, ok := strings.CutPrefix(l, key+":"); ok {
			return strings.TrimSpace(rest)
		}
	}
	return ""
}

// toolRules splits tool rules at commas and blanks that stand outside brackets.
func toolRules(n *yaml.Node) []string {
	rule := regexp.MustCompile(`(?:[^\s,(\[]|\([^)]*\)|\[[^\]]*\])+`)
	var out []string
	switch n.Kind {
	case yaml.ScalarNode:
		if n.Tag != "!!null" {
			out = rule.FindAllString(n.Value, -1)
		}
	case yaml.SequenceNode:
		for _, item := range n.Content {
			out = append(out, rule.FindAllString(item.Value, -1)...)
		}
	}
	return out
}
