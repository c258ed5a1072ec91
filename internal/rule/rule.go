// Package rule parses and matches permission rules about skills (04 §5). It
// knows names, not skills.
package rule

import (
	"errors"
	"strings"

	"github.com/seed-12b313d8/skills/internal/names"
)

// Tool is the tool whose rules are about skills.
const Tool = "Skill"

// A Rule is one parsed rule. The zero Rule matches nothing. It is a value and
// never changes.
type Rule struct {
	text   string // normalised
	tool   string
	arg    string // name or prefix
	folded string // arg as names.Fold has it
	kind   kind
}

type kind uint8

const (
	none   kind = iota
	all         // Skill, Skill(*)
	exact       // Skill(name)
	prefix      // Skill(prefix:*)
	word        // Skill(name *)
)

// Parse parses one rule. The error says in words what is wrong.
func Parse(text string) (Rule, error) {
	text = strings.Join(strings.Fields(text), " ")
	tool, arg, open := strings.Cut(text, "(")
	tool = strings.TrimSpace(tool)
	switch {
	case tool == "":
		return Rule{}, errors.New("it names no tool")
	case tool != Tool && strings.EqualFold(tool, Tool):
		return Rule{}, errors.New("the tool is called " + Tool)
	case strings.ContainsAny(tool, `() "'`):
		return Rule{}, errors.New("the tool's name is malformed")
	case !open:
		return Rule{text: tool, tool: tool, kind: all}, nil
	case !strings.HasSuffix(arg, ")"):
		return Rule{}, errors.New("the closing parenthesis is missing")
	}
	arg = strings.TrimSpace(strings.TrimSuffix(arg, ")"))
	if arg == "" {
		return Rule{}, errors.New("the parentheses are empty")
	}
	r := Rule{text: tool + "(" + arg + ")", tool: tool, arg: arg, kind: exact}
	if tool != Tool {
		return r, nil
	}
	return r.named(arg)
}

// named fills in what stands between the parentheses of a Skill rule.
func (r Rule) named(arg string) (Rule, error) {
	arg = strings.TrimSpace(strings.TrimPrefix(arg, "/"))
	switch {
	case arg == "*":
		r.arg, r.kind = "", all
		return r, nil
	case strings.HasSuffix(arg, ":*"):
		r.kind, arg = prefix, strings.TrimSuffix(arg, ":*")
	case strings.HasSuffix(arg, " *"):
		r.kind, arg = word, strings.TrimSuffix(arg, " *")
	}
	if arg == "" || strings.Contains(strings.ReplaceAll(arg, `\*`, ""), "*") {
		return Rule{}, errors.New(`a * may stand only alone, or at the end after : or a blank; \* is the character`)
	}
	r.arg = names.Normalize(strings.ReplaceAll(arg, `\*`, "*"))
	r.folded = names.Fold(r.arg)
	return r, nil
}

// For returns the text of the rule that matches the skill of exactly that
// name, and of the one for all names that begin with it.
func For(name string) (exact, prefix string) {
	name = strings.ReplaceAll(name, "*", `\*`)
	return Tool + "(" + name + ")", Tool + "(" + name + ":*)"
}

// String returns the rule as text that Parse takes.
func (r Rule) String() string { return r.text }

// Matches reports whether r matches a skill of the given name. fold compares
// without letter case; strict makes prefix:* end at a word boundary.
func (r Rule) Matches(name string, fold, strict bool) bool {
	if r.tool != Tool {
		return false
	}
	want := r.arg
	if fold {
		name, want = names.Fold(name), r.folded
	}
	switch r.kind {
	case all:
		return true
	case exact:
		return name == want
	case prefix:
		return strings.HasPrefix(name, want) && (!strict || boundary(name[len(want):]))
	case word:
		return strings.HasPrefix(name, want) && boundary(name[len(want):])
	}
	return false
}

// Ungrantable says why no skill may be granted a tool rule, and what to do about
// it; why is "" for the others. Nobody may grant the tools of never, nor all.
func Ungrantable(text string, never []string) (why, hint string) {
	tool, _, _ := strings.Cut(text, "(")
	tool = strings.TrimSpace(tool)
	if strings.Trim(tool, "*") == "" {
		return "would grant every tool and was dropped", "name the tools the skill needs"
	}
	for _, n := range never {
		if ToolCovers(tool, n) {
			return "was dropped: no skill may grant the tool " + n, "leave it out"
		}
	}
	return "", ""
}

// ToolCovers reports whether a tool pattern, in which * stands for anything,
// covers a tool. Letter case does not count.
func ToolCovers(pattern, tool string) bool {
	return covers(strings.ToLower(pattern), strings.ToLower(tool))
}

// covers reports whether the pattern, in which * stands for anything, is that
// of the whole text.
func covers(pattern, text string) bool {
	parts := strings.Split(pattern, "*")
	if len(parts) == 1 {
		return pattern == text
	}
	rest, ok := strings.CutPrefix(text, parts[0])
	if !ok {
		return false
	}
	last := parts[len(parts)-1]
	for _, p := range parts[1 : len(parts)-1] {
		i := strings.Index(rest, p)
		if i < 0 {
			return false
		}
		rest = rest[i+len(p):]
	}
	return strings.HasSuffix(rest, last)
}

// boundary reports whether a word has ended before rest.
func boundary(rest string) bool {
	return rest == "" || strings.IndexByte("-:/ ", rest[0]) >= 0
}
