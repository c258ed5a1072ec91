//go:build unix

package main

import (
	"context"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/seed-12b313d8/skills"
)

// What could bring the host down, since it runs in its process, ends instead.
func TestBounds(t *testing.T) {
	root, s := project(t)
	for _, test := range []struct {
		reason, text string
		code         skills.Code
		want         string // in the error
	}{
		{"a loop", "while :; do :; done", skills.CodeShellFailed, "100000 commands"},
		{"a program that does not end", "yes", skills.CodeShellFailed, "within 300ms"},
		{"one that waits, in the background and for it", "sleep 9 & wait", skills.CodeShellFailed, "within 300ms"},
		{"a handler of the end", "trap 'sleep 9' EXIT; sleep 9", skills.CodeShellFailed, "within 300ms"},
		{"recursion", "f() { f; }; f", skills.CodeShellFailed, "too deep"},
		{"recursion in subshells", "f() { (f); }; f", skills.CodeShellFailed, "too deep"},
		{"recursion by eval", "f='eval \"$f\"'; eval \"$f\"", skills.CodeShellFailed, "too deep"},
		{"a bomb", "f() { f | f; }; f", skills.CodeShellFailed, ""},
		{"source that is nothing but nesting", ". deep.sh", skills.CodeShellFailed, "deep.sh has more than"},
		{"however it is called", "builtin command . ./deep.sh", skills.CodeShellFailed, "deep.sh has more than"},
		{"evaluated text", "a='$(('; for i in {1..16}; do a=$a$a; done; eval \"$a\"", skills.CodeShellFailed, "eval: more than"},
		{"text that is nothing but nesting", strings.Repeat("$((", 1<<20), skills.CodeInvalid, "longer than"},
		{"NUL", "echo \x00", skills.CodeInvalid, "NUL"},
	} {
		limit := 300 * time.Millisecond
		if !strings.Contains(test.want, "within") {
			limit = time.Minute
		}
		_, err := New(&Options{Programs: posix, Timeout: limit})(t.Context(), skills.Command{Text: test.text, Dir: root, Skill: s})
		require.ErrorIs(t, err, test.code, test.reason)
		assert.ErrorContains(t, err, test.want, test.reason)
		assert.ErrorContains(t, err, s.Path, test.reason)
	}
	got, err := New(nil)(t.Context(), skills.Command{Text: strings.Repeat("$((", maxText/3), Dir: root})
	require.NoError(t, err, "all of the text may be nesting")
	assert.Equal(t, 2, got.Exit)
}

// Errors say what kind they are; nothing ran (07 B2).
func TestErrors(t *testing.T) {
	dir := t.TempDir()
	for _, test := range []struct {
		reason string
		c      skills.Command
		code   skills.Code
	}{
		{"an unknown shell", skills.Command{Text: "echo x > ran", Dir: dir, Shell: "powershell"}, skills.CodeShellUnavailable},
		{"no such directory", skills.Command{Text: "echo x > ran", Dir: dir + "/gone"}, skills.CodeUnreadable},
		{"a malformed variable", skills.Command{Text: "echo x > ran", Dir: dir, Env: []string{"A"}}, skills.CodeInvalid},
	} {
		_, err := New(nil)(t.Context(), test.c)
		require.ErrorIs(t, err, test.code, test.reason)
		assert.NoFileExists(t, filepath.Join(dir, "ran"), test.reason)
	}
	_, err := New(&Options{Timeout: time.Millisecond, Programs: posix})(t.Context(), skills.Command{Text: "sleep 9", Dir: dir})
	assert.ErrorIs(t, err, context.DeadlineExceeded)
}
