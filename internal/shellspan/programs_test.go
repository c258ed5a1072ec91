package shellspan_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/seed-12b313d8/skills/internal/shellspan"
	"github.com/seed-12b313d8/skills/internal/template"
)

func TestQuotedPrograms(t *testing.T) {
	tests := []struct {
		reason, command string
		want            []string
	}{
		{"awk", "awk '{print $1}' f", []string{"awk '{print $1}'"}},
		{"behind sudo and by its path", "sudo /usr/bin/gawk -F: '{print $1}' f", []string{"gawk '{print $1}'"}},
		{"in a pipe", "wc -l $0 | sed 's/$1/x/' | sort", []string{"sed 's/$1/x/'"}},
		{"in double quotes the shell puts it in", `awk "{print $1}"`, nil},
		{"another program", "echo '$1'", nil},
		{"does not parse", "awk '{print $1}", nil},
		{"two of them", "perl -e '$1' '$2'", []string{"perl '$1'", "perl '$2'"}},
	}
	for _, tt := range tests {
		parsed, err := template.Parse("!`"+tt.command+"`", template.Options{})
		if !assert.NoError(t, err) || !assert.Len(t, parsed.Spans(), 1, tt.reason) {
			continue
		}
		var got []string
		for _, p := range shellspan.QuotedPrograms(parsed.Spans()[0]) {
			got = append(got, p.Name+" "+tt.command[p.From:p.To])
		}
		assert.Equal(t, tt.want, got, tt.reason)
	}
}
