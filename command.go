package skills

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/seed-12b313d8/skills/internal/names"
)

// maxStacked is how many skills one line may stack after the first.
const maxStacked = 5

// blanks are what ends a name or a token on a command line.
const blanks = " \t\r\n"

// ParseCommand reads what a user typed: "/name args", perhaps after blanks. The longest known name
// wins, so that "/office pdf" finds office:pdf; arguments are byte-exact. Only
// names may span blanks, no alias and no name of a frontmatter.
//
// Several inline skills may be stacked, "/a /b text": the first and up to five
// more, each with the text after the last of them as its arguments. The stack
// ends at the first other token and never goes past a fork (04 §1).
//
// The error is an [*Error] with [CodeInvalid] if there is no "/",
// [CodeNotFound] or [CodeAmbiguous]; its Input is text.
func (s *Session) ParseCommand(text string) ([]Call, error) {
	rest, ok := strings.CutPrefix(strings.TrimLeft(text, blanks), "/")
	if !ok {
		return nil, invalidCall("a command begins with /", "type / and the name of a skill", []byte(text), nil)
	}
	v := s.view()
	sk, rest, err := v.commandName(rest)
	if err != nil {
		err.Input = text
		return nil, err
	}
	found := []string{v.callName(sk)}
	for len(found) <= maxStacked && sk.Mode != ModeFork {
		next, ok := strings.CutPrefix(strings.TrimLeft(rest, blanks), "/")
		if !ok {
			break
		}
		more, after, err := v.commandName(next)
		if err != nil || more.Mode == ModeFork || v.barrier(CallerUser, more) != barNone {
			break
		}
		found, rest = append(found, v.callName(more)), after
	}
	calls := make([]Call, len(found))
	for i, n := range found {
		calls[i] = Call{Name: n, Args: rest, Caller: CallerUser}
	}
	return calls, nil
}

// maxNameText bounds how much of a line is tried as a name, in bytes.
const maxNameText = 1200

// commandName splits text after the longest prefix that is a known name.
func (v *view) commandName(text string) (s *Skill, rest string, err *Error) {
	head := text[:min(len(text), maxNameText)]
	if strings.TrimLeft(head, "/"+blanks) != head {
		head = "" // "//x" and "/ x" name nothing
	}
	for end := len(head); end > 0; end = strings.LastIndexAny(head[:end], blanks) {
		if end < len(text) && !strings.ContainsRune(blanks, rune(text[end])) {
			continue // in the middle of a word
		}
		name := strings.TrimRight(head[:end], blanks)
		if name == "" || strings.ContainsAny(name, "\r\n") {
			continue
		}
		end = len(name)
		if strings.ContainsAny(name, blanks) { // labels and aliases do not span words
			if s := cmp.Or(v.exact(names.Normalize(name)), v.spaced(names.Normalize(name))); s != nil {
				return s, afterName(text[end:]), nil
			}
			continue
		}
		s, e := v.lookup(name, CallerUser)
		if e != nil {
			return nil, "", e.(*Error)
		}
		return s, afterName(text[end:]), nil
	}
	return nil, "", &Error{Issue: Issue{
		Code: CodeNotFound, Severity: sevError, Skill: text,
		Msg: fmt.Sprintf("there is no skill named %q", firstWord(text)), Hint: "type / to see what there is",
	}}
}

// afterName drops the one blank that ends a name; the rest is the arguments,
// byte for byte, unless it is nothing but blanks.
func afterName(rest string) string {
	switch {
	case strings.Trim(rest, blanks) == "":
		return ""
	case strings.HasPrefix(rest, "\r\n"):
		return rest[2:]
	}
	return rest[1:]
}

func firstWord(s string) string {
	if i := strings.IndexAny(s, blanks); i >= 0 {
		return s[:i]
	}
	return s
}
