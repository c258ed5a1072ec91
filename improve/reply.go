package improve

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/seed-12b313d8/skills/internal/line"
)

// Bounds of what a model may propose; texts in characters.
const (
	maxReply   = 256 << 10 // bytes of a reply that are looked at
	maxUpdates = 20
	maxSection = 200
	maxChange  = 2_000
	maxReason  = 1_000
)

var (
	errNoJSON    = errors.New("there is no JSON in it")
	errTruncated = errors.New("its JSON is cut off")
	errShape     = errors.New("its JSON has another shape")
)

// parseUpdates reads the updates out of a reply. It takes them from among
// other text and code fences, as an object, a list or a single update, with
// trailing commas and unknown keys, and leaves out those that say no change.
// Anything else is an error, and then there are none at all.
func parseUpdates(reply string) ([]Update, error) {
	if len(reply) > maxReply {
		return nil, fmt.Errorf("it has %d bytes, more than %d", len(reply), maxReply)
	}
	if strings.TrimSpace(reply) == "null" {
		return nil, nil
	}
	var all []Update
	err := errNoJSON
	for rest := reply; ; {
		value, after, found := nextValue(rest)
		if !found {
			break
		}
		if value == "" {
			return nil, errTruncated
		}
		list, ok := updatesOf(withoutTrailingCommas(value))
		switch {
		case ok:
			all = append(all, list...)
			err = nil
		case errors.Is(err, errNoJSON):
			err = errShape
		}
		rest = after
	}
	if err != nil {
		return nil, err
	}
	return cleanUpdates(all)
}

// nextValue returns the first text in s that looks like a JSON object or list,
// and what follows it. The value is "" if it never ends.
func nextValue(s string) (value, rest string, found bool) {
	for range maxBrackets {
		i := strings.IndexAny(s, "{[")
		if i < 0 {
			return "", "", false
		}
		s = s[i:]
		n := valueEnd(s)
		if n > 0 {
			return s[:n], s[n:], true
		}
		inner := strings.TrimLeft(s[1:], " \t\r\n")
		if inner == "" || strings.ContainsAny(inner[:1], `"{[`) {
			return "", "", true
		}
		s = s[1:] // a bracket in a sentence
	}
	return "", "", false
}

// maxBrackets bounds the brackets of sentences that are never closed.
const maxBrackets = 64

// valueEnd returns the length of the object or list that s starts with, 0 if
// it never ends.
func valueEnd(s string) int {
	depth := 0
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case '"':
			n := stringEnd(s[i:])
			if n == 0 {
				return 0
			}
			i += n - 1
		case '{', '[':
			depth++
		case '}', ']':
			if depth--; depth == 0 {
				return i + 1
			}
		}
	}
	return 0
}

// stringEnd returns the length of the quoted string that s starts with, 0 if
// it never ends.
func stringEnd(s string) int {
	for i := 1; i < len(s); i++ {
		switch s[i] {
		case '\\':
			i++
		case '"':
			return i + 1
		}
	}
	return 0
}

// withoutTrailingCommas drops each comma before a closing bracket.
func withoutTrailingCommas(s string) string {
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case '"':
			n := max(1, stringEnd(s[i:]))
			b.WriteString(s[i : i+n])
			i += n - 1
			continue
		case ',':
			next := strings.TrimLeft(s[i+1:], " \t\r\n")
			if next != "" && (next[0] == '}' || next[0] == ']') {
				continue
			}
		}
		b.WriteByte(s[i])
	}
	return b.String()
}

// updatesOf returns the updates in a JSON value, and whether it has the right
// shape.
func updatesOf(value string) (list []Update, ok bool) {
	if value[0] == '[' {
		err := json.Unmarshal([]byte(value), &list)
		return list, err == nil
	}
	var o struct {
		Updates json.RawMessage
		*Update
	}
	if err := json.Unmarshal([]byte(value), &o); err != nil {
		return nil, false
	}
	switch {
	case o.Update != nil && o.Updates == nil:
		return []Update{*o.Update}, o.Change != ""
	case len(o.Updates) == 0:
		return nil, strings.TrimSpace(value[1:len(value)-1]) == ""
	case o.Updates[0] == '[':
		err := json.Unmarshal(o.Updates, &list)
		return list, err == nil
	case o.Updates[0] == '{':
		var u Update
		err := json.Unmarshal(o.Updates, &u)
		return []Update{u}, err == nil
	}
	return nil, string(o.Updates) == "null"
}

// cleanUpdates returns the updates with clean texts, each once. Those without a
// change are left out; it is an error if there are such only.
func cleanUpdates(list []Update) ([]Update, error) {
	var out []Update
	for _, u := range list {
		u = Update{oneLine(u.Section, maxSection), oneLine(u.Change, maxChange), oneLine(u.Reason, maxReason)}
		if u.Change != "" && len(out) < maxUpdates && !slices.Contains(out, u) {
			out = append(out, u)
		}
	}
	if len(out) == 0 && len(list) > 0 {
		return nil, fmt.Errorf("%w: no update says a change", errShape)
	}
	return out, nil
}

// oneLine returns text as one line of at most n characters.
func oneLine(text string, n int) string {
	return line.Cut(line.Clean(line.Head(text, 4*n), line.Options{}), n)
}
