package gitignore

import (
	"slices"
	"strings"
	"sync/atomic"
	"weak"
)

// The codes of problems.
const (
	// CodeBadPattern marks a pattern that cannot be read and matches nothing.
	CodeBadPattern = "bad-pattern"
	// CodeBraceBudget marks a pattern whose braces are taken literally
	// because expanding them would exceed the budget of the list.
	CodeBraceBudget = "brace-budget"
	// CodeNeverMatches marks a pattern, or a whole list, that is well formed
	// but matches no path.
	CodeNeverMatches = "never-matches"
	// CodeUnbalanced marks a parenthesis or brace without a partner, which is
	// taken literally. The pattern works, though hardly as intended.
	CodeUnbalanced = "unbalanced"
)

// maxKept is how many rules a list keeps in memory for good. A longer list is
// parsed again after the garbage collector took it, so that a folder full of
// tiny files with large brace groups stays cheap.
const maxKept = 64

// Options sets the dialect of a list. The zero value is the default one.
type Options struct {
	// CaseSensitive tells letter case apart (03 A11).
	CaseSensitive bool
	// RootOnlyStar is the reading in which a pattern without a slash that
	// holds a wildcard, such as *.md, means files of the root folder only
	// (03 A8). Other patterns keep their meaning.
	RootOnlyStar bool
	// LiteralBraces turns brace expansion off, as in plain gitignore files.
	LiteralBraces bool
}

// A Problem is what is wrong with one pattern of a list (03 A6).
type Problem struct {
	Pattern string // as given
	Index   int    // position in the list as given
	Code    string // one of the Code constants
	Msg     string // what is wrong and what to do, to be read after the pattern
}

// A List is a list of patterns, safe for concurrent use. It is evaluated as one
// unit: the last match wins (03 A4).
type List struct {
	patterns []string
	opts     Options

	kept  atomic.Pointer[program]
	loose atomic.Pointer[weak.Pointer[program]]
}

// Compile makes a list of patterns. It does no work yet: patterns are parsed
// when first needed, and compiled when a path passes their pre-filter
// (03 A7). It never fails; [List.Problems] tells about bad patterns.
func Compile(patterns []string, o Options) *List {
	return &List{patterns: slices.Clone(patterns), opts: o}
}

// Problems returns what is wrong with the list, in the order of its patterns.
// The patterns at fault match nothing, or what the code says, and do not
// disturb the others (03 A6).
func (l *List) Problems() []Problem { return slices.Clone(l.program().problems) }

// Match reports whether the list matches a file. The path is relative to the
// root, clean and separated by slashes; anything else, the empty path and the
// root itself match nothing (03 A3).
func (l *List) Match(path string) bool {
	return valid(path) && l.matches(path)
}

// MatchDir is like Match for a folder, which patterns such as build/ need to
// know.
func (l *List) MatchDir(path string) bool {
	return valid(path) && l.matches(path+"/")
}

func (l *List) matches(text string) bool {
	return l.program().matches(l.mode().text(text))
}

func (l *List) mode() mode {
	if l.opts.CaseSensitive {
		return exact
	}
	return folded
}

// program returns the parsed list. Two callers may parse it at once; either
// result is as good as the other.
func (l *List) program() *program {
	if p := l.kept.Load(); p != nil {
		return p
	}
	if w := l.loose.Load(); w != nil {
		if p := w.Value(); p != nil {
			return p
		}
	}
	p := l.parse()
	if len(p.rules) <= maxKept {
		l.kept.Store(p)
	} else {
		w := weak.Make(p)
		l.loose.Store(&w)
	}
	return p
}

func (l *List) parse() *program {
	p := &parser{program: &program{mode: l.mode()}, opts: l.opts, budget: newBudget()}
	p.rules = make([]rule, 0, len(l.patterns))
	for i, pattern := range l.patterns {
		p.pattern(i, pattern)
	}
	p.finish(l.patterns)
	return p.program
}

// valid reports whether a path is one that lists can match: relative, clean,
// below the root, and within the bounds.
func valid(path string) bool {
	if path == "" || len(path) > maxPathBytes || strings.Count(path, "/") >= maxPathDepth {
		return false
	}
	for rest, more := path, true; more; {
		var name string
		name, rest, more = strings.Cut(rest, "/")
		if name == "" || name == "." || name == ".." {
			return false
		}
	}
	return true
}

// The bounds of a path.
const (
	maxPathBytes = 4096
	maxPathDepth = 256
)

// A parser builds the program of a list.
type parser struct {
	*program
	opts   Options
	budget budget
}

// pattern adds the rules of one pattern.
func (p *parser) pattern(i int, pattern string) {
	lines, ok := []string{pattern}, true
	if !p.opts.LiteralBraces {
		lines, ok = p.budget.expand(pattern)
	}
	if !ok {
		p.report(i, pattern, CodeBraceBudget,
			"expands to more than 1,000 patterns or 4 MiB for the list; its braces are taken literally")
	}
	best, worst := tooLong, useful
	for _, line := range lines {
		v := p.rule(line)
		best, worst = min(best, v), max(worst, v)
	}
	if worst.code() == CodeBadPattern || best != useful {
		p.report(i, pattern, worst.code(), worst.message())
	}
	if c := unbalanced(pattern, p.opts.LiteralBraces); c != "" {
		p.report(i, pattern, CodeUnbalanced, "has an unbalanced "+c+", which is taken literally")
	}
}

// rule adds the rule of one line unless it can match nothing.
func (p *parser) rule(line string) verdict {
	p.rules = append(p.rules, rule{})
	r := &p.rules[len(p.rules)-1]
	v := r.parse(line, p.mode, p.opts.RootOnlyStar)
	if v != useful {
		p.rules = p.rules[:len(p.rules)-1]
		return v
	}
	if r.negated {
		p.scope = oneEntry
	}
	return useful
}

// finish judges the list as a whole.
func (p *parser) finish(patterns []string) {
	positive := slices.ContainsFunc(patterns, func(s string) bool { return !strings.HasPrefix(s, "!") })
	if len(patterns) > 0 && !positive {
		p.report(0, patterns[0], CodeNeverMatches,
			"stands in a list of negated patterns only, which matches nothing; put ** first to start from everything")
	}
}

func (p *parser) report(i int, pattern, code, msg string) {
	if code == "" {
		return
	}
	p.problems = append(p.problems, Problem{Pattern: pattern, Index: i, Code: code, Msg: msg})
}

// unbalanced returns the kind of bracket that has no partner, or "".
func unbalanced(pattern string, literalBraces bool) string {
	round, curly := 0, 0
	for i := 0; i < len(pattern) && round >= 0 && curly >= 0; i++ {
		switch pattern[i] {
		case '\\':
			i++
		case '[':
			_, n, ok := scanClass(pattern[i:], exact, nil)
			if !ok {
				return "" // a bad pattern, and reported as one
			}
			i += n - 1
		case '(':
			round++
		case ')':
			round--
		case '{':
			curly++
		case '}':
			curly--
		}
	}
	switch {
	case round != 0:
		return "parenthesis"
	case curly != 0 && !literalBraces:
		return "brace"
	default:
		return ""
	}
}
