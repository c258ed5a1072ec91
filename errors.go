package skills

import (
	"cmp"
	"errors"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/seed-12b313d8/skills/internal/line"
)

// A Code names the kind of an [Issue] or [Error]. It is an error itself, so
// errors.Is(err, CodeDenied) asks whether err is of that kind. Codes are
// stable; docs/skill-files.md lists all of them with cause and cure.
type Code string

// Error returns the code with the package's prefix.
func (c Code) Error() string { return "skills: " + string(c) }

// Codes of the errors that sessions, listers and invokers return. Issues use
// these and the codes of docs/skill-files.md.
const (
	CodeNotFound         Code = "not-found"         // no skill of that name; Error.Names has near ones
	CodeAmbiguous        Code = "ambiguous"         // several skills answer to the name; Error.Names has them
	CodeNotDiscovered    Code = "not-discovered"    // a remote skill no search of this session has found
	CodeNotInvocable     Code = "not-invocable"     // this caller may not invoke the skill
	CodeDenied           Code = "denied"            // a deny rule, or somebody's "no"
	CodeNeedsPermission  Code = "needs-permission"  // somebody must be asked and nobody can be
	CodeUnsafeArgument   Code = "unsafe-argument"   // an argument would become code
	CodeShellFailed      Code = "shell-failed"      // a command of the skill failed
	CodeShellUnavailable Code = "shell-unavailable" // the shell the skill asks for is not there
	CodePrompt           Code = "prompt"            // a host callback that makes the text failed
	CodeRecursion        Code = "recursion"         // a fork invokes itself, or forks nest too deep
	CodeUnreadable       Code = "unreadable"        // a file or place cannot be read
	CodeInvalid          Code = "invalid"           // a rule, name, option or call that makes no sense
	CodeCancelled        Code = "cancelled"         // the context ended
)

// The severities of an issue.
const (
	sevError   = "error"
	sevWarning = "warning"
	sevInfo    = "info"
)

// An Issue is one thing an author or host should know: a defect, a shadowed
// name, a cut description (01 §8). Issues are data; they never stop the rest.
type Issue struct {
	Code Code `json:"code"`
	// Severity is "error" if something is missing or refused, "warning" if it
	// is not as its author wrote it, and "info" if it is worth knowing.
	Severity string `json:"severity"`
	Skill    string `json:"skill"`   // invocation name, "" if there is none
	Path     string `json:"path"`    // file or directory, "" without one
	Line     int    `json:"line"`    // 1-based, 0 if unknown
	Field    string `json:"field"`   // frontmatter key as written, "" for the whole file
	Msg      string `json:"message"` // what is wrong
	Hint     string `json:"hint"`    // what to do about it
}

// String returns "path:line: field: message; hint" with what is known of it.
func (i Issue) String() string {
	var b strings.Builder
	switch {
	case i.Path != "" && i.Line > 0:
		fmt.Fprintf(&b, "%s:%d: ", i.Path, i.Line)
	case i.Path != "":
		b.WriteString(i.Path + ": ")
	case i.Skill != "":
		b.WriteString(i.Skill + ": ")
	}
	if i.Field != "" {
		b.WriteString(i.Field + ": ")
	}
	b.WriteString(i.Msg)
	if i.Hint != "" {
		b.WriteString("; " + i.Hint)
	}
	return b.String()
}

// warning returns what the author of s should know about a field, or about all
// of it.
func (s *Skill) warning(code Code, field, msg, hint string) Issue {
	return Issue{Code: code, Severity: sevWarning, Skill: s.Name, Path: s.Path, Field: field, Msg: msg, Hint: hint}
}

// An Error is the one error type of this package, always returned as *Error.
// It holds an [Issue], so it says what, where and what to do.
type Error struct {
	Issue
	// Names holds near names with CodeNotFound (at most 3) and the candidates
	// with CodeAmbiguous, in a stable order.
	Names []string
	// Input is what was asked for, as it was given: the name and arguments.
	Input string
	// Err is the cause, nil without one.
	Err error

	advice string // what a model should do, "" for the code's own
	skill  *Skill // what was found before it failed, or nil
}

