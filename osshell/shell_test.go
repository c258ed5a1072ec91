package osshell_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/seed-12b313d8/skills"
	"github.com/seed-12b313d8/skills/osshell"
	"github.com/seed-12b313d8/skills/skillstest"
)

func TestConformance(t *testing.T) {
	require.NoError(t, skillstest.TestShell(osshell.New(nil)))
	require.NoError(t, skillstest.TestShell(osshell.New(&osshell.Options{MaxConcurrent: 1, MaxOutput: 1000})))
}

// Commands mean the same in the shells a system may have as bash and sh.
func TestCommands(t *testing.T) {
	for name, sh := range map[string]skills.Shell{
		"bash": osshell.New(withPath(binDir(t, map[string]string{"bash": program(t, "bash")}) + ":" + os.Getenv("PATH"))),
		"dash": osshell.New(withPath(binDir(t, map[string]string{"sh": program(t, "dash")}) + ":" + os.Getenv("PATH"))),
	} {
		kind := map[string]string{"bash": "bash", "dash": "sh"}[name]
		for _, test := range []struct {
			reason, text string
			env          []string
			want         string
			exit         int
		}{
			{"(04 §4) stderr merged, in the order of the writes", "for i in 1 2 3; do echo o$i; echo e$i >&2; done", nil, "o1\ne1\no2\ne2\no3\ne3\n", 0},
			{"(04 §4) stdin null: read ends at once", "cat; read x; echo $?; test -t 0; echo tty=$?", nil, "1\ntty=1\n", 0},
			{"no terminal: a password prompt must not wait", "(: </dev/tty) 2>/dev/null; echo $?", nil, map[string]string{"bash": "1\n", "dash": "2\n"}[name], 0},
			{"exit code of the command", "exit 255", nil, "", 255},
			{"a syntax error is the shell's result", "if", nil, "*", 2},
			{"a missing program is the shell's result", "no-such-program-at-all", nil, "*", 127},
			{"128+n for a signal", "kill -9 $$", nil, "", 137},
			{"128+n for a signal that could be caught", "echo a; kill -TERM $$; echo b", nil, "a\n", 143},
			{"a signal inside is the shell's own affair", "sh -c 'kill -9 $$'; echo $?", nil, "*137\n", 0},
			{"nothing to do", "", nil, "", 0},
			{"blanks", " \n\t\n", nil, "", 0},
			{"text that looks like an option", "-v --help", nil, "*", 127},
			{"text that looks like another option", "+x", nil, "*", 127},
			{"several lines, here-document, comment", "cat <<'E' # c\n$HOME `id`\nE\n", nil, "$HOME `id`\n", 0},
			{"(04 §4) argument values are data", `printf '%s|' "$SKILL_ARG_0" '$SKILL_ARG_0'`, []string{"SKILL_ARG_0=a'\";$(id)\n"}, "a'\";$(id)\n|$SKILL_ARG_0|", 0},
			{"a value may hold =", `echo "$SKILL_ARG_0"`, []string{"SKILL_ARG_0=a=b="}, "a=b=\n", 0},
			{"of two values the last counts", `echo "$SKILL_ARG_0"`, []string{"SKILL_ARG_0=1", "SKILL_ARG_0=2"}, "2\n", 0},
			{"(04 §4) TERM=dumb", "echo $TERM", nil, "dumb\n", 0},
			{"Command.Env may say otherwise", "echo $TERM", []string{"TERM=vt100"}, "vt100\n", 0},
			{"(04 §4) ANSI removed: colour", `printf '\033[1;31mred\033[0m\n'`, nil, "red\n", 0},
			{"(04 §4) ANSI removed: title, link, charset", `printf '\033]0;t\007a\033]8;;http://x\033\\b\033(Bc\n'`, nil, "abc\n", 0},
			{"(04 §4) NUL removed", `printf 'a\000b\n'`, nil, "ab\n", 0},
			{"(04 §4) invalid UTF-8 repaired", `printf 'a\377\376b \303\244\n'`, nil, "a\uFFFDb ä\n", 0},
			{"a carriage return is a line end", `printf 'a\r\n1%%\r2%%\r\n'`, nil, "a\n1%\n2%\n", 0},
			{"output without a line end stays so", `printf a`, nil, "a", 0},
			{"$0 is the shell's name, not a path", `printf %s "$0"`, nil, kind, 0},
			{"a pipeline of several processes", "yes | head -n 100000 | tail -n 1", nil, "y\n", 0},
		} {
			got := run(t, sh, skills.Command{Text: test.text, Env: test.env, Shell: kind})
			where := fmt.Sprintf("%s: %q: %s", name, test.text, test.reason)
			assert.Equal(t, test.exit, got.Exit, where)
			if tail, open := strings.CutPrefix(test.want, "*"); open { // the shell's own words come first
				assert.NotEmpty(t, got.Output, where)
				assert.True(t, strings.HasSuffix(got.Output, tail), where+": "+got.Output)
				continue
			}
			assert.Equal(t, test.want, got.Output, where)
		}
	}
}

