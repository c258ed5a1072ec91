package shellrun

import (
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/seed-12b313d8/skills/internal/line"
	"github.com/seed-12b313d8/skills/internal/shellspan"
	"github.com/seed-12b313d8/skills/internal/template"
)

// The codes of failures.
const (
	Cancelled   = "cancelled"
	Unsafe      = "unsafe-argument"
	Denied      = "denied"
	Failed      = "shell-failed"
	Unavailable = "shell-unavailable"
)

// tailChars is how much of a command or its output an error carries, in
// characters.
const tailChars = 500

// outputEnds introduces the output in the text of an error.
const outputEnds = "; its output ends: "

// A Failure is why a command did not run, or why what it did does not count.
type Failure struct {
	Code string
	Line int // of the body, 1-based
	Msg  string
	Hint string
	Err  error // the cause, or nil
	// Whole says that Err tells everything, and better.
	Whole bool
}

// Error returns what is wrong.
func (f *Failure) Error() string { return f.Msg }

// Unwrap returns the cause.
func (f *Failure) Unwrap() error { return f.Err }

// Brief returns Msg without the output of the command, which may hold anything.
func (f *Failure) Brief() string {
	msg, _, _ := strings.Cut(f.Msg, outputEnds)
	return msg
}

// stopped reports whether f is that of a command that something else ended.
func (f *Failure) stopped() bool {
	return f.Code == Cancelled || errors.Is(f, context.Canceled)
}

// never reports whether no marker may stand for f.
func (f *Failure) never() bool {
	return slices.Contains([]string{Cancelled, Unsafe, Denied}, f.Code)
}

// failed returns the failure of the command in t.
func failed(t template.Token, code, msg, hint string, cause error) *Failure {
	return &Failure{Code: code, Line: t.Line, Msg: msg, Hint: hint, Err: cause}
}

func cancelled(t template.Token, cause error) *Failure {
	return failed(t, Cancelled, "the invocation was cancelled", "call again", cause)
}

// refused turns the refusal of a command into a failure.
func refused(t template.Token, err error) *Failure {
	var r *shellspan.Refusal
	if !errors.As(err, &r) {
		return failed(t, Unsafe, "a command of the skill cannot be made safe", "see the cause", err)
	}
	// The refusal is not the cause: it counts the lines of the body.
	return &Failure{Code: Unsafe, Line: r.Line, Msg: r.Placeholder + " was not put into a command: " + r.Msg, Hint: r.Hint}
}

// Tail returns the end of an output, for the text of an error.
func Tail(output string) string {
	output = strings.TrimSpace(output)
	if output == "" {
		return " and no output"
	}
	if end := line.Last(output, tailChars); end != output {
		output = "…" + end
	}
	return outputEnds + output
}
