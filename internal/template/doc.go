// Package template turns the Markdown body of a skill into tokens and puts
// values in their places (04 §2, §3, §4). It does no I/O and knows nothing of
// skills, permissions or shells.
//
// [Parse] reads the author's text once, before there is any value to insert,
// and [Template.Render] joins the tokens again. Nothing reads the result, so
// an inserted value that looks like a placeholder or a shell span is text.
//
// # Placeholders
//
//   - $ARGUMENTS, as a whole word: the argument text as given.
//   - $ARGUMENTS[N] and $N: word N of the arguments, counted from 0. All the
//     digits belong to N: $10 is word 10, $01 is word 1. Without such a word,
//     however large the number, the placeholder stays as written.
//   - $name, as a whole word, for a declared name. The longest name wins.
//     Declared without a word: nothing is put in its place.
//   - ${NAME} for the names the caller gives a meaning to.
//   - A backslash before one of these makes it text, and goes away itself. An
//     even number of backslashes is text, then the placeholder. Before any
//     other $ backslashes are text.
//
// Anything else with a $ stays: $ARGUMENTS[x] is $ARGUMENTS and the text [x],
// $ARGUMENTS.0 is $ARGUMENTS and .0, ${HOME} and $PATH are text. A declared
// name is compared byte for byte; where it competes with a placeholder of the
// fixed kinds the longer one wins, then the fixed kind. Names of digits only,
// and names over 256 bytes, never match.
//
// A word ends where neither an underscore, an ASCII digit, nor a letter or
// mark of a script that puts spaces between words follows: $targets and
// $target_dir are not $target, but $target-dir, $target.md and $target文件 hold
// it. This is the same for $ARGUMENTS; $N has no such condition (pre$0post).
//
// # Shell spans
//
// A span is an exclamation mark at the start of a line or behind ASCII white
// space, a backquote, the command, and the next backquote on the same line.
// Or it is a block
//
//	```!
//	command
//	```
//
// with three or more backquotes, up to three spaces in front of them (taken
// off each line of the command), and a closing fence that is at least as
// long. What stands behind the exclamation mark on the first line is not part
// of the command. A blank command is no span.
//
// A command runs on somebody's machine, so text that may be an example is not
// a span:
//
//   - inside a code span of two or more backquotes, which ends at the next run
//     of equally many, at most at a blank line or fence;
//   - where the backquote behind the exclamation mark closes a code span of
//     single backquotes that began on the same line;
//   - inside a fence for markdown, md, mdx, yaml or yml, with backquotes or
//     tildes, also in a list, a quotation or another fence;
//   - in and behind a block that is never closed.
//
// Inside other fences commands count. [Options] has two switches for other
// readings.
package template
