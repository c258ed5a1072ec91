package bundled

import (
	"fmt"
	"regexp"
	"strings"
)

// A text is the body of one skill with the host's values in it: the main part,
// whose name is "", and those that take its place in special cases.
type text map[string]part

// A part is a sequence of literal text and slots.
type part []segment

// A segment is literal text, or a slot that each invocation fills.
type segment struct{ literal, slot string }

// parseText reads the notation that the package comment describes, and fills
// in the values of h. With escape the result goes through the library's
// placeholders later, and no value of the host may look like one.
func parseText(body string, h *Host, escape bool) (text, error) {
	t, name := make(text), ""
	for {
		before, rest, found := strings.Cut(body, "{{")
		t[name] = append(t[name], segment{literal: before})
		if !found {
			return t, nil
		}
		inner, after, closed := strings.Cut(rest, "}}")
		if !closed || strings.Contains(inner, "\n") {
			return nil, fmt.Errorf("a {{ is not closed on its line: %.40q", rest)
		}
		kind, key, _ := strings.Cut(inner, " ")
		body = after
		switch {
		case kind == "part" && key != "" && t[key] == nil:
			name, body = key, strings.TrimLeft(after, "\n")
			continue
		case kind == "slot" && key != "":
			t[name] = append(t[name], segment{slot: key})
			continue
		}
		value, ok := h.lookup(kind, key)
		if !ok {
			return nil, fmt.Errorf("{{%s}} has no meaning", inner)
		}
		if escape {
			value = escapePlaceholders(value)
		}
		t[name] = append(t[name], segment{literal: value})
	}
}

// placeholderStart matches a $ that may begin a placeholder of 04 §3. Values of
// the host hold no backslash, so one before the $ is all it takes.
var placeholderStart = regexp.MustCompile(`\$(ARGUMENTS|[0-9])`)

func escapePlaceholders(v string) string { return placeholderStart.ReplaceAllString(v, `\$$$1`) }

// fill returns a part with its slots filled. What is filled in is not read
// again.
func (t text) fill(name string, slots map[string]string) (string, error) {
	var b strings.Builder
	for _, s := range t[name] {
		b.WriteString(s.literal)
		if s.slot == "" {
			continue
		}
		value, ok := slots[s.slot]
		if !ok {
			return "", fmt.Errorf("nothing fills the slot %q", s.slot)
		}
		b.WriteString(value)
	}
	return strings.TrimSpace(b.String()) + "\n", nil
}

// quote sets text that others wrote apart: each line begins with "> ", so that
// nothing in it can end the quotation.
func quote(s string) string {
	s = strings.TrimRight(strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(s), "\n")
	return "> " + strings.ReplaceAll(s, "\n", "\n> ")
}

// fence sets text apart as a code block that nothing in it can close.
func fence(s string) string {
	run, longest := 0, 2
	for _, r := range s {
		if run++; r != '`' {
			run = 0
		}
		longest = max(longest, run)
	}
	marks := strings.Repeat("`", longest+1)
	return marks + "text\n" + strings.TrimRight(s, "\n") + "\n" + marks
}