// newError returns an error that is about no skill yet.
func newError(code Code, msg, hint string) *Error {
	return &Error{Issue: Issue{Code: code, Severity: sevError, Msg: msg, Hint: hint}}
}

// about says which skill was found before it failed.
func (e *Error) about(s *Skill) *Error {
	e.Skill, e.Path, e.skill = s.Name, s.Path, s
	return e
}

// in says which field or option is meant.
func (e *Error) in(field string) *Error {
	e.Field = field
	return e
}

// asked says what was asked for.
func (e *Error) asked(input string) *Error {
	e.Input = input
	return e
}

// because names the cause.
func (e *Error) because(err error) *Error {
	e.Err = err
	return e
}

// asError returns err as *Error, wrapping what is not one already.
func asError(err error, s *Skill, code Code, msg, hint string) *Error {
	var e *Error
	if errors.As(err, &e) {
		mine := *e // a callback may return one value to several
		mine.skill = cmp.Or(e.skill, s)
		return &mine
	}
	e = newError(code, msg, hint).because(err)
	if s != nil {
		e.about(s)
	}
	return e
}

// Error returns the issue's text followed by its cause.
func (e *Error) Error() string {
	s := "skills: " + e.Issue.String()
	if e.Err != nil {
		s += ": " + e.Err.Error()
	}
	return s
}

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }

// Is reports whether target is e's [Code].
func (e *Error) Is(target error) bool { return target == e.Code }

// ForModel returns the text of a tool result: what happened and what the
// model should do instead (04 §1). It never holds causes, paths or the text
// of a skill the caller may not see.
func (e *Error) ForModel() string {
	clean := *e
	clean.Skill, clean.Msg, clean.Hint = forModel(e.Skill, 100), forModel(e.Msg, 300), forModel(e.Hint, 300)
	clean.advice = forModel(e.advice, 300)
	return clean.forModel()
}

// forModel makes text safe to put into a sentence: one line of at most n
// characters that opens and closes no tag.
func forModel(text string, n int) string {
	return line.Cut(line.Clean(line.Head(text, 4*n), line.Options{EscapeAngles: true}), n)
}

func (e *Error) forModel() string {
	switch e.Code {
	case CodeNotFound:
		return fmt.Sprintf("There is no skill named %q.%s Use only names from a listing or a search of skills.", e.Skill, didYouMean(e.Names))
	case CodeAmbiguous:
		return fmt.Sprintf("%q names several skills: %s. Call one of them by its full name.", e.Skill, strings.Join(e.Names, ", "))
	case CodeNotInvocable:
		return fmt.Sprintf("The skill %q may not be run this way: %s. %s.", e.Skill, e.Msg, sentence(e.advice))
	case CodeDenied:
		return fmt.Sprintf("The skill %q is denied here: %s. Do not try it again and do not imitate its workflow.", e.Skill, e.Msg)
	case CodeNeedsPermission:
		return fmt.Sprintf("The skill %q needs permission that was not given. Ask the user to run /%s or to allow it.", e.Skill, e.Skill)
	case CodeNotDiscovered:
		return fmt.Sprintf("The remote skill %q is not known in this conversation. Search for it first.", e.Skill)
	case CodeInvalid:
		return fmt.Sprintf("The call was not understood: %s. %s.", e.Msg, sentence(e.Hint))
	default:
		return fmt.Sprintf("The skill %q could not run: %s.", e.Skill, strings.TrimSuffix(e.Msg, "."))
	}
}

// sentence gives s a capital letter.
func sentence(s string) string {
	r, size := utf8.DecodeRuneInString(s)
	return string(unicode.ToUpper(r)) + s[size:]
}

func didYouMean(names []string) string {
	if len(names) == 0 {
		return ""
	}
	return " Similar names: " + strings.Join(names, ", ") + "."
}
