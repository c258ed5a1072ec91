package typed_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/seed-12b313d8/skills/internal/typed"
)

func TestNames(t *testing.T) {
	tests := []struct {
		reason, text string
		want         [][2]string
	}{
		{"a name alone", "a", [][2]string{{"a", ""}}},
		{"04 §1: the longest first", "office pdf x", [][2]string{{"office pdf x", ""}, {"office pdf", "x"}, {"office", "pdf x"}}},
		{"04 §1: arguments are byte-exact", "a  b\t", [][2]string{{"a  b", ""}, {"a", " b\t"}}},
		{"nothing but blanks is nothing", "a \n ", [][2]string{{"a", ""}}},
		{"a name spans no lines", "a b\nc", [][2]string{{"a b", "c"}, {"a", "b\nc"}}},
		{"a line end of two bytes is one blank", "a\r\nb", [][2]string{{"a", "b"}}},
		{"two slashes name nothing", "/a", nil},
		{"nor does a blank", " a", nil},
		{"nor nothing", "", nil},
	}
	for _, tt := range tests {
		var got [][2]string
		for name, args := range typed.Names(tt.text) {
			got = append(got, [2]string{name, args})
		}
		assert.Equal(t, tt.want, got, tt.reason)
	}
	for name := range typed.Names(strings.Repeat("x", 5000) + " y") {
		t.Errorf("a word that long is no name: %d bytes", len(name))
	}
	for range typed.Names("a b c") {
		break // a caller may stop
	}
}

func TestWords(t *testing.T) {
	rest, ok := typed.Slash(" \n/a b")
	assert.True(t, ok)
	assert.Equal(t, "a b", rest)
	_, ok = typed.Slash("a /b")
	assert.False(t, ok)
	assert.Equal(t, "a", typed.FirstWord("a\tb"))
	assert.Equal(t, "ab", typed.FirstWord("ab"))
	assert.True(t, typed.IsWord("a:b"))
	assert.False(t, typed.IsWord("a b"))
}

func FuzzNames(f *testing.F) {
	f.Add("office pdf\r\nx")
	f.Fuzz(func(t *testing.T, text string) {
		last := len(text) + 1
		for name, args := range typed.Names(text) {
			assert.True(t, strings.HasPrefix(text, name))
			assert.True(t, strings.HasSuffix(text, args))
			assert.Less(t, len(name), last, "shorter each time")
			last = len(name)
		}
	})
}
