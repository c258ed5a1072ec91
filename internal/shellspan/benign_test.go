package shellspan_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/seed-12b313d8/skills/internal/shellspan"
)

func TestBenign(t *testing.T) {
	tests := []struct {
		reason, command string
		exit            int
		want            bool
	}{
		{"04 §4: grep", "grep x f", 1, true},
		{"another code", "grep x f", 2, false},
		{"no code", "grep x f", 0, false},
		{"04 §4: by path", "/usr/bin/rg 'a;b' f", 1, true},
		{"04 §4: find", "find . -name x", 1, true},
		{"04 §4: test", "test -f x", 1, true},
		{"04 §4: [", "[ -f x ]", 1, true},
		{"04 §4: [[", "[[ -f x ]]", 1, true},
		{"04 §4: diff", "diff a b", 1, true},
		{"04 §4: git diff", "git diff --quiet", 1, true},
		{"04 §4: git grep, behind options", "git -C dir --no-pager grep x", 1, true},
		{"another git", "git commit -m diff", 1, false},
		{"git alone", "git", 1, false},
		{"the end of a pipe", "cat f | grep x", 1, true},
		{"not its end", "grep x f | sort", 1, false},
		{"the last of several", "make; grep x f", 1, true},
		{"not the last", "grep x f; make", 1, false},
		{"either could have failed", "make && grep x f", 1, false},
		{"both answer", "test -f f && grep x f", 1, true},
		{"or", "make || grep x f", 1, true},
		{"a group", "{ grep x f; }", 1, true},
		{"a subshell", "(cd d; grep x f)", 1, true},
		{"negated", "! grep x f", 1, false},
		{"with a variable before it", "LC_ALL=C grep x f", 1, true},
		{"a computed name", "$x f", 1, false},
		{"an assignment", "x=grep", 1, false},
		{"does not parse", "grep 'x", 1, false},
		{"nothing", "", 1, false},
		{"a name that begins so", "grepper x", 1, false},
	}
	for _, tt := range tests {
		assert.Equal(t, tt.want, shellspan.Benign(tt.command, shellspan.Bash, tt.exit), tt.reason)
	}
	assert.False(t, shellspan.Benign("grep x f", shellspan.PowerShell, 1))
	assert.True(t, shellspan.Benign("grep x f", shellspan.POSIX, 1))
}
