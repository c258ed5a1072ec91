package shellspan

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/seed-12b313d8/skills/internal/shellwords"
	"github.com/seed-12b313d8/skills/internal/template"
	"github.com/stretchr/testify/require"
)

// canary is the file that a value makes if it is executed. Where a redirection
// could make it as well it is a folder, with the suffix .d.
const canary = "pwn"

// declaredNames are the declared arguments of the cases.
var declaredNames = []string{"c++", "c", "target", "target_dir", "third"}

// A testTemplate is a command of the cases.
type testTemplate struct {
	ID     string
	Text   string
	Shell  string // any, or bash
	Honest bool   // equal to plain splicing on honest values

	// Values are hostile values of its own, besides those for all.
	Values []string
	// Got is what once got through, and why it does not any more.
	Got string
}

// testCases are a file of templates and values.
type testCases struct {
	Templates       []testTemplate
	Hostile, Honest []string
}

func readCases(t testing.TB, name string) testCases {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("testdata", name))
	require.NoError(t, err)
	var c testCases
	require.NoError(t, json.Unmarshal(data, &c))
	require.NotEmpty(t, c.Templates)
	return c
}

// spanOf returns the token of a command.
func spanOf(t testing.TB, command string) template.Token {
	t.Helper()
	tmpl, err := template.Parse("```!\n"+command+"\n```\n", template.Options{Names: declaredNames})
	require.NoError(t, err)
	require.Len(t, tmpl.Spans(), 1, command)
	return tmpl.Spans()[0]
}

// valuesOf returns the values of a call with the given argument text.
func valuesOf(args, skillDir string) template.Values {
	vars := map[string]string{"CLAUDE_SKILL_DIR": skillDir, "CLAUDE_SESSION_ID": "s-1", "CLAUDE_EFFORT": "high"}
	return template.Values{Args: args, Words: shellwords.Split(args), Lookup: func(name string) (string, bool) {
		v, ok := vars[name]
		return v, ok
	}}
}

// A place is a folder to run commands in.
type place struct {
	dir   string // working directory, empty before each run
	skill string // the skill's folder
	home  string
}

func newPlace(t testing.TB) place {
	t.Helper()
	root := t.TempDir()
	p := place{dir: filepath.Join(root, "work"), skill: filepath.Join(root, "skill"), home: filepath.Join(root, "home")}
	for _, d := range []string{p.dir, p.skill, p.home} {
		require.NoError(t, os.Mkdir(d, 0o755))
	}
	script := "printf '[%s]' \"$@\"\n"
	require.NoError(t, os.WriteFile(filepath.Join(p.skill, "run.sh"), []byte(script), 0o755))
	return p
}

// run runs text in shell and returns its output, and whether the canary was
// made. The working directory is empty again afterwards.
func (p place) run(t testing.TB, shell, text string, env []string) (output string, executed bool) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	name, option, posix := strings.Cut(shell, " ")
	args := []string{"-c", text}
	if posix {
		args = append([]string{option}, args...)
	}
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Dir = p.dir
	cmd.Env = append([]string{"PATH=" + os.Getenv("PATH"), "HOME=" + p.home, "LC_ALL=C.UTF-8", "TERM=dumb"}, env...)
	cmd.WaitDelay = time.Second
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	_ = cmd.Run()
	require.NoError(t, ctx.Err(), "%s: %s", shell, text)
	return out.String(), p.clear(t)
}

// clear empties the working directory and reports whether the canary was in it.
func (p place) clear(t testing.TB) (executed bool) {
	t.Helper()
	names, err := os.ReadDir(p.dir)
	require.NoError(t, err)
	for _, n := range names {
		executed = executed || n.Name() == canary || n.Name() == canary+".d" && n.IsDir()
		require.NoError(t, os.RemoveAll(filepath.Join(p.dir, n.Name())))
	}
	return executed
}

// shellsOf returns the shells a template is run in. A bash that is called sh
// runs what is written for POSIX.
func shellsOf(tm testTemplate) map[string]Dialect {
	if tm.Shell == "bash" {
		return map[string]Dialect{"bash": Bash, "bash --posix": POSIX}
	}
	return map[string]Dialect{"bash": Bash, "dash": POSIX, "bash --posix": POSIX}
}

func requireShells(t testing.TB) {
	t.Helper()
	for _, sh := range []string{"bash", "dash"} {
		_, err := exec.LookPath(sh)
		require.NoError(t, err, "bash and dash have to be installed for these tests")
	}
}

// withCanary puts the name of the canary into a value.
func withCanary(value string) string { return strings.ReplaceAll(value, "@@", canary) }
