package skills

import (
	"cmp"
	"fmt"

	"github.com/seed-12b313d8/skills/internal/names"
	"github.com/seed-12b313d8/skills/internal/typed"
)

// maxStacked is how many skills one line may stack after the first.
const maxStacked = 5

// ParseCommand reads what a user typed: "/name args", perhaps after blanks. The
// longest known name wins, so that "/office pdf" finds office:pdf; arguments are
// byte-exact. Only names may span blanks, no alias and no name of a frontmatter.
//
// Several inline skills may be stacked, "/a /b text": the first and up to five
// more, each with the text after the last of them as its arguments. The stack
// ends at the first other token and never goes past a fork (04 §1).
//
// The error is an [*Error] with [CodeInvalid] if there is no "/",
// [CodeNotFound] or [CodeAmbiguous]; its Input is text.
func (s *Session) ParseCommand(text string) ([]Call, error) {
	rest, ok := typed.Slash(text)
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
		next, ok := typed.Slash(rest)
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

// commandName splits text after the longest prefix that is a known name.
func (v *view) commandName(text string) (*Skill, string, *Error) {
	for name, rest := range typed.Names(text) {
		if !typed.IsWord(name) { // labels and aliases do not span words
			if s := cmp.Or(v.exact(names.Normalize(name)), v.spaced(names.Normalize(name))); s != nil {
				return s, rest, nil
			}
			continue
		}
		s, e := v.lookup(name, CallerUser)
		if e != nil {
			return nil, "", e.(*Error)
		}
		return s, rest, nil
	}
	e := newError(CodeNotFound, fmt.Sprintf("there is no skill named %q", typed.FirstWord(text)), "type / to see what there is")
	e.Skill = text
	return nil, "", e
}
