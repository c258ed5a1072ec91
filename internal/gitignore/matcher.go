package gitignore

import ignore "github.com/sabhiram/go-gitignore"

// A matcher decides whether a text matches one translated rule. This file is
// the only place that touches the matching library (03 A7).
type matcher = ignore.GitIgnore

// compile hands a translated line to the library, which does not report lines
// that it cannot compile; translate makes none of those.
func compile(line string) *matcher { return ignore.CompileIgnoreLines(line) }
