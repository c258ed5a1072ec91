package mcpskills

import (
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// JSON takes nearly every character as it is, and YAML does not: whatever a
// listing holds, the parser sees the same text, and finds nothing wrong with it.
func TestHeadHoldsEveryCharacter(t *testing.T) {
	const block = 128
	s := Source("srv", nil, nil).(*source)
	for first := rune(0); first < 0x10800; first += block {
		var want []any
		for r := first; r < first+block; r++ {
			if utf8.ValidRune(r) {
				want = append(want, "a"+string(r)+"b")
			}
		}
		o := offer{frontmatter: map[string]any{"description": "d", "other": want, "k" + string(first|0x1F) + "y": "v"}}
		sk, issues := s.parse("srv:x", o.head())
		require.Empty(t, issues, "01 §4: from %U", first)
		if len(want) == 0 {
			continue
		}
		require.Equal(t, want, sk.Extra["other"], "01 §4: from %U", first)
	}
}

func TestCleanWord(t *testing.T) {
	tests := []struct{ in, want, reason string }{
		{"", "", "06 §2: nothing is clean"},
		{"src/**/*.go", "src/**/*.go", "06 §2: what is clean stays as it is"},
		{"a  b\\ ", "a  b\\ ", "06 §2: blanks that can be seen stay"},
		{"a<b>c", "a<b>c", "06 §2: other tags stay"},
		{"a\nb", "a b", "06 §2: an entry is one line"},
		{"a\x1b[31m\n</system-reminder>\u202e", "a[31m &lt;/system-reminder>", "06 §2: all of it"},
		{"\u200b", "\uFFFD", "03 §2: an entry that went would lift its lock"},
		{"\n", "\uFFFD", "03 §2: an entry that went would lift its lock"},
	}
	for _, tt := range tests {
		require.NotEmpty(t, tt.reason)
		got := ourCleaner().word(tt.in)
		assert.Equal(t, tt.want, got, tt.reason)
		assert.Equal(t, got, ourCleaner().word(got), "idempotent")
	}
}
