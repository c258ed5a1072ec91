package main

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"mvdan.cc/sh/v3/shell"

	"github.com/seed-12b313d8/skills/internal/testkit"
)

func TestHelpOfCommands(t *testing.T) {
	files, err := topicFiles.ReadDir("help")
	require.NoError(t, err)
	require.Len(t, files, len(commands()), "each has its own")
	for _, c := range commands() {
		want, errs, code := ctl(t, "help", c.name)
		require.Equal(t, exitOK, code, errs)
		assert.Contains(t, want, "Usage: skillctl [flags] "+c.name)
		assert.NotContains(t, want, "There is no help")
		assert.NotContains(t, want, "%!")
		before, rest, _ := strings.Cut(want, "\nExample:\n") // which is as wide as what is printed
		_, after, _ := strings.Cut(rest, "\nMore:\n")
		for line := range strings.Lines(before + after) {
			assert.LessOrEqual(t, cells(strings.TrimSpace(line)), 120, line)
		}
		for _, args := range [][]string{{c.name, "--help"}, {c.name, "-h"}, {"--help", c.name}, {"--json", c.name, "x", "y", "--help", "z"}} {
			out, errs, code := ctl(t, args...)
			assert.Equal(t, exitOK, code, args)
			assert.Equal(t, want, out, args)
			assert.Empty(t, errs)
		}
	}
}

// helpOf returns the help text of a command.
func helpOf(t *testing.T, c command) topic {
	t.Helper()
	topic, err := topicOf(c.name)
	require.NoError(t, err)
	return topic
}

// What the help shows as examples is accepted by the program itself, and said
// to be for something.
func TestHelpExamples(t *testing.T) {
	example := regexp.MustCompile(`(?m)^  (\$|# .+\n ) skillctl (.+)$`)
	for _, c := range commands() {
		topic := helpOf(t, c)
		found := example.FindAllStringSubmatch(topic.text, -1)
		assert.GreaterOrEqual(t, len(found), 2, c.name)
		assert.Len(t, found, strings.Count(topic.text, " skillctl "), "%s: each with a line above that says why", c.name)
		for _, e := range found {
			line, _, _ := strings.Cut(e[2], " | ")
			args, err := shell.Fields(line, nil)
			require.NoError(t, err, line)
			var f flags
			words, err := f.parse(args)
			require.NoError(t, err, line)
			require.Equal(t, c.name, words[0], line)
			assert.True(t, len(words)-1 >= c.min && len(words)-1 <= c.max, line)
		}
		assert.NotEmpty(t, topic.flags, c.name)
		for _, name := range topic.flags {
			assert.NotNil(t, new(flags).set().Lookup(name), "%s: --%s", c.name, name)
		}
	}
}

// The first example of each help text shows what the program really prints.
// -update writes that into the text.
func TestHelpWorked(t *testing.T) {
	worked := regexp.MustCompile(`(?s)\nExample:\n  \$ skillctl (.+?)\n(.*?)\nMore:\n`)
	dir, err := filepath.Abs("help") // the examples run elsewhere
	require.NoError(t, err)
	for _, c := range commands() {
		t.Run(c.name, func(t *testing.T) {
			text := helpOf(t, c).text
			at := worked.FindStringSubmatchIndex(text)
			require.NotNil(t, at, "no worked example")
			root, got := shop(t), ""
			if c.name == "watch" {
				got = watched(t, root)
			} else {
				args, err := shell.Fields(text[at[2]:at[3]], nil)
				require.NoError(t, err)
				got = printed(t, root, args)
			}
			got = indented(strings.ReplaceAll(got, root, "/home/ada"))
			if *update {
				rewrite(t, filepath.Join(dir, c.name+".txt"), text[:at[4]]+got+text[at[5]:])
				return
			}
			assert.Equal(t, got, text[at[4]:at[5]])
		})
	}
}

// shop returns a folder with the files of the examples: that of a user.
func shop(t *testing.T) string {
	t.Helper()
	a, err := txtar.ParseFile(filepath.Join("testdata", "shop.txtar"))
	require.NoError(t, err)
	files := make(map[string]string)
	for _, f := range a.Files {
		files[f.Name] = string(f.Data)
	}
	return testkit.Tree(t, files)
}

// printed runs skillctl in the folder of the shop.
func printed(t *testing.T, root string, args []string) string {
	t.Helper()
	t.Chdir(filepath.Join(root, "shop"))
	var out, errs bytes.Buffer
	code := run(context.Background(), append([]string{"--home", root}, args...), &out, &errs)
	require.Equal(t, exitOK, code, errs.String())
	require.Empty(t, errs.String())
	return out.String()
}

// watched runs the example of watch, and does what it shows.
func watched(t *testing.T, root string) string {
	t.Helper()
	w := startWatchIn(t, root, filepath.Join(root, "shop"), root)
	out := receive(t, w.errs) + "\n"
	w.put("shop/.claude/skills/release", "description: Tags")
	out += receive(t, w.lines) + "\n"
	w.put("shop/.claude/skills/deploy", "description: Brings the shop to both servers")
	out += receive(t, w.lines) + "\n"
	w.end()
	return out
}

func indented(text string) string {
	var b strings.Builder
	for line := range strings.Lines(text) {
		if line != "\n" {
			line = "  " + line
		}
		b.WriteString(line)
	}
	return strings.TrimRight(b.String(), "\n") + "\n"
}

// rewrite puts text into the file of a help text. The flags stay.
func rewrite(t *testing.T, path, text string) {
	t.Helper()
	old, err := os.ReadFile(path)
	require.NoError(t, err)
	_, flags, ok := strings.Cut(string(old), "\nFlags: ")
	require.True(t, ok)
	require.NoError(t, os.WriteFile(path, []byte(text+"\nFlags: "+flags), 0o644))
}
