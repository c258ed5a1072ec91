// Package gitignore matches paths against lists of gitignore patterns.
//
// It serves two callers: the `paths` globs of skills (03 A4–A8, A10, A11),
// through [List] and [Index], and the ignore files that keep discovery out of
// folders such as build output (03 §3), through [Tree].
//
// # Dialect
//
// A list is read as one gitignore file: the last pattern that matches an entry
// decides, `!` negates, and nothing below a matched folder can be taken out
// again. A pattern with a leading or inner slash is anchored to the root,
// another one matches at any depth. `dir/` and `dir` cover everything below.
// Differences from git, all of them deliberate:
//
//   - {a,b} groups, nested ones too, are expanded before anything else
//     (03 A5). Blanks around an alternative are dropped. A group without a
//     comma and an unbalanced brace are ordinary characters.
//   - Letter case is folded as [strings.EqualFold] does unless
//     [Options.CaseSensitive] is set (03 A11).
//   - `?` and classes stand for one code point; git compares bytes.
//   - `**` has its wider meaning only as a whole path segment. Git widens
//     `a**/b` too when everything before the stars is literal.
//
// An escaped slash is a slash in either kind of list; git takes `**\/` for
// something in between. Every other character is ordinary, so `src/(broken` is
// a valid pattern that matches a file of that name. [List.Problems] still
// mentions the unbalanced parenthesis, for its author most likely meant
// something else.
//
// Ignore files, which must agree with git, have none of these differences:
// they compare bytes, know no braces and follow git in the `a**/b` case.
//
// # How it works
//
// The patterns are matched by the regular expressions of
// github.com/sabhiram/go-gitignore, whose own pattern language departs from
// git in many places. So this package translates each pattern to a line on
// which that library has nothing left to interpret: it begins with a slash,
// ends with `$`, and holds every literal character as \x{HEX} (03 A7).
// A translated pattern is compiled when the first path passes the pattern's
// pre-filter, and not before. The pre-filter compares literal pieces and then
// walks along the pattern; it must let through whatever the library matches,
// and the fuzz test holds the two to exact agreement.
//
// # Bounds
//
// Patterns come from files nobody has vetted. A list expands to at most 1,000
// patterns and 4 MiB; a pattern holds at most 4,096 bytes; a path at most 4,096
// bytes and 256 segments; an ignore file at most 10,000 rules. One match takes
// at most about a million steps, some ten milliseconds, and a list that needs
// more does not match. No list that makes sense comes near any of this.
package gitignore
