package main

import (
	"bufio"
	"errors"
	"flag"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"
)

var update = flag.Bool("update", false, "write what skillctl prints into testdata/script and help")

// actAsMain, if set in the environment, makes the test binary be skillctl.
const actAsMain = "SKILLCTL_TEST_MAIN"

func TestMain(m *testing.M) {
	if os.Getenv(actAsMain) != "" {
		main()
	}
	os.Exit(m.Run())
}

// The scripts of testdata/script: files, commands, and what these print, with
// $WORK for the folder that holds it all. Besides the commands of testscript
// there are
//
//	[!] skillctl ARGS…    runs the program; with ! it must fail
//	exit CODE             was the exit code
//	skillctl ARGS… &      runs it while the script goes on
//	sees PATTERN          waits for its next line, which matches
//	interrupt             ends it
//
// go test -run Scripts -update writes what is printed into the scripts.
func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir: filepath.Join("testdata", "script"), UpdateScripts: *update, RequireUniqueNames: true,
		Setup: func(e *testscript.Env) error {
			s := &script{work: e.WorkDir}
			e.Values[scriptKey{}] = s
			for _, name := range []string{"HOME", "USERPROFILE"} {
				e.Setenv(name, filepath.Join(e.WorkDir, "home"))
			}
			e.Setenv(actAsMain, "1")
			e.Defer(s.kill)
			return nil
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"skillctl": scripted((*script).skillctl), "exit": scripted((*script).exit),
			"sees": scripted((*script).sees), "interrupt": scripted((*script).interrupt),
		},
	})
}

type scriptKey struct{}

// A script is what one script has run.
type script struct {
	work  string
	code  string // of the last skillctl
	cmd   *exec.Cmd
	lines <-chan string // of what runs in the background
}

func scripted(f func(*script, *testscript.TestScript, bool, []string)) func(*testscript.TestScript, bool, []string) {
	return func(ts *testscript.TestScript, neg bool, args []string) {
		f(ts.Value(scriptKey{}).(*script), ts, neg, args)
	}
}

func (s *script) skillctl(ts *testscript.TestScript, neg bool, args []string) {
	if n := len(args); n > 0 && args[n-1] == "&" {
		s.start(ts, args[:n-1])
		return
	}
	err := ts.Exec(os.Args[0], args...)
	s.code = "0"
	var failed *exec.ExitError
	switch {
	case errors.As(err, &failed):
		s.code = strings.TrimPrefix(failed.Error(), "exit status ")
	case err != nil:
		ts.Fatalf("skillctl: %v", err)
	}
	for name, w := range map[string]io.Writer{"stdout": ts.Stdout(), "stderr": ts.Stderr()} {
		_, err := io.WriteString(w, s.clean(ts.ReadFile(name)))
		ts.Check(err)
	}
	if neg == (s.code == "0") {
		ts.Fatalf("skillctl ended with exit code %s", s.code)
	}
}

// clean makes text the same wherever the script runs.
func (s *script) clean(text string) string {
	real, err := filepath.EvalSymlinks(s.work)
	if err == nil {
		text = strings.ReplaceAll(text, real, "$WORK")
	}
	return strings.ReplaceAll(text, s.work, "$WORK")
}

func (s *script) exit(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: exit CODE")
	}
	if args[0] != s.code {
		ts.Fatalf("skillctl ended with exit code %s, not %s", s.code, args[0])
	}
}

// start runs skillctl in the background, with both outputs in one.
func (s *script) start(ts *testscript.TestScript, args []string) {
	if s.cmd != nil {
		ts.Fatalf("one runs already")
	}
	s.cmd = exec.Command(os.Args[0], args...)
	s.cmd.Dir = ts.MkAbs(".")
	s.cmd.Env = []string{actAsMain + "=1", "HOME=" + ts.Getenv("HOME"), "PATH=" + ts.Getenv("PATH")}
	out, in, err := os.Pipe()
	ts.Check(err)
	s.cmd.Stdout, s.cmd.Stderr = in, in
	ts.Check(s.cmd.Start())
	ts.Check(in.Close())
	lines := make(chan string, 100)
	go func() {
		defer out.Close()
		defer close(lines)
		for r := bufio.NewScanner(out); r.Scan(); {
			lines <- s.clean(r.Text())
		}
	}()
	s.lines = lines
}

func (s *script) sees(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 || s.lines == nil {
		ts.Fatalf("usage: sees PATTERN, after skillctl ARGS… &")
	}
	want, err := regexp.Compile(args[0])
	ts.Check(err)
	select {
	case line, ok := <-s.lines:
		if !ok || !want.MatchString(line) {
			ts.Fatalf("the next line is %q, which does not match %q", line, args[0])
		}
	case <-time.After(30 * time.Second):
		ts.Fatalf("no line came within 30 s, but %q is due", args[0])
	}
}

func (s *script) interrupt(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) > 0 || s.cmd == nil {
		ts.Fatalf("usage: interrupt, after skillctl ARGS… &")
	}
	ts.Check(s.cmd.Process.Signal(os.Interrupt))
	for line := range s.lines {
		ts.Fatalf("a line too many: %s", line)
	}
	err := s.cmd.Wait()
	s.cmd, s.lines, s.code = nil, nil, "0"
	if err != nil {
		s.code = regexp.MustCompile(`\d+`).FindString(err.Error())
	}
}

// kill ends what a script has left running.
func (s *script) kill() {
	if s.cmd == nil {
		return
	}
	_ = s.cmd.Process.Kill() // it may have ended by itself
	_ = s.cmd.Wait()
}