func TestBashOnly(t *testing.T) {
	program(t, "bash")
	sh := osshell.New(nil)
	for text, want := range map[string]string{
		`[[ a == a ]] && echo "${BASH_VERSION:+bash}"`:                           "bash\n",
		"shopt -q login_shell; echo $?; [[ $- == *i* ]]; echo $?":                "1\n1\n",
		"echo out; echo warn >&2 2> >(cat >&2)":                                  "out\nwarn\n",
		`a=(1 2 3); printf '%s,' "${a[@]:1}"`:                                    "2,3,",
		"printf -v x '%q' 'a b'; echo $x":                                        "a\\ b\n",
		`diff <(echo a) <(echo b) >/dev/null; echo $?`:                           "1\n",
		`set -o pipefail; false | true; echo $?; trap 'echo bye' EXIT; (exit 3)`: "1\nbye\n",
	} {
		got := run(t, sh, skills.Command{Text: text})
		assert.Equal(t, want, got.Output, text)
	}
}

// A command gets the allow-list and no more (04 §4).
func TestEnvironment(t *testing.T) {
	host := []string{
		"PATH=" + os.Getenv("PATH"), "HOME=/h", "USER=u", "LANG=C", "LC_ALL=C", "LC_TIME=C", "TMPDIR=/t", "TERM=xterm-256color",
		"SKILL_HOST=1", "CLAUDE_HOST=2",
		"MY_API_TOKEN=s3cr3t", "AWS_SECRET_ACCESS_KEY=s3cr3t", "CLAUDE_CODE_OAUTH_TOKEN=s3cr3t", "CLAUDE_API_KEY=s3cr3t", "SKILL_DB_PASSWORD=s3cr3t",
		"BASH_ENV=s3cr3t", "ENV=s3cr3t", "LD_PRELOAD=s3cr3t", "SSH_AUTH_SOCK=s3cr3t", "PATHS=s3cr3t", "XPATH=s3cr3t", "LCX=s3cr3t", "GIT_DIR=s3cr3t",
		"BASH_FUNC_ls%%=() { echo s3cr3t; }", "SKILL_ARG_0=s3cr3t", "SKILL_ARGUMENTS=s3cr3t", "SKILL_NONE=s3cr3t",
		"malformed", "=s3cr3t", "LC_X=a\x00b",
	}
	sh := osshell.New(&osshell.Options{Environ: fixed(host...), Env: []string{"HOST_WISH=h", "USER=host", "BOTH=host"}})
	got := run(t, sh, skills.Command{Text: "env", Env: []string{"BOTH=command", "SKILL_ARG_1=one"}})
	pairs := strings.Split(strings.TrimSpace(got.Output), "\n")
	pairs = slices.DeleteFunc(pairs, func(p string) bool { // what the shell itself sets
		name, _, _ := strings.Cut(p, "=")
		return name == "PWD" || name == "OLDPWD" || name == "SHLVL" || name == "_"
	})
	assert.ElementsMatch(t, []string{
		"PATH=" + os.Getenv("PATH"), "HOME=/h", "USER=host", "LANG=C", "LC_ALL=C", "LC_TIME=C", "TMPDIR=/t", "TERM=dumb",
		"SKILL_HOST=1", "CLAUDE_HOST=2", "HOST_WISH=h", "BOTH=command", "SKILL_ARG_1=one",
	}, pairs)
	assert.NotContains(t, got.Output, "s3cr3t")
}

