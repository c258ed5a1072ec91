// Package shellrun runs the shell commands of one skill (04 §4): it makes
// argument values data, asks whether each command may run, chooses the shell,
// and runs a few commands at a time.
//
// Nothing runs before all commands have been rewritten and allowed. A command
// that was rewritten is safe in one dialect only, so its shell is named: bash,
// and where the author names none and there is no bash, sh, for which it is
// rewritten and asked about again. A refusal of that must not come after
// another command has run, so where one is possible the first such command runs
// alone and shows whether there is a bash.
//
// The package knows neither skills nor policies, starts no process itself, and
// is safe for concurrent use. Errors are *Failure, whose codes are those of
// package skills and whose lines are those of the body.
package shellrun
