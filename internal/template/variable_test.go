package template_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/seed-12b313d8/skills/internal/template"
)

func TestTrim(t *testing.T) {
	p := template.Prefixes{"A_", "A_B_", ""}
	for name, want := range map[string]string{"A_X": "X", "A_B_X": "X", "X": "X", "A_": "A_", "": ""} {
		assert.Equal(t, want, p.Trim(name), name)
	}
	assert.Empty(t, template.Prefixes{"A_"}.Trim("B_X"))
}

func TestExpand(t *testing.T) {
	lookup := func(name string) (string, bool) { return "/x/${A_DIR}$1", name == "A_DIR" }
	tests := []struct{ reason, text, want string }{
		{"04 §3: a variable", "Read(${A_DIR}/**)", "Read(/x/${A_DIR}$1/**)"},
		{"one nobody knows", "Read(${A_OTHER})", "Read(${A_OTHER})"},
		{"of another prefix", "Read(${DIR})", "Read(${DIR})"},
		{"arguments stay", "Bash(echo $1 $ARGUMENTS)", "Bash(echo $1 $ARGUMENTS)"},
		{"commands are text", "Bash(!`echo ${A_DIR}`)", "Bash(!`echo /x/${A_DIR}$1`)"},
	}
	for _, tt := range tests {
		assert.Equal(t, tt.want, template.Expand(tt.text, template.Prefixes{"A_"}, lookup), tt.reason)
	}
}
