// Package frontmatter turns the bytes of a Markdown file into an ordered list
// of header fields and the place where the body starts.
//
// It knows nothing of skills: no field names, no booleans, no defaults. It
// only answers what the header says, in the author's own words, and what is
// wrong with it. The steps are
//
//	Decode   bytes → clean UTF-8 text with LF line ends
//	Parse    text  → Document: fields in order, problems, offset of the body
//
// Parse finds the fences itself, checks the limits, and then reads the header
// in one of three ways, each only where the one before it gave up:
//
//  1. A strict scanner for flat headers, which most are. It accepts a text only
//     where a YAML parser could not read anything else, and a differential fuzz
//     test holds it to that (01 §2).
//  2. yaml.v3, into nodes and never into Go values, so that the source text of
//     every scalar survives: 3000, on, 1.10.
//  3. Key by key, when the header is not valid YAML: each top-level key is read
//     alone, and what still fails is taken as text (01 §4). Such a value is
//     marked Guessed, so that callers can refuse to grant anything on the
//     strength of it.
//
// This is the only package that imports github.com/adrg/frontmatter and
// gopkg.in/yaml.v3. Both have defects on hostile or merely unusual input; the
// guards against them are in yaml.go and disguise.go, next to their reasons.
package frontmatter
