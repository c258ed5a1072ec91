package gitignore_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/seed-12b313d8/skills/internal/gitignore"
	"github.com/seed-12b313d8/skills/internal/paths"
)

func TestFinder(t *testing.T) {
	f := gitignore.NewFinder([]string{"*.go", "", "build/", "src/*.go *.md"}, strings.Fields, gitignore.Options{})
	tests := []struct {
		reason  string
		touches []paths.Touch
		want    []string
	}{
		{"nothing touched", nil, nil},
		{"one", []paths.Touch{{Rel: "x.md"}}, []string{"src/*.go *.md"}},
		{"in order, touch by touch", []paths.Touch{{Rel: "src/a.go"}, {Rel: "b.go"}}, []string{"*.go", "src/*.go *.md", "*.go"}},
		{"03 A5: a folder's pattern", []paths.Touch{{Rel: "build", Dir: true}}, []string{"build/"}},
		{"which a file does not match", []paths.Touch{{Rel: "build"}}, nil},
	}
	for _, tt := range tests {
		var got []string
		f.Find(tt.touches, func(v string) { got = append(got, v) })
		assert.Equal(t, tt.want, got, tt.reason)
	}
}