// The environment is that of the moment, and options are copied.
func TestEnvironmentIsReadForEachCommand(t *testing.T) {
	opts := &osshell.Options{Env: []string{"MINE=1"}}
	sh := osshell.New(opts)
	opts.Env[0] = "MINE=2"
	for _, value := range []string{"a", "b"} {
		t.Setenv("SKILL_NOW", value)
		assert.Equal(t, value+"1\n", run(t, sh, skills.Command{Text: `echo "$SKILL_NOW$MINE"`}).Output)
	}
}

func TestInterpreters(t *testing.T) {
	bash, dash := program(t, "bash"), program(t, "dash")
	echo := filepath.Join(t.TempDir(), "echo-arguments")
	require.NoError(t, os.WriteFile(echo, []byte("#!"+dash+"\nprintf '<%s>' \"$@\"\n"), 0o755))
	plain := filepath.Join(t.TempDir(), "plain")
	require.NoError(t, os.WriteFile(plain, []byte("#!"+dash+"\n"), 0o644))
	here := t.TempDir()
	require.NoError(t, os.Symlink(echo, filepath.Join(here, "bash")))

	const which = `[ -n "$BASH_VERSION" ] && echo bash || echo other`
	for _, test := range []struct {
		reason string
		path   string
		c      skills.Command
		want   string // "" is an error with CodeShellUnavailable
	}{
		{"(04 §4) bash if present", binDir(t, map[string]string{"bash": bash, "sh": dash}), skills.Command{Text: which}, "bash\n"},
		{"(04 §4) else sh", binDir(t, map[string]string{"sh": dash}), skills.Command{Text: which}, "other\n"},
		{"(04 §4) shell honoured: sh", binDir(t, map[string]string{"bash": bash, "sh": dash}), skills.Command{Text: which, Shell: "sh"}, "other\n"},
		{"(04 §4) shell honoured: bash is not replaced by sh", binDir(t, map[string]string{"sh": dash}), skills.Command{Text: which, Shell: "bash"}, ""},
		{"(04 §4) missing: no shell at all", t.TempDir(), skills.Command{Text: which}, ""},
		{"(04 §4) missing: powershell", binDir(t, map[string]string{"bash": bash}), skills.Command{Text: which, Shell: "powershell"}, ""},
		{"powershell is pwsh", binDir(t, map[string]string{"pwsh": echo}), skills.Command{Text: "a 'b' \"c\"\nd", Shell: "powershell"}, "<-NoProfile><-NonInteractive><-Command><a 'b' \"c\"\nd>"},
		{"or powershell", binDir(t, map[string]string{"powershell": echo}), skills.Command{Text: "x", Shell: "powershell"}, "<-NoProfile><-NonInteractive><-Command><x>"},
		{"the text is one argument", binDir(t, map[string]string{"bash": echo}), skills.Command{Text: "a 'b' \"c\"\nd $e"}, "<-c><a 'b' \"c\"\nd $e>"},
		{"text is never an option", binDir(t, map[string]string{"bash": echo}), skills.Command{Text: "-x"}, "<-c>< -x>"},
		{"(J04) an unknown shell is not replaced", binDir(t, map[string]string{"fish": echo}), skills.Command{Text: "x", Shell: "fish"}, ""},
		{"(J04) nor is one named by its path", "/", skills.Command{Text: "x", Shell: echo}, ""},
		{"relative directories of PATH are passed over", ".::bin:" + binDir(t, map[string]string{"sh": dash}), skills.Command{Text: which, Dir: here}, "other\n"},
		{"so are files that nobody may execute", binDir(t, map[string]string{"bash": plain, "sh": dash}), skills.Command{Text: which}, "other\n"},
		{"a skill's PATH supplies no interpreter", binDir(t, map[string]string{"sh": dash}), skills.Command{Text: which, Env: []string{"PATH=" + here}}, "other\n"},
	} {
		if test.c.Dir == "" {
			test.c.Dir = here
		}
		got, err := osshell.New(withPath(test.path))(t.Context(), test.c)
		if test.want == "" {
			assert.ErrorIs(t, err, skills.CodeShellUnavailable, test.reason)
			assert.Empty(t, got, test.reason)
			continue
		}
		assert.NoError(t, err, test.reason)
		assert.Equal(t, test.want, got.Output, test.reason)
	}
}

