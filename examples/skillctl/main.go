// Skillctl shows the skills of a project, what the model is told of them, and
// what an invocation gives. It is the command-line face of package skills for
// people who write skills and for scripts.
//
//	skillctl [flags] list
//	skillctl [flags] show NAME
//	skillctl [flags] listing
//	skillctl [flags] menu [PREFIX]
//	skillctl [flags] search QUERY
//	skillctl [flags] invoke NAME [ARGS]
//	skillctl [flags] explain NAME
//	skillctl [flags] touch PATH…
//	skillctl [flags] paths NAME [FILE…]
//	skillctl [flags] paths --pattern P [FILE…]
//	skillctl [flags] watch
//	skillctl [flags] lint [PATH…]
//	skillctl help [COMMAND]
//
// With --json it prints one JSON object, and watch one a line; the fields are
// described in docs/skillctl.md. The exit code is 0 if all went well, 1 if what was asked
// for failed, and 2 if the command line makes no sense.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"slices"
	"strings"
	"syscall"

	"github.com/seed-12b313d8/skills"
)

// The exit codes.
const (
	exitOK = iota
	exitFailed
	exitUsage
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop) // a second signal ends the process at once
	code := run(ctx, os.Args[1:], os.Stdout, os.Stderr)
	stop()
	os.Exit(code)
}

// A command is one verb of skillctl.
type command struct {
	name, args, help string
	min, max         int // number of arguments
	run              func(context.Context, *app, []string) error
}

// commands lists the verbs in the order of the help text.
func commands() []command {
	return []command{
		{"list", "", "all skills, shadowed ones, and what is wrong", 0, 0, list},
		{"show", "NAME", "one skill with its body", 1, 1, show},
		{"listing", "", "what the model is told, and what that costs", 0, 0, listing},
		{"menu", "[PREFIX]", "what a user may type after /", 0, 1, menu},
		{"search", "QUERY", "which skills a model finds for a task, best first", 1, 1 << 16, search},
		{"invoke", "NAME [ARGS]", "what an invocation gives", 1, 1 << 16, invoke},
		{"explain", "NAME", "why a skill is, or is not, there", 1, 1, explain},
		{"touch", "PATH…", "which skills become available when paths are touched", 1, 1 << 16, touch},
		{"paths", "NAME [FILE…]", "which files unlock a skill, or match --pattern instead of NAME", 0, 1 << 16, paths},
		{"watch", "", "what changes, as it does, until it is interrupted", 0, 0, watch},
		{"lint", "[PATH…]", "what authors should mend in their files", 0, 1 << 16, check},
	}
}

// run is main without the process around it.
func run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	return new(app).main(ctx, args, stdout, stderr)
}

func (a *app) main(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	if isTerminal(stderr) {
		a.status = stderr
	}
	stderr = printable{stderr}
	a.out, a.errs = stdout, stderr
	words, err := a.flags.parse(args)
	switch {
	case errors.Is(err, flag.ErrHelp):
		return a.helpAsked(words)
	case err != nil:
		return misuse(stderr, err.Error())
	case len(words) == 0:
		return misuse(stderr, "no command given")
	case words[0] == "help":
		return a.help(words[1:])
	}
	c, ok := commandOf(words[0])
	if !ok {
		return misuse(stderr, unknownCommand(words[0]))
	}
	if n := len(words) - 1; n < c.min || n > c.max {
		return misuse(stderr, fmt.Sprintf("usage: skillctl %s %s", c.name, c.args), c.name)
	}
	a.canvas = canvas{stdout, !a.flags.json && showsColours(stdout)}
	if !a.flags.json {
		a.out = printable{stdout}
	}
	return a.finish(c.run(ctx, a, words[1:]))
}

// commandOf returns the command of that name.
func commandOf(name string) (c command, ok bool) {
	all := commands()
	i := slices.IndexFunc(all, func(c command) bool { return c.name == name })
	if i < 0 {
		return command{}, false
	}
	return all[i], true
}

// misuse says what is wrong with the command line, and where help is: on the
// topic, if there is one.
func misuse(stderr io.Writer, msg string, topic ...string) int {
	if len(topic) > 0 {
		fmt.Fprintf(stderr, "skillctl: %s\nRun skillctl help %s for its flags and examples.\n", msg, topic[0])
		return exitUsage
	}
	fmt.Fprintf(stderr, "skillctl: %s\nRun skillctl help for the commands and flags.\n", msg)
	return exitUsage
}

// errPrinted is the error of a command that has printed what failed.
var errPrinted = errors.New("failed")

// A usageError says how a command is used that was given the wrong words.
type usageError string

func (e usageError) Error() string { return "usage: skillctl " + string(e) }

// An app is one run of skillctl.
type app struct {
	flags     flags
	out, errs io.Writer
	canvas    canvas              // on out, for text that may have colours
	status    io.Writer           // shows what takes long; nil unless it is a terminal
	times     skills.WatchOptions // of watch; zero but in tests
}

// finish prints err, if there is one, and returns the exit code.
func (a *app) finish(err error) int {
	var wrong usageError
	switch {
	case err == nil:
		return exitOK
	case errors.Is(err, errPrinted):
		return exitFailed
	case errors.As(err, &wrong):
		return misuse(a.errs, wrong.Error())
	}
	if a.flags.json {
		writeJSON(a.out, map[string]any{"error": errorOf(err)})
	} else {
		fmt.Fprintf(a.errs, "skillctl: %s\n", strings.TrimPrefix(err.Error(), "skills: "))
	}
	return exitFailed
}
