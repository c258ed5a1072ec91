package line_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/seed-12b313d8/skills/internal/line"
)

func TestFirstLast(t *testing.T) {
	tests := []struct {
		s           string
		n           int
		first, last string
	}{
		{"", 3, "", ""},
		{"abc", 3, "abc", "abc"},
		{"abcd", 3, "abc", "bcd"},
		{"äöü€", 2, "äö", "ü€"},
		{"a\xffb", 2, "a\xff", "\xffb"},
		{"abc", 0, "", ""},
		{"abc", -1, "", ""},
	}
	for _, tt := range tests {
		assert.Equal(t, tt.first, line.First(tt.s, tt.n), "%q %d", tt.s, tt.n)
		assert.Equal(t, tt.last, line.Last(tt.s, tt.n), "%q %d", tt.s, tt.n)
	}
}

func FuzzFirstLast(f *testing.F) {
	f.Add("aä€\xff", 2)
	f.Fuzz(func(t *testing.T, s string, n int) {
		n = min(max(n, 0), line.Len(s))
		assert.Equal(t, s, line.First(s, n)+line.Last(s, line.Len(s)-n), "the two make up the text")
		assert.Equal(t, n, line.Len(line.First(s, n)))
		assert.True(t, strings.HasPrefix(s, line.First(s, n)))
	})
}
