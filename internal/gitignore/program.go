package gitignore

import (
	"strings"
	"sync/atomic"
)

// maxCompiled is how many compiled rules one program keeps. Each costs a few
// kilobytes; rules above the limit are compiled for each use.
const maxCompiled = 256

// A program is a parsed list, ready to match. Except for the compiled rules it
// does not change. It is safe for concurrent use.
type program struct {
	rules    []rule
	mode     mode
	scope    scope
	problems []Problem
	cut      bool // an ignore file that was not read to its end
	kept     atomic.Int32
}

// matches reports whether a path is covered. The text is in the form of the
// program's mode, and ends with a slash for a folder. A list that would take
// more than its share of steps does not match.
func (p *program) matches(text string) bool {
	steps := purse(maxSteps)
	if p.scope == oneEntry {
		return p.walk(text, &steps)
	}
	for i := range p.rules {
		if p.hits(&p.rules[i], text, &steps) {
			return true
		}
	}
	return false
}

// walk decides a list with negated rules. It goes down the path folder by
// folder, for what lies below a matched folder cannot be taken out again.
func (p *program) walk(text string, steps *purse) bool {
	for e := (entry{}); e.next(text); {
		if r := p.last(e, steps); r != nil && !r.negated {
			return true
		}
	}
	return false
}

// last returns the last rule that matches the entry itself, or nil.
func (p *program) last(e entry, steps *purse) *rule {
	for i := len(p.rules) - 1; i >= 0; i-- {
		r := &p.rules[i]
		text := e.path
		switch {
		case r.floating:
			text = e.name
		case r.depth != 0 && r.depth != e.depth:
			continue
		}
		if p.hits(r, text, steps) {
			return r
		}
	}
	return nil
}

// hits matches one rule, and compiles it when the text passes the pre-filter.
func (p *program) hits(r *rule, text string, steps *purse) bool {
	return r.admits(text, p.mode, p.scope, steps) &&
		steps.spend(len(text)*len(r.text)/8) &&
		p.matcher(r).MatchesPath(text)
}

func (p *program) matcher(r *rule) *matcher {
	m := r.compiled.Load()
	if m == nil {
		m = compile(r.translate(p.mode, p.scope))
		if p.kept.Add(1) <= maxCompiled {
			r.compiled.Store(m)
		}
	}
	return m
}

// An entry is one step on the way down a path: a file, or a folder with its
// final slash.
type entry struct {
	path  string
	name  string
	depth int // number of segments of path
}

// next moves on to the next entry of text and reports whether there was one.
func (e *entry) next(text string) bool {
	start := len(e.path)
	if start == len(text) {
		return false
	}
	end := len(text)
	if i := strings.IndexByte(text[start:], '/'); i >= 0 {
		end = start + i + 1
	}
	*e = entry{path: text[:end], name: text[start:end], depth: e.depth + 1}
	return true
}
