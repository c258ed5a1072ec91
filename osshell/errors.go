package osshell

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"syscall"
	"time"
	"unicode/utf8"

	"github.com/seed-12b313d8/skills"
)

// fault makes the error of a command, with the name and file of its skill.
func fault(c skills.Command, code skills.Code, msg, hint string, err error) *skills.Error {
	e := &skills.Error{Issue: skills.Issue{Code: code, Severity: "error", Msg: msg, Hint: hint}, Err: err}
	if c.Skill != nil {
		e.Skill, e.Path = c.Skill.Name, c.Skill.Path
	}
	return e
}

func cancelled(ctx context.Context, c skills.Command) *skills.Error {
	return fault(c, skills.CodeCancelled, "the command "+head(c.Text)+" was stopped", "", ended(ctx))
}

// ended returns what ended ctx: its error, and the cause if there is another.
func ended(ctx context.Context) error {
	err, cause := ctx.Err(), context.Cause(ctx)
	if errors.Is(cause, err) {
		return cause
	}
	return fmt.Errorf("%w: %w", err, cause)
}

func overdue(c skills.Command, limit time.Duration) *skills.Error {
	return fault(c, skills.CodeShellFailed, fmt.Sprintf("the command %s did not end within %v and was killed", head(c.Text), limit),
		"make the command shorter, or give osshell a longer Timeout", context.DeadlineExceeded)
}

// lost is for a host that waits for children that are not its own.
func lost(c skills.Command) *skills.Error {
	return fault(c, skills.CodeShellFailed, "the exit code of the command "+head(c.Text)+" is not known: something else in this process waited for it",
		"let the host wait for its own children only", nil)
}

// startFault is for a process that the system did not start.
func startFault(c skills.Command, err error) *skills.Error {
	if tooLong(err) {
		size := len(c.Text)
		for _, pair := range c.Env {
			size += len(pair)
		}
		return fault(c, skills.CodeInvalid, fmt.Sprintf("the command %s and its environment, %d bytes, are more than the system takes", head(c.Text), size),
			"put long text into a file", err)
	}
	return fault(c, skills.CodeShellFailed, "the command "+head(c.Text)+" could not be started", "look at the cause: the system refused it", err)
}

func tooLong(err error) bool {
	return errors.Is(err, syscall.E2BIG) || errors.Is(err, errTooLong)
}

// head returns the quoted start of a command, enough to know it by.
func head(text string) string {
	const limit = 60
	first, _, more := strings.Cut(strings.TrimSpace(text), "\n")
	start := first[:min(len(first), utf8.UTFMax*limit)]
	runes := []rune(start)
	if !more && start == first && len(runes) <= limit {
		return fmt.Sprintf("%q", first)
	}
	return fmt.Sprintf("%q…", string(runes[:min(len(runes), limit)]))
}

// checkText refuses text that cannot reach a shell in one piece.
func checkText(c skills.Command) error {
	switch {
	case strings.ContainsRune(c.Text, 0):
		return fault(c, skills.CodeInvalid, "the command "+head(c.Text)+" holds a NUL character", "remove the character", nil)
	case len(c.Text) > maxArgument:
		return fault(c, skills.CodeInvalid, fmt.Sprintf("the command %s has %d bytes; the system takes %d", head(c.Text), len(c.Text), maxArgument),
			"put the command into a script file and call that", nil)
	}
	return nil
}

// checkEnv refuses pairs that no process can get. Messages name no values.
func checkEnv(c skills.Command, env []string) error {
	for _, pair := range env {
		name, _, ok := strings.Cut(pair, "=")
		switch {
		case !ok || name == "":
			return fault(c, skills.CodeInvalid, "an environment variable is not of the form NAME=value", "correct Options.Env or Command.Env", nil)
		case strings.ContainsRune(pair, 0):
			return fault(c, skills.CodeInvalid, "the environment variable "+head(strings.ReplaceAll(name, "\x00", ""))+" holds a NUL character", "remove the character", nil)
		case len(pair) > maxArgument:
			return fault(c, skills.CodeInvalid, fmt.Sprintf("the environment variable %s has %d bytes; the system takes %d", head(name), len(pair), maxArgument),
				"shorten the argument, or name a file that holds it", nil)
		}
	}
	return nil
}
