// Package line turns text of unknown origin into one line of a listing.
//
// [Clean] makes a text safe to print on one line: no line breaks, no control
// or invisible characters, no wrapper tags, always valid UTF-8. [Cut] shortens
// it without splitting a word or a grapheme cluster. A character is a Unicode
// code point throughout (02 §2).
//
// The functions are pure, safe for concurrent use and take time linear in
// their input.
package line
