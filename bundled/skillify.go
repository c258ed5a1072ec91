package bundled

import (
	"context"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/seed-12b313d8/skills"
)

// The keys of Call.Host that skills of this package read.
const (
	// KeySessionMemory is a string: the summary of the session so far that the
	// host keeps. Skillify quotes it, at most 40,000 characters.
	KeySessionMemory = "session-memory"
	// KeyUserMessages is a []string, or []any of strings: what the user wrote
	// since the last compaction, oldest first. Skillify quotes the latest of
	// them, at most 60,000 characters together.
	KeyUserMessages = "user-messages"
)

const (
	noMemory   = "No session memory is available for this session."
	noMessages = "The host passed on no messages of the user; take them from the conversation above."

	maxMemory   = 40_000 // characters
	maxMessages = 60_000 // characters
)

// skillifyPrompt makes the text of skillify with the two things that only the
// host knows (05 §3).
func skillifyPrompt(t text, _ Host) prompt {
	return func(_ context.Context, p skills.PromptContext) ([]skills.Block, error) {
		request := "The user gave no description; find the process in the session."
		if strings.TrimSpace(p.Args) != "" {
			request = "The user describes the process like this:\n\n" + quote(p.Args)
		}
		return one(t.fill("", map[string]string{
			"memory": sessionMemory(p.Host), "messages": userMessages(p.Host), "request": request,
		}))
	}
}

func sessionMemory(host map[string]any) string {
	memory, _ := host[KeySessionMemory].(string)
	if strings.TrimSpace(memory) == "" {
		return noMemory
	}
	return quote(head(memory, maxMemory))
}

// userMessages quotes the latest messages that fit, in their order.
func userMessages(host map[string]any) string {
	all := texts(host[KeyUserMessages])
	var kept []string
	room := maxMessages
	for i := len(all) - 1; i >= 0 && room > 0; i-- {
		m := head(all[i], room)
		room -= utf8.RuneCountInString(m)
		kept = append(kept, m)
	}
	if len(kept) == 0 {
		return noMessages
	}
	var b strings.Builder
	if left := len(all) - len(kept); left > 0 {
		fmt.Fprintf(&b, "(%d earlier messages are left out.)\n\n", left)
	}
	for i := len(kept) - 1; i >= 0; i-- {
		fmt.Fprintf(&b, "Message %d:\n\n%s\n\n", len(all)-i, quote(kept[i]))
	}
	return strings.TrimSpace(b.String())
}

// texts returns the strings of v that say something.
func texts(v any) []string {
	var out []string
	add := func(v any) {
		if s, ok := v.(string); ok && strings.TrimSpace(s) != "" {
			out = append(out, strings.TrimSpace(s))
		}
	}
	switch v := v.(type) {
	case []string:
		for _, s := range v {
			add(s)
		}
	case []any:
		for _, s := range v {
			add(s)
		}
	}
	return out
}

// head returns s, or as much of it as n characters allow and a note.
func head(s string, n int) string {
	if utf8.RuneCountInString(s) <= n {
		return s
	}
	i := 0
	for at := range s {
		if i == n {
			return s[:at] + "… (cut here)"
		}
		i++
	}
	return s
}
