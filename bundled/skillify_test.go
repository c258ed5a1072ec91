package bundled

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/seed-12b313d8/skills"
)

func TestSkillifyContexts(t *testing.T) {
	text := promptOf(t, &Options{}, "skillify")
	got := text(skills.PromptContext{})
	assert.Contains(t, got, noMemory, "05 §3: the fixed fallback sentence")
	assert.Contains(t, got, noMessages)
	assert.Contains(t, got, "The user gave no description")

	got = text(skills.PromptContext{Args: "how we release", Host: map[string]any{
		KeySessionMemory: "Released 1.2.\n\n# Not a heading of ours\n",
		KeyUserMessages:  []string{"release it", "", "no, rather\nwith a tag"},
	}})
	assert.NotContains(t, got, noMemory)
	assert.Contains(t, got, "> Released 1.2.\n> \n> # Not a heading of ours\n", "05 §3: the session memory")
	assert.Contains(t, got, "Message 1:\n\n> release it\n\nMessage 2:\n\n> no, rather\n> with a tag\n", "05 §3: the messages since the last compaction, in order")
	assert.Contains(t, got, "> how we release")
	assert.Equal(t, got, text(skills.PromptContext{Args: "how we release", Host: map[string]any{
		KeySessionMemory: "Released 1.2.\n\n# Not a heading of ours\n",
		KeyUserMessages:  []any{"release it", 7, nil, "no, rather\nwith a tag"},
	}}), "as JSON would give them")

	for _, host := range []map[string]any{
		{KeySessionMemory: 7, KeyUserMessages: "one string"},
		{KeySessionMemory: " \n", KeyUserMessages: []string{" "}},
	} {
		got = text(skills.PromptContext{Host: host})
		assert.Contains(t, got, noMemory, "another type, or blank, counts as missing")
		assert.Contains(t, got, noMessages)
	}
}

func TestSkillifyIsBounded(t *testing.T) {
	long := make([]string, 5_000)
	for i := range long {
		long[i] = strings.Repeat("ä", 50)
	}
	long[len(long)-1] = "the latest"
	got := promptOf(t, &Options{}, "skillify")(skills.PromptContext{Host: map[string]any{
		KeySessionMemory: strings.Repeat("m", 1_000_000), KeyUserMessages: long,
	}})
	assert.Less(t, len(got), 300_000)
	assert.Contains(t, got, "Message 5000:\n\n> the latest", "the latest are kept")
	assert.Contains(t, got, "earlier messages are left out.)")
	assert.Contains(t, got, "… (cut here)")

	one := userMessages(map[string]any{KeyUserMessages: []string{strings.Repeat("x", maxMessages+5)}})
	assert.Contains(t, one, "x… (cut here)", "a single long one is cut, not dropped")
}
