package osshell_test

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/seed-12b313d8/skills"
	"github.com/seed-12b313d8/skills/osshell"
)

// A Shell for an Invoker. What a skill is called with reaches the command as
// data in the environment.
func ExampleNew() {
	shell := osshell.New(&osshell.Options{Timeout: time.Minute, Env: []string{"CI=1"}})
	inv := &skills.InvokerOptions{Shell: shell}

	result, err := inv.Shell(context.Background(), skills.Command{
		Text: `printf '%s, CI=%s\n' "$SKILL_ARG_0" "$CI"; exit 3`,
		Env:  []string{"SKILL_ARG_0=$(rm -rf x)"},
	})
	fmt.Printf("%q, exit code %d, error %v\n", result.Output, result.Exit, err)
	// Output:
	// "$(rm -rf x), CI=1\n", exit code 3, error <nil>
}

// Errors have a code and say what to do.
func ExampleNew_errors() {
	shell := osshell.New(&osshell.Options{Timeout: 100 * time.Millisecond})

	_, err := shell(context.Background(), skills.Command{Text: "echo hi", Shell: "fish"})
	fmt.Println(errors.Is(err, skills.CodeShellUnavailable), err)

	_, err = shell(context.Background(), skills.Command{Text: "sleep 10"})
	fmt.Println(errors.Is(err, context.DeadlineExceeded), err)
	// Output:
	// true skills: the shell "fish" is unknown; write "bash", "sh" or "powershell"
	// true skills: the command "sleep 10" did not end within 100ms and was killed; make the command shorter, or give osshell a longer Timeout: context deadline exceeded
}

// A registry that asks git which folders are ignored.
func ExampleGitIgnored() {
	opts := &skills.Options{Ignored: osshell.GitIgnored(&osshell.GitOptions{Timeout: 5 * time.Second})}

	_, err := opts.Ignored(context.Background(), "/", []string{"../outside"})
	fmt.Println(err)
	// Output:
	// skills: /: the folder "../outside" is no slash path below the root; give paths like packages/web
}
