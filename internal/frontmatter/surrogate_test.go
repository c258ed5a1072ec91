package frontmatter

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestJoinSurrogates(t *testing.T) {
	rows := []struct{ name, in, want, reason string }{
		{"pair", `a\uD83D\uDE80b`, `a\U0001F680b`, "01 §4, 1"},
		{"lower case", `\ud83d\ude80`, `\U0001F680`, "01 §4, 1"},
		{"two pairs", `\uD83D\uDE80\uD83D\uDE81`, `\U0001F680\U0001F681`, "01 §4, 1"},
		{"escaped", `\\uD83D\uDE80`, `\\uD83D\uDE80`, "a backslash, then text"},
		{"behind escaped", `\\\uD83D\uDE80`, `\\\U0001F680`, "a backslash, then a pair"},
		{"high alone", `\uD83Dx\uDE80`, `\uD83Dx\uDE80`, "no pair"},
		{"two highs", `\uD83D\uD83D\uDE80`, `\uD83D\U0001F680`, "the second one has its low"},
		{"wrong order", `\uDE80\uD83D`, `\uDE80\uD83D`, "no pair"},
		{"other escapes", `\n\u0041\"`, `\n\u0041\"`, "nothing to join"},
		{"cut", `\uD83D\uDE8`, `\uD83D\uDE8`, "no pair"},
		{"at the end", `a\`, `a\`, "no escape"},
		{"no hex", `\u+83D\uDE80`, `\u+83D\uDE80`, "no escape"},
	}
	for _, r := range rows {
		row(t, r.name, r.reason, func(t *testing.T) {
			assert.Equal(t, r.want, joinSurrogates(r.in))
		})
	}
}
