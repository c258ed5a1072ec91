package template

import (
	"fmt"
	"iter"
	"strings"
)

// A Kind says what a [Token] is.
type Kind uint8

const (
	Literal   Kind = iota // text that stays as it is
	Escaped               // a backslash and the placeholder it makes literal
	Arguments             // $ARGUMENTS
	Word                  // $N or $ARGUMENTS[N]
	Named                 // $name
	Variable              // ${NAME}
	Span                  // a shell command
)

// Argument reports whether k takes its value from the arguments of a call.
// ${…} variables do not (04 §3).
func (k Kind) Argument() bool { return k == Arguments || k == Word || k == Named }

// A Token is one piece of a body.
type Token struct {
	Kind Kind

	// Fenced is whether a span is a block. Otherwise it is inline.
	Fenced bool

	// Text is the source, byte for byte. The texts of the tokens of a
	// template make up its body.
	Text string

	// Offset is where Text begins, in bytes from the start of the body, or
	// of the command for a token in Inner.
	Offset int

	// Line is the line of the body that Text begins on; the first is 1.
	Line int

	// Index is N of a Word, at most [math.MaxInt], and the position in
	// Options.Names of a Named.
	Index int

	// Name is the name of a Named or Variable, without $ and braces.
	Name string

	// Command is the command of a span, as written. The lines of an indented
	// block lack its indentation.
	Command string

	// Inner holds the placeholders in Command, Escaped ones too, from left
	// to right. The text between them is left out.
	Inner []Token
}

// DefaultMaxSpans is how many spans a body may have (04 §4).
const DefaultMaxSpans = 64

// Options says what [Parse] looks for. The zero value finds spans, fixed
// placeholders and ${CLAUDE_…}.
type Options struct {
	// Names are the declared arguments; the word of the same position is
	// the value (04 §3). A name declared twice has its first position.
	Names []string

	// Variable reports whether ${name} is a placeholder. It is called for
	// names made of letters, digits and underscores that do not begin with
	// a digit. If nil, names that begin with CLAUDE_ are.
	Variable func(name string) bool

	// PositionalDeclared narrows $N to text that is not likely to be an
	// amount or a field of awk (04 §3): N is one digit, no `.` or `,` with a
	// digit follows, and the skill shows that it takes arguments, through
	// TakesArguments, Names or $ARGUMENTS in its body. $ARGUMENTS[N] is not
	// narrowed, and `\$5.00` loses its backslash all the same.
	PositionalDeclared bool

	// TakesArguments is whether something outside the body, such as an
	// argument hint, says that there are arguments. Only PositionalDeclared
	// looks at it.
	TakesArguments bool

	// FenceBlind finds spans everywhere, in any fence and code span.
	FenceBlind bool

	// FenceStrict finds no inline span in any fence. It is stronger than
	// FenceBlind.
	FenceStrict bool

	// NoSpans makes spans text, with placeholders in it like in any other.
	NoSpans bool

	// NoPlaceholders makes placeholders and backslashes text.
	NoPlaceholders bool

	// MaxSpans is how many spans are allowed: DefaultMaxSpans if 0, any
	// number if negative.
	MaxSpans int
}

// A TooManySpansError is returned for a body with more spans than allowed
// (04 §4).
type TooManySpansError struct {
	Line int // line of the first span over the limit; the body's first is 1
	Max  int // the limit
}

// Error names the line and the limit.
func (e *TooManySpansError) Error() string {
	return fmt.Sprintf("line %d: more than %d shell spans; join commands in one fenced block", e.Line, e.Max)
}

// A Template is a body cut into tokens. It is immutable and safe for
// concurrent use.
type Template struct {
	body   string
	pieces []piece
	spans  []Token
}

// Parse cuts body into tokens. The error is a *[TooManySpansError] or nil.
// Time and memory are linear in the length of body.
func Parse(body string, o Options) (*Template, error) {
	spans, err := findSpans(body, &o)
	if err != nil {
		return nil, err
	}
	return newScanner(body, &o).template(body, spans), nil
}

// Tokens yields the tokens from left to right.
func (t *Template) Tokens() iter.Seq[Token] {
	return func(yield func(Token) bool) {
		for tok := range cut(t.body, t.pieces, 1) {
			if tok.Kind == Span {
				tok = t.spans[tok.Index]
			}
			if !yield(tok) {
				return
			}
		}
	}
}

// Spans returns the spans from left to right. The caller must not change
// them.
func (t *Template) Spans() []Token { return t.spans }

func defaultVariable(name string) bool { return strings.HasPrefix(name, "CLAUDE_") }
