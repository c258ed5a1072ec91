package shellspan

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/seed-12b313d8/skills/internal/template"
	"mvdan.cc/sh/v3/syntax"
)

// A Dialect is the language of the shell that will run a command.
type Dialect uint8

const (
	Bash       Dialect = iota // bash
	POSIX                     // sh: dash, or any other shell of that kind
	PowerShell                // runs no span with placeholders (04 §4)
)

const (
	maxValue   = 100_000  // bytes of a value (04 §4)
	maxCommand = 64 << 10 // bytes of a command with placeholders
	maxDepth   = 4        // of evaluated text inside evaluated text
	maxCalls   = 20       // of commands that run one another, such as env nice sh
	maxWork    = 500_000  // arguments of commands looked at, each time anew
	maxNesting = 150      // of nodes in the tree of a command
	maxValues  = 1 << 20  // bytes of all values, each as often as it is used
	maxWords   = 100_000  // words of all values, each as often as it is used
	maxText    = 100_000  // bytes of the result: a system limits one argument
)

// A Result is a command that is safe to run.
type Result struct {
	// Text is the command for the shell. No argument value is in it.
	Text string

	// Env are the "NAME=value" pairs that Text refers to, sorted by name
	// (04 §4: only variables a span uses).
	Env []string

	// Replaced is whether the value of an argument placeholder reaches the
	// command. One in a comment, or without such a word, does not count
	// (04 §3).
	Replaced bool
}

// Rewrite makes the command of span, a token of kind [template.Span], safe to
// run with the values v (04 §4). The error is a *[Refusal] or nil; nothing of
// the command may then be run. Rewrite is deterministic, keeps nothing, and
// may be called concurrently.
func Rewrite(span template.Token, v template.Values, d Dialect) (result Result, err error) {
	if !slices.ContainsFunc(span.Inner, func(t template.Token) bool { return isPlaceholder(t, v) }) {
		return Result{Text: span.Command}, nil
	}
	s := &rewriting{command: span.Command, dialect: d}
	s.prepare(span.Inner, v)
	if err := s.limits(); err != nil {
		return Result{}, err
	}
	defer func() {
		if recover() != nil { // the parser is not ours
			result, err = Result{}, refuse(s.marks[0], Unparsed, "the command cannot be read", "simplify it")
		}
	}()
	if !s.settle() {
		return Result{Text: span.Command}, nil
	}
	if err := s.analyse(); err != nil {
		return Result{}, err
	}
	return s.finish()
}

// isPlaceholder reports whether t has to be dealt with: a variable nobody
// gives a value to is the author's own text.
func isPlaceholder(t template.Token, v template.Values) bool {
	if t.Kind == template.Variable {
		_, ok := v.Value(t)
		return ok
	}
	return t.Kind != template.Literal
}

// A mark is a placeholder of the command.
type mark struct {
	template.Token
	missing bool   // there is no such word, or no arguments at all
	value   string // what it stands for
	words   []string
	nonce   string // the parameter that stands in for it while parsing
	literal bool   // it is the author's text: escaped, or missing inside '…'
	seen    bool   // its place was reached and is allowed
	form    form   // how its value is written in the result
	list    bool   // it is one word for each argument

	computed bool // it stands in arithmetic

	at, end int    // its place in the text that is parsed
	written string // its text there, if it is literal
}

// argument reports whether the value of m comes from the caller.
func (m *mark) argument() bool { return m.Kind != template.Variable }

// name returns the environment variable of m, whose value is one text.
func (m *mark) name() string {
	switch m.Kind {
	case template.Arguments:
		return "SKILL_ARGUMENTS"
	case template.Variable:
		return m.Name
	default:
		return argName(m.Index)
	}
}

func argName(i int) string { return "SKILL_ARG_" + strconv.Itoa(i) }

// noneName is never set. It is written where there is no value.
const noneName = "SKILL_NONE"

// A rewriting is the work on one command.
type rewriting struct {
	command string
	dialect Dialect
	marks   []*mark
	nonces  map[string]*mark
	prefix  string // of the nonces
	text    string // command with nonces for its marks

	refused   *mark // whose refusal that is
	refusal   *Refusal
	taint     taint
	work      int    // arguments of commands looked at so far
	wants     []want // what every value of the span must be
	files     files
	confusing bool               // the command reads differently in different shells
	hdocs     []*syntax.Redirect // here-documents that lose their quotes
}

// prepare makes the marks.
func (s *rewriting) prepare(inner []template.Token, v template.Values) {
	for _, t := range inner {
		if !isPlaceholder(t, v) {
			continue
		}
		m := &mark{Token: t, written: t.Text}
		switch t.Kind {
		case template.Escaped:
			m.literal = true
		case template.Arguments:
			m.value, m.words, m.missing = v.Args, v.Words, v.Args == ""
		case template.Variable:
			m.value, _ = v.Value(t)
		default:
			if m.missing = t.Index >= len(v.Words); !m.missing {
				m.value = v.Words[t.Index]
			}
		}
		s.marks = append(s.marks, m)
	}
}

// limits refuses what is never run, whatever the place (04 §4, last row).
func (s *rewriting) limits() error {
	first := s.marks[0]
	switch {
	case s.dialect == PowerShell:
		return refuse(first, PowerShellSpan, "PowerShell commands cannot take placeholders", "write the placeholder outside of the command, or use bash")
	case len(s.command) > maxCommand:
		return refuse(first, TooLong, fmt.Sprintf("the command is longer than %d bytes", maxCommand), "move it into a script of the skill")
	case strings.ContainsAny(s.command, "\x00\r\x01\x7f"):
		return refuse(first, Unparsed, "the command holds a carriage return or another control character", "save the file with plain line ends")
	}
	if nested(s.command) > 2*maxNesting {
		return refuse(first, TooLong, "the command is nested too deep", "move it into a script of the skill")
	}
	total, words := 0, 0
	for _, m := range s.marks {
		if m.literal {
			continue
		}
		words += len(m.words)
		if total += len(m.value); total > maxValues || words > maxWords {
			return refuse(m, TooLong, "the command uses a long value too often", "use the placeholder once, in an assignment")
		}
		if strings.Contains(m.value, "\x00") {
			return refuse(m, BadValue, "the value holds a NUL character", "give a value without it")
		}
		if n := len(m.value); n > maxValue {
			return refuse(m, BadValue, fmt.Sprintf("the value has %d bytes, more than the limit of %d", n, maxValue), "give a shorter value, or pass it in a file")
		}
	}
	return nil
}

// nested returns how many parentheses are open at once. A parser need not be
// asked what it makes of thousands.
func nested(text string) int {
	depth, deepest := 0, 0
	for i := range len(text) {
		switch text[i] {
		case '(':
			depth++
			deepest = max(deepest, depth)
		case ')':
			depth--
		}
	}
	return deepest
}

// refuse makes the refusal of m.
func refuse(m *mark, r Reason, msg, hint string) *Refusal {
	return &Refusal{Placeholder: m.Text, Line: m.Line, Reason: r, Msg: msg, Hint: hint}
}
