package corpus

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestWords(t *testing.T) {
	for _, tt := range []struct {
		reason, text string
		want         []string
	}{
		{"letter case and punctuation go", "Fix: the Build's LOG (v2)!", []string{"fix", "the", "build", "s", "log", "v2"}},
		{"names fall apart", "code-review_all", []string{"code", "review", "all"}},
		{"Chinese gives pairs", "代码审查", []string{"代码", "码审", "审查"}},
		{"beside others", "Go代码", []string{"go", "代码"}},
		{"one character is a word", "中", []string{"中"}},
		{"other letters", "Übersetzt é", []string{"übersetzt", "é"}},
		{"nothing", " … ", nil},
	} {
		t.Run(tt.reason, func(t *testing.T) { assert.Equal(t, tt.want, Words(tt.text)) })
	}
}