// Without a PATH the usual directories are searched.
func TestNoPath(t *testing.T) {
	if _, err := os.Stat("/bin/sh"); err != nil {
		t.Skip("there is no /bin/sh here; the default of PATH was not tested")
	}
	assert.Equal(t, "ok\n", run(t, osshell.New(&osshell.Options{Environ: fixed()}), skills.Command{Text: "echo ok"}).Output)
}

// What cannot run is a typed error that says where and what to do (07 B2).
func TestErrors(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "file")
	require.NoError(t, os.WriteFile(file, nil, 0o600))
	broken := filepath.Join(t.TempDir(), "broken")
	require.NoError(t, os.WriteFile(broken, []byte("\x7fELF no program"), 0o755))
	many := make([]string, 60)
	for i := range many {
		many[i] = fmt.Sprintf("SKILL_ARG_%d=%s", i, strings.Repeat("x", 100_000))
	}
	for _, test := range []struct {
		reason string
		opts   *osshell.Options
		c      skills.Command
		code   skills.Code
		want   string // in the message
	}{
		{"NUL in the text: not cut short", nil, skills.Command{Text: "touch ran\x00; false"}, skills.CodeInvalid, "NUL"},
		{"NUL in a value", nil, skills.Command{Text: "touch ran", Env: []string{"SKILL_ARG_0=a\x00b"}}, skills.CodeInvalid, `"SKILL_ARG_0" holds a NUL`},
		{"a pair without =", nil, skills.Command{Text: "touch ran", Env: []string{"SKILL_ARG_0"}}, skills.CodeInvalid, "NAME=value"},
		{"a pair without a name", &osshell.Options{Env: []string{"=x"}}, skills.Command{Text: "touch ran"}, skills.CodeInvalid, "NAME=value"},
		{"text longer than an argument may be", nil, skills.Command{Text: "touch ran #" + strings.Repeat("x", 200_000)}, skills.CodeInvalid, "has 200011 bytes; the system takes 131071"},
		{"(arg-shell-13) a value longer than that", nil, skills.Command{Text: "touch ran", Env: []string{"SKILL_ARG_0=" + strings.Repeat("x", 200_000)}}, skills.CodeInvalid, `"SKILL_ARG_0" has 200012 bytes; the system takes 131071`},
		{"the sum of all is too much", nil, skills.Command{Text: "touch ran", Env: many}, skills.CodeInvalid, "more than the system takes"},
		{"no such directory", nil, skills.Command{Text: "touch ran", Dir: filepath.Join(dir, "gone")}, skills.CodeUnreadable, "gone"},
		{"a file as directory", nil, skills.Command{Text: "touch ran", Dir: file}, skills.CodeUnreadable, "not a directory"},
		{"an interpreter that is no program", withPath(binDir(t, map[string]string{"sh": broken})), skills.Command{Text: "touch ran"}, skills.CodeShellFailed, "could not be started"},
	} {
		if test.c.Dir == "" {
			test.c.Dir = dir
		}
		test.c.Skill = &skills.Skill{Name: "s", Path: "/p/SKILL.md"}
		got, err := osshell.New(test.opts)(t.Context(), test.c)
		require.ErrorIs(t, err, test.code, test.reason)
		assert.ErrorContains(t, err, test.want, test.reason)
		assert.Less(t, len(err.Error()), 500, test.reason)
		assert.Empty(t, got, test.reason)
		assert.NoFileExists(t, filepath.Join(dir, "ran"), test.reason)
		e := err.(*skills.Error)
		assert.Equal(t, "s", e.Skill, test.reason)
		assert.NotEmpty(t, e.Path, test.reason)
		assert.NotEmpty(t, e.Hint, test.reason)
	}
	// Up to the limit it works.
	text := "echo ok #"
	text += strings.Repeat("x", 131_071-len(text))
	assert.Equal(t, "ok\n", run(t, osshell.New(nil), skills.Command{Text: text}).Output)
}
