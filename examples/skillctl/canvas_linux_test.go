package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"

	"github.com/seed-12b313d8/skills/internal/testkit"
)

// terminal returns both ends of a real terminal: what is written to screen is
// read from the other.
func terminal(t *testing.T) (master, screen *os.File) {
	t.Helper()
	master, err := os.OpenFile("/dev/ptmx", os.O_RDWR, 0)
	if err != nil {
		t.Skip("no terminals here: ", err)
	}
	t.Cleanup(func() { master.Close() })
	fd := int(master.Fd())
	require.NoError(t, unix.IoctlSetPointerInt(fd, unix.TIOCSPTLCK, 0))
	n, err := unix.IoctlGetInt(fd, unix.TIOCGPTN)
	require.NoError(t, err)
	screen, err = os.OpenFile(fmt.Sprintf("/dev/pts/%d", n), os.O_RDWR|unix.O_NOCTTY, 0)
	require.NoError(t, err)
	t.Cleanup(func() { screen.Close() })
	return master, screen
}

// onTerminal runs skillctl with a real terminal as its standard output and
// returns what was shown there.
func onTerminal(t *testing.T, args ...string) string {
	t.Helper()
	master, screen := terminal(t)
	shown := make(chan string, 1)
	go func() {
		text, _ := io.ReadAll(master) // ends with EIO once nobody has the screen
		shown <- string(text)
	}()
	code := run(context.Background(), args, screen, io.Discard)
	require.NoError(t, screen.Close())
	require.Equal(t, exitOK, code)
	return strings.ReplaceAll(receive(t, shown), "\r\n", "\n")
}

// What takes long is said on standard error if that is a terminal, whatever
// standard output is.
func TestStatus(t *testing.T) {
	_, screen := terminal(t)
	file, err := os.Create(filepath.Join(t.TempDir(), "errors"))
	require.NoError(t, err)
	defer file.Close()
	root := testkit.Tree(t, map[string]string{"home/": "", "proj/": ""})
	for _, tt := range []struct {
		reason    string
		out, errs io.Writer
		shows     bool
	}{
		{"both are terminals", screen, screen, true},
		{"standard output is a pipe", io.Discard, screen, true},
		{"standard error is a file", screen, file, false},
		{"standard error is a pipe", screen, io.Discard, false},
	} {
		a := new(app)
		code := a.main(t.Context(), []string{"list", "--project", filepath.Join(root, "proj"), "--home", filepath.Join(root, "home")}, tt.out, tt.errs)
		assert.Equal(t, exitOK, code)
		assert.Equal(t, tt.shows, a.status != nil, tt.reason)
	}
	info, err := file.Stat()
	require.NoError(t, err)
	assert.Zero(t, info.Size())
}

func TestColours(t *testing.T) {
	t.Setenv("TERM", "xterm")
	t.Setenv("NO_COLOR", "")
	root := testkit.Tree(t, map[string]string{
		"home/":                          "",
		"proj/.claude/skills/a/SKILL.md": testkit.SkillText("B.", "description: \"a\\e[31mb\"", "paths: '*.go'"),
		"proj/.claude/skills/b/SKILL.md": testkit.SkillText("B.", "description: what is cut in a listing of so small a budget"),
	})
	in := []string{"--project", filepath.Join(root, "proj"), "--home", filepath.Join(root, "home")}
	listing := append([]string{"listing", "--budget", "36"}, in...)
	menu := append([]string{"menu"}, in...)
	assert.Contains(t, onTerminal(t, listing...), "[\x1b[32m█")
	assert.Contains(t, onTerminal(t, listing...), "b  \x1b[33mcut to ")
	assert.Contains(t, onTerminal(t, append(listing, "--budget", "1")...), "\x1b[31m▓")
	assert.Contains(t, onTerminal(t, menu...), "/a  project  \x1b[33mlocked\x1b[0m  a?[31mb\n", "the skill's own sequences stay out")
	for _, tt := range []struct{ reason, name, value, flag string }{
		{"NO_COLOR", "NO_COLOR", "1", "--"},
		{"a terminal without colours", "TERM", "dumb", "--"},
		{"--json", "TERM", "xterm", "--json"},
	} {
		t.Run(tt.reason, func(t *testing.T) {
			require.NotEmpty(t, tt.reason)
			t.Setenv(tt.name, tt.value)
			for _, args := range [][]string{listing, menu} {
				assert.NotContains(t, onTerminal(t, append(args, tt.flag)...), "\x1b")
			}
		})
	}
}
