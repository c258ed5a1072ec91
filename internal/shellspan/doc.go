// Package shellspan rewrites one shell command of a skill so that argument
// values reach the shell as environment variables and never as command text
// (04 §4, "Argument values are data, not code"). It starts no process.
//
// # How a command is rewritten
//
// [Rewrite] takes a span as package template found it. A span without
// placeholders is returned byte for byte and not parsed. Otherwise each
// placeholder becomes a parameter with a name that occurs nowhere else, the
// command is parsed in the dialect of the shell that will run it, and the
// place of every such parameter is read off the tree:
//
//   - An unquoted $ARGUMENTS among the arguments of a command, the items of
//     for and select, or the elements of an array is one word for each parsed
//     argument.
//   - Everywhere else a placeholder is one reference to one variable, quoted
//     the way its place needs.
//   - In places where a shell or a program evaluates text, the value must be
//     of a class that cannot be code there: see below.
//   - A place that is not known to be safe is refused. So is one that the
//     walk over the tree did not reach.
//
// The text that results is parsed again. Its tree must be the tree of the
// author's text, or the command is refused. Values are never part of a text
// that the shell parses, with one exception: text that the author's command
// evaluates itself (eval, sh -c, ssh …). There the classes hold, and the text
// with the values in it is parsed too and must have the same tree.
//
// # Classes of values
//
//   - integer: an optional sign and at most 18 digits.
//   - name: letters, digits and underscores; no name of a variable that
//     shells and programs act upon (PATH, BASH_ENV …).
//   - identifier: letters, digits and underscores.
//   - safe: letters, digits and _./:@%+=,- and, in a quoted place or a plain
//     argument, spaces and tabs.
//   - plain: letters, digits, _./:@%+,- and white space.
//
// # Rules for a whole span
//
// Some commands evaluate text that the tree does not show: eval "$x", a
// program read from a pipe, a file that was just written, a command whose name
// is computed. Every value of a span that holds one must be an integer.
// Arithmetic with variables, and names that come from variables, ask for plain
// values. What counts as fed by a variable is found by a fixed point over the
// assignments of the span: an inherited variable such as HOME is not.
//
// # Limits
//
// A value is at most 100 kB and holds no NUL. A command with placeholders is
// at most 64 KiB, and evaluated text nests at most four deep. Work is linear
// in the length of the command for each of these levels.
//
// What this package cannot know is listed in testdata/README.md: programs it
// has never heard of that evaluate their arguments, and files that a value
// chooses.
package shellspan
