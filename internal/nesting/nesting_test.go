package nesting_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/seed-12b313d8/skills/internal/gitignore"
	"github.com/seed-12b313d8/skills/internal/nesting"
	"github.com/seed-12b313d8/skills/internal/paths"
	"github.com/seed-12b313d8/skills/internal/testkit"
)

func TestAbove(t *testing.T) {
	tests := []struct {
		reason, start string
		touches       []paths.Touch
		want          []string
	}{
		{"03 §3: from the file's folder up to the root", ".", []paths.Touch{{Rel: "a/b/c.go"}}, []string{"a/b", "a"}},
		{"a folder counts itself", ".", []paths.Touch{{Rel: "a/b", Dir: true}}, []string{"a/b", "a"}},
		{"each once", ".", []paths.Touch{{Rel: "a/b/c.go"}, {Rel: "a/d/e.go"}, {Rel: "a/b/f.go"}}, []string{"a/b", "a", "a/d"}},
		{"what was loaded at the start is not nested", "a/b", []paths.Touch{{Rel: "a/b/c/d.go"}, {Rel: "a/x.go"}}, []string{"a/b/c"}},
		{"a name that begins like it is another", "a/b", []paths.Touch{{Rel: "a/bc/d.go"}}, []string{"a/bc"}},
		{"in the root", ".", []paths.Touch{{Rel: "x.go"}}, nil},
		{"03 §3: never node_modules and .git", ".", []paths.Touch{{Rel: "a/node_modules/x/y.js"}, {Rel: ".git/HEAD"}}, nil},
	}
	for _, tt := range tests {
		assert.Equal(t, tt.want, nesting.Above(tt.touches, tt.start), tt.reason)
	}
}

func TestRule(t *testing.T) {
	var asked []string
	verdicts := func(dirs []string) []gitignore.Verdict {
		asked = dirs
		out := make([]gitignore.Verdict, len(dirs))
		for i, d := range dirs {
			out[i].Ignored = strings.HasPrefix(d, "out") || d == "b/.d/skills"
			if d == "b/.c/skills" {
				out[i].Problem = "too large"
			}
		}
		return out
	}
	got := nesting.Rule([]string{"out", "x/node_modules", "b"}, []string{".c", ".d"}, verdicts)
	assert.Equal(t, map[string]nesting.Ruling{
		"out":            {Ignored: true, Brands: []bool{true, true}},
		"x/node_modules": {Ignored: true},
		"b":              {Brands: []bool{false, true}, Problem: "too large"},
	}, got)
	assert.Equal(t, []string{"out", "out/.c/skills", "out/.d/skills", "b", "b/.c/skills", "b/.d/skills"}, asked, "in one question")
	asked = nil
	assert.Len(t, nesting.Rule([]string{".git"}, []string{".c"}, verdicts), 1)
	assert.Nil(t, asked, "nothing to ask")
}

func TestVerdicts(t *testing.T) {
	v := nesting.Verdicts(2, func() ([]bool, error) { return []bool{true, false}, nil })
	assert.Equal(t, []gitignore.Verdict{{Ignored: true}, {}}, v)
	for _, check := range []func() ([]bool, error){
		func() ([]bool, error) { return []bool{false}, nil },
		func() ([]bool, error) { return []bool{false, false}, errors.New("no git") },
	} {
		for _, v := range nesting.Verdicts(2, check) {
			assert.True(t, v.Ignored, "03 §3: an error counts as all ignored")
			assert.NotEmpty(t, v.Problem)
		}
	}
}

func TestIgnoreFiles(t *testing.T) {
	root := testkit.Tree(t, map[string]string{".gitignore": "out/\n", "big/.gitignore": strings.Repeat("#", 1<<20+1)})
	got := nesting.IgnoreFiles(root).IgnoredDirs(t.Context(), []string{"out", "src", "big/x"})
	assert.True(t, got[0].Ignored)
	assert.False(t, got[1].Ignored)
	assert.True(t, got[2].Ignored, "fails closed")
	assert.NotEmpty(t, got[2].Problem)
}
